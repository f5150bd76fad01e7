// What each request lists under each mode of disclosure, and that a listed tool is guarded as one behind the three is.

import assert from "node:assert/strict";
import { capabilityNames } from "honeyguide";
import {
  type Bench,
  type Check,
  type Group,
  group,
  objectOf,
  readOf,
  replyOf,
  resultsOf,
  text,
} from "../check.js";
import type { Outcome, WantedTool } from "../harness.js";

const three = Object.values(capabilityNames);

const wanted: Record<string, WantedTool> = {
  send_mail: {
    description: "Send an e-mail message to a person",
    inputSchema: objectOf({ to: text }, "to"),
    execute: ({ to }) => `sent to ${to}`,
  },
  read_file: {
    description: "Read a file from disk",
    inputSchema: objectOf({ path: text }),
    execute: ({ path }) => `read ${path}`,
  },
  list_pods: {
    description: "List the pods of a cluster",
    inputSchema: objectOf({}),
    execute: () => "no pods",
  },
};

export const disclosure: Group = (bench) => (bench.harness.abilities.listing ? checks(bench) : []);

function checks<TheirTool, TheirMessage, Extra extends object>(
  bench: Bench<TheirTool, TheirMessage, Extra>,
): Check[] {
  const hooked = { disclose: true, recall: true } as const;
  return group("disclosure", {
    "replace lists the three and the best few of each turn": async () => {
      const { view } = await bench.adapted(wanted, { disclosure: { mode: "replace", topK: 1 } });
      const outcome = await bench.run(view, [[["c1", "send_mail", { to: "ada" }]], "sent", "read"], {
        ...hooked,
        says: ["send an e-mail message", "read a file"],
      });
      assert.deepEqual(namesIn(outcome), [
        [...three, "send_mail"],
        [...three, "send_mail"],
        [...three, "read_file"],
      ]);
      assert.equal(readOf(outcome, "c1"), "sent to ada");
    },

    "replace lists the three alone where nothing fits": async () => {
      const { view } = await bench.adapted(wanted, { disclosure: { mode: "replace" } });
      const outcome = await bench.run(view, ["no"], { ...hooked, says: ["quux"] });
      assert.deepEqual(namesIn(outcome), [three]);
    },

    "replace keeps listed what the framework and the application keep": async () => {
      const { view } = await bench.adapted(wanted, {
        disclosure: { mode: "replace", topK: 1, alongside: ["own"] },
      });
      const asking = bench.harness.tool({ description: "Asks the user", inputSchema: objectOf({}) });
      await view.tools.register({ asking });
      const own = bench.harness.tool({ description: "Own", inputSchema: objectOf({}), execute: () => 1 });
      const outcome = await bench.harness.run({
        view,
        tools: { ...view.modelTools(), own },
        turns: ["no"],
        says: ["read a file"],
        ...hooked,
      });
      assert.deepEqual(new Set(namesIn(outcome)[0]), new Set([...three, "read_file", "asking", "own"]));
    },

    "a tool that this step does not list still runs, through invoke_tool": async () => {
      const { view } = await bench.adapted(wanted, { disclosure: { mode: "replace", topK: 1 } });
      const outcome = await bench.run(view, [[["c1", "send_mail", { to: "ada" }]]], {
        ...hooked,
        says: ["read a file"],
      });
      assert.equal(readOf(outcome, "c1"), "sent to ada");
    },

    "suggest leaves the list as it is and names the best few": async () => {
      const { view } = await bench.adapted(wanted, { disclosure: { mode: "suggest", topK: 1 } });
      const outcome = await bench.run(view, ["sent", "read"], {
        ...hooked,
        says: ["send an e-mail message", "read a file"],
      });
      const all = [...three, ...Object.keys(wanted)];
      assert.deepEqual(namesIn(outcome), [all, all]);
      const hints = Object.values(resultsOf(outcome)).map(({ value }) => (value as { hint: string }).hint);
      assert.equal(hints.length, 2);
      assert.match(hints[0] ?? "", /`send_mail`/);
      assert.match(hints[1] ?? "", /`read_file`/);
    },

    "auto lists everything while it is cheap, and the three once it is not": async () => {
      const cheap = await bench.adapted(wanted, { disclosure: { mode: "auto" } });
      const listed = await bench.run(cheap.view, [[["c1", "list_pods", {}]]], {
        ...hooked,
        says: ["list pods"],
      });
      const all = [...three, ...Object.keys(wanted)];
      assert.deepEqual(namesIn(listed), [all, all]);
      assert.deepEqual(Object.keys(resultsOf(listed)), ["c1"], "what is listed is not searched for");

      const dear = await bench.adapted(wanted, { disclosure: { mode: "auto", contextTokens: 100 } });
      const hidden = await bench.run(dear.view, ["no"], { ...hooked, says: ["list pods"] });
      assert.deepEqual(namesIn(hidden), [three]);
      assert.equal(Object.keys(resultsOf(hidden)).length, 1, "what is hidden is searched for");
    },

    "auto withdraws the list in the middle of a run when the catalog outgrows it": async () => {
      const { hg, view } = await bench.adapted(
        {
          grow: {
            description: "Adds tools",
            inputSchema: objectOf({}),
            execute: () => {
              hg.tools.register({ id: "late", description: "x".repeat(3_000), execute: () => 1 });
              return "grown";
            },
          },
        },
        { disclosure: { mode: "auto", contextTokens: 5_000 } },
      );
      const outcome = await bench.run(view, [[["c1", "grow", {}]]], { ...hooked });
      assert.deepEqual(namesIn(outcome), [[...three, "grow"], three]);
    },

    "a listed tool that was hidden since does not run": async () => {
      let ran = 0;
      const { hg, view } = await bench.adapted(
        {
          secret: { description: "Secret", inputSchema: objectOf({}), execute: () => void ran++ },
          hide: {
            description: "Hides",
            inputSchema: objectOf({}),
            execute: () => {
              hg.session("s", { visible: { deny: { ids: ["secret"] } } });
              return "hidden";
            },
          },
        },
        { disclosure: { mode: "suggest" } },
      );
      const within = view.within({ session: "s" }) as typeof view;
      const outcome = await bench.run(within, [[["c1", "hide", {}]], [["c2", "secret", {}]]]);
      assert.equal(replyOf(outcome, "c2").error, "unknown_tool");
      assert.equal(ran, 0);
    },

    "arguments of a listed tool are repaired, and what is wrong is said": async () => {
      const { view } = await bench.adapted(wanted, { disclosure: { mode: "suggest" } });
      const outcome = await bench.run(view, [
        [
          ["c1", "send_mail", {}],
          ["c2", "send_mail", { to: "bob" }],
        ],
      ]);
      assert.equal(replyOf(outcome, "c1").error, "invalid_arguments");
      assert.equal(readOf(outcome, "c2"), "sent to bob");
    },

    "a tool of the application's own is listed under a name that providers take": async () => {
      const { hg, view } = await bench.adapted({}, { disclosure: { mode: "suggest" } });
      hg.tools.register({
        id: "weather in Paris?",
        description: "The weather",
        inputSchema: objectOf({ day: text }),
        execute: (args) => args,
      });
      const name = hg.disclose({ mode: "suggest" }).exposed[0]?.name ?? "";
      assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
      const outcome = await bench.run(view, [[["c1", name, { day: "today" }]]]);
      assert.deepEqual(namesIn(outcome)[0], [...three, name]);
      assert.deepEqual(readOf(outcome, "c1"), { day: "today" });
    },
  });
}

/** The names that each request listed. */
function namesIn({ requests }: Outcome): string[][] {
  return requests.map(({ tools }) => tools.map(({ name }) => name));
}
