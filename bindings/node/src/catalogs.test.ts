// Catalogs through the engine: one bad item never takes the others with it, and no id means anything special.
import { beforeEach, describe, expect, it } from "vitest";

import { isHoneyguideError } from "./error.js";
import { type Honeyguide, honeyguide } from "./honeyguide.js";
import type { Tool } from "./tool.js";

let hg: Honeyguide;
beforeEach(() => {
  hg = honeyguide();
});

function tool(id: string, description = "", more: object = {}): Tool {
  return { id, description, execute: () => id, ...more };
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    return isHoneyguideError(error) ? error.code : String(error);
  }
  return undefined;
}

describe("register", () => {
  it("counts what it did", () => {
    expect(hg.tools.register([tool("a", "one"), tool("b", "two")])).toMatchObject({ added: 2, rejected: [] });
    expect(hg.tools.register([tool("a", "one"), tool("b", "other")])).toMatchObject({
      unchanged: 1,
      replaced: 1,
    });
    expect(hg.tools.size).toBe(2);
  });

  it("gives back what was registered, and finds it at once", () => {
    hg.tools.register(tool("send_mail", "Send an email to someone", { tags: ["mail"] }));
    expect(hg.tools.get("send_mail")).toEqual({
      id: "send_mail",
      description: "Send an email to someone",
      tags: ["mail"],
    });
    expect(hg.tools.search("send an email")).toMatchObject([{ id: "send_mail", rank: 0 }]);
    expect(hg.tools.get("nothing")).toBeNull();
  });

  it.each([
    ["no object", "text", "invalid_item"],
    ["nothing", null, "invalid_item"],
    ["no id", { execute: () => 1 }, "invalid_item"],
    ["an empty id", tool(""), "invalid_id"],
    ["NUL in the id", tool("a\0b"), "invalid_id"],
    ["an invisible character in the id", tool("a\u200bb"), "invalid_id"],
    ["a capability tool's id", tool("invoke_tool"), "reserved_id"],
    ["an id over 512 bytes", tool("x".repeat(513)), "invalid_id"],
    ["half a surrogate pair in the id", tool("a\ud800"), "invalid_json"],
    ["half a surrogate pair in the text", tool("a", "\udc00"), "invalid_json"],
    ["NaN", tool("a", "", { inputSchema: { maximum: Number.NaN } }), "invalid_json"],
    ["a big integer", tool("a", "", { inputSchema: { maximum: 10n } }), "invalid_json"],
    ["a schema that is a promise", tool("a", "", { inputSchema: Promise.resolve({}) }), "invalid_schema"],
    ["no function", { id: "a", description: "b" }, "missing_executor"],
    ["a number for a description", tool("a", 7 as never), "invalid_item"],
  ])("refuses %s, alone by throwing, in a batch by a diagnostic", (_, item, code) => {
    expect(codeOf(() => hg.tools.register(item as Tool))).toBe(code);
    const { added, rejected, diagnostics } = hg.tools.register([tool("before"), item as Tool, tool("after")]);
    expect({ added, rejected }).toEqual({ added: 2, rejected: [1] });
    expect(diagnostics).toMatchObject([{ code, severity: "error", kind: "tool", index: 1 }]);
    expect(hg.tools.list().map(({ id }) => id)).toEqual(["before", "after"]);
  });

  it("names the id and the place of what it refuses", () => {
    const cyclic: Record<string, unknown> = { type: "object" };
    cyclic["properties"] = { self: cyclic };
    const throwing = {
      id: "throws",
      get description(): never {
        throw new Error("no");
      },
      execute: () => 1,
    };
    const { diagnostics } = hg.tools.register([
      tool("good"),
      tool("cycle", "", { inputSchema: cyclic }),
      throwing,
    ]);
    expect(diagnostics).toMatchObject([
      { code: "invalid_json", id: "cycle", path: "/inputSchema/properties/self" },
      { code: "invalid_json", id: "throws", path: "/description", message: expect.stringContaining("no") },
    ]);
    expect(hg.tools.size).toBe(1);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "工具", "a.b/c:d", "😀"])(
    "takes %s for an id like any other",
    async (id) => {
      hg.tools.register(tool(id, "does something"));
      expect(hg.tools.get(id)).toEqual({ id, description: "does something" });
      expect(await hg.tools.invoke(id)).toBe(id);
      expect(await hg.call("invoke_tool", { toolId: id, args: {} })).toBe(id);
      expect(hg.tools.remove(id)).toEqual([id]);
      expect(hg.tools.size).toBe(0);
    },
  );

  it("keeps a schema as it came in", () => {
    const inputSchema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      "x-vendor": [{ "\ud83d\ude00": "\u0000" }],
      properties: { __proto__x: { maximum: 5_000_000_000, enum: [1, null, "a", true] } },
      $defs: { node: { properties: { next: { $ref: "#/$defs/node" } } } },
    };
    hg.tools.register(tool("a", "finds things", { inputSchema }));
    const [hit] = hg.tools.search("finds things", { include: ["schema", "item"] });
    expect(hit?.inputSchema).toEqual(inputSchema);
    expect(JSON.stringify(hit?.item)).toBe(
      JSON.stringify({ id: "a", description: "finds things", inputSchema }),
    );
  });

  it("leaves what it was given as it was", () => {
    const deepFreeze = <Value>(value: Value): Value => {
      if (typeof value === "object" && value !== null)
        Object.values(Object.freeze(value)).forEach(deepFreeze);
      return value;
    };
    const items = deepFreeze([tool("a", "one", { inputSchema: { type: "object" }, tags: ["x"] })]);
    expect(hg.tools.register(items)).toMatchObject({ added: 1 });
  });

  it("takes skills and facts, which need no function", () => {
    hg.skills.register({
      id: "release",
      description: "Cut a release",
      body: "# Steps\n1. tag",
      tools: ["git__tag"],
    });
    hg.facts.register([{ id: "tz", body: "The office is in Oslo" }]);
    expect(hg.skills.search("cut a release")[0]?.id).toBe("release");
    expect(hg.facts.search("where is the office")[0]?.id).toBe("tz");
    expect(codeOf(() => hg.skills.register({ id: "" }))).toBe("invalid_id");
  });
});

