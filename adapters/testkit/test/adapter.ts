// An adapter to the small framework: what every adapter has to do, with nothing a real framework would add.

import {
  type Adapter,
  type AdapterHost,
  capabilityNames,
  type ListedTool,
  type ModelTool,
  type SearchResult,
  type Tool,
  toInvocation,
  toJsonText,
} from "honeyguide";
import type { MadeCall, PlainCall, PlainMessage, PlainTool } from "./plain.js";

/** What the view offers beside tools. */
export interface PlainHooks {
  before(messages: readonly PlainMessage[]): Promise<PlainMessage[]>;
  mend(call: MadeCall): MadeCall | undefined;
  lists(messages: readonly PlainMessage[]): Promise<string[] | undefined>;
}

/** A tool of ours that remembers theirs. */
interface Catalogued extends Tool {
  readonly theirs: PlainTool;
}

/** What one call carries to its target and back. */
interface Live {
  readonly call: PlainCall;
  failure?: { thrown: unknown };
  given?: { value: unknown };
}

export const plain: Adapter<PlainTool, PlainMessage, PlainHooks> = {
  name: "plain",

  toTool(id, theirs) {
    if (typeof theirs !== "object" || theirs === null) throw new Error("this is not a tool");
    if (!theirs.run) return { passthrough: "no run: the application answers it" };
    const tool: Catalogued = {
      id,
      description: theirs.description,
      inputSchema: theirs.schema,
      requiresApproval: (theirs.ask ?? false) !== false,
      theirs,
      execute: async (args, { live }) => {
        const carried = live as Live;
        try {
          const value = await theirs.run?.(args, carried.call);
          carried.given = { value };
          return value;
        } catch (thrown) {
          carried.failure = { thrown };
          throw thrown;
        }
      },
    };
    return Object.defineProperty(tool, "theirs", { enumerable: false });
  },

  fromTools: (tools, host) =>
    Object.fromEntries(
      tools.map((tool) => [tool.name, "toolId" in tool ? list(tool, host) : expose(tool, host)]),
    ),

  toMessages: (recalled, query) => recallOf(recalled, query, 0),

  extend: (_view, host, disclosing) => ({
    lists: (messages) => disclosing.listed(lastSaid(messages)),
    async before(messages) {
      const place = messages.findLastIndex(({ role }) => role === "user");
      const said = messages[place];
      const next = messages[place + 1];
      const done = next?.role === "call" && next.id.startsWith("recall-");
      if (said?.role !== "user" || done) return [...messages];
      const recalled = await disclosing.recalled(said.text);
      const added = recalled ? recallOf(recalled, said.text, place) : [];
      return [...messages.slice(0, place + 1), ...added, ...messages.slice(place + 1)];
    },
    mend(call) {
      const ours = host.modelTools().some(({ name }) => name === call.tool);
      if (ours) return { ...call, input: toJsonText(call.input) };
      return { ...call, tool: capabilityNames.invoke, input: toInvocation(call.tool, call.input) };
    },
  }),
};

/** A listed tool: what runs is invoke_tool with its arguments. */
function list({ toolId, description, inputSchema }: ListedTool, host: AdapterHost): PlainTool {
  const invoke = expose({ name: capabilityNames.invoke, description, inputSchema }, host);
  const { ask, run } = invoke;
  return {
    ...invoke,
    ask: (args) => (typeof ask === "function" ? ask({ toolId, args }) : ask),
    run: (args, call) => run?.({ toolId, args }, call),
  };
}

function lastSaid(messages: readonly PlainMessage[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last?.role === "user" ? last.text : "";
}

function expose({ name, description, inputSchema }: ModelTool, host: AdapterHost): PlainTool {
  if (name !== capabilityNames.invoke) {
    return {
      description,
      schema: inputSchema,
      run: (input, { id, context, signal }) => host.call(name, input, { toolCallId: id, context, signal }),
    };
  }
  /** What was asked about, by the call's bytes: a yes holds for the definition that it was given to. */
  const asked = new Map<string, string>();
  /** Whose output an output is. */
  const owners = new Map<unknown, PlainTool>();
  return {
    description,
    schema: inputSchema,
    async ask(input) {
      const { requiresApproval, digest, theirs, args } = targetOf(host, input);
      const needed = typeof theirs?.ask === "function" ? await theirs.ask(args) : requiresApproval;
      if (needed) asked.set(JSON.stringify(input), digest);
      return needed;
    },
    async run(input, call) {
      const live: Live = { call };
      const value = await host.call(name, input, {
        toolCallId: call.id,
        context: call.context,
        signal: call.signal,
        live,
        approve: ({ digest }) => (asked.get(JSON.stringify(input)) ?? digest) === digest,
      });
      if (live.failure) throw live.failure.thrown;
      const { theirs } = targetOf(host, input);
      if (theirs && live.given) owners.set(value, theirs);
      return value;
    },
    show: (output) => {
      const owner = owners.get(output);
      return owner?.show ? owner.show(output) : (output ?? null);
    },
  };
}

/** What a call would be; a mistake is nothing, the engine answers it. */
function targetOf(host: AdapterHost, input: unknown) {
  try {
    const { toolId, arguments: args, requiresApproval, digest } = host.resolve(input);
    const item = host.tools.itemOf(toolId) as Partial<Catalogued> | undefined;
    return { args, requiresApproval, digest, theirs: item?.theirs };
  } catch {
    return { args: undefined, requiresApproval: false, digest: "", theirs: undefined };
  }
}

function recallOf(recalled: SearchResult, query: string, place: number): PlainMessage[] {
  const id = `recall-${place}`;
  return [
    { role: "call", id, tool: capabilityNames.search, input: { query } },
    { role: "result", id, value: recalled },
  ];
}
