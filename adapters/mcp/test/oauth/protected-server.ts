// The server of e2e/oauth as a test deals with it: its directory, its log, its control file, and a network that leads to it.
// Knows no scenario.

import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Network, Target } from "../../src/oauth/network.js";
import { eventually } from "../scripted-server.js";

const program = fileURLToPath(new URL("../../../../e2e/oauth/server.mjs", import.meta.url));

export interface Logged {
  event: string;
  endpoint?: string;
  place?: number;
  query?: Record<string, string>;
  form?: Record<string, string>;
}

export class ProtectedServer {
  readonly directory = mkdtempSync(join(tmpdir(), "honeyguide-oauth-"));
  readonly #child: ChildProcess;
  #actions = 0;

  private constructor(readonly script: { local?: boolean }) {
    writeFileSync(join(this.directory, "script.json"), JSON.stringify(script));
    this.#child = spawn(process.execPath, [program, this.directory], {
      stdio: ["pipe", "inherit", "inherit"],
    });
  }

  static async start(script: object): Promise<ProtectedServer> {
    const server = new ProtectedServer(script);
    await eventually(() => existsSync(join(server.directory, "port")));
    return server;
  }

  get port(): number {
    return Number(readFileSync(join(this.directory, "port"), "utf8"));
  }

  /** The address of the MCP server, as a client has it. */
  get address(): string {
    return this.script.local ? this.near : "https://mcp.example/mcp";
  }

  /** Where it really is. */
  get near(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  requests(endpoint: string, grant?: string): Logged[] {
    return this.#log().filter(
      (entry) => entry.endpoint === endpoint && (grant === undefined || entry.form?.["grant_type"] === grant),
    );
  }

  async control(action: object): Promise<void> {
    appendFileSync(join(this.directory, "control.jsonl"), `${JSON.stringify(action)}\n`);
    const place = ++this.#actions;
    await eventually(() => this.#log().some((entry) => entry.event === "done" && entry.place === place));
  }

  /** Tokens as if somebody else had signed in. */
  async mint(): Promise<{ access_token: string; refresh_token: string; token_type: string }> {
    await this.control({ do: "mint" });
    return this.minted;
  }

  get minted() {
    return JSON.parse(readFileSync(join(this.directory, "minted.json"), "utf8"));
  }

  dispose(): void {
    this.#child.kill("SIGKILL");
    rmSync(this.directory, { recursive: true, force: true });
  }

  #log(): Logged[] {
    const file = join(this.directory, "log.jsonl");
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    // The last line may be half written.
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }
}

/** What names lead to: one answer, or one after the other. */
export type Names = Record<string, string[] | string[][]>;

/** Names lead where a table says, and every connection to the server. */
export class TableNetwork implements Network {
  /** The addresses that were connected to. */
  readonly dials = new Set<string>();
  readonly #asked = new Map<string, number>();

  constructor(
    private readonly names: Names,
    private readonly port: number,
  ) {}

  async resolve(host: string): Promise<readonly string[]> {
    const answers = this.names[host];
    if (!answers) throw new Error(`no such name: ${host}`);
    const turn = this.#asked.get(host) ?? 0;
    this.#asked.set(host, turn + 1);
    const answer = Array.isArray(answers[0]) ? answers[Math.min(turn, answers.length - 1)] : answers;
    return answer as string[];
  }

  async connect({ addresses, signal }: Target): Promise<Socket> {
    for (const address of addresses) this.dials.add(address);
    const socket = connectPlain(this.port, "127.0.0.1");
    signal.addEventListener("abort", () => socket.destroy(), { once: true });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return socket;
  }
}
