// From a schema of any library to JSON Schema, and from its type to the arguments of `execute`.
// Knows nothing of tools, and loads a converter only when a schema needs one.

import { loadOptional } from "./optional.js";

/** A schema that follows Standard Schema (zod, valibot, arktype and others do). */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a Standard Schema says of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** The arguments that `execute` receives for a schema of this type. */
export type ArgumentsOf<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : PlainArguments
  : Schema extends { readonly _output: infer Output }
    ? Output
    : PlainArguments;

// biome-ignore lint/suspicious/noExplicitAny: plain JSON Schema says nothing to the compiler; users narrow it themselves.
export type PlainArguments = Record<string, any>;

/** Which side of a schema: what goes in, or what comes out after defaults and transforms. */
export type Side = "input" | "output";

/** The JSON Schema of any kind of schema; plain JSON Schema is returned as it is. Throws when there is none. */
export function toJsonSchema(source: unknown, side: Side = "input"): unknown {
  if (isThenable(source)) throw new Error("the schema is a promise; await it first");
  if (!isForeign(source)) {
    if (typeof source === "function") throw new Error("the schema is a function; pass the schema itself");
    return source;
  }
  const written = convert(source, side);
  if (isThenable(written))
    throw new Error("the schema's JSON Schema is only there asynchronously; pass plain JSON Schema");
  if (typeof written !== "object" || written === null)
    throw new Error("the schema's JSON Schema is not an object");
  if (isEmptied(source, written)) {
    throw new Error(
      "the schema became an empty JSON Schema, so a model would see no arguments; pass plain JSON Schema",
    );
  }
  return written;
}

/** The schema's own check of a value (defaults and transforms applied), when it has one. */
export function validatorOf(source: unknown): StandardSchema["~standard"]["validate"] | undefined {
  if (!isForeign(source)) return undefined;
  const standard = source["~standard"];
  return typeof standard?.validate === "function" ? (value) => standard.validate(value) : undefined;
}

/** What schema libraries put on their schemas. */
interface Foreign {
  "~standard"?: StandardSchema["~standard"] & {
    jsonSchema?: Partial<Record<Side, (options: object) => unknown>>;
  };
  _zod?: { def?: Definition };
  _def?: Definition;
  shape?: unknown;
  toJsonSchema?: unknown;
}

interface Definition {
  type?: unknown;
  typeName?: unknown;
  shape?: unknown;
}

function isForeign(source: unknown): source is Foreign {
  if ((typeof source !== "object" && typeof source !== "function") || source === null) return false;
  return "~standard" in source || "_zod" in source || isZod3(source);
}

function isZod3(source: Foreign): boolean {
  return typeof source._def?.typeName === "string" && source._zod === undefined;
}

function convert(source: Foreign, side: Side): unknown {
  const standard = source["~standard"];
  const own = standard?.jsonSchema?.[side];
  if (own) return own.call(standard?.jsonSchema, { target: "draft-2020-12" });
  if (source._zod) {
    return through("zod 4", "zod", ["zod/v4/core", "zod"], "toJSONSchema", source, { io: side });
  }
  if (isZod3(source)) {
    // Unlike the converter, zod 3 itself accepts keys that an object schema does not name.
    const options = { removeAdditionalStrategy: "strict", pipeStrategy: side, effectStrategy: "input" };
    return through("zod 3", "zod-to-json-schema", ["zod-to-json-schema"], "zodToJsonSchema", source, options);
  }
  if (standard?.vendor === "valibot") {
    const name = "@valibot/to-json-schema";
    return through("valibot", name, [name], "toJsonSchema", source, { typeMode: side });
  }
  if (typeof source.toJsonSchema === "function") return source.toJsonSchema();
  throw new Error(
    `a schema of ${standard?.vendor ?? "this library"} offers no JSON Schema; pass plain JSON Schema`,
  );
}

function through(
  library: string,
  install: string,
  names: string[],
  entry: string,
  source: Foreign,
  options: object,
): unknown {
  const converter = loadOptional(...names)?.[entry];
  if (typeof converter !== "function") {
    throw new Error(
      `a schema of ${library} needs the package \`${install}\`; install it, or pass plain JSON Schema`,
    );
  }
  return converter(source, options);
}

/** Whether a schema that asks for something became one that asks for nothing. */
function isEmptied(source: Foreign, written: object): boolean {
  const definition = source._zod?.def ?? source._def;
  if (definition?.type === "any" || definition?.type === "unknown" || definition?.typeName === "ZodAny")
    return false;
  const keywords = Object.keys(written).filter((keyword) => keyword !== "$schema");
  if (keywords.length === 0) return true;
  const shape =
    typeof definition?.shape === "function" ? definition.shape() : (definition?.shape ?? source.shape);
  const asksForFields = typeof shape === "object" && shape !== null && Object.keys(shape).length > 0;
  const { properties } = written as { properties?: object };
  const elsewhere = ["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => keyword in written);
  return asksForFields && !elsewhere && Object.keys(properties ?? {}).length === 0;
}

function isThenable(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
  );
}
