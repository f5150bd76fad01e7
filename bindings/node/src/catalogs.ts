// The three catalogs as an application sees them. Knows nothing of steps, and holds no item: the engine does.

import type { EmbeddingVector } from "./embedder.js";
import { HoneyguideError } from "./error.js";
import type {
  Kind,
  Page,
  RegisterResponse,
  SearchHit,
  SearchNeedsRequest,
  SearchNeedsResponse,
  SearchRequest,
  SearchResponse,
  ToolItem,
} from "./generated/types.js";
import { type ReadItem, readItem } from "./item.js";
import { wellFormed } from "./json.js";
import type { MeaningOptions, Means } from "./meaning.js";
import { type Rerank, reranked, topOf } from "./rerank.js";
import { type CallOptions, type Host, invoke, type Scope } from "./run.js";
import type { Definition, Execute, Tool } from "./tool.js";
import type { Transport } from "./transport.js";

/** How a catalog is searched. */
export type SearchOptions = Omit<
  Partial<SearchRequest>,
  "kind" | "query" | "topK" | "degraded" | "queryVector" | "rerankTop"
> & {
  topK?: number;
  /** The query's embedding, for semantic and hybrid search. */
  queryVector?: EmbeddingVector;
};

/** How a catalog is searched for several needs. */
export type SearchNeedsOptions = Omit<
  Partial<SearchNeedsRequest>,
  "kind" | "queries" | "topK" | "degraded" | "queryVectors"
> & {
  topK?: number;
  /** The queries' embeddings, for semantic and hybrid search. */
  queryVectors?: readonly EmbeddingVector[];
};

/** What a search needs of the host. */
export type Seeking = Pick<Host, "transport" | "meaning" | "rerank">;

/** Searching one catalog. */
export class CatalogSearch {
  protected readonly transport: Transport;

  constructor(
    private readonly seeking: Seeking,
    protected readonly kind: Kind,
    private readonly scope: Scope = {},
  ) {
    this.transport = seeking.transport;
  }

  /** The best hits, best first; at once, from words or from a `queryVector`. */
  search(query: string, options: SearchOptions = {}): SearchHit[] {
    return this.transport.search(this.#request(query, options)).hits;
  }

  /**
   * The same off the event loop; a method that compares meanings has the embedder make the query's vector, and `rerank` orders
   * the best hits anew (default: the engine's, when it has one; null is none).
   */
  async searchAsync(
    query: string,
    options: SearchOptions & MeaningOptions & { rerank?: Rerank | null | undefined } = {},
  ): Promise<SearchHit[]> {
    const { signal, rerank = this.seeking.rerank, ...asked } = options;
    const request = this.#request(query, asked);
    const { queryVectors, ...means } = await this.#means([request.query], asked, asked.queryVector, signal);
    const vector = queryVectors && { queryVector: queryVectors[0] };
    const sent = { ...request, ...means, ...vector };
    if (rerank) return this.#rerankedPage(rerank, sent, signal);
    return (await this.transport.sendAsync<SearchResponse>("search", sent)).hits;
  }

  /** The page that is asked for, cut after the best were ordered anew. */
  async #rerankedPage(
    rerank: Rerank,
    request: SearchRequest,
    signal: AbortSignal | undefined,
  ): Promise<SearchHit[]> {
    const include = [...new Set([...(request.include ?? []), "description" as const])];
    const wanted = { ...request, rerankTop: topOf(rerank), include };
    const { hits, page } = await this.transport.sendAsync<SearchResponse>("search", wanted);
    const ordered = await reranked(rerank, request.query, hits, page as Page, signal);
    return ordered.map((hit) => asWanted(hit, request));
  }

