import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { honeyguide } from "../honeyguide.js";
import { ollamaEmbedder, openAIEmbedder } from "./index.js";

interface Asked {
  path: string | undefined;
  authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: what a protocol says.
  body: any;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.unstubAllEnvs();
});

/** A server that answers in turn, then always with the last; and what it was asked. */
async function serving(...answers: ((asked: Asked, response: ServerResponse) => void)[]) {
  const asked: Asked[] = [];
  const listener: RequestListener = async (request: IncomingMessage, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { url: path, headers } = request;
    const each = { path, authorization: headers.authorization, body: text === "" ? null : JSON.parse(text) };
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(each);
    answer?.(each, response);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, asked };
}

/** A vector that says which text it is of. */
const vectorOf = (text: string) => [text.length, 1];

function good({ body }: Asked, response: ServerResponse): void {
  const data = (body.input as string[]).map((text, index) => ({ index, embedding: vectorOf(text) }));
  response.end(JSON.stringify({ data: data.reverse() }));
}

function saying(status: number, body: string, headers: Record<string, string> = {}) {
  return (_asked: Asked, response: ServerResponse) => response.writeHead(status, headers).end(body);
}

const model = { model: "m", dimensions: 2, apiKey: "sk-CANARY-0123456789" };

/** Notes how long it was to wait, and does not. */
function waiting() {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  return { waits, wait };
}

