// How long to wait before a server is dialled again: ever longer, up to a cap, and never all at the same moment.

import type { Clock } from "./clock.js";

/** Delays in milliseconds. */
export interface Backoff {
  /** Before the first attempt (default 1 s); each later one waits twice as long. */
  readonly baseMs: number;
  /** The longest (default 120 s); jitter comes on top. */
  readonly capMs: number;
  /** A connection that lived this long (default 30 s) starts over at the base. */
  readonly healthyMs: number;
}

export const defaultBackoff: Backoff = { baseMs: 1000, capMs: 120_000, healthyMs: 30_000 };

/** The delay after so many failed attempts in a row: up to half longer by chance, so that it never is shorter than promised. */
export function delayAfter(failures: number, backoff: Backoff, clock: Clock): number {
  const delay = Math.min(backoff.capMs, backoff.baseMs * 2 ** Math.min(failures, 30));
  return delay * (1 + clock.random() / 2);
}
