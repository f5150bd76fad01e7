// An item is read once, never changed; what is wrong with it becomes a record that keeps its place.
import { describe, expect, it } from "vitest";
import * as zod from "zod";

import { readItem } from "./item.js";
import type { CallContext } from "./tool.js";

const call = { toolId: "x" } as CallContext;

function definitionOf(item: unknown) {
  return JSON.parse(readItem(item, "tool").json.text) as Record<string, unknown>;
}

describe("readItem", () => {
  it("writes the definition without the function, in the order of the fields", () => {
    const item = {
      description: "d",
      id: "x",
      inputSchema: { z: 1, a: 2 },
      execute: () => 1,
      onDone: () => 2,
      no: undefined,
    };
    expect(readItem(item, "tool").json.text).toBe('{"id":"x","description":"d","inputSchema":{"z":1,"a":2}}');
  });

  it("runs the function of the object it came from, private fields and all", () => {
    class Counter {
      #count = 0;
      id = "count";
      get description() {
        return "Counts";
      }
      execute({ by }: { by: number }) {
        this.#count += by;
        return this.#count;
      }
    }
    const counter = new Counter();
    const read = readItem(counter, "tool");
    expect(JSON.parse(read.json.text)).toEqual({ id: "count", description: "Counts" });
    expect([read.execute?.({ by: 2 }, call), read.execute?.({ by: 3 }, call)]).toEqual([2, 5]);
  });

  it("leaves a frozen item as it was", () => {
    const item = Object.freeze({ id: "x", tags: Object.freeze(["a"]), execute: () => 1 });
    expect(definitionOf(item)).toEqual({ id: "x", tags: ["a"] });
  });

  it("reads each field once", () => {
    let reads = 0;
    const item = {
      get id() {
        reads++;
        return `x${reads}`;
      },
      execute: () => 1,
    };
    expect(readItem(item, "tool")).toMatchObject({ id: "x1", json: { text: '{"id":"x1"}' } });
    expect(reads).toBe(1);
  });

  it.each([
    ["text", "x", { path: "", reason: "notAnObject" }],
    ["null", null, { path: "", reason: "notAnObject" }],
    ["a list", [], { path: "", reason: "notAnObject" }],
    ["a tool without a function", { id: "x" }, { id: "x", path: "/execute", reason: "missingExecutor" }],
    [
      "NaN deep in a schema",
      { id: "x", inputSchema: { a: [Number.NaN] } },
      { id: "x", path: "/inputSchema/a/0", reason: "notFinite" },
    ],
    ["half a surrogate pair in the id", { id: "\ud800" }, { path: "/id", reason: "loneSurrogate" }],
    [
      "a schema that is a promise",
      { id: "x", inputSchema: Promise.resolve() },
      { id: "x", path: "/inputSchema", reason: "schema" },
    ],
    [
      "a schema that JSON cannot say",
      { id: "x", inputSchema: zod.date() },
      { id: "x", path: "/inputSchema", reason: "schema" },
    ],
  ])("refuses %s", (_, item, refusal) => {
    expect(definitionOf(item)).toMatchObject({ $refused: refusal });
    expect(readItem(item, "tool").execute).toBeUndefined();
  });

  it("names the id of an item whose later field throws", () => {
    const item = {
      get description(): never {
        throw new Error("not today");
      },
      id: "x",
      execute: () => 1,
    };
    expect(definitionOf(item)).toEqual({
      $refused: { id: "x", path: "/description", reason: "getter", message: "not today" },
    });
  });

  it("refuses an item that is a hostile proxy", () => {
    const trap = () => {
      throw new Error("go away");
    };
    const hostile = new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, has: trap });
    expect(definitionOf(hostile)).toMatchObject({ $refused: { reason: "getter", message: "go away" } });
  });

  it("gives the function what the schema makes of the arguments", async () => {
    const inputSchema = zod.object({ n: zod.coerce.number().default(3) });
    const read = readItem({ id: "x", inputSchema, execute: (args: unknown) => args }, "tool");
    expect(await read.execute?.({}, call)).toEqual({ n: 3 });
  });

  it("throws what the schema says of arguments that it refuses", async () => {
    const inputSchema = zod.object({
      a: zod.object({ even: zod.number().refine((n) => n % 2 === 0, "must be even") }),
    });
    const read = readItem({ id: "x", inputSchema, execute: () => "ran" }, "tool");
    expect(() => read.execute?.({ a: { even: 3 } }, call)).toThrow("`/a/even`: must be even");
  });

  it("waits for a schema that checks asynchronously", async () => {
    const inputSchema = zod.object({ n: zod.number().refine(async (n) => n > 1, "too small") });
    const read = readItem({ id: "x", inputSchema, execute: () => "ran" }, "tool");
    await expect(read.execute?.({ n: 2 }, call)).resolves.toBe("ran");
    await expect(read.execute?.({ n: 1 }, call)).rejects.toMatchObject({ code: "invalid_arguments" });
  });
});
