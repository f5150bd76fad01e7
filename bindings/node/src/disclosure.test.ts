import { describe, expect, it } from "vitest";
import { Disclosing, type Disclosure } from "./disclosure.js";
import { honeyguide } from "./honeyguide.js";

function disclosing(disclosure: Disclosure, ...ids: string[]) {
  const hg = honeyguide();
  hg.tools.register(ids.map((id) => ({ id, description: `Does ${id}`, execute: () => id })));
  return { hg, disclosing: new Disclosing(hg, disclosure, () => [{ id: "kept" }]) };
}

const three = ["search_capabilities", "invoke_tool", "get_skill_content"];

describe("the definitions of a view", () => {
  it("are the three for the funnel, whatever is registered", () => {
    const { disclosing: view } = disclosing({}, "a");
    expect(view.definitions().map(({ name }) => name)).toEqual(three);
    expect(view.names().size).toBe(0);
  });

  it.each(["replace", "suggest", "auto"] as const)(
    "are those of every tool for %s, with their ids",
    (mode) => {
      const { disclosing: view } = disclosing({ mode }, "a", "b c");
      const ids = view.definitions().map((tool) => ("toolId" in tool ? tool.toolId : undefined));
      expect(ids).toEqual([undefined, undefined, undefined, "a", "b c"]);
      expect([...view.names().values()]).toEqual(["a", "b c"]);
    },
  );

  it("are strict where a host forces it, and those of the catalog are not", () => {
    const { disclosing: view } = disclosing({ mode: "suggest" }, "a");
    const [search, , , a] = view.definitions({ strict: true });
    expect(search?.inputSchema["additionalProperties"]).toBe(false);
    expect(a?.inputSchema["additionalProperties"]).toBeUndefined();
  });
});

describe("a disclosure that is none", () => {
  it.each([{ mode: "fun" }, { bogus: 1 }, { mode: "auto", share: 2 }])(
    "is refused at once: %o",
    (disclosure) => {
      const adapter = {
        name: "none",
        toTool: () => ({ passthrough: "" }),
        fromTools: () => ({}),
        toMessages: () => [],
      };
      const made = () => honeyguide().adaptTo(adapter, { disclosure: disclosure as Disclosure });
      expect(made).toThrow(expect.objectContaining({ code: "invalid_request" }));
    },
  );
});

describe("what one request lists", () => {
  it("is everything there is for the funnel and for suggest", async () => {
    expect(await disclosing({}, "a").disclosing.listed("a")).toBeUndefined();
    expect(await disclosing({ mode: "suggest" }, "a").disclosing.listed("a")).toBeUndefined();
  });

  it("is the three, the best few, what stays with the framework, and what the application lists", async () => {
    const { disclosing: view } = disclosing(
      { mode: "replace", topK: 1, alongside: ["own"] },
      "alpha",
      "beta",
    );
    expect(await view.listed("does beta")).toEqual([...three, "beta", "kept", "own"]);
  });

  it("remembers whether the request before listed everything", async () => {
    const { hg, disclosing: view } = disclosing({ mode: "auto", contextTokens: 550 }, "alpha");
    expect(await view.listed("")).toBeUndefined();
    hg.tools.register({ id: "beta", description: "x".repeat(60), execute: () => 1 });
    expect(await view.listed("")).toEqual([...three, "kept"]);
    // Small enough for a list that is there, too large for one that is to come back.
    hg.tools.register({ id: "beta", description: "", execute: () => 1 });
    expect(
      await new Disclosing(hg, { mode: "auto", contextTokens: 550 }, () => []).listed(""),
    ).toBeUndefined();
    expect(await view.listed("")).toEqual([...three, "kept"]);
  });
});

describe("what is recalled", () => {
  it("is a search for the funnel, a hint for suggest, and nothing where the tools are listed", async () => {
    const of = async (disclosure: Disclosure) => {
      const found = await disclosing(disclosure, "alpha").disclosing.recalled("does alpha");
      return found && [found.tools.groups.length, typeof found.hint];
    };
    expect(await of({})).toEqual([1, "undefined"]);
    expect(await of({ mode: "suggest" })).toEqual([0, "string"]);
    expect(await of({ mode: "replace" })).toBeNull();
    expect(await of({ mode: "auto" })).toBeNull();
    expect(await of({ mode: "auto", contextTokens: 10 })).toEqual([1, "undefined"]);
  });
});
