// A clock that stands still until it is told to go on. Knows nothing of servers.

import type { Clock } from "../src/index.js";

export class ManualClock implements Clock {
  #time = 0;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#time;
  }

  random(): number {
    return 0;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#time + milliseconds, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** How long until the next one is due; endless when none waits. */
  get untilNext(): number {
    return Math.min(...this.#timers.map(({ at }) => at)) - this.#time;
  }

  /** Lets time pass, and what is due happen in its order. */
  advance(milliseconds: number): void {
    const end = this.#time + milliseconds;
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((each) => each !== due);
      this.#time = Math.max(this.#time, due.at);
      due.run();
    }
    this.#time = end;
  }
}
