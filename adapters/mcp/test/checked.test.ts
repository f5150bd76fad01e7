// Settings that mean nothing are refused, whoever misspells them: they would be rules that do not hold.

import { honeyguide, isHoneyguideError } from "honeyguide";
import { expect, test } from "vitest";
import { registerMcpServer, registerMcpServers } from "../src/index.js";

const servers = { mcpServers: { files: { command: "no-such-program" } } };

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const thrown = await attempt.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );
  expect(isHoneyguideError(thrown, "invalid_request"), String(thrown)).toBe(true);
  return (thrown as Error).message;
}

test.each([
  [{ onchange: "quarantine" }, "`onchange` means nothing; did you mean `onChange`?"],
  [{ onChange: "quarantin" }, '`onChange` is "quarantin"; did you mean `quarantine`?'],
  [{ approval: "write" }, '`approval` is "write"; did you mean `writes`?'],
  [{ aproval: "writes" }, "did you mean `approval`?"],
  [{ tools: { x: { requireApproval: true } } }, "`tools` of `x`: `requireApproval` means nothing"],
  [{ tools: { x: { requires_approval: true } } }, "did you mean `requiresApproval`?"],
  [{ tools: { x: { requiresApproval: "yes" } } }, "neither true nor false"],
  [{ tools: { x: { timeoutMs: "10" } } }, "no number of milliseconds"],
  [{ tools: { x: true } }, "`tools` of `x` is no object"],
  [{ tools: [] }, "`tools` is no object"],
  [{ somethingElse: 1 }, "known: description, timeoutMs"],
])("%j is refused of one server, of all and of each", async (settings, words) => {
  const options = settings as object;
  expect(
    await refusal(registerMcpServer(honeyguide(), { name: "files", command: "x", ...options })),
  ).toContain(words);
  expect(await refusal(registerMcpServers(honeyguide(), servers, options))).toContain(words);
  expect(await refusal(registerMcpServers(honeyguide(), servers, { each: { files: options } }))).toContain(
    words,
  );
});

test("what holds for a server that is not there is refused", async () => {
  const each = { fils: { approval: "writes" as const } };
  expect(await refusal(registerMcpServers(honeyguide(), servers, { each }))).toContain(
    "did you mean `files`?",
  );
});

test.each([
  ["servers.json", "parsed, not its text or path"],
  [JSON.stringify(servers), "parsed, not its text or path"],
  [undefined, "parsed, not its text or path"],
  [servers.mcpServers, "it names no servers".slice(3)],
  [Promise.resolve(servers), "await it first"],
])("a configuration that is none is refused: %j", async (config, words) => {
  expect(await refusal(registerMcpServers(honeyguide(), config as never))).toContain(words);
});

test("a configuration without any server is one", async () => {
  expect(await registerMcpServers(honeyguide(), { mcpServers: {} })).toMatchObject({
    servers: {},
    errors: {},
  });
});
