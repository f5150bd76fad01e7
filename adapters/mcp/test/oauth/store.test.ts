// A folder of the store that cannot be made is said at once, whoever waits.

import { mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CredentialStore } from "../../src/oauth/store.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "store-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const note = () => ({ generation: 1 });

describe.skipIf(process.platform === "win32")("the folder of the store", () => {
  it("ends with an error below a link to nowhere", async () => {
    symlinkSync(join(root, "nowhere", "config"), join(root, ".config"));
    const store = new CredentialStore(join(root, ".config", "honeyguide", "credentials.json"));
    await expect(store.update("https://mcp.example/mcp", note)).rejects.toMatchObject({
      code: "store_unusable",
    });
  });

  it("is made with those above it, for its owner only", async () => {
    const store = new CredentialStore(join(root, "a", "b", "credentials.json"));
    await store.update("https://mcp.example/mcp", note);
    expect(statSync(join(root, "a", "b")).mode & 0o777).toBe(0o700);
    expect(store.read("https://mcp.example/mcp")?.generation).toBe(1);
  });
});
