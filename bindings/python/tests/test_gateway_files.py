"""How the gateway reads and writes what people write: JSON with comments, settings, clients' files, the target."""

import json
import os
from datetime import datetime, timezone
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from honeyguide.gateway.arguments import read_command
from honeyguide.gateway.bring.clients import Whereabouts, client_files
from honeyguide.gateway.bring.command import bring
from honeyguide.gateway.bring.found import read_clients
from honeyguide.gateway.bring.insert import insert_members
from honeyguide.gateway.bring.target import read_target, write_target
from honeyguide.gateway.fault import ConfigurationFault
from honeyguide.gateway.harmless import as_name, on_one_line, visible
from honeyguide.gateway.jsonc import JsonFault, read_jsonc
from honeyguide.gateway.mask import mask_address, mask_arguments
from honeyguide.gateway.settings import read_gateway
from honeyguide.gateway.table import table
from honeyguide.gateway.text import text_of

# ------------------------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('// a\n{"a": 1, /* b */ "c": [1, 2,],}', {"a": 1, "c": [1, 2]}),
        ('{"url": "http://x//y", "t": "/* no */", "q": "\\"//"}', {"url": "http://x//y", "t": "/* no */", "q": '"//'}),
        ('{"a": ",]"}', {"a": ",]"}),
        ("[1, // one\n]", [1]),
        ("[]", []),
        ('{"a": 1} // the end', {"a": 1}),
    ],
)
def test_comments_and_trailing_commas_are_read_past(text, value):
    assert read_jsonc(text) == value


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("[,]", 1, 2),
        ('{"a": 1,,}', 1, 9),
        ("{,}", 1, 2),
        ('{"a": }', 1, 7),
        ("/* a\nb */ {\n  // c\n  oops}", 4, 3),
        ("{} {}", 1, 4),
        ("", 1, 1),
        ("{'a': 1}", 1, 2),
        ('{"a": 1 /* open', 1, 9),
        ('{"a": "open', 1, 7),
        ("[NaN]", 1, 1),
        ("[" * 100_000, 1, 201),
    ],
)
def test_what_is_no_json_is_said_with_its_place(text, line, column):
    with pytest.raises(JsonFault) as caught:
        read_jsonc(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("value", "text"),
    [({"a": 2.0, "b": [1.5, True, None]}, '{"a":2,"b":[1.5,true,null]}'), ("\ud800ä", '"\\ud800ä"'), (-0.0, "0")],
)
def test_a_value_is_the_text_that_javascript_writes(value, text):
    assert text_of(value) == text


# --------------------------------------------------------------------------------------------------------- settings


@pytest.fixture
def config(tmp_path):
    def write(name="c.json", **content):
        path = tmp_path / name
        path.write_text(json.dumps({"mcpServers": {"s": {"command": "x"}}, **content}), encoding="utf-8")
        return str(path)

    return write


def asks(gateway, tool, **annotations):
    return gateway.settings_of("s")["approval"]({"name": tool, "annotations": annotations})


def test_the_beginning_of_a_name_is_a_rule_and_always_is_stronger_than_never(config):
    approval = {"ask": "writes", "always": ["s__wipe_*"], "never": ["s__wi*", "s__note"]}
    gateway = read_gateway([config(honeyguide={"approval": approval})])
    assert asks(gateway, "wipe_all", readOnlyHint=True)
    assert not asks(gateway, "wipe")
    assert not asks(gateway, "note")
    assert asks(gateway, "notes")
    assert not asks(gateway, "look", readOnlyHint=True)


@pytest.mark.parametrize("pattern", ["s", "s__", "__t", "s__*t", "*", "s_t", "s__t*u", ""])
def test_a_pattern_that_names_no_tool_is_refused(config, pattern):
    with pytest.raises(ConfigurationFault, match="must be `server__tool` or `server__"):
        read_gateway([config(honeyguide={"approval": {"never": [pattern]}})])


def test_terms_reach_the_tool_that_they_are_for(config):
    tools = {"s__a": {"timeoutMs": 5}, "s__b__c": {"maximumMs": 7.0}}
    gateway = read_gateway([config(honeyguide={"tools": tools})])
    assert gateway.settings_of("s")["tools"] == {"a": {"timeout_ms": 5}, "b__c": {"maximum_ms": 7}}