  /** One page for several needs, which take turns on it, and of each whether its best hit answers it. */
  searchNeeds(queries: string | readonly string[], options: SearchNeedsOptions = {}): SearchNeedsResponse {
    return this.transport.searchNeeds(this.#needs(queries, options));
  }

  /** The same off the event loop, for methods that compare meanings; says how much was compared, and why when it was not. */
  async searchNeedsAsync(
    queries: string | readonly string[],
    options: SearchNeedsOptions & MeaningOptions = {},
  ): Promise<SearchNeedsResponse> {
    const { signal, ...asked } = options;
    const request = this.#needs(queries, asked);
    const texts = Array.isArray(request.queries) ? request.queries : [];
    const means = await this.#means(texts, asked, asked.queryVectors, signal);
    return this.transport.sendAsync<SearchNeedsResponse>("searchNeeds", { ...request, ...means });
  }

  #request(query: string, { queryVector, ...options }: SearchOptions): SearchRequest {
    const vector = queryVector && { queryVector: Array.from(queryVector) };
    return { ...options, ...vector, ...this.scope, kind: this.kind, query: wellFormed(query) };
  }

  #needs(
    queries: string | readonly string[],
    { queryVectors, ...options }: SearchNeedsOptions,
  ): SearchNeedsRequest {
    // A lone text is one need, and what is no list is for the engine to refuse.
    const listed = typeof queries === "string" ? [queries] : queries;
    const wanted = (Array.isArray(listed) ? listed.map(wellFormed) : listed) as string[];
    const vectors = queryVectors && { queryVectors: queryVectors.map((vector) => Array.from(vector)) };
    return { ...options, ...vectors, ...this.scope, kind: this.kind, queries: wanted };
  }

  /** What the request does not say of meaning itself. */
  async #means(
    queries: readonly string[],
    { method, strict }: Pick<SearchOptions, "method" | "strict">,
    given: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Means> {
    if (given !== undefined && given !== null) return {};
    return {
      ...(strict ? { strict } : {}),
      ...(await this.seeking.meaning.of(queries, method, this.kind, { signal })),
    };
  }
}

/** A hit without what only the ordering needed. */
function asWanted(hit: SearchHit, { include }: SearchRequest): SearchHit {
  if (include?.includes("description")) return hit;
  const { description: _, ...others } = hit;
  return others;
}

/** One catalog. */
export class Catalog<Item extends { id: string }> extends CatalogSearch {
  /** Adds one item or many, replacing in place by id. Throws when the one item is refused; of many, says which. */
  register(items: Definition<Item> | readonly Definition<Item>[]): RegisterResponse {
    const many = Array.isArray(items);
    const response = this.send("register", this.read(many ? items : [items]));
    if (!many) throwRefusal(response);
    return response;
  }

  /** Makes these items the whole catalog. */
  replaceAll(items: readonly Definition<Item>[]): RegisterResponse {
    // One item without a list is a list of one: read as an empty list it would empty the catalog.
    return this.send("replaceAll", this.read(Array.isArray(items) ? items : [items]));
  }

  /** Removes items by id and says which there were. */
  remove(ids: string | readonly string[]): string[] {
    return this.transport.remove({ kind: this.kind, ids: typeof ids === "string" ? [ids] : [...ids] })
      .removed;
  }

  /** The definition as it was registered, or null. */
  get(id: string): Item | null {
    return this.transport.get({ kind: this.kind, id }).item as Item | null;
  }

  /** A page of definitions, in the order of registration. */
  list(page: { offset?: number; limit?: number } = {}): Item[] {
    return this.transport.list({ ...page, kind: this.kind }).items as Item[];
  }

  /** How many items there are. */
  get size(): number {
    return this.transport.size({ kind: this.kind }).size;
  }

  protected read(items: readonly unknown[]): ReadItem[] {
    return Array.from(items, (item) => readItem(item, this.kind));
  }

  protected send(operation: "register" | "replaceAll", read: readonly ReadItem[]): RegisterResponse {
    return this.transport[operation]({ kind: this.kind, items: read.map((item) => item.json) });
  }
}

/** The tools, and what runs them. */
export class ToolCatalog extends Catalog<ToolItem> {
  readonly #host: ToolHost;

  constructor(host: ToolHost) {
    super(host, "tool");
    this.#host = host;
  }

  /** Adds one tool or many, replacing in place by id. Throws when the one tool is refused; of many, says which. */
  override register<Schema>(tool: Tool<Schema>): RegisterResponse;
  override register<const Schemas extends readonly unknown[]>(tools: ToolsOf<Schemas>): RegisterResponse;
  override register(tools: Tool | readonly Tool[]): RegisterResponse {
    return super.register(tools);
  }

