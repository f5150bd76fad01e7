// How much of the catalog stands in a framework's own list of tools, for one view. Decides nothing: the engine says what is
// listed. Knows no framework.

import type { AdapterHost } from "./adapter.js";
import type { EmbeddingVector } from "./embedder.js";
import type { DiscloseRequest, DiscloseResponse } from "./generated/types.js";
import type { ModelTool, ModelToolsOptions } from "./honeyguide.js";
import type { SearchResult } from "./replies.js";
import type { Scope } from "./run.js";

/** What one request to the model is to list. */
export type DiscloseOptions = Omit<DiscloseRequest, keyof Scope | "degraded" | "queryVector"> &
  Scope & {
    /** The query's embedding, where the engine ranks by meaning. */
    queryVector?: EmbeddingVector;
  };

/** What one request lists, in the plain format. */
export interface Disclosed extends Omit<DiscloseResponse, "tools" | "recall"> {
  tools: ModelTool[];
  recall: SearchResult | null;
}

/** How a view discloses the catalog; the default is `funnel`. */
export interface Disclosure extends Pick<DiscloseRequest, "mode" | "topK" | "contextTokens" | "share"> {
  /** Names of tools that the application lists beside the view's own: they stay listed in every mode. */
  alongside?: readonly string[];
}

/** A tool of the catalog that is listed, with the id it has there. */
export type ListedTool = ModelTool & { readonly toolId: string };

/** What each request of a view lists and recalls. */
export class Disclosing {
  /** Whether the request before listed everything; only `auto` asks. */
  #everything: boolean | undefined;

  constructor(
    private readonly host: Pick<AdapterHost, "disclose" | "discloseAsync" | "modelTools" | "recall">,
    private readonly disclosure: Disclosure,
    private readonly passthrough: () => readonly { id: string }[],
  ) {}

  /** The definitions that a framework must know: of the three, and behind them of whatever a request may list. */
  definitions(options: Pick<ModelToolsOptions, "strict"> = {}): (ModelTool | ListedTool)[] {
    switch (this.disclosure.mode ?? "funnel") {
      case "funnel":
        return this.host.modelTools(options);
      case "auto":
        return withIds(this.#auto(options));
      default:
        // Which are the best few is known only when there is a turn.
        return withIds(this.host.disclose({ mode: "suggest", ...options }));
    }
  }

  /** The tools that may be listed, by the names they are listed under, with their ids. */
  names(): ReadonlyMap<string, string> {
    if ((this.disclosure.mode ?? "funnel") === "funnel") return new Map();
    return new Map(this.host.disclose({ mode: "suggest" }).exposed.map(({ name, toolId }) => [name, toolId]));
  }

  /** The names that one request lists, when its turn is about this; nothing where it lists all that there are. */
  async listed(query: string): Promise<string[] | undefined> {
    const { mode, topK } = this.disclosure;
    if (mode === "replace") return this.#named(await this.host.discloseAsync({ mode, topK, query }));
    if (mode !== "auto") return undefined;
    const disclosed = this.#auto({});
    return disclosed.everything ? undefined : this.#named(disclosed);
  }

  /** What is put before the model in a turn about this; null when nothing is. */
  async recalled(query: string): Promise<SearchResult | null> {
    const { mode, topK } = this.disclosure;
    if (mode === "replace") return null;
    if (mode === "suggest") return (await this.host.discloseAsync({ mode, topK, query })).recall;
    // What is listed needs no search.
    return mode === "auto" && (this.#everything ?? this.#auto({}).everything)
      ? null
      : this.host.recall(query);
  }

  #auto(options: Pick<ModelToolsOptions, "strict">): Disclosed {
    const { contextTokens, share } = this.disclosure;
    const everythingBefore = this.#everything;
    const disclosed = this.host.disclose({
      mode: "auto",
      contextTokens,
      share,
      everythingBefore,
      ...options,
    });
    this.#everything = disclosed.everything;
    return disclosed;
  }

  #named({ tools }: Disclosed): string[] {
    const { alongside = [] } = this.disclosure;
    return [...tools.map(({ name }) => name), ...this.passthrough().map(({ id }) => id), ...alongside];
  }
}

/** Has the engine say at once what is wrong with a disclosure, which would else be taken for another mode. */
export function checkDisclosure(host: Pick<AdapterHost, "disclose">, disclosure: Disclosure): void {
  const { alongside: _, ...wanted } = disclosure;
  if (Object.keys(wanted).length > 0) host.disclose(wanted);
}

/** Each listed tool with its id; the three, which stand first, have none. */
function withIds({ tools, exposed }: Disclosed): (ModelTool | ListedTool)[] {
  const three = tools.length - exposed.length;
  return tools.map((tool, place) => {
    const toolId = exposed[place - three]?.toolId;
    return toolId === undefined ? tool : { ...tool, toolId };
  });
}
