// The client: one engine with its catalogs, and what a host asks of it. Decides nothing: every answer is the engine's.

import { type AdaptedView, type Adapter, adapt } from "./adapter.js";
import { writeValue } from "./arguments.js";
import { Catalog, ToolCatalog, type ToolHost } from "./catalogs.js";
import type { Disclosed, DiscloseOptions, Disclosure } from "./disclosure.js";
import { aboutEmbedder, type Embedder } from "./embedder.js";
import type {
  Diagnostic,
  FactItem,
  ForModelRequest,
  ModelToolsRequest,
  Options,
  ResolveResponse,
  Server,
  SetServerRequest,
  TokensRequest,
  TokensResponse,
  Visible,
} from "./generated/types.js";
import { Meaning, type MeaningOptions, type WarmedUp, type WarmUpOptions } from "./meaning.js";
import { disclose, discloseAsync, type RecallOptions, recall, resolve } from "./questions.js";
import type { SearchResult } from "./replies.js";
import { type Rerank, topOf } from "./rerank.js";
import { type Approve, type CallOptions, call, type Fork, type Scope } from "./run.js";
import { Session } from "./session.js";
import { SkillFolders } from "./skill-folders.js";
import { SkillCatalog } from "./skills.js";
import { Transport } from "./transport.js";

/** The engine's settings, and what the host does for it. */
export type HoneyguideOptions = Omit<Options, "embedder" | "rerankTop"> & {
  /** Asks before a tool that wants approval runs. */
  approve?: Approve;
  /** Embeds texts and queries, for searches by meaning. */
  embedder?: Embedder;
  /** Orders the best hits of `search_capabilities`, `recall` and `searchAsync` anew (default: nobody). */
  rerank?: Rerank;
  /** A file of vectors that programs may share: what one has embedded, no other embeds again. */
  vectorCache?: string;
  /** Has a sub-agent follow a skill whose `context` is `fork`, and answers with its text. */
  fork?: Fork;
  /** The folder that touched files are relative to (default: where the program runs). */
  projectRoot?: string;
};

/** In which shape the three tool definitions are handed out. */
export type ModelToolsOptions = ModelToolsRequest;

/** One of the three tool definitions, in the plain format. */
export interface ModelTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

/** Opens an engine: no configuration, no network, no model. */
export function honeyguide(options: HoneyguideOptions = {}): Honeyguide {
  return new Honeyguide(options);
}

/** One engine. */
export class Honeyguide {
  readonly tools: ToolCatalog;
  readonly skills: SkillCatalog;
  readonly facts: Catalog<FactItem>;
  readonly servers: Servers;
  readonly #host: ToolHost;

