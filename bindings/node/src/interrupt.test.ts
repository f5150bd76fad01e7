// Waiting ends: with the value, by identity, or with the reason why there is none.
import { describe, expect, it } from "vitest";

import { waitFor } from "./interrupt.js";

const forever = () => new Promise(() => {});

describe("waitFor", () => {
  it("hands back values by identity, also streams and promises of streams", async () => {
    async function* stream() {
      yield 1;
    }
    const value = { deep: {} };
    const iterable = stream();
    expect(await waitFor(() => value, {})).toEqual({ kind: "value", value });
    expect(((await waitFor(() => iterable, {})) as { value: unknown }).value).toBe(iterable);
    expect(((await waitFor(async () => iterable, {})) as { value: unknown }).value).toBe(iterable);
  });

  it("does not start when the caller has given up already", async () => {
    let started = false;
    const signal = AbortSignal.abort("enough");
    expect(await waitFor(() => (started = true), { signal })).toEqual({ kind: "aborted", reason: "enough" });
    expect(started).toBe(false);
  });

  it("leaves work behind that ignores its signal", async () => {
    const controller = new AbortController();
    const waiting = waitFor(forever, { signal: controller.signal });
    controller.abort(new Error("enough"));
    expect(await waiting).toMatchObject({ kind: "aborted", reason: { message: "enough" } });
  });

  it("stops waiting when the time is over and tells the work", async () => {
    let told: AbortSignal | undefined;
    const settled = await waitFor(
      (signal) => {
        told = signal;
        return forever();
      },
      { timeoutMs: 5 },
    );
    expect(settled).toMatchObject({ kind: "timeout", elapsedMs: expect.any(Number) });
    expect(told?.aborted).toBe(true);
    expect(told?.reason).toMatchObject({ name: "TimeoutError" });
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 40])(
    "does not take a wait of %d ms for none at all",
    async (timeoutMs) => {
      const answer = () => new Promise((resolve) => setTimeout(resolve, 20, "done"));
      expect(await waitFor(answer, { timeoutMs })).toEqual({ kind: "value", value: "done" });
    },
  );

  it("tells a stream that goes on after its call when the caller gives up", async () => {
    async function* stream() {
      yield 1;
    }
    for (const start of [stream, async () => stream()]) {
      const controller = new AbortController();
      let told: AbortSignal | undefined;
      const limits = { signal: controller.signal, timeoutMs: 1000 };
      await waitFor((signal) => {
        told = signal;
        return start();
      }, limits);
      controller.abort("enough");
      expect(told?.reason).toBe("enough");
    }
  });

  it("takes a value that hides what it is for what was thrown", async () => {
    const hostile = {
      // biome-ignore lint/suspicious/noThenProperty: a value that throws when it is asked whether it is a promise.
      get then(): never {
        throw new Error("no");
      },
    };
    expect(await waitFor(() => hostile, {})).toMatchObject({ kind: "thrown", thrown: { message: "no" } });
  });

  it("drops a late rejection instead of ending the program", async () => {
    const controller = new AbortController();
    const waiting = waitFor(() => new Promise((_, reject) => setTimeout(reject, 5, new Error("late"))), {
      signal: controller.signal,
    });
    controller.abort();
    expect((await waiting).kind).toBe("aborted");
    await new Promise((resolve) => setTimeout(resolve, 15));
  });

  it("leaves no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = new Proxy(signal, {
      get(target, key) {
        if (key === "addEventListener") listeners++;
        if (key === "removeEventListener") listeners--;
        const value = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await waitFor(() => 1, { signal: counted });
    await waitFor(async () => 1, { signal: counted });
    expect(listeners).toBe(0);
  });

  it("reports what was thrown, whatever it is", async () => {
    for (const thrown of [new Error("x"), undefined, "text"]) {
      expect(
        await waitFor(() => {
          throw thrown;
        }, {}),
      ).toEqual({ kind: "thrown", thrown });
      expect(await waitFor(() => Promise.reject(thrown), {})).toEqual({ kind: "thrown", thrown });
    }
  });
});
