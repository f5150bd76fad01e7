// An authorization server and an MCP server that it protects, which do what a script says, faults included. Knows no client.
// `node server.mjs DIRECTORY`: the script is DIRECTORY/script.json; what happens is appended to log.jsonl, the port stands in
// `port`; lines appended to control.jsonl are done as they come. README.md says what a script holds.

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const [, , directory] = process.argv;
const script = JSON.parse(readFileSync(join(directory, "script.json"), "utf8"));
const log = (entry) => appendFileSync(join(directory, "log.jsonl"), `${JSON.stringify(entry)}\n`);

const lifetime = script.lifetime ?? 3600;
let faults = script.faults ?? {};
let bases = { mcp: "https://mcp.example", auth: "https://auth.example" };
const clients = new Map(Object.entries(script.clients ?? {}));
const codes = new Map();
/** Access tokens that are good, and refresh tokens that are. */
const [access, refresh] = [new Set(), new Set()];
/** Answers that wait to be released. */
let held = [];
let last = 0;

// ------------------------------------------------------------------------------------------- what is behind each path

const endpointOf = (path) => {
  if (path.startsWith("/.well-known/oauth-protected-resource")) return "resource";
  if (path.startsWith("/.well-known/oauth-authorization-server")) return "metadata";
  if (path.startsWith("/.well-known/openid-configuration")) return "openid";
  return { "/register": "register", "/authorize": "authorize", "/token": "token", "/mcp": "mcp" }[path];
};

const endpoints = {
  resource: ({ path }) =>
    script.noResource || path !== "/.well-known/oauth-protected-resource/mcp"
      ? [404, {}]
      : [
          200,
          { resource: `${bases.mcp}/mcp`, authorization_servers: [bases.auth], scopes_supported: ["use"] },
        ],
  metadata: () => [200, metadata()],
  openid: () => [404, {}],
  register: ({ json }) => {
    const client_id = `client-${++last}`;
    const client = { ...json, client_id, ...(script.confidential && { client_secret: `secret-${last}` }) };
    const method = script.confidential ? "client_secret_basic" : "none";
    clients.set(client_id, client);
    return [201, { ...client, token_endpoint_auth_method: method }];
  },
  authorize: ({ query }) => {
    const { client_id, redirect_uri, code_challenge, code_challenge_method, state, scope, resource } = query;
    const known = clients.get(client_id);
    if (!known?.redirect_uris.some((uri) => sameButPort(uri, redirect_uri)))
      return [400, { error: "invalid_request" }];
    if (code_challenge_method !== "S256" || !code_challenge) return [400, { error: "invalid_request" }];
    const code = `code-${++last}`;
    codes.set(code, { client_id, redirect_uri, code_challenge, scope, resource });
    const back = new URL(redirect_uri);
    back.search = String(new URLSearchParams({ code, state, iss: metadata().issuer }));
    return [302, {}, { location: back.href }];
  },
  token: ({ form, authorization }) => {
    const { grant_type, client_id = clientOf(authorization) } = form;
    const client = clients.get(client_id);
    const secret = form.client_secret ?? secretOf(authorization);
    if (!client || client.client_secret !== secret) return [401, { error: "invalid_client" }];
    if (grant_type === "authorization_code") {
      const code = codes.get(form.code);
      codes.delete(form.code);
      const good =
        code?.client_id === client_id &&
        code.redirect_uri === form.redirect_uri &&
        code.resource === form.resource &&
        code.code_challenge ===
          createHash("sha256")
            .update(form.code_verifier ?? "")
            .digest("base64url");
      return good ? [200, tokens(code.scope)] : [400, { error: "invalid_grant" }];
    }
    if (grant_type !== "refresh_token") return [400, { error: "unsupported_grant_type" }];
    if (!refresh.has(form.refresh_token)) return [400, { error: "invalid_grant" }];
    if (script.rotate !== false) refresh.delete(form.refresh_token);
    return [200, tokens(undefined)];
  },
  mcp: ({ method, json, authorization }) => {
    const wanted = `Bearer resource_metadata="${script.challenge ?? `${bases.mcp}/.well-known/oauth-protected-resource/mcp`}"`;
    const refuse = { "www-authenticate": script.noResource ? "Bearer" : wanted };
    if (!script.open && !access.has(authorization?.replace(/^Bearer /, ""))) return [401, {}, refuse];
    if (method !== "POST") return [405, {}];
    if (json.id === undefined) return [202];
    return [200, { jsonrpc: "2.0", id: json.id, ...mcp(json) }];
  },
};

