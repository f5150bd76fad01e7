// Runs one scenario of e2e/mcp/scenarios.json: each step by its verb. Python has a twin of this file.

import { honeyguide, type SearchResult } from "honeyguide";
import { expect } from "vitest";
import type { McpSdk } from "../src/index.js";
import { startServer } from "../src/register.js";
import type { RunningServer } from "../src/server.js";
import { ManualClock } from "./manual-clock.js";
import { eventually, ScriptedServer } from "./scripted-server.js";

// biome-ignore lint/suspicious/noExplicitAny: a scenario is data, and its answers are compared as such.
export type Data = any;

export interface Scenario {
  name: string;
  over?: string[];
  server?: Data;
  options?: Data;
  steps: Record<string, Data>[];
}

/** Runs a scenario over one door. */
export async function runScenario(
  scenario: Scenario,
  defaults: Data,
  door: string,
  sdk: McpSdk,
): Promise<void> {
  const world = await World.of(scenario, defaults, door, sdk);
  try {
    for (const [place, step] of scenario.steps.entries()) {
      if (step["over"] !== undefined && step["over"] !== door) continue;
      const verb = Object.keys(step).find((key) => key in world.verbs) ?? "";
      try {
        if (verb === "") throw new Error("no such verb");
        await world.verbs[verb]?.(step[verb], step);
      } catch (thrown) {
        const said = thrown instanceof Error ? thrown.message : String(thrown);
        throw new Error(`step ${place + 1} ${JSON.stringify(step)}: ${said}\n${world.told()}`, {
          cause: thrown,
        });
      }
    }
  } finally {
    await world.dispose();
  }
}

type Verbs = Record<string, (given: Data, step: Data) => unknown>;

class World {
  readonly hg = honeyguide();
  readonly clock = new ManualClock();
  readonly calls = new Map<string, { answer: Promise<unknown>; abort: AbortController }>();
  handle!: RunningServer;
  connecting: Promise<void> | undefined;
  heard = 0;
  noticed = 0;

  private constructor(
    readonly server: ScriptedServer,
    readonly door: string,
  ) {}

  static async of({ server, options }: Scenario, defaults: Data, door: string, sdk: McpSdk): Promise<World> {
    const scripted = new ScriptedServer({ ...defaults, ...server });
    const world = new World(scripted, door);
    const reached = door === "stdio" ? scripted.command : { url: await scripted.listen() };
    world.handle = startServer(world.hg, {
      ...reached,
      ...options,
      name: "s",
      sdk: { ...sdk, Client: counting(sdk.Client, () => world.noticed++) },
      clock: world.clock,
      onProgress: () => world.heard++,
    });
    return world;
  }

