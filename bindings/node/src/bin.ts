// The program `honeyguide`: finds `@honeyguide/mcp`, which this package does not bring along, and hands over. Knows no command.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What is needed beside this package, and where in it. */
const gateway = "@honeyguide/mcp";
const official = ["@modelcontextprotocol/client", "@modelcontextprotocol/server"];
/** Says that `npm exec` was started from here already: it must not be started again for ever. */
const mark = "HONEYGUIDE_LAUNCHED";
const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** What the gateway says for `--help`; whoever has no gateway yet should read it too. */
const help = `usage: honeyguide COMMAND [options]

Leads an agent to the right tool.

commands:
  mcp            serve the servers and skills of a configuration as one MCP server
  mcp check      connect to every server of a configuration and say how it does
  mcp import     make a configuration of the servers that your clients have
  mcp login      sign in to a server of a configuration
  mcp logout     forget what was stored of a server

options:
  -h, --help     show this text
  --version      show the version
`;

const args = process.argv.slice(2);
const { program: found, stale } = findProgram();
const npm = npmOf(process.env);
const [only] = args.length === 1 ? args : [];
if (found !== undefined) {
  const { main } = (await import(pathToFileURL(found).href)) as {
    main(args: readonly string[]): Promise<number>;
  };
  process.exitCode = await main(args);
  // What still holds the process open is not waited for; what was written to a slow pipe is.
  setTimeout(() => process.exit(), 100).unref();
} else if (only === "--help" || only === "-h") {
  process.stdout.write(help);
} else if (only === "--version") {
  process.stdout.write(`${ownVersion()}\n`);
} else if (stale !== undefined) {
  process.stderr.write(
    `honeyguide: the package ${gateway} is there, but without its programs: install it anew, or build it (${stale})\n`,
  );
  process.exitCode = 2;
} else if (npm !== undefined) {
  fetchAndRun(npm);
} else {
  const packages = [gateway, ...official].join(" ");
  process.stderr.write(
    `honeyguide: its commands are in packages of their own: run npm install ${packages}, or start it as npx honeyguide\n`,
  );
  process.exitCode = 2;
}

/**
 * The gateway's module, a file of its package that is no entry of it, when it is installed with all that it needs; or the folder of
 * a package that has none.
 */
function findProgram(): { program?: string; stale?: string } {
  let stale: string | undefined;
  // As it is installed, and as it was called: a package manager may keep the two apart.
  for (const place of [import.meta.url, process.argv[1]]) {
    if (place === undefined) continue;
    try {
      const manifest = createRequire(place).resolve(`${gateway}/package.json`);
      for (const name of official) createRequire(manifest).resolve(name);
      const path = join(dirname(manifest), "dist", "gateway.mjs");
      if (existsSync(path)) return { program: path };
      stale ??= dirname(manifest);
    } catch {
      // Not from there.
    }
  }
  return stale === undefined ? {} : { stale };
}

function ownVersion(): string {
  const manifest = fileURLToPath(new URL("../package.json", import.meta.url));
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

/** The npm that started us as `npx honeyguide`, unless it has been asked already. */
function npmOf(environment: NodeJS.ProcessEnv): string | undefined {
  const { npm_command: command, npm_execpath: path } = environment;
  if (command !== "exec" || path === undefined || environment[mark] !== undefined) return undefined;
  return basename(path) === "npx-cli.js" ? join(dirname(path), "npm-cli.js") : path;
}

/** Has npm fetch what is missing, of exactly this version, and run the same command line there. */
function fetchAndRun(npm: string): void {
  const version = ownVersion();
  const packages = [
    `honeyguide@${version}`,
    `${gateway}@${version}`,
    ...official.map((name) => `${name}@^2`),
  ];
  const command = [npm, "exec", "--yes", ...packages.map((name) => `--package=${name}`), "--", "honeyguide"];
  const child = spawn(process.execPath, [...command, ...args], {
    stdio: "inherit",
    env: { ...process.env, [mark]: "1" },
  });
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`honeyguide: npm cannot be started: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}
