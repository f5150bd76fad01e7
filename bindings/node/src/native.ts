// Finds and loads the native part of this platform. Knows nothing of what it does.

import { describeThrown, HoneyguideError } from "./error.js";
import { here, nodeFs, requireFromHere } from "./require.js";

/** The engine behind the boundary: JSON text in, an envelope as JSON text out. */
export interface NativeEngine {
  call(operation: string, request: string): string;
  callAsync(operation: string, request: string): Promise<string>;
  save(): Buffer;
  load(bytes: Uint8Array): string;
}

interface NativeModule {
  NativeEngine: new (options: string) => NativeEngine;
  /** Answers one operation on a shared file. */
  callFiles(operation: string, request: string): Promise<string>;
}

let loaded: NativeModule | undefined;

/** The native module, loaded at the first use and never at import. */
export function loadNative(): NativeModule {
  loaded ??= load();
  return loaded;
}

function load(): NativeModule {
  const platform = platformName();
  const failures: string[] = [];
  for (const place of places(platform)) {
    try {
      // A miss is dear to `require`, and what is published has no file beside it.
      if (place.startsWith(".") && !nodeFs().existsSync(new URL(place, here())))
        failures.push(`${place}: no such file`);
      else return requireFromHere(place) as NativeModule;
    } catch (thrown) {
      failures.push(`${place}: ${firstLine(describeThrown(thrown).message)}`);
    }
  }
  throw new HoneyguideError({
    code: "native_unavailable",
    category: "state",
    message:
      `the native part of honeyguide for ${platform} cannot be loaded (${failures.join("; ")}); ` +
      `install @honeyguide/node-${platform}, which a lock file from another system may lack, ` +
      "keep `honeyguide` external to the bundle, or name the file in HONEYGUIDE_NATIVE_FILE",
    details: { platform: process.platform, arch: process.arch, libc: libcName() ?? null, failures },
  });
}

function places(platform: string): string[] {
  const override = process.env["HONEYGUIDE_NATIVE_FILE"];
  return override ? [override] : [`../honeyguide.${platform}.node`, `@honeyguide/node-${platform}`];
}

function firstLine(message: string | undefined): string {
  return message?.split("\n", 1)[0] ?? "no message";
}

/** The platform as napi names it, such as `linux-x64-gnu`. */
function platformName(): string {
  const { platform, arch } = process;
  if (platform === "linux") return `linux-${arch}-${libcName()}`;
  return platform === "win32" ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

function libcName(): "gnu" | "musl" | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // The loader of this very process is named in its own link map, so this needs no child process and no report.
    return /\/ld-musl-[^/]*$|libc\.musl-/m.test(nodeFs().readFileSync("/proc/self/maps", "utf8"))
      ? "musl"
      : "gnu";
  } catch {
    const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
    return report?.header?.glibcVersionRuntime ? "gnu" : "musl";
  }
}
