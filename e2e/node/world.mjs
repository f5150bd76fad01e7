// Everything a scenario changes: clients, saved bytes, what was observed. Knows nothing of what an answer should be.

import { readFileSync } from "node:fs";

import { Client, observe } from "./client.mjs";
import { expand } from "./expand.mjs";
import { Files } from "./files.mjs";
import { openNative } from "./native.mjs";

const home = new URL("../", import.meta.url);

/** The scenario, read from its file. */
export const scenario = readJson("scenario.json");

/** What is known to differ, by step and language. */
export const divergence = readJson("divergence.json").differences;

/** The state of a run. */
export class World {
  clients = new Map();
  engines = new Map();
  saved = new Map();
  observed = new Map();
  files = new Files(new URL(".build/files-node/", home));
  fixtures = Object.fromEntries(
    Object.entries(scenario.fixtures).map(([name, file]) => [name, readJson(file)]),
  );

  /** A value of the scenario with its short forms written out. */
  expand(value) {
    return expand(value, this);
  }

  /** Does one step and remembers what it observed. */
  async take({ name, on = "main", operation, arguments: args = {} }) {
    const observed = this.files.hide(await this.#run(on, operation, this.expand(args)));
    this.observed.set(name, observed);
    return observed;
  }

  /** One operation on one client, as it is observed. */
  async operate(client, operation, args) {
    if (operation === "call" || operation === "invoke") return client.call(operation, args, this);
    return observe(() => client.run(operation, args, this));
  }

  async #run(on, operation, args) {
    if (operation === "create") {
      return observe(() => {
        this.clients.set(on, new Client(args, this.files.home));
        return null;
      });
    }
    if (operation === "raw") return this.#raw(on, args);
    if (!this.clients.has(on)) this.clients.set(on, new Client({}, this.files.home));
    const client = this.clients.get(on);
    if (operation === "together") {
      return {
        value: await Promise.all(
          args.steps.map((step) => this.operate(client, step.operation, step.arguments)),
        ),
      };
    }
    return this.operate(client, operation, args);
  }

  /** The engine's own text, past the facade: for what the facade never asks, and to compare bytes. */
  #raw(on, { operation, request, options, text = JSON.stringify(request) }) {
    if (!this.engines.has(on)) this.engines.set(on, openNative(options));
    const envelope = this.engines.get(on).call(operation, text);
    return { value: JSON.parse(envelope), text: envelope };
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(new URL(file, home), "utf8"));
}
