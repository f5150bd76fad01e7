// Says why a value cannot be written as JSON, and where. Knows nothing of items, and changes nothing it reads.

import { describeThrown } from "./error.js";

/** Why the engine will not be given a value; the words for people are the engine's. */
export type Reason =
  | "notFinite"
  | "bigInteger"
  | "cycle"
  | "getter"
  | "loneSurrogate"
  | "unsupported"
  | "missingExecutor"
  | "notAnObject"
  | "schema";

/** A value that was not written, with a JSON Pointer to the place. */
export interface Refusal {
  path: string;
  reason: Reason;
  message?: string;
}

/** A value as JSON text, or the first thing in it that JSON cannot say. */
export type Written = { text: string } | { refusal: Refusal };

/** Writes a value as JSON text. What `JSON.stringify` would silently lose (NaN, functions, maps) is refused. */
export function writeJson(value: unknown): Written {
  const path: string[] = [];
  try {
    // Nearly every value is plain data. Only one that is not is walked step by step, to say what is wrong and where.
    if (isPlain(value)) {
      const text = JSON.stringify(value);
      // Half of a surrogate pair is written so, and hardly anything else.
      if (!text.includes("\\ud")) return { text };
    }
    const fault = findFault(value, path, []);
    if (fault) return { refusal: { path: pointer(path), ...fault } };
    return { text: JSON.stringify(value) ?? "null" };
  } catch (thrown) {
    // Too deep for the stack, or a value that answers differently when it is read again.
    const message = describeThrown(thrown).message;
    return { refusal: { path: pointer(path.slice(0, 8)), reason: "unsupported", message } };
  }
}

/** A JSON Pointer (RFC 6901) to this place. */
export function pointer(path: readonly string[]): string {
  return path.map((key) => `/${key.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

const { getPrototypeOf, hasOwn, values, prototype: objects } = Object;
const lists = Array.prototype;
const isFiniteNumber = Number.isFinite;

/** Whether a value is what `JSON.stringify` writes without loss, up to broken Unicode; false also for what takes a closer look. */
function isPlain(value: unknown): boolean {
  try {
    if (typeof value !== "object" || value === null) return false;
    return (lists as { toJSON?: unknown }).toJSON === undefined && isPlainInside(value, 64);
  } catch {
    return false;
  }
}

/**
 * The schemas of a catalog have hundreds of shapes, each seen once: reading fields by name would have V8 learn every shape, which
 * took longer than all else in a start. One short function: V8 compiles small ones and long loops after little use, and that
 * takes longer than to check a hundred tools.
 */
function isPlainInside(value: object, levels: number): boolean {
  const prototype: unknown = getPrototypeOf(value);
  const isList = prototype === lists;
  if (!isList && prototype !== objects && prototype !== null) return false;
  if (levels === 0 || hasOwn(value, "toJSON")) return false;
  const parts: readonly unknown[] = isList ? (value as unknown[]) : values(value);
  let place = parts.length;
  for (;;) {
    if (place === 0) return true;
    const part = parts[--place];
    if (typeof part === "string") continue;
    if (typeof part === "object") {
      if (part === null || isPlainInside(part, levels - 1)) continue;
      return false;
    }
    // As in `JSON.stringify`, a field without a value is no field.
    if (typeof part === "boolean" || isFiniteNumber(part) || (part === undefined && !isList)) continue;
    return false;
  }
}

type Fault = { reason: Reason; message?: string };

/** Walks a value as `JSON.stringify` would; on a fault `path` is left pointing at it. */
function findFault(value: unknown, path: string[], ancestors: object[]): Fault | undefined {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? undefined : { reason: "loneSurrogate" };
    case "number":
      return Number.isFinite(value) ? undefined : { reason: "notFinite", message: String(value) };
    case "boolean":
      return undefined;
    case "bigint":
      return { reason: "bigInteger" };
    case "object":
      return value === null ? undefined : findFaultInside(value, path, ancestors);
    default:
      return { reason: "unsupported", message: `a ${typeof value}` };
  }
}

function findFaultInside(value: object, path: string[], ancestors: object[]): Fault | undefined {
  if (ancestors.includes(value)) return { reason: "cycle" };
  ancestors.push(value);
  try {
    const lossy = lossyName(value);
    if (lossy) return { reason: "unsupported", message: `a ${lossy}` };
    const toJson = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson === "function") {
      const replaced: unknown = toJson.call(value, path.at(-1) ?? "");
      if (replaced !== value) return findFault(replaced, path, ancestors);
    }
    return Array.isArray(value)
      ? findFaultInEntries(value, path, ancestors)
      : findFaultInFields(value as Record<string, unknown>, path, ancestors);
  } catch (thrown) {
    if (thrown instanceof RangeError) throw thrown;
    return { reason: "getter", message: describeThrown(thrown).message };
  } finally {
    ancestors.pop();
  }
}

function findFaultInEntries(entries: unknown[], path: string[], ancestors: object[]): Fault | undefined {
  for (let index = 0; index < entries.length; index++) {
    path.push(String(index));
    const fault = findFault(entries[index], path, ancestors);
    if (fault) return fault;
    path.pop();
  }
  return undefined;
}

function findFaultInFields(
  fields: Record<string, unknown>,
  path: string[],
  ancestors: object[],
): Fault | undefined {
  for (const key of Object.keys(fields)) {
    path.push(key);
    if (!key.isWellFormed()) return { reason: "loneSurrogate", message: "in a key" };
    const value = fields[key];
    // As in `JSON.stringify`, a field without a value is no field.
    const fault = value === undefined ? undefined : findFault(value, path, ancestors);
    if (fault) return fault;
    path.pop();
  }
  return undefined;
}

const lossyTypes = [Map, Set, WeakMap, WeakSet, RegExp, Promise, ArrayBuffer];

/** The name of a type whose content `JSON.stringify` would lose. */
function lossyName(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null) return undefined;
  if (ArrayBuffer.isView(value)) return "typed array";
  return lossyTypes.find((type) => value instanceof type)?.name;
}
