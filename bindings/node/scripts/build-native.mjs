// Builds the native part of the package it is run in. HONEYGUIDE_PROFILE names the cargo profile (default release).

import { spawnSync } from "node:child_process";

const profile = process.env.HONEYGUIDE_PROFILE ?? "release";
const build = spawnSync("napi", ["build", "--platform", "--no-js", "--profile", profile], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exit(build.status ?? 1);