  /** Makes these tools the whole catalog; the executors of the others are let go. */
  override replaceAll<const Schemas extends readonly unknown[]>(tools: ToolsOf<Schemas>): RegisterResponse {
    return super.replaceAll(tools as readonly Tool[]);
  }

  override remove(ids: string | readonly string[]): string[] {
    const removed = super.remove(ids);
    for (const id of removed) this.#host.executors.delete(id);
    return removed;
  }

  /** Gives a tool that came from `load()` its function. */
  bind(id: string, execute: Execute): void {
    if (typeof execute !== "function") {
      throw new HoneyguideError({
        code: "missing_executor",
        category: "invalid_input",
        message: `tool \`${id}\` was bound to nothing that can run; pass a function`,
        details: { id },
      });
    }
    if (this.get(id) === null) {
      throw new HoneyguideError({
        code: "unknown_tool",
        category: "not_found",
        message: `unknown tool \`${id}\`; load or register its definition before binding it`,
        details: { id },
      });
    }
    this.#host.executors.set(id, { execute });
  }

  /** Calls a tool from host code. Mistakes are thrown, and what the tool throws is thrown as it is. */
  invoke(id: string, args?: unknown, options: CallOptions = {}): Promise<unknown> {
    return invoke(this.#host, id, args, options);
  }

  /** The very object that was registered under this id; undefined for a tool that came from `load()`. */
  itemOf(id: string): object | undefined {
    return this.#host.executors.get(id)?.item;
  }

  /**
   * Adds the tools of one adapted view. The first view to bring an id keeps it; the others' tools of that id are left out.
   * @internal
   */
  registerFor(owner: object, tools: readonly Tool[]): { response: RegisterResponse; kept: string[] } {
    const read = this.read(tools);
    const taken = (id: string | undefined) => {
      const present = id === undefined ? undefined : this.#host.executors.get(id);
      return present !== undefined && present.owner !== owner;
    };
    const kept = read.flatMap(({ id }) => (id !== undefined && taken(id) ? [id] : []));
    const response = this.send(
      "register",
      read.filter(({ id }) => !taken(id)),
      owner,
    );
    return { response, kept };
  }

  protected override send(
    operation: "register" | "replaceAll",
    read: readonly ReadItem[],
    owner?: object,
  ): RegisterResponse {
    const response = super.send(operation, read);
    const { executors } = this.#host;
    if (operation === "replaceAll") executors.clear();
    const rejected = new Set(response.rejected);
    read.forEach(({ id, execute, item }, place) => {
      if (id === undefined || !execute || rejected.has(place)) return;
      executors.set(id, { execute, item: item as object, owner });
    });
    return response;
  }
}

/** Searching and calling tools within one conversation. */
export class SessionTools extends CatalogSearch {
  readonly #host: Host;
  readonly #session: string;

  constructor(host: Host, session: string) {
    super(host, "tool", { session });
    this.#host = host;
    this.#session = session;
  }

  /** Calls a tool from host code, as `hg.tools.invoke` does. */
  invoke(id: string, args?: unknown, options: Omit<CallOptions, "session"> = {}): Promise<unknown> {
    return invoke(this.#host, id, args, { ...options, session: this.#session });
  }
}

/** A host whose executors can be changed. A map, so that no id means anything to it. */
export interface ToolHost extends Host {
  readonly executors: Map<string, Bound>;
}

/** What runs a tool: its function, the object it came as, and the view that brought it. */
export interface Bound {
  readonly execute: Execute;
  readonly item?: object;
  readonly owner?: object | undefined;
}

/** A list of tools, each with the schema type of its own. */
export type ToolsOf<Schemas extends readonly unknown[]> = {
  readonly [Place in keyof Schemas]: Tool<Schemas[Place]>;
};

function throwRefusal(response: RegisterResponse): void {
  const refused = response.diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (!refused) return;
  const { code, message, ...details } = refused;
  throw new HoneyguideError({ code, message, details, category: "invalid_input" });
}
