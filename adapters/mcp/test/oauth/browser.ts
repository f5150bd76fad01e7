// Plays the person and the browser of a sign-in. Knows no library.

import { request } from "node:http";

/** How the person behaves. */
export type Behaviour =
  | "approve"
  | "deny"
  | "wrongState"
  | "noState"
  | "wrongIssuer"
  | "noIssuer"
  | "noCode"
  | "foreignHost"
  | "wrongPath"
  | "post";

const elsewhere = "https://other.example";
const changes: Partial<Record<Behaviour, (back: URLSearchParams) => void>> = {
  wrongState: (back) => back.set("state", "another"),
  noState: (back) => back.delete("state"),
  wrongIssuer: (back) => back.set("iss", elsewhere),
  noIssuer: (back) => back.delete("iss"),
  noCode: (back) => back.delete("code"),
};

/** Does with an address what the person would. `port` is where every name leads to. */
export async function browse(address: string, behaviour: Behaviour, port: number): Promise<void> {
  const asked = new URL(address);
  if (behaviour === "deny") {
    const back = new URL(asked.searchParams.get("redirect_uri") as string);
    const state = asked.searchParams.get("state") as string;
    const iss = asked.protocol === "https:" ? "https://auth.example" : asked.origin;
    back.search = String(new URLSearchParams({ error: "access_denied", state, iss }));
    await send(back);
    return;
  }
  const there = new URL(`http://127.0.0.1:${port}${asked.pathname}${asked.search}`);
  const { status, location } = await send(there, { host: asked.host });
  if (status !== 302 || !location) throw new Error(`the authorization endpoint answers with ${status}`);
  const back = new URL(location);
  changes[behaviour]?.(back.searchParams);
  const strange: Partial<Record<Behaviour, () => ReturnType<typeof send>>> = {
    foreignHost: () => send(back, { host: "other.example" }),
    wrongPath: () => send(Object.assign(new URL(back), { pathname: "/other" })),
    post: () => send(back, {}, "POST"),
  };
  const refused = await strange[behaviour]?.();
  if (refused && refused.status < 400) throw new Error(`the page takes ${behaviour}`);
  await send(back);
}

function send(
  url: URL,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent: false }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, location: answer.headers.location });
    });
    sending.on("error", reject).end();
  });
}
