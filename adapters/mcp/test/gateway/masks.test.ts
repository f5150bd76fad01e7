// How arguments and addresses are shown: every pair of e2e/gateway/masks.json.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { maskAddress, maskArguments } from "../../src/gateway/import/mask.js";

const file = new URL("../../../../e2e/gateway/masks.json", import.meta.url);
const { masks } = JSON.parse(readFileSync(file, "utf8")) as {
  masks: [string | string[], string | string[]][];
};

it.each(masks)("%j is shown as %j", (written, shown) => {
  expect(typeof written === "string" ? maskAddress(written) : maskArguments(written)).toEqual(shown);
});
