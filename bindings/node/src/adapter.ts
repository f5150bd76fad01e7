// The seam to other frameworks: three codecs, and the view of an engine through them. Knows no framework.

import type { RegisterResponse } from "./generated/types.js";
import type { ModelTool, ModelToolsOptions } from "./honeyguide.js";
import type { RecallOptions } from "./questions.js";
import type { SearchResult } from "./replies.js";
import type { CallOptions } from "./run.js";
import type { Tool } from "./tool.js";

/** What an adapted tool becomes: a tool of ours, or a reason to hand it to the framework as it is. */
export type Converted = Tool | { readonly passthrough: string };

/** The codecs of one framework, and what it needs beside them. */
export interface Adapter<TheirTool, TheirMessage, Extra extends object = object> {
  /** The framework's name. */
  readonly name: string;
  /** Their tool into ours. */
  toTool(name: string, tool: TheirTool): Converted;
  /** Our three tools into theirs; `call` answers them. */
  fromTools(tools: readonly ModelTool[], call: ModelCall): Record<string, TheirTool>;
  /** What was recalled into their messages. */
  toMessages(recalled: SearchResult): TheirMessage[];
  /** What else the framework's users need, such as a hook to run before each step. */
  extend?(view: AdaptedView<TheirTool, TheirMessage>): Extra;
}

/** Answers a model's call of one of the three tools. */
export type ModelCall = (name: string, args: unknown, options?: CallOptions) => Promise<unknown>;

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
    register(tools: Readonly<Record<string, TheirTool>>): AdaptedRegistration;
  };
  /** The three tools, and those that the framework keeps, in its own type. `defaults` hold for every call. */
  modelTools(defaults?: CallOptions & Pick<ModelToolsOptions, "strict">): Record<string, TheirTool>;
  /** What was recalled, as messages; empty when nothing matches. */
  recall(query: string, options?: RecallOptions): Promise<TheirMessage[]>;
}

/** What a view needs of the engine. */
export interface AdapterHost {
  readonly tools: {
    registerFor(owner: object, tools: readonly Tool[]): { response: RegisterResponse; kept: string[] };
  };
  call: ModelCall;
  modelTools(options?: ModelToolsOptions): ModelTool[];
  recall(query: string, options?: RecallOptions): Promise<SearchResult | null>;
}

/** An engine seen through an adapter. */
export function adapt<TheirTool, TheirMessage, Extra extends object>(
  host: AdapterHost,
  adapter: Adapter<TheirTool, TheirMessage, Extra>,
): AdaptedView<TheirTool, TheirMessage> & Extra {
  const passedThrough = new Map<string, TheirTool>();
  const view: AdaptedView<TheirTool, TheirMessage> = {
    tools: {
      register(tools) {
        const ours: Tool[] = [];
        const passthrough: { id: string; reason: string }[] = [];
        for (const id of Object.keys(tools)) {
          passedThrough.delete(id);
          try {
            const theirs = tools[id] as TheirTool;
            const converted = adapter.toTool(id, theirs);
            if ("passthrough" in converted) {
              passedThrough.set(id, theirs);
              passthrough.push({ id, reason: converted.passthrough });
            } else {
              ours.push(converted);
            }
          } catch (thrown) {
            ours.push(unreadable(id, thrown));
          }
        }
        const { response, kept } = host.tools.registerFor(passedThrough, ours);
        return { ...response, passthrough, kept };
      },
    },
    modelTools({ strict, ...defaults } = {}) {
      const call: ModelCall = (name, args, options) => host.call(name, args, { ...defaults, ...options });
      const exposed = adapter.fromTools(host.modelTools({ strict }), call);
      return Object.fromEntries([...passedThrough, ...Object.entries(exposed)]);
    },
    async recall(query, options) {
      const recalled = await host.recall(query, options);
      return recalled === null ? [] : adapter.toMessages(recalled);
    },
  };
  return Object.assign(view, adapter.extend?.(view)) as AdaptedView<TheirTool, TheirMessage> & Extra;
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
