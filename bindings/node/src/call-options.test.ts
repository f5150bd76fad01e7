// Options of a call that mean nothing are refused: a misspelt rule would be none.

import { expect, test } from "vitest";
import { honeyguide } from "./index.js";

const hg = honeyguide();
hg.tools.register({ id: "look", description: "Looks", execute: () => "looked" });

test.each([
  [{ sessionId: "guest" }, "unknown option `sessionId`; known are session, visible"],
  [{ visibel: { deny: { ids: ["look"] } } }, "unknown option `visibel`"],
  [{ timeout: 1 }, "unknown option `timeout`"],
  [{ timeoutMs: "10" }, "`timeoutMs` is no number of milliseconds above 0"],
  [{ timeoutMs: -5 }, "`timeoutMs` is no number of milliseconds above 0"],
  [{ timeoutMs: Number.NaN }, "`timeoutMs` is no number of milliseconds above 0"],
  [{ approve: true }, "`approve` is no function"],
  ["guest", "no object"],
  [null, "no object"],
  [["guest"], "no object"],
])("%j", async (options, words) => {
  const given = options as never;
  const refusal = { code: "invalid_request", message: expect.stringContaining(words) };
  await expect(hg.call("invoke_tool", { toolId: "look" }, given)).rejects.toMatchObject(refusal);
  await expect(hg.tools.invoke("look", {}, given)).rejects.toMatchObject(refusal);
});

test("within a conversation as well, and what is not said is nothing", async () => {
  const session = hg.session("s");
  const refusal = { code: "invalid_request" };
  await expect(session.call("invoke_tool", { toolId: "look" }, "guest" as never)).rejects.toMatchObject(
    refusal,
  );
  await expect(session.tools.invoke("look", {}, { visibel: {} } as never)).rejects.toMatchObject(refusal);
  const nothing = { signal: undefined, timeoutMs: undefined, approve: undefined, context: undefined };
  expect(await session.tools.invoke("look", {}, nothing)).toBe("looked");
  expect(await hg.call("invoke_tool", { toolId: "look" }, { timeoutMs: Number.POSITIVE_INFINITY })).toBe(
    "looked",
  );
});
