// Searches by meaning through the facade: who embeds what when, and what is answered while that is not done or fails.

import { describe, expect, it, vi } from "vitest";

import { Disclosing } from "./disclosure.js";
import type { Embedder } from "./embedder.js";
import { type Honeyguide, honeyguide } from "./honeyguide.js";
import type { SearchResult } from "./replies.js";

const directions = [["delete", "erase"], ["create"], ["weather"]];

/** How many words of each direction a text has, and a little of everything. */
function vectorOf(text: string): number[] {
  const counts = directions.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length);
  return [...counts, 0.1];
}

function toy(changes: Partial<Embedder> = {}): Embedder & { asked: [string[], string][] } {
  const asked: [string[], string][] = [];
  return {
    id: "toy",
    dimensions: 4,
    embed: async (texts) => texts.map(vectorOf),
    ...changes,
    asked,
  };
}

/** The same, noting what it is asked for. */
function noting(embedder: ReturnType<typeof toy>): ReturnType<typeof toy> {
  const { embed } = embedder;
  return {
    ...embedder,
    embed: (texts, role, options) => {
      embedder.asked.push([[...texts], role]);
      return embed(texts, role, options);
    },
  };
}

const tools = ["create_flow", "delete_flow", "get_weather"].map((id) => ({
  id,
  description: `It can ${id.replace("_", " a ")}`,
  execute: () => id,
}));

function open(embedder: Embedder, method: "hybrid" | "lexical" = "hybrid"): Honeyguide {
  const hg = honeyguide({ embedder, method });
  hg.tools.register(tools);
  return hg;
}

