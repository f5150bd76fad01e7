"""Calls from the model and from the application: the step loop and what functions do in it."""

import asyncio
import contextvars
import json
import math
import threading
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import PurePosixPath
from uuid import UUID

import pytest
from honeyguide import (
    Context,
    Honeyguide,
    HoneyguideError,
    InvalidInputError,
    NotFoundError,
    StateError,
)

USER = contextvars.ContextVar("user", default="nobody")


def register(hg, execute, **fields):
    hg.tools.register({"id": "tool", "description": "A tool", "execute": execute, **fields})


async def call(hg, args=None, **options):
    return await hg.call("invoke_tool", {"toolId": "tool", "args": args or {}}, **options)


def error(reply):
    assert reply["isError"] is True
    return reply["error"]


class UnauthorizedError(Exception):
    pass


class AbortError(Exception):
    pass


class UnreadableError(Exception):
    def __str__(self):
        raise RuntimeError("no text")


# --- the model's three tools


async def test_the_model_searches_and_reads(hg):
    register(hg, lambda args: args)
    hg.skills.register({"id": "release", "description": "Release a version", "body": "Tag it."})
    found = await hg.call("search_capabilities", {"query": "tool"})
    assert found["tools"]["groups"][0]["hits"][0]["toolId"] == "tool"
    assert (await hg.call("get_skill_content", {"skillId": "release"}))["body"] == "Tag it."


async def test_arguments_may_be_json_text_or_absent(hg):
    register(hg, lambda args: args)
    assert await hg.call("invoke_tool", '{"toolId":"tool","args":{"a":1e400,"b":12345678901234567890}}') == {
        "a": math.inf,
        "b": 12345678901234567890,
    }
    assert [await hg.call("tool", blank) for blank in (None, "", " \n")] == [{}, {}, {}]
    assert error(await hg.call("invoke_tool")) == "invalid_arguments"


@pytest.mark.parametrize("text", ["", "not json", "[1", '"\\ud800"', "NaN", "null", "5", "\ud800", "[" * 100_000])
async def test_broken_json_text_is_answered_with_a_reply(hg, text):
    register(hg, lambda args: args)
    assert error(await hg.call("invoke_tool", text)) == "invalid_arguments"


@pytest.mark.parametrize("value", [math.nan, math.inf, "\ud83d", ["\ud83d", math.nan], [math.nan, "\ud83d"]])
async def test_what_a_lenient_parser_lets_through_is_answered_with_a_reply(hg, value):
    register(hg, lambda args: args)
    assert error(await call(hg, {"a": value})) == "invalid_arguments"
    assert error(await hg.call("tool", {"a": value})) == "invalid_arguments"


async def test_what_no_parser_gives_is_the_application_s_mistake(hg):
    register(hg, lambda args: args)
    with pytest.raises(InvalidInputError) as caught:
        await call(hg, {"a": {1, 2}})
    assert (caught.value.code, caught.value.details["path"]) == ("invalid_json", "/args/a")


@pytest.mark.parametrize("name", ["nothing", "", "\ud800", "__proto__", "x" * 100_000])
async def test_an_unknown_name_is_answered_with_a_reply(hg, name):
    register(hg, lambda args: args)
    assert error(await hg.call(name, {})) == "unknown_tool"


async def test_a_found_tool_may_be_called_by_its_own_name(hg):
    register(hg, lambda args: args)
    assert await hg.call("tool", {"a": 1}) == {"a": 1}


async def test_arguments_that_do_not_fit_are_answered_and_never_run(hg):
    ran = []
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    register(hg, ran.append, inputSchema=schema)
    reply = await call(hg, {"n": "seven"})
    assert (error(reply), reply["path"]) == ("invalid_arguments", "/n")
    assert ran == []
    await call(hg, {"n": "7"})
    assert ran == [{"n": 7}]


