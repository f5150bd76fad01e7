// An MCP server that does what a script says, faults included. It uses no MCP package, so that it can also speak nonsense.
// `node server.mjs stdio|http DIRECTORY`: the script is DIRECTORY/script.json; what happens is appended to log.jsonl; lines
// appended to control.jsonl are done as they come.

import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [, , door, directory] = process.argv;
const script = JSON.parse(readFileSync(join(directory, "script.json"), "utf8"));
const logged = () => (existsSync(logFile) ? readFileSync(logFile, "utf8") : "");
const logFile = join(directory, "log.jsonl");
const log = (entry) => appendFileSync(logFile, `${JSON.stringify(entry)}\n`);

const start = logged().split('"event":"start"').length - 1;
log({ event: "start", pid: process.pid, environment: script.tellEnvironment ? process.env : undefined });
/** How this start goes: the last entry holds for all later ones. */
const starts = script.starts ?? ["ok"];
const fate = starts[Math.min(start, starts.length - 1)];

let tools = script.tools ?? [];
let pages = script.pages;
let refused = script.status ?? {};
/** Calls that wait to be released: how to answer each, and how to report its progress. */
const waiting = new Map();

// ------------------------------------------------------------------------------------------------- MCP, as scripted

/** The answer to a request: a result, an error, or nothing at all. */
function answer(message, channel) {
  const { id, method, params } = message;
  log({ event: "message", method, id, params });
  if (id === undefined) {
    if (method === "notifications/cancelled") waiting.delete(params?.requestId);
    return;
  }
  switch (method) {
    case "initialize":
      if (fate === "silent") return;
      return channel.result(id, {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "scripted", version: "1.0.0", ...script.serverInfo },
        ...(script.instructions && { instructions: script.instructions }),
      });
    case "ping":
      return channel.result(id, {});
    case "tools/list":
      return list(id, params?.cursor, channel);
    case "tools/call":
      return call(id, params, channel);
    default:
      return channel.error(id, { code: -32601, message: `no such method: ${method}` });
  }
}

function list(id, cursor, channel) {
  if (script.listing === "silent") return;
  if (!pages) return channel.result(id, { tools: tools.map(({ does, ...tool }) => tool) });
  const page = pages.find((each) => each.cursor === cursor || (each.cursor === null && cursor === undefined));
  if (page?.once) pages = pages.filter((each) => each !== page);
  if (!page) return channel.error(id, { code: -32602, message: "unknown cursor" });
  return page.error ? channel.error(id, page.error) : channel.result(id, page.result);
}

function call(id, { name, arguments: args, _meta }, channel) {
  const does = tools.find((tool) => tool.name === name)?.does ?? script.does?.[name] ?? { echo: true };
  if (does.echo) return channel.result(id, { content: [{ type: "text", text: JSON.stringify(args ?? {}) }] });
  // Reported in the same breath as the result.
  if (does.progress && door === "stdio") {
    process.stdout.cork();
    process.nextTick(() => process.stdout.uncork());
  }
  for (const progress of does.progress ?? [])
    channel.notify("notifications/progress", { progressToken: _meta?.progressToken, progress });
  if (does.result !== undefined) return channel.result(id, does.result);
  if (does.error) return channel.error(id, does.error);
  if (does.write !== undefined) return channel.write(does.write);
  if (does.crash) return process.exit(does.crash);
  // Once: the first call ends the process, later ones are answered.
  if (does.crashOnce) {
    const calls = logged()
      .split("\n")
      .filter((line) => line.includes('"tools/call"') && line.includes(`"${name}"`));
    if (calls.length <= 1) return process.exit(1);
    return channel.result(id, { content: [{ type: "text", text: "at last" }] });
  }
  if (does.wait) {
    waiting.set(id, {
      release: () => channel.result(id, { content: [{ type: "text", text: "released" }] }),
      tick: (progress) =>
        _meta?.progressToken !== undefined &&
        channel.notify("notifications/progress", { progressToken: _meta.progressToken, progress }),
    });
  }
}

// ------------------------------------------------------------------------------------------------------ the doors

/** Everybody who hears notifications that belong to no request. */
const listeners = new Set();

function channelTo(write) {
  const send = (message) => write(JSON.stringify({ jsonrpc: "2.0", ...message }));
  return {
    write,
    result: (id, result) => send({ id, result }),
    error: (id, error) => send({ id, error }),
    notify: (method, params) => send({ method, ...(params && { params }) }),
  };
}

