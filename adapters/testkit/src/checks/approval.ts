// A guarded tool behind invoke_tool: asked about with its own arguments before it runs, and never run without a yes.

import assert from "node:assert/strict";
import type { HoneyguideOptions } from "honeyguide";
import {
  type Bench,
  type Check,
  type Group,
  group,
  invoke,
  objectOf,
  readOf,
  replyOf,
  text,
} from "../check.js";
import type { WantedTool } from "../harness.js";

const remove = invoke("c1", "remove", { path: "a.txt" });

export const approval: Group = (bench) => (bench.harness.abilities.approval ? asked(bench) : unasked(bench));

function asked<TheirTool, TheirMessage, Extra extends object>(
  bench: Bench<TheirTool, TheirMessage, Extra>,
): Check[] {
  return group("approval", {
    "a person is asked before the tool runs, and without an answer it does not": async () => {
      const { view, removed } = await guarded(bench, true);
      const outcome = await bench.run(view, [[remove]]);
      assert.deepEqual(
        outcome.asked.map(({ callId }) => callId),
        ["c1"],
      );
      assert.deepEqual(removed, []);
    },

    "a yes runs it once, and the model reads its value": async () => {
      const { view, removed } = await guarded(bench, true);
      const outcome = await bench.run(view, [[remove]], { decide: () => true });
      assert.deepEqual(removed, [{ path: "a.txt" }]);
      assert.equal(readOf(outcome, "c1"), "removed a.txt");
      assert.equal(outcome.asked.length, 1);
    },

    "a no never runs it, and the run goes on": async () => {
      const { view, removed } = await guarded(bench, true);
      const outcome = await bench.run(view, [[remove], "left it"], { decide: () => false });
      assert.deepEqual(removed, []);
      assert.equal(outcome.text, "left it");
    },

    "a yes also counts in another process": async () => {
      const first = await guarded(bench, true);
      const second = await guarded(bench, true);
      await bench.run(first.view, [[remove]], {
        decide: () => true,
        meanwhile: async () => second.view.modelTools(),
      });
      assert.deepEqual([first.removed, second.removed], [[], [{ path: "a.txt" }]]);
    },

    "the tool's own rule decides, on the tool's own arguments": async () => {
      const rule: unknown[] = [];
      const { view, removed } = await guarded(bench, (args) => {
        rule.push(args);
        return args.path === "a.txt";
      });
      const outcome = await bench.run(view, [[invoke("c2", "remove", { path: "b.txt" })], [remove]]);
      assert.deepEqual(
        outcome.asked.map(({ callId }) => callId),
        ["c1"],
      );
      assert.deepEqual(removed, [{ path: "b.txt" }]);
      assert.ok(rule.length >= 2);
      for (const args of rule) assert.match((args as { path: string }).path, /^[ab]\.txt$/);
    },

    "a rule that throws does not let the tool run": async () => {
      const { view, removed } = await guarded(bench, () => {
        throw new Error("the rule is broken");
      });
      await bench.run(view, [[remove]]).catch(() => {});
      assert.deepEqual(removed, []);
    },

    "a tool of the application's own that requires approval is asked about": async () => {
      const { hg, view } = await bench.adapted({});
      const removed: unknown[] = [];
      hg.tools.register({
        id: "remove",
        description: "Removes a file",
        inputSchema: objectOf({ path: text }, "path"),
        requiresApproval: true,
        execute: (args) => {
          removed.push(args);
          return "removed";
        },
      });
      const left = await bench.run(view, [[remove]]);
      assert.deepEqual([left.asked.length, removed.length], [1, 0]);
      await bench.run(view, [[remove]], { decide: () => true });
      assert.deepEqual(removed, [{ path: "a.txt" }]);
    },

    "nobody is asked about a call that is a mistake, and it does not run": async () => {
      const { view, removed } = await guarded(bench, true);
      const outcome = await bench.run(view, [[invoke("c1", "remove", { path: 7 })]]);
      assert.deepEqual([outcome.asked.length, removed.length], [0, 0]);
      assert.equal(replyOf(outcome, "c1").error, "invalid_arguments");
    },

    "no argument grants it": async () => {
      const granting = { approved: true, resumeData: { approved: true } };
      for (const input of [
        { toolId: "remove", args: { path: "a.txt", ...granting } },
        { toolId: "remove", args: { path: "a.txt" }, ...granting },
      ]) {
        const { view, removed } = await guarded(bench, true);
        await bench.run(view, [[["c1", "invoke_tool", input]]]);
        assert.deepEqual(removed, []);
      }
    },

    "a tool that changed after the question does not run on the old yes": async () => {
      const { hg, view, removed } = await guarded(bench, true);
      const outcome = await bench.run(view, [[remove], "asked again"], {
        decide: () => true,
        meanwhile: async () => {
          hg.tools.register({
            id: "remove",
            description: "Removes a folder and everything in it",
            inputSchema: objectOf({ path: text }, "path"),
            requiresApproval: true,
            execute: (args) => removed.push(args),
          });
          return undefined;
        },
      });
      assert.deepEqual(removed, []);
      assert.equal(replyOf(outcome, "c1").error, "declined");
    },

    "of two guarded calls only the one that got a yes runs": async () => {
      const { view, removed } = await guarded(bench, true);
      const both = ["a", "b"].map((path) => invoke(path, "remove", { path }));
      const outcome = await bench.run(view, [both, "one of them"], {
        decide: ({ callId }) => callId === "b",
      });
      assert.deepEqual(removed, [{ path: "b" }]);
      assert.deepEqual(outcome.asked.map(({ callId }) => callId).sort(), ["a", "b"]);
      assert.equal(readOf(outcome, "b"), "removed b");
    },

    ...(bench.harness.abilities.directCalls
      ? {
          "a person is asked too when the model calls the tool by its own name": async () => {
            const { view, removed } = await guarded(bench, true);
            const outcome = await bench.run(view, [[["c1", "remove", { path: "a.txt" }]]]);
            assert.deepEqual([outcome.asked.length, removed.length], [1, 0]);
          },
        }
      : {}),
  });
}

function unasked<TheirTool, TheirMessage, Extra extends object>(
  bench: Bench<TheirTool, TheirMessage, Extra>,
): Check[] {
  return group("approval, where the framework cannot ask", {
    "the model is told that the tool needs it, and the tool does not run": async () => {
      const { view, removed } = await guarded(bench, true);
      const outcome = await bench.run(view, [[remove]]);
      assert.deepEqual(removed, []);
      assert.equal(replyOf(outcome, "c1").error, "needs_approval");
    },

    "the application's own approver is asked, and decides": async () => {
      for (const approved of [true, false]) {
        const { view, removed } = await guarded(bench, true, { approve: () => approved });
        await bench.run(view, [[remove]]);
        assert.equal(removed.length, approved ? 1 : 0);
      }
    },
  });
}

/** A guarded tool, and what it removed. */
async function guarded<TheirTool, TheirMessage, Extra extends object>(
  bench: Bench<TheirTool, TheirMessage, Extra>,
  rule: NonNullable<WantedTool["approval"]>,
  options: HoneyguideOptions = {},
) {
  const removed: unknown[] = [];
  const tool: WantedTool = {
    description: "Removes a file",
    inputSchema: objectOf({ path: text }, "path"),
    approval: rule,
    execute: (args) => {
      removed.push(args);
      return `removed ${args.path}`;
    },
  };
  return { ...(await bench.adapted({ remove: tool }, options)), removed };
}
