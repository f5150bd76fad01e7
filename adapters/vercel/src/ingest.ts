// Their tool into ours: what the engine has to know of a tool of the AI SDK, and which tools stay with the framework.
// Knows nothing of how the three tools look; the original object is kept whole, by the target.

import { asSchema, jsonSchema } from "ai";
import type { Converted, Tool } from "honeyguide";
import { Target, type Validate } from "./target.js";
import type { SdkTool } from "./types.js";

/** A tool of ours that remembers theirs. */
export interface CataloguedTool extends Tool {
  readonly target: Target;
}

/** Converts one tool. Whatever cannot be read or converted is thrown for the registration to report. */
export async function toTool(id: string, tool: SdkTool): Promise<Converted> {
  if (typeof tool !== "object" || tool === null)
    throw new Error("this is not a tool; pass what `tool()` gives");
  const passthrough = reasonToPass(tool);
  if (passthrough !== undefined) return { passthrough };
  const schema = schemaOf(tool.inputSchema);
  const target = new Target(id, tool, schema.validate as Validate | undefined);
  const catalogued: CataloguedTool = {
    id,
    title: textOf(tool.title),
    description: describe(tool),
    inputSchema: filled(await schema.jsonSchema, tool.inputSchema),
    outputSchema: await outputSchemaOf(tool),
    server: serverOf(tool),
    annotations: annotationsOf(tool),
    // A rule that depends on the arguments may ask, so the engine always does; the adapter answers for the rule.
    requiresApproval: (tool.needsApproval ?? false) !== false,
    target,
    execute: (args, call) => target.run(args, call),
  };
  return hideTarget(catalogued);
}

/** Why a tool cannot run behind `invoke_tool`: someone else executes it. */
function reasonToPass(tool: SdkTool): string | undefined {
  if (tool.type === "provider" || tool.type === "provider-defined") {
    return typeof tool.execute === "function" && tool.isProviderExecuted !== true
      ? "provider-defined: the model knows it by the provider's own definition"
      : "provider-executed: the provider runs it";
  }
  return typeof tool.execute === "function"
    ? undefined
    : "no execute: the application answers it outside the agent loop";
}

/** The description; in 7 it may be a function of the context, which is not there at registration. */
function describe(tool: SdkTool): string | undefined {
  const { description } = tool;
  if (typeof description !== "function") return textOf(description) ?? textOf(tool.title);
  return textOf(description.call(tool, { context: {} })) ?? textOf(tool.title);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The MCP client's name, where the framework's MCP client noted one that says more than that it is a client. */
function serverOf(tool: SdkTool): string | undefined {
  const { metadata } = tool;
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const name = textOf((metadata as { clientName?: unknown }).clientName);
  return name === "ai-sdk-mcp-client" ? undefined : name;
}

/** What the server says of the tool's effects, where the framework's MCP client kept it. */
function annotationsOf({ metadata }: SdkTool): Record<string, unknown> | undefined {
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const { annotations } = metadata as { annotations?: unknown };
  return typeof annotations === "object" && annotations !== null ? { ...annotations } : undefined;
}

/** A schema as the framework reads it; JSON Schema that was not wrapped in `jsonSchema()` is taken as it stands. */
function schemaOf(source: unknown): ReturnType<typeof asSchema> {
  const plain =
    typeof source === "object" &&
    source !== null &&
    ["~standard", "jsonSchema", "_def"].every((key) => !(key in source));
  return plain ? jsonSchema(source) : asSchema(source as Parameters<typeof asSchema>[0]);
}

/** Refuses a schema that lost its fields on the way: a model would see no arguments and send none. */
function filled<Written>(written: Written, source: unknown): Written {
  const shape = (source as { shape?: unknown } | null | undefined)?.shape;
  const asks = typeof shape === "object" && shape !== null && Object.keys(shape).length > 0;
  const properties = (written as { properties?: object }).properties ?? {};
  if (asks && Object.keys(properties).length === 0) {
    throw new Error(
      "the schema became an empty JSON Schema, so a model would see no arguments; pass jsonSchema()",
    );
  }
  // A copy without what libraries hide on their JSON Schemas: the engine would take it for one of theirs.
  return { ...written };
}

/** The schema of the result is a convenience: one that cannot be converted is left out. */
async function outputSchemaOf(tool: SdkTool): Promise<unknown> {
  if (tool.outputSchema === undefined) return undefined;
  try {
    return { ...(await schemaOf(tool.outputSchema).jsonSchema) };
  } catch {
    return undefined;
  }
}

/** The engine is told the definition only; the target stays beside it. */
function hideTarget(tool: CataloguedTool): CataloguedTool {
  return Object.defineProperty(tool, "target", { enumerable: false });
}
