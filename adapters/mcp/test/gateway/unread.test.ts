// A client that reads nothing of what it is told beside the protocol: it is served all the same, and nothing piles up for it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { Log, writeComplaint } from "../../src/gateway/log.js";

const launcher = fileURLToPath(new URL("../../../../bindings/node/bin/honeyguide.mjs", import.meta.url));

it("a client that does not read standard error is answered and obeyed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "honeyguide-unread-"));
  writeFileSync(join(folder, "SKILL.md"), "---\nname: a\ndescription: b\n---\nc\n");
  const gateway = spawn(process.execPath, [launcher, "mcp", "--verbose", "--skills", folder]);
  try {
    const lines = createInterface({ input: gateway.stdout })[Symbol.asyncIterator]();
    const send = (message: object) =>
      gateway.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "unread", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    send({ id: 0, method: "initialize", params });
    await lines.next();
    // Each is a line of two thousand characters on standard error: more than any pipe holds.
    const call = { name: "invoke_tool", arguments: { toolId: "x".repeat(3000), args: {} } };
    for (let id = 1; id <= 200; id++) send({ id, method: "tools/call", params: call });
    for (let answered = 1; answered <= 200; answered++) await lines.next();
    const ended = new Promise((resolve) => gateway.on("exit", resolve));
    gateway.kill("SIGTERM");
    expect(await ended).toBe(0);
  } finally {
    gateway.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});

it("what nobody reads is lost once much of it waits, and whoever wrote it is called back", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const waiting = vi.spyOn(process.stderr, "writableLength", "get").mockReturnValue(2 ** 20);
  try {
    new Log("normal").warn("lost");
    await new Promise<void>((resolve) => writeComplaint("lost", "utf8", () => resolve()));
    expect(write).not.toHaveBeenCalled();
    waiting.mockReturnValue(0);
    new Log("normal").warn("a\nb\u001b[31m");
    expect(write).toHaveBeenCalledWith("honeyguide: a b[31m\n");
  } finally {
    vi.restoreAllMocks();
  }
});
