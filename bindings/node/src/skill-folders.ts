// The folders that skills are loaded from: walks them as the engine says, and remembers where each skill lies.
// Knows nothing of what a skill is.

import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { describeThrown, HoneyguideError } from "./error.js";
import { FolderWatch } from "./folder-watch.js";
import type {
  Diagnostic,
  FolderBounds,
  IgnoreRules,
  LoadSkillsResponse,
  Outcome,
  SkillRoot,
  SkillScope,
  SkillText,
  ValidateSkillsResponse,
  WalkSkillsResponse,
} from "./generated/types.js";
import { nodeFs } from "./require.js";
import { each, forward, listFolder, readInside } from "./skill-files.js";
import type { Transport } from "./transport.js";

/** Where a folder is. */
export type FolderPath = string | URL;

/** How a folder is loaded. */
export interface LoadFolderOptions extends FolderBounds {
  /** Who put its skills there (default `project`): those of the project come first, then the user's, then bundled ones. */
  scope?: SkillScope;
  /** Loads again whenever something in it changes (default false). */
  watch?: boolean;
  /** Which folders of skills are looked for above a touched file; false for none (default `.agents/skills` and `.claude/skills`,
   * once a folder of the project was loaded). */
  discover?: false | readonly string[];
}

/** What became of a load. */
export type SkillReport = LoadSkillsResponse;

interface Folder {
  readonly path: string;
  readonly scope: SkillScope;
  readonly bounds: FolderBounds;
  /** The folder of the project that it was found in by a touch. */
  readonly below?: string;
}

const discovered = [".agents/skills", ".claude/skills"];

/** How long changes are collected before they are loaded, in milliseconds. */
const settleMs = 100;

