// The checks pass for an adapter that does what it should, and one that does not fails the checks that are about it.

import type { Adapter, AdapterHost, CallOptions } from "honeyguide";
import { describe, expect, it } from "vitest";
import { conformance } from "../src/index.js";
import { type PlainHooks, plain } from "./adapter.js";
import { harnessOf } from "./harness.js";
import type { PlainMessage, PlainTool } from "./plain.js";

type PlainAdapter = Adapter<PlainTool, PlainMessage, PlainHooks>;

describe("an adapter that does what it should passes", () => {
  for (const { name, run } of conformance(harnessOf(plain))) it(name, run);
});

/** The adapter with something else for the three tools. */
function exposing(change: (tools: Record<string, PlainTool>, host: AdapterHost) => void): PlainAdapter {
  return {
    ...plain,
    fromTools: (tools, host, form) => {
      const exposed = { ...plain.fromTools(tools, host, form) };
      change(exposed, host);
      return exposed;
    },
  };
}

/** The adapter with other options of each call. */
function calling(change: (options: CallOptions) => CallOptions): PlainAdapter {
  return {
    ...plain,
    fromTools: (tools, host, form) =>
      plain.fromTools(
        tools,
        { ...host, call: (name, args, options = {}) => host.call(name, args, change(options)) },
        form,
      ),
  };
}

/** The adapter with another hook. */
function hooked(change: (hooks: PlainHooks) => Partial<PlainHooks>): PlainAdapter {
  return {
    ...plain,
    extend: (view, host, disclosing) => {
      const hooks = plain.extend?.(view, host, disclosing) as PlainHooks;
      return { ...hooks, ...change(hooks) };
    },
  };
}

const invokeTool = (tools: Record<string, PlainTool>) => tools["invoke_tool"] as PlainTool;

let counter = 0;
let kept: unknown;
const broken: Record<string, readonly [PlainAdapter, string]> = {
  "never asks": [
    exposing((tools) => {
      tools["invoke_tool"] = { ...invokeTool(tools), ask: false };
    }),
    "approval: a person is asked before the tool runs",
  ],
  "asks about every call": [
    exposing((tools) => {
      tools["invoke_tool"] = { ...invokeTool(tools), ask: true };
    }),
    "approval: the tool's own rule decides",
  ],
  "takes a yes for whatever the tool is by now": [
    calling((options) => ({ ...options, approve: () => true })),
    "approval: a tool that changed after the question",
  ],
  "takes no yes at all": [
    calling((options) => ({ ...options, approve: () => false })),
    "approval: a yes runs it once",
  ],
  "runs a tool twice": [
    exposing((tools) => {
      const { run, ...others } = invokeTool(tools);
      tools["invoke_tool"] = {
        ...others,
        run: async (input, call) => {
          await run?.(input, call);
          return run?.(input, call);
        },
      };
    }),
    "calls: a tool is found, runs once",
  ],
  "swallows exceptions": [
    exposing((tools) => {
      const { run, ...others } = invokeTool(tools);
      tools["invoke_tool"] = {
        ...others,
        run: async (input, call) => {
          try {
            return await run?.(input, call);
          } catch (thrown) {
            return { isError: true, error: "tool_failed", message: String(thrown) };
          }
        },
      };
    }),
    "the same, directly and through invoke_tool: an exception",
  ],
  "shows results its own way": [
    exposing((tools) => {
      tools["invoke_tool"] = { ...invokeTool(tools), show: (output) => output };
    }),
    "the same, directly and through invoke_tool: another text for the model",
  ],
  "keeps the first context": [
    exposing((tools) => {
      const { run, ...others } = invokeTool(tools);
      kept = undefined;
      tools["invoke_tool"] = {
        ...others,
        run: (input, call) => {
          kept ??= call.context;
          return run?.(input, { ...call, context: kept });
        },
      };
    }),
    "conversation: no conversation sees the context of another",
  ],
  "counts in a definition": [
    exposing((tools) => {
      tools["invoke_tool"] = { ...invokeTool(tools), description: `call ${counter++}` };
    }),
    "definitions: their bytes are the same",
  ],
  "checks input itself": [
    exposing((tools) => {
      const { run, ...others } = invokeTool(tools);
      tools["invoke_tool"] = {
        ...others,
        run: (input, call) => {
          if (typeof (input as { toolId?: unknown })?.toolId !== "string") throw new Error("invalid input");
          return run?.(input, call);
        },
      };
    }),
    "envelopes: the id inside the arguments are repaired",
  ],
  "forgets the abort": [
    {
      ...plain,
      toTool: (id, tool, host) => {
        const { run } = tool ?? {};
        if (!run) return plain.toTool(id, tool, host);
        return plain.toTool(
          id,
          {
            ...tool,
            run: (input, call) => run(input, { ...call, signal: undefined }),
          },
          host,
        );
      },
    },
    "calls: a tool hears that the application gave up",
  ],
  "recalls at each step": [
    hooked(({ before }) => ({
      before: async (messages) => {
        const recalled = await before(messages.filter((each) => each.role === "user"));
        return [...messages, ...recalled.filter((each) => each.role !== "user")];
      },
    })),
    "recall: a turn gets one recall",
  ],
  "leaves a direct call to the framework": [
    hooked(() => ({ mend: () => undefined })),
    "envelopes: a found tool that the model calls by its own name runs",
  ],
  "lists everything at each step": [
    hooked(() => ({ lists: async () => undefined })),
    "disclosure: replace lists the three and the best few",
  ],
  "runs a listed tool past the engine": [
    {
      ...plain,
      fromTools: (tools, host, form) => {
        const exposed = plain.fromTools(tools, host, form);
        const originals = tools.flatMap((tool) => {
          const item = "toolId" in tool ? host.tools.itemOf(tool.toolId) : undefined;
          const theirs = (item as { theirs?: PlainTool } | undefined)?.theirs;
          return theirs ? [[tool.name, theirs] as const] : [];
        });
        return { ...exposed, ...Object.fromEntries(originals) };
      },
    },
    "disclosure: a listed tool that was hidden since does not run",
  ],
  "hides what it does not take": [
    {
      ...plain,
      toTool: (id, tool, host) =>
        tool && !tool.run ? { id, description: "hidden", execute: () => null } : plain.toTool(id, tool, host),
    },
    "definitions: a tool that the application answers itself stays",
  ],
};

describe("an adapter fails that", () => {
  it.each(Object.entries(broken))("%s", async (_what, [adapter, about]) => {
    const [check, ...others] = conformance(harnessOf(adapter)).filter(({ name }) => name.startsWith(about));
    expect(others).toEqual([]);
    await expect(check?.run()).rejects.toThrow();
  });
});

describe("a difference that is listed", () => {
  const name = "recall: nothing is added where nothing matches";
  const reason = "it always recalls";
  const always = hooked(({ before }) => ({
    before: async (messages) => [...(await before(messages)), { role: "assistant", text: "hm" }],
  }));
  const listed = (adapter: PlainAdapter, differences: Record<string, string>) =>
    conformance({ ...harnessOf(adapter), differences }).find((check) => check.name.startsWith(name));

  it("is no failure, and its reason is in the name", async () => {
    const check = listed(always, { [name]: reason });
    expect(check?.name).toBe(`${name} (differs: ${reason})`);
    await check?.run();
  });

  it("is a failure once it is gone", async () => {
    await expect(listed(plain, { [name]: reason })?.run()).rejects.toThrow("no difference any more");
  });

  it("must be one of a check that exists", () => {
    expect(() => listed(plain, { nothing: reason })).toThrow("nothing");
  });
});
