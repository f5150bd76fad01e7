// Runs one scenario of e2e/gateway/scenarios.json: each step by its verb. Python has a twin of this file.

import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { honeyguide } from "honeyguide";
import { expect } from "vitest";
import { anyResult } from "../../src/sdk.js";
import { eventually, type ScriptedServer } from "../scripted-server.js";
import { type Data, expectPart, expectText, hasPart } from "./expect-part.js";
import { Places, type Scenario } from "./places.js";
import { RunningProgram, runProgram } from "./program.js";

const here = fileURLToPath(new URL("../../../../e2e/gateway", import.meta.url));
const three = honeyguide().modelTools();

export async function runScenario(scenario: Scenario, defaults: Data): Promise<void> {
  const places = await Places.of(scenario, defaults);
  const world = new World(scenario, places);
  try {
    await world.run(scenario.before ?? []);
    if (
      scenario.steps.some(
        (step) =>
          !("run" in step || "file" in step || "backup" in step || "writeConfig" in step || "gone" in step),
      )
    )
      await world.connect();
    await world.run(scenario.steps);
    await world.finish();
  } finally {
    await world.dispose();
  }
}

interface Started {
  readonly answer: Promise<unknown>;
  readonly abort: AbortController;
  readonly progress: number[];
}

type Verbs = Record<string, (given: Data) => unknown>;

