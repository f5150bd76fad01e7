// The native part is loaded when it is needed, and its absence is explained.
import { describe, expect, it, vi } from "vitest";

describe("loadNative", () => {
  it("names the platform, the libc and what the loader said when a file is not an addon", async () => {
    vi.stubEnv(
      "HONEYGUIDE_NATIVE_FILE",
      new URL("native.test.ts", import.meta.url).pathname.replace(/\.ts$/, ".node"),
    );
    vi.resetModules();
    const { loadNative } = await import("./native.js");
    let thrown: unknown;
    try {
      loadNative();
    } catch (error) {
      thrown = error;
    } finally {
      vi.unstubAllEnvs();
    }
    expect(thrown).toMatchObject({
      code: "native_unavailable",
      message: expect.stringContaining(`${process.platform}-${process.arch}`),
      details: {
        platform: process.platform,
        arch: process.arch,
        failures: [expect.stringContaining("native.test.node")],
      },
    });
  });
});

describe("the browser's entry", () => {
  it("says that there is no engine", async () => {
    const { honeyguide, isHoneyguideError } = await import("./browser.js");
    expect(() => honeyguide()).toThrow(/browser/);
    try {
      honeyguide();
    } catch (error) {
      expect(isHoneyguideError(error, "native_unavailable")).toBe(true);
    }
  });

  it("has every value that the real entry has", async () => {
    const real = Object.keys(await import("./index.js"));
    expect(Object.keys(await import("./browser.js")).sort()).toEqual(real.sort());
  });
});
