import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchHit } from "./generated/types.js";
import { type Honeyguide, honeyguide } from "./honeyguide.js";
import type { SearchResult } from "./replies.js";
import type { Rerank } from "./rerank.js";
import { Transport } from "./transport.js";

let hg: Honeyguide;
beforeEach(() => {
  hg = honeyguide();
  const about = ["a", "b", "c", "d", "e"];
  hg.tools.register(
    about.map((id, place) => ({
      id: `${id}_file`,
      description: `Handles a file ${"again ".repeat(place)}`,
      execute: () => id,
    })),
  );
});

const plain = () => hg.tools.search("handles a file").map(({ id }) => id);
const idsOf = (hits: readonly SearchHit[]) => hits.map(({ id }) => id);

/** Puts what the engine found last first. */
const turned = { rank: (_query: string, hits: readonly SearchHit[]) => hits.map((_, place) => place) };

const model = async (client: Pick<Honeyguide, "call">, query = "handles a file", more: object = {}) =>
  shownIn((await client.call("search_capabilities", { query, ...more })) as SearchResult);
const shownIn = (result: SearchResult | null) =>
  (result?.tools.groups ?? []).flatMap(({ hits }) => hits.map(({ toolId }) => toolId));

function withRanking(rerank: Rerank): Honeyguide {
  const ours = honeyguide({ rerank });
  ours.load(hg.save());
  return ours;
}

