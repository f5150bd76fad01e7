"""Skills from folders: what is found, taken, refused and read. Uses real folders, made anew for each test."""

import asyncio
import json
import os
import shutil
import threading
import time
from pathlib import Path

import pytest
from honeyguide import Honeyguide, StateError, skill_folders

DATA = os.environ.get("HONEYGUIDE_DATA")


@pytest.fixture
def home(tmp_path):
    return Path(os.path.realpath(tmp_path))


@pytest.fixture
def hg(home):
    made = Honeyguide(project_root=home)
    yield made
    made.skills.unwatch()


@pytest.fixture
def put(home):
    def write(path, content):
        place = home / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    return write


@pytest.fixture
def skill(home, put):
    def write(path, description="Does something.", body="# Body\n", more=""):
        name = path.split("/")[-1]
        put(f"{path}/SKILL.md", f"---\nname: {name}\ndescription: {description}\n{more}---\n\n{body}")
        return home / path

    return write


def found(hg, query):
    return [hit["id"] for hit in hg.skills.search(query)]


def read(hg, skill_id, **more):
    return hg.call_sync("get_skill_content", {"skillId": skill_id, **more})


def codes(hg):
    return [diagnostic["code"] for diagnostic in hg.skills.diagnostics()]


def ids(report):
    return [loaded["id"] for loaded in report["skills"]]


def test_the_skills_below_a_folder_are_taken_and_no_body_is_kept(hg, home, skill):
    place = skill("skills/office/pdf", "Fill in PDF forms.", "# Steps\n\nUse zebra ink.\n")
    report = hg.skills.load_folder(home / "skills")
    assert report["skills"] == [{"id": "pdf", "directory": str(place)}]
    assert report["diagnostics"] == []
    assert found(hg, "zebra ink") == ["pdf"]
    assert "zebra" not in json.dumps(hg.skills.get("pdf"))
    assert read(hg, "pdf")["body"] == "# Steps\n\nUse zebra ink.\n"


def test_what_is_not_there_is_said_and_taken_once_it_is(hg, home, skill):
    assert hg.skills.load_folder([str(home / "later")])["skills"] == []
    assert codes(hg) == ["unreadable_file"]
    skill("later/x")
    assert ids(hg.skills.refresh()) == ["x"]
    assert codes(hg) == []


def test_the_first_of_two_alike_is_taken_whoever_was_loaded_first(hg, home, skill):
    for scope in ("bundled", "user", "project"):
        skill(f"{scope}/pdf", f"Of the {scope}.")
        hg.skills.load_folder(home / scope, scope=scope)
    assert hg.skills.get("pdf")["description"] == "Of the project."
    assert [d["file"] for d in hg.skills.diagnostics()] == [str(home / s / "pdf/SKILL.md") for s in ("user", "bundled")]
    shutil.rmtree(home / "project/pdf")
    hg.skills.refresh()
    assert hg.skills.get("pdf")["description"] == "Of the user."


def test_what_is_badly_written_is_read_and_reported_with_its_line(hg, home, put):
    text = "\ufeff---\r\nname: colon\r\ndescription: Does a thing. Use when: you need it\r\n---\r\nB\r\n"
    put("s/colon/SKILL.md", text)
    hg.skills.load_folder(home / "s")
    assert hg.skills.get("colon")["description"] == "Does a thing. Use when: you need it"
    assert read(hg, "colon")["body"] == "B\n"
    [diagnostic] = hg.skills.diagnostics()
    assert (diagnostic["code"], diagnostic["severity"], diagnostic["line"]) == ("invalid_front_matter", "warning", 3)


def test_validation_is_as_strict_as_the_specification_and_loads_nothing(hg, home, skill):
    assert hg.skills.validate(skill("s/good"))["valid"] is True
    skill("s/bad", more="paths: a\n")
    answer = hg.skills.validate([home / "s"])
    assert answer["valid"] is False
    assert [(d["code"], d["line"]) for d in answer["diagnostics"]] == [("invalid_skill", 4)]
    assert hg.skills.size == 0


