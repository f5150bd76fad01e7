import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchHit } from "./generated/types.js";
import { type Honeyguide, honeyguide } from "./honeyguide.js";

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

describe("a search with a ranking of the application's", () => {
  it("orders the best hits by it, and shows no more of them than was asked for", async () => {
    const hits = await hg.tools.searchAsync("handles a file", { rerank: turned });
    expect(idsOf(hits)).toEqual(plain().reverse());
    expect(hits.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4]);
    expect(Object.keys(hits[0] ?? {}).sort()).toEqual(["id", "rank", "score"]);
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
