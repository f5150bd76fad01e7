// Reads a file that people write as JSON, with comments and trailing commas; says where it is broken. Knows no field of it.

import { readFileSync } from "node:fs";
import jsonc, { type ParseError } from "jsonc-parser";

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

/** The value of a JSON text, or where it stops being one. */
export function parseJson(text: string): { value: unknown } | { fault: FileFault } {
  const errors: ParseError[] = [];
  const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const message = `it is no JSON: ${wordsOf(jsonc.printParseErrorCode(first.error))}`;
    return { fault: { message, ...placeOf(text, first.offset) } };
  }
  return { value };
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
