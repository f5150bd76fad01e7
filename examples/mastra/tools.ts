// The tools that this agent had before: plain tools of Mastra. Knows nothing of Honeyguide.

import { createTool } from "@mastra/core/tools";
import { z } from "zod";

export const tools = {
  weather__forecast: createTool({
    id: "weather__forecast",
    description: "Weather forecast of a city",
    inputSchema: z.object({ city: z.string(), days: z.number().int().default(1) }),
    execute: async ({ city, days }) => ({ city, days, degrees: 7 }),
  }),
  mail__send: createTool({
    id: "mail__send",
    description: "Send an email to somebody",
    inputSchema: z.object({ to: z.string(), text: z.string() }),
    requireApproval: true,
    execute: async ({ to }) => `sent to ${to}`,
  }),
};
