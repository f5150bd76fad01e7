"""The gateway between a hostile server and an odd client: everybody who waits is answered, and a person sees all."""

import json

import pytest

pytest.importorskip("mcp")

from honeyguide.gateway.words import question
from test_gateway import gateway, tool


def nested(depth):
    """A value of this depth."""
    value = 0
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("depth", [199, 250, 900, 20_000])
async def test_a_call_that_is_nested_too_deeply_is_answered_with_an_error(depth):
    async with gateway(tool("look")) as raw:
        await raw.begin()
        await raw.ready("s__look")
        text = json.dumps({"name": "invoke_tool", "arguments": {"toolId": "s__look", "args": {"a": "DEEP"}}})
        text = text.replace('"DEEP"', "[" * depth + "]" * depth)
        raw.say(f'{{"params":{text},"id":"mine","jsonrpc":"2.0","method":"tools/call"}}')
        answer = await raw.hear()
        assert answer == {
            "jsonrpc": "2.0",
            "id": "mine",
            "error": {"code": -32602, "message": "the message is nested too deeply"},
        }
        assert (await raw.invoke("s__look", {"a": 1}))["content"][0]["text"] == '{"a":1}'


@pytest.mark.parametrize("depth", [50, 150])
async def test_a_call_that_is_nested_less_deeply_is_answered(depth):
    async with gateway(tool("look")) as raw:
        await raw.begin()
        await raw.ready("s__look")
        assert await raw.invoke("s__look", {"a": nested(depth)})


@pytest.mark.parametrize("depth", [200, 250, 600])
async def test_a_result_that_is_nested_too_deeply_is_a_failure_at_once(depth):
    result = {"content": [], "structuredContent": {"a": nested(depth)}}
    async with gateway(tool("deep", does={"result": result}), tool("look")) as raw:
        await raw.begin()
        await raw.ready("s__deep")
        answer = await raw.invoke("s__deep")
        assert answer["isError"] is True
        assert "the message is nested too deeply" in answer["content"][0]["text"]
        assert (await raw.invoke("s__look", {"a": 1}))["content"][0]["text"] == '{"a":1}'


async def test_a_result_that_is_nested_less_deeply_is_handed_on():
    result = {"content": [], "structuredContent": {"a": nested(180)}}
    async with gateway(tool("deep", does={"result": result})) as raw:
        await raw.begin()
        await raw.ready("s__deep")
        assert await raw.invoke("s__deep") == result


# --------------------------------------------------------------------------------------------------------- the question


def asked(arguments):
    return question("s__wipe", arguments).partition("Arguments: ")[2]


def test_a_long_value_hides_no_other_one():
    shown = asked({"note": "y" * 5000, "options": {"force": True, "why": "z" * 5000}, "path": "/"})
    assert shown.startswith('{"note":"yyyy')
    assert "… (5002 characters)" in shown
    assert '"options":{"force":true,"why":"zzzz' in shown
    assert shown.endswith(',"path":"/"}')
    assert len(shown) < 1150


def test_blanks_push_nothing_out_of_sight():
    assert asked({"note": "a" + " " * 900 + "\u3000\u00a0b", "c d": 1}) == '{"note":"a␣b","c d":1}'


def test_keys_that_are_too_many_are_counted_and_long_ones_are_cut():
    shown = asked({f"key{place}": "y" * 100 for place in range(60)})
    assert shown.startswith('{"key0":"yyyy')
    left = 60 - shown.count('"key')
    assert left > 0
    assert shown.endswith(f",… ({left} more)}}")
    assert asked({"k" * 3000: 1, "force": True}).endswith('… (3002 characters):1,"force":true}')


def test_what_cannot_be_seen_is_taken_out():
    unseen = "\u3164\u2800\u115f\u1160\u034f\ufe00\ufe0f\U000e0100\U000e01ef\u202e\u200b"
    assert asked({f"a{unseen}": f"b{unseen}c"}) == '{"a":"bc"}'


@pytest.mark.parametrize("depth", [1, 30, 150])
def test_any_shape_stays_short(depth):
    value = "y" * 2000
    for _ in range(depth):
        value = {"a": [value, "z" * 50], "b" * 100: value if depth == 1 else 1}
    assert len(asked(value)) < 1300
