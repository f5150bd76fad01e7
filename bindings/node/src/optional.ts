// Loads an optional package at the moment it is needed. Knows nothing of what it is needed for.

import { requireFromHere } from "./require.js";

/** The first of these packages that is installed, or undefined. */
export function loadOptional(...names: string[]): Record<string, unknown> | undefined {
  for (const name of names) {
    try {
      return requireFromHere(name) as Record<string, unknown>;
    } catch {
      // Not installed here: the caller says what is missing.
    }
  }
  return undefined;
}
