// What an application writes, with the types of the major that the configuration beside it names: no casts.

import { generateText, type LanguageModel, type ModelMessage, streamText, type ToolSet, tool } from "ai";
import { honeyguide } from "honeyguide";
import { z } from "zod";
import { vercel } from "../../src/index.js";

declare const model: LanguageModel;
declare const toolsOfAServer: ToolSet;

const hg = honeyguide();
const ai = hg.adaptTo(vercel);

const forecast = tool({
  description: "Weather forecast of a city",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, degrees: 7 }),
});

const registration = await ai.tools.register({ forecast });
await ai.tools.register([toolsOfAServer, { forecast }]);
registration.diagnostics satisfies { message: string }[];
registration.passthrough satisfies { id: string; reason: string }[];

const tools: ToolSet = ai.modelTools();
const messages: ModelMessage[] = await ai.appendRecall([{ role: "user", content: "weather" }]);

await generateText({
  model,
  messages,
  tools: ai.modelTools(),
  prepareStep: ai.prepareStep,
  experimental_repairToolCall: ai.repairToolCall,
});

streamText({
  model,
  messages,
  tools: { ...tools, forecast },
  prepareStep: async (step) => ({ ...(await ai.prepareStep(step)), toolChoice: "auto" }),
  experimental_repairToolCall: ai.repairToolCall,
});
