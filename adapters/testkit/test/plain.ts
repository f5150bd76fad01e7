// A framework as small as one can be that asks, shows and goes on from what was stored. Knows nothing of Honeyguide.

/** A tool of this framework. */
export interface PlainTool {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  run?(input: unknown, call: PlainCall): unknown;
  readonly ask?: boolean | ((input: unknown) => unknown);
  show?(output: unknown): unknown;
}

/** What a tool is told beside its input. */
export interface PlainCall {
  readonly id: string;
  readonly signal?: AbortSignal | undefined;
  readonly context?: unknown;
}

/** A call that the model made. */
export interface MadeCall {
  readonly id: string;
  readonly tool: string;
  /** JSON text, or what the model took for it. */
  readonly input: string;
}

export type PlainMessage =
  | { readonly role: "user" | "assistant"; readonly text: string }
  | { readonly role: "call"; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly role: "result"; readonly id: string; readonly value: unknown; readonly failed?: boolean };

/** A model: text, or calls. */
export type PlainModel = (
  messages: readonly PlainMessage[],
  tools: readonly { name: string }[],
) => string | readonly MadeCall[];

/** An agent's settings. */
export interface PlainAgent {
  readonly model: PlainModel;
  readonly tools: Readonly<Record<string, PlainTool>>;
  readonly context?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Runs before each step. */
  readonly before?: ((messages: readonly PlainMessage[]) => Promise<PlainMessage[]>) | undefined;
  /** The names of the tools that a step lists; without an answer all of them. */
  readonly lists?: ((messages: readonly PlainMessage[]) => Promise<string[] | undefined>) | undefined;
  /** Makes something of a call that is no call of a tool here. */
  readonly mend?: ((call: MadeCall) => MadeCall | undefined) | undefined;
  /** Hears what each tool gave. */
  readonly heard?: ((value: unknown) => void) | undefined;
}

/** Runs until the model says something, or until calls wait for an answer. */
export async function step(
  agent: PlainAgent,
  messages: readonly PlainMessage[],
): Promise<{ messages: PlainMessage[]; waiting: PlainMessage[] }> {
  let now = [...messages];
  for (;;) {
    if (agent.before) now = await agent.before(now);
    const names = (await agent.lists?.(now)) ?? Object.keys(agent.tools);
    const definitions = Object.entries(agent.tools)
      .filter(([name]) => names.includes(name))
      .map(([name, { description, schema }]) => ({ name, description, schema }));
    const turn = agent.model(now, definitions);
    if (typeof turn === "string")
      return { messages: [...now, { role: "assistant", text: turn }], waiting: [] };
    const calls = turn.map((call) => read(agent, call));
    now.push(...calls.map(({ message }) => message));
    const asked = await Promise.all(calls.map(({ message, broken }) => !broken && asks(agent, message)));
    const results = await Promise.all(
      calls.map(({ message, broken }, place) => {
        if (asked[place]) return undefined;
        return broken ? failure(message, broken) : answer(agent, message);
      }),
    );
    now.push(...results.filter((result) => result !== undefined));
    const waiting = calls.filter((_, place) => asked[place]).map(({ message }) => message);
    if (waiting.length > 0) return { messages: now, waiting };
  }
}

/** Goes on with the answers to the calls that wait. */
export async function goOn(
  agent: PlainAgent,
  messages: readonly PlainMessage[],
  answers: readonly (readonly [call: PlainMessage, approved: boolean])[],
) {
  const results = await Promise.all(
    answers.map(([call, approved]) => (approved ? answer(agent, call) : failure(call, "the user said no"))),
  );
  return step(agent, [...messages, ...results]);
}

function read(agent: PlainAgent, call: MadeCall): { message: PlainMessage; broken?: string } {
  const mended = parsed(call.input) !== undefined && agent.tools[call.tool] ? call : agent.mend?.(call);
  const { id, tool, input } = mended ?? call;
  const value = parsed(input);
  const message: PlainMessage = { role: "call", id, tool, input: value ? value.json : input };
  if (!value) return { message, broken: "the input is not JSON" };
  return agent.tools[tool] ? { message } : { message, broken: `there is no tool ${tool}` };
}

async function asks({ tools }: PlainAgent, call: PlainMessage): Promise<boolean> {
  if (call.role !== "call") return false;
  const rule = tools[call.tool]?.ask;
  return (typeof rule === "function" ? await rule(call.input) : rule) === true;
}

async function answer(agent: PlainAgent, call: PlainMessage): Promise<PlainMessage> {
  if (call.role !== "call") throw new Error("only calls are answered");
  const { id } = call;
  const tool = agent.tools[call.tool];
  try {
    const output = await tool?.run?.(call.input, { id, signal: agent.signal, context: agent.context });
    agent.heard?.(output);
    return { role: "result", id, value: tool?.show ? tool.show(output) : (output ?? null) };
  } catch (thrown) {
    agent.heard?.(thrown);
    return failure(call, String(thrown));
  }
}

function failure(call: PlainMessage, value: string): PlainMessage {
  return { role: "result", id: call.role === "call" ? call.id : "", value, failed: true };
}

function parsed(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
