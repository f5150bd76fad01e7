// Watches a folder, also after it was taken away and put back. Knows nothing of what lies in it.

import type { FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";

import { nodeFs } from "./require.js";

/** Tells of changes below a folder until it is closed; throws when the folder cannot be watched now. */
export class FolderWatch {
  readonly #path: string;
  readonly #changed: () => void;
  readonly #beside: FSWatcher | undefined;
  #inside: FSWatcher | undefined;

  constructor(path: string, changed: () => void) {
    this.#path = path;
    this.#changed = changed;
    this.#inside = this.#watch(path, true, changed);
    this.#beside = this.#besideOf(path);
  }

  close(): void {
    this.#inside?.close();
    this.#beside?.close();
  }

  /** The folder above tells when another folder takes this one's place: what watched the old one hears nothing of it. */
  #besideOf(path: string): FSWatcher | undefined {
    try {
      return this.#watch(dirname(path), false, (name) => {
        if (name === null || name === basename(path)) this.#again();
      });
    } catch {
      return undefined; // Nobody may look there; the folder itself is watched all the same.
    }
  }

  #again(): void {
    this.#inside?.close();
    try {
      this.#inside = this.#watch(this.#path, true, this.#changed);
    } catch {
      this.#inside = undefined; // It is gone; the folder above tells when it is back.
    }
    this.#changed();
  }

  #watch(path: string, recursive: boolean, heard: (name: string | null) => void): FSWatcher {
    const watcher = nodeFs().watch(path, { recursive, persistent: false }, (_, name) => heard(name));
    return watcher.on("error", () => watcher.close());
  }
}
