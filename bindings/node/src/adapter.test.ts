// A framework sees its own types; the first to bring a tool keeps it.
import { describe, expect, it } from "vitest";

import { type Adapter, type AdapterHost, adapt, type RegisterFor } from "./adapter.js";
import type { RegisterResponse } from "./generated/types.js";
import type { Tool } from "./tool.js";

interface Theirs {
  run?: (args: unknown) => unknown;
  about: string;
}

const adapter: Adapter<Theirs, string, { label: string }> = {
  name: "theirs",
  toTool(id, theirs) {
    const { run, about } = theirs;
    return run ? { id, description: about, execute: run } : { passthrough: "the framework runs it" };
  },
  fromTools: (tools, host) =>
    Object.fromEntries(
      tools.map(({ name, description }) => [
        name,
        { about: description, run: (args) => host.call(name, args) },
      ]),
    ),
  toMessages: (recalled, query) => [`${query}: ${recalled.status}`],
  extend: (view) => ({ label: `${Object.keys(view.modelTools()).length} tools` }),
};

function fakeHost() {
  const registered: Tool[] = [];
  const calls: unknown[][] = [];
  const registerFor: RegisterFor = (_, tools) => {
    registered.push(...tools);
    return { response: { added: tools.length } as RegisterResponse, kept: [] };
  };
  const host: AdapterHost = {
    call: async (...call) => {
      calls.push(call);
      return "answer";
    },
    resolve: (target) => ({ toolId: String(target), arguments: {}, requiresApproval: false, digest: "" }),
    recall: async (query) => (query === "" ? null : { status: "ok", tools: { groups: [] }, skills: [] }),
    disclose: () => ({ everything: false, tools: host.modelTools(), exposed: [], recall: null }),
    discloseAsync: async () => host.disclose(),
    modelTools: () => [{ name: "invoke_tool", description: "invokes", inputSchema: {} }],
    forModel: (result) => result,
    tools: { itemOf: () => undefined },
  };
  return { host, registerFor, registered, calls };
}

describe("a view", () => {
  it.each([
    ["a promise", Promise.resolve({}), "await it first"],
    ["a promise among others", [{}, Promise.resolve({})], "await it first"],
    ["nothing", undefined, "pass an object of them by name"],
    ["a text", "look", "pass an object of them by name"],
  ])("refuses %s in place of tools", async (_, tools, words) => {
    const { host, registerFor, registered } = fakeHost();
    const refused = adapt(host, registerFor, adapter).tools.register(tools as never);
    await expect(refused).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(words),
    });
    expect(registered).toEqual([]);
  });

  it("takes over their tools, passes through what it cannot run, and reports both", async () => {
    const { host, registerFor, registered } = fakeHost();
    const view = adapt(host, registerFor, adapter);
    const response = await view.tools.register({
      ours: { about: "a", run: () => 1 },
      client: { about: "b" },
    });
    expect(response).toEqual({
      added: 1,
      kept: [],
      passthrough: [{ id: "client", reason: "the framework runs it" }],
    });
    expect(registered.map((tool) => tool.id)).toEqual(["ours"]);
    expect(Object.keys(view.modelTools())).toEqual(["invoke_tool", "client"]);
    expect(view.passthrough()).toEqual(response.passthrough);
  });

  it("keeps names such as __proto__ as names", async () => {
    const { host, registerFor, registered } = fakeHost();
    const tools = JSON.parse('{"__proto__":{"about":"x"},"constructor":{"about":"y"}}') as Record<
      string,
      Theirs
    >;
    const view = adapt(host, registerFor, adapter);
    await view.tools.register(tools);
    expect(registered).toEqual([]);
    expect(Object.keys(view.modelTools()).sort()).toEqual(["__proto__", "constructor", "invoke_tool"]);
  });

  it("replaces only the tool that its codec cannot read, so that the others stand", async () => {
    const { host, registerFor, registered } = fakeHost();
    const tools = {
      bad: {
        get about(): never {
          throw new Error("no");
        },
      },
      good: { about: "a", run: () => 1 },
    };
    await adapt(host, registerFor, adapter).tools.register(tools);
    expect(registered.map((tool) => tool.id)).toEqual(["bad", "good"]);
    expect(() => registered[0]?.description).toThrow("no");
  });

  it("calls within a conversation with its options under the call's own", async () => {
    const { host, registerFor, calls } = fakeHost();
    const view = adapt(host, registerFor, adapter).within({ session: "s", context: 1 });
    const exposed = view.modelTools()["invoke_tool"];
    expect(await exposed?.run?.({ toolId: "x" })).toBe("answer");
    expect(calls).toMatchObject([["invoke_tool", { toolId: "x" }, { session: "s", context: 1 }]]);
  });

  it("has the same pass-throughs within every conversation", async () => {
    const { host, registerFor } = fakeHost();
    const view = adapt(host, registerFor, adapter);
    const within = view.within({ session: "s" });
    await view.tools.register({ client: { about: "b" } });
    expect(Object.keys(within.modelTools())).toEqual(["invoke_tool", "client"]);
    expect([within.passthrough().length, within.label]).toEqual([1, "1 tools"]);
  });

  it("does not let a pass-through stand in for one of the three", async () => {
    const { host, registerFor, registered } = fakeHost();
    const view = adapt(host, registerFor, adapter);
    const response = await view.tools.register({ invoke_tool: { about: "mine" } });
    expect(response.passthrough).toEqual([]);
    expect(registered.map((tool) => tool.id)).toEqual(["invoke_tool"]);
    expect(view.modelTools()["invoke_tool"]?.about).toBe("invokes");
  });

  it("recalls messages, none when nothing matches, and carries what the adapter adds", async () => {
    const { host, registerFor } = fakeHost();
    const view = adapt(host, registerFor, adapter);
    expect([await view.recall("x"), await view.recall("")]).toEqual([["x: ok"], []]);
    expect(view.label).toBe("1 tools");
  });
});
