"""What the gateway makes of configurations that are not as they should be: one entry never takes the others along."""

import json
import re

import pytest

pytest.importorskip("mcp")

from honeyguide.gateway.arguments import read_command
from honeyguide.gateway.bring.clients import Whereabouts
from honeyguide.gateway.bring.found import read_clients
from honeyguide.gateway.catalog import Behind
from honeyguide.gateway.check import check
from honeyguide.gateway.credentials import how_to_sign_in
from honeyguide.gateway.fault import ConfigurationFault
from honeyguide.gateway.log import Log
from honeyguide.gateway.login import log_in_or_out
from honeyguide.gateway.settings import read_gateway
from honeyguide.mcp.redact import passwords_in, redactor

ODD = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1.5,
        10**400,
        "",
        "x",
        "\0",
        "a\nb",
        "\xe9",
        "\ud800",
        "${",
        "${}",
        "${NOPE}",
        "${A:+b}",
    ),
    *([], [[]], ["x"], [None], [{}], ["\0"], ["\ud800"], {}, {"a": []}, {"": "x"}, {"a": "\0"}, {"a=b": "c"}),
    *({"a\nb": "c"}, {"a": "b\nc"}, {"a": "\xe9"}, {"a": "\ud800"}, {"\ud800": "x"}, {"a": 1}, {"a": None}, {"a": {}}),
]
FIELDS = ("type", "command", "args", "env", "cwd", "url", "headers", "oauth", "disabled", "other")
GOOD = {"command": "honeyguide-no-such-program"}


def written(tmp_path, content):
    """A file with this content, and its settings."""
    file = tmp_path / "config.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return read_gateway([str(file)])


@pytest.mark.parametrize("base", [{"command": "honeyguide-no-such-program"}, {"url": "http://127.0.0.1:1/mcp"}, {}])
@pytest.mark.parametrize("field", FIELDS)
async def test_no_value_of_any_field_of_one_server_takes_the_others_along(tmp_path, base, field):
    odd = {f"t{place}": {**base, field: value} for place, value in enumerate(ODD)}
    settings = written(tmp_path, {"mcpServers": {**odd, "s": GOOD}})
    assert settings.redact("text") == "text"
    behind = Behind(settings, Log("quiet"))
    try:
        assert await behind.start()
        assert "s" in behind._servers.servers
        for name in odd:
            assert how_to_sign_in(settings, name)
        await behind._servers.settled()
        for server in behind._servers.servers.values():
            for word in ("codec", "null byte", "Error"):
                assert word not in (server.status.error or "")
    finally:
        await behind.close()


@pytest.mark.parametrize("type", [[], {}, 1, True])
async def test_a_type_that_is_no_text_leaves_its_own_server_out(tmp_path, type, capsys):
    settings = written(tmp_path, {"mcpServers": {"t": {**GOOD, "type": type}, "s": GOOD}})
    assert await check(settings, Log()) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "server `t`: its `type` is no text" in lines[1]
    assert "there is no program" in lines[2]


@pytest.mark.parametrize("name", ["half \ud800", "line\nend", "bell\a", "\x9b"])
async def test_a_name_that_cannot_be_written_leaves_its_own_server_out(tmp_path, name):
    behind = Behind(written(tmp_path, {"mcpServers": {name: GOOD, "s": GOOD}}), Log("quiet"))
    try:
        assert await behind.start()
        assert list(behind._servers.servers) == ["s"]
        shown = re.sub("[^ -~]", "?", name)
        assert f"which `{shown}` does" in str(behind._servers.errors[name])
    finally:
        await behind.close()


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"X-Key": "hidden\nX-More: yes"}, "a header has a value that cannot be sent (`X-Key`)"),
        ({"X-Key": "hidden\xe9"}, "a header has a value that cannot be sent (`X-Key`)"),
        ({"X Key": "hidden"}, "its `headers` have a name that no header has"),
    ],
)
async def test_a_header_that_cannot_be_sent_is_said_without_its_value(tmp_path, headers, said, capsys):
    await check(written(tmp_path, {"mcpServers": {"t": {"url": "http://127.0.0.1:1/mcp", "headers": headers}}}), Log())
    shown = capsys.readouterr().out
    assert said in shown
    assert "hidden" not in shown


