// The program `honeyguide`, installed as a user would: with the gateway beside it, without it, and fetched by npx.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";

import { manifestOf, tarball } from "./artefacts.mjs";
import { freshProject } from "./project.mjs";
import { openRegistry } from "./registry.mjs";

const official = ["@modelcontextprotocol/client@2", "@modelcontextprotocol/server@2"];
const { version } = manifestOf(tarball("honeyguide"));
const program = join("node_modules", ".bin", "honeyguide");

/** @type {import("./project.mjs").Project} */
let project;
/** @type {import("./project.mjs").Project} */
let alone;
before(async () => {
  [project, alone] = await Promise.all([
    freshProject({ beside: [tarball("@honeyguide/mcp"), ...official] }),
    freshProject(),
  ]);
  for (const each of [project, alone]) {
    each.write(
      "skills/release/SKILL.md",
      "---\nname: release\ndescription: Makes a release\n---\nTest first.\n",
    );
  }
});
after(() => {
  project?.remove();
  alone?.remove();
});

describe("with the gateway beside it", () => {
  it("serves", async () => {
    const gateway = spawn(program, ["mcp", "--skills", "skills"], { cwd: project.folder });
    const lines = createInterface({ input: gateway.stdout })[Symbol.asyncIterator]();
    const ask = async (id, method, params) => {
      gateway.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return JSON.parse((await lines.next()).value).result;
    };
    const clientInfo = { name: "packages", version: "1" };
    await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    assert.equal((await ask(2, "tools/list", {})).tools.length, 3);
    const asked = { name: "get_skill_content", arguments: { skillId: "release" } };
    const { content } = await ask(3, "tools/call", asked);
    assert.match(JSON.parse(content[0].text).body, /Test first/);
    gateway.stdin.end();
    assert.deepEqual(await once(gateway, "exit"), [0, null]);
  });

  it("has a program of its own in the gateway's package", async () => {
    const { status, output } = await project.run(join("node_modules", ".bin", "honeyguide-mcp"), "--version");
    assert.equal(output, version);
    assert.equal(status, 0);
  });
});

describe("without it", () => {
  it("says what to install", async () => {
    const { status, output } = await alone.run("env", "-u", "npm_command", program, "mcp");
    assert.match(
      output,
      /^honeyguide: its commands are in packages of their own: run npm install @honeyguide\/mcp /,
    );
    assert.equal(status, 2);
  });

  it("has npm fetch it where npx started it", async () => {
    const elsewhere = (await alone.prints("npm", "config", "get", "registry")).trim();
    const registry = await openRegistry({ elsewhere });
    try {
      // Everything from there: our packages as they were built, and all others from where they are.
      alone.write(".npmrc", `registry=${registry.url}\n`);
      const fetched = await alone.run("npx", "--yes", "honeyguide", "mcp", "import", "--help");
      assert.match(fetched.output, /^usage: honeyguide mcp import/m);
      assert.equal(fetched.status, 0);
      assert.equal((await alone.run("npx", "--yes", "honeyguide", "mcp", "--confg")).status, 2);
    } finally {
      registry.close();
    }
  });
});
