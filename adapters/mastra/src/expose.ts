// Ours into theirs: the three tools as tools of Mastra, which pass on whatever the model sent.
// Knows nothing of what is registered: their definitions never change.

import type { ToolsInput } from "@mastra/core/agent";
import { type AdapterHost, capabilityNames, type ModelTool } from "honeyguide";
import { Approvals } from "./approval.js";
import { ModelOutputs } from "./model-output.js";
import { type Plan, planOf } from "./plan.js";
import { Live } from "./target.js";
import {
  type ExecutionContext,
  type InputOptions,
  type MastraTool,
  type RequestContextLike,
  type RuleContext,
  toolMarker,
} from "./types.js";

/** What is remembered of the calls of one engine: a yes that one view was given holds for the next. */
interface Memory {
  readonly approvals: Approvals;
  readonly outputs: ModelOutputs;
  /** Whether a catalogued tool says that it suspends. */
  suspends: boolean;
}

const memories = new WeakMap<AdapterHost["tools"], Memory>();

/**
 * The three tools; with the request context of a run, its setting `requireToolApproval` is asked where Mastra asks.
 * Said to be strict or not either way: a provider's own default may differ.
 */
export function fromTools(
  tools: readonly ModelTool[],
  host: AdapterHost,
  { strict }: { strict: boolean },
  request?: RequestContextLike,
): ToolsInput {
  return Object.fromEntries(
    tools.map((tool) => {
      const exposed: MastraTool = {
        [toolMarker]: true,
        id: tool.name,
        description: tool.description,
        inputSchema: passing(tool.inputSchema),
        ...{ strict },
        ...(tool.name === capabilityNames.invoke ? invoking(host, request) : answering(host, tool.name)),
      };
      if (tool.name === capabilityNames.invoke) {
        // Mastra runs the calls of a step one by one where a tool says that it suspends, and reads it for each run.
        const suspendSchema = () => (memoryOf(host).suspends ? passing({}) : undefined);
        Object.defineProperty(exposed, "suspendSchema", { enumerable: true, get: suspendSchema });
      }
      return [tool.name, exposed as unknown as ToolsInput[string]];
    }),
  );
}

/** Hears of a tool that is catalogued for this host. */
export function noteTool(tool: MastraTool, host: AdapterHost): void {
  if (tool.suspendSchema !== undefined) memoryOf(host).suspends = true;
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

/** invoke_tool: the functions that Mastra calls, in the order in which it does. */
function invoking(host: AdapterHost, request: RequestContextLike | undefined): Partial<MastraTool> {
  const { approvals, outputs } = memoryOf(host);
  return {
    async onInputAvailable({ input, ...options }: InputOptions & { input: unknown }) {
      const plan = planOf(host, input);
      if (!plan) return;
      approvals.announce(plan, options.toolCallId);
      // The target hears of its input when it is known to be the target's: both hooks then, one after the other.
      await plan.target?.tool.onInputStart?.(options);
      await plan.target?.tool.onInputAvailable?.({ ...options, input: plan.args });
    },

    // A call that is a mistake needs no approval: it will not run.
    async requireApproval(input: unknown, context?: RuleContext) {
      const plan = planOf(host, input);
      return plan !== undefined && approvals.needed(plan, context, request);
    },

    async execute(input, given) {
      // A copy: Mastra marks the context of input that it has seen, and the target's input it has not.
      const context = { ...(given as ExecutionContext) };
      const plan = planOf(host, input);
      if (plan && !request && (await approvals.suspends(plan, input, context))) return undefined;
      return run(host, input, context, plan);
    },

    toModelOutput: (output) => outputs.show(host, output),
  };
}

/** Makes the call: the target's own exception again, or its value by identity. */
async function run(
  host: AdapterHost,
  input: unknown,
  context: ExecutionContext,
  plan: Plan | undefined,
): Promise<unknown> {
  const { approvals, outputs } = memoryOf(host);
  const live = new Live(context);
  const value = await host.call(capabilityNames.invoke, input, {
    // A target of theirs finds the signal in its own context, and is waited for as Mastra waits.
    signal: plan?.target ? undefined : context.abortSignal,
    context: context.requestContext,
    toolCallId: context.agent?.toolCallId,
    approve: (asked) => approvals.answer(host, asked, context),
    live,
  });
  if (live.failure) throw live.failure.thrown;
  outputs.note(value, live.given ? plan?.target : undefined);
  return value;
}

function memoryOf({ tools }: AdapterHost): Memory {
  const known = memories.get(tools) ?? {
    approvals: new Approvals(),
    outputs: new ModelOutputs(),
    suspends: false,
  };
  memories.set(tools, known);
  return known;
}
