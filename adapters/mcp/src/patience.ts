// How long an answer is waited for: progress is a sign of life, silence ends it, and so does a hard maximum. Knows no MCP.

import type { Clock } from "./clock.js";

/** When to stop waiting, in milliseconds. */
export interface Limits {
  /** The longest silence. */
  readonly silenceMs: number;
  /** The longest wait, whatever is heard meanwhile. */
  readonly maximumMs: number;
}

/** Which limit was reached, and after how long. */
export interface Overdue {
  readonly limit: "silence" | "maximum";
  readonly elapsedMs: number;
}

/**
 * Starts the work and waits. The work's signal is aborted when the caller gives up or a limit is reached; the caller is
 * told at once, whether or not the work heeds it.
 */
export function withPatience<Answer>(
  clock: Clock,
  limits: Limits,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal, heard: () => void) => Promise<Answer>,
  overdue: (overdue: Overdue) => Error,
): Promise<Answer> {
  if (outer?.aborted) return Promise.reject(outer.reason);
  const inner = new AbortController();
  const began = clock.now();
  return new Promise((resolve, reject) => {
    let stopSilence = () => {};
    const expire = (limit: Overdue["limit"]) => {
      const error = overdue({ limit, elapsedMs: Math.round(clock.now() - began) });
      finish(() => reject(error));
      inner.abort(error);
    };
    const listen = () => {
      stopSilence();
      stopSilence = clock.after(limits.silenceMs, () => expire("silence"));
    };
    const stopMaximum = clock.after(limits.maximumMs, () => expire("maximum"));
    const abort = () => {
      finish(() => reject(outer?.reason));
      inner.abort(outer?.reason);
    };
    let over = false;
    const finish = (settle: () => void) => {
      if (over) return;
      over = true;
      stopSilence();
      stopMaximum();
      outer?.removeEventListener("abort", abort);
      settle();
    };
    outer?.addEventListener("abort", abort, { once: true });
    listen();
    Promise.resolve()
      .then(() => work(inner.signal, () => over || listen()))
      .then(
        (answer) => finish(() => resolve(answer)),
        (thrown) => finish(() => reject(thrown)),
      );
  });
}

/** Waits for work that others wait for too: the caller gives up, and the work goes on. */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return work;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