describe("replacing and removing", () => {
  it("replaces the function with the definition", async () => {
    hg.tools.register(tool("a"));
    hg.tools.register({ id: "a", execute: () => "second" });
    expect(await hg.tools.invoke("a")).toBe("second");
    expect(hg.tools.size).toBe(1);
  });

  it("keeps the function of a tool whose replacement is refused", async () => {
    hg.tools.register(tool("a", "works"));
    hg.tools.register([{ id: "a", description: Number.NaN as never, execute: () => "broken" }]);
    expect(await hg.tools.invoke("a")).toBe("a");
  });

  it("lets the functions of replaced tools go", async () => {
    hg.tools.register([tool("old"), tool("kept")]);
    expect(hg.tools.replaceAll([tool("kept"), tool("new")])).toMatchObject({ added: 1, removed: 1 });
    expect(hg.tools.itemOf("old")).toBeUndefined();
    expect(await hg.tools.invoke("new")).toBe("new");
    await expect(hg.tools.invoke("old")).rejects.toMatchObject({
      code: "unknown_tool",
      category: "not_found",
    });
  });

  it("says which of the ids it removed", () => {
    hg.tools.register([tool("a"), tool("b"), tool("c")]);
    expect(hg.tools.remove(["a", "nothing", "c"])).toEqual(["a", "c"]);
    expect(hg.tools.remove("a")).toEqual([]);
    expect(hg.tools.list().map(({ id }) => id)).toEqual(["b"]);
  });

  it("pages in the order of registration", () => {
    hg.tools.register(["c", "a", "b"].map((id) => tool(id)));
    expect(hg.tools.list({ offset: 1, limit: 1 }).map(({ id }) => id)).toEqual(["a"]);
  });
});

