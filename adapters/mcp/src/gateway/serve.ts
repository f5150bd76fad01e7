// Serves a catalog over standard input and output, from the first line to the last process. Knows no message.

import { Allowances } from "./allowance.js";
import { type GatewayCatalog, openCatalog } from "./catalog.js";
import type { Configuration } from "./configuration.js";
import { UsageError } from "./fault.js";
import { gatewayServer } from "./gateway-server.js";
import { asName } from "./harmless.js";
import type { Log } from "./log.js";
import { loadOfficial } from "./official.js";
import { claimOutput, WholeResults } from "./wire.js";

/** The longest message of a client, in bytes. */
const longestMessage = 16 * 2 ** 20;
/** How long servers may take to end before the program does without them, in milliseconds; a guard of each ends it then. */
const patience = 5000;
/** How many characters of server names the instructions hold. */
const mostNames = 1000;

/** Serves until the client is gone or a signal comes; answers the code to end with. */
export async function serve(configuration: Configuration, log: Log): Promise<number> {
  const output = claimOutput();
  process.on("unhandledRejection", (thrown) => log.warn(`internal error: ${describe(thrown)}`));
  const official = await loadOfficial();
  const catalog = await openCatalog(configuration, log);
  if (catalog.isEmpty) {
    await catalog.close();
    throw new UsageError("no server of the configuration can be tried, and there are no skills");
  }
  const complain = complaintsOf(log);
  const ended = new Promise<void>((resolve) => {
    const inner = new official.StdioServerTransport(process.stdin, output, { maxBufferSize: longestMessage });
    const transport = new WholeResults(inner, resolve);
    const parts = {
      official,
      catalog,
      transport,
      log,
      allowances: new Allowances(),
      instructions: instructionsFor(configuration),
    };
    official.serveStdio(() => gatewayServer(parts), {
      transport: transport as never,
      onerror: complain,
    });
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  await ended;
  // Whoever asks again does not want to wait.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  await closed(catalog);
  return 0;
}

/** Says that a client writes what cannot be read, once, and nothing of what it wrote. */
function complaintsOf(log: Log): (error: Error) => void {
  const told = new Set<string>();
  return ({ message }) => {
    const isLong = /exceed/i.test(message);
    const text = isLong
      ? "the client wrote a message that is too long; the connection is closed"
      : "the client wrote what is no message";
    if (!told.has(text)) log.warn(text);
    told.add(text);
  };
}

/** What a client is told of this server: nothing that changes while it runs. */
function instructionsFor({ servers, skills }: Configuration): string {
  const names = [...servers].filter(([, entry]) => entry?.disabled !== true).map(([name]) => asName(name));
  const parts = [
    "The tools of other servers stand behind three tools: find them with search_capabilities, call them with invoke_tool; open a skill with get_skill_content.",
  ];
  if (names.length > 0) parts.push(`Servers: ${listed(names)}.`);
  if (skills.length > 0) parts.push("There are skills as well.");
  return parts.join(" ");
}

function listed(names: readonly string[]): string {
  let text = "";
  for (const name of names) {
    if (text.length + name.length > mostNames) return `${text}, …`;
    text += text === "" ? name : `, ${name}`;
  }
  return text;
}

async function closed(catalog: GatewayCatalog): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([catalog.close().catch(() => undefined), late]);
  clearTimeout(timer);
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
