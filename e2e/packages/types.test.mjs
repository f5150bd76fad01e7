// The types are found and strict in the two resolutions of TypeScript that people use, and what is compiled runs.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { tarball } from "./artefacts.mjs";
import { body, freshProject, printed } from "./project.mjs";

const strict = {
  strict: true,
  skipLibCheck: false,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
};
const resolutions = {
  bundler: { module: "esnext", moduleResolution: "bundler" },
  node16: { module: "node16", moduleResolution: "node16" },
};

/** What the other packages are used for: the import, and what is done with it. */
const adapters = {
  "@honeyguide/vercel": ["vercel", "honeyguide().adaptTo(vercel).modelTools();"],
  "@honeyguide/mastra": ["mastra", "honeyguide().adaptTo(mastra).modelTools();"],
  "@honeyguide/mcp": [
    "registerMcpServer",
    "export const files = () => registerMcpServer(honeyguide(), { name: 'files', command: 'files' });",
  ],
  "@honeyguide/testkit": [
    "conformance, type Harness",
    "export const check = (harness: Harness<unknown>) => conformance(harness);",
  ],
};
const frameworks = ["ai@6", "@mastra/core@1", "zod@4"];
const fileOf = (name) => name.split("/")[1];

/** @type {import("./project.mjs").Project} */
let project;
before(async () => {
  project = await freshProject({ beside: [...Object.keys(adapters).map(tarball), ...frameworks] });
  const program = `import { honeyguide } from "honeyguide";${body}`;
  for (const format of ["mts", "cts"]) {
    project.write(`program.${format}`, program);
    for (const [name, [imported, used]] of Object.entries(adapters)) {
      project.write(
        `${fileOf(name)}.${format}`,
        `import { ${imported} } from "${name}";\n${program}${used}\n`,
      );
    }
  }
  project.write("wrong.mts", `import { honeyguide } from "honeyguide";\nhoneyguide().tools.search(42);\n`);
});
after(() => project.remove());

for (const [name, resolution] of Object.entries(resolutions)) {
  describe(`moduleResolution ${name}`, () => {
    const formats = name === "node16" ? ["mts", "cts"] : ["mts"];
    for (const format of formats) {
      it(`checks and runs a program as .${format}`, async () => {
        compile({ ...resolution, outDir: name }, `program.${format}`);
        const compiled = await project.run("tsc", "--project", ".");
        assert.equal(compiled.output, "");
        assert.equal(await project.prints("node", `${name}/program.${format.replace("t", "j")}`), printed);
      });
    }

    for (const adapter of Object.keys(adapters)) {
      for (const format of formats) {
        it(`checks and runs a program with ${adapter} as .${format}`, async () => {
          const file = `${fileOf(adapter)}.${format}`;
          // A framework's own types need more types than ours do, so the inside of packages is not looked at here.
          compile({ ...resolution, outDir: name, skipLibCheck: true }, file);
          const compiled = await project.run("tsc", "--project", ".");
          assert.equal(compiled.output, "");
          assert.equal(
            await project.prints("node", `${name}/${file.replace(".mts", ".mjs").replace(".cts", ".cjs")}`),
            printed,
          );
        });
      }
    }

    it("refuses a query that is no text", async () => {
      compile({ ...resolution, noEmit: true }, "wrong.mts");
      const { status, output } = await project.run("tsc", "--project", ".");
      assert.notEqual(status, 0);
      assert.match(output, /wrong\.mts\(2,\d+\): error TS2345/);
    });
  });
}

function compile(options, file) {
  const compilerOptions = { ...strict, ...options };
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: [file] }));
}
