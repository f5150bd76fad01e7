// Writes out what the scenario says in short: series, fixtures, parts of earlier answers. Knows nothing of operations.

/** The value with every short form written out; `sources` holds the fixture files and what was observed. */
export function expand(value, sources) {
  if (Array.isArray(value)) return value.map((item) => expand(item, sources));
  if (typeof value !== "object" || value === null) return value;
  if ("$series" in value) return series(value, sources);
  if ("$fixtures" in value) {
    return value.$fixtures.flatMap((name) => sources.fixtures[name].map((item) => expand(item, sources)));
  }
  if ("$from" in value) return pointed(sources.observed.get(value.$from), value.at);
  return mapped(value, (part) => expand(part, sources));
}

/** What stands at a JSON Pointer; undefined when nothing does. */
export function pointed(value, pointer) {
  let part = value;
  for (const key of pointer.split("/").slice(1)) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return undefined;
    part = part[name];
  }
  return part;
}

/** The object with every part changed; a key called `__proto__` stays one. */
export function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, part]) => [key, change(part)]));
}

/** `{"$series": template, "count", "from"?, "join"?, "end"?}`: the template once per number, `{n}` being the number. */
function series({ $series, count, from = 0, join, end = "" }, sources) {
  const template = expand($series, sources);
  const items = Array.from({ length: count }, (_, place) => numberIn(template, String(from + place)));
  return join === undefined ? items : items.join(join) + end;
}

function numberIn(value, number) {
  if (typeof value === "string") return value.replaceAll("{n}", number);
  if (Array.isArray(value)) return value.map((item) => numberIn(item, number));
  return typeof value === "object" && value !== null
    ? mapped(value, (part) => numberIn(part, number))
    : value;
}