function serveStdio() {
  const channel = channelTo((text) => process.stdout.write(`${text}\n`));
  if (fate === "garbage") process.stdout.write("Downloading 42%\n{half a message\n[1,2]\n\u0007\n");
  listeners.add(channel);
  createInterface({ input: process.stdin })
    .on("line", (line) => answer(JSON.parse(line), channel))
    .on("close", () => script.stubborn || process.exit(0));
  // One that does not want to end: neither for its input nor for a signal.
  if (script.stubborn) {
    process.on("SIGTERM", () => log({ event: "SIGTERM" }));
    setInterval(() => {}, 1000);
  }
}

const event = (message) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;

async function serveHttp() {
  const sessions = new Set();
  let last = 0;
  const server = createServer(async (request, response) => {
    const session = request.headers["mcp-session-id"];
    const body = await new Promise((resolve) => {
      let text = "";
      request.on("data", (part) => (text += part)).on("end", () => resolve(text));
    });
    const message = body && JSON.parse(body);
    const say = (status, text = "", headers = {}) => {
      log({ event: "status", status, method: message?.method ?? request.method });
      response.writeHead(status, headers).end(text);
    };
    const wanted = script.authorization;
    if (wanted && request.headers.authorization !== wanted) return say(401);
    const status = refused[message?.method ?? request.method];
    if (status) return say(status, "no", { "retry-after": "1" });
    if (request.method === "DELETE") return sessions.delete(session) ? say(200) : say(404);
    if (message?.method !== "initialize" && !sessions.has(session)) return say(404, "no such session");
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      const channel = channelTo((text) => response.write(`data: ${text}\n\n`));
      listeners.add(channel);
      log({ event: "listening" });
      return response.on("close", () => listeners.delete(channel));
    }
    if (message.id === undefined) {
      answer(message, undefined);
      return response.writeHead(202).end();
    }
    const fresh = `session-${process.pid}-${++last}`;
    if (message.method === "initialize") sessions.add(fresh);
    const headers = message.method === "initialize" ? { "mcp-session-id": fresh } : {};
    if (message.method === "tools/call") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      const channel = channelTo((text) => response.write(`data: ${text}\n\n`));
      return answer(message, {
        ...channel,
        result: (id, result) => response.end(event({ id, result })),
        error: (id, error) => response.end(event({ id, error })),
        write: (text) => response.end(text),
      });
    }
    const channel = channelTo((text) => {
      response
        .writeHead(200, { "content-type": script.contentType ?? "application/json", ...headers })
        .end(text);
    });
    if (fate === "garbage") return channel.write("<html>Bad gateway</html>");
    answer(message, channel);
  });
  actions.forgetSessions = () => sessions.clear();
  const portFile = join(directory, "port");
  const port = existsSync(portFile) ? Number(readFileSync(portFile, "utf8")) : 0;
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  writeFileSync(portFile, String(server.address().port));
  log({ event: "port", port: server.address().port });
  // Ends with whoever started it.
  process.stdin.on("end", () => process.exit(0)).resume();
}

// ---------------------------------------------------------------------------------------------------- the control

const actions = {
  setTools: ({ tools: next }) => {
    tools = next;
  },
  setPages: ({ pages: next }) => {
    pages = next;
  },
  notify: ({ method, times = 1 }) => {
    for (let time = 0; time < times; time++) for (const channel of listeners) channel.notify(method);
  },
  tick: ({ progress }) => {
    for (const { tick } of waiting.values()) tick(progress);
  },
  release: () => {
    for (const { release } of waiting.values()) release();
    waiting.clear();
  },
  write: ({ text }) => {
    for (const channel of listeners) channel.write(text);
  },
  refuse: ({ status }) => {
    refused = status;
  },
  allow: ({ authorization }) => {
    script.authorization = authorization;
  },
  exit: ({ code = 1 }) => process.exit(code),
};

/** Lines before this one belong to an earlier start. */
const control = join(directory, "control.jsonl");
const lines = () => (existsSync(control) ? readFileSync(control, "utf8").split("\n").filter(Boolean) : []);
let done = lines().length;
const polling = setInterval(() => {
  for (const line of lines().slice(done)) {
    done++;
    const action = JSON.parse(line);
    log({ event: "done", place: done });
    actions[action.do](action);
  }
}, 10);
polling.unref();

if (script.earlyStderr) process.stderr.write(script.earlyStderr);
if (fate === "exit") process.exit(3);
// Something that a launcher leaves running, and that heeds no signal but the last.
if (script.child) {
  const sleeper = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')";
  const child = spawn(process.execPath, ["-e", sleeper], { stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.once("data", () => log({ event: "child", pid: child.pid }));
}
if (door === "http") await serveHttp();
else serveStdio();
