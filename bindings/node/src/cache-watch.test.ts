// Each request is compared with the one before, byte by byte, and the first difference has a place and a name.
import { describe, expect, it } from "vitest";

import { CacheWatch, type WatchedRequest } from "./cache-watch.js";

function watched(...requests: WatchedRequest[]) {
  const watch = new CacheWatch();
  for (const request of requests) watch.note(request);
  return watch.report().map(({ firstDifferingByte, cause }) => [firstDifferingByte, cause]);
}

describe("a request", () => {
  const tools = [{ name: "a" }];
  const toolBytes = JSON.stringify(tools).length;

  it("that only grows holds all of the one before", () => {
    expect(watched({ tools, messages: ["é"] }, { tools, messages: ["é", "b"] })).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it("with other tools differs in its definitions", () => {
    const changed = [{ name: "b" }];
    expect(watched({ tools, messages: ["a"] }, { tools: changed, messages: ["a"] })[1]).toEqual([
      10,
      "tools",
    ]);
  });

  it("with another message differs there, counted in bytes", () => {
    const [, second] = watched({ tools, messages: ["éa", "x"] }, { tools, messages: ["éb", "x"] });
    expect(second).toEqual([toolBytes + 3, "messages[0]"]);
  });

  it("that lost a message differs where it was", () => {
    const [, second] = watched({ tools, messages: ["a", "b"] }, { tools, messages: ["a"] });
    expect(second).toEqual([toolBytes + 3, "messages[1]"]);
  });

  it("has its size in bytes", () => {
    const watch = new CacheWatch();
    watch.note({ tools: [], messages: ["é"] });
    expect(watch.report()).toEqual([{ bytes: 6, firstDifferingByte: null, cause: null }]);
  });
});

it("forgets the oldest requests, and its report is the caller's own", () => {
  const watch = new CacheWatch();
  for (let n = 0; n < 1002; n++) watch.note({ tools: [], messages: [n] });
  const report = watch.report();
  expect([report.length, report[0]?.cause]).toEqual([1000, "messages[0]"]);
  report.length = 0;
  expect(watch.report()).toHaveLength(1000);
});
