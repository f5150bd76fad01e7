// Mastra's view of an engine, for `hg.adaptTo(mastra)`: three codecs, and processors for an agent.
// Knows nothing of ranking, and keeps no conversation.

import type { MastraDBMessage, ToolsInput } from "@mastra/core/agent";
import type { ProcessInputStepArgs, ProcessInputStepResult } from "@mastra/core/processors";
import { type Adapter, type CacheStep, CacheWatch } from "honeyguide";
import { fromTools } from "./expose.js";
import { toTool } from "./ingest.js";
import { noteTool } from "./invoke.js";
import { append, toMessages, turnOf } from "./recall.js";
import { mending } from "./repair.js";
import type { MastraTool, RequestContextLike } from "./types.js";
import { watched } from "./watch.js";

/** What users of Mastra need beside tools and messages. */
export interface MastraHooks {
  /** For `tools` of an agent: the tools of one request, which honour what its run asks about (`requireToolApproval`). */
  toolsFor(request: { requestContext?: RequestContextLike }): ToolsInput;
  /** For `inputProcessors`: each step lists what the view's disclosure lists in it. Not needed for the funnel. */
  readonly disclosing: StepProcessor<"honeyguide-disclosing">;
  /** For `inputProcessors`: a finished search stands behind the user's turn before the model answers. */
  readonly recalling: StepProcessor<"honeyguide-recalling">;
  /** For `inputProcessors`: a found tool that the model calls by its own name runs too. */
  readonly repairing: StepProcessor<"honeyguide-repairing">;
  /** For `inputProcessors`, last: watches what the model is sent. */
  readonly watching: StepProcessor<"honeyguide-watching">;
  /** How much of each watched request was the beginning of the one before, and what differed first. */
  cacheReport(): CacheStep[];
  /** The messages with a search behind the user turn that they end in; the same messages in a new array otherwise. */
  appendRecall(messages: readonly MastraDBMessage[]): Promise<MastraDBMessage[]>;
}

/** A processor that looks at each step. */
export interface StepProcessor<Id extends string> {
  readonly id: Id;
  processInputStep(step: ProcessInputStepArgs): Promise<ProcessInputStepResult>;
}

/** Mastra 1. */
export const mastra: Adapter<ToolsInput[string], MastraDBMessage, MastraHooks> = {
  name: "mastra",
  toTool(id, tool, host) {
    const converted = toTool(id, tool as MastraTool);
    if (!("passthrough" in converted)) noteTool(tool as MastraTool, host);
    return converted;
  },
  fromTools,
  toMessages,
  extend(view, host, disclosing) {
    const watch = new CacheWatch();
    const appendRecall = (messages: readonly MastraDBMessage[]) =>
      append([...messages], (query) => disclosing.recalled(query));
    return {
      toolsFor: ({ requestContext }) => ({
        ...view.modelTools(),
        ...fromTools(disclosing.definitions(), host, { strict: false }, requestContext),
      }),
      disclosing: {
        id: "honeyguide-disclosing",
        async processInputStep({ messages }) {
          const activeTools = await disclosing.listed(turnOf(messages));
          return activeTools ? { activeTools } : {};
        },
      },
      recalling: {
        id: "honeyguide-recalling",
        async processInputStep({ messages }) {
          const appended = await appendRecall(messages);
          return appended.length === messages.length ? {} : { messages: appended };
        },
      },
      repairing: {
        id: "honeyguide-repairing",
        processInputStep: async ({ model }) => ({ model: mending(model) }),
      },
      watching: {
        id: "honeyguide-watching",
        processInputStep: async ({ model }) => ({ model: watched(model, watch) }),
      },
      cacheReport: () => watch.report(),
      appendRecall,
    };
  },
};
