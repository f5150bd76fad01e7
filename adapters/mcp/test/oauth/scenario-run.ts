// Runs one scenario of e2e/oauth/scenarios.json: each step by its verb. Python has a twin of this file.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { usualLimits } from "../../src/oauth/guarded-fetch.js";
import { type SignInOptions, StoredSignIn, signOut } from "../../src/oauth/sign-in.js";
import { CredentialStore, type StoredServer, withTokens } from "../../src/oauth/store.js";
import { usualSurroundings } from "../../src/oauth/surroundings.js";
import { eventually } from "../scripted-server.js";
import { type Behaviour, browse } from "./browser.js";
import { type Names, ProtectedServer, TableNetwork } from "./protected-server.js";

// biome-ignore lint/suspicious/noExplicitAny: a scenario is data, and its answers are compared as such.
export type Data = any;

export interface Scenario {
  name: string;
  resolves?: Names;
  server?: Data;
  options?: Data;
  posix?: boolean;
  steps: Record<string, Data>[];
}

const caller = fileURLToPath(new URL("caller.mjs", import.meta.url));
/** How all secrets of the server begin. */
const secrets = /\b(access|refresh|code|secret)-(\d+|mine)/;

/** Runs a scenario. */
export async function runScenario(scenario: Scenario, names: Names): Promise<void> {
  const server = await ProtectedServer.start(scenario.server ?? {});
  const world = new World(scenario, names, server);
  try {
    for (const [place, step] of scenario.steps.entries()) {
      const [[verb, given] = ["", undefined]] = Object.entries(step);
      try {
        const run = world.verbs[verb];
        if (!run) throw new Error("no such verb");
        await run(given);
      } catch (thrown) {
        const told = thrown instanceof Error ? thrown.message : String(thrown);
        throw new Error(`step ${place + 1} ${JSON.stringify(step)}: ${told}`, { cause: thrown });
      }
    }
    expect(world.said.filter((text) => secrets.test(text))).toEqual([]);
  } finally {
    await world.dispose();
  }
}

type Calls = { count?: number; as?: string; fails?: string | string[]; says?: string };

class World {
  readonly root = mkdtempSync(join(tmpdir(), "honeyguide-store-"));
  readonly file = join(this.root, "honeyguide", "credentials.json");
  readonly store = new CredentialStore(this.file);
  readonly network: TableNetwork;
  readonly clients = new Map<string, Client>();
  readonly providers = new Map<string, StoredSignIn>();
  /** Everything that errors said. */
  readonly said: string[] = [];
  started: Promise<void> | undefined;
  limits = { ...usualLimits };

  constructor(
    private readonly scenario: Scenario,
    names: Names,
    private readonly server: ProtectedServer,
  ) {
    this.network = new TableNetwork({ ...names, ...scenario.resolves }, server.port);
  }

