// Worker threads: each has an engine of its own on one native part, and one that ends takes nobody along.
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url);

/** A worker that runs this text as a module of the built package. */
function work(body: string, workerData: unknown = null): Worker {
  const text = `
    import { parentPort, workerData } from "node:worker_threads";
    import { honeyguide } from ${JSON.stringify(new URL("dist/index.mjs", root).href)};
    const tools = (prefix, count) =>
      Array.from({ length: count }, (_, n) => ({
        id: prefix + n,
        description: "Reads file " + n,
        inputSchema: { type: "object", properties: { n: { type: "integer" } } },
        execute: (args) => args,
      }));
    ${body}
  `;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(text)}`), { workerData });
}

function messageOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`ended with ${code} and said nothing`)));
  });
}

function exitOf(worker: Worker): Promise<number> {
  return new Promise((resolve) => worker.once("exit", resolve));
}

const use = `
  const hg = honeyguide();
  hg.tools.register(tools("own" + workerData + "_", 100));
  const found = hg.tools.search("own" + workerData + "_7", { topK: 1 })[0].id;
  const called = await hg.call("invoke_tool", { toolId: found, args: { n: "7" } });
  const off = (await hg.tools.searchAsync("reads file", { topK: 3 })).length;
  parentPort.postMessage({ found, called, off, size: hg.tools.size });
`;

// The limit only guards against a hang.
describe("worker threads", { timeout: 60_000 }, () => {
  it("each have an engine of their own", async () => {
    const numbers = [...Array(6).keys()];
    const answers = await Promise.all(numbers.map((number) => messageOf(work(use, number))));
    expect(answers).toEqual(
      numbers.map((number) => ({ found: `own${number}_7`, called: { n: 7 }, off: 3, size: 100 })),
    );
  });

  it("come and go, and the next one finds the native part as the first did", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const worker = work(use, turn);
      const exited = exitOf(worker);
      expect(await messageOf(worker)).toMatchObject({ found: `own${turn}_7` });
      expect(await exited).toBe(0);
    }
  });

  it("may be ended inside a call, on the thread and off it, and everybody else goes on", async () => {
    const endless = `
      const counter = new Int32Array(workerData);
      const hg = honeyguide();
      for (let turn = 0; ; turn++) {
        // Not awaited: some are under way on the pool whenever the worker ends.
        if (turn % 2) hg.tools.searchAsync("reads file").catch(() => {});
        hg.tools.register(tools("t" + (turn % 5) + "_", 50));
        hg.tools.search("t1_7");
        Atomics.add(counter, 0, 1);
        Atomics.notify(counter, 0);
        if (turn % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    `;
    for (let turn = 0; turn < 3; turn++) {
      const shared = new SharedArrayBuffer(4);
      const counter = new Int32Array(shared);
      const worker = work(endless, shared);
      const failed = new Promise((_, reject) => worker.once("error", reject));
      while (Atomics.load(counter, 0) < 5) {
        const { async, value } = Atomics.waitAsync(counter, 0, Atomics.load(counter, 0), 100);
        if (async) await Promise.race([value, failed]);
      }
      await worker.terminate();
    }
    expect(await messageOf(work(use, 9))).toMatchObject({ found: "own9_7", size: 100 });
  });

  it("may be ended while a tool of theirs runs", async () => {
    const hanging = `
      const hg = honeyguide();
      hg.tools.register({ id: "hangs", execute: () => (parentPort.postMessage("started"), new Promise(() => {})) });
      setInterval(() => {}, 1000);
      await hg.call("hangs", {});
    `;
    const worker = work(hanging);
    expect(await messageOf(worker)).toBe("started");
    expect(await worker.terminate()).toBe(1);
  });

  it("answer three calls at once, one of which fails and one of which is given up", async () => {
    const three = `
      const hg = honeyguide();
      const controller = new AbortController();
      hg.tools.register([
        { id: "works", execute: async (args) => args },
        { id: "fails", execute: async () => { throw new Error("broken"); } },
        { id: "hangs", execute: () => (queueMicrotask(() => controller.abort()), new Promise(() => {})) },
      ]);
      const calls = ["works", "fails", "hangs"].map((id) => hg.call(id, { a: 1 }, { signal: controller.signal }));
      const [works, fails, hangs] = await Promise.all(calls);
      parentPort.postMessage({ works, fails: fails.error, hangs: hangs.error });
    `;
    const answers = await Promise.all([messageOf(work(three)), messageOf(work(three))]);
    const expected = { works: { a: 1 }, fails: "tool_failed", hangs: "aborted" };
    expect(answers).toEqual([expected, expected]);
  });
});