@pytest.mark.parametrize("number", [0, -1, 1.5, "7", True, [], 2**60])
def test_a_number_that_is_no_term_is_refused(config, number):
    with pytest.raises(ConfigurationFault, match="must be a whole number above 0"):
        read_gateway([config(honeyguide={"tools": {"s__a": {"timeoutMs": number}}})])


def test_both_groups_of_a_file_count_and_a_name_stands_once(config):
    assert read_gateway([config(servers={"t": {"command": "y"}})]).names == ["s", "t"]
    with pytest.raises(ConfigurationFault, match=r"server `s` stands twice in .*c\.json; rename one of them"):
        read_gateway([config(servers={"s": {"command": "y"}})])


def test_what_a_library_says_holds_no_value_of_a_variable_an_environment_or_a_header(config, monkeypatch):
    monkeypatch.setenv("SOME_SECRET", "hunter2hunter2")
    servers = {
        "a": {"command": "x", "args": ["${SOME_SECRET}"], "env": {"KEY": "in-the-env"}},
        "b": {"url": "https://b.example", "headers": {"Authorization": "Bearer in-a-header"}},
        "c": 7,
    }
    gateway = read_gateway([config(mcpServers=servers)])
    said = "hunter2hunter2 in-the-env Bearer in-a-header"
    assert gateway.redact(f"warns of {said}") == "warns of *** *** ***"


# ----------------------------------------------------------------------------------------------------- command lines


def test_an_option_takes_its_value_with_an_equals_sign_also_one_that_begins_with_a_dash():
    command = read_command(["mcp", "--config=-odd.json", "--config", "b.json", "-h"])
    assert command.all("--config") == ["-odd.json", "b.json"]
    assert command.has("--help")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["mcp", "--config="], "option `--config` needs a value"),
        (["mcp", "--config", "a", "b"], "unexpected argument `b`; see `honeyguide mcp --help`"),
        (["mcp", "check", "more"], "unexpected argument `more`; see `honeyguide mcp check --help`"),
    ],
)
def test_a_wrong_command_line_is_refused(words, fault):
    with pytest.raises(ConfigurationFault) as caught:
        read_command(words)
    assert str(caught.value) == fault


# ---------------------------------------------------------------------------------------------- what a person is shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("https://${HOST}/mcp?key=abc", "https://${HOST}/mcp?key=***"),
        ("https://x.example/mcp?abc", "https://x.example/mcp?***"),
        ("https://me:${PASSWORD}@x.example/", "https://me:${PASSWORD}@x.example/"),
        ("https://x.example/#abc", "https://x.example/#***"),
    ],
)
def test_a_reference_hides_nothing_and_shows_nothing_beside_it(written, shown):
    assert mask_address(written) == shown
    assert mask_arguments([written]) == [shown]


def test_text_of_others_stays_on_its_line_and_shows_what_it_is():
    assert on_one_line(" a\r\n\u2028 b\tc\u001b[2J\u202ed\ue000 ") == "a b c[2Jd"
    assert visible("a\u0000\u200bb\U000e0041") == "ab"
    assert as_name("a`b" + "c" * 200) == "a'b" + "c" * 97 + "…"
    assert table(["a", "b"], [["x\ny", "1"], ["long name", ""]]) == "a          b\nx y        1\nlong name\n"


# ------------------------------------------------------------------------------------------------------------- import

ADDED = {"new": {"command": "n", "args": ["1"]}}
LINES = '    "new": {\n      "command": "n",\n      "args": [\n        "1"\n      ]\n    }\n  '


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\n  "mcpServers": {}\n}\n', '{\n  "mcpServers": {\n' + LINES + "}\n}\n"),
        (
            '{\n  // mine\n  "mcpServers": {\n    "a": {} // last, and good\n  },\n}\n',
            '{\n  // mine\n  "mcpServers": {\n    "a": {}, // last, and good\n' + LINES + "},\n}\n",
        ),
        (
            '{\n  "mcpServers": {\n    "a": {},\n    /* , */\n  }\n}\n',
            '{\n  "mcpServers": {\n    "a": {},\n    /* , */\n' + LINES + "}\n}\n",
        ),
    ],
)
def test_members_are_added_behind_the_others_and_comments_stay(text, expected):
    assert insert_members(text, "mcpServers", ADDED) == expected


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{ /* nothing */ }",
        '{"other": {"mcpServers": {"deep": 1}}}',
        '{ "mcpServers": { "a": { "args": ["}", "{", "//"] } } }',
        '{"mcpServers": {"a": 1}, "x": [{"mcpServers": {}}]}',
        '{\r\n  "mcpServers": {\r\n    "a": 1\r\n  }\r\n}\r\n',
        '{"mcpServers": {"a": 1}, "mcpServers": {"b": 2}}',
        '{"mcpServers":\n{"\\"": 1 /* , */ , // x\n}}',
    ],
)
def test_what_was_there_is_there_afterwards(text):
    before = read_jsonc(text)
    after = insert_members(text, "mcpServers", ADDED)
    assert read_jsonc(after) == {**before, "mcpServers": {**before.get("mcpServers", {}), **ADDED}}
    assert ("\r\n" in text) == (after.count("\n") == after.count("\r\n"))


