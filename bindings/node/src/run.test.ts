// Calls through the engine: a model's mistake is a reply, a programmer's an exception, a value is the executor's own.
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as zod from "zod";
import * as zod3 from "zod3";

import { type Honeyguide, honeyguide } from "./honeyguide.js";
import type { Approve } from "./run.js";
import type { CallContext } from "./tool.js";

let hg: Honeyguide;
beforeEach(() => {
  hg = honeyguide();
  hg.tools.register([
    {
      id: "echo",
      description: "Says the same again",
      inputSchema: { type: "object", properties: { n: { type: "integer" }, text: { type: "string" } } },
      execute: (args) => args,
    },
    {
      id: "fails",
      description: "Never works",
      execute() {
        throw new TypeError("broken pipe");
      },
    },
    { id: "hangs", description: "Never answers", execute: () => new Promise(() => {}) },
    { id: "guarded", description: "Deletes things", requiresApproval: true, execute: () => "done" },
  ]);
});

function invokeTool(toolId: string, args: unknown = {}, options = {}) {
  return hg.call("invoke_tool", { toolId, args }, options);
}

describe("hg.call", () => {
  it("answers a search with the engine's words", async () => {
    expect(await hg.call("search_capabilities", { query: "say the same again" })).toMatchObject({
      status: "ok",
      tools: { groups: [{ hits: [{ toolId: "echo" }] }] },
    });
  });

  it("reads arguments that are JSON text, and none at all", async () => {
    expect(await hg.call("invoke_tool", '{"toolId":"echo","args":{"n":1}}')).toEqual({ n: 1 });
    hg.tools.register({ id: "bare", execute: () => "ran" });
    for (const nothing of [undefined, "", "{}", null]) expect(await hg.call("bare", nothing)).toBe("ran");
  });

  it("runs a found tool that is called by its own name", async () => {
    expect(await hg.call("echo", { n: 2 })).toEqual({ n: 2 });
  });

  it("repairs what a model got wrong", async () => {
    expect(await invokeTool("echo", { n: "10", text: '{"a":1}' })).toEqual({ n: 10, text: '{"a":1}' });
    expect(await hg.call("invoke_tool", { args: { toolId: "echo", n: 1 } })).toEqual({ n: 1 });
    expect(await hg.call("invoke_tool", { toolId: "echo", args: '{"n":3}' })).toEqual({ n: 3 });
  });

  it.each([
    ["an unknown tool", "nothing_like_it", {}, "unknown_tool"],
    ["an unknown target", "invoke_tool", { toolId: "ech" }, "unknown_tool"],
    [
      "arguments of the wrong type",
      "invoke_tool",
      { toolId: "echo", args: { n: "seven" } },
      "invalid_arguments",
    ],
    ["arguments that are no object", "invoke_tool", 7, "invalid_arguments"],
    ["text that is no JSON", "invoke_tool", '{"toolId": "echo", ', "invalid_arguments"],
    [
      "half a surrogate pair",
      "invoke_tool",
      { toolId: "echo", args: { text: "\ud800" } },
      "invalid_arguments",
    ],
    ["half a surrogate pair in the name", "x\ud800", {}, "unknown_tool"],
    ["invoke_tool on itself", "invoke_tool", { toolId: "invoke_tool", args: {} }, "invalid_arguments"],
    ["an unknown skill", "get_skill_content", { skillId: "nothing" }, "unknown_skill"],
  ])("answers %s with a reply", async (_, name, args, code) => {
    expect(await hg.call(name, args)).toMatchObject({ isError: true, error: code });
  });

  it("throws what only a programmer can get wrong", async () => {
    await expect(hg.call("echo", { n: Number.NaN })).rejects.toMatchObject({
      code: "invalid_json",
      details: { path: "/n", reason: "notFinite" },
    });
    await expect(hg.call("echo", {}, { visible: { alow: {} } as never })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("answers with the executor's own value, by identity", async () => {
    class Result {
      readonly #secret = 1;
      readSecret() {
        return this.#secret;
      }
    }
    const values = [new Result(), Symbol("s"), 10n, Number.NaN, undefined, null, () => 1, new Map()];
    for (const [place, value] of values.entries()) {
      hg.tools.register([
        { id: `sync${place}`, execute: () => value },
        { id: `async${place}`, execute: async () => value },
      ]);
      expect(Object.is(await invokeTool(`sync${place}`), value)).toBe(true);
      expect(Object.is(await invokeTool(`async${place}`), value)).toBe(true);
    }
  });

  it("lets a stream through as it is, before its first part", async () => {
    const order: string[] = [];
    async function* stream() {
      order.push("started");
      yield 1;
      yield 2;
    }
    const given = stream();
    hg.tools.register([
      { id: "streams", execute: () => given },
      { id: "streams_later", execute: async () => stream() },
    ]);
    const answer = (await invokeTool("streams")) as AsyncIterable<number>;
    expect(answer).toBe(given);
    expect(order).toEqual([]);
    const parts: number[] = [];
    for await (const part of answer) parts.push(part);
    for await (const part of (await invokeTool("streams_later")) as AsyncIterable<number>) parts.push(part);
    expect(parts).toEqual([1, 2, 1, 2]);
  });

  it("tells the executor who calls", async () => {
    const seen: CallContext[] = [];
    hg.tools.register({ id: "spy", execute: (_, call) => seen.push(call) });
    const context = { user: "u" };
    const { signal } = new AbortController();
    const live = {};
    await invokeTool("spy", {}, { signal, context, session: "s", toolCallId: "c1", live });
    expect(seen).toEqual([{ signal, context, toolId: "spy", session: "s", toolCallId: "c1", live }]);
    expect(seen[0]?.context).toBe(context);
  });

  it("starts a tool that needs no approval before it returns", () => {
    let started = false;
    hg.tools.register({ id: "starts", execute: () => (started = true) });
    void invokeTool("starts");
    expect(started).toBe(true);
  });

  it("answers that a tool was loaded and not bound", async () => {
    const other = honeyguide();
    other.load(hg.save());
    expect(await other.call("invoke_tool", { toolId: "echo", args: {} })).toMatchObject({
      isError: true,
      error: "not_bound",
      toolId: "echo",
    });
    await expect(other.tools.invoke("echo", {})).rejects.toMatchObject({
      code: "not_bound",
      category: "state",
    });
  });
});

describe("what an executor throws", () => {
  it("is a reply to the model", async () => {
    expect(await invokeTool("fails")).toMatchObject({
      isError: true,
      error: "tool_failed",
      toolId: "fails",
      message: expect.stringContaining("broken pipe"),
    });
  });

  class UnauthorizedError extends Error {}
  it.each([
    ["an error that asks for credentials", () => new UnauthorizedError("log in"), "needs_auth"],
    ["an abort", () => new DOMException("stop", "AbortError"), "aborted"],
    ["a timeout", () => new DOMException("slow", "TimeoutError"), "timeout"],
    ["text", () => "plain", "tool_failed"],
    ["nothing", () => undefined, "tool_failed"],
    ["broken Unicode", () => new Error("\ud800"), "tool_failed"],
    [
      "an error whose getters throw",
      () =>
        Object.defineProperty(new Error(), "message", {
          get() {
            throw new Error("message");
          },
        }),
      "tool_failed",
    ],
  ])("may be %s", async (_, make, code) => {
    hg.tools.register({
      id: "throws",
      async execute() {
        throw make();
      },
    });
    expect(await invokeTool("throws")).toMatchObject({ isError: true, error: code });
  });

  it("is thrown again as it is by tools.invoke", async () => {
    const thrown = { odd: true };
    hg.tools.register({ id: "throws", execute: () => Promise.reject(thrown) });
    await expect(hg.tools.invoke("throws")).rejects.toBe(thrown);
    await expect(hg.tools.invoke("fails")).rejects.toBeInstanceOf(TypeError);
  });
});

describe("tools.invoke", () => {
  it("answers with the value and repairs arguments", async () => {
    expect(await hg.tools.invoke("echo", { n: "4" })).toEqual({ n: 4 });
  });

  it.each([
    ["an unknown tool", "ech", {}, "unknown_tool", "not_found"],
    ["arguments that do not fit", "echo", { n: "x" }, "invalid_arguments", "invalid_input"],
    ["no approver", "guarded", {}, "needs_approval", "state"],
  ])("throws for %s", async (_, id, args, code, category) => {
    await expect(hg.tools.invoke(id, args)).rejects.toMatchObject({
      name: "HoneyguideError",
      code,
      category,
    });
  });
});

describe("schemas of other libraries", () => {
  const schemas = [
    ["zod 4", zod.object({ n: zod.number(), unit: zod.string().default("C") })],
    ["zod 3", zod3.z.object({ n: zod3.z.number(), unit: zod3.z.string().default("C") })],
  ] as const;
  it.each(schemas)("give their defaults to the executor (%s)", async (_, inputSchema) => {
    hg.tools.register({ id: "typed", inputSchema, execute: (args) => args });
    expect(await invokeTool("typed", { n: 1 })).toEqual({ n: 1, unit: "C" });
    expect(hg.tools.get("typed")).toMatchObject({ inputSchema: { properties: { n: { type: "number" } } } });
  });

  it("turn a refinement that fails into words for the model", async () => {
    const inputSchema = zod.object({ n: zod.number().refine((n) => n % 2 === 0, "must be even") });
    hg.tools.register({ id: "even", inputSchema, execute: () => "ran" });
    expect(await invokeTool("even", { n: 3 })).toMatchObject({
      isError: true,
      error: "invalid_arguments",
      message: expect.stringContaining("`/n`: must be even"),
    });
    await expect(hg.tools.invoke("even", { n: 3 })).rejects.toMatchObject({ code: "invalid_arguments" });
  });
});

describe("approval", () => {
  const answers: [string, Approve, unknown][] = [
    ["yes", () => true, "done"],
    ["a later yes", async () => ({ approved: true }), "done"],
    ["no", () => false, { isError: true, error: "declined" }],
    [
      "a later no with a reason",
      async () => ({ approved: false, reason: "not today" }),
      { error: "declined", message: expect.stringContaining("not today") },
    ],
    ["something that is no yes", () => "yes" as never, { isError: true, error: "declined" }],
    ["null", () => null as never, { isError: true, error: "declined" }],
    ["no answer", () => undefined, { isError: true, error: "needs_approval" }],
    [
      "an exception",
      () => {
        throw new Error("the dialog is gone");
      },
      { isError: true },
    ],
  ];
  it.each(answers)("of %s decides", async (_, approve, answer) => {
    const reply = await invokeTool("guarded", {}, { approve });
    if (typeof answer === "string") expect(reply).toBe(answer);
    else expect(reply).toMatchObject(answer as object);
  });

  it("is asked of the engine's approver when the call has none, or no opinion", async () => {
    const approve = vi.fn(() => true);
    hg = honeyguide({ approve });
    hg.tools.register({ id: "guarded", requiresApproval: true, execute: () => "done" });
    expect(await invokeTool("guarded")).toBe("done");
    expect(await invokeTool("guarded", {}, { approve: () => undefined })).toBe("done");
    expect(await invokeTool("guarded", {}, { approve: () => false })).toMatchObject({ error: "declined" });
    expect(approve).toHaveBeenCalledTimes(2);
  });

  it("tells the approver what it is about, and holds for exactly that", async () => {
    const ran: unknown[] = [];
    hg.tools.register({
      id: "delete",
      requiresApproval: true,
      annotations: { destructiveHint: true },
      inputSchema: { type: "object", properties: { path: { type: "string" } } },
      execute: (args) => ran.push(args),
    });
    const approve: Approve = (call) => {
      expect(call).toMatchObject({
        toolId: "delete",
        arguments: { path: "/tmp" },
        annotations: { destructiveHint: true },
        digest: expect.any(String),
        session: "s",
        toolCallId: "c",
        context: 1,
      });
      (call.arguments as { path: string }).path = "/";
      return true;
    };
    await invokeTool("delete", { path: "/tmp" }, { approve, session: "s", toolCallId: "c", context: 1 });
    expect(ran).toEqual([{ path: "/tmp" }]);
  });

  it("of a definition that changed meanwhile does not hold", async () => {
    const execute = vi.fn();
    const approve = () => {
      hg.tools.register({ id: "guarded", description: "Deletes more", requiresApproval: true, execute });
      return true;
    };
    expect(await invokeTool("guarded", {}, { approve })).toMatchObject({
      isError: true,
      error: "definition_changed",
    });
    expect(execute).not.toHaveBeenCalled();
  });

  it("cannot be granted by the model", async () => {
    expect(
      await hg.call("invoke_tool", { toolId: "guarded", args: { approved: true }, approved: true }),
    ).toMatchObject({
      isError: true,
    });
  });

  it("is not needed for an approver's exception to reach host code", async () => {
    const thrown = new Error("the dialog is gone");
    const approve = () => Promise.reject(thrown);
    await expect(hg.tools.invoke("guarded", {}, { approve })).rejects.toBe(thrown);
  });
});

describe("giving up", () => {
  it("before the call keeps the tool from running", async () => {
    const execute = vi.fn();
    hg.tools.register({ id: "spy", execute });
    expect(await invokeTool("spy", {}, { signal: AbortSignal.abort() })).toMatchObject({ error: "aborted" });
    expect(execute).not.toHaveBeenCalled();
  });

  it("during a tool that ignores its signal ends the call", async () => {
    const controller = new AbortController();
    const answer = invokeTool("hangs", {}, { signal: controller.signal });
    controller.abort();
    expect(await answer).toMatchObject({ isError: true, error: "aborted", toolId: "hangs" });
  });

  it("while a person thinks ends the call, and the tool does not run", async () => {
    const controller = new AbortController();
    const approve = () => new Promise<boolean>(() => {});
    const answer = invokeTool("guarded", {}, { signal: controller.signal, approve });
    controller.abort();
    expect(await answer).toMatchObject({ isError: true, error: "aborted" });
    expect(
      await invokeTool("guarded", {}, { signal: AbortSignal.abort(), approve: () => true }),
    ).toMatchObject({
      error: "aborted",
    });
  });

  it("is an exception for host code", async () => {
    const options = { signal: AbortSignal.abort(), timeoutMs: 1 };
    await expect(hg.tools.invoke("hangs", {}, options)).rejects.toMatchObject({ code: "aborted" });
    await expect(hg.tools.invoke("hangs", {}, { timeoutMs: 5 })).rejects.toMatchObject({ code: "timeout" });
  });

  it("comes by itself when the time is over", async () => {
    expect(await invokeTool("hangs", {}, { timeoutMs: 5 })).toMatchObject({
      isError: true,
      error: "timeout",
    });
  });
});

describe("parallel calls", () => {
  it("get exactly their own answers when one works, one throws and one is aborted", async () => {
    const controller = new AbortController();
    const answers = Promise.all([
      invokeTool("echo", { n: 1 }),
      invokeTool("fails"),
      invokeTool("hangs", {}, { signal: controller.signal }),
    ]);
    controller.abort();
    expect(await answers).toMatchObject([{ n: 1 }, { error: "tool_failed" }, { error: "aborted" }]);
  });

  it("do not mix their contexts", async () => {
    hg.tools.register({
      id: "who",
      async execute(_, { context }) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
        return context;
      },
    });
    const numbers = [...Array(50).keys()];
    expect(await Promise.all(numbers.map((context) => invokeTool("who", {}, { context })))).toEqual(numbers);
  });
});
