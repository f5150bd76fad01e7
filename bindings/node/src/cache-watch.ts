// Says how much of each request to a model is the beginning of the one before: what a provider's prompt cache can hold.
// Knows no framework: it is shown requests in whatever shape a framework sends them.

/** A request as a framework sends it: providers cache the definitions first, then the messages in their order. */
export interface WatchedRequest {
  readonly tools: unknown;
  readonly messages: readonly unknown[];
}

/** One request, compared with the one before. */
export interface CacheStep {
  /** The whole request, in bytes of JSON. */
  bytes: number;
  /** The first byte that is not as before; null when the request before is the whole beginning of this one. */
  firstDifferingByte: number | null;
  /** What holds that byte: `tools`, or a message by its place, such as `messages[2]`. */
  cause: string | null;
}

/** How many requests are remembered. */
const remembered = 1000;

/** Watches the requests of one conversation. */
export class CacheWatch {
  readonly #steps: CacheStep[] = [];
  #before: readonly Part[] | undefined;

  /** Takes a request in, in the order in which they are sent. */
  note({ tools, messages }: WatchedRequest): void {
    const parts = [
      partOf("tools", tools),
      ...messages.map((message, place) => partOf(`messages[${place}]`, message)),
    ];
    const difference = this.#before && differenceOf(this.#before, parts);
    this.#steps.push({
      bytes: parts.reduce((sum, { bytes }) => sum + bytes.length, 0),
      firstDifferingByte: difference?.byte ?? null,
      cause: difference?.cause ?? null,
    });
    if (this.#steps.length > remembered) this.#steps.shift();
    this.#before = parts;
  }

  /** What was found, request by request. */
  report(): CacheStep[] {
    return this.#steps.map((step) => ({ ...step }));
  }
}

/** A piece of a request that is serialised by itself. */
interface Part {
  readonly cause: string;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

function partOf(cause: string, value: unknown): Part {
  return { cause, bytes: encoder.encode(JSON.stringify(value) ?? "null") };
}

function differenceOf(
  before: readonly Part[],
  now: readonly Part[],
): { byte: number; cause: string } | undefined {
  let byte = 0;
  for (const [place, { cause, bytes }] of before.entries()) {
    const next = now[place]?.bytes;
    const same = next ? sharedBytes(bytes, next) : 0;
    // A message that is gone differs where it would have begun.
    if (!next || same < bytes.length || same < next.length) return { byte: byte + same, cause };
    byte += same;
  }
  return undefined;
}

function sharedBytes(one: Uint8Array, other: Uint8Array): number {
  const end = Math.min(one.length, other.length);
  let place = 0;
  while (place < end && one[place] === other[place]) place += 1;
  return place;
}
