// The official packages and real servers: any transport of theirs, of both lines, in process and in processes.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as version2 from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemory1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as Server1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  createMcpHandler,
  InMemoryTransport as InMemory2,
  McpServer as Server2,
} from "@modelcontextprotocol/server";
import { honeyguide } from "honeyguide";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type McpServerOptions, type McpTransport, registerMcpServer } from "../src/index.js";
import { ManualClock } from "./manual-clock.js";
import { eventually } from "./scripted-server.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function registered(options: McpServerOptions) {
  const hg = honeyguide();
  const handle = await registerMcpServer(hg, options);
  closing.push(() => handle.close());
  return { hg, handle };
}

/** A server of either line, and a function that connects to it anew each time. */
const lines = {
  "1.x": () => {
    const connect = async () => {
      const server = new Server1({ name: "near", version: "1" }, { instructions: "Be kind." });
      server.registerTool(
        "greet",
        { description: "Greets somebody", inputSchema: { name: z.string() } },
        ({ name }) => ({
          content: [{ type: "text", text: `Hello ${name}` }],
        }),
      );
      const [near, far] = InMemory1.createLinkedPair();
      await server.connect(far);
      return near as McpTransport;
    };
    return { connect, sdk: { Client: Client1 } };
  },
  "2.x": () => {
    const connect = async () => {
      const server = new Server2({ name: "near", version: "1" }, { instructions: "Be kind." });
      const about = { description: "Greets somebody", inputSchema: z.object({ name: z.string() }) };
      server.registerTool("greet", about, ({ name }) => ({
        content: [{ type: "text", text: `Hello ${name}` }],
      }));
      const [near, far] = InMemory2.createLinkedPair();
      await server.connect(far);
      return near as McpTransport;
    };
    return { connect, sdk: version2 };
  },
};

describe.each(Object.keys(lines) as (keyof typeof lines)[])("the client of %s", (line) => {
  it("takes any transport, and keeps what the server says of itself", async () => {
    const { connect, sdk } = lines[line]();
    const { hg, handle } = await registered({ name: "near", transport: connect, sdk });
    expect(handle.serverInstructions).toBe("Be kind.");
    expect(handle.status).toEqual({ state: "ready", tools: 1, quarantined: [], failures: 0 });
    const reply = await hg.call("invoke_tool", { toolId: "near__greet", args: { name: "Ann" } });
    expect(reply).toMatchObject({ content: [{ type: "text", text: "Hello Ann" }] });
  });

  it("dials again through a function, and not through a transport that was used up", async () => {
    for (const again of [true, false]) {
      const { connect, sdk } = lines[line]();
      const made: McpTransport[] = [];
      const transport = async () => {
        made.push(await connect());
        return made.at(-1) as McpTransport;
      };
      const clock = new ManualClock();
      const given = again ? transport : await transport();
      const { handle } = await registered({ name: "near", transport: given, sdk, clock });
      await made[0]?.close();
      await eventually(() => handle.status.state === (again ? "waiting" : "failed"));
      clock.advance(1000);
      if (again) await eventually(() => handle.status.state === "ready");
      expect(made).toHaveLength(again ? 2 : 1);
    }
  });
});

it("a server of the revision without sessions is listed, called, and heard when its tools change", async () => {
  const greet = async () => ({ content: [{ type: "text" as const, text: "Hello" }] });
  const names = ["greet"];
  const asked: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server2({ name: "modern", version: "1" }, { instructions: "Be kind." });
    for (const name of names)
      server.registerTool(name, { description: name, inputSchema: z.object({}) }, greet);
    return server;
  });
  closing.push(() => handler.close());
  const { hg, handle } = await registered({
    name: "modern",
    url: "http://localhost/mcp",
    fetch: (url: URL, init: RequestInit) => {
      asked.push(new Headers(init.headers).get("mcp-method") ?? "none");
      return handler.fetch(new Request(url, init));
    },
    sdk: version2,
    clientOptions: { versionNegotiation: { mode: "auto" } },
    settleMs: 0,
  });
  expect(handle.serverInstructions).toBe("Be kind.");
  expect(await hg.tools.invoke("modern__greet", {})).toMatchObject({ content: [{ text: "Hello" }] });
  names.push("part");
  handler.notify.toolsChanged();
  await eventually(() => handle.status.tools === 2);
  expect(asked).not.toContain("initialize");
  expect(asked).toContain("subscriptions/listen");
});