function metadata() {
  return {
    issuer: bases.auth,
    authorization_endpoint: `${bases.auth}/authorize`,
    token_endpoint: `${bases.auth}/token`,
    registration_endpoint: `${bases.auth}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ["use"],
  };
}

/** New tokens; without rotation the refresh token is given once, and stays. */
function tokens(scope) {
  const number = ++last;
  access.add(`access-${number}`);
  const isNew = script.rotate !== false || refresh.size === 0;
  if (isNew) refresh.add(`refresh-${number}`);
  return {
    access_token: `access-${number}`,
    token_type: "Bearer",
    expires_in: lifetime,
    ...(isNew && !script.noRefresh && { refresh_token: `refresh-${number}` }),
    ...(scope && { scope }),
  };
}

function mcp({ method, params }) {
  if (method === "initialize") {
    const serverInfo = { name: "protected", version: "1.0.0" };
    return { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } };
  }
  if (method === "ping") return { result: {} };
  const tool = { name: "look", description: "Looks a thing up", inputSchema: { type: "object" } };
  if (method === "tools/list") return { result: { tools: [tool] } };
  if (method === "tools/call") return { result: { content: [{ type: "text", text: "seen" }] } };
  return { error: { code: -32601, message: `no such method: ${method}` } };
}

/** RFC 8252: the port of a loopback address is not compared. */
function sameButPort(one, other) {
  const [left, right] = [one, other].map((text) => Object.assign(new URL(text), { port: "" }).href);
  return left === right;
}

const basic = (header) =>
  header?.startsWith("Basic ") ? Buffer.from(header.slice(6), "base64").toString().split(":") : [];
const clientOf = (header) => basic(header)[0];
const secretOf = (header) => basic(header)[1];

// ------------------------------------------------------------------------------------------------------- the door

const server = createServer(async (request, response) => {
  let text = "";
  for await (const part of request) text += part;
  const { host, authorization, "content-type": type = "" } = request.headers;
  const url = new URL(request.url, `http://${host}`);
  const endpoint = endpointOf(url.pathname) ?? "other";
  const query = Object.fromEntries(url.searchParams);
  const form = type.startsWith("application/x-www-form-urlencoded")
    ? Object.fromEntries(new URLSearchParams(text))
    : {};
  const json = type.startsWith("application/json") && text !== "" ? JSON.parse(text) : {};
  log({ event: "request", endpoint, host, method: request.method, path: url.pathname, query, form, json });
  let fault = faultOf(endpoint);
  if (fault?.hold) {
    await new Promise((resolve) => held.push(resolve));
    fault = faultOf(endpoint);
  }
  if (fault?.silent || response.destroyed) return;
  if (fault?.drop) return request.socket.destroy();
  if (fault?.redirect) {
    return response
      .writeHead(fault.status ?? 302, { location: fault.redirect.replace("{auth}", bases.auth) })
      .end();
  }
  if (fault?.html) {
    return response
      .writeHead(fault.status ?? 200, { "content-type": "text/html" })
      .end("<html>Good morning</html>");
  }
  if (fault?.drip) return drip(response);
  const context = { path: url.pathname, method: request.method, query, form, json, authorization };
  const [status, body, headers = {}] = fault?.error
    ? [fault.status ?? 400, { error: fault.error }]
    : fault?.status
      ? [fault.status, {}]
      : (endpoints[endpoint]?.(context) ?? [404, {}]);
  if (body === undefined) return response.writeHead(status, headers).end();
  const said = { ...body, ...fault?.merge };
  for (const field of fault?.remove ?? []) delete said[field];
  if (fault?.huge) said.padding = "x".repeat(fault.huge);
  if (fault?.garbage)
    return response.writeHead(200, { "content-type": "application/json" }).end("{half an ans");
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(said));
});

/** An answer without an end: a byte now and again. */
function drip(response) {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
}

/** The fault of this request: one that holds for `times` requests is used up. */
function faultOf(endpoint) {
  const fault = faults[endpoint];
  if (fault?.times === undefined) return fault;
  return fault.times-- > 0 ? fault : undefined;
}

// ---------------------------------------------------------------------------------------------------- the control

const actions = {
  /** What the server knows of access tokens is forgotten: each is refused from now on. */
  expire: () => access.clear(),
  revoke: () => refresh.clear(),
  bases: ({ bases: next }) => {
    bases = { ...bases, ...next };
  },
  faults: ({ faults: next }) => {
    faults = next;
  },
  /** Answers what is held, as the script says by now; with `error`, with that. */
  release: ({ error }) => {
    faults = {};
    if (error) faults = { token: { error, times: held.length } };
    for (const go of held) go();
    held = [];
  },
  /** Writes tokens that are good into `minted.json`, as if somebody else had signed in. */
  mint: () => {
    const path = join(directory, "minted.json");
    writeFileSync(`${path}.new`, JSON.stringify(tokens("use")));
    renameSync(`${path}.new`, path);
  },
};

const control = join(directory, "control.jsonl");
const lines = () => (existsSync(control) ? readFileSync(control, "utf8").split("\n").filter(Boolean) : []);
let done = lines().length;
setInterval(() => {
  for (const line of lines().slice(done)) {
    const action = JSON.parse(line);
    done++;
    actions[action.do](action);
    log({ event: "done", place: done });
  }
}, 10).unref();

await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
if (script.local) bases = { mcp: `http://127.0.0.1:${port}`, auth: `http://127.0.0.1:${port}` };
bases = { ...bases, ...script.bases };
writeFileSync(join(directory, "port.new"), String(port));
renameSync(join(directory, "port.new"), join(directory, "port"));
// Ends with whoever started it.
process.stdin.on("end", () => process.exit(0)).resume();
