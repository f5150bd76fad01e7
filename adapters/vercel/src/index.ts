// The Vercel AI SDK's view of an engine, for `hg.adaptTo(vercel)`: three codecs, and the framework's hooks.
// Knows nothing of ranking, and keeps no conversation.

import type { LanguageModelMiddleware, ModelMessage, ToolSet } from "ai";
import { type Adapter, type CacheStep, CacheWatch } from "honeyguide";
import { toolsContext } from "./contexts.js";
import { fromTools } from "./expose.js";
import { toTool } from "./ingest.js";
import { invokeToolOf } from "./invoke.js";
import { Recalls, toMessages, turnOf } from "./recall.js";
import { repair } from "./repair.js";
import { forFramework, type ToolApproval } from "./tool-approval.js";
import type { SdkTool } from "./types.js";

/** What users of the AI SDK need beside tools and messages. */
export interface VercelHooks {
  /** The messages with a search for the last user turn behind it; the same messages in a new array when nothing matches. */
  appendRecall(messages: readonly ModelMessage[]): Promise<ModelMessage[]>;
  /** For `prepareStep`: recalls before each step, and lists what the view's disclosure lists in it. */
  prepareStep(options: { messages: ModelMessage[] }): Promise<{
    messages?: ModelMessage[];
    // biome-ignore lint/suspicious/noExplicitAny: names of tools, which the framework types by the record that it was given.
    activeTools?: any[];
  }>;
  /** For `experimental_repairToolCall` (5, 6) and `repairToolCall` (7): a found tool called by its own name still runs. */
  repairToolCall<Call extends { toolName: string; input: string }>(options: {
    toolCall: Call;
    tools?: Readonly<Record<string, unknown>> | undefined;
  }): Promise<Call | null>;
  /** For `toolApproval` (7): rules for catalogued tools, by their names, with their own arguments. */
  toolApproval(configured: ToolApproval): ToolApproval;
  /** For `wrapLanguageModel`: watches what the model is sent. */
  readonly watching: LanguageModelMiddleware;
  /** How much of each watched request was the beginning of the one before, and what differed first. */
  cacheReport(): CacheStep[];
  /** For `toolsContext` (7): contexts for catalogued tools, by their names. */
  toolsContext: typeof toolsContext;
}

/** The Vercel AI SDK, majors 5, 6 and 7. */
export const vercel: Adapter<ToolSet[string], ModelMessage, VercelHooks> = {
  name: "vercel",
  toTool: (id, tool) => toTool(id, tool as SdkTool),
  fromTools,
  toMessages,
  extend(_view, host, disclosing) {
    const recalls = new Recalls((query) => disclosing.recalled(query));
    const watch = new CacheWatch();
    const ours = new Set(host.modelTools().map(({ name }) => name));
    return {
      appendRecall: (messages) => recalls.append(messages),
      async prepareStep({ messages }) {
        const appended = await recalls.append(messages);
        const activeTools = await disclosing.listed(turnOf(messages));
        return {
          ...(appended.length === messages.length ? {} : { messages: appended }),
          ...(activeTools ? { activeTools } : {}),
        };
      },
      toolApproval: (configured) => forFramework(configured, invokeToolOf(host), disclosing.names()),
      toolsContext,
      watching: watchingWith(watch),
      cacheReport: () => watch.report(),
      repairToolCall: async ({ toolCall, tools }) => repair(toolCall, tools, ours),
    };
  },
};

function watchingWith(watch: CacheWatch): LanguageModelMiddleware {
  const middleware = {
    async transformParams<Params extends { tools?: unknown; prompt: readonly unknown[] }>({
      params,
    }: {
      params: Params;
    }): Promise<Params> {
      watch.note({ tools: params.tools ?? [], messages: params.prompt });
      return params;
    },
  };
  // The majors differ in the version that a middleware names, which none of them reads.
  return middleware as unknown as LanguageModelMiddleware;
}

export { type EmbedderOptions, embedderOf } from "./embedder.js";
export type {
  ApprovalStatus,
  GenericRule,
  SingleOptions,
  SingleRule,
  ToolApproval,
} from "./tool-approval.js";
