// The folder of files that a run writes, and what is observed of it. Knows nothing of skills.

import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { mapped } from "./expand.mjs";

/** One folder, empty at first. */
export class Files {
  constructor(url) {
    rmSync(url, { recursive: true, force: true });
    mkdirSync(url, { recursive: true });
    this.home = realpathSync(fileURLToPath(url));
  }

  /** Where a file of the scenario is. */
  place(path) {
    return join(this.home, path);
  }

  /** Writes files: a text, `{ link }` to another place, or null for none. */
  write(files) {
    for (const [path, content] of Object.entries(files)) {
      const place = this.place(path);
      rmSync(place, { recursive: true, force: true });
      if (content === null) continue;
      mkdirSync(dirname(place), { recursive: true });
      if (typeof content === "string") writeFileSync(place, content);
      else symlinkSync(this.place(content.link), place);
    }
  }

  /** What was observed, with the folder's own path told as `<home>`. */
  hide(observed) {
    if (typeof observed === "string") return observed.replaceAll(this.home, "<home>");
    if (Array.isArray(observed)) return observed.map((part) => this.hide(part));
    if (Object.getPrototypeOf(observed ?? 0) !== Object.prototype) return observed;
    return mapped(observed, (part) => this.hide(part));
  }
}