  readonly verbs: Record<string, (given: Data) => unknown> = {
    signIn: async ({ browser = "approve", count = 1, fails, says }: { browser?: Behaviour } & Calls) => {
      const provider = this.#provider({
        ...this.scenario.options,
        onAddress: (address) => browse(address, browser, this.server.port),
      });
      const connected = () => this.#settles(this.#connected(provider), fails, says);
      const clients = await Promise.all(Array.from({ length: count }, connected));
      for (const client of clients) await client?.close();
    },
    calls: (given: Calls) => this.#calls(given),
    start: ({ calls }: { calls: Calls }) => {
      this.started = this.#calls(calls);
      this.started.catch(() => undefined);
    },
    await: () => this.started,
    signOut: () => signOut(this.server.address, { store: this.file }),
    processes: async ({ count, calls }: { count: number; calls: number }) => {
      const args = [caller, this.server.address, this.file, String(calls)];
      const run = () => promisify(execFile)(process.execPath, args);
      const ends = await Promise.all(Array.from({ length: count }, run));
      for (const { stdout, stderr } of ends) this.said.push(stdout, stderr);
      expect(ends.map(({ stdout }) => stdout.trim())).toEqual(Array(count).fill(`${calls} seen`));
    },
    control: (action) => this.server.control(action),
    requests: async ({ endpoint, grant, count }) => {
      const reached = () => this.server.requests(endpoint, grant).length;
      await eventually(() => reached() >= count);
      expect(reached()).toBe(count);
    },
    last: ({ endpoint, query = {}, form = {} }) => {
      const last = this.server.requests(endpoint).at(-1);
      expect(last?.query).toMatchObject(query);
      expect(last?.form).toMatchObject(form);
    },
    dials: ({ is, has = [], lacks = [] }) => {
      const dials = [...this.network.dials].sort();
      if (is) expect(dials).toEqual([...is].sort());
      expect(has.filter((address: string) => !dials.includes(address))).toEqual([]);
      expect(lacks.filter((address: string) => dials.includes(address))).toEqual([]);
    },
    store: ({ generation, tokens, client, refresh, minted, has = {} }) => {
      const known = this.#known;
      if (generation !== undefined) expect(known?.generation).toBe(generation);
      if (tokens !== undefined) expect(known?.tokens !== undefined).toBe(tokens);
      if (client !== undefined) expect(known?.client !== undefined).toBe(client);
      if (refresh !== undefined) expect(known?.tokens?.refresh_token !== undefined).toBe(refresh);
      if (minted) expect(known?.tokens?.access_token).toBe(this.server.minted.access_token);
      expect(known ?? {}).toMatchObject(has);
    },
    mint: async () => {
      const minted = await this.server.mint();
      await this.store.update(this.server.address, (known) => withTokens(known, minted));
    },
    age: async () => {
      await this.store.update(this.server.address, (known) => {
        if (!known?.tokens) throw new Error("there are no tokens");
        return { ...known, tokens: { ...known.tokens, expires_at: 1 } };
      });
    },
    limit: (timeMs) => {
      this.limits.timeMs = timeMs;
    },
    write: (text) => {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
      writeFileSync(this.file, text, { mode: 0o600 });
    },
    text: (text) => expect(readFileSync(this.file, "utf8")).toBe(text),
    whole: (has) => expect(JSON.parse(readFileSync(this.file, "utf8"))).toMatchObject(has),
    mode: (mode) => chmodSync(this.file, Number.parseInt(mode, 8)),
    modes: ({ file, folder }) => {
      const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
      expect([modeOf(this.file), modeOf(dirname(this.file))]).toEqual([file, folder]);
    },
    left: (names) => {
      const entries = readdirSync(dirname(this.file));
      const others = entries.filter((name) => name !== "credentials.json" && !name.endsWith(".gone"));
      expect(others).toEqual(names);
    },
    abandon: async (which: "store" | "server") => {
      const hash = createHash("sha256").update(this.server.address).digest("hex").slice(0, 16);
      const lock = `${this.file}${which === "store" ? "" : `.${hash}`}.lock`;
      const { pid } = execFile(process.execPath, ["-e", ""]);
      await eventually(() => !isAlive(pid as number));
      mkdirSync(lock);
      const owner = { pid, host: hostname(), nonce: which === "store" ? "0".repeat(16) : "1".repeat(16) };
      writeFileSync(join(lock, "owner"), JSON.stringify(owner));
    },
  };

  async #calls({ count = 1, as = "a", fails, says }: Calls): Promise<void> {
    const call = async () => {
      const client = await this.#client(as);
      const { content } = await client.callTool({ name: "look", arguments: {} });
      expect(content).toEqual([{ type: "text", text: "seen" }]);
    };
    // Whether it connects is known before they all begin.
    await this.#client(as).catch(() => undefined);
    await Promise.all(Array.from({ length: count }, () => this.#settles(call(), fails, says)));
  }

  async #client(as: string): Promise<Client> {
    const present = this.clients.get(as);
    if (present) return present;
    const provider = this.providers.get(as) ?? this.#provider({});
    this.providers.set(as, provider);
    const client = await this.#connected(provider);
    client.onclose = () => this.clients.delete(as);
    this.clients.set(as, client);
    return client;
  }

  async #connected(provider: StoredSignIn): Promise<Client> {
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(this.server.address), {
      authProvider: provider,
      fetch: provider.fetch,
    });
    await client.connect(transport);
    return client;
  }

  #provider(options: SignInOptions): StoredSignIn {
    const near = (_: string | URL, init?: RequestInit) => fetch(this.server.near, init);
    const surroundings = this.server.script.local
      ? usualSurroundings
      : { ...usualSurroundings, network: this.network, limits: this.limits };
    return new StoredSignIn(this.server.address, { ...options, store: this.file }, surroundings, near);
  }

  get #known(): StoredServer | undefined {
    return this.store.read(this.server.address);
  }

  /** What comes of it; or what it fails with, which must be that. */
  async #settles<Value>(
    work: Promise<Value>,
    fails: string | string[] | undefined,
    says = "",
  ): Promise<Value | undefined> {
    const end = await work.then(
      (value) => ({ value, codes: [], said: "" }),
      (thrown: unknown) => ({ value: undefined, ...told(thrown) }),
    );
    this.said.push(end.said);
    const wanted = [fails ?? []].flat();
    if (wanted.length === 0) {
      expect(end.said).toBe("");
    } else {
      expect(end.codes, end.said || "it succeeded").toContainEqual(
        expect.stringMatching(`^(${wanted.join("|")})$`),
      );
      expect(end.said).toContain(says);
    }
    return end.value;
  }

  async dispose(): Promise<void> {
    for (const client of this.clients.values()) await client.close().catch(() => undefined);
    this.server.dispose();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The codes of an error and its causes, and all that they say. */
function told(thrown: unknown): { codes: string[]; said: string } {
  const [codes, said]: [string[], string[]] = [[], []];
  for (let each = thrown; each instanceof Error; each = each.cause) {
    codes.push(String((each as { code?: unknown }).code));
    said.push(`${each.name}: ${each.message}`);
  }
  return { codes, said: said.join("\n") };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
