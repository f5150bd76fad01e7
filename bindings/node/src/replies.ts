// The shapes of what the three capability tools answer (the engine writes them). Knows nothing of how they come about.

import type { Degraded, ErrorCode } from "./generated/types.js";

/** The answer of `search_capabilities`. */
export interface SearchResult {
  status: "ok" | "weak" | "no_match";
  tools: { groups: ToolGroup[] };
  skills: { skillId: string; score: number; description?: string }[];
  more?: { tools?: number; skills?: number };
  pending?: string[];
  hint?: string;
  /** Why words alone were searched for, where the engine ranks by meaning. */
  degraded?: Degraded;
  truncated?: true;
}

/** The tools of one server, in a search's answer. */
export interface ToolGroup {
  server: { name: string; description?: string; instructions?: string };
  hits: ToolHit[];
}

/** One tool in a search's answer: with its schema, or with a signature where there is no room or no certainty. */
export interface ToolHit {
  toolId: string;
  score: number;
  description?: string;
  inputSchema?: unknown;
  signature?: string;
  annotations?: Record<string, unknown>;
  requiresApproval?: true;
  unavailable?: true;
}

/** What a model is told of a call that came to nothing. */
export interface ErrorReply {
  isError: true;
  error: ErrorCode;
  message: string;
  toolId?: string;
  requested?: string;
  path?: string;
  inputSchema?: unknown;
  candidates?: string[];
  next?: string;
}

/** The answer of `get_skill_content`. */
export interface SkillContent {
  skillId: string;
  name: string;
  body: string;
  totalChars: number;
  nextOffset?: number;
  /** The other files of a skill from a folder; each is read through the same call, as `resource`. */
  resources: string[];
  tools: string[];
  /** The resource whose text `body` is. */
  resource?: string;
  hint?: string;
}

/** The answer of `get_skill_content` for a skill that a sub-agent followed. */
export interface SkillResult {
  skillId: string;
  name: string;
  result: string;
}

/** Whether an answer of `hg.call` says that something went wrong. */
export function isErrorReply(answer: unknown): answer is ErrorReply {
  if (typeof answer !== "object" || answer === null) return false;
  const { isError, error } = answer as Partial<ErrorReply>;
  return isError === true && typeof error === "string";
}
