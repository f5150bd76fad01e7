// The programs of e2e/oauth: signing in and out from a command line, and the gateway that notices it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import world from "../../../../e2e/oauth/scenarios.json" with { type: "json" };
import { CredentialStore } from "../../src/oauth/store.js";
import { RunningProgram, runProgram } from "../gateway/program.js";
import { eventually } from "../scripted-server.js";
import { type Behaviour, browse } from "./browser.js";
import { ProtectedServer } from "./protected-server.js";
import type { Data } from "./scenario-run.js";

const secrets = /\b(access|refresh|code|secret)-(\d+|mine)/;

class Place {
  readonly root = mkdtempSync(join(tmpdir(), "honeyguide-programs-"));
  readonly config = join(this.root, "config.json");
  readonly said: string[] = [];
  gateway: RunningProgram | undefined;
  client: Client | undefined;

  constructor(
    private readonly scenario: Data,
    private readonly server: ProtectedServer,
  ) {
    mkdirSync(join(this.root, "home"));
    const entry = { url: server.address, ...(scenario.oauth && { oauth: scenario.oauth }) };
    writeFileSync(this.config, JSON.stringify({ mcpServers: { p: entry } }));
  }

  readonly verbs: Record<string, (given: Data) => unknown> = {
    login: ({ browser = "approve", exits, stderr }) => this.#login(browser, exits, stderr),
    logout: ({ exits, stderr }) => this.#run(["mcp", "logout", "p"], exits, { stderr }),
    check: ({ exits, stdout }) => this.#run(["mcp", "check"], exits, { stdout }),
    serve: async () => {
      this.gateway = new RunningProgram(this.#start(["mcp", "--config", this.config]));
      this.client = new Client({ name: "test", version: "1" });
      await this.client.connect(this.gateway as never);
    },
    call: async ({ fails }) => {
      const call = { name: "invoke_tool", arguments: { toolId: "p__look", args: {} } };
      let last: Data;
      for (let turn = 0; turn < 2500; turn++) {
        last = await this.client?.callTool(call);
        const [{ text }] = last.content;
        if (fails === undefined ? text === "seen" : last.isError && JSON.parse(text).next?.includes(fails))
          return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(JSON.stringify(last));
    },
    stderr: (line) => {
      const holds = () => this.gateway?.stderr.split("\n").includes(line) === true;
      return eventually(holds, () => String(this.gateway?.stderr));
    },
    control: (action) => this.server.control(action),
    requests: ({ endpoint, grant, count }) =>
      expect(this.server.requests(endpoint, grant)).toHaveLength(count),
    last: ({ endpoint, query }) => expect(this.server.requests(endpoint).at(-1)?.query).toMatchObject(query),
    store: ({ tokens }) => {
      const store = new CredentialStore(join(this.root, "home", ".config", "honeyguide", "credentials.json"));
      expect(store.read(this.server.address)?.tokens !== undefined).toBe(tokens);
    },
  };

  async #login(browser: Behaviour | "SIGINT" | "nobody", exits: number, line: string): Promise<void> {
    const args = ["mcp", "login", "p", "--config", this.config, "--no-browser"];
    const program = new RunningProgram(this.#start(args));
    const address = () => program.stderr.match(/^honeyguide: to sign in to `p`, open (\S+)\n/m)?.[1];
    let ended = false;
    const end = program.ended.then((code) => {
      ended = true;
      return code;
    });
    await eventually(() => ended || address() !== undefined);
    const found = address();
    if (browser === "nobody") expect(found).toBeUndefined();
    else if (browser === "SIGINT") program.signal("SIGINT");
    else await browse(String(found), browser, this.server.port);
    expect(await end, program.stderr).toBe(exits);
    await eventually(
      () => program.stderr.split("\n").includes(line),
      () => program.stderr,
    );
    expect(program.lines).toEqual([]);
    this.said.push(program.stderr);
  }

  async #run(args: string[], exits: number, wanted: { stdout?: string; stderr?: string }): Promise<void> {
    const { code, stdout, stderr } = await runProgram(this.#start([...args, "--config", this.config]));
    expect(code, stderr).toBe(exits);
    if (wanted.stderr !== undefined) expect(stderr.split("\n")).toContain(wanted.stderr);
    if (wanted.stdout !== undefined) expect(stdout).toMatch(new RegExp(wanted.stdout, "m"));
    this.said.push(stdout, stderr);
  }

  #start(args: string[]) {
    const { environment } = this.scenario;
    return { args, cwd: this.root, home: join(this.root, "home"), environment };
  }

  async dispose(): Promise<void> {
    await this.client?.close();
    await this.gateway?.close();
    this.said.push(this.gateway?.stderr ?? "");
    this.server.dispose();
    rmSync(this.root, { recursive: true, force: true });
  }
}

async function run(scenario: Data): Promise<void> {
  const server = await ProtectedServer.start({ ...scenario.server, local: true });
  const place = new Place(scenario, server);
  const literally = place.config.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  try {
    for (const step of scenario.steps as Data[]) {
      const [[verb, given]] = Object.entries<Data>(step) as [[string, Data]];
      const fill = (text: string, by: string) => JSON.parse(JSON.stringify(text).replaceAll("{config}", by));
      const filled =
        verb === "check" ? fill(given, literally.replaceAll("\\", "\\\\")) : fill(given, place.config);
      await place.verbs[verb]?.(filled);
    }
  } catch (thrown) {
    throw new Error(`${(thrown as Error).message}\n${place.gateway?.stderr ?? ""}`, { cause: thrown });
  } finally {
    await place.dispose();
  }
  expect(place.said.filter((text) => secrets.test(text))).toEqual([]);
}

describe.concurrent("signing in by the program", () => {
  for (const scenario of world.programs) {
    const skipped = "posix" in scenario && process.platform === "win32";
    it.skipIf(skipped)(scenario.name, () => run(scenario));
  }
});