describe("an OpenAI-compatible endpoint", () => {
  it("is asked in batches and gives the vectors in the order of the texts", async () => {
    const { baseURL, asked } = await serving(good);
    const embedder = openAIEmbedder({ ...model, baseURL, batchSize: 2, documentPrefix: "passage: " });
    const texts = ["a", "bb", "ccc"];
    expect(await embedder.embed(texts, "document")).toEqual(
      texts.map((text) => vectorOf(`passage: ${text}`)),
    );
    expect(asked.map(({ path, body }) => [path, body.input.length])).toEqual([
      ["/v1/embeddings", 2],
      ["/v1/embeddings", 1],
    ]);
    expect(asked[0]?.authorization).toBe(`Bearer ${model.apiKey}`);
    expect(asked[0]?.body).toMatchObject({ model: "m", encoding_format: "float" });
    expect(asked[0]?.body.dimensions).toBeUndefined();
  });

  it("takes its key from the environment, and shortens vectors where it is told to", async () => {
    vi.stubEnv("OPENAI_API_KEY", "from the environment");
    const { baseURL, asked } = await serving(good);
    const { apiKey: _, ...without } = model;
    await openAIEmbedder({ ...without, baseURL, shorten: true }).embed(["a"], "query");
    expect(asked[0]?.authorization).toBe("Bearer from the environment");
    expect(asked[0]?.body.dimensions).toBe(2);
  });

  it("is one model with another text before documents, and so has another revision", () => {
    const revisions = [
      {},
      { documentPrefix: "a" },
      { documentPrefix: "b" },
      { revision: "1", documentPrefix: "b" },
    ].map((more) => openAIEmbedder({ ...model, ...more }).revision);
    expect(new Set(revisions).size).toBe(4);
  });

  it.each([429, 408, 500, 503])(
    "is asked again after HTTP %d, as often as it is told, with growing waits",
    async (status) => {
      const { baseURL, asked } = await serving(saying(status, "later"));
      const { waits, wait } = waiting();
      const embedder = openAIEmbedder({ ...model, baseURL, maxRetries: 3 }, wait);
      await expect(embedder.embed(["a"], "query")).rejects.toMatchObject({ code: "embedding_failed" });
      expect(asked.length).toBe(4);
      const halves = [250, 500, 1000];
      expect(waits.map((ms, place) => ms >= (halves[place] ?? 0) && ms <= 2 * (halves[place] ?? 0))).toEqual([
        true,
        true,
        true,
      ]);
    },
  );

  it("waits as long as it is asked to, and a minute at the most", async () => {
    const late = saying(429, "", { "retry-after": "7" });
    const never = saying(503, "", { "retry-after": "99999" });
    const past = saying(503, "", { "retry-after": "Mon, 01 Jan 2024 00:00:00 GMT" });
    const { baseURL } = await serving(late, never, past, good);
    const { waits, wait } = waiting();
    await openAIEmbedder({ ...model, baseURL }, wait).embed(["a"], "query");
    expect(waits).toEqual([7_000, 60_000, 0]);
  });

  it.each([
    ["a refused key, which is not said", saying(401, `{"error":"bad key ${model.apiKey}"}`), "HTTP 401"],
    ["a page", saying(200, "<!doctype html><h1>hi</h1>"), "look at `baseURL`"],
    ["half an answer", saying(200, '{"data":['), "cannot be read"],
    ["no list", saying(200, '{"data":{}}'), "no list `data`"],
    ["too few vectors", saying(200, '{"data":[]}'), "0 vectors for 2 texts"],
    ["another length", saying(200, '{"data":[{"embedding":[1]},{"embedding":[1]}]}'), "1 numbers, not 2"],
    [
      "one place twice",
      saying(200, '{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}'),
      "one `index`",
    ],
    ["a place that is none", saying(200, '{"data":[{"index":9,"embedding":[1,2]}]}'), "`index`"],
    ["another place", saying(307, "", { location: "http://127.0.0.1:9/" }), "no answer"],
  ])("that gives %s fails with a reason", async (_what, answer, reason) => {
    const { baseURL } = await serving(answer);
    const failure = openAIEmbedder({ ...model, baseURL, maxRetries: 0 }).embed(["a", "b"], "document");
    await expect(failure).rejects.toMatchObject({
      code: "embedding_failed",
      message: expect.stringContaining(reason),
    });
    await failure.catch((thrown) => expect(String(thrown.message)).not.toContain("CANARY"));
  });

  it("is not asked again for what will not change", async () => {
    const { baseURL, asked } = await serving(saying(400, "no such model"));
    await expect(openAIEmbedder({ ...model, baseURL }).embed(["a"], "query")).rejects.toThrow(
      "no such model",
    );
    expect(asked.length).toBe(1);
  });

  it("that does not answer is given up, and asked again", async () => {
    const { baseURL, asked } = await serving(() => {}, good);
    const { wait } = waiting();
    const embedder = openAIEmbedder({ ...model, baseURL, requestTimeoutMs: 100, maxRetries: 100 }, wait);
    expect(await embedder.embed(["abc"], "query")).toEqual([vectorOf("abc")]);
    // A busy machine may miss the time more than once.
    expect(asked.length).toBeGreaterThan(1);
  });

  it("is not asked again by someone who gave up", async () => {
    const controller = new AbortController();
    const { baseURL, asked } = await serving(() => controller.abort(new Error("enough")));
    const embedding = openAIEmbedder({ ...model, baseURL }).embed(["a"], "query", {
      signal: controller.signal,
    });
    await expect(embedding).rejects.toThrow("enough");
    expect(asked.length).toBe(1);
  });

  it("that is down leaves the words to answer", async () => {
    const { baseURL } = await serving(saying(500, "no"));
    const embedder = openAIEmbedder({ ...model, baseURL, maxRetries: 0 });
    const hg = honeyguide({ embedder, method: "hybrid" });
    hg.tools.register({ id: "read_file", description: "Read a file", execute: () => 1 });
    await expect(hg.warmUp()).rejects.toMatchObject({ code: "embedding_failed" });
    expect((await hg.tools.searchAsync("read a file"))[0]?.id).toBe("read_file");
  });
});

describe("an Ollama server", () => {
  const told = (body: string) => saying(200, body);

  it("is asked for all texts at once", async () => {
    const { baseURL, asked } = await serving(told('{"embeddings":[[1,2],[3,4]]}'));
    const embedder = ollamaEmbedder({ model: "m", dimensions: 2, baseURL: baseURL.replace("/v1/", "") });
    expect(await embedder.embed(["a", "b"], "document")).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(asked).toMatchObject([
      { path: "/api/embed", body: { model: "m", input: ["a", "b"], truncate: true } },
    ]);
  });

  it("is found where the environment says", async () => {
    const { baseURL, asked } = await serving(told('{"embeddings":[[1,2]]}'));
    vi.stubEnv("OLLAMA_HOST", new URL(baseURL).host);
    await ollamaEmbedder({ model: "m", dimensions: 2 }).embed(["a"], "query");
    expect(asked.length).toBe(1);
  });

  it("that says something else fails with a reason", async () => {
    const { baseURL } = await serving(told('{"embedding":[1,2]}'));
    await expect(
      ollamaEmbedder({ model: "m", dimensions: 2, baseURL }).embed(["a"], "query"),
    ).rejects.toThrow("no list `embeddings`");
  });
});
