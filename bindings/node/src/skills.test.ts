// Skills from folders: what is found, taken, refused and read. Uses real folders, made anew for each test.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { type Honeyguide, honeyguide } from "./honeyguide.js";

let home: string;
let hg: Honeyguide;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "honeyguide-skills-")));
  hg = honeyguide({ projectRoot: home });
});

afterEach(() => {
  hg.skills.unwatch();
  rmSync(home, { recursive: true, force: true });
}, 120_000);

/** Writes a file below the test's own folder. */
function put(path: string, text: string | Uint8Array): string {
  const place = join(home, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
  return place;
}

/** Writes a skill and says where its folder is. */
function skill(path: string, description = "Does something.", body = "# Body\n", more = ""): string {
  const name = path.split("/").at(-1);
  put(`${path}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${body}`);
  return join(home, path);
}

const open = (skillId: string, more: object = {}) =>
  hg.call("get_skill_content", { skillId, ...more }) as Promise<Record<string, unknown>>;
const found = (query: string) => hg.skills.search(query).map(({ id }) => id);
const codes = () => hg.skills.diagnostics().map(({ code }) => code);

describe("loading", () => {
  it("takes the skills below a folder and keeps no body", async () => {
    skill("skills/office/pdf", "Fill in PDF forms.", "# Steps\n\nUse zebra ink.\n");
    const report = await hg.skills.loadFolder(join(home, "skills"));
    expect(report.skills).toEqual([{ id: "pdf", directory: join(home, "skills/office/pdf") }]);
    expect(report.diagnostics).toEqual([]);
    expect(found("fill in a form")).toEqual(["pdf"]);
    expect(found("zebra ink")).toEqual(["pdf"]);
    expect(JSON.stringify(hg.skills.get("pdf"))).not.toContain("zebra");
    expect((await open("pdf"))["body"]).toBe("# Steps\n\nUse zebra ink.\n");
  });

  it("takes a folder that is a skill itself, a URL, and several at once", async () => {
    const [a, b] = [skill("a"), skill("b")];
    const report = await hg.skills.loadFolder([new URL(`file://${a}`), b]);
    expect(report.skills.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("says what is not there, and takes it once it is", async () => {
    const missing = await hg.skills.loadFolder(join(home, "later"));
    expect(missing.skills).toEqual([]);
    expect(codes()).toEqual(["unreadable_file"]);
    skill("later/x");
    expect((await hg.skills.refresh()).skills.map(({ id }) => id)).toEqual(["x"]);
    expect(codes()).toEqual([]);
  });

  it("takes the first of two alike, whoever was loaded first, and reports the other", async () => {
    skill("bundled/pdf", "Bundled.");
    skill("user/pdf", "Of the user.");
    skill("project/pdf", "Of the project.");
    await hg.skills.loadFolder(join(home, "bundled"), { scope: "bundled" });
    await hg.skills.loadFolder(join(home, "user"), { scope: "user" });
    await hg.skills.loadFolder(join(home, "project"));
    expect(hg.skills.get("pdf")?.description).toBe("Of the project.");
    expect(hg.skills.diagnostics()).toMatchObject([
      { code: "shadowed_skill", id: "pdf", file: join(home, "user/pdf/SKILL.md") },
      { code: "shadowed_skill", id: "pdf", file: join(home, "bundled/pdf/SKILL.md") },
    ]);
    rmSync(join(home, "project/pdf"), { recursive: true });
    await hg.skills.refresh();
    expect(hg.skills.get("pdf")?.description).toBe("Of the user.");
  });

  it("lets a skill that the program registered stand before one from a folder", async () => {
    hg.skills.register({ id: "pdf", description: "By hand.", body: "mine" });
    await hg.skills.loadFolder(skill("pdf"));
    expect((await open("pdf"))["body"]).toBe("mine");
    expect(codes()).toEqual(["shadowed_skill"]);
  });

  it("reads what is badly written, and says where", async () => {
    put(
      "s/colon/SKILL.md",
      "\ufeff---\r\nname: colon\r\ndescription: Does a thing. Use when: you need it\r\n---\r\nB\r\n",
    );
    put("s/nameless/SKILL.md", "# No front matter\n");
    await hg.skills.loadFolder(join(home, "s"));
    expect(hg.skills.get("colon")?.description).toBe("Does a thing. Use when: you need it");
    expect((await open("colon"))["body"]).toBe("B\n");
    const [first, ...others] = hg.skills.diagnostics();
    expect(first).toMatchObject({ code: "invalid_front_matter", severity: "warning", line: 3, id: "colon" });
    expect(others.map(({ file, severity }) => [file, severity])).toContainEqual([
      join(home, "s/nameless/SKILL.md"),
      "error",
    ]);
  });

  it("validates as strictly as the specification, and loads nothing", async () => {
    skill("s/good");
    skill("s/bad", "Fine.", "B", "paths: a\n");
    expect((await hg.skills.validate(join(home, "s/good"))).valid).toBe(true);
    const { valid, diagnostics } = await hg.skills.validate(join(home, "s"));
    expect(valid).toBe(false);
    expect(diagnostics).toMatchObject([
      { code: "invalid_skill", line: 4, file: join(home, "s/bad/SKILL.md") },
    ]);
    expect(hg.skills.size).toBe(0);
  });
});

describe("edits", () => {
  it("are seen when the skill is opened, and searched from then on", async () => {
    await hg.skills.loadFolder(skill("pdf", "Fill in forms."));
    skill("pdf", "Compose sonnets.", "new body\n");
    expect((await open("pdf"))["body"]).toBe("new body\n");
    expect(found("compose sonnets")).toEqual(["pdf"]);
  });

  it("are seen by a refresh, with what is new and what is gone", async () => {
    skill("s/a");
    skill("s/b", "Old words.");
    await hg.skills.loadFolder(join(home, "s"));
    rmSync(join(home, "s/a"), { recursive: true });
    skill("s/b", "Brand new sentence.");
    skill("s/c");
    const report = await hg.skills.refresh();
    expect(report).toMatchObject({ added: 1, replaced: 1, unchanged: 0, removed: ["a"] });
    expect(found("brand new sentence")).toEqual(["b"]);
    expect(await hg.skills.refresh()).toMatchObject({ added: 0, replaced: 0, unchanged: 2, removed: [] });
  });

  it("are seen without being asked for where the folder is watched", async () => {
    skill("s/a", "Old words.");
    await hg.skills.loadFolder(join(home, "s"), { watch: true });
    // A watch begins a moment after it is asked for, so the edit is repeated until it is seen.
    let round = 0;
    await vi.waitFor(
      () => {
        skill("s/a", `Compose sonnets, round ${round++}.`);
        expect(found("compose sonnets")).toEqual(["a"]);
      },
      { timeout: 60_000, interval: 300 },
    );
  });

  it("are seen also after the watched folder was taken away and another put in its place", async () => {
    skill("s/a", "Old words.");
    await hg.skills.loadFolder(join(home, "s"), { watch: true });
    let round = 0;
    const seen = (id: string) =>
      vi.waitFor(
        () => {
          skill(`s/${id}`, `Compose sonnets, round ${round++}.`);
          expect(found("compose sonnets")).toEqual([id]);
        },
        { timeout: 60_000, interval: 300 },
      );
    await seen("a");
    rmSync(join(home, "s"), { recursive: true });
    await vi.waitFor(() => expect(found("compose sonnets")).toEqual([]), { timeout: 60_000, interval: 300 });
    await seen("b");
  });

  it("of a folder that is not there cannot be watched for", async () => {
    const loading = hg.skills.loadFolder(join(home, "nowhere"), { watch: true });
    await expect(loading).rejects.toMatchObject({ code: "unreadable_file" });
  });

  it("to a file that is gone are a reply", async () => {
    await hg.skills.loadFolder(skill("pdf"));
    rmSync(join(home, "pdf"), { recursive: true });
    expect(await open("pdf")).toMatchObject({ isError: true, error: "unreadable_file", skillId: "pdf" });
  });
});

describe("hostile folders", () => {
  it("lead nowhere outside, and every refusal is explained", async () => {
    put("outside/secret.txt", "secret");
    put("outside/x/SKILL.md", "---\nname: x\ndescription: Secret.\n---\nsecret\n");
    skill("s/real");
    put("s/real/references/a.md", "fine");
    symlinkSync(join(home, "outside"), join(home, "s/linked"));
    symlinkSync(join(home, "s"), join(home, "s/loop"));
    symlinkSync(join(home, "outside/secret.txt"), join(home, "s/real/references/secret.md"));
    mkdirSync(join(home, "s/leaf"));
    symlinkSync(join(home, "outside/x/SKILL.md"), join(home, "s/leaf/SKILL.md"));
    put("s/empty/SKILL.md", "");
    put("s/binary/SKILL.md", Uint8Array.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]));
    put("s/huge/SKILL.md", "x".repeat(5_000_000));
    put("s/.hidden/y/SKILL.md", "---\nname: y\ndescription: Hidden.\n---\n");
    put("s/node_modules/z/SKILL.md", "---\nname: z\ndescription: A package.\n---\n");
    const report = await hg.skills.loadFolder(join(home, "s"));
    expect(report.skills.map(({ id }) => id)).toEqual(["real"]);
    expect(report.skipped.map(({ path, reason }) => [path.slice(home.length), reason])).toEqual([
      ["/s/.hidden", "hidden"],
      ["/s/linked", "linked"],
      ["/s/loop", "linked"],
      ["/s/node_modules", "ignored"],
      ["/s/real/references/secret.md", "linked"],
    ]);
    const errors = report.diagnostics.filter(({ severity }) => severity === "error");
    const refused = new Set(errors.map(({ file }) => file?.slice(home.length)));
    expect([...refused].sort()).toEqual([
      "/s/binary/SKILL.md",
      "/s/empty/SKILL.md",
      "/s/huge/SKILL.md",
      "/s/leaf/SKILL.md",
    ]);
    expect(JSON.stringify(hg.skills.list())).not.toContain("ecret");
  });

  it("stay outside when links are followed", async () => {
    put("outside/x/SKILL.md", "---\nname: x\ndescription: Secret.\n---\n");
    skill("s/real");
    mkdirSync(join(home, "s/more"));
    symlinkSync(join(home, "outside"), join(home, "s/more/out"));
    symlinkSync(join(home, "s"), join(home, "s/more/loop"));
    const report = await hg.skills.loadFolder(join(home, "s"), { include: ["linked"] });
    expect(report.skills.map(({ id }) => id)).toEqual(["real"]);
    expect(report.skipped.map(({ reason }) => reason).sort()).toEqual(["outside", "seen"]);
  });

  it("give no resource but those in the list, not even one that is swapped for a link", async () => {
    put("secret.txt", "secret");
    skill("s/real");
    put("s/real/references/a.md", "fine");
    await hg.skills.loadFolder(join(home, "s"));
    expect(await open("real", { resource: "references/a.md" })).toMatchObject({
      body: "fine",
      resource: "references/a.md",
      resources: ["references/a.md"],
    });
    for (const resource of [
      "../../secret.txt",
      join(home, "secret.txt"),
      "references/../../../secret.txt",
      "references",
    ]) {
      expect(await open("real", { resource })).toMatchObject({ error: "unknown_resource" });
    }
    rmSync(join(home, "s/real/references/a.md"));
    symlinkSync(join(home, "secret.txt"), join(home, "s/real/references/a.md"));
    expect(await open("real", { resource: "references/a.md" })).toMatchObject({ error: "unreadable_file" });
  });

  it("with more folders than the bound cost the bound, and the others are named", async () => {
    for (let n = 0; n < 400; n++) mkdirSync(join(home, "many", String(n)), { recursive: true });
    const report = await hg.skills.loadFolder(join(home, "many"), { folders: 100 });
    // 99 folders are listed beside the root.
    expect(report.skipped.map(({ reason }) => reason)).toEqual(Array(301).fill("many"));
    expect(codes()).toEqual(Array(301).fill("skipped_folder"));
  });
});

describe("conditional skills", () => {
  it("are unknown until the conversation touches a file that matches", async () => {
    await hg.skills.loadFolder(skill("ts", "House style.", "Use const.", 'paths: "*.ts"\n'));
    const session = hg.session("s1");
    expect(session.skills.search("house style")).toEqual([]);
    expect(await session.call("get_skill_content", { skillId: "ts" })).toMatchObject({
      error: "unknown_skill",
    });
    expect(await session.touch(join(home, "src/a.ts"))).toEqual({ revealed: ["ts"], outside: [] });
    expect(await session.call("get_skill_content", { skillId: "ts" })).toMatchObject({ body: "Use const." });
    expect(hg.session("s2").skills.search("house style")).toEqual([]);
    expect((await session.touch("/etc/passwd")).outside).toEqual(["/etc/passwd"]);
  });

  it("of a folder above a touched file are found on the way up, and never in ignored folders", async () => {
    await hg.skills.loadFolder(skill(".claude/skills/root"));
    put(".gitignore", "/generated/\n");
    skill("packages/api/.claude/skills/api", "About the interface.");
    skill("packages/.agents/skills/all", "About all packages.");
    skill("generated/.claude/skills/bad", "Generated.");
    skill("node_modules/x/.claude/skills/worse", "A package's own.");
    const session = hg.session("s1");
    const { revealed } = await session.touch([
      "packages/api/src/deep/a.ts",
      "generated/b.ts",
      "node_modules/x/c.js",
    ]);
    expect(revealed).toEqual(["all", "api"]);
    expect(hg.skills.list().map(({ id }) => id)).toEqual(["root", "api", "all"]);
    expect(hg.session("s2").skills.search("interface")).toEqual([]);
  });
});

describe("opening", () => {
  it("fills placeholders in", async () => {
    await hg.skills.loadFolder(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholders of a skill
      skill("trip", "Trips.", "To $city from ${SKILL_DIR} in ${SESSION_ID}", "arguments: city\n"),
    );
    const reply = await hg.session("s1").call("get_skill_content", { skillId: "trip", arguments: "Rome" });
    expect(reply).toMatchObject({ body: `To Rome from ${join(home, "trip")} in s1` });
  });

  it("has a sub-agent follow a skill that asks for one", async () => {
    const asked: unknown[] = [];
    hg = honeyguide({
      fork: (request) => {
        asked.push(request);
        return Promise.resolve("done");
      },
    });
    await hg.skills.loadFolder(
      skill("review", "Review.", "Review $ARGUMENTS", "context: fork\nmodel: opus\nallowed-tools: Read\n"),
    );
    expect(await open("review", { arguments: "a.ts" })).toEqual({
      skillId: "review",
      name: "review",
      result: "done",
    });
    expect(asked).toMatchObject([
      { skillId: "review", prompt: "Review a.ts", allowedTools: ["Read"], model: "opus", effort: undefined },
    ]);
  });

  it("tells of a sub-agent that fails, and follows the skill itself where there is none", async () => {
    const place = skill("review", "Review.", "Review it", "context: fork\n");
    await hg.skills.loadFolder(place);
    expect(await open("review")).toMatchObject({ body: "Review it", hint: expect.any(String) });
    hg = honeyguide({
      fork: () => {
        throw new Error("no model");
      },
    });
    await hg.skills.loadFolder(place);
    expect(await open("review")).toMatchObject({
      error: "skill_failed",
      message: expect.stringContaining("no model"),
    });
  });

  it("is refused for a skill of a saved catalog whose folder is not loaded here", async () => {
    await hg.skills.loadFolder(skill("pdf", "Fill in forms."));
    const bytes = hg.save();
    hg = honeyguide();
    hg.load(bytes);
    expect(found("fill in forms")).toEqual(["pdf"]);
    expect(await open("pdf")).toMatchObject({ error: "unreadable_file" });
    await hg.skills.loadFolder(join(home, "pdf"));
    expect(await open("pdf")).toMatchObject({ body: "# Body\n" });
  });
});

describe("listing", () => {
  it("says what is new, and nothing again when a conversation is resumed", async () => {
    skill("s/a", "Does a.");
    await hg.skills.loadFolder(join(home, "s"));
    const first = hg.session("one").skillListing();
    expect(first.text).toContain("- a: Does a.\n");
    expect(hg.session("one").skillListing().text).toBe("");
    skill("s/b", "Does b.");
    await hg.skills.refresh();
    const resumed = honeyguide({ projectRoot: home });
    await resumed.skills.loadFolder(join(home, "s"));
    expect(resumed.session("one").skillListing({ sent: first.sent }).shown).toEqual(["b"]);
  });
});

const data = process.env["HONEYGUIDE_DATA"];

describe.skipIf(data === undefined || !existsSync(join(data, "skills/tools.jsonl")))(
  "a collection of 970 skills",
  () => {
    it("is found whole, each skill under its own words, and every double reported", async () => {
      const lines = readFileSync(join(data ?? "", "skills/tools.jsonl"), "utf8")
        .trim()
        .split("\n");
      const skills = lines.map(
        (line) => JSON.parse(line) as Record<"id" | "name" | "description" | "body", string>,
      );
      for (const { id, name, description, body } of skills) {
        put(
          `all/${id}/SKILL.md`,
          `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`,
        );
      }
      const report = await hg.skills.loadFolder(join(home, "all"));
      const names = new Set(skills.map(({ name }) => name));
      expect(report.skills.length).toBe(names.size);
      const shadowed = report.diagnostics.filter(({ code }) => code === "shadowed_skill");
      expect(shadowed.length).toBe(skills.length - names.size);
      const broken = report.diagnostics.filter(({ severity }) => severity === "error");
      expect(broken).toEqual([]);
      const byId = new Map(hg.skills.list().map(({ id, description }) => [id, description ?? ""]));
      for (const [id, description] of byId) expect(found(description)).toContain(id);
      const bodies = new Map(skills.map(({ id, body }) => [join(home, "all", id), body]));
      for (const { id, directory } of report.skills) {
        let read = "";
        let offset: unknown = 0;
        while (typeof offset === "number") {
          const page = await open(id, { offset });
          read += page["body"];
          offset = page["nextOffset"];
        }
        expect(read).toBe(shown(bodies.get(directory) ?? "", directory));
      }
      expect(await hg.skills.refresh()).toMatchObject({ unchanged: names.size, added: 0, replaced: 0 });
    }, 120_000);
  },
);

/** A body as a model gets it: with line feeds, without what nobody can see, and with the folder in its place. */
function shown(body: string, directory: string): string {
  return body
    .replace(/\r\n?/g, "\n")
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, "")
    .replace(/^\n+/, "")
    .replace(/\$\{(CLAUDE_)?SKILL_DIR\}/g, () => directory);
}