/** The folders of one engine. */
export class SkillFolders {
  readonly #transport: Transport;
  readonly #project: string | undefined;
  readonly #folders: Folder[] = [];
  readonly #places = new Map<string, string>();
  readonly #lookedIn = new Set<string>();
  readonly #watchers: FolderWatch[] = [];
  #discover: readonly string[] = [];
  #diagnostics: Diagnostic[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(transport: Transport, project: string | undefined) {
    this.#transport = transport;
    this.#project = project;
  }

  /** What was wrong when the folders were last loaded. */
  get diagnostics(): Diagnostic[] {
    return [...this.#diagnostics];
  }

  /** Loads folders, beside those that are loaded already. */
  async add(paths: FolderPath | readonly FolderPath[], options: LoadFolderOptions): Promise<SkillReport> {
    const { scope = "project", watch: isWatched = false, discover, ...bounds } = options;
    if (discover !== undefined) this.#discover = discover || [];
    else if (scope === "project" && this.#discover.length === 0) this.#discover = discovered;
    const listed = listOf(paths);
    for (const path of isWatched ? listed : []) this.#watch(path);
    for (const path of listed) this.#put({ path, scope, bounds });
    return this.reload();
  }

  /** Walks all folders again: what is new comes in, what was edited is indexed again, what is gone goes. */
  reload(): Promise<SkillReport> {
    // One after the other: a load takes the whole of what it found for all that there is.
    const next = this.#last.then(() => this.#load());
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** What breaks the specification in the skills of these folders; loads nothing. */
  async validate(paths: FolderPath | readonly FolderPath[]): Promise<ValidateSkillsResponse> {
    const roots = listOf(paths).map((path): SkillRoot => ({ path: forward(path) }));
    return this.#transport.validateSkills(await this.#walk(roots));
  }

  /** Reads a file of a skill, for the engine. */
  async read(skillId: string, file: string, mostBytes: number): Promise<Outcome> {
    const place = this.#places.get(skillId);
    if (place === undefined) return { kind: "notBound" };
    const { text, problem } = await readInside(place, file, mostBytes);
    if (typeof text !== "string") return { kind: "error", name: problem ?? "unreadable" };
    return { kind: "text", text };
  }

  /** Paths as the engine knows them, relative to the project; loads the folders of skills that lie above them. */
  async touch(paths: readonly string[]): Promise<string[]> {
    const project = this.#project ?? process.cwd();
    const inside = paths.map((path) => {
      const within = relative(project, resolve(project, path));
      return within.startsWith("..") || isAbsolute(within) ? path : forward(within);
    });
    let isNew = false;
    for (const path of inside) isNew = (await this.#discoverAbove(project, path)) || isNew;
    if (isNew) await this.reload();
    return inside;
  }

  /** Stops watching. */
  unwatch(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  #put(folder: Folder): void {
    const place = this.#folders.findIndex(
      (known) => known.path === folder.path && known.scope === folder.scope,
    );
    if (place < 0) this.#folders.push(folder);
    else this.#folders[place] = folder;
  }

  async #load(): Promise<SkillReport> {
    const roots = await each(this.#folders, async ({ path, scope, bounds, below }): Promise<SkillRoot> => {
      const root = { path: forward(path), scope, bounds };
      return below === undefined ? root : { ...root, below, rules: await this.#rulesAbove(below) };
    });
    const report = this.#transport.loadSkills(await this.#walk(roots));
    this.#places.clear();
    for (const { id, directory } of report.skills) this.#places.set(id, directory);
    this.#diagnostics = report.diagnostics;
    return report;
  }

  async #walk(roots: SkillRoot[]): Promise<{ walk: unknown; files: SkillText[] }> {
    let step: WalkSkillsResponse = this.#transport.walkSkills({ roots });
    while (step.list.length > 0) {
      const { walk, mostEntries } = step;
      const listings = await each(step.list, (folder) => listFolder(folder, mostEntries));
      step = this.#transport.walkSkills({ walk, listings });
    }
    const { walk, read, mostBytes } = step;
    const files = await each(read, ({ directory, file }) => readInside(directory, file, mostBytes));
    return { walk, files };
  }

  /** Looks for folders of skills from a file's folder up to the project's, in each folder once. */
  async #discoverAbove(project: string, path: string): Promise<boolean> {
    let isNew = false;
    if (this.#discover.length === 0 || path.startsWith("..") || isAbsolute(path)) return isNew;
    for (let below = dirname(path); below !== "."; below = dirname(below)) {
      if (this.#lookedIn.has(below)) continue;
      this.#lookedIn.add(below);
      for (const name of this.#discover) {
        const folder = join(project, below, name);
        if (!(await isFolder(folder))) continue;
        this.#put({ path: folder, scope: "project", bounds: {}, below });
        isNew = true;
      }
    }
    return isNew;
  }

  /** The ignore files from the project's folder down to this one. */
  async #rulesAbove(below: string): Promise<IgnoreRules[]> {
    const project = this.#project ?? process.cwd();
    const parts = below.split("/");
    const folders = ["", ...parts.map((_, place) => parts.slice(0, place + 1).join("/"))];
    const rules = await each(folders, async (at): Promise<IgnoreRules> => {
      const { text } = await readInside(join(project, at), ".gitignore", 262_144);
      return { at, text: text ?? "" };
    });
    return rules.filter(({ text }) => text !== "");
  }

  #watch(path: string): void {
    let timer: NodeJS.Timeout | undefined;
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void this.reload().catch(() => undefined), settleMs);
      timer.unref();
    };
    try {
      this.#watchers.push(new FolderWatch(path, changed));
    } catch (thrown) {
      throw new HoneyguideError({
        code: "unreadable_file",
        category: "state",
        message: `\`${path}\` cannot be watched: ${describeThrown(thrown).message}; load it without \`watch\``,
        details: { path },
      });
    }
  }
}

function listOf(paths: FolderPath | readonly FolderPath[]): string[] {
  const list = Array.isArray(paths) ? (paths as readonly FolderPath[]) : [paths as FolderPath];
  return list.map((path) => resolve(path instanceof URL ? fileURLToPath(path) : path));
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await nodeFs().promises.lstat(path)).isDirectory();
  } catch {
    return false;
  }
}
