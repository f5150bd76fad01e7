// What the package exports, name by name.

export type {
  AdaptedRegistration,
  AdaptedView,
  Adapter,
  AdapterHost,
  Converted,
  PassedThrough,
  TheirTools,
} from "./adapter.js";
export { type CacheStep, CacheWatch, type WatchedRequest } from "./cache-watch.js";
export { capabilityNames, toInvocation } from "./capabilities.js";
export type {
  Catalog,
  CatalogSearch,
  SearchNeedsOptions,
  SearchOptions,
  SessionTools,
  ToolCatalog,
  ToolsOf,
} from "./catalogs.js";
export type { Disclosed, DiscloseOptions, Disclosing, Disclosure, ListedTool } from "./disclosure.js";
export type { Embedder, EmbeddingVector } from "./embedder.js";
export { type ErrorRecord, HoneyguideError, type HoneyguideErrorCode, isHoneyguideError } from "./error.js";
export type {
  Category,
  Coverage,
  Degraded,
  Diagnostic,
  DisclosureMode,
  EmbedRole,
  ErrorCode,
  Explanation,
  ExplanationMeaning,
  ExplanationPart,
  ExposedTool,
  FactItem,
  Field,
  Filter,
  FolderInclude,
  Format,
  Include,
  Kind,
  Method,
  Need,
  NeedHit,
  RefusedVector,
  RegisterResponse,
  ResolveResponse,
  SearchHit,
  SearchNeedsResponse,
  Selector,
  Server,
  ServerStatus,
  Severity,
  SkillItem,
  SkillListingResponse,
  SkillScope,
  SkillSource,
  SkippedPlace,
  SkipReason,
  Status,
  ToolItem,
  TouchResponse,
  ValidateSkillsResponse,
  Visible,
  Warning,
  Way,
} from "./generated/types.js";
export {
  Honeyguide,
  type HoneyguideOptions,
  honeyguide,
  type ModelTool,
  type ModelToolsOptions,
  type Servers,
} from "./honeyguide.js";
export { toJsonText } from "./json.js";
export type { MeaningOptions, Progress, WarmedUp, WarmUpOptions } from "./meaning.js";
export type { RecallOptions } from "./questions.js";
export {
  type ErrorReply,
  isErrorReply,
  type SearchResult,
  type SkillContent,
  type SkillResult,
  type ToolGroup,
  type ToolHit,
} from "./replies.js";
export type { Rerank } from "./rerank.js";
export type {
  Approval,
  ApprovalRequest,
  Approve,
  CallOptions,
  Fork,
  ForkRequest,
  Scope,
} from "./run.js";
export type { ArgumentsOf, PlainArguments, StandardIssue, StandardResult, StandardSchema } from "./schema.js";
export type { Session } from "./session.js";
export type { FolderPath, LoadFolderOptions, SkillReport } from "./skill-folders.js";
export type { SkillCatalog, SkillListingOptions } from "./skills.js";
export type { CallContext, Definition, Execute, Tool } from "./tool.js";
