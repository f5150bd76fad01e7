// The catalog of skills, with those that lie in folders. Knows nothing of how folders are walked.

import { Catalog } from "./catalogs.js";
import type {
  Diagnostic,
  SkillItem,
  SkillListingRequest,
  SkillListingResponse,
  TouchResponse,
  ValidateSkillsResponse,
} from "./generated/types.js";
import type { Host } from "./run.js";
import type { FolderPath, LoadFolderOptions, SkillFolders, SkillReport } from "./skill-folders.js";

/** How much is listed, and what was listed before. */
export type SkillListingOptions = Omit<Partial<SkillListingRequest>, "session" | "now">;

/** The skills. */
export class SkillCatalog extends Catalog<SkillItem> {
  readonly #folders: SkillFolders;

  constructor(host: Host) {
    super(host, "skill");
    this.#folders = host.folders;
  }

  /** Loads the skills of a folder, or of several, beside those that are loaded already. Says what it took, and what not and why. */
  loadFolder(
    paths: FolderPath | readonly FolderPath[],
    options: LoadFolderOptions = {},
  ): Promise<SkillReport> {
    return this.#folders.add(paths, options);
  }

  /** Looks at all loaded folders again. */
  refresh(): Promise<SkillReport> {
    return this.#folders.reload();
  }

  /** What was wrong with folders and files when they were last looked at. */
  diagnostics(): Diagnostic[] {
    return this.#folders.diagnostics;
  }

  /** What breaks the Agent Skills specification in the skills of a folder, or of several; loads nothing. */
  validate(paths: FolderPath | readonly FolderPath[]): Promise<ValidateSkillsResponse> {
    return this.#folders.validate(paths);
  }

  /** Stops watching the folders that were loaded with `watch`. */
  unwatch(): void {
    this.#folders.unwatch();
  }
}

/** Notes that a conversation touched files, once the folders of skills that lie above them are loaded. */
export async function touch(host: Host, session: string, paths: readonly string[]): Promise<TouchResponse> {
  const inside = await host.folders.touch(paths);
  return host.transport.touch({ session, paths: inside, now: Date.now() });
}

/** The skills that a conversation has not been sent. */
export function skillListing(
  host: Host,
  session: string,
  options: SkillListingOptions,
): SkillListingResponse {
  return host.transport.skillListing({ ...options, session, now: Date.now() });
}
