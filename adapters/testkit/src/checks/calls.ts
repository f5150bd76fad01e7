// Calls through invoke_tool: found, run once, with what the framework told the run; and every call gets one result.

import assert from "node:assert/strict";
import type { SearchResult } from "honeyguide";
import { type Group, group, invoke, objectOf, readOf, replyOf, resultsOf, text } from "../check.js";
import type { ToolCall } from "../harness.js";

export const calls: Group = (bench) =>
  group("calls", {
    "a tool is found, runs once with its arguments, and the model reads its value": async () => {
      const ran: unknown[] = [];
      const { view } = await bench.adapted({
        forecast: {
          description: "Weather forecast of a city",
          inputSchema: objectOf({ city: text }, "city"),
          execute: (args) => {
            ran.push(args);
            return { city: args.city, degrees: 7 };
          },
        },
      });
      const outcome = await bench.run(view, [
        [["c1", "search_capabilities", { query: "weather forecast" }]],
        [invoke("c2", "forecast", { city: "Oslo" })],
        "7 degrees",
      ]);
      const found = readOf(outcome, "c1") as SearchResult;
      assert.equal(found.tools.groups[0]?.hits[0]?.toolId, "forecast");
      assert.deepEqual(ran, [{ city: "Oslo" }]);
      assert.deepEqual(readOf(outcome, "c2"), { city: "Oslo", degrees: 7 });
      assert.equal(outcome.text, "7 degrees");
    },

    "a tool is told the call's id and the application's context": async () => {
      const seen: ToolCall[] = [];
      const { view } = await bench.adapted({
        look: {
          description: "Looks",
          inputSchema: objectOf({}),
          execute: (_args, call) => {
            seen.push(call);
            return "seen";
          },
        },
      });
      await bench.run(view, [[invoke("c1", "look")]], { context: { user: "ada" } });
      assert.deepEqual(
        seen.map(({ id, context }) => ({ id, context })),
        [{ id: "c1", context: { user: "ada" } }],
      );
    },

    "a tool of the application's own runs beside them": async () => {
      const { hg, view } = await bench.adapted({});
      hg.tools.register({
        id: "native",
        description: "A native tool",
        execute: (_args, { toolCallId }) => ({ ran: toolCallId }),
      });
      const outcome = await bench.run(view, [[invoke("c1", "native")]]);
      assert.deepEqual(readOf(outcome, "c1"), { ran: "c1" });
    },

    "parallel calls get a result each, whether one throws or one is unknown, and the next turn is accepted":
      async () => {
        const { view } = await bench.adapted({
          works: { description: "Works", inputSchema: objectOf({}), execute: async () => "fine" },
          throws: {
            description: "Throws",
            inputSchema: objectOf({}),
            execute: async () => {
              throw new RangeError("out of range");
            },
          },
          aborts: {
            description: "Gives up",
            inputSchema: objectOf({}),
            execute: async () => {
              throw new DOMException("given up", "AbortError");
            },
          },
        });
        const made = [
          invoke("c1", "works"),
          invoke("c2", "throws"),
          invoke("c3", "aborts"),
          invoke("c4", "none"),
        ];
        const outcome = await bench.run(view, [made, "first", "second"], { says: ["go", "and now"] });
        assert.deepEqual(Object.keys(resultsOf(outcome)).sort(), ["c1", "c2", "c3", "c4"]);
        assert.equal(readOf(outcome, "c1"), "fine");
        assert.match(JSON.stringify(readOf(outcome, "c2")), /out of range/);
        assert.match(JSON.stringify(readOf(outcome, "c3")), /given up/);
        assert.equal(replyOf(outcome, "c4").error, "unknown_tool");
        assert.equal(outcome.text, "second");
      },

    "a tool hears that the application gave up": async () => {
      const controller = new AbortController();
      let heard = false;
      const { view } = await bench.adapted({
        slow: {
          description: "Takes long",
          inputSchema: objectOf({}),
          execute: async (_args, { signal }) => {
            signal?.addEventListener("abort", () => {
              heard = true;
            });
            controller.abort();
            // A framework may pass the word on later than it got it.
            await new Promise((resolve) => setTimeout(resolve, 20));
            return "left";
          },
        },
      });
      // What the framework does with a run that was given up is its own affair.
      await bench.run(view, [[invoke("c1", "slow")]], { signal: controller.signal }).catch(() => {});
      assert.equal(heard, true);
    },
  });
