"""The gateway between a hostile server and an odd client: everybody who waits is answered, and a person sees all."""

import json

import pytest

pytest.importorskip("mcp")

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
