// Reads a file that people write as JSON, with comments and trailing commas; says where it is broken. Knows no field of it.

import { readFileSync } from "node:fs";
import jsonc, { type Node as JsonNode, type ParseError } from "jsonc-parser";

/** Why a file is no value. */
export interface FileFault {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** What was read, or why not. */
export type ReadFile = { readonly text: string } | { readonly fault: FileFault };

/** The text of a file, or in plain words why there is none. */
export function readText(path: string): ReadFile {
  try {
    // A byte order mark is no part of what somebody wrote.
    return { text: readFileSync(path, "utf8").replace(/^\ufeff/, "") };
  } catch (thrown) {
    return { fault: { message: reasonOf(thrown) } };
  }
}

/** How deep values may stand in each other; whoever reads deeper ones runs out of stack at some point. */
const deepest = 200;

/** A key that stands a second time in its object, where the first one would be lost without a word. */
export interface SecondKey {
  /** The keys that lead to it, itself among them. */
  readonly path: readonly string[];
  readonly line: number;
  readonly column: number;
}

/** What a JSON text says. */
export interface ParsedJson {
  readonly value: unknown;
  readonly second: readonly SecondKey[];
}

/** The value of a JSON text, or where it stops being one. */
export function parseJson(text: string): ParsedJson | { fault: FileFault } {
  const tooDeep = placeTooDeep(text);
  if (tooDeep !== undefined) {
    return { fault: { message: "it is no JSON: nested too deeply", ...placeOf(text, tooDeep) } };
  }
  const errors: ParseError[] = [];
  const tree = jsonc.parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const message = `it is no JSON: ${wordsOf(jsonc.printParseErrorCode(first.error))}`;
    return { fault: { message, ...placeOf(text, first.offset) } };
  }
  const second: SecondKey[] = [];
  const value =
    tree && valueOfNode(tree, [], (path, offset) => second.push({ path, ...placeOf(text, offset) }));
  return { value, second };
}

/** Where a bracket opens that is one too many. */
function placeTooDeep(text: string): number | undefined {
  const scanner = jsonc.createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) depth++;
    if (token === closeBrace || token === closeBracket) depth--;
    if (depth > deepest) return scanner.getTokenOffset();
  }
  return undefined;
}

// The package has them as an enumeration of types alone, which does not exist when this runs.
const [openBrace, closeBrace, openBracket, closeBracket, endOfFile] = [1, 2, 3, 4, 17];

type Tell = (path: readonly string[], offset: number) => void;

/** The value of a node; every key is one of its own, also `__proto__`. */
function valueOfNode(node: JsonNode, path: readonly string[], tell: Tell): unknown {
  if (node.type === "array") return (node.children ?? []).map((each) => valueOfNode(each, path, tell));
  if (node.type !== "object") return node.value;
  const fields = new Map<string, unknown>();
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (!key || !value) continue;
    const name = String(key.value);
    if (fields.has(name)) tell([...path, name], key.offset);
    fields.set(name, valueOfNode(value, [...path, name], tell));
  }
  return Object.fromEntries(fields);
}

/** Line and column of a character, counted from one. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** A file and a place in it, as compilers write them. */
export function at(file: string, { line, column }: FileFault): string {
  if (line === undefined) return file;
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Why the system did not do it. */
export function reasonOf(thrown: unknown): string {
  const { code } = (thrown ?? {}) as { code?: string };
  const words: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file",
    ENOTDIR: "there is no such file",
    EISDIR: "it is a folder",
    EACCES: "it may not be read",
    EPERM: "it may not be touched",
    EEXIST: "it is there already",
    EROFS: "nothing can be written there",
  };
  return words[code ?? ""] ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

/** `CommaExpected` as `comma expected`. */
function wordsOf(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