describe("warmUp", () => {
  it("embeds what is missing, once, and tells how far it is", async () => {
    const embedder = noting(toy());
    const hg = open(embedder);
    const told: unknown[] = [];
    const both = await Promise.all([
      hg.warmUp({ onProgress: (progress) => told.push(progress) }),
      hg.warmUp(),
    ]);
    expect(both[0]).toEqual({ embedded: 3, total: 3, refused: [] });
    expect(both[1]).toEqual(both[0]);
    expect(told).toEqual([{ embedded: 3, total: 3 }]);
    expect(embedder.asked).toEqual([
      [
        [
          "create flow\nIt can create a flow",
          "delete flow\nIt can delete a flow",
          "get weather\nIt can get a weather",
        ],
        "document",
      ],
    ]);
    hg.tools.remove("create_flow");
    hg.tools.register(tools);
    expect(await hg.warmUp()).toEqual({ embedded: 3, total: 3, refused: [] });
    expect(embedder.asked).toHaveLength(1);
  });

  it("embeds in batches, and goes on after a text whose vector is none", async () => {
    const embedder = noting(
      toy({
        embed: async (texts) =>
          texts.map((text) => (text.includes("number 7\n") ? [0, 0, 0, 0] : vectorOf(text))),
      }),
    );
    const hg = honeyguide({ embedder, method: "hybrid" });
    hg.skills.register(
      Array.from({ length: 150 }, (_, n) => ({ id: `number ${n}`, description: "x", body: "" })),
    );
    const { embedded, total, refused } = await hg.warmUp();
    expect([embedded, total, refused.map(({ code }) => code)]).toEqual([149, 150, ["invalid_vector"]]);
    expect(embedder.asked.map(([texts]) => texts.length)).toEqual([64, 64, 22]);
  });

  it.each([
    ["throws", async () => Promise.reject(new RangeError("no")), "embedding_failed"],
    [
      "throws at once",
      () => {
        throw new RangeError("no");
      },
      "embedding_failed",
    ],
    ["gives too few", async () => [[1, 2, 3, 4]], "embedding_failed"],
    ["gives no list", async () => ({ data: [] }) as never, "embedding_failed"],
    ["gives texts", async (texts: readonly string[]) => texts as never, "embedding_failed"],
    ["gives other dimensions", async (texts: readonly string[]) => texts.map(() => [1, 2]), "invalid_vector"],
    [
      "gives NaN",
      async (texts: readonly string[]) => texts.map(() => [1, Number.NaN, 0, 0]),
      "invalid_vector",
    ],
  ] satisfies [string, Embedder["embed"], string][])(
    "an embedder that %s is an error and words go on",
    async (_, embed, code) => {
      const hg = open(toy({ embed }));
      await expect(hg.warmUp()).rejects.toMatchObject({ code });
      expect((await hg.tools.searchAsync("delete flow"))[0]?.id).toBe("delete_flow");
      await expect(hg.tools.searchAsync("delete flow", { strict: true })).rejects.toMatchObject({
        code: "no_vectors",
      });
    },
  );

  it("waits no longer than its signal, and what is under way goes on", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hg = open(toy({ embed: async (texts) => gate.then(() => texts.map(vectorOf)) }));
    await expect(hg.warmUp({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
    const controller = new AbortController();
    const waiting = hg.warmUp({ signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    release();
    expect(await hg.warmUp()).toMatchObject({ embedded: 3 });
  });

  it("without an embedder is refused", async () => {
    await expect(honeyguide().warmUp()).rejects.toMatchObject({ code: "method_unavailable" });
  });
});

describe("a first search by meaning", () => {
  it("goes by words, says so, and begins to embed without waiting", async () => {
    const embedder = noting(toy());
    const hg = open(embedder);
    const reply = (await hg.call("search_capabilities", { query: "delete flow" })) as SearchResult;
    expect(reply.degraded).toBe("no_vectors");
    expect(reply.tools.groups[0]?.hits[0]?.toolId).toBe("delete_flow");
    await hg.warmUp();
    expect(embedder.asked.map(([, role]) => role)).toEqual(["document"]);
    const next = (await hg.call("search_capabilities", { query: "erase it" })) as SearchResult;
    expect([next.degraded, next.tools.groups[0]?.hits[0]?.toolId]).toEqual([undefined, "delete_flow"]);
    expect(embedder.asked.map(([texts]) => texts).at(-1)).toEqual(["erase it"]);
  });

  it("does not try again at once after a failure", async () => {
    const embed = vi.fn(async () => Promise.reject(new Error("down")));
    const hg = open(toy({ embed }));
    for (let turn = 0; turn < 5; turn += 1) {
      await hg.tools.searchAsync("delete flow");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(embed).toHaveBeenCalledTimes(1);
  });

  it("of an engine that ranks by words embeds nothing", async () => {
    const embedder = noting(toy());
    const hg = open(embedder, "lexical");
    await hg.call("search_capabilities", { query: "delete flow" });
    await hg.tools.searchAsync("delete flow");
    expect(await hg.recall("delete flow")).not.toHaveProperty("degraded");
    expect(embedder.asked).toEqual([]);
  });
});

describe("searches by meaning", () => {
  it("follow the method of the engine, or their own", async () => {
    const embedder = noting(toy());
    const hg = open(embedder);
    await hg.warmUp();
    for (const search of [hg.tools, hg.session("s").tools]) {
      expect((await search.searchAsync("erase it"))[0]?.id).toBe("delete_flow");
      expect((await search.searchAsync("erase it", { method: "semantic" }))[0]?.id).toBe("delete_flow");
    }
    const asked = embedder.asked.length;
    await hg.tools.searchAsync("erase it", { method: "lexical" });
    await hg.tools.searchAsync("  ");
    expect(embedder.asked).toHaveLength(asked);
    const needs = await hg.tools.searchNeedsAsync(["erase it", "weather"]);
    expect(needs.hits.map(({ id }) => id).slice(0, 2)).toEqual(["delete_flow", "get_weather"]);
    expect(needs).toMatchObject({ coverage: { embedded: 3, total: 3 } });
    const recalled = await hg.recall("erase it");
    expect(recalled?.tools.groups[0]?.hits[0]?.toolId).toBe("delete_flow");
  });

  it("find the best few that a request lists, in a view and in a conversation too", async () => {
    const hg = open(toy());
    await hg.warmUp();
    const wanted = { mode: "replace", query: "erase it", topK: 1 } as const;
    for (const place of [hg, hg.session("s")]) {
      const { exposed, degraded } = await place.discloseAsync(wanted);
      expect([exposed.map(({ toolId }) => toolId), degraded]).toEqual([["delete_flow"], undefined]);
    }
    const queryVector = Float32Array.from(vectorOf("erase it"));
    expect(hg.disclose({ ...wanted, queryVector }).exposed[0]?.toolId).toBe("delete_flow");
    expect(hg.disclose(wanted).degraded).toBe("no_embedder");
    const view = new Disclosing(hg, { mode: "replace", topK: 1 }, () => []);
    expect((await view.listed("erase it"))?.slice(3)).toEqual(["delete_flow"]);
    const hinting = new Disclosing(hg, { mode: "suggest", topK: 1 }, () => []);
    expect((await hinting.recalled("erase it"))?.hint).toContain("`delete_flow`");
  });

  it("take a vector of the caller's own at once", async () => {
    const hg = open(toy());
    await hg.warmUp();
    const options = { queryVector: Float32Array.from(vectorOf("erase it")), method: "semantic" } as const;
    expect(hg.tools.search("?", options)[0]?.id).toBe("delete_flow");
    expect((await hg.tools.searchAsync("?", options))[0]?.id).toBe("delete_flow");
    expect(() => hg.tools.search("?", { method: "hybrid" })).toThrowError(/searchAsync/);
  });

  it("that fail go by words, or not at all when they are strict", async () => {
    let answer: Embedder["embed"] = async (texts) => texts.map(vectorOf);
    const hg = open(toy({ timeoutMs: 5, embed: (...args) => answer(...args) }));
    await hg.warmUp();
    const cases: [Embedder["embed"], string][] = [
      [async () => Promise.reject(new Error("down")), "embedding_failed"],
      [async () => [[1, 2]], "embedding_failed"],
      [async () => [[Number.NaN, 0, 0, 1]], "embedding_failed"],
      [async () => [[0, 0, 0, 0]], "embedding_failed"],
      [async () => [], "embedding_failed"],
      [() => new Promise(() => {}), "timeout"],
    ];
    for (const [broken, reason] of cases) {
      answer = broken;
      expect((await hg.tools.searchAsync("delete flow"))[0]?.id).toBe("delete_flow");
      expect((await hg.tools.searchNeedsAsync("delete flow")).degraded).toBe(reason);
      await expect(hg.tools.searchAsync("delete flow", { strict: true })).rejects.toMatchObject({
        code: reason,
      });
      const reply = (await hg.call("search_capabilities", { query: "delete flow" })) as SearchResult;
      expect([reply.degraded, reply.status]).toEqual([reason, "ok"]);
      expect((await hg.recall("delete flow"))?.degraded).toBe(reason);
      await expect(hg.recall("delete flow", { strict: true })).rejects.toMatchObject({ code: reason });
      const wanted = { mode: "replace", query: "delete flow", topK: 1 } as const;
      expect(await hg.discloseAsync(wanted)).toMatchObject({
        exposed: [{ toolId: "delete_flow" }],
        degraded: reason,
      });
    }
  });

  it("that are given up throw, a recall and a disclosure among them", async () => {
    const hg = open(toy());
    await hg.warmUp();
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(hg.recall("erase it", { signal })).rejects.toThrow("enough");
    await expect(hg.discloseAsync({ query: "erase it", signal })).rejects.toThrow("enough");
  });

  it("that are given up throw, and a model's call is answered by words", async () => {
    let answer: Embedder["embed"] = async (texts) => texts.map(vectorOf);
    const hg = open(toy({ embed: (...args) => answer(...args) }));
    await hg.warmUp();
    answer = () => new Promise(() => {});
    const signal = AbortSignal.abort();
    await expect(hg.tools.searchAsync("delete flow", { signal })).rejects.toMatchObject({ code: "aborted" });
    const reply = (await hg.call(
      "search_capabilities",
      { query: "delete flow" },
      { signal },
    )) as SearchResult;
    expect(reply.degraded).toBe("aborted");
  });

  it("find what was saved and loaded without embedding it again", async () => {
    const hg = open(toy());
    await hg.warmUp();
    const embedder = noting(toy());
    const other = honeyguide({ embedder, method: "hybrid" });
    other.load(hg.save());
    expect((await other.tools.searchAsync("erase it"))[0]?.id).toBe("delete_flow");
    expect(embedder.asked).toEqual([[["erase it"], "query"]]);
  });

  it("refuse what is no embedder", () => {
    expect(() => honeyguide({ embedder: { id: "m", dimensions: 3 } as never })).toThrowError(/embed/);
    expect(() => honeyguide({ embedder: toy({ dimensions: 0 }) })).toThrowError(/dimensions/);
    expect(() => honeyguide({ embedder: toy({ scripts: ["Klingon"] }) })).toThrowError(/Klingon/);
    expect(() => honeyguide({ embedder: toy({ languages: ["English"] }) })).toThrowError(/English/);
    expect(() => honeyguide({ embedder: toy({ languages: "en" as never }) })).toThrowError(/"en"/);
    expect(() => honeyguide({ embedder: toy({ scripts: "Latn" as never }) })).toThrowError(/"Latn"/);
    expect(() => honeyguide({ method: "hybrid" })).toThrowError(/embedder/);
  });
});
