// Compares what came with a part of it, as e2e/gateway/README.md says. Knows no step.

import { expect } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: a scenario is data, and its answers are compared as such.
export type Data = any;

/** Fails with the place where a value does not have what it should. */
export function expectPart(value: Data, part: Data, place = "it"): void {
  if (isObject(part) && ("$contains" in part || "$lacks" in part)) {
    expect(typeof value, `${place} is a text`).toBe("string");
    expectText(value, { contains: part.$contains, lacks: part.$lacks }, place);
  } else if (isObject(part) && "$some" in part) {
    expect(Array.isArray(value), `${place} is a list`).toBe(true);
    const fits = (value as Data[]).some((each) => hasPart(each, part.$some));
    expect(fits, `${place} has ${JSON.stringify(part.$some)}: ${JSON.stringify(value)}`).toBe(true);
  } else if (Array.isArray(part)) {
    expect(Array.isArray(value) && value.length, `${place}: ${JSON.stringify(value)}`).toBe(part.length);
    for (const [index, each] of part.entries()) expectPart(value[index], each, `${place}[${index}]`);
  } else if (isObject(part)) {
    expect(isObject(value), `${place} is an object: ${JSON.stringify(value)}`).toBe(true);
    for (const [key, each] of Object.entries(part)) expectPart(value[key], each, `${place}.${key}`);
  } else {
    expect(value, place).toEqual(part);
  }
}

/** What a text holds, and what not. */
export function expectText(
  text: string,
  { contains = [], lacks = [], matches = [] }: { contains?: string[]; lacks?: string[]; matches?: string[] },
  place = "it",
): void {
  for (const each of contains) expect(text, place).toContain(each);
  for (const each of lacks) expect(text, place).not.toContain(each);
  for (const each of matches) expect(text, place).toMatch(new RegExp(each, "mu"));
}

export function hasPart(value: Data, part: Data): boolean {
  try {
    expectPart(value, part);
    return true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, Data> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
