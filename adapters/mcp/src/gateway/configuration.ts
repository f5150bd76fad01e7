// The configurations of a command line, read and merged: which servers, which skills, which settings. Dials nothing.

import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { McpServerConfig } from "../config.js";
import { expand } from "../expand.js";
import { nearest } from "../nearest.js";
import { UsageError } from "./fault.js";
import { at, isObject, parseJson, readText } from "./json-file.js";
import { checkSecond, checkTop, oddKeys } from "./keys.js";
import { type GatewaySettings, readSettings, serverOf } from "./settings.js";

/** Everything that the files say. */
export interface Configuration extends Omit<GatewaySettings, "skills"> {
  /** By name, as they are written. */
  readonly servers: ReadonlyMap<string, McpServerConfig>;
  /** The file that a server stands in, as the command line names it. */
  readonly origin: ReadonlyMap<string, string>;
  /** Folders of skills, absolute. */
  readonly skills: readonly string[];
  /** What is likely to be a mistake, and ends nothing. */
  readonly warnings: readonly string[];
}

/** Where paths start from. */
export interface Whereabouts {
  readonly cwd: string;
  readonly home: string;
}

/** Where this program runs, for whom. */
export function whereabouts(): Whereabouts {
  return { cwd: process.cwd(), home: homedir() };
}

/** Reads the files in their order; throws a `UsageError` that says what to mend. */
export function readConfiguration(
  files: readonly string[],
  skills: readonly string[],
  here: Whereabouts,
): Configuration {
  const read = files.map((file) => readOne(file, here));
  const servers = new Map<string, McpServerConfig>();
  const origin = new Map<string, string>();
  for (const { file, entries } of read) {
    for (const [name, entry] of entries) {
      const other = origin.get(name);
      if (other !== undefined) {
        const both = other === file ? `twice in ${file}` : `in ${other} and in ${file}`;
        throw new UsageError(`server \`${name}\` stands ${both}; rename one of them`);
      }
      origin.set(name, file);
      servers.set(name, entry as McpServerConfig);
    }
  }
  for (const { file, settings } of read) checkServers(file, settings, [...servers.keys()]);
  const all = read.map(({ settings }) => settings);
  const one = <Name extends "onChange" | "maxResultChars">(name: Name) =>
    theOne(
      name,
      read.map(({ file, settings }) => ({ file, value: settings[name] })),
    );
  const ask = theOne(
    "approval.ask",
    read.map(({ file, settings }) => ({ file, value: settings.approval.ask })),
  );
  const [onChange, maxResultChars] = [one("onChange"), one("maxResultChars")];
  return {
    servers,
    origin,
    skills: [
      ...read.flatMap(({ file, folder, settings }) =>
        settings.skills.map((path) => resolveFrom(folder, expanded(file, path), here)),
      ),
      ...skills.map((path) => resolveFrom(here.cwd, path, here)),
    ],
    approval: {
      ...(ask !== undefined && { ask }),
      always: all.flatMap(({ approval }) => approval.always),
      never: all.flatMap(({ approval }) => approval.never),
    },
    ...(onChange !== undefined && { onChange }),
    ...(maxResultChars !== undefined && { maxResultChars }),
    tools: mergedTools(read),
    warnings: Array.from(servers, ([name, entry]) => oddKeys(name, entry)).flat(),
  };
}

interface OneFile {
  readonly file: string;
  /** What its paths are relative to. */
  readonly folder: string;
  readonly entries: readonly (readonly [string, unknown])[];
  readonly settings: GatewaySettings;
}

function readOne(file: string, here: Whereabouts): OneFile {
  const path = resolveFrom(here.cwd, file, here);
  const read = readText(path);
  if ("fault" in read) throw new UsageError(`${file}: ${read.fault.message}`);
  const parsed = parseJson(read.text);
  if ("fault" in parsed) throw new UsageError(`${at(file, parsed.fault)}: ${parsed.fault.message}`);
  const { value, second } = parsed;
  if (!isObject(value)) throw new UsageError(`${file}: it is no object`);
  checkTop(file, value);
  checkSecond(file, second);
  const settings = readSettings(file, value["honeyguide"]);
  const groups = ["mcpServers", "servers"].filter((key) => value[key] !== undefined);
  if (groups.length === 0 && settings.skills.length === 0) {
    throw new UsageError(
      `${file}: it names no servers (\`mcpServers\` or \`servers\`) and no skills (\`honeyguide.skills\`)`,
    );
  }
  const entries = groups.flatMap((key) => {
    const group = value[key];
    if (!isObject(group)) throw new UsageError(`${file}: \`${key}\` is no object`);
    return Object.entries(group);
  });
  return { file, folder: dirname(path), entries, settings };
}

/** A folder of skills with its variables put in. */
function expanded(file: string, path: string): string {
  const { value, missing } = expand(path, process.env);
  const [first] = missing;
  if (!first) return value;
  throw new UsageError(`${file}: honeyguide.skills: a variable has no value: \`${first.variable}\``);
}

function resolveFrom(folder: string, path: string, { home }: Whereabouts): string {
  if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
  return resolve(folder, path);
}

/** A rule for a server that is not there is a rule that was meant for another one. */
function checkServers(file: string, { approval, tools }: GatewaySettings, names: readonly string[]): void {
  const check = (place: string, pattern: string, subject: string) => {
    const server = serverOf(pattern);
    if (names.includes(server)) return;
    const near = nearest(server, names);
    const hint = near === undefined ? "" : `; did you mean \`${near}\`?`;
    throw new UsageError(
      `${file}: honeyguide.${place}: ${subject} is of no server of the configuration${hint}`,
    );
  };
  for (const kind of ["always", "never"] as const) {
    for (const pattern of approval[kind]) check(`approval.${kind}`, pattern, `\`${pattern}\``);
  }
  for (const id of Object.keys(tools)) check(`tools.${id}`, id, "it");
}

/** What several files say of one thing, which must be the same. */
function theOne<Value>(
  name: string,
  said: readonly { file: string; value: Value | undefined }[],
): Value | undefined {
  const [first, ...others] = said.filter(({ value }) => value !== undefined);
  const other = others.find(({ value }) => value !== first?.value);
  if (first && other) {
    throw new UsageError(
      `honeyguide.${name} is \`${first.value}\` in ${first.file} and \`${other.value}\` in ${other.file}`,
    );
  }
  return first?.value;
}

function mergedTools(read: readonly OneFile[]): GatewaySettings["tools"] {
  const origin = new Map<string, string>();
  for (const { file, settings } of read) {
    for (const id of Object.keys(settings.tools)) {
      const other = origin.get(id);
      if (other !== undefined)
        throw new UsageError(`honeyguide.tools.${id} stands in ${other} and in ${file}`);
      origin.set(id, file);
    }
  }
  return Object.assign({}, ...read.map(({ settings }) => settings.tools));
}
