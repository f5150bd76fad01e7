// Rows of text under each other. Knows nothing of what they say.

import { onOneLine } from "./harmless.js";

/** A table with its head, each column as wide as its widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(onOneLine))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column]))));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => padded(cell, widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function widthOf(cell: string | undefined): number {
  return Array.from(cell ?? "").length;
}

function padded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - widthOf(cell)));
}
