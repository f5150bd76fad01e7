// What one call of invoke_tool is going to be: found, repaired and validated before anything asks or runs.
// Knows nothing of approval or of messages.

import { type AdapterHost, isHoneyguideError } from "honeyguide";
import type { CataloguedTool } from "./ingest.js";
import type { Target } from "./target.js";

/** A call that could be made. */
export interface Plan {
  readonly toolId: string;
  /** Of the tool's definition. */
  readonly digest: string;
  readonly requiresApproval: boolean;
  /** The arguments, repaired. */
  readonly args: Record<string, unknown>;
  /** The tool of theirs, when it is one; tools of the application's own have none. */
  readonly target: Target | undefined;
}

/** The plan; nothing when the call is a mistake, which the engine answers. */
export function planOf(host: AdapterHost, input: unknown): Plan | undefined {
  try {
    const { toolId, digest, requiresApproval, arguments: args } = host.resolve(input);
    const item = host.tools.itemOf(toolId) as Partial<CataloguedTool> | undefined;
    return {
      toolId,
      digest,
      requiresApproval,
      args: args as Record<string, unknown>,
      target: item?.target,
    };
  } catch (thrown) {
    if (isHoneyguideError(thrown)) return undefined;
    throw thrown;
  }
}
