// What the model sees of a catalog: three tools, the same bytes in every request, and the tools that stay with the framework.

import assert from "node:assert/strict";
import { capabilityNames } from "honeyguide";
import { type Group, group, invoke, objectOf } from "../check.js";

const three = Object.values(capabilityNames);

export const definitions: Group = (bench) =>
  group("definitions", {
    "the model sees the three tools, in their order, and no tool of the catalog": async () => {
      const { view } = await bench.adapted({
        a: { description: "One tool", inputSchema: objectOf({}), execute: () => 1 },
        b: { description: "Another tool", inputSchema: objectOf({}), execute: () => 2 },
      });
      const { requests } = await bench.run(view, ["nothing"]);
      assert.deepEqual(
        requests[0]?.tools.map(({ name }) => name),
        three,
      );
    },

    "their bytes are the same in every request, whatever is searched, called and registered": async () => {
      const { hg, view } = await bench.adapted({
        grow: {
          description: "Adds a tool to the catalog",
          inputSchema: objectOf({}),
          execute: () => {
            hg.tools.register({ id: "late", description: "Came late", execute: () => "late" });
            return "grown";
          },
        },
      });
      const before = await bench.run(view, ["nothing"]);
      const { requests } = await bench.run(view, [
        [["c1", "search_capabilities", { query: "adds a tool" }]],
        [invoke("c2", "grow")],
        [invoke("c3", "late")],
      ]);
      const bytes = [...before.requests, ...requests].map(({ tools }) => JSON.stringify(tools));
      assert.equal(bytes.length, 5);
      assert.equal(new Set(bytes).size, 1);
    },

    "a tool that the application answers itself stays, as the object it was, behind the three, with the reason":
      async () => {
        const { view } = await bench.adapted({});
        const client = bench.harness.tool({ description: "Asks the user", inputSchema: objectOf({}) });
        const registration = await view.tools.register({ client });
        assert.equal(registration.added, 0);
        assert.deepEqual(
          registration.passthrough.map(({ id }) => id),
          ["client"],
        );
        assert.notEqual(registration.passthrough[0]?.reason ?? "", "");
        assert.deepEqual(view.passthrough(), registration.passthrough);
        assert.equal(view.modelTools()["client"], client);
        assert.deepEqual(Object.keys(view.modelTools()), [...three, "client"]);
      },
  });
