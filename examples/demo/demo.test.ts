// The demo computes what it prints: both languages print the same but for the times, and another fixture prints another answer.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const data = join(here, "data");
const python = process.env.HONEYGUIDE_PYTHON ?? join(here, "../../.venv/bin/python");
const scratch = mkdtempSync(join(tmpdir(), "honeyguide-demo-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const withoutTimes = (text: string) => text.replace(/\[\d+ µs/g, "[µs");
const typescript = (folder: string) =>
  withoutTimes(
    execFileSync(process.execPath, ["--import", "tsx", "demo.ts", folder], { cwd: here, encoding: "utf8" }),
  );
const inPython = (folder: string) =>
  withoutTimes(
    execFileSync(python, ["demo.py", folder], {
      cwd: here,
      encoding: "utf8",
      env: { ...process.env, PYTHONUTF8: "1" },
    }),
  );

function changed(file: string, change: (text: string) => string): string {
  const folder = mkdtempSync(join(scratch, "data-"));
  cpSync(data, folder, { recursive: true });
  const before = readFileSync(join(folder, file), "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(join(folder, file), after);
  return folder;
}

const plain = typescript(data);

it("prints the same in both languages", () => {
  expect(inPython(data)).toBe(plain);
});

it("finds, repairs, corrects, reads and abstains", () => {
  const [intro, price, weather, sum, notes, plants] = plain.split("\n>");
  expect(intro).toMatch(/^527 tools and 3 skills; the prompt holds 3 tool definitions/);
  expect(price).toContain('{"tool":"yahoo-finance/get_current_stock_price","received":{"symbol":"AAPL"}}');
  expect(weather).toContain('"received":{"latitude":59.91,"longitude":10.75}');
  expect(sum).toMatch(/unknown_tool: .*\n\s+candidates: .*calculator\/calculate/);
  expect(notes).toContain("skill release-notes");
  expect(plants).toContain("status: no_match");
});

it("prints another answer when a tool is gone", () => {
  const folder = changed("tools.jsonl", (text) =>
    text
      .split("\n")
      .filter((line) => !line.includes('"id": "yahoo-finance/get_current_stock_price"'))
      .join("\n"),
  );
  const output = typescript(folder);
  expect(output).toMatch(/^526 tools/);
  expect(output).toMatch(/unknown_tool: .*get_current_stock_price/);
  expect(inPython(folder)).toBe(output);
});

it("prints another answer when the model calls something else", () => {
  const folder = changed("script.json", (text) =>
    text.replace("irrigate tomato plants on my balcony", "read a pdf file"),
  );
  expect(typescript(folder).split("\n>")[5]).toContain("status: ok");
});

it("counts the tokens of what is registered", () => {
  const tokens = (text: string) => Number(/everything in the prompt.*?(\d+) tokens/.exec(text)?.[1]);
  const folder = changed("tools.jsonl", (text) =>
    text.replace('"description": "', `"description": "${"longer ".repeat(300)}`),
  );
  expect(tokens(typescript(folder))).toBe(tokens(plain) + 700);
});
