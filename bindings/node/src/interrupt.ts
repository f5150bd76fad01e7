// Waits for work that may never end: until it answers, the caller gives up, or the time is over. Knows no step.

/** What became of the work. A value is wrapped, so that one with a `then` of its own is not awaited. */
export type Settled =
  | { kind: "value"; value: unknown }
  | { kind: "thrown"; thrown: unknown }
  | { kind: "aborted"; reason: unknown }
  | { kind: "timeout"; elapsedMs: number };

/** When to stop waiting. */
export interface Limits {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** The longest that a timer can wait; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** Starts the work and waits; work that is done at once is told at once. Work that ignores its signal is left behind. */
export function waitFor(
  start: (signal: AbortSignal | undefined) => unknown,
  limits: Limits,
): Settled | Promise<Settled> {
  const { signal, timeoutMs } = limits;
  if (signal?.aborted) return { kind: "aborted", reason: signal.reason };
  const timed = typeof timeoutMs === "number" && timeoutMs < Number.POSITIVE_INFINITY;
  const inner = timed ? new AbortController() : undefined;
  const began = performance.now();
  const settle = (value: unknown): Settled => {
    // A stream goes on after its call: giving up still has to reach it.
    if (inner && isStream(value)) {
      signal?.addEventListener("abort", () => inner.abort(signal.reason), { once: true });
    }
    return { kind: "value", value };
  };
  let answer: unknown;
  try {
    answer = start(inner?.signal ?? signal);
    if (isStream(answer) || !isThenable(answer)) return settle(answer);
  } catch (thrown) {
    return { kind: "thrown", thrown };
  }

  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const finish = (settled: Settled) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve(settled);
    };
    const abort = () => {
      finish({ kind: "aborted", reason: signal?.reason });
      inner?.abort(signal?.reason);
    };
    const expire = () => {
      const elapsedMs = Math.round(performance.now() - began);
      finish({ kind: "timeout", elapsedMs });
      inner?.abort(new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError"));
    };

    signal?.addEventListener("abort", abort, { once: true });
    if (timed) timer = setTimeout(expire, Math.min(Math.max(timeoutMs, 0) || 0, longestTimer));
    Promise.resolve(answer).then(
      (value) => finish(settle(value)),
      (thrown) => finish({ kind: "thrown", thrown }),
    );
    // The work itself may have given up before anybody listened.
    if (signal?.aborted) abort();
  });
}

function isStream(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
  );
}
