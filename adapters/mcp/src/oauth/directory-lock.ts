// A lock between processes, of this language and others, that survives whoever is killed while holding it. Knows nothing of what
// it guards. e2e/oauth/README.md is its protocol, which Python has too.

import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** An owner that is older than this is gone, in milliseconds: nobody may hold a lock for half as long. */
const oldestOwner = 120_000;
/** How long what was taken over is remembered, in milliseconds. */
const memory = 3_600_000;

/** Runs something while holding the lock; throws what `late` makes when it cannot be had in time. */
export async function locked<Value>(
  path: string,
  { waitMs, late }: { waitMs: number; late: () => Error },
  run: () => Promise<Value>,
): Promise<Value> {
  const nonce = newNonce();
  const own = `${path}.${nonce}`;
  await mkdir(own, { mode: 0o700 });
  const owner = { pid: process.pid, host: hostname(), nonce };
  const deadline = performance.now() + waitMs;
  try {
    for (;;) {
      // Written for each attempt: its age tells how long the lock has been held.
      await writeFile(join(own, "owner"), JSON.stringify(owner), { mode: 0o600 });
      if (await moved(own, path)) break;
      if (await takenOver(path)) continue;
      if (performance.now() > deadline) throw late();
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
    }
  } catch (thrown) {
    await rm(own, { recursive: true, force: true });
    throw thrown;
  }
  try {
    return await run();
  } finally {
    await release(path, nonce);
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly nonce: string;
}

async function release(path: string, nonce: string): Promise<void> {
  const owner = await ownerOf(path);
  // Somebody who took this process for dead has it now.
  if (owner?.nonce !== nonce) return;
  const done = `${path}.${nonce}.done`;
  for (let attempt = 0; attempt < 50; attempt++) {
    if (await moved(path, done)) {
      await rm(done, { recursive: true, force: true });
      return;
    }
    // Where open files hold up a rename, somebody is just reading the owner.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Takes the lock away from an owner that is gone. Whoever is second at that fails, since what the first one left is there. */
async function takenOver(path: string): Promise<boolean> {
  const owner = await ownerOf(path);
  const isOver = owner ? await isGone(path, owner) : (await ageOf(path)) > oldestOwner;
  if (!isOver) return false;
  // Of one whose owner cannot be read, nobody knows the number.
  const taken = await moved(path, `${path}.${owner?.nonce ?? newNonce()}.gone`);
  if (taken) await forget(path);
  return taken;
}

async function isGone(path: string, { pid, host }: Owner): Promise<boolean> {
  if (host === hostname() && process.platform !== "win32" && !isAlive(pid)) return true;
  return (await ageOf(join(path, "owner"))) > oldestOwner;
}

/** How long ago it was written, in milliseconds; 0 when it is not there any more. */
async function ageOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
}

function newNonce(): string {
  return randomBytes(8).toString("hex");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    const { pid, host, nonce } = JSON.parse(await readFile(join(path, "owner"), "utf8"));
    const isSound = Number.isSafeInteger(pid) && pid > 0 && /^[0-9a-f]{16}$/.test(nonce);
    return isSound ? { pid, host: String(host), nonce } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the directory was renamed; not when there is another, since that is never empty. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== undefined && inTheWay.has(code)) return false;
    throw thrown;
  }
}

const inTheWay = new Set(["ENOTEMPTY", "EEXIST", "EPERM", "EACCES", "EBUSY", "ENOENT"]);

async function forget(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const pattern = /^\.[0-9a-f]{16}(\.gone|\.done)?$/;
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(name) || !pattern.test(entry.slice(name.length))) continue;
    const old = join(folder, entry);
    if ((await ageOf(old)) > memory) await rm(old, { recursive: true, force: true });
  }
}
