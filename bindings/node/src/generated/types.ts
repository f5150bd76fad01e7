// The types of the wire, in the shape of the engine's structs. Written by `make gen`; do not edit.

export type ErrorCode =
  | "invalid_request"
  | "unknown_operation"
  | "invalid_item"
  | "invalid_id"
  | "reserved_id"
  | "invalid_json"
  | "missing_executor"
  | "invisible_text"
  | "invalid_schema"
  | "duplicate_id"
  | "invalid_arguments"
  | "method_unavailable"
  | "invalid_snapshot"
  | "unknown_tool"
  | "unknown_skill"
  | "unknown_resource"
  | "not_bound"
  | "needs_approval"
  | "declined"
  | "definition_changed"
  | "needs_auth"
  | "timeout"
  | "aborted"
  | "tool_failed"
  | "internal";

export type Category = "invalid_input" | "not_found" | "state" | "internal";

export type Kind = "tool" | "skill" | "fact";

export type Method = "lexical" | "semantic" | "hybrid";

export type Include = "description" | "schema" | "item";

export type Format = "plain" | "openai" | "anthropic" | "gemini";

export type ServerStatus = "ready" | "pending" | "unavailable";

export type Severity = "error" | "warning";

export type Pin = "always" | "retrieved";

/** A tool as it goes over the wire. */
export interface ToolItem {
  id: string;
  name?: string | null;
  title?: string | null;
  description?: string | null;
  inputSchema?: unknown;
  outputSchema?: unknown;
  server?: string | null;
  tags?: string[] | null;
  annotations?: unknown;
  requiresApproval?: boolean | null;
  searchText?: string | null;
}

/** A skill as it goes over the wire. */
export interface SkillItem {
  id: string;
  name?: string | null;
  description?: string | null;
  tags?: string[] | null;
  tools?: string[] | null;
  body?: string | null;
  whenToUse?: string | null;
  paths?: string[] | null;
  metadata?: unknown;
  allowedTools?: string[] | null;
  context?: string | null;
  model?: string | null;
  effort?: string | null;
  arguments?: string[] | null;
  argumentHint?: string | null;
  disableModelInvocation?: boolean | null;
  userInvocable?: boolean | null;
}

/** A fact as it goes over the wire. */
export interface FactItem {
  id: string;
  body: string;
  description?: string | null;
  tags?: string[] | null;
  pin?: Pin | null;
}

export interface Selector {
  ids?: string[] | null;
  servers?: string[] | null;
  tags?: string[] | null;
  annotations?: { [name: string]: boolean } | null;
}

export interface Visible {
  allow?: Selector | null;
  deny?: Selector | null;
}

export interface Diagnostic {
  code: ErrorCode;
  severity: Severity;
  kind: Kind;
  index?: number;
  id?: string;
  path?: string;
  message: string;
}

export interface Options {
  tokenBudget?: number | null;
  pageChars?: number | null;
  maxResultChars?: number | null;
  repairArguments?: boolean | null;
}

export interface RegisterRequest {
  kind: Kind;
  items: unknown[];
}

export interface ReplaceAllRequest {
  kind: Kind;
  items: unknown[];
}

export interface RemoveRequest {
  kind: Kind;
  ids: string[];
}

export interface GetRequest {
  kind: Kind;
  id: string;
}

export interface ListRequest {
  kind: Kind;
  offset?: number | null;
  limit?: number | null;
}

export interface SizeRequest {
  kind: Kind;
}

export interface Filter {
  servers?: string[] | null;
  tags?: string[] | null;
  ids?: string[] | null;
  readOnly?: boolean | null;
}

export interface SearchRequest {
  kind: Kind;
  query: string;
  topK?: unknown;
  offset?: number | null;
  method?: Method | null;
  queryVector?: number[] | null;
  include?: Include[] | null;
  filter?: Filter | null;
  minScore?: number | null;
  session?: string | null;
  visible?: Visible | null;
}

export interface SetServerRequest {
  name: string;
  description?: string | null;
  instructions?: string | null;
  status?: ServerStatus | null;
}

export interface RemoveServerRequest {
  name: string;
}

export interface SetSessionRequest {
  session: string;
  visible?: Visible | null;
}

export interface EndSessionRequest {
  session: string;
}

export interface ModelToolsRequest {
  format?: Format | null;
  strict?: boolean | null;
}

export interface StepRequest {
  name: string;
  arguments?: unknown;
  session?: string | null;
  visible?: Visible | null;
  now: number;
}

export interface ResumeRequest {
  call: unknown;
  outcome: Outcome;
  now: number;
}

export interface InvokeRequest {
  toolId: string;
  args?: unknown;
  session?: string | null;
  visible?: Visible | null;
  now: number;
}

export interface ResolveRequest {
  arguments: unknown;
  session?: string | null;
  visible?: Visible | null;
}

export interface RecallRequest {
  query: string;
  topKTools?: unknown;
  topKSkills?: unknown;
  session?: string | null;
  visible?: Visible | null;
  now: number;
}

export interface ForModelRequest {
  result: unknown;
  maxResultChars?: number | null;
}

export type EmptyRequest = Record<string, never>;

export interface RegisterResponse {
  added: number;
  replaced: number;
  unchanged: number;
  removed: number;
  rejected: number[];
  diagnostics: Diagnostic[];
  revision: number;
}

export interface RemoveResponse {
  removed: string[];
  revision: number;
}

export interface GetResponse {
  item: unknown;
}

export interface ListResponse {
  items: unknown[];
  total: number;
}

export interface SizeResponse {
  size: number;
}

export interface SearchResponse {
  hits: SearchHit[];
  total: number;
}

export interface SearchHit {
  id: string;
  score: number;
  rank: number;
  description?: string;
  inputSchema?: unknown;
  item?: unknown;
}

export interface Server {
  name: string;
  description?: string;
  instructions?: string;
  status: ServerStatus;
}

export interface ListServersResponse {
  servers: Server[];
}

export interface RevisionResponse {
  revision: number;
}

export interface ModelToolsResponse {
  tools: unknown[];
  digest: string;
}

export interface ResolveResponse {
  toolId: string;
  arguments: unknown;
  requiresApproval: boolean;
  annotations?: unknown;
  digest: string;
}

export interface RecallResponse {
  result?: unknown;
}

export interface ForModelResponse {
  result: unknown;
  truncated: boolean;
}

export interface DiagnoseResponse {
  diagnostics: Diagnostic[];
}

/** What the host must do next; `kind` says which of the other fields are there. */
export interface Step {
  kind: string;
  reply?: unknown;
  isError?: boolean;
  hostValue?: boolean;
  call?: unknown;
  texts?: string[];
  role?: string;
  path?: string;
  prompt?: string;
  allowedTools?: string[];
  model?: string;
  effort?: string;
}

/** What came of a step; `kind` says which of the other fields are there. */
export interface Outcome {
  kind: string;
  name?: string;
  message?: string;
  elapsedMs?: number;
  approved?: boolean;
  reason?: string;
  vectors?: number[][];
  text?: string;
}
