// A bundle of the package runs, with it outside as documented and with it inside; in a browser it says what is wrong.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { body, freshProject, printed } from "./project.mjs";

/** @type {import("./project.mjs").Project} */
let project;
before(async () => {
  project = await freshProject();
  project.write("program.mjs", `import { honeyguide } from "honeyguide";${body}`);
  project.write("program.cjs", `const { honeyguide } = require("honeyguide");${body}`);
  project.write(
    "browser.mjs",
    `import { honeyguide } from "honeyguide"; try { honeyguide() } catch ({ code, message }) { console.log(code, message) }`,
  );
});
after(() => project.remove());

const inBrowser =
  /^native_unavailable honeyguide runs its engine as native code and cannot work in a browser/;

describe("esbuild", () => {
  const build = (input, output, ...flags) =>
    project.run("esbuild", input, "--bundle", "--log-level=warning", `--outfile=out/${output}`, ...flags);

  for (const [format, extension] of [
    ["esm", "mjs"],
    ["cjs", "cjs"],
  ]) {
    it(`runs with the package outside, as ${format}`, async () => {
      const built = await build(
        "program.mjs",
        `outside.${extension}`,
        "--platform=node",
        `--format=${format}`,
        "--external:honeyguide",
      );
      assert.equal(built.output, "");
      assert.equal(await project.prints("node", `out/outside.${extension}`), printed);
    });

    it(`runs with the package inside, as ${format}`, async () => {
      await build("program.mjs", `inside.${extension}`, "--platform=node", `--format=${format}`);
      assert.equal(await project.prints("node", `out/inside.${extension}`), printed);
    });
  }

  it("runs with the package inside when it was required", async () => {
    const built = await build("program.cjs", "required.cjs", "--platform=node");
    assert.equal(built.output, "");
    assert.equal(await project.prints("node", "out/required.cjs"), printed);
  });

  it("gives a browser a clear word in place of an engine", async () => {
    const built = await build("browser.mjs", "browser.mjs", "--platform=browser", "--format=esm");
    assert.equal(built.output, "");
    assert.match(await project.prints("node", "out/browser.mjs"), inBrowser);
  });
});

describe("webpack", () => {
  it("runs with the package outside", async () => {
    await pack({ name: "outside", externals: { honeyguide: "commonjs honeyguide" } });
    assert.equal(await project.prints("node", "out/webpack-outside.cjs"), printed);
  });

  it("runs with the package inside", async () => {
    await pack({ name: "inside" });
    assert.equal(await project.prints("node", "out/webpack-inside.cjs"), printed);
  });

  it("gives a browser a clear word in place of an engine", async () => {
    await pack({ name: "browser", entry: "./browser.mjs", target: "web" });
    assert.match(await project.prints("node", "out/webpack-browser.cjs"), inBrowser);
  });

  /** Bundles for node unless told otherwise; a warning is a failure. */
  async function pack({ name, entry = "./program.mjs", target = "node20", externals = {} }) {
    const webpack = createRequire(import.meta.url)("webpack");
    const output = { path: join(project.folder, "out"), filename: `webpack-${name}.cjs` };
    const stats = await new Promise((resolve, reject) => {
      webpack(
        { context: project.folder, mode: "production", entry, target, externals, output },
        (error, result) => (error ? reject(error) : resolve(result)),
      );
    });
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    assert.deepEqual(
      [...errors, ...warnings].map(({ message }) => message),
      [],
    );
  }
});