it("the official transport over stdio does as well as ours", async () => {
  const transport = () =>
    new StdioClientTransport({ command: process.execPath, args: [serverOf("memory")], stderr: "ignore" });
  const { hg } = await registered({ name: "memory", transport });
  expect(hg.tools.get("memory__read_graph")).not.toBeNull();
});

/** The program of a reference server. */
function serverOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(
    `@modelcontextprotocol/server-${name}/package.json`,
  );
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> };
  return join(manifest, "..", Object.values(bin)[0] as string);
}

describe("the reference servers", () => {
  it("everything: all its tools, a structured answer once, progress, and an image", async () => {
    const heard: unknown[] = [];
    const { hg, handle } = await registered({
      name: "everything",
      command: process.execPath,
      args: [serverOf("everything")],
      onProgress: (progress) => heard.push(progress),
    });
    expect(handle.status.tools).toBeGreaterThan(8);
    expect(handle.serverInstructions).toContain("Everything Server");
    const structured = await hg.call("invoke_tool", {
      toolId: "everything__get-structured-content",
      args: { location: "New York" },
    });
    expect(structured).toMatchObject({ structuredContent: { conditions: expect.any(String) } });
    expect(hg.forModel(structured)).toMatchObject({ content: [], structuredContent: expect.anything() });
    const image = await hg.tools.invoke("everything__get-tiny-image", {});
    expect(image).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: "image" })]),
    });
    // On a busy machine all of a call may arrive at once, and then its end comes before its progress.
    for (let turn = 0; turn < 20 && heard.length === 0; turn++) {
      await hg.tools.invoke("everything__trigger-long-running-operation", { duration: 0.2, steps: 2 });
    }
    expect(heard.length).toBeGreaterThan(0);
    const wrong = await hg.call("invoke_tool", { toolId: "everything__get-sum", args: { a: "x", b: 1 } });
    expect(wrong).toMatchObject({ isError: true, error: "invalid_arguments" });
  });

  it("filesystem: writes and reads a file in the directory that it was given, and no other", async () => {
    const root = mkdtempSync(join(tmpdir(), "honeyguide-files-"));
    closing.push(async () => rmSync(root, { recursive: true }));
    writeFileSync(join(root, "a.txt"), "hello");
    const { hg } = await registered({
      name: "files",
      command: process.execPath,
      args: [serverOf("filesystem"), root],
    });
    const read = (path: string) =>
      hg.call("invoke_tool", { toolId: "files__read_text_file", args: { path } });
    expect(await read(join(root, "a.txt"))).toMatchObject({ content: [{ type: "text", text: "hello" }] });
    expect(await read("/etc/hostname")).toMatchObject({ isError: true });
    expect((await hg.recall("read a text file"))?.tools.groups[0]?.hits[0]?.toolId).toBe(
      "files__read_text_file",
    );
  });

  it("memory: remembers what it was told", async () => {
    const root = mkdtempSync(join(tmpdir(), "honeyguide-memory-"));
    closing.push(async () => rmSync(root, { recursive: true }));
    const env = { MEMORY_FILE_PATH: join(root, "memory.json") };
    const { hg } = await registered({
      name: "memory",
      command: process.execPath,
      args: [serverOf("memory")],
      env,
    });
    const entities = [{ name: "Ann", entityType: "person", observations: ["likes honey"] }];
    await hg.tools.invoke("memory__create_entities", { entities });
    expect(await hg.tools.invoke("memory__read_graph", {})).toMatchObject({
      structuredContent: { entities: [{ name: "Ann" }] },
    });
    expect(existsSync(env.MEMORY_FILE_PATH)).toBe(true);
  });

  const python =
    process.env["HONEYGUIDE_PYTHON"] ?? fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
  it.skipIf(!existsSync(python))("one in Python, of the official package", async () => {
    const program = fileURLToPath(new URL("../../../e2e/mcp/python_server.py", import.meta.url));
    const { hg } = await registered({ name: "python", command: python, args: [program] });
    expect(hg.tools.get("python__add")).toMatchObject({ outputSchema: expect.anything() });
    const sum = await hg.call("invoke_tool", { toolId: "python__add", args: { a: 1, b: 2 } });
    expect(sum).toMatchObject({ structuredContent: { result: 3 } });
    expect(await hg.call("invoke_tool", { toolId: "python__fail", args: {} })).toMatchObject({
      isError: true,
    });
  });
});
