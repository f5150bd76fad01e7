// Which of several words somebody meant. Knows nothing of what they stand for.

/** A word that differs by more is another word. */
const most = 2;

/** The word that is nearest to a misspelt one, the first of several; none when all are far. */
export function nearest(written: string, words: readonly string[], within = most): string | undefined {
  let best: string | undefined;
  let least = within + 1;
  for (const word of words) {
    const apart = distance(written, word);
    if (apart < least) [best, least] = [word, apart];
  }
  return best;
}

/** How many letters have to be put in, taken out or replaced. */
function distance(one: string, other: string): number {
  const [left, right] = [Array.from(one), Array.from(other)];
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let row = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (const [place, letter] of left.entries()) {
    const next = [place + 1];
    for (const [column, against] of right.entries()) {
      const replaced = (row[column] ?? 0) + (letter === against ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
