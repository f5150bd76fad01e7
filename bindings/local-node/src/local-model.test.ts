import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { localModel } from "./index.js";

const tokenizer = fileURLToPath(new URL("../../../core/model/tests/golden/wordpiece.json", import.meta.url));
const tokens = Object.keys(JSON.parse(readFileSync(tokenizer, "utf8")).model.vocab).length;
const width = 8;
let folder: string;

/** A static model: a table of one vector for each token, whose first value is the token's number. */
function writeModel(path: string): void {
  mkdirSync(path, { recursive: true });
  copyFileSync(tokenizer, join(path, "tokenizer.json"));
  writeFileSync(join(path, "config.json"), JSON.stringify({ model_type: "model2vec", normalize: false }));
  const table = Float32Array.from({ length: tokens * width }, (_, at) =>
    at % width === 0 ? at / width : (at % 7) / 7,
  );
  const header = JSON.stringify({
    embeddings: { dtype: "F32", shape: [tokens, width], data_offsets: [0, table.byteLength] },
  });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  writeFileSync(
    join(path, "model.safetensors"),
    Buffer.concat([length, Buffer.from(header), Buffer.from(table.buffer)]),
  );
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "honeyguide-local-"));
  writeModel(join(folder, "tiny"));
});

afterAll(() => rmSync(folder, { recursive: true }));

const tiny = (options = {}) => localModel({ path: join(folder, "tiny"), ...options });

describe("a local model", () => {
  it("says what it is before it is read", () => {
    const model = tiny();
    expect(model.id).toBe("tiny");
    expect(model.dimensions).toBe(width);
    expect(model.maxTokens).toBe(512);
    expect(model.prefixes).toEqual({ query: "", document: "" });
    expect(model.scripts).toContain("Latin");
    expect(model.languages).toEqual([]);
    expect(model.revision).toMatch(/^[0-9a-f]{32}$/);
    expect(model.revision).not.toBe(tiny({ prefixes: { query: "query: " } }).revision);
  });

  it("gives one vector for each text, in order", async () => {
    const [cat, mat, nothing] = await tiny().embed(["cat", "mat", ""], "document");
    expect(cat).toBeInstanceOf(Float32Array);
    expect(cat).toHaveLength(width);
    // The numbers of the tokens in the vocabulary.
    expect(cat?.[0]).toBe(5);
    expect(mat?.[0]).toBe(8);
    expect(nothing).toEqual(new Float32Array(width));
    await expect(tiny().embed([], "query")).resolves.toEqual([]);
  });

  it("writes a prefix before texts of its role only", async () => {
    const model = tiny({ prefixes: { query: "cat ", document: "" } });
    const [[query], [document]] = [
      await model.embed(["mat"], "query"),
      await model.embed(["mat"], "document"),
    ];
    expect(query?.[0]).toBe(6.5);
    expect(document?.[0]).toBe(8);
  });

  it("lets the event loop tick while it embeds", async () => {
    const model = tiny({ threads: 1 });
    await model.warmUp();
    let ticks = 0;
    let running = true;
    const tick = () => {
      ticks += 1;
      if (running) setImmediate(tick);
    };
    setImmediate(tick);
    await model.embed(
      Array.from({ length: 20_000 }, () => "the cat sat on the mat "),
      "document",
    );
    running = false;
    // A call that blocked the loop would come back before the second tick.
    expect(ticks).toBeGreaterThan(2);
  });

  it("tells how far it is, and ends with all", async () => {
    const seen: number[] = [];
    const texts = Array.from({ length: 5_000 }, () => "the cat sat on the mat ");
    await tiny().embed(texts, "document", { onProgress: ({ done, total }) => seen.push(done / total) });
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((one, other) => one - other));
  });

  it("ends when it is no longer wanted", async () => {
    const model = tiny({ threads: 1 });
    const before = AbortSignal.abort("enough");
    await expect(model.embed(["cat"], "query", { signal: before })).rejects.toMatchObject({
      code: "aborted",
      cause: "enough",
    });
    const controller = new AbortController();
    const texts = Array.from({ length: 200_000 }, () => "the cat sat on the mat");
    const pending = model.embed(texts, "document", { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(pending).rejects.toMatchObject({ code: "aborted" });
    await expect(model.embed(["cat"], "query")).resolves.toHaveLength(1);
  });

  it("names what is missing or wrong in the shape of honeyguide's errors", async () => {
    expect(() => localModel({ path: join(folder, "nowhere") })).toThrow(
      expect.objectContaining({ name: "HoneyguideError", code: "model_missing_file", category: "not_found" }),
    );
    const without = join(folder, "without");
    writeModel(without);
    rmSync(join(without, "model.safetensors"));
    expect(() => localModel({ path: without })).toThrow(
      expect.objectContaining({
        code: "model_missing_file",
        details: { file: "model.safetensors", path: without },
      }),
    );
    const marker = Symbol.for("honeyguide.error");
    expect(() => tiny({ threads: -1 })).toThrow(
      expect.objectContaining({ code: "model_invalid_option", [marker]: true }),
    );
    // @ts-expect-error: no such role
    await expect(tiny().embed(["cat"], "passage")).rejects.toMatchObject({ code: "model_invalid_option" });
  });

  it("keeps a broken file for the first use, and says so each time", async () => {
    const broken = join(folder, "broken");
    writeModel(broken);
    writeFileSync(join(broken, "tokenizer.json"), "{");
    const model = localModel({ path: broken });
    await expect(model.warmUp()).rejects.toMatchObject({ code: "model_unreadable" });
    await expect(model.embed(["cat"], "query")).rejects.toMatchObject({ code: "model_unreadable" });
  });
});
