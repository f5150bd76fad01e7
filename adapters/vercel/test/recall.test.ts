// Recalls: a search behind the user's turn, appended once, never inside a call and its result, never to the caller's array.

import { type ModelMessage, tool } from "ai";
import { honeyguide } from "honeyguide";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { vercel } from "../src/index.js";
import { loops, type Message, run, scripted } from "./agent.js";

async function adapted() {
  const hg = honeyguide();
  const ai = hg.adaptTo(vercel);
  await ai.tools.register({
    forecast: tool({
      description: "Weather forecast of a city",
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => `${city}: 7`,
    }),
  });
  return { hg, ai };
}

const user = (content: string): ModelMessage => ({ role: "user", content });
const shape = (messages: readonly Message[]) => messages.map(({ role }) => role);
const about = "weather forecast of a city";

describe("appendRecall", () => {
  it("puts a search and its result behind the last user turn", async () => {
    const { ai } = await adapted();
    const messages = await ai.appendRecall([user(about)]);
    expect(shape(messages)).toEqual(["user", "assistant", "tool"]);
    const [, called, answered] = messages as Message[];
    expect(called.content).toMatchObject([
      { type: "tool-call", toolName: "search_capabilities", input: { query: about } },
    ]);
    expect(answered.content[0]).toMatchObject({ type: "tool-result", toolName: "search_capabilities" });
    expect(answered.content[0].toolCallId).toBe(called.content[0].toolCallId);
    expect(answered.content[0].output.value.tools.groups[0].hits[0].toolId).toBe("forecast");
  });

  it("adds nothing on no match, to an empty turn, and to no turn at all", async () => {
    const { ai } = await adapted();
    for (const messages of [
      [user("qqqq zzzz")],
      [user("")],
      [],
      [{ role: "system", content: about } as ModelMessage],
    ]) {
      expect(await ai.appendRecall(messages)).toEqual(messages);
    }
  });

  it("leaves the caller's array and messages alone", async () => {
    const { ai } = await adapted();
    const messages = Object.freeze([Object.freeze(user(about))]) as ModelMessage[];
    const appended = await ai.appendRecall(messages);
    expect(messages).toHaveLength(1);
    expect(appended).not.toBe(messages);
    expect(appended[0]).toBe(messages[0]);
  });

  it("never recalls twice for one turn", async () => {
    const { ai } = await adapted();
    const once = await ai.appendRecall([user(about)]);
    expect(await ai.appendRecall(once)).toEqual(once);
    const stored: ModelMessage[] = JSON.parse(JSON.stringify(once));
    expect(await ai.appendRecall(stored)).toEqual(stored);
  });

  it("gives the same bytes for the same turn, also in another process", async () => {
    const [one, other] = [await adapted(), await adapted()];
    const bytes = JSON.stringify(await one.ai.appendRecall([user(about)]));
    expect(JSON.stringify(await one.ai.appendRecall([user(about)]))).toBe(bytes);
    expect(JSON.stringify(await other.ai.appendRecall([user(about)]))).toBe(bytes);
  });

  it("keeps an earlier turn's recall where it was, so that the prompt only grows", async () => {
    const { ai } = await adapted();
    const first = [user(about)];
    const before = await ai.appendRecall(first);
    const grown = [
      ...first,
      { role: "assistant", content: "7 degrees" } as ModelMessage,
      user("the weather tomorrow?"),
    ];
    const after = await ai.appendRecall(grown);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(shape(after)).toEqual(["user", "assistant", "tool", "assistant", "user", "assistant", "tool"]);
    const ids = (after as Message[]).flatMap(({ role, content }) =>
      role === "tool" ? [content[0].toolCallId] : [],
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("never stands between a call and its result", async () => {
    const { ai } = await adapted();
    const call = { type: "tool-call", toolCallId: "x", toolName: "t", input: {} };
    const result = {
      type: "tool-result",
      toolCallId: "x",
      toolName: "t",
      output: { type: "text", value: "r" },
    };
    const open = [{ role: "assistant", content: [call] }, user(about)] as ModelMessage[];
    expect(await ai.appendRecall(open)).toEqual(open);
    const torn = [...open, { role: "tool", content: [result] } as ModelMessage];
    expect(await ai.appendRecall(torn)).toEqual(torn);
    const whole = [user(about), ...[open[0], torn[2]].map((each) => each as ModelMessage)];
    expect(shape(await ai.appendRecall(whole))).toEqual(["user", "assistant", "tool", "assistant", "tool"]);
  });

  it("reads the text of a turn that has other parts too", async () => {
    const { ai } = await adapted();
    const content = [
      { type: "image", image: new Uint8Array([1]) },
      { type: "text", text: "weather" },
      { type: "text", text: "forecast" },
    ];
    const [, called] = (await ai.appendRecall([{ role: "user", content } as ModelMessage])) as Message[];
    expect(called.content[0].input).toEqual({ query: "weather\nforecast" });
  });
});

describe.each(loops)("%s with prepareStep", (loop) => {
  it("sends one recall in every step, always in the same place", async () => {
    const { ai } = await adapted();
    const { model, sent } = scripted(
      [["c1", "invoke_tool", { toolId: "forecast", args: { city: "Oslo" } }]],
      [["c2", "invoke_tool", { toolId: "forecast", args: { city: "Rome" } }]],
      "7 degrees",
    );
    const messages = [user(about)];
    await run(loop, { model, tools: ai.modelTools(), prepareStep: ai.prepareStep, messages });
    expect(messages).toEqual([user(about)]);
    expect(sent.map(({ prompt }) => shape(prompt))).toEqual([
      ["user", "assistant", "tool"],
      ["user", "assistant", "tool", "assistant", "tool"],
      ["user", "assistant", "tool", "assistant", "tool", "assistant", "tool"],
    ]);
    for (const { prompt } of sent) {
      expect(prompt.slice(0, 3)).toEqual(sent[0]?.prompt);
    }
  });

  it("leaves the prompt alone on no match", async () => {
    const { ai } = await adapted();
    const { model, sent } = scripted("sorry");
    await run(loop, {
      model,
      tools: ai.modelTools(),
      prepareStep: ai.prepareStep,
      messages: [user("qqqq zzzz")],
    });
    expect(shape(sent[0]?.prompt ?? [])).toEqual(["user"]);
  });

  it("does not repeat what the application appended itself", async () => {
    const { ai } = await adapted();
    const { model, sent } = scripted("7 degrees");
    const messages = await ai.appendRecall([user(about)]);
    await run(loop, { model, tools: ai.modelTools(), prepareStep: ai.prepareStep, messages });
    expect(shape(sent[0]?.prompt ?? [])).toEqual(["user", "assistant", "tool"]);
  });
});
