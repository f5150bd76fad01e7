// Errors recognise each other by marker; anything that is thrown can be described.
import { describe, expect, it } from "vitest";

import { describeThrown, HoneyguideError, isHoneyguideError } from "./error.js";

describe("isHoneyguideError", () => {
  const error = new HoneyguideError({
    code: "unknown_tool",
    message: "unknown tool `x`",
    category: "not_found",
  });

  it("recognises its own by code", () => {
    expect(isHoneyguideError(error)).toBe(true);
    expect(isHoneyguideError(error, "unknown_tool")).toBe(true);
    expect(isHoneyguideError(error, "timeout")).toBe(false);
    expect(error.name).toBe("HoneyguideError");
  });

  it("recognises an error of another copy of the package, where instanceof is false", () => {
    const foreign = Object.assign(new Error("x"), {
      [Symbol.for("honeyguide.error")]: true,
      code: "internal",
    });
    expect(isHoneyguideError(foreign, "internal")).toBe(true);
  });

  it("says no to anything else, also when its getters throw", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
      },
    );
    expect(
      [null, undefined, "x", 1, new Error("x"), hostile].map((value) => isHoneyguideError(value)),
    ).toEqual(Array(6).fill(false));
  });
});

describe("describeThrown", () => {
  it.each([
    ["an error", new TypeError("bad"), { name: "TypeError", message: "bad" }],
    ["text", "plain text", { message: "plain text" }],
    ["nothing", undefined, { message: "undefined" }],
    ["a number", 7, { message: "7" }],
    ["an object", { code: 3 }, { message: '{"code":3}' }],
    ["an object without a prototype", Object.create(null), {}],
    ["a symbol", Symbol("s"), { message: "Symbol(s)" }],
    ["broken text", "\ud800!", { message: "\ufffd!" }],
  ])("describes %s", (_, thrown, description) => {
    expect(describeThrown(thrown)).toEqual(description);
  });

  it("takes the class for the name when the error has none of its own", () => {
    class UnauthorizedError extends Error {}
    expect(describeThrown(new UnauthorizedError("log in"))).toEqual({
      name: "UnauthorizedError",
      message: "log in",
    });
  });

  it("survives an error whose name and message throw", () => {
    const hostile = Object.defineProperties(new Error("x"), {
      name: {
        get: () => {
          throw new Error("name");
        },
      },
      message: {
        get: () => {
          throw new Error("message");
        },
      },
    });
    expect(() => describeThrown(hostile)).not.toThrow();
  });
});