def test_an_edit_is_seen_when_the_skill_is_opened_and_searched_from_then_on(hg, skill):
    hg.skills.load_folder(skill("pdf", "Fill in forms."))
    skill("pdf", "Compose sonnets.", "new body\n")
    assert read(hg, "pdf")["body"] == "new body\n"
    assert found(hg, "compose sonnets") == ["pdf"]


def test_a_refresh_sees_what_is_new_edited_and_gone(hg, home, skill):
    skill("s/a")
    skill("s/b", "Old words.")
    hg.skills.load_folder(home / "s")
    shutil.rmtree(home / "s/a")
    skill("s/b", "Brand new sentence.")
    skill("s/c")
    report = hg.skills.refresh()
    assert (report["added"], report["replaced"], report["unchanged"], report["removed"]) == (1, 1, 0, ["a"])
    again = hg.skills.refresh()
    assert (again["added"], again["replaced"], again["unchanged"]) == (0, 0, 2)


def test_an_edit_of_a_watched_folder_is_seen_without_being_asked_for(hg, home, skill):
    skill("s/a", "Old words.")
    hg.skills.load_folder(home / "s", watch=True)
    # A watch begins a moment after it is asked for, so the edit is repeated until it is seen.
    for number in range(100):
        skill("s/a", f"Compose sonnets, round {number}.")
        time.sleep(0.3)
        if found(hg, "compose sonnets"):
            return
    pytest.fail("the edit was never seen")


def test_a_folder_that_is_not_there_cannot_be_watched(hg, home):
    with pytest.raises(StateError) as caught:
        hg.skills.load_folder(home / "nowhere", watch=True)
    assert caught.value.code == "unreadable_file"


def test_hostile_folders_lead_nowhere_outside_and_every_refusal_is_explained(hg, home, put, skill):
    put("outside/secret.txt", "secret")
    put("outside/x/SKILL.md", "---\nname: x\ndescription: Secret.\n---\nsecret\n")
    skill("s/real")
    put("s/real/references/a.md", "fine")
    (home / "s/linked").symlink_to(home / "outside")
    (home / "s/loop").symlink_to(home / "s")
    (home / "s/real/references/secret.md").symlink_to(home / "outside/secret.txt")
    (home / "s/leaf").mkdir()
    (home / "s/leaf/SKILL.md").symlink_to(home / "outside/x/SKILL.md")
    put("s/empty/SKILL.md", "")
    put("s/binary/SKILL.md", b"---\n\xff\xfe")
    put("s/huge/SKILL.md", "x" * 5_000_000)
    os.mkfifo(home / "s/real/references/pipe")
    (home / "s/pipe").mkdir()
    os.mkfifo(home / "s/pipe/SKILL.md")
    put("s/.hidden/y/SKILL.md", "---\nname: y\ndescription: Hidden.\n---\n")
    put("s/node_modules/z/SKILL.md", "---\nname: z\ndescription: A package.\n---\n")
    report = hg.skills.load_folder(home / "s")
    assert ids(report) == ["real"]
    assert [(s["path"][len(str(home)) :], s["reason"]) for s in report["skipped"]] == [
        ("/s/.hidden", "hidden"),
        ("/s/linked", "linked"),
        ("/s/loop", "linked"),
        ("/s/node_modules", "ignored"),
        ("/s/real/references/secret.md", "linked"),
    ]
    refused = {d["file"][len(str(home)) :] for d in report["diagnostics"] if d["severity"] == "error"}
    assert sorted(refused) == [f"/s/{name}/SKILL.md" for name in ("binary", "empty", "huge", "leaf")]
    assert hg.skills.get("real")["resources"] == ["references/a.md"]
    assert "ecret" not in json.dumps(hg.skills.list())


