// Which keys of a configuration are misspelt: one that is read by nobody would be a rule or a server that does not hold. Knows no
// value.

import { nearest } from "../nearest.js";
import { UsageError } from "./fault.js";
import type { SecondKey } from "./json-file.js";
import { settingNames } from "./settings.js";

const groups = ["mcpServers", "servers"];
const top = ["honeyguide", ...groups];

/** What the entry of a server may say. */
const entryKeys = ["command", "args", "env", "cwd", "url", "headers", "type", "disabled", "oauth"];
/** What people write for it. */
const alias: Readonly<Record<string, string>> = { environment: "env" };

/** Refuses a key beside the servers that is meant for us; others are for the clients that read the same file. */
export function checkTop(file: string, value: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(value)) {
    if (top.includes(key)) continue;
    if (settingNames.some((name) => name.toLowerCase() === key.toLowerCase())) {
      throw new UsageError(`${file}: ${key}: unknown key; it belongs below \`honeyguide\``);
    }
    const near = meant(key, top, 2);
    if (near !== undefined) throw new UsageError(`${file}: ${key}: unknown key; did you mean \`${near}\`?`);
  }
}

/** Refuses a key that stands twice, where it matters: only the second one would hold. */
export function checkSecond(file: string, second: readonly SecondKey[]): void {
  const found = second.find(({ path: [first] }) => top.includes(first ?? ""));
  if (!found) return;
  const { path, line, column } = found;
  const isServer = path.length === 2 && groups.includes(path[0] ?? "");
  const name = `\`${path.at(-1)}\``;
  const what = isServer ? `server ${name} stands twice; rename one of them` : `${name} stands twice`;
  throw new UsageError(`${file}:${line}:${column}: ${what}`);
}

/** What is likely to be misspelt in the entry of a server: clients have keys of their own, so nothing ends for it. */
export function oddKeys(server: string, entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return [];
  return Object.keys(entry).flatMap((key) => {
    if (entryKeys.includes(key)) return [];
    const words = [...entryKeys, ...Object.keys(alias)];
    // Of a short word, two other letters make another word.
    const short = meant(
      key,
      words.filter((word) => word.length < 5),
      1,
    );
    const near =
      short ??
      meant(
        key,
        words.filter((word) => word.length >= 5),
        2,
      );
    if (near === undefined) return [];
    return [`server \`${server}\`: unknown key \`${key}\`; did you mean \`${alias[near] ?? near}\`?`];
  });
}

/** The word that is nearest, whatever its letters' case. */
function meant(key: string, words: readonly string[], within: number): string | undefined {
  const small = nearest(
    key.toLowerCase(),
    words.map((word) => word.toLowerCase()),
    within,
  );
  return words.find((word) => word.toLowerCase() === small);
}
