// Lists folders and reads files for the engine, and nothing outside of the folder it was told. Decides nothing else.

import { isAbsolute, join, relative, sep } from "node:path";

import type { FileProblem, FolderEntry, FolderListing, SkillText } from "./generated/types.js";
import { nodeFs } from "./require.js";

/** How many folders or files are read at a time. */
const together = 16;

/** The largest ignore file that is looked at, in bytes. */
const ignoreBytes = 262_144;

// A byte order mark is a part of the text: the engine takes it out, and the digest is of the whole file.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Works on each, a few at a time, and keeps their order. */
export async function each<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = new Array(items.length);
  const rest = items.entries();
  const worker = async () => {
    for (const [place, item] of rest) done[place] = await work(item);
  };
  await Promise.all(Array.from({ length: together }, worker));
  return done;
}

/** What is in a folder, links not followed; without a `real` path when it cannot be read. */
export async function listFolder(path: string, most: number): Promise<FolderListing> {
  try {
    const { opendir, realpath } = nodeFs().promises;
    const real = await realpath(path);
    const entries: FolderEntry[] = [];
    let cut = false;
    for await (const entry of await opendir(real)) {
      if (entries.length >= most) {
        cut = true;
        break;
      }
      entries.push({ name: entry.name.toWellFormed(), kind: kindOf(entry) });
    }
    const hasRules = entries.some(({ name, kind }) => name === ".gitignore" && kind === "file");
    const ignore = hasRules ? ((await readInside(real, ".gitignore", ignoreBytes)).text ?? null) : null;
    return { real: forward(real), entries, ignore, cut };
  } catch {
    return {};
  }
}

/** The text of a file of this folder. All links are followed first: what leads out of the folder is not read. */
export async function readInside(directory: string, file: string, mostBytes: number): Promise<SkillText> {
  try {
    const { constants, promises } = nodeFs();
    const { open, realpath } = promises;
    const root = await realpath(directory);
    const real = await realpath(join(root, file));
    const inside = relative(root, real);
    if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      return problem("outside");
    }
    // Neither a link that was put there meanwhile nor a pipe that nobody writes to holds the program up.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const about = await handle.stat();
      if (!about.isFile()) return problem("unreadable");
      if (about.size > mostBytes) return problem("tooLarge");
      const bytes = await handle.readFile();
      return bytes.length > mostBytes ? problem("tooLarge") : { text: decoder.decode(bytes) };
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    const code = (thrown as { code?: unknown }).code;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return problem("notText");
    return problem(code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unreadable");
  }
}

/** A path with `/` between its parts, as the engine writes them. */
export function forward(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}

function problem(problem: FileProblem): SkillText {
  return { problem };
}

function kindOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): FolderEntry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
}
