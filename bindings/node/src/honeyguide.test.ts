// The engine as an application holds it: visibility, conversations, servers, definitions, saving, adapting.
import { beforeEach, describe, expect, it } from "vitest";

import type { Adapter } from "./adapter.js";
import { type Honeyguide, honeyguide } from "./honeyguide.js";

let hg: Honeyguide;
beforeEach(() => {
  hg = honeyguide();
  hg.tools.register([
    { id: "mail__send", description: "Send an email", server: "mail", execute: () => "sent" },
    {
      id: "mail__delete",
      description: "Delete an email",
      server: "mail",
      tags: ["danger"],
      execute: () => "gone",
    },
    { id: "files__read", description: "Read a file", server: "files", execute: () => "text" },
  ]);
});

describe("options", () => {
  it("are checked when the engine opens", () => {
    expect(() => honeyguide({ tokenBudgt: 1 } as never)).toThrow(
      expect.objectContaining({ code: "invalid_request", category: "invalid_input" }),
    );
  });

  it("reach the engine", async () => {
    hg = honeyguide({ repairArguments: false });
    const inputSchema = { type: "object", properties: { n: { type: "integer" } } };
    hg.tools.register({ id: "a", inputSchema, execute: (args) => args });
    await expect(hg.tools.invoke("a", { n: "1" })).rejects.toMatchObject({ code: "invalid_arguments" });
  });
});

describe("modelTools", () => {
  it("are three, the same whatever is registered, in every format", () => {
    const before = JSON.stringify(hg.modelTools());
    const digest = hg.modelToolsDigest();
    hg.tools.register({ id: "more", description: "more", execute: () => 1 });
    hg.tools.search("more");
    expect(JSON.stringify(hg.modelTools())).toBe(before);
    expect(hg.modelToolsDigest()).toBe(digest);
    expect(hg.modelTools().map(({ name }) => name)).toEqual([
      "search_capabilities",
      "invoke_tool",
      "get_skill_content",
    ]);
    for (const format of ["openai", "anthropic", "gemini"] as const) {
      expect(hg.modelTools({ format, strict: true })).toHaveLength(3);
    }
    expect(hg.modelToolsDigest({ strict: true })).not.toBe(digest);
  });
});

