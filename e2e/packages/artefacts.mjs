// What `make dist` built: the tarballs and the wheel of this platform. Knows nothing of how they are tested.

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const dist = process.env.HONEYGUIDE_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));

/** Every npm tarball. */
export function tarballs() {
  return filesOf(".tgz");
}

/** The tarball of one package. */
export function tarball(name) {
  const file = tarballs().find((candidate) => manifestOf(candidate).name === name);
  if (!file) throw new Error(`there is no tarball of ${name} in ${dist}; run \`make dist\``);
  return file;
}

/** Every wheel. */
export function wheels() {
  return filesOf(".whl");
}

/** The manifest inside a tarball. */
export function manifestOf(file) {
  return JSON.parse(execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" }));
}

/** The paths inside a tarball or a wheel. */
export function contents(file) {
  const list = "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')";
  const [program, ...args] = file.endsWith(".whl") ? ["python3", "-c", list, file] : ["tar", "-tzf", file];
  return execFileSync(program, args, { encoding: "utf8" }).trim().split("\n");
}

function filesOf(extension) {
  return readdirSync(dist)
    .filter((name) => name.endsWith(extension))
    .map((name) => join(dist, name));
}
