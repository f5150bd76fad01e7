// Orders the best hits of a search anew, by what an application's own model or function makes of them. Knows no ranking of
// the engine's; when the application's fails, the engine's order stays.

import { describeThrown, HoneyguideError } from "./error.js";
import type { Outcome, Page, SearchHit } from "./generated/types.js";
import { type Settled, waitFor } from "./interrupt.js";

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
  /** How many of the best hits are ordered anew (default 20, at most 1,000); of a model's search a quarter may be skills. */
  readonly top?: number | undefined;
  /** How long it may take before the engine's order stands (default 2,000 ms). */
  readonly timeoutMs?: number | undefined;
  /** Hears why the engine's order stood. */
  onFailure?(failure: HoneyguideError): unknown;
}

/** As many as a model for pairs of texts reads in the time below on one core. */
const defaults = { top: 20, timeoutMs: 2_000, most: 1_000 };

/** How many hits are ordered anew; throws when it is no ranking. */
export function topOf(rerank: Rerank): number {
  if (typeof rerank?.rank !== "function") {
    throw new HoneyguideError({
      code: "invalid_request",
      category: "invalid_input",
      message: "what orders hits anew has a function `rank`",
    });
  }
  const { top = defaults.top } = rerank;
  return Number.isInteger(top) && top > 0 ? Math.min(top, defaults.most) : defaults.top;
}

/** The page of these hits, the best of which come in the application's order; named hits stay in front. */
export async function reranked(
  rerank: Rerank,
  query: string,
  hits: readonly SearchHit[],
  { named, first, length }: Page,
  signal: AbortSignal | undefined,
): Promise<SearchHit[]> {
  const best = hits.slice(named, Math.max(topOf(rerank), named));
  const page = (all: readonly SearchHit[]) => all.slice(first, first + length);
  if (best.length < 2) return page(hits);
  const { kind, scores } = await judge(rerank, query, best, signal);
  if (kind === "aborted") throw signal?.reason;
  if (!scores) return page(hits);
  const places = best.map((_, place) => place);
  // Equal scores stay in the engine's order.
  places.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
  const inOrder = places.flatMap((place) => best[place] ?? []);
  const ordered = [...hits.slice(0, named), ...inOrder, ...hits.slice(named + best.length)];
  return page(ordered.map((hit, rank) => ({ ...hit, rank })));
}

/** What the application makes of hits: a number for each, or what became of that; then its listener hears why. */
export async function judge(
  rerank: Rerank,
  query: string,
  hits: readonly SearchHit[],
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { timeoutMs = defaults.timeoutMs } = rerank;
  // Copies: what the application does to them stays with it.
  const shown = structuredClone([...hits]);
  const settled = await waitFor((inner) => rerank.rank(query, shown, { signal: inner }), {
    signal,
    timeoutMs,
  });
  if (settled.kind === "aborted") return { kind: "aborted" };
  if (settled.kind === "value" && areScores(settled.value, hits.length)) {
    return { kind: "scores", scores: [...settled.value] };
  }
  const failure = failureOf(settled, hits.length);
  tell(rerank, failure);
  return settled.kind === "timeout" ? settled : { kind: "error", message: failure.message };
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

function failureOf(settled: Exclude<Settled, { kind: "aborted" }>, count: number): HoneyguideError {
  const reasons = {
    value: () => `it gave no ${count} finite numbers`,
    thrown: () => `it failed with ${describeThrown((settled as { thrown: unknown }).thrown).message}`,
    timeout: () => `it took longer than ${Math.round((settled as { elapsedMs: number }).elapsedMs)} ms`,
  };
  const code = settled.kind === "timeout" ? "timeout" : "tool_failed";
  return new HoneyguideError(
    { code, category: "state", message: `the order of the engine stands: ${reasons[settled.kind]()}` },
    settled.kind === "thrown" ? { cause: settled.thrown } : {},
  );
}