def test_links_that_are_followed_stay_inside(hg, home, put, skill):
    put("outside/x/SKILL.md", "---\nname: x\ndescription: Secret.\n---\n")
    skill("s/real")
    (home / "s/more").mkdir()
    (home / "s/more/out").symlink_to(home / "outside")
    (home / "s/more/loop").symlink_to(home / "s")
    report = hg.skills.load_folder(home / "s", include=["linked"])
    assert ids(report) == ["real"]
    assert sorted(skipped["reason"] for skipped in report["skipped"]) == ["outside", "seen"]


def test_no_resource_is_read_but_those_in_the_list_not_even_one_that_became_a_link(hg, home, put, skill):
    put("secret.txt", "secret")
    skill("s/real")
    put("s/real/references/a.md", "fine")
    hg.skills.load_folder(home / "s")
    assert read(hg, "real", resource="references/a.md")["body"] == "fine"
    for resource in ("../../secret.txt", str(home / "secret.txt"), "references/../../../secret.txt", "references"):
        assert read(hg, "real", resource=resource)["error"] == "unknown_resource"
    (home / "s/real/references/a.md").unlink()
    (home / "s/real/references/a.md").symlink_to(home / "secret.txt")
    assert read(hg, "real", resource="references/a.md")["error"] == "unreadable_file"


async def test_a_slow_disk_keeps_the_event_loop_free(hg, home, skill, monkeypatch):
    skill("s/pdf", body="Use zebra ink.")
    hg.skills.load_folder(home / "s")
    loop_went_on, read_inside = threading.Event(), skill_folders.read_inside

    def slow(*place):
        return read_inside(*place) if loop_went_on.wait(60) else {"problem": "unreadable"}

    monkeypatch.setattr(skill_folders, "read_inside", slow)
    opened = asyncio.ensure_future(hg.call("get_skill_content", {"skillId": "pdf"}))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    loop_went_on.set()
    assert "zebra ink" in (await opened)["body"]


def test_more_folders_than_the_bound_cost_the_bound_and_the_others_are_named(hg, home):
    for number in range(400):
        (home / "many" / str(number)).mkdir(parents=True)
    report = hg.skills.load_folder(home / "many", folders=100)
    # 99 folders are listed beside the root.
    assert [skipped["reason"] for skipped in report["skipped"]] == ["many"] * 301
    assert codes(hg) == ["skipped_folder"] * 301


def test_a_conditional_skill_is_unknown_until_the_conversation_touches_a_file_that_matches(hg, home, skill):
    hg.skills.load_folder(skill("ts", "House style.", "Use const.", 'paths: "*.ts"\n'))
    session = hg.session("s1")
    assert session.skills.search("house style") == []
    assert session.call_sync("get_skill_content", {"skillId": "ts"})["error"] == "unknown_skill"
    assert session.touch(str(home / "src/a.ts")) == {"revealed": ["ts"], "outside": []}
    assert session.call_sync("get_skill_content", {"skillId": "ts"})["body"] == "Use const."
    assert hg.session("s2").skills.search("house style") == []
    assert session.touch("/etc/passwd")["outside"] == ["/etc/passwd"]


def test_folders_above_a_touched_file_are_found_on_the_way_up_and_never_in_ignored_ones(hg, put, skill):
    hg.skills.load_folder(skill(".claude/skills/root"))
    put(".gitignore", "/generated/\n")
    skill("packages/api/.claude/skills/api", "About the interface.")
    skill("packages/.agents/skills/all", "About all packages.")
    skill("generated/.claude/skills/bad", "Generated.")
    skill("node_modules/x/.claude/skills/worse", "A package's own.")
    touched = hg.session("s1").touch(["packages/api/src/deep/a.ts", "generated/b.ts", "node_modules/x/c.js"])
    assert touched["revealed"] == ["all", "api"]
    assert [item["id"] for item in hg.skills.list()] == ["root", "api", "all"]
    assert hg.session("s2").skills.search("interface") == []


def test_placeholders_are_filled_in(hg, home, skill):
    hg.skills.load_folder(skill("trip", "Trips.", "To $city from ${SKILL_DIR} in ${SESSION_ID}", "arguments: city\n"))
    reply = hg.session("s1").call_sync("get_skill_content", {"skillId": "trip", "arguments": "Rome"})
    assert reply["body"] == f"To Rome from {home / 'trip'} in s1"


