// A schema of any library becomes JSON Schema, or a clear word; never silently an empty one.
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as valibot from "valibot";
import { describe, expect, it } from "vitest";
import * as zod from "zod";
import * as zodMini from "zod/mini";
import * as zod3 from "zod3";

import { toJsonSchema, validatorOf } from "./schema.js";

const city = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};

describe("toJsonSchema", () => {
  it.each([
    ["zod 4", zod.object({ city: zod.string() })],
    ["zod 4 mini", zodMini.object({ city: zodMini.string() })],
    ["zod 3", zod3.z.object({ city: zod3.z.string() })],
    ["arktype", type({ city: "string" })],
    ["valibot", valibot.object({ city: valibot.string() })],
    ["valibot with its own JSON Schema", toStandardJsonSchema(valibot.object({ city: valibot.string() }))],
  ])("reads %s", (_, schema) => {
    expect(toJsonSchema(schema)).toMatchObject(city);
  });

  it("reads a zod 4 schema that does not offer JSON Schema itself", () => {
    const schema = zod.object({ city: zod.string() });
    const older = {
      _zod: schema._zod,
      "~standard": { version: 1, vendor: "zod", validate: () => ({ value: 1 }) },
    };
    expect(toJsonSchema(older)).toMatchObject(city);
  });

  it("reads a zod 3 schema from before Standard Schema", () => {
    const schema = zod3.z.object({ city: zod3.z.string() });
    expect(toJsonSchema({ _def: schema._def })).toMatchObject(city);
  });

  it("lets a model leave out what has a default", () => {
    const four = toJsonSchema(zod.object({ n: zod.number().default(3) })) as { required?: string[] };
    const three = toJsonSchema(zod3.z.object({ n: zod3.z.number().default(3) })) as { required?: string[] };
    expect([four.required ?? [], three.required ?? []]).toEqual([[], []]);
  });

  it("does not forbid keys that the library itself accepts", () => {
    for (const schema of [zod.object({ a: zod.string() }), zod3.z.object({ a: zod3.z.string() })]) {
      expect((toJsonSchema(schema) as { additionalProperties?: unknown }).additionalProperties).not.toBe(
        false,
      );
    }
  });

  it("reads recursive schemas of both zods without running in circles", () => {
    const node = zod.object({
      name: zod.string(),
      get children() {
        return zod.array(node);
      },
    });
    interface Node {
      name: string;
      children: Node[];
    }
    const node3: zod3.z.ZodType<Node> = zod3.z.lazy(() =>
      zod3.z.object({ name: zod3.z.string(), children: zod3.z.array(node3) }),
    );
    for (const schema of [node, node3]) {
      expect(JSON.stringify(toJsonSchema(schema))).toContain("$ref");
    }
  });

  it("returns plain JSON Schema as it is, by identity", () => {
    for (const schema of [city, true, null, undefined, {}]) expect(toJsonSchema(schema)).toBe(schema);
  });

  it("refuses a schema that came out empty though it asks for something", () => {
    const standard = { version: 1, vendor: "other", validate: () => ({ value: 1 }) };
    const emptied = (schema: object) => ({
      "~standard": { ...standard, jsonSchema: { input: () => schema } },
    });
    expect(() => toJsonSchema(emptied({ $schema: "x" }))).toThrow(/empty/);
    expect(() =>
      toJsonSchema({ ...emptied({ type: "object", properties: {} }), _zod: { def: { shape: { city: 1 } } } }),
    ).toThrow(/empty/);
  });

  it("accepts schemas that ask for nothing", () => {
    expect(toJsonSchema(zod.object({}))).toMatchObject({ type: "object" });
    expect(toJsonSchema(zod.any())).toBeTypeOf("object");
  });

  it.each([
    ["a promise", Promise.resolve(city), /await/],
    ["a function", () => city, /function/],
    ["a library without JSON Schema", { "~standard": { version: 1, vendor: "other" } }, /other/],
    ["a type that JSON cannot say", zod.object({ when: zod.date() }), /Date/],
    [
      "a schema that is only there later",
      { "~standard": { version: 1, vendor: "other", jsonSchema: { input: async () => city } } },
      /asynchronously/,
    ],
  ])("refuses %s", (_, schema, words) => {
    expect(() => toJsonSchema(schema)).toThrow(words);
  });
});

describe("validatorOf", () => {
  it("is the library's own check, with its defaults", async () => {
    const check = validatorOf(zod.object({ n: zod.number().default(3) }));
    expect(await check?.({})).toMatchObject({ value: { n: 3 } });
  });

  it("is absent for plain JSON Schema", () => {
    expect(validatorOf(city)).toBeUndefined();
  });
});
