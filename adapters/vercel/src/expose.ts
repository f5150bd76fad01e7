// Ours into theirs: the three tools as tools of the AI SDK, which pass on whatever the model sent, and behind them what a
// view lists of the catalog. Knows nothing of what is listed when: the definitions of the three never change.

import { jsonSchema, type Tool } from "ai";
import type { AdapterHost, ListedTool, ModelTool } from "honeyguide";
import { capabilityNames } from "honeyguide";
import { invokeToolOf } from "./invoke.js";
import { list } from "./listed.js";
import { show } from "./model-output.js";
import { contextOf, type ExecutionOptions } from "./types.js";

/** The tools. The three are said to be strict or not either way: a provider's own default may differ. */
export function fromTools(
  tools: readonly (ModelTool | ListedTool)[],
  host: AdapterHost,
  { strict }: { strict: boolean },
): Record<string, Tool> {
  return Object.fromEntries(
    tools.map((tool) => [tool.name, "toolId" in tool ? list(tool, host) : expose(tool, host, strict)]),
  );
}

function expose({ name, description, inputSchema }: ModelTool, host: AdapterHost, strict: boolean): Tool {
  const invoke = name === capabilityNames.invoke ? invokeToolOf(host) : undefined;
  const exposed = {
    // The model's input is known to nobody before the engine has read it.
    type: "dynamic",
    strict,
    description,
    inputSchema: jsonSchema(inputSchema, {
      // Everything passes: what is wrong with a call, the engine tells the model better than a validator can.
      validate: async (value) => {
        await invoke?.validate(value);
        return { success: true, value };
      },
    }),
    ...(invoke
      ? {
          needsApproval: invoke.needsApproval.bind(invoke),
          onInputAvailable: invoke.onInputAvailable.bind(invoke),
          execute: invoke.execute.bind(invoke),
          toModelOutput: invoke.toModelOutput.bind(invoke),
        }
      : {
          execute: (input: unknown, options: ExecutionOptions) => call(host, name, input, options),
          toModelOutput: (given: unknown) => show(host, outputOf(given)),
        }),
  };
  // The majors differ in the types of these fields, not in the fields.
  return exposed as unknown as Tool;
}

function call(host: AdapterHost, name: string, input: unknown, options: ExecutionOptions): Promise<unknown> {
  const { abortSignal: signal, toolCallId } = options;
  return host.call(name, input, { signal, toolCallId, context: contextOf(options) });
}

/** The output alone, which is all that 5 hands over. */
function outputOf(given: unknown): unknown {
  return isCall(given) ? given.output : given;
}

function isCall(given: unknown): given is { output: unknown } {
  return typeof given === "object" && given !== null && "toolCallId" in given && "output" in given;
}
