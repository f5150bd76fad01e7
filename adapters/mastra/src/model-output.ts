// What the model reads of a result: the engine's replies as they are, a target's result as the target itself shows it.
// Mastra hands over the output alone, right after the call: whose it is, is what is remembered until then.

import type { AdapterHost } from "honeyguide";
import type { Target } from "./target.js";
import { isObject } from "./types.js";

/** How many outputs without identity (text, numbers) wait to be shown; one that is never asked for makes room. */
const waiting = 256;

/** Shows the results of one engine's calls. */
export class ModelOutputs {
  readonly #owners = new WeakMap<object, Target>();
  /** Who gave each text or number that has not been shown yet. */
  readonly #waiting = new Map<unknown, (Target | undefined)[]>();

  /** Notes whose result this is; a tool of the application's own has no target. */
  note(output: unknown, target: Target | undefined): void {
    if (isObject(output)) {
      if (target) this.#owners.set(output, target);
      return;
    }
    const givers = this.#waiting.get(output) ?? [];
    this.#waiting.delete(output);
    this.#waiting.set(output, [...givers, target].slice(-waiting));
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= waiting) break;
      this.#waiting.delete(oldest);
    }
  }

  /** `toModelOutput` of invoke_tool. Nothing leaves the output as it is. */
  show(host: AdapterHost, output: unknown): unknown {
    const { tool } = this.#ownerOf(output) ?? {};
    return tool?.toModelOutput ? tool.toModelOutput(output) : shortened(host, output);
  }

  /** The target whose output this is; of parallel calls that gave the same text, nobody's. */
  #ownerOf(output: unknown): Target | undefined {
    if (isObject(output)) return this.#owners.get(output);
    const [giver, ...others] = this.#waiting.get(output) ?? [];
    if (others.length > 0) this.#waiting.set(output, others);
    else this.#waiting.delete(output);
    return others.every((other) => other === giver) ? giver : undefined;
  }
}

/** The engine leaves out what stands twice and cuts to the application's limit; what needs neither stays as it is. */
function shortened(host: AdapterHost, output: unknown): unknown {
  if (!isObject(output) && typeof output !== "string") return undefined;
  try {
    const value = host.forModel(output);
    if (JSON.stringify(value) === JSON.stringify(output)) return undefined;
    return typeof value === "string" ? { type: "text", value } : { type: "json", value };
  } catch {
    // What is not JSON goes on untouched.
    return undefined;
  }
}
