// The tools of one server in the catalog: put there, kept in step with what the server lists, held back when they changed
// behind our back. Knows no connection: what runs a tool is handed in.

import type { CallContext, Honeyguide, Tool } from "honeyguide";
import { asksFirst, canonical, digestOf, fieldsOf, idOf, type ListedTool } from "./definition.js";
import type { Listing } from "./listing.js";
import { type FilledSettings, type McpDiagnostic, termsOf } from "./options.js";

/** What a call of a tool brings along. */
export type Call = Pick<CallContext, "signal" | "context">;

/** Runs a tool of the server. */
export type RunTool = (tool: ListedTool, args: unknown, call: Call) => unknown;

/** What was put into the catalog for one tool. */
interface Shelved {
  readonly text: string;
  readonly item: Tool;
}

export class Shelf {
  readonly #shelved = new Map<string, Shelved>();
  readonly #held = new Map<string, ListedTool>();
  readonly #digests: Map<string, string>;

  constructor(
    private readonly hg: Honeyguide,
    private readonly server: string,
    private readonly settings: FilledSettings,
    private readonly run: RunTool,
    private readonly tell: (diagnostic: Omit<McpDiagnostic, "server">) => void,
  ) {
    this.#digests = new Map(Object.entries(settings.digests));
  }

  /** The tools in the catalog, by their names on the server. */
  get names(): string[] {
    return [...this.#shelved.keys()];
  }

  /** The tools that are held back until they are accepted. */
  get held(): string[] {
    return [...this.#held.keys()];
  }

  /** What each tool's definition was when it was first seen, or accepted. */
  get digests(): Record<string, string> {
    return Object.fromEntries(this.#digests);
  }

  /** Makes the catalog hold what the server lists: what is the same is not touched, and nobody else's tools are. */
  stock({ tools, faults }: Listing): void {
    for (const fault of faults) this.tell(fault);
    const passed = [...tools.values()].filter((tool) => this.#passes(tool));
    const kept = new Set(passed.map(({ name }) => name));
    this.#remove(this.names.filter((name) => !kept.has(name)));
    for (const name of this.held) {
      if (!tools.has(name)) this.#held.delete(name);
    }
    this.#put(passed);
  }

  /** Takes held tools as they are now: all, or those that are named. Answers which. */
  accept(names?: string | readonly string[]): string[] {
    const wanted = names === undefined ? this.held : typeof names === "string" ? [names] : names;
    const tools = wanted.flatMap((name) => this.#held.get(name) ?? []);
    for (const tool of tools) {
      this.#held.delete(tool.name);
      this.#digests.set(tool.name, digestOf(tool));
    }
    this.#put(tools);
    return tools.map(({ name }) => name);
  }

  /** Takes everything out of the catalog. */
  clear(): void {
    this.#held.clear();
    this.#remove(this.names);
  }

  /** Whether a tool may stand in the catalog, by what was seen of it before. */
  #passes(tool: ListedTool): boolean {
    const newDigest = digestOf(tool);
    const oldDigest = this.#digests.get(tool.name);
    if (oldDigest === undefined || oldDigest === newDigest) {
      this.#digests.set(tool.name, newDigest);
      this.#held.delete(tool.name);
      return true;
    }
    const { onChange } = this.settings;
    const known = this.#held.get(tool.name);
    if (onChange !== "allow" && !(known && digestOf(known) === newDigest)) {
      const then = onChange === "quarantine" ? "it is held back until it is accepted" : "the new one is used";
      const message = `server \`${this.server}\` changed the definition of \`${tool.name}\`; ${then}`;
      this.tell({ code: "definition_changed", message, tool: tool.name, oldDigest, newDigest });
    }
    if (onChange === "quarantine") {
      this.#held.set(tool.name, tool);
      return false;
    }
    this.#digests.set(tool.name, newDigest);
    return true;
  }

  /** Whether somebody is asked before it runs; undefined where nobody said anything about it. */
  #asks(tool: ListedTool): boolean | undefined {
    const said = termsOf(this.settings, tool.name)?.requiresApproval;
    return said ?? (asksFirst(tool, this.settings.approval) || undefined);
  }

  #put(tools: readonly ListedTool[]): void {
    const fresh = tools.flatMap((tool) => {
      const requiresApproval = this.#asks(tool);
      const fields = fieldsOf(this.server, tool, { requiresApproval });
      const text = canonical(fields);
      const present = this.#shelved.get(tool.name);
      if (present?.text === text && this.hg.tools.itemOf(fields.id) === present.item) return [];
      const item = { ...fields, execute: (args: unknown, call) => this.run(tool, args, call) } as Tool;
      return [{ tool, text, item }];
    });
    if (fresh.length === 0) return;
    const { diagnostics, rejected } = this.hg.tools.register(fresh.map(({ item }) => item));
    const refused = new Set(rejected);
    fresh.forEach(({ tool, text, item }, place) => {
      if (!refused.has(place)) this.#shelved.set(tool.name, { text, item });
      // What the catalog held before under this id is no longer what the server offers.
      else this.#remove(this.#shelved.has(tool.name) ? [tool.name] : []);
    });
    for (const { code, message, index } of diagnostics) {
      const tool = index === undefined ? undefined : fresh[index]?.tool.name;
      this.tell({ code, message, ...(tool !== undefined && { tool }) });
    }
  }

  /** Takes tools out, but none that somebody else put there since. */
  #remove(names: readonly string[]): void {
    const ours = names.filter((name) => {
      const item = this.#shelved.get(name)?.item;
      return item !== undefined && this.hg.tools.itemOf(idOf(this.server, name)) === item;
    });
    for (const name of names) this.#shelved.delete(name);
    if (ours.length > 0) this.hg.tools.remove(ours.map((name) => idOf(this.server, name)));
  }
}