describe("an engine with a ranking of the application's", () => {
  it("has it order the model's own search, a recall and its searches, and cuts the pages afterwards", async () => {
    const ours = withRanking(turned);
    const expected = plain().reverse();
    expect(await model(ours)).toEqual(expected);
    expect(await model(ours, undefined, { topKTools: 2 })).toEqual(expected.slice(0, 2));
    expect(shownIn(await ours.recall("handles a file", { topKTools: 3 }))).toEqual(expected.slice(0, 3));
    expect(await model(ours.session("s"))).toEqual(expected);
    expect(shownIn(await ours.session("s").recall("handles a file"))).toEqual(expected);
    expect(idsOf(await ours.tools.searchAsync("handles a file"))).toEqual(expected);
    expect(idsOf(await ours.session("s").tools.searchAsync("handles a file"))).toEqual(expected);
  });

  it("leaves a search alone that wants none, and one without a promise", async () => {
    const ours = withRanking(turned);
    expect(idsOf(await ours.tools.searchAsync("handles a file", { rerank: null }))).toEqual(plain());
    expect(idsOf(ours.tools.search("handles a file"))).toEqual(plain());
    expect(await ours.recall("xylophone")).toBeNull();
  });

  it("tells it tools and skills, no more than it wants, and leaves a named tool in front", async () => {
    const rank = vi.fn(turned.rank);
    const ours = withRanking({ rank, top: 4 });
    ours.skills.register([{ id: "filing", description: "Handles a file", body: "x" }]);
    expect((await model(ours, "handles a file with c_file"))[0]).toBe("c_file");
    const [query, hits] = rank.mock.calls[0] ?? [];
    expect(query).toBe("handles a file with c_file");
    expect(hits?.map(({ id, description }) => [id, typeof description])).toEqual(
      ["a_file", "b_file", "d_file"].map((id) => [id, "string"]),
    );
  });

  it.each<[string, () => unknown, string]>([
    ["throws", () => Promise.reject(new TypeError("no model")), "tool_failed"],
    ["gives too few numbers", () => [1], "tool_failed"],
    ["never ends", () => new Promise(() => {}), "timeout"],
  ])("keeps the engine's order when it %s, and says why", async (_what, rank, code) => {
    const onFailure = vi.fn();
    const ours = withRanking({ rank: rank as () => number[], timeoutMs: 5, onFailure });
    expect(await model(ours)).toEqual(plain());
    expect(shownIn(await ours.recall("handles a file"))).toEqual(plain());
    expect(onFailure.mock.calls.map(([failure]) => failure.code)).toEqual([code, code]);
  });

  it("ends a recall with the caller who gives up", async () => {
    const controller = new AbortController();
    const rank = () => {
      controller.abort(new Error("enough"));
      return new Promise<number[]>(() => {});
    };
    const recalled = withRanking({ rank }).recall("handles a file", { signal: controller.signal });
    await expect(recalled).rejects.toThrow("enough");
  });

  it("is refused when it is none", async () => {
    const none = {} as unknown as Rerank;
    expect(() => honeyguide({ rerank: none })).toThrow(expect.objectContaining({ code: "invalid_request" }));
    const search = hg.tools.searchAsync("handles a file", { rerank: none });
    await expect(search).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a search with a ranking of the application's", () => {
  it("orders the best hits by it, and shows no more of them than was asked for", async () => {
    const hits = await hg.tools.searchAsync("handles a file", { rerank: turned });
    expect(idsOf(hits)).toEqual(plain().reverse());
    expect(hits.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4]);
    expect(Object.keys(hits[0] ?? {}).sort()).toEqual(["id", "rank", "score"]);
  });

  it("has the engine search once, whatever page is asked for", async () => {
    const search = vi.spyOn(Transport.prototype, "sendAsync");
    await hg.tools.searchAsync("handles a file", { topK: 2, offset: 1, rerank: turned });
    expect(search.mock.calls.map(([operation]) => operation)).toEqual(["search"]);
    search.mockRestore();
  });

  it("leaves the parts of a hit as they were asked for", async () => {
    const include = ["description"] as const;
    const [hit] = await hg.tools.searchAsync("handles a file", {
      include: [...include],
      explain: true,
      rerank: turned,
    });
    expect(Object.keys(hit ?? {}).sort()).toEqual(["description", "explanation", "id", "rank", "score"]);
  });

  it("is told the query and hits with descriptions, no more than it wants", async () => {
    const rank = vi.fn((_query: string, hits: readonly SearchHit[]) => hits.map(() => 0));
    const hits = await hg.tools.searchAsync("handles a file", { rerank: { rank, top: 2 } });
    expect(rank.mock.calls[0]?.[0]).toBe("handles a file");
    expect(rank.mock.calls[0]?.[1].map(({ description }) => typeof description)).toEqual([
      "string",
      "string",
    ]);
    expect(idsOf(hits)).toEqual(plain());
  });

  it("cuts the page after the best were ordered", async () => {
    const all = plain().reverse();
    expect(idsOf(await hg.tools.searchAsync("handles a file", { topK: 2, rerank: turned }))).toEqual(
      all.slice(0, 2),
    );
    const second = await hg.tools.searchAsync("handles a file", { topK: 2, offset: 2, rerank: turned });
    expect(idsOf(second)).toEqual(all.slice(2, 4));
  });

  it("leaves a named tool in front", async () => {
    const hits = await hg.tools.searchAsync("handles a file with c_file", { rerank: turned });
    expect(hits[0]?.id).toBe("c_file");
    expect(hits.length).toBe(5);
  });

  it.each<[string, () => unknown, string]>([
    ["throws", () => Promise.reject(new TypeError("no model")), "tool_failed"],
    ["gives too few numbers", () => [1], "tool_failed"],
    ["gives a number that is none", () => [1, 2, 3, 4, Number.NaN], "tool_failed"],
    ["gives nothing", () => undefined, "tool_failed"],
    ["never ends", () => new Promise(() => {}), "timeout"],
  ])("keeps the engine's order when it %s, and says why", async (_what, rank, code) => {
    const onFailure = vi.fn();
    const rerank = { rank: rank as () => number[], timeoutMs: 5, onFailure };
    expect(idsOf(await hg.tools.searchAsync("handles a file", { rerank }))).toEqual(plain());
    expect(onFailure).toHaveBeenCalledWith(expect.objectContaining({ code }));
  });

  it("keeps to itself what a listener to the failure does, at once or later", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const rank = () => Promise.reject(new Error("no model"));
    for (const onFailure of [
      () => {
        throw new Error("not listening");
      },
      async () => {
        throw new Error("not listening later");
      },
    ]) {
      expect(idsOf(await hg.tools.searchAsync("handles a file", { rerank: { rank, onFailure } }))).toEqual(
        plain(),
      );
    }
    await vi.waitFor(() => expect(warned).toHaveBeenCalledTimes(2));
    warned.mockRestore();
  });

  it("keeps its hits from what the ranking does to them", async () => {
    const rank = (_query: string, hits: readonly SearchHit[]) => {
      for (const hit of hits) hit.id = "another";
      return hits.map(() => 0);
    };
    expect(idsOf(await hg.tools.searchAsync("handles a file", { rerank: { rank } }))).toEqual(plain());
  });

  it("ends with the caller who gives up", async () => {
    const controller = new AbortController();
    const rank = () => {
      controller.abort(new Error("enough"));
      return new Promise<number[]>(() => {});
    };
    const search = hg.tools.searchAsync("handles a file", { rerank: { rank }, signal: controller.signal });
    await expect(search).rejects.toThrow("enough");
  });
});
