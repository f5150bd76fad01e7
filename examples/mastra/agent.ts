// An agent of Mastra whose tools all stand behind three. The model is a script; with OPENAI_API_KEY set it is a real one:
// OPENAI_API_KEY=… npm start -- "Mail Ada the forecast for Oslo"

import { mastra } from "@honeyguide/mastra";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { honeyguide } from "honeyguide";
import { scripted } from "./scripted.js";
import { tools } from "./tools.js";

const ai = honeyguide().adaptTo(mastra);
await ai.tools.register(tools);

const assistant = new Agent({
  id: "assistant",
  name: "assistant",
  instructions: "Help the user. Search for tools before you say that you cannot.",
  model: process.env["OPENAI_API_KEY"] ? "openai/gpt-5-mini" : scripted(),
  tools: ai.toolsFor, // the three, made for each request
  inputProcessors: [ai.recalling, ai.repairing], // a search for the user's turn; found tools by their own names
});
// A run that waits for an answer is kept in the storage.
const app = new Mastra({ agents: { assistant }, storage: new InMemoryStore(), logger: false });
const agent = app.getAgent("assistant");
let output = await agent.stream(process.argv[2] ?? "Mail Ada the forecast for Oslo");
for (let waits = true; waits; ) {
  waits = false;
  for await (const chunk of output.fullStream) {
    if (chunk.type === "tool-call") console.log(chunk.payload.toolName, JSON.stringify(chunk.payload.args));
    if (chunk.type !== "tool-call-approval") continue;
    // Whoever uses the agent would be asked here.
    console.log("approved:", JSON.stringify(chunk.payload.args));
    output = await agent.approveToolCall({ runId: output.runId, toolCallId: chunk.payload.toolCallId });
    waits = true;
    break; // the output that was approved goes on
  }
}
console.log(await output.text);
process.exit(0);
