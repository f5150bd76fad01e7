import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Honeyguide, honeyguide } from "./honeyguide.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "honeyguide-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

/** An engine of its own, as another program would have it, and how many texts it had embedded. */
function program(vectorCache: string, revision?: string): { hg: Honeyguide; embedded: () => number } {
  let count = 0;
  const embedder = {
    id: "toy",
    revision,
    dimensions: 2,
    embed: (texts: readonly string[]) => {
      count += texts.length;
      return texts.map((text) => [text.length, 1]);
    },
  };
  return { hg: honeyguide({ embedder, vectorCache, method: "hybrid" }), embedded: () => count };
}

const tools = (...descriptions: string[]) =>
  descriptions.map((description, place) => ({ id: `tool_${place}`, description, execute: () => place }));

it("what one program has embedded no other embeds again, and one edit is one text", async () => {
  const path = join(folder, "vectors");
  const first = program(path);
  first.hg.tools.register(tools("Read a file", "Send a mail"));
  await first.hg.warmUp();
  expect(first.embedded()).toBe(2);

  const second = program(path);
  second.hg.tools.register(tools("Read a file", "Send a mail"));
  expect(await second.hg.warmUp()).toMatchObject({ embedded: 2, total: 2 });
  expect(second.embedded()).toBe(0);

  second.hg.tools.register(tools("Read a whole file"));
  await second.hg.warmUp();
  expect(second.embedded()).toBe(1);
});

it("another revision of the model embeds everything again", async () => {
  const path = join(folder, "vectors");
  for (const revision of ["1", "2"]) {
    const { hg, embedded } = program(path, revision);
    hg.tools.register(tools("Read a file"));
    await hg.warmUp();
    expect(embedded()).toBe(1);
  }
});

it("a cache that fails is said once, and everything is embedded without it", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const { hg, embedded } = program(folder);
  hg.tools.register(tools("Read a file", "Send a mail"));
  expect(await hg.warmUp()).toMatchObject({ embedded: 2, total: 2 });
  expect(embedded()).toBe(2);
  expect(warned).toHaveBeenCalledTimes(1);
  expect(String(warned.mock.calls[0]?.[0])).toContain(folder);
});
