// The seam to other frameworks: three codecs, and the view of an engine through them. Knows no framework.

import {
  checkDisclosure,
  type Disclosed,
  type DiscloseOptions,
  Disclosing,
  type Disclosure,
  type ListedTool,
} from "./disclosure.js";
import { HoneyguideError } from "./error.js";
import type { RegisterResponse, ResolveResponse } from "./generated/types.js";
import type { ModelTool, ModelToolsOptions } from "./honeyguide.js";
import type { RecallOptions } from "./questions.js";
import type { SearchResult } from "./replies.js";
import type { Approve, CallOptions, Scope } from "./run.js";
import type { Tool } from "./tool.js";

/** What an adapted tool becomes: a tool of ours, or a reason to hand it to the framework as it is. */
export type Converted = Tool | { readonly passthrough: string };

/** The codecs of one framework, and what it needs beside them. */
export interface Adapter<TheirTool, TheirMessage, Extra extends object = object> {
  /** The framework's name. */
  readonly name: string;
  /** Their tool into ours, for this host. What it throws is reported as what is wrong with this one tool. */
  toTool(id: string, tool: TheirTool, host: AdapterHost): Converted | Promise<Converted>;
  /**
   * Our tools into theirs, in the form for strict hosts or not; the host answers them. The three come first; behind them what
   * the view lists of the catalog, each with its `toolId`.
   */
  fromTools(
    tools: readonly (ModelTool | ListedTool)[],
    host: AdapterHost,
    form: { strict: boolean },
  ): Record<string, TheirTool>;
  /** What was recalled into their messages. */
  toMessages(recalled: SearchResult, query: string): TheirMessage[];
  /** What else the framework's users need, such as a hook to run before each step. */
  extend?(
    view: AdaptedView<TheirTool, TheirMessage, Extra>,
    host: AdapterHost,
    disclosing: Disclosing,
  ): Extra;
}

/** The engine as an adapter sees it: what is public, and the object that a tool came as. */
export interface AdapterHost {
  /** Answers a model's call, as `hg.call` does. */
  call(name: string, args?: unknown, options?: CallOptions): Promise<unknown>;
  resolve(target: unknown, options?: Scope): ResolveResponse;
  recall(query: string, options?: RecallOptions): Promise<SearchResult | null>;
  disclose(options?: DiscloseOptions & { format?: "plain" }): Disclosed;
  discloseAsync(options?: DiscloseOptions & { format?: "plain" }): Promise<Disclosed>;
  modelTools(options?: ModelToolsOptions & { format?: "plain" }): ModelTool[];
  forModel(result: unknown): unknown;
  readonly tools: {
    /** The very object that was registered under this id, or undefined. */
    itemOf(id: string): object | undefined;
  };
}

/** A framework's tools by name, or several such records. */
export type TheirTools<TheirTool> =
  | Readonly<Record<string, TheirTool>>
  | readonly Readonly<Record<string, TheirTool>>[];

/** A tool that the framework keeps running itself, and why. */
export interface PassedThrough {
  id: string;
  reason: string;
}

/** What became of a framework's tools. */
export interface AdaptedRegistration extends RegisterResponse {
  /** Tools that the framework keeps running itself, and why. */
  passthrough: PassedThrough[];
  /** Tools that were there already, from the application or another view, and stayed. */
  kept: string[];
}

/** An engine seen through an adapter. */
export interface AdaptedView<TheirTool, TheirMessage, Extra extends object = object> {
  readonly tools: {
    /** Takes over the framework's tools, by name. */
    register(tools: TheirTools<TheirTool>): Promise<AdaptedRegistration>;
  };
  /** The three tools in the framework's own type, and behind them those that it keeps and those that a request may list. */
  modelTools(options?: Pick<ModelToolsOptions, "strict">): Record<string, TheirTool>;
  /** The tools that the framework keeps, by whichever registration. */
  passthrough(): PassedThrough[];
  /** What was recalled, as messages; empty when nothing matches. */
  recall(query: string, options?: RecallOptions): Promise<TheirMessage[]>;
  /** The same view within a conversation, or with less to see; every call and every hook of it takes these options. */
  within(defaults: CallOptions): AdaptedView<TheirTool, TheirMessage, Extra> & Extra;
}

/** Registers on behalf of a view. */
export type RegisterFor = (
  owner: object,
  tools: readonly Tool[],
) => { response: RegisterResponse; kept: string[] };

/** An engine seen through an adapter. */
export function adapt<TheirTool, TheirMessage, Extra extends object>(
  host: AdapterHost,
  registerFor: RegisterFor,
  adapter: Adapter<TheirTool, TheirMessage, Extra>,
  disclosure: Disclosure = {},
): AdaptedView<TheirTool, TheirMessage, Extra> & Extra {
  checkDisclosure(host, disclosure);
  return viewOf(host, adapter, { registerFor, passedThrough: new Map(), disclosure });
}

/** What all views have in common that one `adapt` made, within whatever conversation. */
interface Common<TheirTool> {
  registerFor: RegisterFor;
  passedThrough: Map<string, { tool: TheirTool; reason: string }>;
  disclosure: Disclosure;
}

