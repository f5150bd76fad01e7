// A fresh project in a folder of its own, with the packages installed as a user would. Knows nothing of what is tested.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { tarball } from "./artefacts.mjs";
import { openRegistry } from "./registry.mjs";

const tools = fileURLToPath(new URL("node_modules/.bin", import.meta.url));

/** A project with `honeyguide` and these packages beside it; `flags` go to npm. */
export async function freshProject({ beside = [], flags = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "honeyguide-packages-"));
  const project = new Project(folder);
  project.write("package.json", JSON.stringify({ name: "fresh", private: true }));
  const registry = await openRegistry();
  try {
    project.write(".npmrc", `@honeyguide:registry=${registry.url}\n`);
    const installed = await project.run(
      "npm",
      "install",
      "--no-audit",
      "--no-fund",
      ...flags,
      tarball("honeyguide"),
      ...beside,
    );
    if (installed.status !== 0) throw new Error(installed.output);
  } finally {
    registry.close();
  }
  return project;
}

export class Project {
  constructor(folder) {
    this.folder = folder;
  }

  /** Writes a file of the project. */
  write(name, text) {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  /** Runs a program in the project; the tools of this suite come first. */
  run(program, ...args) {
    const env = { ...process.env, PATH: `${tools}:${process.env.PATH}`, NODE_OPTIONS: "", NODE_PATH: "" };
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: this.folder, env });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
      child.on("error", reject);
      child.on("close", (status) => resolve({ status, output: output.trim() }));
    });
  }

  /** What a program of the project prints; a failure is part of it. */
  async prints(program, ...args) {
    return (await this.run(program, ...args)).output;
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A program that registers a tool, finds it and calls it; prints `notes__add 3`. */
export const body = `
const hg = honeyguide();
hg.tools.register([
  {
    id: "notes__add",
    description: "Add a note",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    execute: ({ text }) => text.length,
  },
]);
const [hit] = hg.tools.search("add a note");
hg.tools.invoke("notes__add", { text: "abc" }).then((length) => console.log(hit?.id, length));
`;
export const printed = "notes__add 3";
