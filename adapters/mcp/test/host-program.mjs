// A program that registers a server, says so, and waits for its end. It runs the built package: that is what users run.

import { honeyguide } from "honeyguide";
import { registerMcpServer } from "../dist/index.mjs";

const [, , command, ...args] = process.argv;
await registerMcpServer(honeyguide(), { name: "s", command, args });
console.log("ready");
