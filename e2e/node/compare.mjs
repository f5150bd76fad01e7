// Compares what was observed with what was expected: exactly, but where a matcher loosens and says how much.
// Knows nothing of operations. `e2e/README.md` lists the matchers.

import * as canonical from "./canonical.mjs";
import { pointed } from "./expand.mjs";

/** What differs, in sentences; empty when nothing does. */
export function compareStep(world, step, observed) {
  const found = [];
  const expected = world.expand(step.expect);
  // The text of an envelope is compared between the languages, not with the scenario.
  for (const key of Object.keys(observed)) {
    if (key !== "text" && !(key in expected))
      found.push(`unexpected ${key}: ${canonical.write(observed[key])}`);
  }
  for (const [key, wanted] of Object.entries(expected)) {
    if (!(key in observed)) {
      found.push(`no ${key} came`);
    } else if (key === "error" || key === "thrown") {
      // An error is its code: of its record, the keys that are given are compared.
      for (const [part, value] of Object.entries(wanted)) {
        compare(world, value, observed[key][part], `/${key}/${part}`, found);
      }
    } else {
      compare(world, wanted, observed[key], `/${key}`, found);
    }
  }
  return found;
}

function compare(world, wanted, actual, path, found) {
  const name = isObject(wanted) ? Object.keys(wanted)[0] : undefined;
  if (name !== undefined && Object.hasOwn(matchers, name)) {
    if (actual === undefined && name !== "$absent") return found.push(`${path} is missing; expected ${name}`);
    if (!matchers[name](actual, wanted[name], { world, wanted, path, found })) {
      found.push(
        `${path} does not match ${name} ${canonical.write(wanted[name])}: ${canonical.write(actual)}`,
      );
    }
    return;
  }
  if (actual === undefined) return found.push(`${path} is missing; expected ${canonical.write(wanted)}`);
  if (Array.isArray(wanted) && Array.isArray(actual)) {
    if (wanted.length !== actual.length) {
      found.push(
        `${path} has ${actual.length} entries, expected ${wanted.length}: ${canonical.write(actual).slice(0, 300)}`,
      );
    }
    const shared = Math.min(wanted.length, actual.length);
    for (let place = 0; place < shared; place += 1) {
      compare(world, wanted[place], actual[place], `${path}/${place}`, found);
    }
  } else if (isObject(wanted) && isObject(actual)) {
    for (const [key, part] of Object.entries(wanted)) {
      compare(world, part, Object.hasOwn(actual, key) ? actual[key] : undefined, `${path}/${key}`, found);
    }
    for (const key of Object.keys(actual)) {
      if (!Object.hasOwn(wanted, key))
        found.push(`${path}/${key} was not expected: ${canonical.write(actual[key])}`);
    }
  } else if (wanted !== actual) {
    found.push(`${path} is ${canonical.write(actual)}, expected ${canonical.write(wanted)}`);
  }
}

/** Each matcher: whether the value holds, given the matcher's argument. */
const matchers = {
  $any: () => true,
  $absent: (actual) => actual === undefined,
  $score: (actual, digits) => isScore(actual, digits === true ? undefined : digits),
  $digest: (actual) => typeof actual === "string" && /^[0-9a-f]{64}$/.test(actual),
  $text: (actual, parts, { wanted }) =>
    typeof actual === "string" &&
    actual !== "" &&
    [...actual].length <= (wanted.atMost ?? Number.POSITIVE_INFINITY) &&
    parts.every((part) => actual.includes(part)),
  $length: (actual, wanted) => Array.isArray(actual) && hasLength(actual.length, wanted),
  $first: (actual, wanted) => Array.isArray(actual) && same(actual.slice(0, wanted.length), wanted),
  $sorted: (actual, ids) => same(idsOf(actual).sort(), ids),
  $hits: (actual, ids) =>
    same(idsOf(actual), ids) && actual.every(({ score, rank }, place) => isScore(score) && rank === place),
  $found: (actual, ids) => same(foundTools(actual), ids),
  $without: (actual, parts) => parts.every((part) => !canonical.write(actual).includes(part)),
  $oneOf: (actual, wanted) => wanted.includes(actual),
  $same: (actual, name, { world }) => same(world.observed.get(name)?.value, actual),
  $differs: (actual, name, { world }) => !same(world.observed.get(name)?.value, actual),
  $tokens: (actual, most) => tokens(canonical.write(actual)) <= most,
  $at: (actual, parts, { world, path, found }) => {
    for (const [pointer, part] of Object.entries(parts)) {
      compare(world, part, pointed(actual, pointer), `${path}${pointer}`, found);
    }
    return true;
  },
  $all: (actual, parts, { world, path, found }) => {
    for (const part of parts) compare(world, part, actual, path, found);
    return true;
  },
};

/** A finite number above zero; with `digits`, of at most so many significant ones. */
function isScore(value, digits) {
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return false;
  return digits === undefined || Number(value.toPrecision(digits)) === value;
}

function hasLength(length, wanted) {
  if (typeof wanted === "number") return length === wanted;
  return length >= (wanted.atLeast ?? 0) && length <= (wanted.atMost ?? Number.POSITIVE_INFINITY);
}

function idsOf(hits) {
  return Array.isArray(hits) ? hits.map((hit) => hit.id) : [];
}

/** The ids in the tools bucket of a search's answer, in the order in which a model reads them. */
function foundTools(answer) {
  return answer.tools.groups.flatMap((group) => group.hits.map((hit) => hit.toolId));
}

/** The estimate of the contract: ASCII bytes / 3 rounded up, plus 1.5 per other character. */
function tokens(text) {
  const characters = [...text];
  const ascii = characters.filter((character) => character <= "\x7f").length;
  return Math.ceil(ascii / 3) + Math.ceil((characters.length - ascii) * 1.5);
}

function same(one, other) {
  return canonical.write(one) === canonical.write(other);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
