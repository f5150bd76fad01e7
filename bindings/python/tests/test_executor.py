"""How a function takes the arguments of a call."""

import functools

import pytest
from honeyguide.executor import Executor

ARGUMENTS = {"a": 1}
CONTEXT = object()
ABOUT = {"context": CONTEXT, "tool_id": "t", "session": "s", "tool_call_id": "c"}


class Tool:
    def run(self, args, context):
        return args, context

    async def __call__(self, args):
        return args


async def coroutine_function(args):
    return args


async def asynchronous_generator(args):
    yield args


def generator(args):
    yield args


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda args: (args,), (ARGUMENTS,)),
        (lambda args, context: (args, context), (ARGUMENTS, CONTEXT)),
        (lambda args, anything: (args, anything), (ARGUMENTS, CONTEXT)),
        (lambda args, context=None: (args, context), (ARGUMENTS, CONTEXT)),
        (lambda args, *, context: (args, context), (ARGUMENTS, CONTEXT)),
        (lambda args, *, session, tool_call_id, tool_id, free=1: (session, tool_call_id, tool_id), ("s", "c", "t")),
        (lambda args, verbose=False: (args, verbose), (ARGUMENTS, False)),
        (lambda *args: args, (ARGUMENTS,)),
        (lambda: (), ()),
        (Tool().run, (ARGUMENTS, CONTEXT)),
        (functools.partial(lambda extra, args: (extra, args), 7), (7, ARGUMENTS)),
        (dict, ARGUMENTS),
    ],
)
def test_a_function_gets_what_it_takes(function, expected):
    assert Executor(function).call(ARGUMENTS, ABOUT) == expected


@pytest.mark.parametrize(
    ("function", "blocks"),
    [
        (lambda args: args, True),
        (dict, True),
        (print, True),
        (Tool().run, True),
        (coroutine_function, False),
        (asynchronous_generator, False),
        (generator, False),
        (functools.partial(coroutine_function), False),
        (functools.partial(generator, 1), False),
        (Tool(), False),
    ],
)
def test_only_a_function_that_does_its_work_when_called_may_block(function, blocks):
    assert Executor(function).may_block is blocks
