// The configuration that servers are added to: read, and written so that nothing that was there is lost. Knows no client.

import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import jsonc from "jsonc-parser";
import type { McpServerConfig } from "../../config.js";
import { UsageError } from "../fault.js";
import { at, isObject, parseJson, readText, reasonOf } from "../json-file.js";

/** A configuration that may be added to. */
export interface Target {
  readonly path: string;
  /** Its text, when it is there. */
  readonly text: string | undefined;
  /** The key that its servers stand under. */
  readonly key: "mcpServers" | "servers";
  readonly servers: Readonly<Record<string, unknown>>;
}

/** Looks at a target; `name` is how the person wrote it. */
export function readTarget(path: string, name: string): Target {
  checkPlace(path, name);
  const read = readText(path);
  if ("fault" in read) {
    if (read.fault.message !== "there is no such file")
      throw new UsageError(`${name}: ${read.fault.message}`);
    return { path, text: undefined, key: "mcpServers", servers: {} };
  }
  const parsed = parseJson(read.text);
  if ("fault" in parsed) throw new UsageError(`${at(name, parsed.fault)}: ${parsed.fault.message}`);
  if (!isObject(parsed.value)) throw new UsageError(`${name}: it is no object`);
  const key =
    parsed.value["mcpServers"] === undefined && parsed.value["servers"] !== undefined
      ? "servers"
      : "mcpServers";
  const servers = parsed.value[key] ?? {};
  if (!isObject(servers)) throw new UsageError(`${name}: \`${key}\` is no object`);
  return { path, text: read.text, key, servers };
}

/** Writes the target with these servers added; answers where the old one was copied to. */
export function writeTarget(
  { path, text, key }: Target,
  added: Readonly<Record<string, McpServerConfig>>,
  now: Date,
): string | undefined {
  let written = text ?? `{\n  "${key}": {}\n}\n`;
  for (const [name, entry] of Object.entries(added)) {
    // Edits in place: comments, order and layout of what is there stay.
    const edits = jsonc.modify(written, [key, name], entry, {
      formattingOptions: { insertSpaces: true, tabSize: 2 },
    });
    written = jsonc.applyEdits(written, edits);
  }
  const backup = text === undefined ? undefined : keepCopy(path, now);
  replaceWith(path, written);
  return backup;
}

function checkPlace(path: string, name: string): void {
  const about = statOf(path);
  if (about?.isSymbolicLink()) throw new UsageError(`${name}: it is a link; name the file that it leads to`);
  if (!about && !statOf(dirname(path))) {
    throw new UsageError(`${name}: there is no folder \`${dirname(name)}\``);
  }
}

function statOf(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function keepCopy(path: string, now: Date): string {
  const time = now.toISOString().replace(/\.\d+/, "").replace(/[-:]/g, "");
  const backup = `${path}.bak-${time}`;
  try {
    copyFileSync(path, backup, constants.COPYFILE_EXCL);
  } catch (thrown) {
    throw new UsageError(`${backup}: it cannot be written: ${reasonOf(thrown)}`);
  }
  // What it holds may be as secret as what the new one does.
  chmodSync(backup, 0o600);
  return backup;
}

/** Whole or not at all, and for its owner only. */
function replaceWith(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw new UsageError(`${path}: it cannot be written: ${reasonOf(thrown)}`);
  }
}
