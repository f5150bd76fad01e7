// All checks for one framework, with those it is known not to pass turned round. Knows no test runner: whoever runs a
// check learns from its exception.

import { AssertionError } from "node:assert";
import { Bench, type Check, type Group } from "./check.js";
import { approval } from "./checks/approval.js";
import { calls } from "./checks/calls.js";
import { conversation, recall } from "./checks/conversation.js";
import { definitions } from "./checks/definitions.js";
import { differential } from "./checks/differential.js";
import { disclosure } from "./checks/disclosure.js";
import { envelopes } from "./checks/envelopes.js";
import { registration } from "./checks/registration.js";
import type { Harness } from "./harness.js";

const groups: readonly Group[] = [
  definitions,
  registration,
  calls,
  envelopes,
  approval,
  conversation,
  recall,
  disclosure,
  differential,
];

/** The checks of an adapter: run each as a test of your runner. */
export function conformance<TheirTool, TheirMessage, Extra extends object>(
  harness: Harness<TheirTool, TheirMessage, Extra>,
): Check[] {
  const bench = new Bench(harness);
  const checks = groups.flatMap((make) => make(bench));
  const differences = new Map(Object.entries(harness.differences ?? {}));
  const unknown = [...differences.keys()].filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) throw new Error(`differences of checks that do not exist: ${unknown.join("; ")}`);
  return checks.map((check) => {
    const reason = differences.get(check.name);
    return reason === undefined ? check : turned(check, reason);
  });
}

/** A known difference has to show: one that is gone is taken off the list. */
function turned(check: Check, reason: string): Check {
  return {
    name: `${check.name} (differs: ${reason})`,
    async run() {
      try {
        await check.run();
      } catch {
        return;
      }
      throw new AssertionError({ message: `this passes, so it is no difference any more: ${reason}` });
    },
  };
}
