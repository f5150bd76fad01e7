// Values that JavaScript has and JSON has not, by the names that the scenario gives them. Knows nothing of steps.

import { mapped } from "./expand.mjs";

const makers = {
  notFinite: () => Number.NaN,
  bigInteger: () => 10n ** 30n,
  loneSurrogate: () => "\ud83d",
  cycle: () => {
    const value = {};
    value.self = value;
    return value;
  },
  getter: () => ({
    get broken() {
      throw new Error("the fixture cannot be read");
    },
  }),
};

/** The item with each `{"$value": name}` made, and each executor's name replaced by its function. */
export function makeItem(item, executorOf) {
  const made = make(item);
  if (typeof made !== "object" || made === null || typeof made.execute !== "string") return made;
  return { ...made, execute: executorOf(made.execute) };
}

function make(value) {
  if (Array.isArray(value)) return value.map(make);
  if (typeof value !== "object" || value === null) return value;
  return "$value" in value ? makers[value.$value]() : mapped(value, make);
}