def test_the_files_of_clients_may_hold_any_type_of_server(tmp_path):
    here = Whereabouts(str(tmp_path / "work"), str(tmp_path / "home"))
    cursor = tmp_path / "home" / ".cursor" / "mcp.json"
    cursor.parent.mkdir(parents=True)
    cursor.write_text(json.dumps({"mcpServers": {"t": {**GOOD, "type": []}, "s": GOOD}}))
    found, broken, _ = read_clients(here, ["cursor"])
    assert [one.name for one in found] == ["t", "s"]
    assert broken == []


# --------------------------------------------------------------------------------------------------- misspelt or twice


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("Honeyguide", "Honeyguide: unknown key; did you mean `honeyguide`?"),
        ("honeygide", "honeygide: unknown key; did you mean `honeyguide`?"),
        ("mcpserver", "mcpserver: unknown key; did you mean `mcpServers`?"),
        ("Servers", "Servers: unknown key; did you mean `servers`?"),
        ("approval", "approval: unknown key; it belongs below `honeyguide`"),
        ("onchange", "onchange: unknown key; it belongs below `honeyguide`"),
        ("skills", "skills: unknown key; it belongs below `honeyguide`"),
    ],
)
def test_a_key_that_is_meant_for_the_gateway_and_would_not_hold_is_refused(tmp_path, key, said):
    with pytest.raises(ConfigurationFault) as caught:
        written(tmp_path, {"mcpServers": {"s": GOOD}, key: {}})
    assert str(caught.value).endswith(f"config.json: {said}")


def test_keys_of_others_beside_the_servers_are_taken_silently(tmp_path):
    settings = written(
        tmp_path, {"mcpServers": {"s": {**GOOD, "alwaysAllow": [], "timeout": 5}}, "inputs": [], "$schema": ""}
    )
    assert settings.names == ["s"]
    assert settings.warnings == []


def test_misspelt_keys_of_a_server_are_warned_of(tmp_path):
    odd = {**GOOD, "arg": [], "enviroment": {}, "header": {}, "ENV": {}, "note": ""}
    assert written(tmp_path, {"mcpServers": {"s": odd}}).warnings == [
        "server `s`: unknown key `arg`; did you mean `args`?",
        "server `s`: unknown key `enviroment`; did you mean `env`?",
        "server `s`: unknown key `header`; did you mean `headers`?",
        "server `s`: unknown key `ENV`; did you mean `env`?",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"mcpServers": {\n  "a": {},\n  "a": {}}}', ":3:3: server `a` stands twice; rename one of them"),
        ('{"servers": {"a": {}, "\\u0061": {}}}', ":1:23: server `a` stands twice; rename one of them"),
        ('{"honeyguide": {}, /* " */ "mcpServers": {},\n"honeyguide": {}}', ":2:1: `honeyguide` stands twice"),
        ('{"mcpServers": {},\n "mcpServers": {}}', ":2:2: `mcpServers` stands twice"),
        (
            '{"mcpServers": {}, "honeyguide": {"approval": {"ask": "none", "ask": "writes"}}}',
            ":1:63: `ask` stands twice",
        ),
    ],
)
def test_a_key_that_stands_twice_is_refused_with_its_place(tmp_path, text, said):
    with pytest.raises(ConfigurationFault) as caught:
        written(tmp_path, text)
    assert str(caught.value).endswith(f"config.json{said}")


def test_the_same_key_may_stand_in_different_objects_and_twice_where_nobody_reads(tmp_path):
    text = '{"inputs": {"a": [{"b": 1}, {"b": "a"}], "a": 2}, "mcpServers": {"a": {"env": {"a": "a"}, "args": ["a"]}}}'
    assert written(tmp_path, text).names == ["a"]


def test_endless_brackets_are_said_with_the_place_where_they_are_too_many(tmp_path):
    with pytest.raises(ConfigurationFault) as caught:
        written(tmp_path, "[" * 100_000)
    assert str(caught.value).endswith("config.json:1:201: it is no JSON: nested too deeply")


