// What an application writes with what only the major 7 has: approval rules and contexts by the tools' own names.

import { generateText, type LanguageModel, tool } from "ai";
import { honeyguide } from "honeyguide";
import { z } from "zod";
import { vercel } from "../../src/index.js";

declare const model: LanguageModel;

const ai = honeyguide().adaptTo(vercel);
await ai.tools.register({
  remove: tool({
    description: "Removes a file",
    inputSchema: z.object({ path: z.string() }),
    contextSchema: z.object({ user: z.string() }),
    execute: ({ path }, { context }) => `${context.user} removed ${path}`,
  }),
});

await generateText({
  model,
  prompt: "remove a.txt",
  tools: ai.modelTools(),
  prepareStep: ai.prepareStep,
  repairToolCall: ai.repairToolCall,
  toolsContext: ai.toolsContext({ remove: { user: "ada" } }),
  toolApproval: ai.toolApproval({
    remove: (input: { path: string }) => (input.path.startsWith("/tmp/") ? "approved" : "user-approval"),
  }),
});

await generateText({
  model,
  prompt: "remove a.txt",
  tools: ai.modelTools(),
  toolApproval: ai.toolApproval(({ toolCall }) => (toolCall.toolName === "remove" ? "denied" : undefined)),
});
