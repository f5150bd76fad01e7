// What an answer of a person counts for, where a client could send it again or with another call.

import type { ApprovalRequest } from "honeyguide";
import { expect, it } from "vitest";
import { Allowances } from "../../src/gateway/allowance.js";

const request = (over: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  toolId: "s__wipe",
  arguments: { disk: 1 },
  annotations: undefined,
  digest: "d1",
  session: undefined,
  toolCallId: undefined,
  context: undefined,
  ...over,
});

it("an answer counts once", () => {
  const allowances = new Allowances();
  const ticket = allowances.ask(request());
  expect(allowances.takeBack(ticket, request())).toBe(true);
  expect(allowances.takeBack(ticket, request())).toBe(false);
});

it.each([
  ["other arguments", { arguments: { disk: 2 } }],
  ["another tool", { toolId: "s__burn" }],
  ["another definition", { digest: "d2" }],
])("an answer does not count for %s", (_what, over) => {
  const allowances = new Allowances();
  expect(allowances.takeBack(allowances.ask(request()), request(over))).toBe(false);
});

it("an answer to a question that was never asked does not count", () => {
  const allowances = new Allowances();
  for (const ticket of [undefined, "", "made-up", 7])
    expect(allowances.takeBack(ticket, request())).toBe(false);
});

it("a tool that is allowed for the session is allowed with any arguments, as it is defined now", () => {
  const allowances = new Allowances();
  allowances.allow(request());
  expect(allowances.holds(request({ arguments: {} }))).toBe(true);
  expect(allowances.holds(request({ digest: "d2" }))).toBe(false);
  expect(allowances.holds(request({ toolId: "s__burn" }))).toBe(false);
});

it("questions that nobody comes back for are forgotten, the oldest first", () => {
  const allowances = new Allowances();
  const first = allowances.ask(request());
  const others = Array.from({ length: 1000 }, () => allowances.ask(request()));
  expect(allowances.takeBack(first, request())).toBe(false);
  expect(allowances.takeBack(others[0], request())).toBe(true);
});
