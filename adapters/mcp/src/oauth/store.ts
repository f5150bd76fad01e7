// The file of credentials: what it holds of each server, read and written so that no process sees or loses half of it. Knows no
// request. e2e/oauth/README.md is its format, which Python reads and writes too.

import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { locked } from "./directory-lock.js";
import { SignInError } from "./fault.js";
import { isSendable } from "./tokens.js";

/** What a server gave us to call it with. */
export interface StoredTokens {
  readonly access_token: string;
  readonly token_type?: string;
  readonly refresh_token?: string;
  readonly scope?: string;
  /** Seconds since 1970. */
  readonly expires_at?: number;
  readonly [other: string]: unknown;
}

/** How the authorization server knows us. */
export interface StoredClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
  readonly redirect_uris?: readonly string[];
  readonly [other: string]: unknown;
}

/** What is known of one server. */
export interface StoredServer {
  /** Counts the writes of `tokens`. */
  readonly generation: number;
  readonly issuer?: string;
  readonly resource?: string;
  readonly allowedHosts?: readonly string[];
  readonly client?: StoredClient;
  readonly tokens?: StoredTokens;
  readonly [other: string]: unknown;
}

/** Where credentials stand: one file, for all languages. */
export class CredentialStore {
  /** `file`: by default the person's own one. */
  constructor(readonly file: string = usualFile()) {}

  /** What is known of a server, by its canonical address. */
  read(server: string): StoredServer | undefined {
    return entryOf(this.#load(), server);
  }

  /** Changes what is known of a server; answers what is known of it then. Nobody else writes meanwhile. */
  async update(
    server: string,
    change: (known: StoredServer | undefined) => StoredServer | undefined,
  ): Promise<StoredServer | undefined> {
    const late = () => this.#unusable("another program holds it for too long");
    return this.#locked(`${this.file}.lock`, { waitMs: 10_000, late }, async () => {
      const whole = this.#load();
      const known = entryOf(whole, server);
      const next = change(known);
      if (next === known || next === undefined) return known;
      await this.#write({ ...whole, servers: { ...whole.servers, [server]: next } });
      return next;
    });
  }

  /** Runs something that only one process may do for a server at a time. */
  async alone<Value>(server: string, run: () => Promise<Value>): Promise<Value> {
    const hash = createHash("sha256").update(server).digest("hex").slice(0, 16);
    const late = () => new SignInError("unreachable", "another program takes too long to sign in anew");
    return this.#locked(`${this.file}.${hash}.lock`, { waitMs: 60_000, late }, run);
  }

  async #locked<Value>(
    path: string,
    terms: { waitMs: number; late: () => Error },
    run: () => Promise<Value>,
  ): Promise<Value> {
    try {
      makeFolder(dirname(this.file));
      return await locked(path, terms, run);
    } catch (thrown) {
      if (!isSystems(thrown)) throw thrown;
      throw this.#unusable(`nothing can be written in its folder (${codeOf(thrown)})`);
    }
  }

  #load(): WholeStore {
    let text: string;
    try {
      if (process.platform !== "win32" && (statSync(this.file).mode & 0o077) !== 0) {
        throw this.#unusable(`others can read it; run chmod 600 ${this.file}`);
      }
      text = readFileSync(this.file, "utf8");
    } catch (thrown) {
      if (thrown instanceof SignInError) throw thrown;
      if (codeOf(thrown) === "ENOENT") return { version: 1, servers: {} };
      throw this.#unusable(`it cannot be read (${codeOf(thrown)})`);
    }
    const whole = parsed(text);
    if (!isObject(whole) || !isObject(whole["servers"])) {
      throw this.#unusable("it is no file of credentials; move it away, and sign in again");
    }
    if (whole["version"] !== 1) {
      throw this.#unusable("another version of honeyguide wrote it, which this one cannot read");
    }
    return { ...whole, version: 1, servers: whole["servers"] };
  }

  async #write(whole: WholeStore): Promise<void> {
    const fresh = `${this.file}.${randomBytes(8).toString("hex")}`;
    try {
      const file = await open(fresh, "wx", 0o600);
      try {
        await file.writeFile(`${JSON.stringify(whole, undefined, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      // Whatever the mask of this process leaves of a mode.
      if (process.platform !== "win32") chmodSync(fresh, 0o600);
      await rename(fresh, this.file);
    } catch (thrown) {
      await rm(fresh, { force: true });
      throw this.#unusable(`it cannot be written (${codeOf(thrown)})`);
    }
  }

  #unusable(why: string): SignInError {
    return new SignInError(
      "store_unusable",
      `the file of credentials \`${this.file}\` cannot be used: ${why}`,
    );
  }
}

/** The entry with other tokens, or without. */
export function withTokens(known: StoredServer | undefined, tokens: StoredTokens | undefined): StoredServer {
  const { tokens: _, ...rest } = known ?? { generation: 0 };
  return { ...rest, generation: rest.generation + 1, ...(tokens && { tokens }) };
}

interface WholeStore {
  readonly version: 1;
  readonly servers: Readonly<Record<string, unknown>>;
  readonly [other: string]: unknown;
}

/** Makes a folder and those above it. Not with `recursive`: below a link to nowhere that never ends. */
function makeFolder(path: string): void {
  const make = () => mkdirSync(path, { mode: 0o700 });
  try {
    make();
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw thrown;
    makeFolder(dirname(path));
    make();
  }
}

/** The file of the person who runs this. */
function usualFile(): string {
  const { XDG_CONFIG_HOME = "", APPDATA } = process.env;
  const folder =
    process.platform === "win32"
      ? APPDATA || join(homedir(), "AppData", "Roaming")
      : (isAbsolute(XDG_CONFIG_HOME) && XDG_CONFIG_HOME) || join(homedir(), ".config");
  return join(folder, "honeyguide", "credentials.json");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function entryOf({ servers }: WholeStore, server: string): StoredServer | undefined {
  return Object.hasOwn(servers, server) ? soundly(servers[server]) : undefined;
}

/** An entry as far as it is one: of a field that is misshapen, nothing is known. */
function soundly(known: unknown): StoredServer {
  const entry: Record<string, unknown> = isObject(known) ? { ...known } : {};
  if (!Number.isSafeInteger(entry["generation"])) entry["generation"] = 0;
  if (!isTextField(entry["tokens"], "access_token")) delete entry["tokens"];
  // Some other program wrote it: none of ours stores what cannot be sent.
  else if (!isSendable((entry["tokens"] as StoredTokens).access_token)) delete entry["tokens"];
  if (!isTextField(entry["client"], "client_id")) delete entry["client"];
  const hosts = entry["allowedHosts"];
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === "string")) delete entry["allowedHosts"];
  return entry as unknown as StoredServer;
}

function isTextField(value: unknown, field: string): boolean {
  return isObject(value) && typeof value[field] === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the system says it: those errors name the call. */
function isSystems(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown;
}

function codeOf(thrown: unknown): string {
  const { code, message } = (thrown ?? {}) as { code?: string; message?: string };
  return code ?? message ?? "unknown";
}