function viewOf<TheirTool, TheirMessage, Extra extends object>(
  host: AdapterHost,
  adapter: Adapter<TheirTool, TheirMessage, Extra>,
  common: Common<TheirTool>,
): AdaptedView<TheirTool, TheirMessage, Extra> & Extra {
  const { passedThrough } = common;
  const passthrough = () => Array.from(passedThrough, ([id, { reason }]) => ({ id, reason }));
  const disclosing = new Disclosing(host, common.disclosure, passthrough);
  const view: AdaptedView<TheirTool, TheirMessage, Extra> = {
    tools: { register: (tools) => register(host, adapter, common, tools) },
    modelTools(options) {
      const strict = options?.strict === true;
      const exposed = adapter.fromTools(disclosing.definitions({ strict }), host, { strict });
      // Behind the three, so that one that comes later moves nothing a prompt cache holds.
      const kept = Array.from(passedThrough, ([id, { tool }]) => [id, tool] as const);
      return Object.fromEntries([...Object.entries(exposed), ...kept]);
    },
    passthrough,
    async recall(query, options) {
      const recalled = await host.recall(query, options);
      return recalled === null ? [] : adapter.toMessages(recalled, query);
    },
    within: (defaults) => viewOf(withDefaults(host, defaults), adapter, common),
  };
  return Object.assign(view, adapter.extend?.(view, host, disclosing)) as typeof view & Extra;
}

async function register<TheirTool, TheirMessage, Extra extends object>(
  host: AdapterHost,
  adapter: Adapter<TheirTool, TheirMessage, Extra>,
  { registerFor, passedThrough }: Common<TheirTool>,
  tools: TheirTools<TheirTool>,
): Promise<AdaptedRegistration> {
  const reserved = new Set(host.modelTools().map(({ name }) => name));
  const theirs = entriesOf(tools);
  const converted = await Promise.all(theirs.map(({ id, read }) => convert(adapter, host, id, read)));
  const passthrough: PassedThrough[] = [];
  const ours: Tool[] = [];
  converted.forEach((result, place) => {
    const { id, read } = theirs[place] as (typeof theirs)[number];
    passedThrough.delete(id);
    if (!("passthrough" in result)) {
      ours.push(result);
    } else if (reserved.has(id)) {
      // Handed to the framework it would stand in for one of the three; the engine says why it may not.
      ours.push({ id, execute: () => undefined });
    } else {
      passedThrough.set(id, { tool: read(), reason: result.passthrough });
      passthrough.push({ id, reason: result.passthrough });
    }
  });
  const { response, kept } = registerFor(passedThrough, ours);
  return { ...response, passthrough, kept };
}

/** The host with these options under those of each call. */
function withDefaults(host: AdapterHost, defaults: CallOptions): AdapterHost {
  const { session, visible } = defaults;
  return {
    call: (name, args, options = {}) =>
      host.call(name, args, { ...defaults, ...options, approve: inTurn(options.approve, defaults.approve) }),
    resolve: (target, options) => host.resolve(target, { session, visible, ...options }),
    recall: (query, options) => host.recall(query, { session, visible, ...options }),
    disclose: (options) => host.disclose({ session, visible, ...options }),
    discloseAsync: (options) => host.discloseAsync({ session, visible, ...options }),
    modelTools: (options) => host.modelTools(options),
    forModel: (result) => host.forModel(result),
    tools: host.tools,
  };
}

/** Both approvers as one: the second is asked where the first has no opinion. */
function inTurn(first: Approve | undefined, second: Approve | undefined): Approve | undefined {
  if (!first || !second) return first ?? second;
  return (call) => {
    const answer = first(call);
    if (answer instanceof Promise)
      return answer.then((given) => (given === undefined ? second(call) : given));
    return answer === undefined ? second(call) : answer;
  };
}

/** The tools of one record or several, each read when it is its turn: one that cannot be read must not stop the others. */
function entriesOf<TheirTool>(tools: TheirTools<TheirTool>): { id: string; read: () => TheirTool }[] {
  const records = Array.isArray(tools) ? (tools as Readonly<Record<string, TheirTool>>[]) : [tools];
  records.forEach(checkTools);
  return records.flatMap((record) =>
    Object.keys(record).map((id) => ({
      id,
      read: () => (record as Record<string, TheirTool>)[id] as TheirTool,
    })),
  );
}

/** A promise and a function have no keys: they would be no tools, without a word. */
function checkTools(record: unknown): void {
  const isPromise = typeof (record as { then?: unknown } | null | undefined)?.then === "function";
  if (typeof record === "object" && record !== null && !isPromise) return;
  const what = isPromise
    ? "the tools are a promise: await it first"
    : "these are no tools; pass an object of them by name";
  throw new HoneyguideError({ code: "invalid_request", category: "invalid_input", message: what });
}

async function convert<TheirTool, TheirMessage, Extra extends object>(
  adapter: Adapter<TheirTool, TheirMessage, Extra>,
  host: AdapterHost,
  id: string,
  read: () => TheirTool,
): Promise<Converted> {
  try {
    return await adapter.toTool(id, read(), host);
  } catch (thrown) {
    return unreadable(id, thrown);
  }
}

/** Stands in for a tool that its codec could not read, so that the engine reports it and the others stand. */
function unreadable(id: string, thrown: unknown): Tool {
  return {
    id,
    get description(): never {
      throw thrown;
    },
    execute: () => undefined,
  };
}
