// The official MCP packages as far as they are needed: 1.x and 2.x alike, by their shape. Knows nothing of a catalog.

// biome-ignore lint/suspicious/noExplicitAny: the packages type their messages apart, and each takes its own.
type Message = any;

/** A transport of either package, or one of the user's own. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: Message, options?: Message): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: Message, extra?: Message) => void) | undefined;
}

/** What is asked of a client of either package. */
export interface McpClient {
  connect(transport: McpTransport, options?: object): Promise<void>;
  request(request: object, schema: unknown, options?: object): Promise<unknown>;
  callTool?(params: object, ...others: unknown[]): Promise<unknown>;
  close(): Promise<void>;
  getServerVersion?(): { name?: string; title?: string; description?: string } | undefined;
  getInstructions?(): string | undefined;
  /** 2.x: whether the server speaks the revision without sessions. */
  getProtocolEra?(): string | undefined;
  /** 2.x: opens the stream of change notices there. */
  listen?(filter: object): Promise<unknown>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  fallbackNotificationHandler?: ((notification: { method: string }) => Promise<void>) | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the classes of both packages fit only without their own types.
type Made = new (...parts: any[]) => any;

/** The parts of an official package; its module as it stands is one. */
export interface McpSdk {
  readonly Client: Made;
  readonly StreamableHTTPClientTransport?: Made;
  readonly StdioClientTransport?: Made;
}

/** Takes any result as it came: what a server sends is the model's and the application's to read. */
export const anyResult = {
  parse: (data: unknown) => data,
  safeParse: (data: unknown) => ({ success: true as const, data }),
  safeParseAsync: async (data: unknown) => ({ success: true as const, data }),
  "~standard": { version: 1 as const, vendor: "honeyguide", validate: (value: unknown) => ({ value }) },
};

/** The official package that is installed; 2.x when both are. */
export async function installedSdk(): Promise<McpSdk> {
  const version2: string = "@modelcontextprotocol/client";
  const version1: string = "@modelcontextprotocol/sdk/client";
  try {
    const [{ Client, StreamableHTTPClientTransport }, { StdioClientTransport }] = await Promise.all([
      import(version2),
      import(`${version2}/stdio`),
    ]);
    return { Client, StreamableHTTPClientTransport, StdioClientTransport };
  } catch (missing) {
    if (!isMissing(missing)) throw missing;
  }
  try {
    const [{ Client }, { StreamableHTTPClientTransport }, { StdioClientTransport }] = await Promise.all([
      import(`${version1}/index.js`),
      import(`${version1}/streamableHttp.js`),
      import(`${version1}/stdio.js`),
    ]);
    return { Client, StreamableHTTPClientTransport, StdioClientTransport };
  } catch (missing) {
    if (!isMissing(missing)) throw missing;
    throw new Error(
      "no MCP package is installed; run npm install @modelcontextprotocol/client, or pass `sdk`",
      { cause: missing },
    );
  }
}

function isMissing(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
}
