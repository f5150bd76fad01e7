// Builds the native part beside package.json. HONEYGUIDE_PROFILE names the cargo profile (default release).

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const profile = process.env.HONEYGUIDE_PROFILE ?? "release";
const build = spawnSync("napi", ["build", "--platform", "--no-js", "--profile", profile], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exit(build.status ?? 1);
