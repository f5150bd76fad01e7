// The seam to other frameworks: three codecs, and the view of an engine through them. Knows no framework.

import type { RegisterResponse, ResolveResponse } from "./generated/types.js";
import type { ModelTool, ModelToolsOptions } from "./honeyguide.js";
import type { RecallOptions } from "./questions.js";
import type { SearchResult } from "./replies.js";
import type { CallOptions, Scope } from "./run.js";
import type { Tool } from "./tool.js";

/** What an adapted tool becomes: a tool of ours, or a reason to hand it to the framework as it is. */
export type Converted = Tool | { readonly passthrough: string };

/** The codecs of one framework, and what it needs beside them. */
export interface Adapter<TheirTool, TheirMessage, Extra extends object = object> {
  /** The framework's name. */
  readonly name: string;
  /** Their tool into ours. What it throws is reported as what is wrong with this one tool. */
  toTool(id: string, tool: TheirTool): Converted | Promise<Converted>;
  /** Our three tools into theirs; the host answers them. */
  fromTools(tools: readonly ModelTool[], host: AdapterHost): Record<string, TheirTool>;
  /** What was recalled into their messages. */
  toMessages(recalled: SearchResult, query: string): TheirMessage[];
  /** What else the framework's users need, such as a hook to run before each step. */
  extend?(view: AdaptedView<TheirTool, TheirMessage>, host: AdapterHost): Extra;
}

/** The engine as an adapter sees it: what is public, and the object that a tool came as. */
export interface AdapterHost {
  /** Answers a model's call, as `hg.call` does. */
  call(name: string, args?: unknown, options?: CallOptions): Promise<unknown>;
  resolve(target: unknown, options?: Scope): ResolveResponse;
  recall(query: string, options?: RecallOptions): Promise<SearchResult | null>;
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

/** What became of a framework's tools. */
export interface AdaptedRegistration extends RegisterResponse {
  /** Tools that the framework keeps running itself, and why. */
  passthrough: { id: string; reason: string }[];
  /** Tools that were there already, from the application or another view, and stayed. */
  kept: string[];
}

/** An engine seen through an adapter. */
export interface AdaptedView<TheirTool, TheirMessage> {
  readonly tools: {
    /** Takes over the framework's tools, by name. */
    register(tools: TheirTools<TheirTool>): Promise<AdaptedRegistration>;
  };
  /** The three tools, and those that the framework keeps, in its own type. `defaults` hold for every call. */
  modelTools(defaults?: CallOptions & Pick<ModelToolsOptions, "strict">): Record<string, TheirTool>;
  /** What was recalled, as messages; empty when nothing matches. */
  recall(query: string, options?: RecallOptions): Promise<TheirMessage[]>;
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
): AdaptedView<TheirTool, TheirMessage> & Extra {
  const passedThrough = new Map<string, TheirTool>();
  const view: AdaptedView<TheirTool, TheirMessage> = {
    tools: {
      async register(tools) {
        const theirs = entriesOf(tools);
        const converted = await Promise.all(theirs.map(({ id, read }) => convert(adapter, id, read)));
        const passthrough: { id: string; reason: string }[] = [];
        const ours: Tool[] = [];
        converted.forEach((result, place) => {
          const { id, read } = theirs[place] as (typeof theirs)[number];
          passedThrough.delete(id);
          if ("passthrough" in result) {
            passedThrough.set(id, read());
            passthrough.push({ id, reason: result.passthrough });
          } else {
            ours.push(result);
          }
        });
        const { response, kept } = registerFor(view, ours);
        return { ...response, passthrough, kept };
      },
    },
    modelTools({ strict, ...defaults } = {}) {
      const exposed = adapter.fromTools(host.modelTools({ strict }), withDefaults(host, defaults));
      return Object.fromEntries([...passedThrough, ...Object.entries(exposed)]);
    },
    async recall(query, options) {
      const recalled = await host.recall(query, options);
      return recalled === null ? [] : adapter.toMessages(recalled, query);
    },
  };
  return Object.assign(view, adapter.extend?.(view, host)) as AdaptedView<TheirTool, TheirMessage> & Extra;
}

/** Without defaults it is the same host each time, so that an adapter can remember what belongs to it. */
function withDefaults(host: AdapterHost, defaults: CallOptions): AdapterHost {
  if (Object.keys(defaults).length === 0) return host;
  const { session, visible } = defaults;
  return {
    call: (name, args, options) => host.call(name, args, { ...defaults, ...options }),
    resolve: (target, options) => host.resolve(target, { session, visible, ...options }),
    recall: (query, options) => host.recall(query, { session, visible, ...options }),
    modelTools: (options) => host.modelTools(options),
    forModel: (result) => host.forModel(result),
    tools: host.tools,
  };
}

/** The tools of one record or several, each read when it is its turn: one that cannot be read must not stop the others. */
function entriesOf<TheirTool>(tools: TheirTools<TheirTool>): { id: string; read: () => TheirTool }[] {
  const records = Array.isArray(tools) ? (tools as Readonly<Record<string, TheirTool>>[]) : [tools];
  return records.flatMap((record) =>
    Object.keys(record).map((id) => ({
      id,
      read: () => (record as Record<string, TheirTool>)[id] as TheirTool,
    })),
  );
}

async function convert<TheirTool, TheirMessage, Extra extends object>(
  adapter: Adapter<TheirTool, TheirMessage, Extra>,
  id: string,
  read: () => TheirTool,
): Promise<Converted> {
  try {
    return await adapter.toTool(id, read());
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
