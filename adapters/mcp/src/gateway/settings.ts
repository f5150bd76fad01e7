// What stands below `honeyguide` in a configuration: reads it, and says what is wrong with it and where. Knows no server.

import { nearest } from "../nearest.js";
import type { DriftPolicy } from "../options.js";
import { UsageError } from "./fault.js";
import { isObject } from "./json-file.js";

/** Which tools ask before they run. */
export interface ApprovalSettings {
  readonly ask?: "destructive" | "writes" | "none";
  /** `server__tool`, or the beginning of it and `*`; before `never`. */
  readonly always: readonly string[];
  readonly never: readonly string[];
}

/** How long a tool may take, in milliseconds. */
export interface ToolLimits {
  readonly timeoutMs?: number;
  readonly maximumMs?: number;
}

/** What one configuration says. */
export interface GatewaySettings {
  readonly skills: readonly string[];
  readonly approval: ApprovalSettings;
  readonly onChange?: DriftPolicy;
  readonly maxResultChars?: number;
  /** By id. */
  readonly tools: Readonly<Record<string, ToolLimits>>;
}

/** The keys below `honeyguide`. */
export const settingNames = ["skills", "approval", "onChange", "maxResultChars", "tools"] as const;

/** Reads the settings of a file; throws a `UsageError` that names the field. */
export function readSettings(file: string, written: unknown): GatewaySettings {
  const top = new Fields(file, "honeyguide", written ?? {});
  top.known(...settingNames);
  const approval = top.inside("approval");
  approval.known("ask", "always", "never");
  const tools = top.inside("tools");
  const limits = tools.names.map((id) => {
    checkPattern(tools, id, id, "server__tool");
    const one = tools.inside(id);
    one.known("timeoutMs", "maximumMs");
    return [
      id,
      given({ timeoutMs: one.number("timeoutMs", 1), maximumMs: one.number("maximumMs", 1) }),
    ] as const;
  });
  const patterns = (name: string) => {
    const list = approval.texts(name);
    for (const pattern of list) checkPattern(approval, name, pattern, "server__tool` or `server__*");
    return list;
  };
  return {
    skills: top.texts("skills"),
    approval: {
      ...given({ ask: approval.oneOf("ask", ["destructive", "writes", "none"] as const) }),
      always: patterns("always"),
      never: patterns("never"),
    },
    ...given({
      onChange: top.oneOf("onChange", ["warn", "allow", "quarantine"] as const),
      maxResultChars: top.number("maxResultChars", 0),
    }),
    tools: Object.fromEntries(limits),
  };
}

/** The server that a tool's id, or the beginning of one, is of. */
export function serverOf(pattern: string): string {
  return pattern.slice(0, pattern.indexOf("__"));
}

function checkPattern(fields: Fields, name: string, pattern: string, shape: string): void {
  const star = pattern.indexOf("*");
  const isWhole = pattern.indexOf("__") > 0 && (star < 0 || star === pattern.length - 1);
  if (!isWhole || pattern.endsWith("__") || (star >= 0 && !shape.includes("*"))) {
    throw fields.fault(
      name,
      pattern === name ? `must be \`${shape}\`` : `\`${pattern}\` must be \`${shape}\``,
    );
  }
}

/** The fields that have a value. */
function given<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  const said = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(said) as { [Key in keyof Value]?: Exclude<Value[Key], undefined> };
}

/** One object of the settings, with its place. */
class Fields {
  readonly #value: Record<string, unknown>;

  constructor(
    private readonly file: string,
    private readonly place: string,
    value: unknown,
  ) {
    if (!isObject(value)) throw new UsageError(`${file}: ${place}: must be an object`);
    this.#value = value;
  }

  get names(): string[] {
    return Object.keys(this.#value);
  }

  fault(name: string, why: string): UsageError {
    return new UsageError(`${this.file}: ${this.place}.${name}: ${why}`);
  }

  /** Refuses every other key: one that is misspelt would be a rule that does not hold. */
  known(...names: string[]): void {
    const unknown = this.names.find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const near = nearest(unknown, names);
    const hint = near === undefined ? `known: ${names.join(", ")}` : `did you mean \`${near}\`?`;
    throw this.fault(unknown, `unknown key; ${hint}`);
  }

  inside(name: string): Fields {
    return new Fields(this.file, `${this.place}.${name}`, this.#get(name) ?? {});
  }

  texts(name: string): string[] {
    const value = this.#get(name) ?? [];
    if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) {
      throw this.fault(name, "must be a list of texts");
    }
    return value;
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    const word = words.find((each) => each === value);
    if (word === undefined) {
      throw this.fault(name, `must be one of ${words.map((each) => `\`${each}\``).join(", ")}`);
    }
    return word;
  }

  number(name: string, least: number): number | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (!Number.isSafeInteger(value) || (value as number) < least) {
      throw this.fault(name, `must be a whole number${least === 0 ? ", 0 or more" : " above 0"}`);
    }
    return value as number;
  }

  #get(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }
}
