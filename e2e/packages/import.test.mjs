// The installed package loads in both module systems, and says what is wrong where its native part is not.

import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { body, freshProject, printed } from "./project.mjs";

/** @type {import("./project.mjs").Project} */
let project;
before(async () => {
  project = await freshProject();
  project.write("esm.mjs", `import { honeyguide } from "honeyguide";${body}`);
  project.write("common.cjs", `const { honeyguide } = require("honeyguide");${body}`);
});
after(() => project.remove());

describe("the installed package", () => {
  it("brings the addon of this platform and no other", () => {
    const platforms = readdirSync(join(project.folder, "node_modules/@honeyguide"));
    assert.equal(platforms.length, 1);
    assert.match(platforms[0], new RegExp(`^node-${process.platform}-${process.arch}`));
  });

  it("runs by import", async () => {
    assert.equal(await project.prints("node", "esm.mjs"), printed);
  });

  it("runs by require", async () => {
    assert.equal(await project.prints("node", "common.cjs"), printed);
  });
});

describe("without a native part that loads", () => {
  const program = `
    import { honeyguide } from "honeyguide";
    try { honeyguide() } catch ({ code, message, details }) { console.log(JSON.stringify({ code, message, details })) }`;
  /** @type {import("./project.mjs").Project} */
  let bare;
  before(async () => {
    bare = await freshProject({ flags: ["--omit=optional"] });
    bare.write("catch.mjs", program);
    project.write("catch.mjs", program);
  });
  after(() => bare.remove());

  it("says for which platform and libc, and what to install, when the package of the platform was left out", async () => {
    const { code, message, details } = JSON.parse(await bare.prints("node", "catch.mjs"));
    assert.equal(code, "native_unavailable");
    assert.match(message, new RegExp(`install @honeyguide/node-${process.platform}-${process.arch}`));
    assert.match(message, /Cannot find module '@honeyguide\/node-/);
    assert.equal(details.platform, process.platform);
    assert.equal(details.arch, process.arch);
    if (process.platform === "linux") assert.match(details.libc, /^(gnu|musl)$/);
  });

  it("says what the system's loader said when the file is not for this system", async () => {
    const folder = join(project.folder, "node_modules/@honeyguide");
    const [platform] = readdirSync(folder);
    const addon = readdirSync(join(folder, platform)).find((file) => file.endsWith(".node"));
    rmSync(join(folder, platform, addon));
    writeFileSync(
      join(folder, platform, addon),
      "this is not a library, and long enough to be read as one\n".repeat(9),
    );
    const { code, message, details } = JSON.parse(await project.prints("node", "catch.mjs"));
    assert.equal(code, "native_unavailable");
    // The sentence is the loader's own; on every system it names the file.
    assert.match(message, new RegExp(`${addon.replaceAll(".", "\\.")}`));
    if (process.platform === "linux") assert.match(message, /invalid ELF header/);
    assert.ok(details.failures.some((failure) => failure.includes(addon)));
  });
});
