// The time as this package asks for it, so that a test can hold it. Knows no server.

/** The present, a later moment, and chance. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Runs something later, once; answers how to call it off. */
  after(milliseconds: number, run: () => void): () => void;
  /** A number from 0 up to 1. */
  random(): number;
}

/** The longest that a timer can wait; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, Math.min(milliseconds, longestTimer));
    return () => clearTimeout(timer);
  },
  random: Math.random,
};
