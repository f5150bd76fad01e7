// Questions to the engine that run nothing: what to recall, what a call would be. Knows no step.

import { writeArguments } from "./arguments.js";
import type { Disclosed, DiscloseOptions } from "./disclosure.js";
import type { RecallRequest, ResolveResponse } from "./generated/types.js";
import { wellFormed } from "./json.js";
import type { SearchResult } from "./replies.js";
import type { Host, Scope } from "./run.js";

/** How a recall is made. */
export type RecallOptions = Scope & { topKTools?: number; topKSkills?: number };

/** What `search_capabilities` would answer, or null when nothing matches. */
export async function recall(
  host: Host,
  query: string,
  options: RecallOptions,
): Promise<SearchResult | null> {
  const asked = wellFormed(query);
  const { queryVectors, degraded } = await host.meaning.of([asked], undefined, undefined, {});
  const means = queryVectors ? { queryVector: queryVectors[0] as string } : degraded && { degraded };
  const request: RecallRequest = { ...options, ...means, query: asked, now: Date.now() };
  return (host.transport.recall(request).result ?? null) as SearchResult | null;
}

/** What one request to the model is to list. */
export function disclose(host: Host, { query, ...options }: DiscloseOptions): Disclosed {
  const asked = typeof query === "string" ? { query: wellFormed(query) } : {};
  return host.transport.disclose({ ...options, ...asked }) as Disclosed;
}

/** What a call of `invoke_tool` would be, repaired and validated. */
export function resolve(host: Host, target: unknown, options: Scope): ResolveResponse {
  return host.transport.resolve({ ...options, arguments: writeArguments(target) ?? null });
}
