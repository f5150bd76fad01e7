// Arguments on few characters, so that no part of them hides another one: each value is cut by itself, and the room for keys is
// taken first. Knows no question.

import { visible } from "./harmless.js";

/** How many characters a value gets at least, with the word on what was cut of it, and a key at most. */
const [least, longestKey] = [32, 40];

/** A value as JSON of not many more characters than these. */
export function brief(value: unknown, most: number): string {
  const whole = written(value);
  const length = lengthOf(whole);
  if (length <= most) return whole;
  if (typeof value !== "object" || value === null || most < 2 * least) return cutShort(whole, most);
  const isList = Array.isArray(value);
  const all: Part[] = isList
    ? value.map((each) => partOf("", each))
    : Object.entries(value).map(([key, each]) => partOf(`${cutShort(written(key), longestKey)}:`, each));
  const parts = fitting(all, most);
  const shares = sharesOf(parts, most);
  const shown = parts.map(({ key, value: each }, place) => key + brief(each, shares[place] ?? least));
  if (all.length > parts.length) shown.push(`… (${all.length - parts.length} more)`);
  return isList ? `[${shown.join(",")}]` : `{${shown.join(",")}}`;
}

interface Part {
  readonly key: string;
  readonly value: unknown;
  /** Of the key, with what stands around it. */
  readonly room: number;
  /** Of the whole value. */
  readonly length: number;
}

function partOf(key: string, value: unknown): Part {
  return { key, value, room: lengthOf(key) + 1, length: lengthOf(written(value)) };
}

/** The first parts, as many as can be shown with something of their values; one always. */
function fitting(all: readonly Part[], most: number): readonly Part[] {
  let left = most;
  const end = all.findIndex(({ room, length }) => {
    left -= room + Math.min(length, least);
    return left < 0;
  });
  return end < 0 ? all : all.slice(0, Math.max(1, end));
}

/** How many characters each value gets: a short one what it needs, the others the same share of what is left. */
function sharesOf(parts: readonly Part[], most: number): number[] {
  const shares = parts.map(() => least);
  let left = parts.reduce((rest, { room }) => rest - room, most);
  const shortest = [...parts.entries()].sort(([, one], [, other]) => one.length - other.length);
  for (const [done, [place, { length }]] of shortest.entries()) {
    const share = Math.max(
      Math.min(least, length),
      Math.min(length, Math.floor(left / (parts.length - done))),
    );
    shares[place] = share;
    left -= share;
  }
  return shares;
}

function cutShort(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const note = `… (${characters.length} characters)`;
  return characters.slice(0, Math.max(least / 2, most - note.length)).join("") + note;
}

/** As JSON without what cannot be seen, and with runs of blanks as one sign: they would push what follows out of sight. */
function written(value: unknown): string {
  return visible(JSON.stringify(value) ?? "null").replace(/\p{Zs}{2,}/gu, "␣");
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