async def test_a_sub_agent_follows_a_skill_that_asks_for_one(skill):
    asked = []

    async def fork(request):
        asked.append(request)
        return "done"

    hg = Honeyguide(fork=fork)
    more = "context: fork\nmodel: opus\nallowed-tools: Read\n"
    hg.skills.load_folder(skill("review", "Review.", "Review $ARGUMENTS", more))
    reply = await hg.call("get_skill_content", {"skillId": "review", "arguments": "a.ts"})
    assert reply == {"skillId": "review", "name": "review", "result": "done"}
    expected = {"skillId": "review", "prompt": "Review a.ts", "allowedTools": ["Read"], "model": "opus"}
    assert asked == [{**expected, "effort": None, "session": None}]


def test_a_sub_agent_that_fails_is_told_of_and_where_there_is_none_the_model_follows_the_skill(hg, skill):
    place = skill("review", "Review.", "Review it", "context: fork\n")
    hg.skills.load_folder(place)
    reply = read(hg, "review")
    assert (reply["body"], "hint" in reply) == ("Review it", True)

    def fork(request):
        raise RuntimeError("no model")

    failing = Honeyguide(fork=fork)
    failing.skills.load_folder(place)
    reply = read(failing, "review")
    assert reply["error"] == "skill_failed"
    assert "no model" in reply["message"]


def test_a_skill_of_a_saved_catalog_is_not_read_until_its_folder_is_loaded(hg, home, skill):
    hg.skills.load_folder(skill("pdf", "Fill in forms."))
    loaded = Honeyguide()
    loaded.load(hg.save())
    assert found(loaded, "fill in forms") == ["pdf"]
    assert read(loaded, "pdf")["error"] == "unreadable_file"
    loaded.skills.load_folder(home / "pdf")
    assert read(loaded, "pdf")["body"] == "# Body\n"


def test_a_listing_says_what_is_new_and_nothing_again_when_a_conversation_is_resumed(hg, home, skill):
    skill("s/a", "Does a.")
    hg.skills.load_folder(home / "s")
    first = hg.session("one").skill_listing()
    assert "- a: Does a.\n" in first["text"]
    assert hg.session("one").skill_listing()["text"] == ""
    skill("s/b", "Does b.")
    resumed = Honeyguide(project_root=home)
    resumed.skills.load_folder(home / "s")
    assert resumed.session("one").skill_listing(sent=first["sent"])["shown"] == ["b"]


def test_a_forked_process_loads_and_reads(hg, home, skill):
    hg.skills.load_folder(skill("pdf"))
    skill("pdf", "Compose sonnets.", "new\n")
    child = os.fork()
    if child == 0:
        ok = hg.skills.refresh()["replaced"] == 1 and read(hg, "pdf")["body"] == "new\n"
        os._exit(0 if ok else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(not DATA or not Path(DATA, "skills/tools.jsonl").exists(), reason="HONEYGUIDE_DATA is not set")
def test_a_collection_of_970_skills_is_found_whole_and_every_double_reported(hg, home, put):
    with open(Path(DATA, "skills/tools.jsonl"), encoding="utf-8") as lines:
        skills = [json.loads(line) for line in lines]
    for item in skills:
        head = f"---\nname: {item['name']}\ndescription: {json.dumps(item['description'])}\n---\n\n"
        put(f"all/{item['id']}/SKILL.md", head + item["body"])
    report = hg.skills.load_folder(home / "all")
    names = {item["name"] for item in skills}
    assert len(report["skills"]) == len(names)
    assert codes(hg).count("shadowed_skill") == len(skills) - len(names)
    assert [d for d in report["diagnostics"] if d["severity"] == "error"] == []
    again = hg.skills.refresh()
    assert (again["unchanged"], again["added"], again["replaced"]) == (len(names), 0, 0)