describe("visibility", () => {
  const deny = { visible: { deny: { tags: ["danger"] } } };

  it("holds for one call: what is hidden answers as if it did not exist", async () => {
    const hidden = await hg.call("invoke_tool", { toolId: "mail__delete" }, deny);
    const unknown = await hg.call("invoke_tool", { toolId: "mail__delet" }, deny);
    expect(hidden).toMatchObject({ error: "unknown_tool", requested: "mail__delete" });
    expect(JSON.stringify(unknown)).not.toContain('mail__delete"');
    await expect(hg.tools.invoke("mail__delete", {}, deny)).rejects.toMatchObject({ code: "unknown_tool" });
    expect(hg.tools.search("delete an email", deny).map(({ id }) => id)).not.toContain("mail__delete");
    expect(() => hg.resolve({ toolId: "mail__delete" }, deny)).toThrow(
      expect.objectContaining({ code: "unknown_tool" }),
    );
  });

  it("holds for a conversation and for no other", async () => {
    const one = hg.session("one", deny);
    const other = hg.session("other");
    expect(await one.call("mail__delete", {})).toMatchObject({ error: "unknown_tool" });
    expect(await other.call("mail__delete", {})).toBe("gone");
    await expect(one.tools.invoke("mail__delete")).rejects.toMatchObject({ code: "unknown_tool" });
    expect(one.tools.search("delete an email").map(({ id }) => id)).not.toContain("mail__delete");
    expect(hg.tools.search("delete an email", { session: "one" }).map(({ id }) => id)).not.toContain(
      "mail__delete",
    );
  });

  it("of a conversation is not lifted by asking for it again, and cannot be widened by a call", async () => {
    hg.session("one", deny);
    expect(await hg.session("one").call("mail__delete", {})).toMatchObject({ error: "unknown_tool" });
    const wide = { visible: { allow: { ids: ["mail__delete"] } } };
    expect(await hg.session("one").call("mail__delete", {}, wide)).toMatchObject({ error: "unknown_tool" });
    hg.session("one", { visible: null });
    expect(await hg.session("one").call("mail__delete", {})).toBe("gone");
  });

  it("cannot be lost by a conversation without an id", () => {
    for (const id of [undefined, null, "", 7]) {
      expect(() => hg.session(id as never, deny)).toThrow(
        expect.objectContaining({ code: "invalid_request" }),
      );
    }
    expect(() => hg.session("\ud800", deny)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  it("is forgotten with the conversation", async () => {
    const session = hg.session("one", deny);
    session.end();
    expect(await hg.session("one").call("mail__delete", {})).toBe("gone");
  });

  it("is checked again after an approval", async () => {
    hg.tools.register({ id: "guarded", requiresApproval: true, execute: () => "ran" });
    const session = hg.session("one");
    const approve = () => {
      hg.session("one", { visible: { deny: { ids: ["guarded"] } } });
      return true;
    };
    expect(await session.call("guarded", {}, { approve })).toMatchObject({ error: "unknown_tool" });
  });
});

describe("rules of visibility", () => {
  it.each([
    ["a function", () => false],
    ["a symbol", Symbol("none")],
    ["a number", Number.NaN],
    ["a list", []],
    ["a function inside", { allow: () => 0 }],
    ["a function deeper inside", { deny: { ids: () => 1 } }],
  ])("that are %s are refused, not lost", async (_what, rules) => {
    const visible = rules as never;
    const coded = expect.objectContaining({ code: expect.stringMatching(/^invalid_(request|json)$/) });
    await expect(hg.call("search_capabilities", { query: "file" }, { visible })).rejects.toEqual(coded);
    expect(() => hg.session("s", { visible })).toThrow(coded);
    expect(() => hg.tools.search("file", { visible })).toThrow(coded);
    expect(() => hg.disclose({ mode: "suggest", visible })).toThrow(coded);
  });
});

describe("recall and resolve", () => {
  it("recall what a search would find, or null", async () => {
    expect(await hg.recall("send an email")).toMatchObject({ status: "ok" });
    expect(await hg.recall("quantum chromodynamics lattice")).toBeNull();
    expect(await hg.session("s").recall("read a file", { topKTools: 1 })).toMatchObject({ status: "ok" });
  });

  it("resolve repairs and validates and runs nothing", () => {
    const inputSchema = { type: "object", properties: { n: { type: "integer" } } };
    let ran = false;
    hg.tools.register({ id: "a", inputSchema, requiresApproval: true, execute: () => (ran = true) });
    expect(hg.resolve({ toolId: "a", args: { n: "1" } })).toMatchObject({
      toolId: "a",
      arguments: { n: 1 },
      requiresApproval: true,
      digest: expect.any(String),
    });
    expect(hg.resolve('{"toolId":"a","args":"{\\"n\\":2}"}')).toMatchObject({ arguments: { n: 2 } });
    expect(() => hg.resolve({ toolId: "a", args: { n: "x" } })).toThrow(
      expect.objectContaining({ code: "invalid_arguments" }),
    );
    expect(ran).toBe(false);
  });
});

describe("skills", () => {
  it("are read by the model, page by page", async () => {
    hg = honeyguide({ pageChars: 40 });
    const body = "first line of the skill\nsecond line of it\nthird line 😀\n";
    hg.skills.register({ id: "s", name: "Skill", description: "d", body, tools: [] });
    let read = "";
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const page: { body: string; nextOffset?: number } = (await hg.call("get_skill_content", {
        skillId: "s",
        offset,
      })) as never;
      read += page.body;
      offset = page.nextOffset;
    }
    expect(read).toBe(body);
  });
});

describe("servers", () => {
  it("are described, listed by name, and forgotten", async () => {
    hg.servers.set("mail", { description: "The mail server", instructions: "Be polite" });
    hg.servers.set("files", { status: "unavailable" });
    expect(hg.servers.list()).toEqual([
      { name: "files", status: "unavailable" },
      { name: "mail", description: "The mail server", instructions: "Be polite", status: "ready" },
    ]);
    expect(JSON.stringify(await hg.recall("send an email"))).toContain("The mail server");
    hg.servers.remove("mail");
    expect(hg.servers.list()).toHaveLength(1);
  });
});

describe("forModel", () => {
  it("says nothing twice, and cuts when asked", () => {
    const structuredContent = { a: 1 };
    const result = { content: [{ type: "text", text: '{"a":1}' }], structuredContent };
    expect(JSON.stringify(hg.forModel(result)).match(/a/g)?.length).toBeLessThan(
      JSON.stringify(result).match(/a/g)?.length ?? 0,
    );
    expect(
      JSON.stringify(
        hg.forModel({ content: [{ type: "text", text: "x".repeat(1000) }] }, { maxResultChars: 100 }),
      ).length,
    ).toBeLessThan(500);
    expect(hg.forModel(undefined)).toBeNull();
    expect(() => hg.forModel({ n: 1n })).toThrow(expect.objectContaining({ code: "invalid_json" }));
  });

  it("refuses a stream, which would be shown as nothing", () => {
    const stream = (async function* () {
      yield 1;
    })();
    expect(() => hg.forModel(stream)).toThrow(expect.objectContaining({ code: "invalid_json" }));
  });
});

describe("a conversation's rules", () => {
  it("are refused in the wrong place, never lost", () => {
    const misplaced = { deny: { servers: ["mail"] } } as object;
    expect(() => hg.session("guest", misplaced)).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });
});

describe("save and load", () => {
  it("bring back definitions, which are bound again by id", async () => {
    hg.skills.register({ id: "s", description: "A skill", body: "b" });
    hg.facts.register({ id: "f", body: "A fact" });
    hg.servers.set("mail", { description: "The mail server" });
    const other = honeyguide();
    other.load(hg.save());
    expect(other.tools.list()).toEqual(hg.tools.list());
    expect([other.skills.size, other.facts.size, other.servers.list().length]).toEqual([1, 1, 1]);
    expect(other.tools.search("send an email")).toEqual(hg.tools.search("send an email"));
    other.tools.bind("mail__send", (_, { toolId }) => `bound ${toolId}`);
    expect(await other.tools.invoke("mail__send")).toBe("bound mail__send");
  });

  it("keep the functions of tools that are still there, and no others", async () => {
    const bytes = hg.save();
    hg.tools.register({ id: "later", execute: () => "later" });
    hg.load(bytes);
    expect(await hg.tools.invoke("mail__send")).toBe("sent");
    expect(hg.tools.itemOf("later")).toBeUndefined();
  });

  it("bind only a function, and only to a tool that is there", () => {
    const bind = (id: string, execute: unknown) => () => hg.tools.bind(id, execute as never);
    expect(bind("nothing", () => 1)).toThrow(expect.objectContaining({ code: "unknown_tool" }));
    expect(bind("mail__send", "text")).toThrow(expect.objectContaining({ code: "missing_executor" }));
  });

  it("refuse bytes that are no snapshot, and change nothing", () => {
    for (const bytes of [new Uint8Array(), new TextEncoder().encode("{}"), hg.save().subarray(0, 40)]) {
      expect(() => hg.load(bytes)).toThrow(expect.objectContaining({ code: "invalid_snapshot" }));
    }
    expect(hg.tools.size).toBe(3);
  });
});

describe("adaptTo", () => {
  type Theirs = { about: string; run: (args: unknown) => unknown };
  const adapter: Adapter<Theirs, never> = {
    name: "theirs",
    toTool: (id, { about, run }) => ({ id, description: about, execute: run }),
    fromTools: (tools, host) =>
      Object.fromEntries(
        tools.map(({ name, description }) => [
          name,
          { about: description, run: (args) => host.call(name, args) },
        ]),
      ),
    toMessages: () => [],
  };

  it("runs their tools behind ours", async () => {
    const view = hg.adaptTo(adapter);
    await view.tools.register({ theirs: { about: "Does their thing", run: () => "theirs" } });
    expect(await view.modelTools()["invoke_tool"]?.run({ toolId: "theirs" })).toBe("theirs");
  });

  it("leaves a tool to the first that brought it, unless the application replaces it", async () => {
    const one = hg.adaptTo(adapter);
    const two = hg.adaptTo(adapter);
    const bring = (run: () => string) => ({ shared: { about: "shared", run } });
    await one.tools.register(bring(() => "one"));
    expect(await two.tools.register(bring(() => "two"))).toMatchObject({ added: 0, kept: ["shared"] });
    expect(await hg.tools.invoke("shared")).toBe("one");
    await one.tools.register(bring(() => "one again"));
    expect(await hg.tools.invoke("shared")).toBe("one again");
    hg.tools.register({ id: "shared", execute: () => "ours" });
    expect(await one.tools.register(bring(() => "one"))).toMatchObject({ kept: ["shared"] });
    expect(await hg.tools.invoke("shared")).toBe("ours");
  });
});

describe("diagnose", () => {
  it("says which schemas do not compile; the tools stay callable", async () => {
    hg.tools.register({ id: "odd", inputSchema: { type: "no such type" }, execute: () => "ran" });
    expect(hg.diagnose()).toMatchObject([{ code: "invalid_schema", id: "odd", kind: "tool" }]);
    expect(await hg.tools.invoke("odd", {})).toBe("ran");
  });
});
