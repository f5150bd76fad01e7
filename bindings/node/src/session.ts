// One conversation: the engine's methods with the session filled in. Holds nothing: the engine does.

import { CatalogSearch, SessionTools } from "./catalogs.js";
import type { Disclosed, DiscloseOptions } from "./disclosure.js";
import { HoneyguideError } from "./error.js";
import type { ResolveResponse, SkillListingResponse, TouchResponse } from "./generated/types.js";
import type { MeaningOptions } from "./meaning.js";
import { disclose, discloseAsync, type RecallOptions, recall, resolve } from "./questions.js";
import type { SearchResult } from "./replies.js";
import { type CallOptions, call, type Host, type Scope } from "./run.js";
import { type SkillListingOptions, skillListing, touch } from "./skills.js";

/** One conversation. */
export class Session {
  readonly id: string;
  readonly tools: SessionTools;
  readonly skills: CatalogSearch;
  readonly facts: CatalogSearch;
  readonly #host: Host;

  constructor(host: Host, id: string) {
    // Without an id every call would be outside of any conversation, and free of its rules.
    if (typeof id !== "string" || id === "") {
      throw new HoneyguideError({
        code: "invalid_request",
        category: "invalid_input",
        message: "a conversation needs an id, a text that is not empty",
      });
    }
    this.#host = host;
    this.id = id;
    this.tools = new SessionTools(host, id);
    this.skills = new CatalogSearch(host, "skill", { session: id });
    this.facts = new CatalogSearch(host, "fact", { session: id });
  }

  /** Answers a model's call within this conversation. */
  call(name: string, args?: unknown, options: Omit<CallOptions, "session"> = {}): Promise<unknown> {
    return call(this.#host, name, args, { ...options, session: this.id });
  }

  /** What to put before the model, or null when nothing matches. */
  recall(query: string, options: Omit<RecallOptions, "session"> = {}): Promise<SearchResult | null> {
    return recall(this.#host, query, { ...options, session: this.id });
  }

  /** What one request of this conversation is to list. */
  disclose(options: Omit<DiscloseOptions, "session" | "format"> = {}): Disclosed {
    return disclose(this.#host, { ...options, session: this.id });
  }

  /** The same where the engine ranks by meaning: has the embedder make the query's vector. */
  discloseAsync(
    options: Omit<DiscloseOptions, "session" | "format"> & MeaningOptions = {},
  ): Promise<Disclosed> {
    return discloseAsync(this.#host, { ...options, session: this.id });
  }

  /** What a call would be, repaired and validated; runs nothing. */
  resolve(target: unknown, options: Omit<Scope, "session"> = {}): ResolveResponse {
    return resolve(this.#host, target, { ...options, session: this.id });
  }

  /**
   * Says that files were touched, relative to the project or absolute: skills that wait for them may be seen from now on, and
   * folders of skills that lie above them are loaded.
   */
  touch(paths: string | readonly string[]): Promise<TouchResponse> {
    return touch(this.#host, this.id, typeof paths === "string" ? [paths] : paths);
  }

  /** The skills that this conversation has not been sent, as text for its prompt; from now on they count as sent. */
  skillListing(options: SkillListingOptions = {}): SkillListingResponse {
    return skillListing(this.#host, this.id, options);
  }

  /** Forgets the conversation. */
  end(): void {
    this.#host.transport.endSession({ session: this.id });
  }
}
