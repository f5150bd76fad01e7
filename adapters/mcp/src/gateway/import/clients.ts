// Where the clients of a machine keep their servers. Reads nothing.

import { join } from "node:path";
import type { Whereabouts } from "../configuration.js";

/** The clients, in the order in which their servers get their names. */
export const clientNames = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "codex",
  "windsurf",
] as const;
export type ClientName = (typeof clientNames)[number];

/** A file of a client, and which part of it counts: of the present folder before of the user. */
export interface ClientFile {
  readonly client: ClientName;
  readonly path: string;
  readonly kind: "json" | "toml";
  /** The keys that lead to the servers. */
  readonly keys: readonly string[];
  /** Where names of servers stand that the person refused: a file, and keys that lead to lists. */
  readonly refused?: { readonly path: string; readonly keys: readonly (readonly string[])[] };
}

/** All places, for one folder and one user. */
export function clientFiles(
  { cwd, home }: Whereabouts,
  platform: NodeJS.Platform = process.platform,
): ClientFile[] {
  const config = configFolder(home, platform);
  const json = (client: ClientName, path: string, ...keys: string[]): ClientFile => ({
    client,
    path,
    kind: "json",
    keys,
  });
  const own = join(home, ".claude.json");
  const lists = ["disabledMcpServers", "disabledMcpjsonServers"];
  const refused = { path: own, keys: lists.map((list) => ["projects", cwd, list]) };
  return [
    ...[
      json("claude-code", own, "projects", cwd, "mcpServers"),
      json("claude-code", join(cwd, ".mcp.json"), "mcpServers"),
      json("claude-code", own, "mcpServers"),
    ].map((file) => ({ ...file, refused })),
    json("claude-desktop", join(config, "Claude", "claude_desktop_config.json"), "mcpServers"),
    json("cursor", join(cwd, ".cursor", "mcp.json"), "mcpServers"),
    json("cursor", join(home, ".cursor", "mcp.json"), "mcpServers"),
    json("vscode", join(cwd, ".vscode", "mcp.json"), "servers"),
    json("vscode", join(config, "Code", "User", "mcp.json"), "servers"),
    { client: "codex", path: join(home, ".codex", "config.toml"), kind: "toml", keys: ["mcp_servers"] },
    json("windsurf", join(home, ".codeium", "windsurf", "mcp_config.json"), "mcpServers"),
  ];
}

function configFolder(home: string, platform: NodeJS.Platform): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return join(home, "AppData", "Roaming");
  return join(home, ".config");
}
