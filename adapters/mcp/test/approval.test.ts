// Which tools of a server are asked about before they run, and what is told of a server and of each call.

import { honeyguide, type ToolItem } from "honeyguide";
import { afterEach, expect, it } from "vitest";
import { type ApprovalRule, type McpServerSettings, registerMcpServer } from "../src/index.js";
import { eventually, ScriptedServer } from "./scripted-server.js";

const inputSchema = { type: "object" };
const wipe = { name: "wipe", inputSchema, annotations: { destructiveHint: true } };
const look = { name: "look", inputSchema, annotations: { readOnlyHint: true } };
const note = { name: "note", inputSchema };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function registered(settings: McpServerSettings, script: object = { tools: [wipe, look, note] }) {
  const scripted = new ScriptedServer(script);
  const hg = honeyguide({ approve: () => false });
  const server = await registerMcpServer(hg, { name: "s", ...scripted.command, ...settings });
  closing.push(async () => {
    await server.close();
    await scripted.dispose();
  });
  const asking = () =>
    hg.tools.list().flatMap(({ id, requiresApproval }: ToolItem) => (requiresApproval ? [id] : []));
  return { hg, server, scripted, asking };
}

const throws = () => {
  throw new Error("it cannot be judged");
};
it.each<[string, ApprovalRule | undefined, string[]]>([
  ["nothing is said", undefined, []],
  ["nothing is to ask", "none", []],
  ["destroying asks", "destructive", ["s__wipe"]],
  ["writing asks", "writes", ["s__wipe", "s__note"]],
  ["a function asks", ({ name }) => name === "look", ["s__look"]],
  ["a function throws", throws, ["s__wipe", "s__look", "s__note"]],
])("where %s, the tools that ask are those", async (_said, approval, asking) => {
  expect((await registered({ approval })).asking().sort()).toEqual(asking.sort());
});

it("what is said of one tool comes before the rule", async () => {
  const tools = { wipe: { requiresApproval: false }, look: { requiresApproval: true } };
  expect((await registered({ approval: "destructive", tools })).asking()).toEqual(["s__look"]);
});

it("hints that are no hints do not spare a question", async () => {
  const tools = ["yes", [true], { readOnlyHint: "true" }, null].map((annotations, place) => ({
    name: `t${place}`,
    inputSchema,
    annotations,
  }));
  expect((await registered({ approval: "writes" }, { tools })).asking()).toHaveLength(4);
});

it("the rule is judged anew when the server lists anew", async () => {
  const { hg, server, scripted, asking } = await registered({ approval: "destructive" }, { tools: [note] });
  expect(asking()).toEqual([]);
  await scripted.control({ do: "setTools", tools: [{ ...note, annotations: { destructiveHint: true } }] });
  await server.refresh();
  expect(asking()).toEqual(["s__note"]);
  expect(await hg.call("invoke_tool", { toolId: "s__note", args: {} })).toMatchObject({ error: "declined" });
});

it("where a server stands is told whenever that changes", async () => {
  const told: string[] = [];
  const { scripted, server } = await registered({
    onStatus: ({ state, tools }, name) => told.push(`${name} ${state} ${tools}`),
  });
  expect(told.at(-1)).toBe("s ready 3");
  await scripted.kill();
  await eventually(() => server.status.state !== "ready");
  expect(told).toContain("s waiting 3");
});

it("progress is told with the context of the very call", async () => {
  const told: unknown[] = [];
  const slow = { ...look, name: "slow", does: { wait: true } };
  const { hg, scripted } = await registered(
    {
      onProgress: (progress, { context }) =>
        told.push([(progress as { progress: number }).progress, context]),
    },
    { tools: [slow] },
  );
  const first = hg.tools.invoke("s__slow", {}, { context: "first" });
  await eventually(() => scripted.messages("tools/call").length === 1);
  await scripted.control({ do: "tick", progress: 1 });
  await eventually(() => told.length === 1);
  const second = hg.tools.invoke("s__slow", {}, { context: "second" });
  await eventually(() => scripted.messages("tools/call").length === 2);
  await scripted.control({ do: "tick", progress: 2 });
  await eventually(() => told.length === 3);
  await scripted.control({ do: "release" });
  await Promise.all([first, second]);
  expect(told.sort()).toEqual([
    [1, "first"],
    [2, "first"],
    [2, "second"],
  ]);
});
