// Reads one item that an application passed: its definition as JSON text, and for a tool its executor.
// Knows nothing of the engine. Never changes the item, and reads each of its fields once.

import { describeThrown, HoneyguideError } from "./error.js";
import type { Kind } from "./generated/types.js";
import { JsonText } from "./json.js";
import { pointer, type Reason, type Refusal, writeJson } from "./refuse.js";
import { type Side, type StandardIssue, toJsonSchema, validatorOf } from "./schema.js";
import type { CallContext, Execute } from "./tool.js";

/** An item ready for the engine. */
export interface ReadItem {
  /** The definition, or a `$refused` record that keeps its place in the batch. */
  json: JsonText;
  /** The id, as far as it could be read. */
  id: string | undefined;
  /** What runs the tool. */
  execute: Execute | undefined;
  /** The object that was passed. */
  item: unknown;
}

const schemaSides: ReadonlyMap<string, Side> = new Map([
  ["inputSchema", "input"],
  ["outputSchema", "output"],
]);

/** Reads one item of this kind; whatever is wrong with it becomes a record for the engine to judge. */
export function readItem(item: unknown, kind: Kind): ReadItem {
  const read: ReadItem = { json: new JsonText("null"), id: undefined, execute: undefined, item };
  const refusal = fillIn(read, item, kind);
  if (refusal) {
    const id = read.id?.isWellFormed() ? read.id : undefined;
    read.json = new JsonText(JSON.stringify({ $refused: { id, ...refusal } }));
    read.execute = undefined;
  }
  return read;
}

function fillIn(read: ReadItem, item: unknown, kind: Kind): Refusal | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    return { path: "", reason: "notAnObject" };
  }
  let place: string | undefined;
  let reason: Reason = "getter";
  try {
    const source = item as Record<string, unknown>;
    const definition: Record<string, unknown> = {};
    let validate: ReturnType<typeof validatorOf>;
    for (const key of fieldsOf(item)) {
      place = key;
      reason = "getter";
      let value = source[key];
      const side = kind === "tool" ? schemaSides.get(key) : undefined;
      if (side) {
        reason = "schema";
        if (side === "input") validate = validatorOf(value);
        value = toJsonSchema(value, side);
      }
      if (key === "id" && typeof value === "string") read.id = value;
      if (value === undefined || typeof value === "function") continue;
      if (key === "__proto__") Object.defineProperty(definition, key, { value, enumerable: true });
      else definition[key] = value;
    }
    place = undefined;
    const written = writeJson(definition);
    if ("refusal" in written) return written.refusal;
    if (kind === "tool") {
      place = "execute";
      reason = "getter";
      const execute = source["execute"];
      if (typeof execute !== "function") return { path: "/execute", reason: "missingExecutor" };
      read.execute = bindExecute(item, execute as Execute, validate);
    }
    read.json = new JsonText(written.text);
    return undefined;
  } catch (thrown) {
    const path = place === undefined ? "" : pointer([place]);
    return { path, reason, message: describeThrown(thrown).message };
  }
}

/** The fields of an item: its own, and those that its class computes. `id` first, so that a refusal can name it. */
function fieldsOf(item: object): string[] {
  let keys = Object.keys(item);
  let prototype: unknown = Object.getPrototypeOf(item);
  while (typeof prototype === "object" && prototype !== null && prototype !== Object.prototype) {
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (property.get && key !== "__proto__" && !keys.includes(key)) keys.push(key);
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  keys = keys.filter((key) => key !== "execute" && key !== "id");
  if ("id" in item) keys.unshift("id");
  return keys;
}

/** Calls `execute` on the object it belongs to, so that a class keeps its private fields. */
function bindExecute(owner: object, execute: Execute, validate: ReturnType<typeof validatorOf>): Execute {
  if (!validate) return (args, call) => execute.call(owner, args, call);
  return (args, call) => {
    const run = (result: Awaited<ReturnType<typeof validate>>) =>
      execute.call(owner, accepted(result, call), call);
    const result = validate(args);
    return result instanceof Promise ? result.then(run) : run(result);
  };
}

function accepted(
  result: { value?: unknown; issues?: readonly StandardIssue[] | undefined },
  call: CallContext,
) {
  if (!result.issues) return result.value;
  const issues = result.issues.map((issue) => ({ path: pathOf(issue), message: issue.message }));
  const said = issues.map(({ path, message }) => (path === "" ? message : `\`${path}\`: ${message}`));
  throw new HoneyguideError({
    code: "invalid_arguments",
    category: "invalid_input",
    message: said.join("; "),
    details: { toolId: call.toolId, path: issues[0]?.path ?? "", issues },
  });
}

function pathOf(issue: StandardIssue): string {
  return pointer(
    (issue.path ?? []).map((part) => String(typeof part === "object" && part !== null ? part.key : part)),
  );
}