class World {
  #program: RunningProgram | undefined;
  #client: Client | undefined;
  readonly #calls = new Map<string, Started>();
  readonly #questions: Data[] = [];
  readonly #answers: Data[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(
    readonly scenario: Scenario,
    readonly places: Places,
  ) {}

  async run(steps: readonly Data[]): Promise<void> {
    for (const [place, step] of steps.entries()) {
      const [verb = "", given] = Object.entries(step)[0] ?? [];
      const run = this.verbs[verb];
      try {
        if (!run) throw new Error("no such verb");
        await run(this.places.fill(given));
      } catch (thrown) {
        const said = thrown instanceof Error ? thrown.message : String(thrown);
        throw new Error(`step ${place + 1} ${JSON.stringify(step)}: ${said}\n${this.#told()}`, {
          cause: thrown,
        });
      }
    }
  }

  async connect(): Promise<void> {
    const { scenario, places } = this;
    if (!existsSync(places.path("config.json"))) places.writeConfig(scenario);
    this.#program = new RunningProgram({
      args: places.fill(scenario.arguments ?? ["mcp", "--config", "{config}"]),
      cwd: places.cwd,
      home: places.home,
      environment: places.fill(scenario.environment ?? {}),
      noise: scenario.noise,
    });
    const { elicitation = false, protocol = "2025" } = scenario.client ?? {};
    this.#client = new Client(
      { name: "scenarios", version: "1.0.0" },
      {
        capabilities: elicitation ? { elicitation: { form: {} } } : {},
        ...(protocol !== "2025" && { versionNegotiation: { mode: { pin: protocol } } }),
      },
    );
    if (elicitation)
      this.#client.setRequestHandler("elicitation/create", ({ params }) => this.#answer(params));
    await this.#client.connect(this.#program as never);
  }

  /** What holds after every scenario. */
  async finish(): Promise<void> {
    if (!this.#program) return;
    await this.#program.close();
    for (const line of this.#program.lines) expect(JSON.parse(line), line).toMatchObject({ jsonrpc: "2.0" });
    await this.#gone();
  }

  async dispose(): Promise<void> {
    this.#program?.signal("SIGKILL");
    await this.places.dispose();
  }

  readonly verbs: Verbs = {
    about: ({ has }) => {
      const client = this.client;
      const server = client.getServerVersion();
      const about = {
        server,
        capabilities: client.getServerCapabilities(),
        instructions: client.getInstructions(),
      };
      expectPart(about, has);
    },
    tools: async () => {
      const listed = [await this.client.listTools(), await this.client.listTools()];
      for (const { tools } of listed) expect(JSON.stringify(tools)).toBe(JSON.stringify(three));
      const lines = this.program.lines.filter((line) => line.includes('"tools":['));
      const bytes = lines.map((line) => line.replace(/"id":\d+/, ""));
      expect(new Set(bytes).size).toBe(1);
    },
    ready: async (ids: string[]) => {
      for (const id of ids) await this.#until(() => this.#finds(id), `${id} is found`);
    },
    lost: (id) => this.#until(async () => !(await this.#finds(id)), `${id} is not found`),
    search: async ({ has, ...args }) => {
      let last: Data;
      const holds = async () => {
        last = readReply(await this.#call("search_capabilities", args));
        return hasPart(last, has);
      };
      await this.#until(holds, "the search").catch(() => expectPart(last, has));
    },
    call: ({ name, arguments: args, ...expected }) => this.#expectCall(this.#call(name, args), expected),
    invoke: ({ tool, args, ...expected }) =>
      this.#expectCall(this.#call("invoke_tool", { toolId: tool, args }, {}, expected.raw), expected),
    many: async ({ tool, times }) => {
      const all = Array.from({ length: times }, (_, n) =>
        this.#call("invoke_tool", { toolId: tool, args: { n } }),
      );
      const texts = (await Promise.all(all)).map(({ content }) => content[0].text);
      expect(texts).toEqual(Array.from({ length: times }, (_, n) => JSON.stringify({ n })));
    },
    send: (line) => this.program.write(line),
    start: ({ as, tool, args, progress: isHeard }) => {
      const abort = new AbortController();
      const progress: number[] = [];
      const onprogress = isHeard && { onprogress: (heard: Data) => progress.push(heard.progress) };
      const answer = this.#call(
        "invoke_tool",
        { toolId: tool, args },
        { signal: abort.signal, ...onprogress },
      );
      answer.catch(() => undefined);
      this.#calls.set(as, { answer, abort, progress });
    },
    await: ({ as, ...expected }) => this.#expectCall(this.#started(as).answer, expected),
    abort: (as) => this.#started(as).abort.abort(new Error("changed my mind")),
    progress: ({ as, gives }) => this.#comesTo(() => this.#started(as).progress, gives),
    answer: (answer) => {
      this.#answers.push(answer);
      for (const wake of this.#waiting.splice(0)) wake();
    },
    asked: (count) => this.#comesTo(() => this.#questions.length, count),
    question: ({ is, contains, lacks, longest, lines, schema }) => {
      const { message, requestedSchema } = this.#questions.at(-1) ?? {};
      if (is !== undefined) expect(message).toBe(is);
      expectText(message, { contains, lacks });
      if (longest !== undefined) expect(Array.from(message).length).toBeLessThanOrEqual(longest);
      if (lines !== undefined) expect(message.split(/[\r\n\u2028\u2029]/)).toHaveLength(lines);
      if (schema !== undefined) expect(requestedSchema).toEqual(schema);
    },
    reached: async ({ server, tool, count, arguments: args }) => {
      const calls = () =>
        this.#server(server)
          .messages("tools/call")
          .filter(({ params }) => params?.["name"] === tool);
      await this.#comesTo(() => calls().length, count);
      if (args !== undefined) expect(calls().at(-1)?.params?.["arguments"]).toEqual(args);
    },
    seen: ({ server, method, count }) =>
      this.#comesTo(() => this.#server(server).messages(method).length, count),
    cancelled: ({ server, method }) => {
      const of = this.#server(server);
      const named = () => of.messages("notifications/cancelled").map(({ params }) => params?.["requestId"]);
      return this.#comesTo(named, [of.messages(method).at(-1)?.id]);
    },
    control: ({ server, ...action }) => this.#server(server).control(action),
    kill: ({ server }) => this.#server(server).kill(),
    stderr: async ({ contains = [], lacks = [] }) => {
      await this.#until(
        () => contains.every((text: string) => this.program.stderr.includes(text)),
        "it is said",
      );
      expectText(this.program.stderr, { lacks });
    },
    write: ({ path, text, json }) => this.places.write(path, text ?? json),
    file: ({ path, text, json, contains, lacks, mode, absent }) => {
      const file = this.places.path(path);
      if (absent) return expect(existsSync(file)).toBe(false);
      const found = readFileSync(file, "utf8");
      if (text !== undefined) expect(found).toBe(text);
      if (json !== undefined) expect(JSON.parse(found)).toEqual(json);
      expectText(found, { contains, lacks });
      if (mode !== undefined && process.platform !== "win32") expect(modeOf(file)).toBe(mode);
    },
    backup: ({ of, contains, lacks, mode }) => {
      const file = this.places.path(of);
      const pattern = new RegExp(`^${basename(file).replaceAll(".", "\\.")}\\.bak-\\d{8}T\\d{6}Z$`);
      const found = readdirSync(dirname(file)).filter((name) => pattern.test(name));
      expect(found).toHaveLength(1);
      const path = join(dirname(file), found[0] ?? "");
      expectText(readFileSync(path, "utf8"), { contains, lacks });
      if (process.platform !== "win32") expect(modeOf(path)).toBe(mode);
    },
    writeConfig: () => this.places.writeConfig(this.scenario),
    signal: (signal) => this.program.signal(signal),
    closeInput: () => this.program.closeInput(),
    closeOutput: () => this.program.closeOutput(),
    exits: async (code) => expect(await this.program.ended).toBe(code),
    gone: () => this.#gone(),
    run: async ({ arguments: args, exits, stdout, stderr, json, file }) => {
      const { cwd, home } = this.places;
      const environment = this.places.fill(this.scenario.environment ?? {});
      const done = await runProgram({ args, cwd, home, environment });
      const told = JSON.stringify(done);
      expect(done.code, told).toBe(exits);
      for (const [said, expected] of [
        [done.stdout, stdout],
        [done.stderr, stderr],
      ] as const) {
        if (typeof expected === "string") expect(said, told).toBe(expected);
        else if (expected) expectText(said, expected, told);
      }
      if (json !== undefined) expectPart(JSON.parse(done.stdout), json);
      if (file !== undefined) expect(done.stdout).toBe(readFileSync(join(here, file), "utf8"));
    },
  };

  get client(): Client {
    if (!this.#client) throw new Error("there is no connection");
    return this.#client;
  }

  get program(): RunningProgram {
    if (!this.#program) throw new Error("there is no program");
    return this.#program;
  }

  #server(name: string): ScriptedServer {
    const server = this.places.servers.get(name);
    if (!server) throw new Error(`no server ${name}`);
    return server;
  }

  #started(as: string): Started {
    const started = this.#calls.get(as);
    if (!started) throw new Error(`no call ${as}`);
    return started;
  }

  #call(name: string, args: unknown, options: object = {}, isRaw = false): Promise<Data> {
    const params = { name, arguments: args as Record<string, unknown> };
    // Its own timer must not end what waits for a person.
    const patient = { timeout: 2 ** 31 - 1, ...options };
    if (isRaw) return this.client.request({ method: "tools/call", params }, anyResult as never, patient);
    return this.client.callTool(params, patient);
  }

  async #expectCall(answer: Promise<Data>, { gives, has, json, fails }: Data): Promise<void> {
    if (fails) {
      await expect(answer).rejects.toThrow();
      return;
    }
    const result = await answer;
    if (gives !== undefined) expect(result).toEqual(gives);
    if (has !== undefined) expectPart(result, has);
    if (json !== undefined) expectPart(readReply(result), json);
  }

  /** Whether a search by its id finds a tool that is there. */
  async #finds(id: string): Promise<boolean> {
    const found = readReply(await this.#call("search_capabilities", { query: `\`${id}\``, topKTools: 50 }));
    const hits: Data[] = found.tools.groups.flatMap((group: Data) => group.hits);
    return hits.some(({ toolId, unavailable }) => toolId === id && unavailable !== true);
  }

  async #answer(params: Data): Promise<Data> {
    this.#questions.push(params);
    while (this.#answers.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const answer = this.#answers.shift();
    if (answer.fails) throw new Error("nobody can be asked");
    return answer;
  }

  async #gone(): Promise<void> {
    for (const server of this.places.servers.values()) {
      if (
        this.scenario.over &&
        [...this.places.servers].some(([name, one]) => one === server && this.scenario.over?.[name])
      )
        continue;
      await eventually(
        () => server.running.length === 0,
        () => JSON.stringify(server.running),
      );
    }
  }

  async #comesTo(observe: () => unknown, expected: unknown): Promise<void> {
    const holds = () => JSON.stringify(observe()) === JSON.stringify(expected);
    await eventually(holds).catch(() => expect(observe()).toEqual(expected));
  }

  async #until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (let turn = 0; turn < 5000; turn++) {
      if (await holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`it did not come to hold: ${what}`);
  }

  #told(): string {
    const logs = [...this.places.servers].map(([name, server]) => [
      name,
      server.log().map(({ params: _, ...entry }) => entry),
    ]);
    return JSON.stringify({ stderr: this.#program?.stderr, questions: this.#questions, logs });
  }
}

/** The reply of core that stands in a result as text. */
function readReply({ content, structuredContent }: Data): Data {
  expect(structuredContent).toBeUndefined();
  expect(content).toHaveLength(1);
  return JSON.parse(content[0].text);
}

function modeOf(file: string): string {
  return (lstatSync(file).mode & 0o777).toString(8);
}
