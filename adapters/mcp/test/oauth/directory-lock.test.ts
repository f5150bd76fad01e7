// The lock between processes, under those who want it at once.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { locked } from "../../src/oauth/directory-lock.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "honeyguide-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const terms = { waitMs: 60_000, late: () => new Error("late") };

/** Wants the lock many times at once; answers the most that ever had it together. */
async function crowd(path: string): Promise<number> {
  let [inside, most] = [0, 0];
  const one = () =>
    locked(path, terms, async () => {
      inside++;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inside--;
    });
  await Promise.all(Array.from({ length: 20 }, one));
  return most;
}

function abandon(path: string, owner: object): void {
  mkdirSync(path);
  writeFileSync(join(path, "owner"), JSON.stringify(owner));
}

it("is held by one at a time, and leaves nothing", async () => {
  expect(await crowd(join(folder, "lock"))).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

it("is taken over from a dead owner by one of many", async () => {
  const path = join(folder, "lock");
  // No process has this number.
  abandon(path, { pid: 2 ** 31 - 2, host: hostname(), nonce: "0123456789abcdef" });
  expect(await crowd(path)).toBe(1);
  expect(readdirSync(folder)).toEqual(["lock.0123456789abcdef.gone"]);
});

it("is taken over from an owner that is older than anybody may be", async () => {
  const path = join(folder, "lock");
  abandon(path, { pid: process.pid, host: "elsewhere", nonce: "0123456789abcdef" });
  utimesSync(join(path, "owner"), 1, 1);
  expect(await crowd(path)).toBe(1);
});

it("is not taken from an owner that lives", async () => {
  const path = join(folder, "lock");
  abandon(path, { pid: process.pid, host: hostname(), nonce: "0123456789abcdef" });
  const wanted = locked(path, { ...terms, waitMs: 100 }, async () => "had");
  await expect(wanted).rejects.toThrow("late");
  expect(existsSync(path)).toBe(true);
  expect(readdirSync(folder)).toEqual(["lock"]);
});

it("is given back by who had it, and not by who was taken for dead", async () => {
  const path = join(folder, "lock");
  await locked(path, terms, async () => {
    rmSync(path, { recursive: true });
    abandon(path, { pid: process.pid, host: hostname(), nonce: "fedcba9876543210" });
  });
  expect(existsSync(path)).toBe(true);
});

it("forgets after an hour what was taken over", async () => {
  const path = join(folder, "lock");
  for (const nonce of ["0000000000000001", "0000000000000002"]) mkdirSync(`${path}.${nonce}.gone`);
  utimesSync(`${path}.0000000000000001.gone`, 1, 1);
  abandon(path, { pid: 2 ** 31 - 2, host: hostname(), nonce: "0000000000000003" });
  await locked(path, terms, async () => undefined);
  expect(readdirSync(folder).sort()).toEqual(["lock.0000000000000002.gone", "lock.0000000000000003.gone"]);
});
