// All pages of a server's tools. Knows no catalog, and trusts nothing of what it reads.

import type { ListedTool } from "./definition.js";
import { McpServerError, numberOf } from "./fault.js";

/** What is wrong with a listing, though the rest of it stands. */
export interface ListingFault {
  readonly code: "cursor_not_advancing" | "duplicate_tool" | "invalid_tool";
  readonly message: string;
  readonly tool?: string;
}

/** A server's tools, each name once, in its order. */
export interface Listing {
  readonly tools: Map<string, ListedTool>;
  readonly faults: ListingFault[];
}

/** Asks for one page; without a cursor for the first. */
export type ReadPage = (cursor: string | undefined) => Promise<unknown>;

/** No server has more pages than this. */
const mostPages = 1000;
/** JSON-RPC's code for parameters that are wrong: here, a cursor that no longer counts. */
const invalidParameters = -32602;

/** Reads every page. A cursor that stopped counting on the way means that the list changed: then all is read once more. */
export async function listAll(server: string, readPage: ReadPage): Promise<Listing> {
  try {
    return await walk(server, readPage);
  } catch (thrown) {
    if (!(thrown instanceof StaleCursor)) throw thrown;
    return walk(server, readPage).catch((again) => {
      throw again instanceof StaleCursor ? again.cause : again;
    });
  }
}

class StaleCursor extends Error {}

async function walk(server: string, readPage: ReadPage): Promise<Listing> {
  const listing: Listing = { tools: new Map(), faults: [] };
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await readPage(cursor).catch((thrown) => {
      throw cursor !== undefined && numberOf(thrown) === invalidParameters
        ? new StaleCursor("", { cause: thrown })
        : thrown;
    });
    const { tools, nextCursor } = (page ?? {}) as { tools?: unknown; nextCursor?: unknown };
    if (!Array.isArray(tools)) {
      const message = `server \`${server}\` answered tools/list without a list of tools`;
      throw new McpServerError(message, "failed", { server, retryable: true });
    }
    for (const tool of tools) take(server, listing, tool);
    // The empty text is a cursor like any other; only one that is missing ends the list.
    if (nextCursor === undefined || nextCursor === null) return listing;
    if (typeof nextCursor !== "string" || seen.has(nextCursor)) break;
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  const message = `server \`${server}\` goes on listing after a cursor that leads nowhere new; ${listing.tools.size} tools were kept`;
  listing.faults.push({ code: "cursor_not_advancing", message });
  return listing;
}

function take(server: string, { tools, faults }: Listing, tool: unknown): void {
  const name = (tool as { name?: unknown } | null | undefined)?.name;
  if (typeof name !== "string" || name === "") {
    faults.push({ code: "invalid_tool", message: `server \`${server}\` lists a tool without a name` });
  } else if (tools.has(name)) {
    const message = `server \`${server}\` lists \`${name}\` twice; the first one stands`;
    faults.push({ code: "duplicate_tool", message, tool: name });
  } else {
    tools.set(name, tool as ListedTool);
  }
}
