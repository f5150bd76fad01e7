// A tool of the catalog that stands in Mastra's own list: what the model reads is the tool's, what runs is invoke_tool with
// its arguments. Knows nothing of which tools are listed when.

import type { AdapterHost } from "honeyguide";
import type { CataloguedTool } from "./ingest.js";
import type { InvokeTool } from "./invoke.js";
import type { MastraTool } from "./types.js";

/** What Mastra reads of the original beside what runs. */
const kept = [
  "title",
  "strict",
  "providerOptions",
  "inputExamples",
  "suspendSchema",
  "resumeSchema",
  "mcp",
] as const;

/** What Mastra calls and reads of a listed tool, beside its definition. */
export function list(toolId: string, host: AdapterHost, invoke: InvokeTool): Partial<MastraTool> {
  const item = host.tools.itemOf(toolId) as Partial<CataloguedTool> | undefined;
  const tool = item?.target?.tool;
  const original: Readonly<Record<string, unknown>> = { ...(tool ?? { strict: false }) };
  const envelope = (args: unknown) => ({ toolId, args });
  return {
    ...Object.fromEntries(
      kept.flatMap((field) => (original[field] === undefined ? [] : [[field, original[field]]])),
    ),
    onInputStart: (options) => tool?.onInputStart?.(options),
    onInputAvailable: ({ input, ...options }) =>
      invoke.onInputAvailable({ ...options, input: envelope(input) }, { started: true }),
    requireApproval: (args, context) => invoke.requireApproval(envelope(args), context),
    execute: (args, given) => invoke.execute(envelope(args), given),
    toModelOutput: (output) => invoke.toModelOutput(output),
  };
}
