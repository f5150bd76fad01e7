// JSON text that is the same in every language: keys in their order, no spaces. Knows nothing of steps.

/** The canonical text of a value: what JavaScript writes is the measure, since it cannot write otherwise. */
export function write(value) {
  return JSON.stringify(value);
}

/** What is compared between the languages: null in place of what stands at these JSON Pointers; of a raw answer, its text. */
export function comparable(observed, pointers) {
  if ("text" in observed) return { text: observed.text };
  const copy = structuredClone(observed);
  for (const pointer of pointers) {
    const keys = pointer.split("/").slice(1);
    const last = keys.pop();
    let part = copy;
    for (const key of keys) part = part?.[key];
    if (typeof part === "object" && part !== null && Object.hasOwn(part, last)) part[last] = null;
  }
  return copy;
}
