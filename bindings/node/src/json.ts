// Writes requests as JSON text, with parts that are JSON text already put in as they are. Knows no operation.

/** Text that is JSON already: put into a request as it is, so that its numbers stay as they were written. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Text that was cut inside an emoji is still text; what is no text at all is the engine's to refuse. */
export function wellFormed(text: string): string {
  return typeof text === "string" ? text.toWellFormed() : text;
}

/** Text that a model wrote, as JSON text: as it stands when it is JSON, else as a string. */
export function toJsonText(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

/** A request as JSON text; its own fields, and the entries of its lists, may be `JsonText`. */
export function writeRequest(request: object): string {
  for (const key in request) {
    if (holdsText((request as Record<string, unknown>)[key])) return splice(request);
  }
  return JSON.stringify(request);
}

function splice(request: object): string {
  let text = "";
  for (const [key, value] of Object.entries(request)) {
    if (value === undefined) continue;
    text += `${text === "" ? "{" : ","}${JSON.stringify(key)}:${writeField(value)}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

function writeField(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (isTexts(value)) return `[${value.map((entry) => entry.text).join(",")}]`;
  return JSON.stringify(value) ?? "null";
}

function holdsText(value: unknown): boolean {
  return value instanceof JsonText || isTexts(value);
}

function isTexts(value: unknown): value is JsonText[] {
  return Array.isArray(value) && value[0] instanceof JsonText;
}
