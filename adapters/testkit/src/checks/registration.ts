// What becomes of tools that are handed over: kept as the objects they are, and one that is wrong never takes the others with it.

import assert from "node:assert/strict";
import { capabilityNames } from "honeyguide";
import { type Bench, type Group, group, invoke, objectOf, readOf, text } from "../check.js";

export const registration: Group = (bench) => {
  const { harness } = bench;
  const good = () =>
    harness.tool({ description: "A good tool", inputSchema: objectOf({}), execute: () => "ran" });

  /** Registers something wrong beside a good tool; both the diagnostics and the good tool are looked at. */
  const beside = async (wrong: unknown) => {
    const { hg, view } = await bench.adapted({});
    const tools = { wrong: wrong as ReturnType<typeof good>, good: good() };
    const { added, diagnostics } = await view.tools.register(tools);
    assert.equal(added, 1);
    assert.deepEqual(
      diagnostics.map(({ id, severity }) => [id, severity]),
      [["wrong", "error"]],
    );
    assert.notEqual(hg.tools.get("good"), null);
    return diagnostics[0]?.message ?? "";
  };

  return group("registration", {
    "a schema goes into the catalog as it came": async () => {
      const inputSchema = {
        type: "object",
        properties: { city: { type: "string", description: "which" }, days: { type: "integer", minimum: 1 } },
        required: ["city"],
      };
      const { hg } = await bench.adapted({
        forecast: { description: "Forecast", inputSchema, execute: () => 7 },
      });
      const { inputSchema: kept, description } = hg.tools.get("forecast") ?? {};
      // A framework may add what it says of every schema, such as a dialect.
      assert.deepEqual({ ...(kept as object), ...inputSchema }, kept);
      assert.equal(description, "Forecast");
    },

    "several records are taken at once": async () => {
      const { hg, view } = await bench.adapted({});
      const { added } = await view.tools.register([{ a: good() }, { b: good() }]);
      assert.deepEqual([added, hg.tools.size], [2, 2]);
    },

    "a tool is not changed by being registered and called, and may be frozen": async () => {
      const { view } = await bench.adapted({});
      const tool = Object.freeze(good() as object) as ReturnType<typeof good>;
      const tools = Object.freeze({ tool });
      const before = Reflect.ownKeys(tool as object).map((key) => Reflect.get(tool as object, key));
      await view.tools.register(tools);
      const outcome = await bench.run(view, [[invoke("c1", "tool")]]);
      assert.equal(readOf(outcome, "c1"), "ran");
      assert.deepEqual(
        Reflect.ownKeys(tool as object).map((key) => Reflect.get(tool as object, key)),
        before,
      );
      assert.deepEqual(Object.keys(tools), ["tool"]);
    },

    "a getter that throws is reported with the tool's name, and the others stand": async () => {
      const wrong = Object.defineProperty({ ...(good() as object) }, "description", {
        enumerable: true,
        get: () => {
          throw new Error("no description today");
        },
      });
      assert.match(await beside(wrong), /no description today/);
    },

    "something that is no tool is reported with its name, and the others stand": async () => {
      for (const wrong of [undefined, null, "a tool", 7]) await beside(wrong);
    },

    "a reserved id is refused, and the others stand": async () => {
      for (const id of Object.values(capabilityNames)) {
        const { view } = await bench.adapted({});
        const { added, diagnostics } = await view.tools.register({ [id]: good(), good: good() });
        assert.equal(added, 1);
        assert.deepEqual(
          diagnostics.map(({ code, id: which }) => [code, which]),
          [["reserved_id", id]],
        );
      }
    },

    "the first view to bring an id keeps it; the application's own tool takes its place": async () => {
      const { hg, view } = await bench.adapted({ a: named("First") });
      const other = hg.adaptTo(harness.adapter);
      const second = await other.tools.register({ a: harness.tool(named("Second")) });
      assert.deepEqual(second.kept, ["a"]);
      assert.equal(hg.tools.get("a")?.description, "First");
      hg.tools.register({ id: "a", description: "Third", execute: () => "third" });
      const outcome = await bench.run(view, [[invoke("c1", "a")]]);
      assert.equal(readOf(outcome, "c1"), "third");
    },

    "a tool of any name is called by it, also one that objects have of themselves": async () => {
      const ids = ["constructor", "toString", "__proto__", "with space", "a.b/c", "werkzeug-ü"];
      const wanted = Object.fromEntries(ids.map((id) => [id, named(id)]));
      const { view } = await bench.adapted(wanted);
      const made = ids.map((id, place) => invoke(`c${place}`, id));
      const outcome = await bench.run(view, [made]);
      // `{ "__proto__": … }` of an object literal is no property, so `fromEntries` is what makes it one.
      assert.deepEqual(
        ids.map((_, place) => readOf(outcome, `c${place}`)),
        ids.map((id) => `I am ${id}`),
      );
    },

    "hundreds of tools are one registration": async () => {
      const wanted = Object.fromEntries(
        Array.from({ length: 300 }, (_, n) => [`tool_${n}`, named(`number ${n}`)]),
      );
      const { hg, view } = await bench.adapted(wanted);
      assert.equal(hg.tools.size, 300);
      const outcome = await bench.run(view, [[invoke("c1", "tool_299")]]);
      assert.equal(readOf(outcome, "c1"), "I am number 299");
    },
  });
};

function named(name: string): Parameters<Bench<unknown, unknown, object>["harness"]["tool"]>[0] {
  return { description: name, inputSchema: objectOf({ note: text }), execute: () => `I am ${name}` };
}
