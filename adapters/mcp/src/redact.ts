// Keeps what was put in for a variable, or declared as a secret, out of every message. Knows nothing else.

/** Shorter values would tear up words, and are no secrets. */
const shortest = 4;

/** Replaces the secrets in a text. */
export type Redact = (text: string) => string;

export function redactor(secrets: Iterable<string>): Redact {
  const known = [...new Set(Array.from(secrets).flatMap(partsOf))].filter(
    (secret) => secret.length >= shortest,
  );
  // The longest first: one may hold another.
  known.sort((one, other) => other.length - one.length);
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, "***"), text);
}

/** A secret and what may be shown of it alone: a line, when it has several, and the password of an address. */
function partsOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  return [secret, ...lines, ...passwordOf(secret)];
}

/** The password in an address, as it is written there, as an address has it, and as it is meant. */
export function passwordOf(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { password } = new URL(address);
  if (password === "") return [];
  const asWritten = /^[^/]*\/\/[^/?#]*?:([^/?#]*)@/.exec(address)?.[1] ?? password;
  return [asWritten, password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
