// A tool of the catalog that stands in the framework's own list: what the model reads is the tool's, what runs is
// invoke_tool with its arguments. Knows nothing of which tools are listed when.

import { jsonSchema, type Tool } from "ai";
import type { AdapterHost, ListedTool } from "honeyguide";
import { envelopeOf } from "./envelope.js";
import type { CataloguedTool } from "./ingest.js";
import { invokeToolOf } from "./invoke.js";
import type { CallbackOptions, ExecutionOptions, SdkTool } from "./types.js";

/** What this package put into a list of tools. */
const listed = new WeakSet<object>();

/** Whether a tool of the framework is one of the catalog's, listed. */
export function isListed(tool: unknown): boolean {
  return typeof tool === "object" && tool !== null && listed.has(tool);
}

/** The tool as the framework lists it. */
export function list({ description, inputSchema, toolId }: ListedTool, host: AdapterHost): Tool {
  const invoke = invokeToolOf(host);
  const item = host.tools.itemOf(toolId) as Partial<CataloguedTool> | undefined;
  const target = item?.target?.tool;
  const exposed = {
    ...(target ? heldBack(target) : { type: "dynamic", strict: false }),
    description,
    inputSchema: jsonSchema(inputSchema, {
      // Everything passes, as through invoke_tool: the engine repairs, or says what is wrong.
      validate: async (value) => {
        await invoke.validate(envelopeOf(toolId, value));
        return { success: true, value };
      },
    }),
    needsApproval: (input: unknown, options: CallbackOptions) =>
      invoke.needsApproval(envelopeOf(toolId, input), options),
    // Whose input it is is known from the start, so each hook is called when the framework calls it.
    onInputStart: (options: ExecutionOptions) => target?.onInputStart?.(options),
    onInputDelta: (options: ExecutionOptions & { inputTextDelta: string }) => target?.onInputDelta?.(options),
    onInputAvailable: ({ input, ...options }: ExecutionOptions & { input: unknown }) =>
      invoke.onInputAvailable({ ...options, input: envelopeOf(toolId, input) }, { started: true }),
    execute: (input: unknown, options: ExecutionOptions) =>
      invoke.execute(envelopeOf(toolId, input), options),
    toModelOutput: (given: unknown) => invoke.toModelOutput(ofInvocation(toolId, given)),
  };
  listed.add(exposed);
  // The majors differ in the types of these fields, not in the fields.
  return exposed as unknown as Tool;
}

/** The fields of the original that the framework reads beside what runs. */
function heldBack(tool: SdkTool): Partial<SdkTool> {
  const fields = ["type", "title", "metadata", "strict", "providerOptions", "inputExamples", "contextSchema"];
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = (tool as Record<string, unknown>)[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

/** What `toModelOutput` is given, with the input as invoke_tool knows it; 5 hands over the output alone. */
function ofInvocation(toolId: string, given: unknown): unknown {
  if (typeof given !== "object" || given === null || !("toolCallId" in given && "input" in given))
    return given;
  return { ...given, input: envelopeOf(toolId, given.input) };
}
