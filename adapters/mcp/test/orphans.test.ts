// What becomes of a server's processes when the program that started it ends, however it ends.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { eventually, ScriptedServer } from "./scripted-server.js";

const program = fileURLToPath(new URL("./host-program.mjs", import.meta.url));

it.each(["SIGTERM", "SIGKILL"] as const)("no process outlives a program that ends by %s", async (signal) => {
  // A server that heeds neither the end of its input nor a signal, and that started one of the same kind.
  const server = new ScriptedServer({ stubborn: true, child: true, tools: [] });
  const { command, args } = server.command;
  const host = spawn(process.execPath, [program, command, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await new Promise((resolve) => host.stdout.once("data", resolve));
    await eventually(() => server.log("child").length === 1);
    expect(server.running).toHaveLength(2);
    host.kill(signal);
    await eventually(
      () => server.running.length === 0,
      () => JSON.stringify(server.running),
    );
  } finally {
    host.kill("SIGKILL");
    await server.dispose();
  }
});
