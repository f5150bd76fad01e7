// The package with the model runtime installs in a project of its own, beside `honeyguide` or without it.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { tarball } from "./artefacts.mjs";
import { freshProject } from "./project.mjs";

const body = `
try { localModel({ path: "nowhere" }) } catch ({ code }) { console.log(code) }`;

describe("honeyguide-local", () => {
  /** @type {import("./project.mjs").Project} */
  let project;
  before(async () => {
    project = await freshProject({ beside: [tarball("honeyguide-local")] });
    project.write("esm.mjs", `import { localModel } from "honeyguide-local";${body}`);
    project.write("common.cjs", `const { localModel } = require("honeyguide-local");${body}`);
  });
  after(() => project.remove());

  // That a file is missed says the native part was loaded: it is what looks.
  it("loads by import", async () => {
    assert.equal(await project.prints("node", "esm.mjs"), "model_missing_file");
  });

  it("loads by require", async () => {
    assert.equal(await project.prints("node", "common.cjs"), "model_missing_file");
  });
});
