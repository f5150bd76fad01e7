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
    if (isPlain(value)) return { text: JSON.stringify(value) ?? "null" };
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

/** Whether a value is what `JSON.stringify` writes without loss; false also for what would take a closer look to tell. */
function isPlain(value: unknown): boolean {
  try {
    return isPlainData(value, 64);
  } catch {
    return false;
  }
}

function isPlainData(value: unknown, levels: number): boolean {
  switch (typeof value) {
    case "string":
      return value.isWellFormed();
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return true;
    case "object":
      return value === null || (levels > 0 && isPlainInside(value, levels - 1));
    default:
      return false;
  }
}

function isPlainInside(value: object, levels: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((value as { toJSON?: unknown }).toJSON !== undefined) return false;
  if (prototype === Array.prototype) {
    for (const entry of value as unknown[]) if (!isPlainData(entry, levels)) return false;
    return true;
  }
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) {
    const field = (value as Record<string, unknown>)[key];
    if (!key.isWellFormed() || !(field === undefined || isPlainData(field, levels))) return false;
  }
  return true;
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
