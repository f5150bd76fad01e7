// Opens an address in the browser of the person, by the means of the system. Knows no sign-in.

import { spawn } from "node:child_process";

/** Opens it, and waits for nothing; answers whether the system has a means for that. */
export function openBrowser(address: string): Promise<boolean> {
  const { protocol, href } = new URL(address);
  // Anything else could be a program.
  if (protocol !== "https:" && protocol !== "http:") return Promise.resolve(false);
  const [command, ...args] = opener();
  return new Promise((resolve) => {
    const child = spawn(command, [...args, href], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

/** The program that opens addresses; none of them reads its argument as a command line. */
function opener(): [string, ...string[]] {
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