def test_variables_and_the_home_stand_in_the_folders_of_skills(tmp_path, monkeypatch):
    monkeypatch.setenv("SKILLS", "ours")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    settings = written(tmp_path, {"honeyguide": {"skills": ["${SKILLS}", "~/x", "${NONE:-y}"]}})
    assert settings.skills == tuple(str(tmp_path / path) for path in ("ours", "home/x", "y"))
    with pytest.raises(ConfigurationFault, match=r"honeyguide\.skills: a variable has no value: `NOTHING`"):
        written(tmp_path, {"honeyguide": {"skills": ["${NOTHING}"]}})


# ------------------------------------------------------------------------------------------------ what a person is told


async def test_a_folder_of_skills_that_is_missing_fails_the_check(tmp_path, capsys):
    (tmp_path / "there").mkdir()
    assert await check(written(tmp_path, {"honeyguide": {"skills": ["there"]}}), Log()) == 0
    assert await check(written(tmp_path, {"honeyguide": {"skills": ["there", "gone"]}}), Log()) == 1
    assert f"honeyguide: skills: `{tmp_path / 'gone'}`: there is no such folder" in capsys.readouterr().err


async def test_complaints_about_skills_name_the_file_and_the_line(tmp_path, capsys):
    skill = tmp_path / "skills" / "other" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: one\ndescription: Does one\n---\ntext")
    behind = Behind(written(tmp_path, {"honeyguide": {"skills": ["skills"]}}), Log("verbose"))
    assert await behind.start()
    await behind.ready_for("search_capabilities", {})
    await behind.close()
    assert re.search(r"honeyguide: skills: \S*other/SKILL\.md:2: `name` is `one`", capsys.readouterr().err)


async def test_a_working_folder_that_is_missing_is_said_as_that(tmp_path, capsys):
    gone = str(tmp_path / "gone")
    settings = written(tmp_path, {"mcpServers": {"s": {"command": "echo", "cwd": gone}}})
    assert await check(settings, Log()) == 1
    row = capsys.readouterr().out.splitlines()[1]
    assert row.split()[1] == "failed"
    assert f"its working folder `{gone}` is not there" in row


@pytest.mark.parametrize("command", ["login", "logout"])
def test_signing_in_to_a_server_with_an_unset_variable_names_the_variable(tmp_path, command):
    written(tmp_path, {"mcpServers": {"s": {"url": "https://${HONEYGUIDE_NOT_SET}/mcp"}}})
    with pytest.raises(ConfigurationFault) as caught:
        log_in_or_out(read_command(["mcp", command, "s", "--config", str(tmp_path / "config.json")]), Log())
    assert str(caught.value) == "server `s`: a variable has no value: `HONEYGUIDE_NOT_SET` in url"


def test_a_secret_of_several_lines_is_masked_line_by_line_as_well():
    redact = redactor(["-----BEGIN-----\nfirst line\r\n  second\nabc\n"])
    assert redact("it said: first line, second, abc") == "it said: ***, ***, abc"
    assert redact("-----BEGIN-----\nfirst line\r\n  second\nabc\n") == "***"


async def test_a_tool_that_is_held_back_is_said_to_be(tmp_path):
    settings = written(tmp_path, {"mcpServers": {"s": GOOD}, "honeyguide": {"onChange": "quarantine"}})
    behind = Behind(settings, Log("quiet"))
    await behind.start()
    server = behind._servers.servers["s"]
    server._shelf._held["look"] = {"name": "look"}
    reply = behind.helped({"isError": True, "error": "unknown_tool", "requested": "s__look", "next": "search"})
    await behind.close()
    assert reply["next"] == (
        "server `s` changed the definition of `look`, and it is held back; "
        "tell the user: a restart of the gateway takes the present definition"
    )


def test_the_password_of_an_address_is_masked_as_it_is_written_and_as_it_is_meant():
    address = "http://me:some%21word@auth.example/mcp"
    redact = redactor(passwords_in(address))
    assert redact(f"{address} some!word me") == "http://me:***@auth.example/mcp *** me"
    assert passwords_in("http://auth.example:8080/a@b") == []
