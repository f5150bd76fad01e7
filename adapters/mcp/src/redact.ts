// Keeps what was put in for a variable, or declared as a secret, out of every message. Knows nothing else.

/** Shorter values would tear up words, and are no secrets. */
const shortest = 4;

/** Replaces the secrets in a text. */
export type Redact = (text: string) => string;

export function redactor(secrets: Iterable<string>): Redact {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= shortest);
  // The longest first: one may hold another.
  known.sort((one, other) => other.length - one.length);
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, "***"), text);
}
