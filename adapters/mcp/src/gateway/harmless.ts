// Makes text that somebody else wrote harmless where a person reads it. Knows no question and no log.

/**
 * What a screen does not show as what it is: controls, formats (directions, zero widths), line ends, private and broken ones;
 * and letters and marks that are blank: fillers, joiners, the empty Braille pattern, selectors of variations.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u3164\u2800\u115f\u1160]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/** The text without what cannot be seen. */
export function visible(text: string): string {
  return text.replace(invisible, "");
}

/** The text on one line. */
export function onOneLine(text: string): string {
  return visible(text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ").replace(/\t/g, " ")).trim();
}

/** A name to stand between back-ticks. */
export function asName(name: string): string {
  return cut(visible(name).replaceAll("`", "'"), 100, () => "…");
}

/** The first characters, with a word on what was left out. */
export function cut(text: string, most: number, rest: (length: number) => string): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : characters.slice(0, most).join("") + rest(characters.length);
}