def test_a_target_is_written_whole_for_its_owner_and_a_copy_of_the_same_second_is_not_lost(tmp_path):
    path = tmp_path / "t.json"
    path.write_text('{"mcpServers": {"a": {}}}')
    path.chmod(0o644)
    noon = datetime(2026, 1, 2, 12, 0, 0, tzinfo=timezone.utc)
    copies = [write_target(read_target(str(path), "t.json"), {name: {}}, noon) for name in ("b", "c")]
    assert copies == [f"{path}.bak-20260102T120000Z"] * 2
    assert json.loads(Path(copies[0]).read_text()) == {"mcpServers": {"a": {}}}
    assert json.loads(path.read_text()) == {"mcpServers": {"a": {}, "b": {}, "c": {}}}
    assert [f"{os.stat(one).st_mode & 0o777:o}" for one in (path, copies[0])] == ["600", "600"]
    assert sorted(os.listdir(tmp_path)) == ["t.json", "t.json.bak-20260102T120000Z"]


def test_every_client_has_its_places_on_every_system(tmp_path):
    here = Whereabouts(str(tmp_path / "work"), str(tmp_path / "home"))
    desktop = {
        platform: next(file.path for file in client_files(here, platform) if file.client == "claude-desktop")
        for platform in ("linux", "darwin", "win32")
    }
    home = tmp_path / "home"
    assert desktop == {
        "linux": str(home / ".config" / "Claude" / "claude_desktop_config.json"),
        "darwin": str(home / "Library" / "Application Support" / "Claude" / "claude_desktop_config.json"),
        "win32": str(home / "AppData" / "Roaming" / "Claude" / "claude_desktop_config.json"),
    }


def test_hostile_files_of_clients_are_shown_and_break_nothing(tmp_path, capsys):
    here = Whereabouts(str(tmp_path / "work"), str(tmp_path / "home"))
    for folder in here:
        os.mkdir(folder)
    entries = {
        "a\nb\u001b[2J": {"command": "x\ny", "args": ["\u202e"]},
        "": {"command": "x"},
        "list": {"command": "y", "args": [1, None]},
        "both": {"command": "z", "url": "https://z.example"},
        "__": {"command": "w"},
    }
    (tmp_path / "work" / ".mcp.json").write_text(json.dumps({"mcpServers": entries}))
    (tmp_path / "home" / ".claude.json").write_bytes(b"\xff\xfe{")
    os.mkdir(tmp_path / "work" / ".cursor")
    os.mkdir(tmp_path / "work" / ".cursor" / "mcp.json")
    os.mkdir(tmp_path / "home" / ".codex")
    (tmp_path / "home" / ".codex" / "config.toml").write_text('[mcp_servers.a]\ncommand = "a')
    found, broken, _ = read_clients(here, [])
    assert [(one.name, one.why) for one in found] == [
        ("a\nb\u001b[2J", None),
        ("", None),
        ("list", "its `args` are no list of texts"),
        ("both", None),
        ("__", None),
    ]
    assert [fault.fault.message for fault in broken][:2] == ["it is no UTF-8", "it is a folder"]
    assert (broken[2].fault.line, broken[2].fault.message[:15]) == (2, "it is no TOML: ")
    assert bring(read_command(["mcp", "import", "--yes"]), here) == 0
    shown = capsys.readouterr().out
    assert not {"\u001b", "\u202e"} & set(shown)
    assert "Wrote 4 servers to honeyguide.mcp.json." in shown
    written = json.loads((tmp_path / "work" / "honeyguide.mcp.json").read_text())["mcpServers"]
    assert list(written) == ["a\nb\u001b[2J", "server", "both", "server_2"]
