// What JSON cannot say is found, with its place; what it can say is written as `JSON.stringify` would.
import { describe, expect, it } from "vitest";

import { writeJson } from "./refuse.js";

function refusalOf(value: unknown) {
  const written = writeJson(value);
  return "refusal" in written ? written.refusal : undefined;
}

function saying(value: object, said: unknown) {
  return Object.defineProperty(value, "toJSON", { value: () => said });
}

describe("writeJson", () => {
  it("writes everything that JSON can say", () => {
    const value = {
      a: [1, "é😀\0", null, true, { "": -0.5 }],
      u: undefined,
      when: new Date(0),
      path: "C:\\udata",
    };
    expect(writeJson(value)).toEqual({ text: JSON.stringify(value) });
  });

  it.each([
    ["NaN", { a: [0, Number.NaN] }, "/a/1", "notFinite"],
    ["infinity", { a: Number.NEGATIVE_INFINITY }, "/a", "notFinite"],
    ["a big integer", { a: { b: 1n } }, "/a/b", "bigInteger"],
    ["half a surrogate pair", { a: "x\ud83d" }, "/a", "loneSurrogate"],
    ["half a surrogate pair in a key", { "x\udc00": 1 }, "/x\ufffd", "loneSurrogate"],
    ["a function inside", { a: { f: () => 1 } }, "/a/f", "unsupported"],
    ["a symbol", { a: Symbol("s") }, "/a", "unsupported"],
    ["a hole in a list", { a: [undefined] }, "/a/0", "unsupported"],
    ["a gap in a list", { a: Object.assign([], { 1: 1 }) }, "/a/0", "unsupported"],
    ["a map", { a: new Map([[1, 2]]) }, "/a", "unsupported"],
    ["a map that would say something else", { a: saying(new Map(), {}) }, "/a", "unsupported"],
    ["a buffer, which would write itself as an object", { a: Buffer.from("x") }, "/a", "unsupported"],
    ["what an object that says something else says", { a: saying({ b: 1 }, [1n]) }, "/a/0", "bigInteger"],
    ["a promise", { a: Promise.resolve(1) }, "/a", "unsupported"],
    ["a typed array", { a: new Float32Array(2) }, "/a", "unsupported"],
    ["a place whose names need escapes", { "a/b": { "~": 1n } }, "/a~1b/~0", "bigInteger"],
  ])("refuses %s and says where", (_, value, path, reason) => {
    expect(refusalOf(value)).toMatchObject({ path, reason });
  });

  it("refuses a cycle, and not the same object twice", () => {
    const shared = { deep: true };
    const cyclic: Record<string, unknown> = { a: shared, b: [shared] };
    expect(writeJson(cyclic)).toEqual({ text: JSON.stringify(cyclic) });
    cyclic["self"] = { again: cyclic };
    expect(refusalOf(cyclic)).toMatchObject({ path: "/self/again", reason: "cycle" });
  });

  it("says which getter threw, and what", () => {
    const value = {
      a: {
        get b(): never {
          throw new TypeError("no b today");
        },
      },
    };
    expect(refusalOf(value)).toEqual({ path: "/a/b", reason: "getter", message: "no b today" });
  });

  it("refuses a value whose toJSON throws or answers with what JSON cannot say", () => {
    const throws = {
      toJSON: () => {
        throw new Error("no");
      },
    };
    expect(refusalOf({ a: throws })).toMatchObject({ path: "/a", reason: "getter" });
    expect(refusalOf({ a: { toJSON: () => ({ n: Number.NaN }) } })).toMatchObject({
      path: "/a/n",
      reason: "notFinite",
    });
  });

  it("refuses a proxy whose traps throw", () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("go away");
        },
      },
    );
    expect(refusalOf({ a: hostile })).toMatchObject({ path: "/a", reason: "getter", message: "go away" });
  });

  it("refuses what is nested too deeply for the stack instead of ending the program", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200_000; level++) deep = [deep];
    expect(refusalOf(deep)).toMatchObject({ reason: "unsupported" });
  });

  it("takes class instances by their own fields and leaves them as they were", () => {
    class Point {
      readonly #secret = 1;
      x = 1;
      get y() {
        return this.#secret;
      }
    }
    const point = Object.freeze(new Point());
    expect(writeJson({ point })).toEqual({ text: '{"point":{"x":1}}' });
  });

  it("keeps a key named __proto__ as a key", () => {
    const value = JSON.parse('{"__proto__":{"x":1},"constructor":2}');
    expect(writeJson(value)).toEqual({ text: '{"__proto__":{"x":1},"constructor":2}' });
  });
});
