// The tools that this agent had before: plain tools of the AI SDK. Knows nothing of Honeyguide.

import { tool } from "ai";
import { z } from "zod";

export const tools = {
  weather__forecast: tool({
    description: "Weather forecast of a city",
    inputSchema: z.object({ city: z.string(), days: z.number().int().default(1) }),
    execute: async ({ city, days }) => ({ city, days, degrees: 7 }),
  }),
  mail__send: tool({
    description: "Send an email to somebody",
    inputSchema: z.object({ to: z.string(), text: z.string() }),
    needsApproval: true,
    execute: async ({ to }) => `sent to ${to}`,
  }),
};
