// The shapes of Mastra that this package reads, loosely enough for every 1.x that it supports.
// Knows nothing of Honeyguide.

/** What Mastra marks its tools with; `instanceof` fails where the package is loaded twice. */
export const toolMarker: unique symbol = Symbol.for("mastra.core.tool.Tool") as never;

/** A tool that Mastra takes, as far as this package reads it: one of `createTool`, or one of the AI SDK. */
export interface MastraTool {
  readonly [toolMarker]?: boolean;
  readonly id?: unknown;
  readonly type?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  /** Where tools of the AI SDK 4 have their schema. */
  readonly parameters?: unknown;
  readonly outputSchema?: unknown;
  readonly suspendSchema?: unknown;
  readonly resumeSchema?: unknown;
  readonly requireApproval?: boolean | Rule;
  /** The rule that an MCP client of Mastra put on the tool. */
  readonly needsApprovalFn?: Rule;
  /** The rule of a tool of the AI SDK. */
  readonly needsApproval?: boolean | Rule;
  readonly background?: { readonly enabled?: boolean };
  readonly transform?: unknown;
  readonly mcp?: { readonly annotations?: Readonly<Record<string, unknown>> };
  readonly mcpMetadata?: { readonly serverName?: unknown };
  execute?(input: unknown, context: unknown): unknown;
  toModelOutput?(output: unknown): unknown;
  onInputStart?(options: InputOptions): unknown;
  onInputAvailable?(options: InputOptions & { input: unknown }): unknown;
  onOutput?(options: OutputOptions): unknown;
}

/** Says of one call whether a person is asked. */
export type Rule = (input: unknown, context?: RuleContext) => unknown;

/** What Mastra tells a rule beside the input. */
export interface RuleContext {
  readonly requestContext?: Readonly<Record<string, unknown>>;
  readonly workspace?: unknown;
}

/** The setting of a run that asks about every call, or by a rule of the application's. */
export type RequireToolApproval =
  | boolean
  | ((call: RuleContext & { toolName: string; args: Record<string, unknown> }) => unknown);

/** Mastra's request context, which is a map that knows its own JSON. */
export interface RequestContextLike {
  get(key: string): unknown;
  entries(): Iterable<readonly [string, unknown]>;
}

/** What `execute` is told: passed on as it is. */
export interface ExecutionContext {
  readonly runId?: string;
  readonly requestContext?: RequestContextLike;
  readonly abortSignal?: AbortSignal;
  readonly workspace?: unknown;
  readonly suspend?: Suspend;
  readonly agent?: AgentContext;
  readonly workflow?: { readonly suspend?: Suspend };
}

/** The part of the context that only an agent's run has. */
export interface AgentContext {
  readonly toolCallId?: string;
  readonly messages?: readonly unknown[];
  readonly suspend?: Suspend;
  readonly resumeData?: unknown;
  readonly suspendPayload?: unknown;
  readonly outputWriter?: unknown;
  readonly flushMessages?: unknown;
}

export type Suspend = (payload: unknown, options?: Readonly<Record<string, unknown>>) => unknown;

/** What the hooks on a tool's input are told. */
export interface InputOptions {
  readonly toolCallId: string;
  readonly messages?: readonly unknown[];
  readonly abortSignal?: AbortSignal;
}

/** What the hook on a tool's output is told. */
export interface OutputOptions {
  readonly toolCallId: string | undefined;
  readonly toolName: string;
  readonly output: unknown;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Whether a value is an object, and no function. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
