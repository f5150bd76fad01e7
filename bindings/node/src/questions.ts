// Questions to the engine that run no tool: what to recall, what to list, what a call would be. Decides nothing.

import { writeArguments } from "./arguments.js";
import type { Disclosed, DiscloseOptions } from "./disclosure.js";
import type { Degraded, DiscloseRequest, Kind, RecallRequest, ResolveResponse } from "./generated/types.js";
import { wellFormed } from "./json.js";
import type { MeaningOptions } from "./meaning.js";
import type { SearchResult } from "./replies.js";
import { type Host, run, type Scope } from "./run.js";

/** How a recall is made. */
export type RecallOptions = Scope &
  MeaningOptions & {
    topKTools?: number;
    topKSkills?: number;
    /** Throws where words alone would answer, though the engine ranks by meaning. */
    strict?: boolean;
  };

/** What `search_capabilities` would answer, or null when nothing matches. */
export async function recall(
  host: Host,
  query: string,
  { signal, ...options }: RecallOptions,
): Promise<SearchResult | null> {
  const asked = wellFormed(query);
  const means = await meansOf(host, asked, undefined, signal);
  const request: RecallRequest = { ...options, ...means, query: asked, now: Date.now() };
  const { result, step } = host.transport.recall(request);
  if (!step) return (result ?? null) as SearchResult | null;
  const answer = await run(host, step, { ...options, signal }, "replied");
  // Who gave up wants no answer.
  signal?.throwIfAborted();
  return answer as SearchResult | null;
}

/** The query's vector, or why there is none. */
async function meansOf(
  host: Host,
  query: string,
  kind: Kind | undefined,
  signal: AbortSignal | undefined,
): Promise<{ queryVector?: string; degraded?: Degraded }> {
  const { queryVectors, degraded } = await host.meaning.of([query], undefined, kind, { signal });
  signal?.throwIfAborted();
  if (queryVectors) return { queryVector: queryVectors[0] as string };
  return degraded ? { degraded } : {};
}

/** What one request to the model is to list. */
export function disclose(host: Host, options: DiscloseOptions): Disclosed {
  return host.transport.disclose(disclosing(options)) as Disclosed;
}

/** The same with the vector of what the turn is about, where the engine ranks by meaning. */
export async function discloseAsync(
  host: Host,
  { signal, ...options }: DiscloseOptions & MeaningOptions,
): Promise<Disclosed> {
  const request = disclosing(options);
  if (typeof request.query !== "string" || request.queryVector) return disclose(host, options);
  const means = await meansOf(host, request.query, "tool", signal);
  return host.transport.disclose({ ...request, ...means }) as Disclosed;
}

function disclosing({ query, queryVector, ...options }: DiscloseOptions): DiscloseRequest {
  const asked = typeof query === "string" ? { query: wellFormed(query) } : {};
  return { ...options, ...asked, ...(queryVector && { queryVector: Array.from(queryVector) }) };
}

/** What a call of `invoke_tool` would be, repaired and validated. */
export function resolve(host: Host, target: unknown, options: Scope): ResolveResponse {
  return host.transport.resolve({ ...options, arguments: writeArguments(target) ?? null });
}
