// One client of the installed package: each operation of the scenario as a call of the public facade. Decides nothing.

import { createHash } from "node:crypto";

import { honeyguide, isHoneyguideError } from "../.build/node/entry.mjs";
import { makeEmbedder } from "./embedder.mjs";
import { forks, makeExecutors, rankings } from "./executors.mjs";
import { makeItem } from "./values.mjs";

/** A client, its fixture executors, and what its executors handed out. */
export class Client {
  constructor({ options = {}, approve, embedder, rerank, fork }, projectRoot) {
    this.running = { handedOut: new Set(), started: undefined };
    this.executorOf = makeExecutors(this.running);
    this.hg = honeyguide({
      ...options,
      projectRoot,
      ...(approve === undefined ? {} : { approve: () => approve }),
      ...(embedder === undefined ? {} : { embedder: makeEmbedder(embedder[0]) }),
      ...(rerank === undefined ? {} : { rerank: { rank: rankings[rerank] } }),
      ...(fork === undefined ? {} : { fork: forks[fork] }),
    });
  }

  /** Answers one operation; what it throws is for the caller to observe. */
  async run(operation, args, world) {
    const { hg } = this;
    const catalog = { tool: hg.tools, skill: hg.skills, fact: hg.facts }[args.kind];
    const { in: inside, kind, ...rest } = args;
    const from = inside === undefined ? hg : hg.session(inside);
    switch (operation) {
      case "register":
        return catalog.register(
          "item" in args
            ? makeItem(args.item, this.executorOf)
            : args.items.map((item) => makeItem(item, this.executorOf)),
        );
      case "replaceAll":
        return catalog.replaceAll(args.items.map((item) => makeItem(item, this.executorOf)));
      case "remove":
        return catalog.remove(args.ids);
      case "bind":
        return hg.tools.bind(args.toolId, this.executorOf(args.execute));
      case "get":
        return catalog.get(args.id);
      case "list":
        return catalog.list({ offset: args.offset, limit: args.limit });
      case "size":
        return catalog.size;
      case "search":
      case "searchAsync": {
        const { query, ...options } = rest;
        const place =
          inside === undefined ? catalog : { tool: from.tools, skill: from.skills, fact: from.facts }[kind];
        return place[operation](query, options);
      }
      case "searchNeeds":
      case "searchNeedsAsync": {
        const { queries, ...options } = rest;
        const place =
          inside === undefined ? catalog : { tool: from.tools, skill: from.skills, fact: from.facts }[kind];
        return place[operation](queries, options);
      }
      case "warmUp":
        return hg.warmUp();
      case "setServer": {
        const { name, ...about } = args;
        return hg.servers.set(name, about);
      }
      case "removeServer":
        return hg.servers.remove(args.name);
      case "listServers":
        return hg.servers.list();
      case "setSession":
        hg.session(args.session, { visible: args.visible });
        return null;
      case "endSession":
        return hg.session(args.session).end();
      case "modelTools":
        return hg.modelTools(args);
      case "modelToolsDigest":
        return hg.modelToolsDigest(args);
      case "disclose":
      case "discloseAsync":
        return from[operation](rest);
      case "resolve": {
        const { arguments: target, ...options } = rest;
        return from.resolve(target, options);
      }
      case "recall": {
        const { query, ...options } = rest;
        return from.recall(query, options);
      }
      case "forModel": {
        const { result, ...options } = args;
        return hg.forModel(result, options);
      }
      case "tokens":
        return hg.tokens(args);
      case "diagnose":
        return hg.diagnose();
      case "files":
        return world.files.write(args.files);
      case "loadFolder": {
        const { paths, ...options } = args;
        return hg.skills.loadFolder(
          paths.map((path) => world.files.place(path)),
          options,
        );
      }
      case "refresh":
        return hg.skills.refresh();
      case "skillDiagnostics":
        return hg.skills.diagnostics();
      case "validate":
        return hg.skills.validate(args.paths.map((path) => world.files.place(path)));
      case "touch":
        return from.touch(args.paths);
      case "skillListing":
        return from.skillListing(rest);
      case "save": {
        const bytes = hg.save();
        world.saved.set(args.as, bytes);
        return { bytes: bytes.length, digest: createHash("sha256").update(bytes).digest("hex") };
      }
      case "load":
        return hg.load(bytesOf(args, world));
      default:
        throw new Error(`this runner knows no operation \`${operation}\``);
    }
  }

  /** Answers a call of the model, or of host code; what came of it, as it is observed. */
  async call(operation, args, world) {
    const { name, arguments: sent, toolId, args: given, in: inside, approve, abort, ...options } = args;
    const asked = [];
    if (approve !== undefined) options.approve = this.#approver(approve, asked, world);
    if (abort) {
      const controller = new AbortController();
      options.signal = controller.signal;
      this.running.started = () => setImmediate(() => controller.abort());
    }
    const from = inside === undefined ? this.hg : this.hg.session(inside);
    const observed = await observe(() =>
      operation === "call" ? from.call(name, sent, options) : from.tools.invoke(toolId, given, options),
    );
    this.running.started = undefined;
    if (this.running.handedOut.has(observed.value)) observed.identity = true;
    if (
      typeof observed.value === "object" &&
      observed.value !== null &&
      Symbol.asyncIterator in observed.value
    ) {
      const chunks = [];
      for await (const chunk of observed.value) chunks.push(chunk);
      const { value, ...others } = observed;
      return { stream: chunks, ...others, ...(approve === undefined ? {} : { asked }) };
    }
    return approve === undefined ? observed : { ...observed, asked };
  }

  #approver(approve, asked, world) {
    return async (call) => {
      const { toolId, arguments: args, annotations } = call;
      asked.push({ toolId, arguments: args, ...(annotations === undefined ? {} : { annotations }) });
      if (approve.first) await world.operate(this, approve.first.operation, approve.first.arguments);
      if (typeof approve === "boolean") return approve;
      const { first, ...answer } = approve;
      return answer;
    };
  }
}

/** What came of a call: a value, an error of the package, or an exception of a tool. */
export async function observe(work) {
  try {
    return { value: (await work()) ?? null };
  } catch (thrown) {
    if (!isHoneyguideError(thrown)) return { thrown: { name: thrown.name, message: thrown.message } };
    const { code, category, message, details } = thrown;
    return { error: { code, category, message, details } };
  }
}

/** What is to be loaded: saved bytes, whole, cut (`keep`) or damaged (`flip`), or a text. */
function bytesOf({ text, from, keep, flip }, world) {
  if (text !== undefined) return Buffer.from(text);
  const bytes = Buffer.from(world.saved.get(from)).subarray(0, keep);
  if (flip !== undefined) bytes[flip] ^= 1;
  return bytes;
}