  constructor(hostOptions: HoneyguideOptions = {}) {
    const { approve, embedder, rerank, vectorCache, fork, projectRoot, ...options } = hostOptions;
    const about = embedder && { embedder: aboutEmbedder(embedder) };
    const judged = rerank && { rerankTop: topOf(rerank) };
    const transport = new Transport({ ...options, ...about, ...judged });
    const meaning = new Meaning(transport, embedder, options.method, vectorCache);
    const folders = new SkillFolders(transport, projectRoot);
    this.#host = { transport, approve, meaning, rerank, fork, folders, executors: new Map() };
    this.tools = new ToolCatalog(this.#host);
    this.skills = new SkillCatalog(this.#host);
    this.facts = new Catalog(this.#host, "fact");
    this.servers = new Servers(transport);
  }

  /** Answers a model's call of one of the three tools, or of a tool it found. A model's mistake is a reply. */
  call(name: string, args?: unknown, options: CallOptions = {}): Promise<unknown> {
    return call(this.#host, name, args, options);
  }

  /** The three tool definitions: the same bytes whatever is registered. */
  modelTools(options?: ModelToolsOptions & { format?: "plain" | null }): ModelTool[];
  modelTools(options: ModelToolsOptions): Record<string, unknown>[];
  modelTools(options: ModelToolsOptions = {}): unknown[] {
    return this.#host.transport.modelTools(options).tools;
  }

  /** The digest of the three definitions' bytes. */
  modelToolsDigest(options: ModelToolsOptions = {}): string {
    return this.#host.transport.modelTools(options).digest;
  }

  /**
   * Embeds every text that has no vector yet. Searches by meaning begin that by themselves and go by words until then; whoever
   * wants to wait for it, or to see it fail, calls this.
   */
  warmUp(options: WarmUpOptions = {}): Promise<WarmedUp> {
    return this.#host.meaning.warmUp(options);
  }

  /** What to put before the model: what `search_capabilities` would answer, or null when nothing matches. */
  recall(query: string, options: RecallOptions = {}): Promise<SearchResult | null> {
    return recall(this.#host, query, options);
  }

  /**
   * What one request to the model is to list: the three tools, and as much of the catalog as the mode discloses. A tool that
   * is listed is called with `call`, by the name that it is listed under.
   */
  disclose(options?: DiscloseOptions & { format?: "plain" | null }): Disclosed;
  disclose(options: DiscloseOptions): Omit<Disclosed, "tools"> & { tools: Record<string, unknown>[] };
  disclose(options: DiscloseOptions = {}): unknown {
    return disclose(this.#host, options);
  }

  /** The same where the engine ranks by meaning: has the embedder make the query's vector. */
  discloseAsync(options?: DiscloseOptions & MeaningOptions & { format?: "plain" | null }): Promise<Disclosed>;
  discloseAsync(
    options: DiscloseOptions & MeaningOptions,
  ): Promise<Omit<Disclosed, "tools"> & { tools: Record<string, unknown>[] }>;
  discloseAsync(options: DiscloseOptions & MeaningOptions = {}): Promise<unknown> {
    return discloseAsync(this.#host, options);
  }

  /** What a call of `invoke_tool` would be, repaired and validated; runs nothing. */
  resolve(target: unknown, options: Scope = {}): ResolveResponse {
    return resolve(this.#host, target, options);
  }

  /** A tool's result as the model should read it: no text twice, and no longer than `maxResultChars`. */
  forModel(result: unknown, options: Omit<ForModelRequest, "result"> = {}): unknown {
    return this.#host.transport.forModel({ ...options, result: writeValue(result, "the result") }).result;
  }

  /** Estimated tokens: of a prompt that held every definition, of the three tools, and of given texts. */
  tokens(options: TokensRequest = {}): TokensResponse {
    return this.#host.transport.tokens(options);
  }

  /** A conversation. With `visible`, says what it may see and call from now on; null lifts what was said. */
  session(id: string, options: { visible?: Visible | null } = {}): Session {
    const session = new Session(this.#host, id);
    // Whatever is said reaches the engine, which refuses what it does not know: a rule in the wrong place must not be lost.
    if (Object.values(options).some((said) => said !== undefined)) {
      this.#host.transport.setSession({ ...options, session: id });
    }
    return session;
  }

  /** What is wrong in the catalogs; compiles every schema. */
  diagnose(): Diagnostic[] {
    return this.#host.transport.diagnose({}).diagnostics;
  }

  /** Definitions and servers as bytes. Functions are not saved. */
  save(): Uint8Array {
    return this.#host.transport.save();
  }

  /** Takes saved definitions in place of the present ones. Functions stay bound to the ids that are still there. */
  load(bytes: Uint8Array): void {
    this.#host.transport.load(bytes);
    const present = new Set(this.tools.list().map((tool) => tool.id));
    for (const id of this.#host.executors.keys()) {
      if (!present.has(id)) this.#host.executors.delete(id);
    }
  }

  /** This engine in a framework's own tool and message types; the catalog stands behind the three tools unless said otherwise. */
  adaptTo<TheirTool, TheirMessage, Extra extends object>(
    adapter: Adapter<TheirTool, TheirMessage, Extra>,
    { disclosure = {} }: { disclosure?: Disclosure } = {},
  ): AdaptedView<TheirTool, TheirMessage, Extra> & Extra {
    return adapt(this, (owner, tools) => this.tools.registerFor(owner, tools), adapter, disclosure);
  }
}

/** What is known of the servers that tools belong to. */
export class Servers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Describes a server; replaces what was said of it. */
  set(name: string, about: Omit<SetServerRequest, "name"> = {}): void {
    this.#transport.setServer({ ...about, name });
  }

  /** Forgets what was said of a server; its tools stay. */
  remove(name: string): void {
    this.#transport.removeServer({ name });
  }

  /** The servers that were described, by name. */
  list(): Server[] {
    return this.#transport.listServers({}).servers;
  }
}
