// The program `honeyguide`: does what a command line says. Knows no command's work.

import { isHoneyguideError } from "honeyguide";
import manifest from "../../package.json" with { type: "json" };
import { check } from "./check.js";
import { type CommandLine, readCommandLine } from "./command-line.js";
import { readConfiguration, whereabouts } from "./configuration.js";
import { UsageError } from "./fault.js";
import { help } from "./help.js";
import { importServers } from "./import/import.js";
import { Log } from "./log.js";
import { login, logout } from "./login.js";
import { serve } from "./serve.js";

/** Runs a command line to its end; answers the code that the process is to end with. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const line = readCommandLine(args);
    if (line.wants === "help") return print(help[line.command]);
    if (line.wants === "version") return print(`${manifest.version}\n`);
    return await run(line);
  } catch (thrown) {
    if (!(thrown instanceof UsageError) && !isHoneyguideError(thrown)) throw thrown;
    new Log("quiet").fatal(thrown.message);
    return thrown instanceof UsageError ? 2 : 1;
  }
}

function run(line: CommandLine): Promise<number> {
  const { command, values, has } = line;
  const here = whereabouts();
  if (command === "import") {
    const to = values("to").at(-1);
    return importServers(here, {
      clients: values("from"),
      ...(to !== undefined && { to }),
      write: has("yes"),
      json: has("json"),
    });
  }
  const [files, skills] = [values("config"), values("skills")];
  if (command === "check" || command === "login" || command === "logout") {
    if (files.length === 0) throw new UsageError("option `--config` is missing");
    const configuration = readConfiguration(files, [], here);
    if (command === "check") {
      for (const warning of configuration.warnings) new Log("normal").warn(warning);
      return check(configuration);
    }
    if (command === "logout") return logout(line.server, configuration);
    const how = { opensBrowser: !has("no-browser"), allowedHosts: values("allow-host") };
    return login(line.server, configuration, how);
  }
  if (files.length === 0 && skills.length === 0) {
    throw new UsageError(
      "nothing to serve: pass --config FILE or --skills FOLDER; `honeyguide mcp import` makes a configuration of the servers that your clients have",
    );
  }
  const loudness = has("quiet") ? "quiet" : has("verbose") ? "verbose" : "normal";
  return serve(readConfiguration(files, skills, here), new Log(loudness));
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
