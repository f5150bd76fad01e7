// The one form of a server's address, which is its name in the store. Knows no file.

/** The address without user, password and fragment, and without a path that is only a slash. */
export function canonicalAddress(address: string | URL): string {
  const url = new URL(String(address));
  url.username = "";
  url.password = "";
  url.hash = "";
  return url.pathname === "/" && url.search === "" ? url.href.slice(0, -1) : url.href;
}
