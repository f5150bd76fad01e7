// An agent of the AI SDK whose tools all stand behind three. The model is a script; with AI_GATEWAY_API_KEY set it is a
// real one: AI_GATEWAY_API_KEY=… npm start -- "Mail Ada the forecast for Oslo"

import { vercel } from "@honeyguide/vercel";
import { generateText, type ModelMessage, stepCountIs } from "ai";
import { honeyguide } from "honeyguide";
import { scripted } from "./scripted.js";
import { tools } from "./tools.js";

const ai = honeyguide().adaptTo(vercel);
await ai.tools.register(tools);

const model = process.env["AI_GATEWAY_API_KEY"] ? "openai/gpt-5-mini" : scripted();
const content = process.argv[2] ?? "Mail Ada the forecast for Oslo";
const messages: ModelMessage[] = [{ role: "user", content }];
for (;;) {
  const result = await generateText({
    model,
    messages,
    tools: ai.modelTools(), // the three
    prepareStep: ai.prepareStep, // a search for the user's turn is there before the model asks
    experimental_repairToolCall: ai.repairToolCall, // a found tool called by its own name runs too
    stopWhen: stepCountIs(20),
    onStepFinish: ({ toolCalls }) => {
      for (const { toolName, input } of toolCalls) console.log(toolName, JSON.stringify(input));
    },
  });
  messages.push(...result.response.messages);
  const asked = result.content.filter((part) => part.type === "tool-approval-request");
  if (asked.length === 0) {
    console.log(result.text);
    break;
  }
  // Whoever uses the agent would be asked here.
  for (const { toolCall } of asked) console.log("approved:", JSON.stringify(toolCall.input));
  messages.push({
    role: "tool",
    content: asked.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: true })),
  });
}
