// The wheel installs in a fresh environment without a compiler, on every Python and old system it promises.

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { dist, wheels } from "./artefacts.mjs";
import { Project } from "./project.mjs";

const project = new Project(mkdtempSync(join(tmpdir(), "honeyguide-wheel-")));
const python = "venv/bin/python";
// What a wheel for glibc promises: these Pythons, on a system as old as this.
const promised = ["3.10", "3.11", "3.12", "3.13", "3.14"];

before(async () => {
  const made = await project.run("python3", "-m", "venv", "venv");
  assert.equal(made.status, 0, made.output);
});
after(() => project.remove());

describe("the wheel", () => {
  it("installs without a compiler, and finds and runs a tool", async () => {
    const installed = await pip("install", "--only-binary", ":all:", "--find-links", dist, "honeyguide");
    assert.equal(installed.status, 0, installed.output);
    project.write(
      "program.py",
      `
from honeyguide import Honeyguide

hg = Honeyguide()


@hg.tool
def add_note(text: str) -> int:
    """Add a note."""
    return len(text)


print(hg.tools.search("add a note")[0]["id"], hg.tools.invoke_sync("add_note", {"text": "abc"}))
`,
    );
    assert.equal(await project.prints(python, "program.py"), "add_note 3");
  });

  it("has the program, which says its version without the extra and what to install for more", async () => {
    const program = "venv/bin/honeyguide";
    const installed = "import importlib.metadata; print(importlib.metadata.version('honeyguide'))";
    const { output: version } = await project.run(python, "-c", installed);
    assert.deepEqual(await project.run(program, "--version"), { status: 0, output: version });
    const refused = await project.run(program, "mcp", "--config", "servers.json");
    assert.equal(refused.status, 2, refused.output);
    assert.match(refused.output, /pip install "honeyguide\[mcp\]"/);
  });

  it("says which crates are linked in, and nothing of the machine that built it", async () => {
    project.write(
      "bill.py",
      `
import importlib.metadata, json

(bill,) = [file for file in importlib.metadata.files("honeyguide") if "/sboms/" in str(file)]
text = bill.read_text()
names = [component["name"] for component in json.loads(text)["components"]]
print("jsonschema" in names, "proptest" in names, "file:" in text)
`,
    );
    assert.equal(await project.prints(python, "bill.py"), "True False False");
  });

  it("brings the package with the model runtime as an extra, which loads and reads files", async () => {
    const installed = await pip(
      "install",
      "--only-binary",
      ":all:",
      "--find-links",
      dist,
      "honeyguide[local]",
    );
    assert.equal(installed.status, 0, installed.output);
    project.write(
      "local.py",
      `
from honeyguide import HoneyguideError
from honeyguide_local import local_model

try:
    local_model("nowhere")
except HoneyguideError as error:
    print(error.code)
`,
    );
    assert.equal(await project.prints(python, "local.py"), "model_missing_file");
  });

  const glibc = wheels().filter((wheel) => wheel.includes("manylinux"));
  for (const version of glibc.length > 0 ? promised : []) {
    it(`is what pip takes for Python ${version} on a system of 2014`, async () => {
      const arch = glibc[0].includes("aarch64") ? "aarch64" : "x86_64";
      const flags = [
        "--only-binary",
        ":all:",
        "--no-deps",
        "--no-index",
        "--find-links",
        dist,
        "--dest",
        version,
      ];
      const taken = await pip(
        "download",
        ...flags,
        "--python-version",
        version,
        "--platform",
        `manylinux2014_${arch}`,
        "honeyguide",
      );
      assert.equal(taken.status, 0, taken.output);
    });
  }
});

function pip(command, ...args) {
  return project.run(python, "-m", "pip", command, "--quiet", "--disable-pip-version-check", ...args);
}