describe("search", () => {
  beforeEach(() => {
    hg.tools.register([
      tool("github__create_issue", "Create an issue in a repository", { server: "github", tags: ["write"] }),
      tool("github__list_issues", "List the issues of a repository", {
        server: "github",
        annotations: { readOnlyHint: true },
      }),
      tool("jira__create_issue", "Create an issue in a project", { server: "jira", tags: ["write"] }),
    ]);
  });

  it("answers the same at once and off the event loop", async () => {
    const now = hg.tools.search("create an issue");
    expect(now.length).toBeGreaterThan(0);
    expect(await hg.tools.searchAsync("create an issue")).toEqual(now);
  });

  it("cuts, skips and filters", () => {
    const ids = (options: object) => hg.tools.search("issue", options).map(({ id }) => id);
    expect(ids({ topK: 1 })).toHaveLength(1);
    expect(ids({ offset: 1 })).toEqual(ids({}).slice(1));
    expect(ids({ filter: { servers: ["jira"] } })).toEqual(["jira__create_issue"]);
    expect(ids({ filter: { readOnly: true } })).toEqual(["github__list_issues"]);
    expect(ids({ visible: { deny: { tags: ["write"] } } })).toEqual(["github__list_issues"]);
    expect(ids({ minScore: 1e9 })).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "takes the default for a topK of %d",
    (topK) => {
      expect(hg.tools.search("issue", { topK })).toEqual(hg.tools.search("issue"));
    },
  );

  it("survives any query", () => {
    for (const query of ["", " ", "\0", "create\ud83d", "\ud800", "a".repeat(100_000), "'\"\\", "日本"]) {
      expect(Array.isArray(hg.tools.search(query))).toBe(true);
    }
  });

  it("takes one item in place of a list as a list of one", () => {
    hg.facts.register({ id: "old", body: "b" });
    hg.facts.replaceAll({ id: "only", body: "b" } as never);
    expect(hg.facts.list().map((fact) => fact.id)).toEqual(["only"]);
  });

  it("says that a method needs an embedder", () => {
    expect(codeOf(() => hg.tools.search("issue", { method: "semantic" }))).toBe("method_unavailable");
    expect(codeOf(() => hg.tools.search("issue", { methd: "x" } as never))).toBe("invalid_request");
  });
});

describe("several needs", () => {
  beforeEach(() => {
    hg.tools.register([
      tool("mail__send", "Send an email to somebody"),
      tool("mail__search", "Search the mailbox"),
      tool("weather__forecast", "Weather forecast for a city"),
    ]);
  });

  it("share a page, and each says what became of it", () => {
    const { needs, hits } = hg.tools.searchNeeds(["send an email", "quantum physics", "weather"], {
      topK: 2,
    });
    expect(needs.map(({ status }) => status)).toEqual(["ok", "no_match", "ok"]);
    expect(hits.map(({ id, needs, rank }) => [id, needs, rank])).toEqual([
      ["mail__send", [0], 0],
      ["weather__forecast", [2], 1],
    ]);
  });

  it("may be one, with the hits of a search and its status", () => {
    const { needs, hits } = hg.tools.searchNeeds("weather");
    expect(needs).toEqual([{ query: "weather", status: "ok", total: 1 }]);
    expect(hits.map(({ needs, ...hit }) => hit)).toEqual(hg.tools.search("weather"));
  });

  it("are searched for within a conversation and in every catalog", () => {
    const guest = hg.session("guest", { visible: { deny: { servers: ["mail"] } } });
    expect(guest.tools.searchNeeds(["send an email"]).hits).toEqual([]);
    hg.facts.register({ id: "lunch", body: "Lunch is at noon." });
    hg.skills.register({ id: "tidy", description: "Tidy a folder up", body: "List it." });
    expect(hg.facts.searchNeeds(["when is lunch"]).hits[0]?.id).toBe("lunch");
    expect(hg.skills.searchNeeds(["tidy up"]).hits[0]?.id).toBe("tidy");
  });

  it("are bounded, and of the right type", () => {
    expect(codeOf(() => hg.tools.searchNeeds(Array.from({ length: 17 }, () => "x")))).toBe("too_many_needs");
    for (const queries of [undefined, null, 5, [7], {}]) {
      expect(codeOf(() => hg.tools.searchNeeds(queries as never))).toBe("invalid_request");
    }
    expect(hg.tools.searchNeeds(["create\ud83d"]).needs).toHaveLength(1);
  });
});

describe("an explanation", () => {
  it("has parts that add up to the score", () => {
    hg.tools.register(tool("mail__send", "Send a mail to somebody", { tags: ["mail"] }));
    const [hit] = hg.tools.search("send somebody a mail", { explain: true });
    const parts = hit?.explanation?.parts ?? [];
    expect(parts.map(({ word, field }) => `${word} ${field}`)).toContain("mail tags");
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(hit?.score);
    expect(hg.tools.search("mail")[0]).not.toHaveProperty("explanation");
  });
});