  readonly verbs: Verbs = {
    connect: async (given) => {
      const failed = await settles(this.handle.connect(), given ?? {}, () => "connected");
      if (failed && given.then !== "stays") await this.handle.close();
    },
    connecting: () => {
      this.connecting = this.handle.connect();
      this.connecting.catch(() => undefined);
    },
    connected: (given) => settles(this.connecting as Promise<void>, given, () => "connected"),
    refresh: (given) => settles(this.handle.refresh(), given ?? {}, () => "refreshed"),
    close: () => this.handle.close(),
    accept: ({ tools, gives }) => expect(this.handle.accept(tools)).toEqual(gives),
    tools: (names: string[]) => {
      const present = () =>
        this.hg.tools
          .list()
          .map(({ id }) => id.replace(/^s__/, ""))
          .sort();
      return this.#comesTo(present, [...names].sort());
    },
    count: (size) => this.#comesTo(() => this.hg.tools.size, size),
    get: ({ id, has }) => this.#matches(() => this.hg.tools.get(id), has),
    lacks: ({ id, fields }) => {
      const present = Object.keys(this.hg.tools.get(id) ?? {});
      expect(present.filter((field) => fields.includes(field))).toEqual([]);
    },
    instructions: (text) => expect(this.handle.serverInstructions).toBe(text),
    status: (has) => this.#matches(() => this.handle.status, has),
    state: async (state, { touch }) => {
      // Over HTTP nothing but a call shows that a server is gone.
      if (touch) await this.hg.tools.invoke(`s__${touch}`, {}).catch(() => undefined);
      await this.#comesTo(() => this.handle.status.state, state);
    },
    diagnostics: (codes) => this.#comesTo(() => this.handle.diagnostics.map(({ code }) => code), codes),
    changed: ({ tool }) => {
      const found = this.handle.diagnostics.find(
        (one) => one.code === "definition_changed" && one.tool === tool,
      );
      expect(found?.oldDigest).toMatch(/^[0-9a-f]{64}$/);
      expect(found?.newDigest).toMatch(/^[0-9a-f]{64}$/);
      expect(found?.newDigest).not.toBe(found?.oldDigest);
    },
    recall: async ({ query, server, first, unavailable }) => {
      const found = (await this.hg.recall(query)) as SearchResult;
      const [group] = found.tools.groups;
      if (server) expect(group?.server).toEqual(server);
      if (first) expect(group?.hits[0]?.toolId).toBe(first);
      if (unavailable) expect(group?.hits[0]).toMatchObject({ unavailable: true });
    },
    call: async (given) => {
      const answer = this.#invoke(given.tool, given.args, undefined);
      if (given.forModel) expect(this.hg.forModel(await answer)).toEqual(given.forModel);
      else await settles(answer, given, (value) => value);
    },
    calls: async ({ tool, times, gives }) => {
      const answers = Array.from({ length: times }, () => this.#invoke(tool, {}, undefined));
      for (const answer of await Promise.all(answers)) expect(answer).toEqual(gives);
    },
    start: ({ as, tool, args }) => {
      const abort = new AbortController();
      const answer = this.#invoke(tool, args, abort.signal);
      answer.catch(() => undefined);
      this.calls.set(as, { answer, abort });
    },
    await: (given) => settles(this.calls.get(given.as)?.answer as Promise<unknown>, given, (value) => value),
    abort: (as) => this.calls.get(as)?.abort.abort(new Error("changed my mind")),
    heard: (count) => this.#comesTo(() => this.heard, count),
    advance: (milliseconds) => this.clock.advance(milliseconds),
    timers: (count) => this.#comesTo(() => this.clock.waiting, count),
    seen: ({ method, count }) => this.#comesTo(() => this.server.messages(method).length, count),
    notices: (count) => this.#comesTo(() => this.noticed, count),
    digest: ({ tool, is }) => expect(this.handle.digests[tool]).toBe(is),
    event: ({ event, count }) =>
      eventually(() => (count ? this.server.log(event).length === count : this.server.log(event).length > 0)),
    cancelled: (method) => {
      const named = () =>
        this.server.messages("notifications/cancelled").map(({ params }) => params?.["requestId"]);
      return this.#comesTo(named, [this.server.messages(method).at(-1)?.id]);
    },
    control: (action) => this.server.control(action),
    kill: () => this.server.kill(),
    restart: () => this.server.listen(),
    outage: ({ minutes, most }) => this.#outage(minutes * 60_000, most),
    environment: ({ has, only }) => {
      const environment = this.server.log("start")[0]?.environment ?? {};
      expect(environment).toMatchObject(has);
      expect(Object.keys(environment).filter((name) => !only.includes(name))).toEqual([]);
    },
    gone: () => this.#comesTo(() => this.server.running, []),
  };

  /** Lets an outage pass, from one attempt to the next, and counts them. */
  async #outage(milliseconds: number, most: number): Promise<void> {
    let left = milliseconds;
    let attempts = 0;
    for (;;) {
      await eventually(() => this.clock.waiting === 1 && this.handle.status.state === "waiting");
      const delay = this.clock.untilNext;
      if (delay > left) break;
      left -= delay;
      const before = this.handle.status.failures;
      this.clock.advance(delay);
      await eventually(() => this.handle.status.failures > before);
      attempts++;
    }
    expect(attempts).toBeGreaterThan(5);
    expect(attempts).toBeLessThanOrEqual(most);
  }

  #invoke(tool: string, args: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    return this.hg.tools.invoke(`s__${tool}`, args, { signal });
  }

  async #comesTo(observe: () => unknown, expected: unknown): Promise<void> {
    const text = JSON.stringify(expected);
    const observed = () => JSON.stringify(observe());
    await eventually(() => observed() === text, observed).catch(() => expect(observe()).toEqual(expected));
  }

  async #matches(observe: () => unknown, has: object): Promise<void> {
    const holds = () => {
      try {
        expect(observe()).toMatchObject(has);
        return true;
      } catch {
        return false;
      }
    };
    await eventually(holds).catch(() => expect(observe()).toMatchObject(has));
  }

  told(): string {
    const { status, diagnostics } = this.handle;
    return JSON.stringify({
      status,
      diagnostics,
      log: this.server.log().map(({ params: _, ...entry }) => entry),
    });
  }

  async dispose(): Promise<void> {
    await this.handle.close();
    await this.server.dispose();
  }
}

/** Waits for an answer and compares it, or what was thrown; answers whether it failed. */
async function settles(
  work: Promise<unknown>,
  given: Data,
  read: (value: unknown) => unknown,
): Promise<boolean> {
  const settled = await work.then(
    (value) => ({ value: read(value) }),
    (thrown: Data) => ({ thrown }),
  );
  if (given.fails === undefined) {
    if ("thrown" in settled) throw settled.thrown;
    if (given.gives !== undefined) expect(settled.value).toEqual(given.gives);
    return false;
  }
  if (!("thrown" in settled)) throw new Error(`it gave ${JSON.stringify(settled.value)}`);
  const { thrown } = settled;
  expect(thrown.kind ?? thrown.code ?? thrown, String(thrown.stack)).toBe(given.fails);
  if (given.retryable !== undefined) expect(thrown.details.retryable).toBe(given.retryable);
  if (given.says !== undefined) expect(thrown.message).toContain(given.says);
  return true;
}

/** A client that tells of each notice before it is dealt with. */
function counting(Client: McpSdk["Client"], tell: () => void): McpSdk["Client"] {
  return class extends Client {
    constructor(...parts: Data[]) {
      super(...parts);
      let handler: Data;
      Object.defineProperty(this, "fallbackNotificationHandler", {
        get: () => handler,
        set: (given) => {
          handler = (notice: Data) => {
            tell();
            return given(notice);
          };
        },
      });
    }
  };
}
