// Finds and loads the native part of this platform. Knows nothing of what it does.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

import { HoneyguideError } from "./error.js";

/** A model behind the boundary. */
export interface NativeModel {
  outline(): string;
  revision(): string;
  scripts(): string[];
  languages(): string[];
  warmUp(): Promise<void>;
  embed(texts: string[], role: string, job: NativeJob): Promise<Float32Array>;
}

/** How far one embedding is, and whether it is still wanted. */
export interface NativeJob {
  done(): number;
  cancel(): void;
}

interface NativeModule {
  NativeModel: new (path: string, options: string) => NativeModel;
  NativeJob: new () => NativeJob;
}

let loaded: NativeModule | undefined;

/** The native module, loaded at the first use and never at import. */
export function loadNative(): NativeModule {
  loaded ??= load();
  return loaded;
}

function load(): NativeModule {
  const platform = platformName();
  // A bundle of CommonJS has no `import.meta.url`.
  const here = import.meta.url || pathToFileURL(__filename).href;
  const override = process.env["HONEYGUIDE_LOCAL_NATIVE_FILE"];
  const beside = `../honeyguide-local.${platform}.node`;
  const failures: string[] = [];
  for (const place of override ? [override] : [beside, `@honeyguide/local-${platform}`]) {
    try {
      if (place === beside && !existsSync(new URL(place, here))) failures.push(`${place}: no such file`);
      else return createRequire(here)(place) as NativeModule;
    } catch (thrown) {
      failures.push(`${place}: ${String((thrown as Error).message).split("\n", 1)[0]}`);
    }
  }
  throw new HoneyguideError({
    code: "native_unavailable",
    category: "state",
    message:
      `the native part of honeyguide-local for ${platform} cannot be loaded (${failures.join("; ")}); ` +
      `install @honeyguide/local-${platform}, or name the file in HONEYGUIDE_LOCAL_NATIVE_FILE`,
    details: { platform: process.platform, arch: process.arch, failures },
  });
}

/** The platform as napi names it, such as `linux-x64-gnu`. */
function platformName(): string {
  const { platform, arch } = process;
  if (platform !== "linux") return platform === "win32" ? `win32-${arch}-msvc` : `${platform}-${arch}`;
  // The loader of this very process is named in its own link map.
  const musl = /\/ld-musl-[^/]*$|libc\.musl-/m.test(readFileSync("/proc/self/maps", "utf8"));
  return `linux-${arch}-${musl ? "musl" : "gnu"}`;
}
