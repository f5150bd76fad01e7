// Ours into theirs: the three tools as tools of Mastra, which pass on whatever the model sent, and behind them what a view
// lists of the catalog. Knows nothing of what is listed when: the definitions of the three never change.

import type { ToolsInput } from "@mastra/core/agent";
import { type AdapterHost, capabilityNames, type ListedTool, type ModelTool } from "honeyguide";
import { InvokeTool, suspends } from "./invoke.js";
import { list } from "./listed.js";
import { type ExecutionContext, type MastraTool, type RequestContextLike, toolMarker } from "./types.js";

/**
 * The tools; with the request context of a run, its setting `requireToolApproval` is asked where Mastra asks.
 * The three are said to be strict or not either way: a provider's own default may differ.
 */
export function fromTools(
  tools: readonly (ModelTool | ListedTool)[],
  host: AdapterHost,
  { strict }: { strict: boolean },
  request?: RequestContextLike,
): ToolsInput {
  const invoke = new InvokeTool(host, request);
  return Object.fromEntries(
    tools.map((tool) => {
      const exposed: MastraTool = {
        [toolMarker]: true,
        id: tool.name,
        description: tool.description,
        inputSchema: passing(tool.inputSchema),
        ...("toolId" in tool ? list(tool.toolId, host, invoke) : { strict }),
      };
      if (!("toolId" in tool)) {
        const isInvoke = tool.name === capabilityNames.invoke;
        Object.assign(exposed, isInvoke ? invoking(invoke) : answering(host, tool.name));
        // Mastra runs the calls of a step one by one where a tool says that it suspends, and reads it for each run.
        const suspendSchema = () => (isInvoke && suspends(host) ? passing({}) : undefined);
        Object.defineProperty(exposed, "suspendSchema", { enumerable: true, get: suspendSchema });
      }
      return [tool.name, exposed as unknown as ToolsInput[string]];
    }),
  );
}

/** A schema that shows the model what to send and lets everything pass: what is wrong, the engine tells the model better. */
function passing(inputSchema: Record<string, unknown>): unknown {
  return {
    "~standard": {
      version: 1,
      vendor: "honeyguide",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ ...inputSchema }), output: () => ({ ...inputSchema }) },
    },
  };
}

/** A tool that the engine answers. */
function answering(host: AdapterHost, name: string): Pick<MastraTool, "execute"> {
  return {
    execute(input, given) {
      const { agent, abortSignal: signal, requestContext: context } = given as ExecutionContext;
      return host.call(name, input, { signal, context, toolCallId: agent?.toolCallId });
    },
  };
}

/** invoke_tool itself. */
function invoking(invoke: InvokeTool): Partial<MastraTool> {
  return {
    onInputAvailable: (options) => invoke.onInputAvailable(options),
    requireApproval: (input, context) => invoke.requireApproval(input, context),
    execute: (input, given) => invoke.execute(input, given),
    toModelOutput: (output) => invoke.toModelOutput(output),
  };
}
