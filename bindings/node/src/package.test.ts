// The built package: both module formats load, import costs nothing, a browser bundle gets the stand-in.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url);

function runNode(...args: string[]) {
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: root });
  return stdout.trim() || stderr;
}

const exported =
  "CacheWatch,Honeyguide,HoneyguideError,capabilityNames,honeyguide,isErrorReply,isHoneyguideError,toInvocation,toJsonText";
const nativeParts = `process.report.getReport().sharedObjects.filter((file) => file.endsWith(".node")).length`;

describe("the built package", () => {
  it("exports the same by import and by require", () => {
    const print = "console.log(Object.keys(hg).filter((key) => key !== 'default').sort().join())";
    expect(runNode("--input-type=module", "-e", `import * as hg from "honeyguide"; ${print}`)).toBe(exported);
    expect(runNode("-e", `const hg = require("honeyguide"); ${print}`)).toBe(exported);
  });

  it("loads the native part at the first engine, not at import", () => {
    const script = `
      import { honeyguide } from "honeyguide";
      const before = ${nativeParts};
      honeyguide();
      console.log(before, ${nativeParts});
    `;
    expect(runNode("--input-type=module", "-e", script)).toBe("0 1");
  });

  it("recognises errors of its other module format", () => {
    const script = `
      import { createRequire } from "node:module";
      import { isHoneyguideError } from "honeyguide";
      const { HoneyguideError } = createRequire(import.meta.url)("honeyguide");
      console.log(isHoneyguideError(new HoneyguideError({ code: "internal", message: "x" })));
    `;
    expect(runNode("--input-type=module", "-e", script)).toBe("true");
  });

  it("imports nothing but Node itself", () => {
    const dist = new URL("dist/", root);
    const imported = readdirSync(dist)
      .filter((file) => /\.[cm]js$/.test(file))
      .flatMap((file) => [
        ...readFileSync(new URL(file, dist), "utf8").matchAll(/(?:from |require\()"([^"]+)"/g),
      ])
      .map((match) => match[1] ?? "")
      .filter((name) => !name.startsWith("node:") && !name.startsWith("./"));
    expect(new Set(imported)).toEqual(new Set(["url"]));
  });

  it("loads Node's files and streams when they are needed, not at import", () => {
    const dist = readFileSync(new URL("dist/index.mjs", root), "utf8");
    expect(dist).toMatch(/from "node:path"/);
    expect(dist).not.toMatch(/from "node:(fs|stream|http|https|net|child_process|worker_threads)/);
  });

  it("gives a browser or edge bundle the stand-in", () => {
    const script = `import { honeyguide } from "honeyguide"; try { honeyguide() } catch (error) { console.log(error.code) }`;
    for (const condition of ["browser", "workerd", "edge-light"]) {
      expect(runNode("-C", condition, "--input-type=module", "-e", script)).toBe("native_unavailable");
    }
  });
});
