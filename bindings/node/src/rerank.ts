// Orders the best hits of a search anew, by what an application's own model or function makes of them. Knows no ranking of
// the engine's; when the application's fails, the engine's order stays.

import { describeThrown, HoneyguideError } from "./error.js";
import type { SearchHit } from "./generated/types.js";
import { waitFor } from "./interrupt.js";

/** Orders hits anew. */
export interface Rerank {
  /**
   * How well each hit answers the query, one number for each, in their order: higher is better. Hits have their descriptions.
   */
  rank(
    query: string,
    hits: readonly SearchHit[],
    options: { readonly signal: AbortSignal | undefined },
  ): readonly number[] | Promise<readonly number[]>;
  /** How many of the best hits are ordered anew (default 20, at most 1,000). */
  readonly top?: number | undefined;
  /** How long it may take before the engine's order stands (default 2,000 ms). */
  readonly timeoutMs?: number | undefined;
  /** Hears why the engine's order stood. */
  onFailure?(failure: HoneyguideError): unknown;
}

/** As many as a model for pairs of texts reads in the time below on one core. */
const defaults = { top: 20, timeoutMs: 2_000, most: 1_000 };

/** How many hits there must be for a page behind `offset`, and for ordering the best anew. */
export function hitsFor(rerank: Rerank, offset: number, topK: number): number {
  return Math.min(Math.max(topOf(rerank), offset + topK), defaults.most);
}

/** The hits, the best of them in the application's order; named hits stay in front. */
export async function reranked(
  rerank: Rerank,
  query: string,
  hits: readonly SearchHit[],
  signal: AbortSignal | undefined,
): Promise<SearchHit[]> {
  const { timeoutMs = defaults.timeoutMs } = rerank;
  const named = hits.filter(({ explanation }) => explanation?.named).length;
  const best = hits.slice(named, Math.max(topOf(rerank), named));
  if (best.length < 2) return [...hits];
  // Copies: what the application does to them stays with it.
  const shown = structuredClone(best);
  const settled = await waitFor((inner) => rerank.rank(query, shown, { signal: inner }), {
    signal,
    timeoutMs,
  });
  if (settled.kind === "aborted") throw settled.reason;
  const scores = settled.kind === "value" ? settled.value : undefined;
  if (!areScores(scores, best.length)) {
    tell(rerank, failureOf(settled, best.length));
    return [...hits];
  }
  const places = best.map((_, place) => place);
  // Equal scores stay in the engine's order.
  places.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
  const inOrder = places.flatMap((place) => best[place] ?? []);
  return [...hits.slice(0, named), ...inOrder, ...hits.slice(named + best.length)].map((hit, rank) => ({
    ...hit,
    rank,
  }));
}

function topOf({ top = defaults.top }: Rerank): number {
  return Number.isInteger(top) && top > 0 ? top : defaults.top;
}

/** A listener's own failure, at once or later, is nobody's but its own. */
function tell(rerank: Rerank, failure: HoneyguideError): void {
  const warn = (thrown: unknown) =>
    process.emitWarning(`a listener to a failed ranking failed: ${describeThrown(thrown).message}`);
  try {
    Promise.resolve(rerank.onFailure?.(failure)).catch(warn);
  } catch (thrown) {
    warn(thrown);
  }
}

function areScores(value: unknown, count: number): value is readonly number[] {
  return Array.isArray(value) && value.length === count && value.every(Number.isFinite);
}

function failureOf(settled: Awaited<ReturnType<typeof waitFor>>, count: number): HoneyguideError {
  const reasons = {
    value: () => `it gave no ${count} finite numbers`,
    thrown: () => `it failed with ${describeThrown((settled as { thrown: unknown }).thrown).message}`,
    timeout: () => `it took longer than ${Math.round((settled as { elapsedMs: number }).elapsedMs)} ms`,
    aborted: () => "it was given up",
  };
  const code = settled.kind === "timeout" ? "timeout" : "tool_failed";
  return new HoneyguideError(
    { code, category: "state", message: `the order of the engine stands: ${reasons[settled.kind]()}` },
    settled.kind === "thrown" ? { cause: settled.thrown } : {},
  );
}
