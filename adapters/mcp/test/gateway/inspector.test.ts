// The gateway behind the protocol's own inspector, whose client is of the older official package.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { honeyguide } from "honeyguide";
import { expect, it } from "vitest";

const inspector = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli/build/cli.js");
const launcher = fileURLToPath(new URL("../../../../bindings/node/bin/honeyguide.mjs", import.meta.url));
const skill = "---\nname: pdf\ndescription: Fills in PDF forms\n---\nFill it in.\n";

it("the inspector lists the three tools and calls them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "honeyguide-inspector-"));
  try {
    writeFileSync(join(folder, "SKILL.md"), skill);
    const inspect = async (...args: string[]) => {
      const gateway = [process.execPath, launcher, "mcp", "--skills", folder];
      const command = [inspector, "--cli", ...gateway, "--method", ...args];
      const { stdout } = await promisify(execFile)(process.execPath, command);
      return JSON.parse(stdout);
    };
    expect((await inspect("tools/list")).tools).toEqual(honeyguide().modelTools());
    const called = ["--tool-name", "search_capabilities", "--tool-arg", "query=fill in a PDF form"];
    const { content } = await inspect("tools/call", ...called);
    expect(JSON.parse(content[0].text)).toMatchObject({ status: "ok" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
