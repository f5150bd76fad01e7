// What the compiler knows of an application's tools.
import { type } from "arktype";
import * as valibot from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import * as zod from "zod";
import * as zod3 from "zod3";

import type { Adapter } from "./adapter.js";
import type { Explanation, NeedHit, SearchHit, SearchNeedsResponse, Status } from "./generated/types.js";
import { honeyguide } from "./honeyguide.js";
import type { WarmedUp } from "./meaning.js";
import type { SearchResult } from "./replies.js";
import type { CallContext, Tool } from "./tool.js";

const hg = honeyguide();

describe("execute", () => {
  it("gets the type of a zod 4 schema, after defaults", () => {
    hg.tools.register({
      id: "a",
      inputSchema: zod.object({ city: zod.string(), days: zod.number().default(1) }),
      execute(args, call) {
        expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>();
        expectTypeOf(call).toEqualTypeOf<CallContext>();
      },
    });
  });

  it("gets the type of a zod 3, valibot or arktype schema", () => {
    hg.tools.register({
      id: "a",
      inputSchema: zod3.z.object({ city: zod3.z.string() }),
      execute: (args) => expectTypeOf(args).toEqualTypeOf<{ city: string }>(),
    });
    hg.tools.register({
      id: "a",
      inputSchema: valibot.object({ city: valibot.string() }),
      execute: (args) => expectTypeOf(args).toEqualTypeOf<{ city: string }>(),
    });
    hg.tools.register({
      id: "a",
      inputSchema: type({ city: "string" }),
      execute: (args) => expectTypeOf(args).toEqualTypeOf<{ city: string }>(),
    });
  });

  it("gets each tool's own type in a list", () => {
    hg.tools.register([
      {
        id: "a",
        inputSchema: zod.object({ city: zod.string() }),
        execute: (args) => expectTypeOf(args).toEqualTypeOf<{ city: string }>(),
      },
      {
        id: "b",
        inputSchema: zod.object({ n: zod.number() }),
        execute: (args) => expectTypeOf(args).toEqualTypeOf<{ n: number }>(),
      },
    ]);
  });

  it("may name its arguments' type itself when the schema is plain JSON Schema", () => {
    interface Weather {
      city: string;
    }
    const inputSchema = { type: "object", properties: { city: { type: "string" } } };
    hg.tools.register({ id: "a", inputSchema, execute: (args: Weather) => args.city });
    hg.tools.register({ id: "a", inputSchema, execute: ({ city }) => city });
    hg.tools.register({ id: "a", execute: () => 1 });
  });

  it("is required", () => {
    // @ts-expect-error a tool without a function cannot be registered
    hg.tools.register({ id: "a", description: "b" });
  });
});

describe("items", () => {
  it("may be frozen, and lists of tools may be built at run time", () => {
    const frozen = { id: "a", tags: ["x"], execute: () => 1 } as const;
    hg.tools.register(frozen);
    hg.tools.register([frozen] as readonly Tool[]);
    hg.skills.register([{ id: "s", body: "b", tools: ["a"] }] as const);
    hg.facts.register({ id: "f", body: "b", pin: "always" });
  });

  it("have known fields only", () => {
    // @ts-expect-error `descripton` is not a field
    hg.skills.register({ id: "s", descripton: "typo" });
    // @ts-expect-error an id is text
    hg.facts.register({ id: 1, body: "b" });
  });
});

describe("answers", () => {
  it("have types", () => {
    expectTypeOf(hg.tools.search("x", { topK: 1 })).toEqualTypeOf<SearchHit[]>();
    expectTypeOf(hg.tools.searchAsync("x")).toEqualTypeOf<Promise<SearchHit[]>>();
    expectTypeOf(hg.tools.search("x", { explain: true })[0]?.explanation).toEqualTypeOf<
      Explanation | undefined
    >();
    expectTypeOf(hg.tools.searchNeeds(["x", "y"], { topK: 1 }).hits).toEqualTypeOf<NeedHit[]>();
    expectTypeOf(hg.session("s").skills.searchNeeds("x").needs[0]?.status).toEqualTypeOf<
      Status | undefined
    >();
    expectTypeOf(hg.tools.searchNeedsAsync(["x"], { method: "hybrid", strict: true })).toEqualTypeOf<
      Promise<SearchNeedsResponse>
    >();
    hg.tools.search("x", { queryVector: new Float32Array(3) });
    // @ts-expect-error why there is no vector is for the package to say
    hg.tools.search("x", { degraded: "timeout" });
    const embed = async (texts: readonly string[]) => texts.map(() => new Float32Array(3));
    const near = honeyguide({ embedder: { id: "m", dimensions: 3, embed }, method: "hybrid" });
    expectTypeOf(near.warmUp({ onProgress: ({ embedded }) => embedded })).toEqualTypeOf<Promise<WarmedUp>>();
    // @ts-expect-error an embedder says how long its vectors are
    honeyguide({ embedder: { id: "m", embed } });
    expectTypeOf(hg.recall("x")).toEqualTypeOf<Promise<SearchResult | null>>();
    expectTypeOf(hg.tools.get("x")).toExtend<{ id: string } | null>();
    expectTypeOf(hg.modelTools()[0]?.inputSchema).toEqualTypeOf<Record<string, unknown> | undefined>();
    expectTypeOf(hg.call("x", {})).toEqualTypeOf<Promise<unknown>>();
  });
});

describe("an adapter", () => {
  it("gives the view its framework's types and what it adds", () => {
    interface Theirs {
      run(): void;
    }
    const adapter = {} as Adapter<Theirs, { role: "system" }, { prepareStep: () => void }>;
    const view = hg.adaptTo(adapter);
    expectTypeOf(view.modelTools()).toEqualTypeOf<Record<string, Theirs>>();
    expectTypeOf(view.recall("x")).toEqualTypeOf<Promise<{ role: "system" }[]>>();
    expectTypeOf(view.prepareStep).toEqualTypeOf<() => void>();
  });
});
