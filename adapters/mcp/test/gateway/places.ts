// The files and names of one scenario: its folders, its scripted servers, its placeholders. Knows no step.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };
import { ScriptedServer } from "../scripted-server.js";
import type { Data } from "./expect-part.js";

const server = fileURLToPath(new URL("../../../../e2e/mcp/server.mjs", import.meta.url));
const mac = process.platform === "darwin";
const config = mac ? "~/Library/Application Support" : "~/.config";

export interface Scenario {
  name: string;
  servers?: Data;
  over?: Record<string, string>;
  config?: Data;
  configText?: string;
  files?: Record<string, Data>;
  links?: Record<string, string>;
  arguments?: string[];
  environment?: Record<string, string>;
  client?: { elicitation?: boolean; protocol?: string };
  noise?: boolean;
  posix?: boolean;
  before?: Data[];
  steps: Data[];
}

export class Places {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "honeyguide-gateway-")));
  readonly cwd = join(this.root, "work");
  readonly home = join(this.root, "home");
  readonly servers = new Map<string, ScriptedServer>();
  readonly #words: Record<string, string>;

  private constructor(scenario: Scenario, defaults: Data) {
    mkdirSync(this.cwd);
    mkdirSync(this.home);
    for (const [name, script] of Object.entries<Data>(scenario.servers ?? { s: {} })) {
      this.servers.set(name, new ScriptedServer({ ...defaults.server, ...script }));
    }
    this.#words = {
      config: join(this.cwd, "config.json"),
      cwd: this.cwd,
      home: this.home,
      node: process.execPath,
      server,
      version: manifest.version,
      "launcher:command": "npx",
      "claude-desktop": `${config}/Claude/claude_desktop_config.json`,
      "vscode-user": `${config}/Code/User/mcp.json`,
    };
    for (const [name, { directory }] of this.servers) this.#words[`dir:${name}`] = directory;
  }

  static async of(scenario: Scenario, defaults: Data): Promise<Places> {
    const places = new Places(scenario, defaults);
    for (const name of Object.keys(scenario.over ?? {})) {
      places.#words[`url:${name}`] = (await places.servers.get(name)?.listen()) ?? "";
    }
    for (const [path, content] of Object.entries(scenario.files ?? {}))
      places.write(places.fill(path), content);
    for (const [path, to] of Object.entries(scenario.links ?? {})) symlinkSync(to, places.path(path));
    return places;
  }

  /** Writes the configuration, when the scenario has one. */
  writeConfig({ config, configText, over = {}, servers = { s: {} } }: Scenario): void {
    const own = Object.keys(servers).map((name): [string, Data] => [
      name,
      over[name] === "http"
        ? { url: `{url:${name}}` }
        : { command: "{node}", args: ["{server}", "stdio", `{dir:${name}}`] },
    ]);
    const mcpServers = { ...Object.fromEntries(own), ...config?.mcpServers };
    this.write("config.json", configText ?? { ...config, mcpServers });
  }

  /** A path of a scenario as one of this machine. */
  path(path: string): string {
    return path.startsWith("~/") ? join(this.home, path.slice(2)) : join(this.cwd, path);
  }

  write(path: string, content: Data): void {
    const file = this.path(path);
    mkdirSync(dirname(file), { recursive: true });
    const filled = this.fill(content);
    writeFileSync(file, typeof filled === "string" ? filled : JSON.stringify(filled));
  }

  /** The value with every placeholder filled in; `guard` is done to what is put in. */
  fill<Value>(value: Value, guard = (text: string) => text): Value {
    const walk = (part: unknown): unknown => {
      if (typeof part === "string") {
        return part.replace(/\{([a-z-]+(?::[a-z]+)?)\}/g, (whole, name) => {
          const word = this.#words[name];
          return word === undefined ? whole : guard(word);
        });
      }
      if (Array.isArray(part)) return part.map(walk);
      if (typeof part !== "object" || part === null) return part;
      return Object.fromEntries(
        Object.entries(part).map(([key, each]) => [
          walk(key),
          key === "matches" ? this.#pattern(each) : walk(each),
        ]),
      );
    };
    return walk(value) as Value;
  }

  #pattern(patterns: unknown): unknown {
    const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return this.fill({ patterns }, literally).patterns;
  }

  async dispose(): Promise<void> {
    for (const each of this.servers.values()) await each.dispose();
    rmSync(this.root, { recursive: true, force: true });
  }
}
