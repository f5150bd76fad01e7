// Variables in a configuration: `${VAR}`, `${VAR:-default}`, `${env:VAR}`. Knows nothing of servers.

/** Where a variable was found that has no value. */
export interface Missing {
  /** The place, such as `headers.Authorization`. */
  readonly field: string;
  readonly variable: string;
}

/** What came of expanding. */
export interface Expanded<Value> {
  readonly value: Value;
  readonly missing: Missing[];
  /** What was put in, to be kept out of messages. */
  readonly secrets: string[];
}

const reference = /\$\{(?:env:)?([^}:]*)(?::(-?)([^}]*))?\}/g;

/** The value with every text in it expanded; the value itself is left as it is. */
export function expand<Value>(
  value: Value,
  environment: Readonly<Record<string, string | undefined>>,
  field = "",
): Expanded<Value> {
  const missing: Missing[] = [];
  const secrets: string[] = [];
  const expandText = (text: string, place: string) =>
    text.replace(reference, (whole, name: string, dash: string | undefined, rest: string | undefined) => {
      const present = Object.hasOwn(environment, name) ? environment[name] : undefined;
      // As in a shell: a default also stands in for an empty value.
      const found = dash === "-" ? present || rest : dash === undefined ? present : undefined;
      if (found === undefined) {
        missing.push({ field: place, variable: dash === "" ? whole.slice(2, -1) : name });
        return whole;
      }
      if (found === present) secrets.push(found);
      return found;
    });
  const walk = (part: unknown, place: string): unknown => {
    if (typeof part === "string") return expandText(part, place);
    if (Array.isArray(part)) return part.map((entry, index) => walk(entry, `${place}[${index}]`));
    if (typeof part !== "object" || part === null) return part;
    const inside = Object.entries(part).map(([key, entry]) => [
      key,
      walk(entry, place === "" ? key : `${place}.${key}`),
    ]);
    return Object.fromEntries(inside);
  };
  return { value: walk(value, field) as Value, missing, secrets };
}
