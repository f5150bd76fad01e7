// The program `honeyguide` where the gateway is not installed: what it asks npm for, what it hands on, and that it stops.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { version: string };

/** The package alone, in a folder that has nothing beside it. */
let alone: string;
/** Stands in for npm: says what it was asked for, and does what the test wants. */
let npm: string;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "honeyguide-bin-"));
  alone = join(folder, "node_modules", "honeyguide");
  mkdirSync(alone, { recursive: true });
  for (const part of ["bin", "dist", "package.json"]) {
    cpSync(new URL(part, root), join(alone, part), { recursive: true });
  }
  npm = join(folder, "npm-cli.js");
  writeFileSync(
    npm,
    `const { stdin, argv, env } = process;
     process.on("SIGTERM", () => { console.log("asked to end"); process.exit(7); });
     console.log(JSON.stringify({ args: argv.slice(2), mark: env.HONEYGUIDE_LAUNCHED }));
     stdin.on("data", (text) => console.log("read " + text));
     stdin.on("end", () => process.exit(5));`,
  );
});
afterAll(() => rmSync(join(alone, "..", ".."), { recursive: true, force: true }));

function start(environment: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [join(alone, "bin", "honeyguide.mjs"), ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, said, ended };
}

const asNpx = () => ({ npm_command: "exec", npm_execpath: npm });

describe("the program without the gateway", () => {
  it("says which packages are missing when npx did not start it", async () => {
    const { said, ended } = start({}, "mcp", "--config", "x.json");
    expect(await ended).toBe(2);
    expect(said.stdout).toBe("");
    expect(said.stderr).toBe(
      "honeyguide: its commands are in packages of their own: run npm install @honeyguide/mcp @modelcontextprotocol/client @modelcontextprotocol/server, or start it as npx honeyguide\n",
    );
  });

  it("asks npm for exactly its own version, and hands on the command line, the input and the code", async () => {
    const { child, said, ended } = start(asNpx(), "mcp", "--config", "a b.json");
    child.stdin.end("a line");
    expect(await ended).toBe(5);
    const [asked = "", read] = said.stdout.split("\n");
    expect(JSON.parse(asked)).toEqual({
      args: [
        "exec",
        "--yes",
        `--package=honeyguide@${version}`,
        `--package=@honeyguide/mcp@${version}`,
        "--package=@modelcontextprotocol/client@^2",
        "--package=@modelcontextprotocol/server@^2",
        "--",
        "honeyguide",
        "mcp",
        "--config",
        "a b.json",
      ],
      mark: "1",
    });
    expect(read).toBe("read a line");
  });

  it("says its version and what it is for, and asks npm for nothing", async () => {
    for (const environment of [{}, asNpx()]) {
      const versioned = start(environment, "--version");
      expect(await versioned.ended).toBe(0);
      expect(versioned.said).toEqual({ stdout: `${version}\n`, stderr: "" });
      const helped = start(environment, "--help");
      expect(await helped.ended).toBe(0);
      const written = readFileSync(new URL("../../e2e/gateway/help/honeyguide.txt", root), "utf8");
      expect(helped.said).toEqual({ stdout: written, stderr: "" });
    }
  });

  it("says that the gateway's package is there without its programs", async () => {
    const modules = join(alone, "..");
    for (const name of ["@honeyguide/mcp", "@modelcontextprotocol/client", "@modelcontextprotocol/server"]) {
      mkdirSync(join(modules, name), { recursive: true });
      writeFileSync(join(modules, name, "package.json"), JSON.stringify({ name, main: "index.js" }));
      writeFileSync(join(modules, name, "index.js"), "");
    }
    const { said, ended } = start(asNpx(), "mcp");
    const code = await ended;
    for (const scope of ["@honeyguide", "@modelcontextprotocol"]) {
      rmSync(join(modules, scope), { recursive: true });
    }
    expect(code).toBe(2);
    expect(said.stderr).toContain(
      "honeyguide: the package @honeyguide/mcp is there, but without its programs: install it anew, or build it",
    );
  });

  it("hands on signals", async () => {
    const { child, said, ended } = start(asNpx(), "mcp");
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(7);
    expect(said.stdout).toContain("asked to end");
  });

  it("does not ask npm a second time", async () => {
    const { said, ended } = start({ ...asNpx(), HONEYGUIDE_LAUNCHED: "1" }, "mcp");
    expect(await ended).toBe(2);
    expect(said.stdout).toBe("");
  });

  it("does not start what merely runs below another program of npx", async () => {
    const { said, ended } = start({ npm_command: "run-script", npm_execpath: npm }, "mcp");
    expect(await ended).toBe(2);
    expect(said.stdout).toBe("");
  });
});
