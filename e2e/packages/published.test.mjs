// What stands in the archives: licences, types that resolve, nothing that does not belong there.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { contents, manifestOf, tarball, tarballs, wheels } from "./artefacts.mjs";
import { Project } from "./project.mjs";

const here = new Project(fileURLToPath(new URL(".", import.meta.url)));
const platforms = tarballs().filter((file) => manifestOf(file).main?.endsWith(".node"));
const libraries = tarballs().filter((file) => !platforms.includes(file));

for (const file of tarballs()) {
  const { name } = manifestOf(file);
  describe(name, () => {
    it("carries both licences and a README", () => {
      const inside = contents(file);
      for (const expected of ["LICENSE-APACHE", "LICENSE-MIT", "README.md"]) {
        assert.ok(inside.includes(`package/${expected}`), expected);
      }
    });

    it("is what publint takes for a sound package", async () => {
      const { status, output } = await here.run("publint", "run", file, "--strict");
      assert.equal(status, 0, output);
    });
  });
}

for (const file of libraries) {
  describe(manifestOf(file).name, () => {
    it("has types that every resolution finds in the right format", async () => {
      const { status, output } = await here.run("attw", file, "--no-color");
      assert.equal(status, 0, output);
    });

    it("runs no script when it is installed", () => {
      assert.deepEqual(Object.keys(manifestOf(file).scripts ?? {}), []);
    });
  });
}

for (const [name, ofPlatform] of [
  ["honeyguide", "@honeyguide/node-"],
  ["honeyguide-local", "@honeyguide/local-"],
]) {
  describe(name, () => {
    it("holds no addon itself, and names the package of every platform at its own version", () => {
      const { version, optionalDependencies } = manifestOf(tarball(name));
      assert.deepEqual(
        contents(tarball(name)).filter((path) => path.endsWith(".node")),
        [],
      );
      assert.equal(Object.keys(optionalDependencies).length, 8);
      assert.deepEqual(new Set(Object.values(optionalDependencies)), new Set([version]));
      const built = platforms
        .map((file) => manifestOf(file).name)
        .filter((each) => each.startsWith(ofPlatform));
      assert.ok(built.length > 0);
      for (const platform of built) assert.ok(platform in optionalDependencies, platform);
    });
  });
}

describe("a package of one platform", () => {
  it("is there, says where it may be installed, and holds one addon and the notices of what is linked in", () => {
    assert.ok(platforms.length > 0);
    for (const file of platforms) {
      const { os, cpu, libc, main } = manifestOf(file);
      assert.ok(os.length === 1 && cpu.length === 1, file);
      assert.equal(libc?.length ?? 0, os[0] === "linux" ? 1 : 0, file);
      const inside = contents(file);
      assert.deepEqual(
        inside.filter((path) => path.endsWith(".node")),
        [`package/${main}`],
      );
      assert.ok(inside.includes("package/THIRD-PARTY-NOTICES.txt"));
    }
  });
});

describe("the wheel", () => {
  it("is there, and carries both licences, the notices and the marker of its types", () => {
    assert.ok(wheels().length > 0);
    for (const wheel of wheels()) {
      const inside = contents(wheel);
      for (const expected of ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-NOTICES.txt", "py.typed"]) {
        assert.ok(
          inside.some((path) => path.endsWith(`/${expected}`)),
          `${expected} in ${wheel}`,
        );
      }
    }
  });
});
