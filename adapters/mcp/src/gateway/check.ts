// Connects to every server of a configuration once, and says how each does. Serves nothing.

import { honeyguide } from "honeyguide";
import type { McpServerConfig } from "../config.js";
import { registerMcpServers } from "../config.js";
import { faultOfFolder, settingsFor } from "./catalog.js";
import type { Configuration } from "./configuration.js";
import { Log } from "./log.js";
import { loadOfficial } from "./official.js";
import { idleRules } from "./rules.js";
import { SignIns } from "./sign-ins.js";
import { table } from "./table.js";

/** Prints a table; answers the code to end with. */
export async function check(configuration: Configuration): Promise<number> {
  await loadOfficial();
  const { servers } = configuration;
  const progress = new Progress(servers.size);
  const signIns = new SignIns(configuration);
  const rows = await Promise.all(
    Array.from(servers, async ([name, written]) => {
      const row = await tryOne(name, written, configuration, signIns);
      progress.step();
      return row;
    }),
  );
  progress.end();
  const cells = rows.map(({ name, state, tools, ms, words }) => [name, state, String(tools), ms, words]);
  process.stdout.write(table(["server", "state", "tools", "ms", "what to know"], cells));
  const faults = await Promise.all(configuration.skills.map(faultOfFolder));
  const missing = [
    ...rows.flatMap(({ idle = [] }) => idle),
    ...faults.filter((fault) => fault !== undefined),
  ];
  for (const fault of missing) new Log("normal").warn(fault);
  return missing.length === 0 && rows.every(({ state }) => state === "ready" || state === "disabled") ? 0 : 1;
}

interface Row {
  readonly name: string;
  readonly state: string;
  readonly tools: number;
  readonly ms: string;
  readonly words: string;
  /** Rules for tools that it does not list. */
  readonly idle?: readonly string[];
}

async function tryOne(
  name: string,
  written: McpServerConfig,
  configuration: Configuration,
  signIns: SignIns,
): Promise<Row> {
  const row = { name, tools: 0, ms: "-", words: "" };
  if (written?.disabled === true) return { ...row, state: "disabled" };
  const began = performance.now();
  const hg = honeyguide();
  const one = await registerMcpServers(
    hg,
    { mcpServers: { [name]: written } },
    { waitMs: 0, credentials: signIns.credentials, each: { [name]: settingsFor(name, configuration) } },
  );
  const [fault] = Object.values(one.errors);
  if (fault) return { ...row, state: "unusable", words: fault.message };
  await one.settled();
  const ms = String(Math.round(performance.now() - began));
  const [server] = Object.values(one.servers);
  const status = server?.status;
  const notes = server?.diagnostics.map(({ message }) => message) ?? [];
  const idle = status?.state === "ready" ? idleRules(name, hg.tools.list(), configuration) : [];
  await one.close();
  if (!status) return { ...row, state: "unusable", ms };
  const { state, tools, error = "" } = status;
  const words =
    state === "needs_auth"
      ? `it needs credentials: ${signIns.hint(name)}`
      : state === "ready"
        ? notes.join("; ")
        : error;
  return { name, state, tools, ms, words, idle };
}

/** How far it is, for a person who waits at a terminal. */
class Progress {
  #done = 0;

  constructor(private readonly all: number) {}

  step(): void {
    this.#done++;
    this.#write(`\r${this.#done} of ${this.all} servers`);
  }

  end(): void {
    this.#write("\r\u001b[K");
  }

  #write(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(text);
  }
}
