// The shapes of the AI SDK that this package reads, loosely enough for the majors 5, 6 and 7.
// Knows nothing of Honeyguide.

import type { ModelMessage, ToolSet } from "ai";

/** A tool of the AI SDK, as far as this package reads it; fields differ by major. */
export interface SdkTool {
  readonly type?: string;
  readonly description?: unknown;
  readonly title?: unknown;
  readonly metadata?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly contextSchema?: unknown;
  readonly isProviderExecuted?: unknown;
  readonly needsApproval?: boolean | ((input: unknown, options: CallbackOptions) => unknown);
  execute?(input: unknown, options: ExecutionOptions): unknown;
  toModelOutput?(given: unknown): unknown;
  onInputStart?(options: ExecutionOptions): unknown;
  onInputDelta?(options: ExecutionOptions & { inputTextDelta: string }): unknown;
  onInputAvailable?(options: ExecutionOptions & { input: unknown }): unknown;
}

/** What the AI SDK hands to `execute`; passed on as it is. */
export interface ExecutionOptions {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
  /** The user's context in 5 and 6. */
  readonly experimental_context?: unknown;
  /** The tool's context in 7. */
  readonly context?: unknown;
}

/** What the AI SDK hands to `needsApproval`. */
export type CallbackOptions = Omit<ExecutionOptions, "abortSignal">;

/** Tools under their names, or several such records. */
export type SdkTools = ToolSet | readonly ToolSet[];

/** The user's own context, where the major has it. */
export function contextOf(options: Partial<CallbackOptions>): unknown {
  return "experimental_context" in options ? options.experimental_context : options.context;
}

/** Whether the AI SDK would stream this value as preliminary results. */
export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Whether a function is known to stream before it is called. */
export function streams(execute: unknown): boolean {
  return Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
}

/** Whether a value has to be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
  );
}
