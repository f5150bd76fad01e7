// What an application writes, with the types of Mastra: no casts.

import { Agent, type MastraDBMessage, type ToolsInput } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { honeyguide } from "honeyguide";
import { z } from "zod";
import { mastra } from "../../src/index.js";

const hg = honeyguide();
const ai = hg.adaptTo(mastra);

const remove = createTool({
  id: "remove",
  description: "Removes a file",
  inputSchema: z.object({ path: z.string() }),
  requireApproval: async ({ path }) => !path.startsWith("/tmp/"),
  execute: async ({ path }) => ({ removed: path }),
});
const forecast = createTool({ id: "forecast", description: "Weather forecast", execute: async () => 7 });

const registration = await ai.tools.register({ remove, forecast });
await ai.tools.register([{ remove }, { forecast }]);
registration.passthrough satisfies { id: string; reason: string }[];

const tools: ToolsInput = ai.modelTools();
const messages: MastraDBMessage[] = await ai.recall("weather");

export const agent = new Agent({
  id: "a",
  name: "a",
  instructions: "Help.",
  model: "openai/gpt-5",
  tools: ai.toolsFor,
  inputProcessors: [ai.recalling, ai.repairing],
});

export const scoped = new Agent({
  id: "b",
  name: "b",
  instructions: "Help.",
  model: "openai/gpt-5",
  tools: ({ requestContext }) => ai.within({ session: "42" }).toolsFor({ requestContext }),
});

await agent.generate(messages.length === 0 ? "hello" : "hello again", {
  toolsets: { catalog: tools },
  requireToolApproval: true,
});
