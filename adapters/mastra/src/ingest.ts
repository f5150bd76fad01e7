// Their tool into ours: what the engine has to know of a tool of Mastra, and which tools stay with the framework.
// Knows nothing of how the three tools look; the original object is kept whole, by the target.

import { standardSchemaToJSONSchema, toStandardSchema } from "@mastra/core/schema";
import type { Converted, Tool } from "honeyguide";
import { ruleOf, Target } from "./target.js";
import { isObject, type MastraTool, toolMarker } from "./types.js";

/** A tool of ours that remembers theirs. */
export interface CataloguedTool extends Tool {
  readonly target: Target;
}

/** Converts one tool. Whatever cannot be read or converted is thrown for the registration to report. */
export function toTool(id: string, tool: MastraTool): Converted {
  if (!isObject(tool)) throw new Error("this is not a tool; pass what `createTool()` gives");
  const passthrough = reasonToPass(tool);
  if (passthrough !== undefined) return { passthrough };
  const own = toolMarker in tool;
  const source = schemaOf(tool.inputSchema ?? tool.parameters);
  const target = new Target(id, tool, own ? undefined : source);
  const catalogued: CataloguedTool = {
    id,
    title: textOf(tool.title),
    description: textOf(tool.description) ?? textOf(tool.title),
    inputSchema: source === undefined ? undefined : jsonSchemaOf(source, "input"),
    outputSchema: outputSchemaOf(tool),
    server: textOf(tool.mcpMetadata?.serverName),
    annotations: tool.mcp?.annotations ? { ...tool.mcp.annotations } : undefined,
    // A rule that depends on the arguments may ask, so the engine always does; the adapter answers for the rule.
    requiresApproval: ruleOf(tool) !== false,
    target,
    execute: (args, call) => target.run(args, call),
  };
  // The engine is told the definition only; the target stays beside it.
  return Object.defineProperty(catalogued, "target", { enumerable: false });
}

/** Why a tool cannot run behind `invoke_tool`: the framework does something with it that needs its own name. */
function reasonToPass(tool: MastraTool): string | undefined {
  if (tool.type === "provider" || tool.type === "provider-defined") {
    return "provider-defined: the model knows it by the provider's own definition";
  }
  if (typeof tool.execute !== "function") {
    return "no execute: the application answers it outside the agent loop";
  }
  if (tool.background?.enabled === true) {
    return "background: Mastra runs it as a background task, which it decides by the tool's own definition";
  }
  if (isObject(tool.transform)) {
    return "transform: Mastra hides parts of its payloads from displays and transcripts, by the tool's own definition";
  }
  return undefined;
}

/** The schema itself; it may be given as a function. */
function schemaOf(source: unknown): unknown {
  return typeof source === "function" && !("~standard" in source) ? source() : source;
}

/** JSON Schema as Mastra would hand it to a model. */
function jsonSchemaOf(source: unknown, io: "input" | "output"): Record<string, unknown> {
  if (isObject(source) && "jsonSchema" in source && isThenable(source.jsonSchema)) {
    throw new Error("the schema is only there asynchronously; await it first");
  }
  const written: unknown = standardSchemaToJSONSchema(
    toStandardSchema(source as Parameters<typeof toStandardSchema>[0]),
    { io },
  );
  if (!isObject(written)) throw new Error("the schema's JSON Schema is not an object");
  const { properties } = written as { properties?: object };
  if ("~standard" in written) {
    // What Mastra does not know it takes for JSON Schema.
    throw new Error("the schema's library offers no JSON Schema; pass plain JSON Schema");
  }
  if (asksForFields(source) && Object.keys(properties ?? {}).length === 0) {
    throw new Error(
      "the schema became an empty JSON Schema, so a model would see no arguments; pass plain JSON Schema",
    );
  }
  // A copy without what libraries hide on their JSON Schemas: the engine would take it for one of theirs.
  return { ...written };
}

/** Whether a schema names fields: then its JSON Schema has to. */
function asksForFields(source: unknown): boolean {
  const { shape } = source as { shape?: unknown };
  return isObject(shape) && Object.keys(shape).length > 0;
}

/** The schema of the result is a convenience: one that cannot be converted is left out. */
function outputSchemaOf(tool: MastraTool): Record<string, unknown> | undefined {
  try {
    const source = schemaOf(tool.outputSchema);
    return source === undefined ? undefined : jsonSchemaOf(source, "output");
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isThenable(value: unknown): boolean {
  return isObject(value) && typeof (value as { then?: unknown }).then === "function";
}