async def test_a_tool_without_a_function_is_answered(hg):
    register(hg, lambda args: args)
    other = Honeyguide()
    other.load(hg.save())
    assert error(await call(other)) == "not_bound"
    with pytest.raises(StateError) as caught:
        await other.tools.invoke("tool")
    assert caught.value.code == "not_bound"


# --- the value of a function


@pytest.mark.parametrize("value", [None, 0, "", [], object(), {"isError": True}, math.nan, b"x", StopIteration])
async def test_the_value_of_a_function_is_given_by_identity(hg, value):
    async def asynchronous(args):
        return value

    for execute in (lambda args: value, asynchronous):
        register(hg, execute)
        assert await call(hg) is value
        assert await hg.tools.invoke("tool") is value
    register(hg, lambda args: value)
    assert hg.call_sync("tool") is value
    assert hg.tools.invoke_sync("tool") is value


async def test_a_stream_is_given_as_it_is(hg):
    async def asynchronous(args):
        yield args["a"]
        yield 2

    def synchronous(args):
        yield args["a"]
        yield 2

    register(hg, asynchronous)
    assert [part async for part in await call(hg, {"a": 1})] == [1, 2]
    register(hg, synchronous)
    assert list(await call(hg, {"a": 1})) == [1, 2]
    assert list(hg.call_sync("tool", {"a": 1})) == [1, 2]


async def test_what_a_function_returns_to_be_awaited_is_awaited(hg):
    async def work():
        return 5

    register(hg, lambda args: work())
    assert await call(hg) == 5


async def test_arguments_are_the_function_s_own_to_change(hg):
    register(hg, lambda args: args["list"].append(1) or args)
    args = {"list": []}
    assert await call(hg, args) == {"list": [1]}
    assert args == {"list": []}


