// Reads a command line: which command, and its options. Knows no command's meaning.

import { parseArgs } from "node:util";
import { nearest } from "../nearest.js";
import { UsageError } from "./fault.js";
import type { help } from "./help.js";

/** What is to be done. */
export type CommandName = keyof typeof help;

/** A command line that was understood. */
export interface CommandLine {
  readonly command: CommandName;
  readonly wants: "help" | "version" | "run";
  /** The values of options that take one, in the order in which they were written. */
  readonly values: (option: string) => readonly string[];
  /** Whether an option without a value was written. */
  readonly has: (option: string) => boolean;
  /** The server that a command is about, for the commands that are about one. */
  readonly server: string;
}

type Options = Readonly<Record<string, { type: "string" | "boolean"; short?: string }>>;
const flag = { type: "boolean" } as const;
const text = { type: "string" } as const;
const common: Options = { help: { ...flag, short: "h" }, version: flag };
const optionsOf: Readonly<Record<CommandName, Options>> = {
  honeyguide: common,
  mcp: { config: text, skills: text, quiet: flag, verbose: flag, ...common },
  check: { config: text, ...common },
  import: { from: text, to: text, yes: flag, json: flag, ...common },
  login: { config: text, "no-browser": flag, "allow-host": text, ...common },
  logout: { config: text, ...common },
};

/** The commands below `mcp`; and those of them that are about one server. */
const below = ["check", "import", "login", "logout"] as const;
const aboutOne: readonly CommandName[] = ["login", "logout"];

/** Reads what stands behind the program's name. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { command, rest } = commandOf(args);
  const name = nameOf(command);
  const options = optionsOf[command];
  const values = new Map<string, string[]>();
  const servers: string[] = [];
  const { tokens } = parseArgs({
    args: [...rest],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "positional") {
      if (aboutOne.includes(command) && servers.length === 0) {
        servers.push(token.value);
        continue;
      }
      throw new UsageError(`unexpected argument \`${token.value}\`; see \`${name} --help\``);
    }
    if (token.kind === "option-terminator") continue;
    const { name: option, rawName, value } = token;
    const known = Object.hasOwn(options, option) ? options[option] : undefined;
    if (!known) {
      const near = nearest(
        rawName,
        Object.keys(options).map((each) => `--${each}`),
      );
      const hint = near === undefined ? `; see \`${name} --help\`` : `; did you mean \`${near}\`?`;
      throw new UsageError(`unknown option \`${rawName}\`${hint}`);
    }
    if (known.type === "boolean" && value !== undefined) {
      throw new UsageError(`option \`${rawName}\` takes no value`);
    }
    // What begins with a dash is the next option: a file of such a name is written with `=`.
    const isNextOption = token.inlineValue !== true && value?.startsWith("-");
    if (known.type === "string" && (value === undefined || value === "" || isNextOption)) {
      throw new UsageError(`option \`${rawName}\` needs a value`);
    }
    values.set(option, [...(values.get(option) ?? []), value ?? ""]);
  }
  const has = (option: string) => values.has(option);
  const wants = has("help") ? "help" : has("version") ? "version" : "run";
  if (command === "honeyguide" && wants === "run") {
    throw new UsageError("a command is missing; see `honeyguide --help`");
  }
  const [server] = servers;
  if (wants === "run" && server === undefined && aboutOne.includes(command)) {
    throw new UsageError(`a server is missing; see \`${name} --help\``);
  }
  return { command, wants, has, values: (option) => values.get(option) ?? [], server: server ?? "" };
}

function commandOf(args: readonly string[]): { command: CommandName; rest: readonly string[] } {
  const [first, second, ...others] = args;
  if (first === undefined || first.startsWith("-")) return { command: "honeyguide", rest: args };
  if (first !== "mcp") throw unknown(first, ["mcp"], "honeyguide");
  if (second === undefined || second.startsWith("-")) return { command: "mcp", rest: args.slice(1) };
  const command = below.find((each) => each === second);
  if (command === undefined) {
    const known = below.map((each) => `mcp ${each}`);
    throw unknown(`mcp ${second}`, known, "honeyguide mcp");
  }
  return { command, rest: others };
}

function unknown(written: string, commands: readonly string[], above: string): UsageError {
  const near = nearest(written, commands);
  const hint = near === undefined ? `; see \`${above} --help\`` : `; did you mean \`${near}\`?`;
  return new UsageError(`unknown command \`${written}\`${hint}`);
}

function nameOf(command: CommandName): string {
  return {
    honeyguide: "honeyguide",
    mcp: "honeyguide mcp",
    check: "honeyguide mcp check",
    import: "honeyguide mcp import",
    login: "honeyguide mcp login",
    logout: "honeyguide mcp logout",
  }[command];
}
