// A catalogued tool of Mastra, and how it runs: on its own object, with the context that Mastra made for the call.
// Knows nothing of search, of what a person said, or of the three tools.

import { standardSchemaToJSONSchema, toStandardSchema } from "@mastra/core/schema";
import { type CallContext, HoneyguideError } from "honeyguide";
import {
  type AgentContext,
  type ExecutionContext,
  isObject,
  type MastraTool,
  type Rule,
  type Suspend,
  toolMarker,
} from "./types.js";

/** Marks what an adapter of this kind put into a call, also one of another copy of the package. */
const marker: unique symbol = Symbol.for("honeyguide.mastra.live") as never;

/** What one call through the adapter carries beside the user's context, and what came of it. */
export class Live {
  readonly [marker] = true;
  /** What the target gave; an answer of the engine in its place is not the target's. */
  given: { value: unknown } | undefined;
  /** What the target itself threw. */
  failure: { thrown: unknown } | undefined;

  constructor(readonly context: ExecutionContext) {}
}

/** Whether a person is asked before this tool runs: always, never, or by a rule. As Mastra reads it. */
export function ruleOf(tool: MastraTool): boolean | Rule {
  const { requireApproval, needsApproval, needsApprovalFn } = tool;
  if (typeof requireApproval === "function") return requireApproval;
  if (!(toolMarker in tool)) {
    if (typeof needsApproval === "function") return needsApproval;
    if (typeof needsApproval === "boolean") return needsApprovalFn ?? needsApproval;
  }
  return needsApprovalFn ?? requireApproval === true;
}

/** A catalogued tool, with the object it came as. */
export class Target {
  constructor(
    readonly id: string,
    readonly tool: MastraTool,
    /** The schema of a tool that does not validate by itself. */
    private readonly schema: unknown,
  ) {}

  /** Runs the tool. Mastra's context is the live call's, or made from the plain call of another host. */
  async run(args: unknown, call: CallContext): Promise<unknown> {
    const live = isLive(call.live) ? call.live : undefined;
    const context = this.#contextFor(live?.context ?? contextOf(call));
    const own = toolMarker in this.tool;
    const input = own ? args : await this.#checked(args);
    try {
      const value = await this.tool.execute?.(input, own ? context : optionsOf(context));
      if (live) {
        live.given = { value };
        await this.#heard(value, context);
      }
      return value;
    } catch (thrown) {
      if (live) live.failure = { thrown };
      throw thrown;
    }
  }

  /** The context of the call, with this tool's words for what it wants to be resumed with. */
  #contextFor(context: ExecutionContext): ExecutionContext {
    const suspending = (suspend: Suspend | undefined): Suspend | undefined =>
      suspend &&
      ((payload, options) =>
        suspend(payload, { ...options, resumeSchema: options?.["resumeSchema"] ?? this.#resumeSchema() }));
    const withSuspend = <Part extends { readonly suspend?: Suspend }>(part: Part): Part =>
      part.suspend ? { ...part, suspend: suspending(part.suspend) } : part;
    const { agent, workflow } = context;
    return {
      ...withSuspend(context),
      ...(agent ? { agent: withSuspend(agent) } : {}),
      ...(workflow ? { workflow: withSuspend(workflow) } : {}),
    };
  }

  #resumeSchema(): string | undefined {
    const { resumeSchema } = this.tool;
    if (resumeSchema === undefined) return undefined;
    const standard = toStandardSchema(resumeSchema as Parameters<typeof toStandardSchema>[0]);
    return JSON.stringify(standardSchemaToJSONSchema(standard, { io: "input" }));
  }

  /** Arguments as the schema of a tool of the AI SDK leaves them; Mastra's own tools look themselves. */
  async #checked(args: unknown): Promise<unknown> {
    if (!isObject(this.schema) || !("~standard" in this.schema)) return args;
    const standard = toStandardSchema(this.schema as unknown as Parameters<typeof toStandardSchema>[0]);
    const verdict = await standard["~standard"].validate(args);
    if (!verdict.issues) return verdict.value;
    const said = verdict.issues.map(({ path, message }) => {
      const place = (path ?? []).map((part) => String(isObject(part) ? part.key : part)).join(".");
      return place === "" ? message : `\`${place}\`: ${message}`;
    });
    throw new HoneyguideError({
      code: "invalid_arguments",
      category: "invalid_input",
      message: said.join("; "),
      details: { toolId: this.id },
    });
  }

  /** The hook on the output; as in Mastra, its mistakes are nobody's. */
  async #heard(output: unknown, { agent, abortSignal }: ExecutionContext): Promise<void> {
    if (!agent) return;
    try {
      await this.tool.onOutput?.({ toolCallId: agent.toolCallId, toolName: this.id, output, abortSignal });
    } catch {
      // A hook only listens.
    }
  }
}

function isLive(value: unknown): value is Live {
  return isObject(value) && (value as Partial<Live>)[marker] === true;
}

/** The context of a call by host code; Mastra's tools make the rest themselves. */
function contextOf({ signal, context }: CallContext): ExecutionContext {
  const requestContext = context as ExecutionContext["requestContext"];
  const own = isObject(context) && typeof requestContext?.get === "function";
  return { ...(own ? { requestContext } : {}), ...(signal ? { abortSignal: signal } : {}) };
}

/** The context as Mastra tells it to a tool of the AI SDK: flat. */
function optionsOf({ agent, workflow: _workflow, ...context }: ExecutionContext): AgentContext {
  return { ...context, messages: [], ...agent };
}