# --- failures


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (ValueError("broken"), "tool_failed"),
        (StopIteration("broken"), "tool_failed"),
        (KeyError("broken"), "tool_failed"),
        (UnauthorizedError("broken"), "needs_auth"),
        (AbortError("broken"), "aborted"),
        (TimeoutError("broken"), "timeout"),
        (asyncio.CancelledError("broken"), "aborted"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("style", ["sync", "async"])
async def test_a_failure_of_a_function_is_a_reply(hg, raised, code, style):
    def synchronous(args):
        raise raised

    async def asynchronous(args):
        raise raised

    if style == "async" and isinstance(raised, StopIteration):
        pytest.skip("python itself turns this into a RuntimeError")
    register(hg, synchronous if style == "sync" else asynchronous)
    reply = await call(hg)
    assert error(reply) == code
    # A time-out has core's own words, and before Python 3.11 a task forgets why it was cancelled.
    assert code in ("timeout", "aborted") or "broken" in reply["message"]
    if style == "sync":
        assert error(hg.call_sync("tool")) == code


@pytest.mark.parametrize(
    "raised", [UnreadableError(), ValueError("\ud800"), ValueError("x" * 1_000_000)], ids=["a", "b", "c"]
)
async def test_a_failure_without_a_readable_message_is_a_reply(hg, raised):
    def fail(args):
        raise raised

    register(hg, fail)
    assert error(await call(hg)) == "tool_failed"


async def test_the_application_gets_the_function_s_own_exception(hg):
    raised = KeyError("mine")

    def synchronous(args):
        raise raised

    async def asynchronous(args):
        raise raised

    for execute in (synchronous, asynchronous):
        register(hg, execute)
        with pytest.raises(KeyError) as caught:
            await hg.tools.invoke("tool")
        assert caught.value is raised
        assert caught.value.__context__ is None


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
async def test_what_is_meant_for_the_program_reaches_it(hg, kind):
    def fail(args):
        raise kind

    register(hg, fail)
    with pytest.raises(kind):
        await call(hg)
    with pytest.raises(kind):
        hg.call_sync("tool")
    with pytest.raises(kind):
        hg.call_sync("tool", timeout_ms=60_000)


async def test_the_application_s_mistakes_are_exceptions_by_category(hg):
    register(hg, lambda args: args, inputSchema={"type": "object", "required": ["a"]})
    with pytest.raises(NotFoundError) as unknown:
        await hg.tools.invoke("nothing")
    assert unknown.value.code == "unknown_tool"
    assert isinstance(unknown.value, LookupError)
    with pytest.raises(InvalidInputError) as invalid:
        await hg.tools.invoke("tool", {})
    assert invalid.value.code == "invalid_arguments"
    assert isinstance(invalid.value, ValueError)
    with pytest.raises(TypeError, match="timeout"):
        await hg.call("tool", {}, timeout=5)


# --- approval


def approval(answer):
    async def asynchronous(question):
        return answer

    return [lambda question: answer, asynchronous]


async def test_without_anybody_to_ask_the_tool_does_not_run(hg):
    ran = []
    register(hg, ran.append, requiresApproval=True)
    assert error(await call(hg)) == "needs_approval"
    with pytest.raises(StateError) as caught:
        await hg.tools.invoke("tool")
    assert caught.value.code == "needs_approval"
    assert ran == []


@pytest.mark.parametrize("answer", [True, {"approved": True}, {"approved": True, "reason": "fine"}], ids=str)
async def test_a_yes_lets_the_tool_run_once(hg, answer):
    for approve in approval(answer):
        ran = []
        register(hg, ran.append, requiresApproval=True)
        await call(hg, {"a": 1}, approve=approve)
        assert ran == [{"a": 1}]


@pytest.mark.parametrize(
    "answer", [False, None, 1, "yes", {}, {"approved": "yes"}, {"approved": False, "reason": "too late"}], ids=str
)
async def test_anything_but_a_plain_yes_is_a_no(hg, answer):
    for approve in approval(answer):
        ran = []
        register(hg, ran.append, requiresApproval=True)
        reply = await call(hg, approve=approve)
        assert error(reply) == "declined"
        if isinstance(answer, dict) and "reason" in answer:
            assert answer["reason"] in reply["message"]
        with pytest.raises(StateError) as caught:
            await hg.tools.invoke("tool", approve=approve)
        assert caught.value.code == "declined"
        assert ran == []


async def test_the_one_who_is_asked_learns_what_for_and_cannot_change_it(hg):
    questions, ran = [], []

    def approve(question):
        questions.append(dict(question))
        question["arguments"]["a"] = 2
        question["toolId"] = "other"
        return True

    register(hg, ran.append, requiresApproval=True, annotations={"destructiveHint": True})
    await call(hg, {"a": 1}, approve=approve, tool_call_id="call-1")
    assert ran == [{"a": 1}]
    assert questions[0]["toolId"] == "tool"
    assert questions[0]["annotations"] == {"destructiveHint": True}
    assert questions[0]["toolCallId"] == "call-1"


async def test_an_approval_that_fails_runs_nothing(hg):
    raised, ran = RuntimeError("phone is off"), []

    def approve(question):
        raise raised

    register(hg, ran.append, requiresApproval=True)
    assert (await call(hg, approve=approve))["isError"] is True
    with pytest.raises(RuntimeError) as caught:
        await hg.tools.invoke("tool", approve=approve)
    assert caught.value is raised
    assert ran == []


async def test_the_engine_s_own_approval_is_asked_by_default():
    hg = Honeyguide(approve=lambda question: True)
    register(hg, lambda args: "ran", requiresApproval=True)
    assert await call(hg) == "ran"
    assert hg.call_sync("tool") == "ran"
    assert error(await call(hg, approve=lambda question: False)) == "declined"


async def test_no_argument_of_the_model_grants_an_approval(hg):
    ran = []
    register(hg, ran.append, requiresApproval=True)
    args = {"toolId": "tool", "args": {"approved": True}, "approved": True}
    await hg.call("invoke_tool", args)
    assert ran == []


# --- time, cancellation, parallel calls


async def test_a_tool_that_takes_too_long_is_a_reply_and_is_stopped(hg):
    stopped = []

    async def slow(args):
        try:
            await asyncio.sleep(60)
        finally:
            stopped.append(True)

    register(hg, slow)
    assert error(await call(hg, timeout_ms=5)) == "timeout"
    assert stopped == [True]
    with pytest.raises(StateError) as caught:
        await hg.tools.invoke("tool", timeout_ms=5)
    assert caught.value.code == "timeout"


async def test_a_blocking_tool_that_takes_too_long_is_a_reply(hg):
    release = threading.Event()
    register(hg, lambda args: release.wait(60))
    try:
        assert error(await call(hg, timeout_ms=5)) == "timeout"
        assert error(hg.call_sync("tool", timeout_ms=5)) == "timeout"
    finally:
        release.set()


async def test_cancelling_a_call_cancels_the_tool_and_the_caller(hg):
    started, stopped = asyncio.Event(), []

    async def slow(args):
        started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append(True)
            raise

    register(hg, slow)
    for start in (lambda: call(hg), lambda: hg.tools.invoke("tool"), lambda: call(hg, timeout_ms=60_000)):
        task = asyncio.ensure_future(start())
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelled()
        started.clear()
    assert stopped == [True, True, True]


async def test_cancelling_a_call_that_asks_for_approval_runs_nothing(hg):
    asked, ran = asyncio.Event(), []

    async def approve(question):
        asked.set()
        await asyncio.sleep(60)
        return True

    register(hg, ran.append, requiresApproval=True)
    task = asyncio.ensure_future(call(hg, approve=approve))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ran == []


async def test_a_tool_that_cancels_itself_does_not_cancel_its_caller(hg):
    async def cancels_itself(args):
        asyncio.current_task().cancel()
        await asyncio.sleep(0)

    register(hg, cancels_itself)
    assert error(await call(hg)) == "aborted"
    with pytest.raises(StateError) as caught:
        await hg.tools.invoke("tool")
    assert caught.value.code == "aborted"


async def test_three_parallel_calls_give_three_answers(hg):
    async def run(args):
        if args["do"] == "fail":
            raise ValueError("broken")
        if args["do"] == "abort":
            raise AbortError("stopped")
        return args["do"]

    register(hg, run)
    answers = await asyncio.gather(*(call(hg, {"do": do}) for do in ("work", "fail", "abort")))
    assert answers[0] == "work"
    assert [error(answer) for answer in answers[1:]] == ["tool_failed", "aborted"]


async def test_two_blocking_tools_run_side_by_side(hg):
    meeting = threading.Barrier(2, timeout=30)

    def meet(args):
        # Neither goes on before both are here: one after the other would break the barrier.
        meeting.wait()
        return "met"

    register(hg, meet)
    assert await asyncio.gather(call(hg), call(hg)) == ["met", "met"]


async def test_the_loop_goes_on_while_a_blocking_tool_runs(hg):
    loop_is_alive = threading.Event()
    register(hg, lambda args: loop_is_alive.wait(30))
    task = asyncio.ensure_future(call(hg))
    await asyncio.sleep(0)
    loop_is_alive.set()
    assert await task is True


# --- what comes along


async def test_the_caller_s_context_variables_are_seen(hg):
    async def asynchronous(args):
        return USER.get()

    USER.set("ada")
    for execute in (lambda args: USER.get(), asynchronous):
        register(hg, execute)
        assert await call(hg) == "ada"
    register(hg, lambda args: USER.get(), requiresApproval=True)
    assert await call(hg, approve=lambda question: USER.get() == "ada") == "ada"
    assert hg.call_sync("tool", approve=lambda question: True) == "ada"
    assert hg.call_sync("tool", approve=lambda question: True, timeout_ms=60_000) == "ada"


async def test_the_context_arrives_untouched(hg):
    class Custom:
        __slots__ = ()

    context = Custom()
    register(hg, lambda args, context: context)
    assert await call(hg, context=context) is context
    assert await hg.tools.invoke("tool", context=context) is context
    assert hg.call_sync("tool", context=context) is context

    @hg.tool
    def mine(user: Context[Custom]) -> Custom:
        return user

    assert await hg.call("mine", {}, context=context) is context


async def test_a_function_learns_by_name_whose_call_it_runs(hg):
    register(hg, lambda args, *, session, tool_id, tool_call_id: (session, tool_id, tool_call_id))
    assert await hg.session("c1").call("tool", {}, tool_call_id="call-1") == ("c1", "tool", "call-1")
    assert await call(hg) == (None, "tool", None)


# --- the decorator


async def test_a_decorated_function_is_a_tool_and_stays_a_function(hg):
    @hg.tool
    def add(a: int, b: int = 1) -> int:
        """Adds two numbers."""
        return a + b

    @hg.tool(id="math__double", server="math", requires_approval=True, tags=["numbers"])
    async def double(a: int) -> int:
        """Doubles a number."""
        return a * 2

    assert add(1, 2) == 3
    assert await double(2) == 4
    assert await hg.call("invoke_tool", {"toolId": "add", "args": {"a": "2"}}) == 3
    assert hg.tools.get("math__double")["requiresApproval"] is True
    assert await hg.call("math__double", {"a": 4}, approve=lambda question: True) == 8
    assert error(await hg.call("add", {"a": 1, "c": 2})) == "invalid_arguments"


def test_the_synchronous_door_runs_async_functions_too(hg):
    async def asynchronous(args):
        await asyncio.sleep(0)
        return args

    register(hg, asynchronous)
    assert hg.call_sync("tool", {"a": 1}) == {"a": 1}
    assert hg.tools.invoke_sync("tool", {"a": 1}) == {"a": 1}

    async def slow(args):
        await asyncio.sleep(60)

    register(hg, slow)
    assert error(hg.call_sync("tool", {}, timeout_ms=5)) == "timeout"


async def test_the_synchronous_door_on_a_loop_refuses_async_functions(hg):
    async def asynchronous(args):
        return args

    register(hg, asynchronous)
    with pytest.raises(RuntimeError, match="await"):
        hg.call_sync("tool")
    register(hg, lambda args: args)
    assert hg.call_sync("tool") == {}


def test_what_a_row_of_a_database_holds_can_be_said_to_a_model(hg):
    row = {
        "at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc),
        "day": date(2026, 1, 2),
        "price": Decimal("1.50"),
        "key": UUID(int=1),
        "file": PurePosixPath("/a/b"),
        "tags": {"b", "a"},
    }
    said = [
        '"at":"2026-01-02T03:04:05+00:00"',
        '"day":"2026-01-02"',
        '"price":"1.50"',
        '"key":"00000000-0000-0000-0000-000000000001"',
        '"file":"/a/b"',
        '"tags":["a","b"]',
    ]
    shown = hg.for_model([row])
    text = shown if isinstance(shown, str) else json.dumps(shown, separators=(",", ":"))
    assert all(one in text for one in said), text


@pytest.mark.parametrize("wait", ["10", -5, 0, math.nan, True])
def test_a_time_that_is_none_is_refused(hg, wait):
    with pytest.raises(TypeError, match="`timeout_ms` is no number of milliseconds above 0"):
        hg.call_sync("search_capabilities", {"query": "x"}, timeout_ms=wait)


def test_an_error_can_be_pickled():
    import pickle

    error = pickle.loads(pickle.dumps(InvalidInputError("invalid_id", "bad id", {"id": "x"})))
    assert (type(error), error.code, str(error), error.details) == (
        InvalidInputError,
        "invalid_id",
        "bad id",
        {"id": "x"},
    )
    assert isinstance(error, HoneyguideError)


async def test_a_result_is_prepared_for_the_model(hg):
    assert hg.for_model("x" * 100) == "x" * 100
    assert len(hg.for_model("x" * 10_000, max_result_chars=100)) < 1000
    with pytest.raises(InvalidInputError) as caught:
        hg.for_model({"a": math.nan})
    assert caught.value.code == "invalid_json"
