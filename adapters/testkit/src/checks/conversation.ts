// Conversations: several at once, of many turns, cut short, each with what it may see; and recalls in them.

import assert from "node:assert/strict";
import { capabilityNames, type SearchResult } from "honeyguide";
import { type Group, group, invoke, objectOf, readOf, replyOf, resultsOf } from "../check.js";
import type { Entry, Outcome, WantedTool } from "../harness.js";

export const conversation: Group = (bench) =>
  group("conversation", {
    "no conversation sees the context of another, though their call ids are the same": async () => {
      const waiting: (() => void)[] = [];
      const { view } = await bench.adapted({
        whoami: {
          description: "Says who asks",
          inputSchema: objectOf({}),
          execute: async (_args, { context }) => {
            // All three stand here at the same time.
            await new Promise<void>((resolve) => {
              waiting.push(resolve);
              if (waiting.length === 3) for (const go of waiting) go();
            });
            return (context as { user: string }).user;
          },
        },
      });
      const outcomes = await Promise.all(
        ["ada", "eve", "bob"].map((user) =>
          bench.run(view, [[invoke("c1", "whoami")]], { context: { user } }),
        ),
      );
      assert.deepEqual(
        outcomes.map((outcome) => readOf(outcome, "c1")),
        ["ada", "eve", "bob"],
      );
    },

    "a tool that was found before the history was cut is still called by its id": async () => {
      const { view } = await bench.adapted({ ledger: ledger("open") });
      await bench.run(view, [[["c1", "search_capabilities", { query: "ledger" }]]]);
      const outcome = await bench.run(view, [[invoke("c2", "ledger")]]);
      assert.equal(readOf(outcome, "c2"), "the open ledger");
    },

    "a repeated search finds the same tools again": async () => {
      const { view } = await bench.adapted({ ledger: ledger("open") });
      const search = (id: string) => [id, "search_capabilities", { query: "ledger" }] as const;
      const outcome = await bench.run(view, [[search("c1")], [search("c2")]]);
      assert.deepEqual(readOf(outcome, "c2"), readOf(outcome, "c1"));
    },

    "a conversation finds and runs only what it may see, and the rest is unknown to it": async () => {
      const ran: string[] = [];
      const { view } = await bench.adapted({
        open_ledger: ledger("open", ran),
        secret_ledger: ledger("secret", ran),
      });
      const within = view.within({ visible: { allow: { ids: ["open_ledger"] } } });
      const outcome = await bench.run(within, [
        [
          ["c1", "search_capabilities", { query: "ledger" }],
          invoke("c2", "secret_ledger"),
          invoke("c3", "open_ledger"),
        ],
      ]);
      const { tools } = readOf(outcome, "c1") as SearchResult;
      assert.deepEqual(
        tools.groups.flatMap(({ hits }) => hits.map(({ toolId }) => toolId)),
        ["open_ledger"],
      );
      assert.equal(replyOf(outcome, "c2").error, "unknown_tool");
      assert.deepEqual(replyOf(outcome, "c2").candidates ?? [], ["open_ledger"]);
      assert.deepEqual(ran, ["open"]);
    },

    "a conversation of many turns has one result for each call": async () => {
      const { view } = await bench.adapted({ ledger: ledger("open") });
      const turns = [1, 2, 3, 4].flatMap((n) => [
        [invoke(`c${n}`, "ledger"), invoke(`d${n}`, "none")],
        `turn ${n}`,
      ]);
      const outcome = await bench.run(view, turns, { says: ["one", "two", "three", "four"] });
      assert.equal(outcome.text, "turn 4");
      assert.deepEqual(
        Object.keys(resultsOf(outcome)).sort(),
        [1, 2, 3, 4].flatMap((n) => [`c${n}`, `d${n}`]).sort(),
      );
    },
  });

const about = "the open ledger";

export const recall: Group = (bench) =>
  group("recall", {
    "a finished search stands behind the user's turn, before the model's first answer": async () => {
      const { view } = await bench.adapted({ ledger: ledger("open") });
      const outcome = await bench.run(view, ["found it"], { recall: true, says: [about] });
      const [said, called, found, ...more] = spoken(outcome, 0);
      assert.deepEqual(said, { kind: "text", role: "user", text: about });
      assert.equal(called?.kind === "call" && called.tool, capabilityNames.search);
      assert.deepEqual(called?.kind === "call" && called.input, { query: about });
      assert.equal(found?.kind === "result" && called?.kind === "call" && found.id === called.id, true);
      const value = found?.kind === "result" ? (found.value as SearchResult) : undefined;
      assert.equal(value?.tools.groups[0]?.hits[0]?.toolId, "ledger");
      assert.deepEqual(more, []);
    },

    "nothing is added where nothing matches": async () => {
      const { view } = await bench.adapted({ ledger: ledger("open") });
      const outcome = await bench.run(view, ["sorry"], { recall: true, says: ["qqqq zzzz"] });
      assert.deepEqual(spoken(outcome, 0), [{ kind: "text", role: "user", text: "qqqq zzzz" }]);
    },

    "a turn gets one recall, however many steps it takes, and the prompt only grows": async () => {
      const { view } = await bench.adapted({ ledger: ledger("open") });
      const turns = [[invoke("c1", "ledger")], [invoke("c2", "ledger")], "read it"];
      const outcome = await bench.run(view, turns, { recall: true, says: [about] });
      assert.deepEqual(
        outcome.requests.map((_, place) => recallsIn(spoken(outcome, place))),
        [1, 1, 1],
      );
      assertGrows(outcome);
    },

    "each turn of a conversation gets its own, and earlier ones stay where they were": async () => {
      const { view } = await bench.adapted({ ledger: ledger("open") });
      const turns = [[invoke("c1", "ledger")], "read it", [invoke("c2", "ledger")], "read it again"];
      const outcome = await bench.run(view, turns, { recall: true, says: [about, "read the ledger again"] });
      assert.deepEqual(
        outcome.requests.map((_, place) => recallsIn(spoken(outcome, place))),
        [1, 1, 2, 2],
      );
      const ids = spoken(outcome, 3).flatMap((entry) => (entry.kind === "call" ? [entry.id] : []));
      assert.equal(new Set(ids).size, ids.length);
      assertGrows(outcome);
    },

    "it stands in no way of the tools: they are called as without it": async () => {
      const { view } = await bench.adapted({ ledger: ledger("open") });
      const outcome = await bench.run(view, [[invoke("c1", "ledger")]], { recall: true, says: [about] });
      assert.equal(readOf(outcome, "c1"), "the open ledger");
      assert.equal(outcome.text, "done");
    },
  });

/** What was said in one request, without the system's words. */
function spoken({ requests }: Outcome, place: number): Entry[] {
  return (requests[place]?.prompt ?? []).filter((entry) => entry.kind !== "text" || entry.role !== "system");
}

function recallsIn(entries: readonly Entry[]): number {
  return entries.filter((entry) => entry.kind === "call" && entry.tool === capabilityNames.search).length;
}

/** Each request begins with the one before it. */
function assertGrows(outcome: Outcome): void {
  for (const place of outcome.requests.keys()) {
    if (place === 0) continue;
    const before = spoken(outcome, place - 1);
    assert.deepEqual(spoken(outcome, place).slice(0, before.length), before);
  }
}

function ledger(which: string, ran: string[] = []): WantedTool {
  return {
    description: `Reads the ${which} ledger`,
    inputSchema: objectOf({}),
    execute: () => {
      ran.push(which);
      return `the ${which} ledger`;
    },
  };
}
