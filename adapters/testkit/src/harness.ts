// What an adapter's own tests say of their framework: how to make a tool of it, and how to run its agent on a scripted model.
// Knows no framework and no test runner.

import type { AdaptedView, Adapter } from "honeyguide";

/** One framework (one version, one of its loops) under test. */
export interface Harness<TheirTool, TheirMessage = unknown, Extra extends object = object> {
  readonly adapter: Adapter<TheirTool, TheirMessage, Extra>;
  readonly abilities: Abilities;
  /** A tool of the framework's own kind that does what is asked. */
  tool(wanted: WantedTool): TheirTool;
  /** Runs the framework's agent on a model that follows the script. */
  run(request: RunRequest<TheirTool, TheirMessage, Extra>): Promise<Outcome>;
  /** Tools with features that only this framework has: each is called directly, through `invoke_tool` and listed by its view, and compared. */
  readonly features?: Readonly<Record<string, Feature<TheirTool>>>;
  /** Checks, by their full names, that this framework is known not to pass, and why; one that passes after all is a failure. */
  readonly differences?: Readonly<Record<string, string>>;
}

/** What the framework can do; the checks of what it cannot are others. */
export interface Abilities {
  /** It asks a person before a tool runs, and goes on with the answer. */
  readonly approval: boolean;
  /** It streams results before the last one. */
  readonly streaming: boolean;
  /** The adapter offers a hook for a call of a tool that the model was not given. */
  readonly directCalls: boolean;
  /** The adapter lists tools of the catalog themselves, and offers a hook for what each step lists. */
  readonly listing: boolean;
  /** A call whose input is not JSON reaches the adapter, by whatever hook. */
  readonly brokenJson: boolean;
}

/** What a tool of the framework is to be. */
export interface WantedTool {
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Without it, the tool is one that the application answers itself. */
  execute?(args: Arguments, call: ToolCall): unknown;
  /** Whether a person is asked, always or by the arguments. */
  readonly approval?: boolean | ((args: Arguments) => boolean | Promise<boolean>);
  /** The text that the model reads in place of the result. */
  show?(output: unknown): string;
}

// biome-ignore lint/suspicious/noExplicitAny: arguments are what each check's own schema says.
export type Arguments = any;

/** What the framework told a tool beside its arguments. */
export interface ToolCall {
  readonly id: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** What the application gave to the run. */
  readonly context: unknown;
}

/** A tool that notes what happens to it. */
export type Feature<TheirTool> = (note: (...what: unknown[]) => void) => TheirTool;

/** A call that the model makes: its id, the tool, and the input, as it stands when it is text. */
export type ModelCall = readonly [id: string, tool: string, input: unknown];

/** What the model says in one step: text, or calls. After its last turn it says "done". */
export type Turn = string | readonly ModelCall[];

/** The adapter's view, with what the adapter adds. */
export type View<TheirTool, TheirMessage, Extra extends object> = AdaptedView<
  TheirTool,
  TheirMessage,
  Extra
> &
  Extra;

/** What is run. */
export interface RunRequest<TheirTool, TheirMessage, Extra extends object> {
  readonly tools: Readonly<Record<string, TheirTool>>;
  /** Whose tools they are; its hook for calls by a tool's own name is used. Without it the tools are the framework's own. */
  readonly view?: View<TheirTool, TheirMessage, Extra>;
  /** Whether the view's hook for recalls is used too. */
  readonly recall?: boolean;
  /** Whether the view's hook for what each step lists is used too. */
  readonly disclose?: boolean;
  readonly turns: readonly Turn[];
  /** What the user says, turn by turn: each starts a run of the same conversation, on the same script. */
  readonly says?: readonly string[];
  readonly context?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  /** Answers a question about a call; without an answer the run stays where it is. */
  decide?(asked: Asked): boolean | undefined;
  /** Happens between questions and answers; with other tools the run goes on as in another process, from what was stored. */
  meanwhile?(): Promise<Readonly<Record<string, TheirTool>> | undefined>;
}

/** A question about a call, as the framework puts it. */
export interface Asked {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
}

/** What came of a run. */
export interface Outcome {
  /** What the model was sent, request by request. */
  readonly requests: readonly ModelRequest[];
  readonly asked: readonly Asked[];
  /** Results that came before the last one of their call, in order. */
  readonly partial: readonly unknown[];
  /** What the application was handed of each call: a value or what was thrown, in the framework's own shape. */
  readonly handed: readonly unknown[];
  /** What the model said last. */
  readonly text: string;
}

/** What the model was sent once. */
export interface ModelRequest {
  /** The definitions as the framework hands them to a provider. */
  readonly tools: readonly { readonly name: string }[];
  readonly prompt: readonly Entry[];
}

/** One thing in a prompt, in the order in which the model reads it. */
export type Entry = TextEntry | CallEntry | ResultEntry;

/** What somebody says. */
export interface TextEntry {
  readonly kind: "text";
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

/** A call, made by the model or put into its mouth. */
export interface CallEntry {
  readonly kind: "call";
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** The result of a call. */
export interface ResultEntry {
  readonly kind: "result";
  readonly id: string;
  /** What the model reads, parsed when it is JSON. */
  readonly value: unknown;
  /** The same in the framework's own shape. */
  readonly shown: unknown;
}
