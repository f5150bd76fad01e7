// A bundle of the package runs, with it outside as documented and with it inside; in a browser it says what is wrong.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { tarball } from "./artefacts.mjs";
import { body, freshProject, printed } from "./project.mjs";

const adapters = ["@honeyguide/vercel", "@honeyguide/mastra"];

/** @type {import("./project.mjs").Project} */
let project;
before(async () => {
  project = await freshProject({ beside: [...adapters.map(tarball), "ai@6", "@mastra/core@1", "zod@4"] });
  for (const name of adapters) {
    const adapter = name.split("/")[1];
    project.write(
      `${adapter}.mjs`,
      `import { honeyguide } from "honeyguide"; import { ${adapter} } from "${name}";${body}honeyguide().adaptTo(${adapter}).modelTools();`,
    );
  }
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

  for (const name of adapters) {
    it(`runs with ${name} inside, and the package and the framework outside`, async () => {
      const file = `${name.split("/")[1]}.mjs`;
      const outside = ["honeyguide", "ai", "@mastra/core"].map((each) => `--external:${each}`);
      const built = await build(file, file, "--platform=node", "--format=esm", ...outside);
      assert.equal(built.output, "");
      assert.equal(await project.prints("node", `out/${file}`), printed);
    });
  }

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

  for (const name of adapters) {
    it(`runs with ${name} inside, and the package and the framework outside`, async () => {
      const adapter = name.split("/")[1];
      const outside = ({ request }, done) =>
        /^(honeyguide|ai|@mastra\/core)(\/|$)/.test(request) ? done(null, `commonjs ${request}`) : done();
      await pack({ name: adapter, entry: `./${adapter}.mjs`, externals: outside });
      assert.equal(await project.prints("node", `out/webpack-${adapter}.cjs`), printed);
    });
  }

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
