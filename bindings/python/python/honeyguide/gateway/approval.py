"""Asks the person at the client whether a tool may run. Knows no catalog and runs nothing.

Up to revision 2025-11-25 the client is asked in the middle of the call. Later ones know no requests of a server: the
call is answered with the question, and comes again with the answer.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from ..options import Declined
from . import words
from .text import text_of

__all__ = ["Approvals", "Asking"]

_QUESTION = "approval"
"""The name of the question among those that a call may come back with."""
_MOST_OPEN = 1000
"""The most questions that are remembered; those that nobody came back for are forgotten, the oldest first."""


class _Granted(NamedTuple):
    """What a yes holds for: a tool whose definition changed is another one."""

    tool: str
    digest: str


class Approvals:
    """What was allowed, and what is being asked, in this process."""

    def __init__(self) -> None:
        self.granted: set[_Granted] = set()
        self._asked: dict[str, tuple[_Granted, str]] = {}

    def open(self, what: _Granted, arguments: Any) -> str:
        """Notes that a call was asked about; answers the ticket that its answer has to bring back."""
        ticket = secrets.token_urlsafe()
        self._asked[ticket] = (what, text_of(arguments))
        if len(self._asked) > _MOST_OPEN:
            del self._asked[next(iter(self._asked))]
        return ticket

    def take_back(self, ticket: str | None, what: _Granted, arguments: Any) -> bool:
        """Takes a ticket back: whether it is of this very call. An answer counts once."""
        return ticket is not None and self._asked.pop(ticket, None) == (what, text_of(arguments))


class Asking:
    """The question of one call."""

    def __init__(
        self, approvals: Approvals, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> None:
        self._approvals = approvals
        self._session = context.session
        self._request = context.request_id
        self._params = params
        self.question: types.InputRequiredResult | None = None
        """What the call is to be answered with, so that it comes again."""

    async def ask(self, about: dict[str, Any]) -> Declined:
        """Answers whether a tool may run."""
        what = _Granted(about["toolId"], about["digest"])
        if what in self._approvals.granted:
            return {"approved": True}
        message = words.question(what.tool, about["arguments"])
        if self._session.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return self._ask_by_answer(what, about["arguments"], message)
        try:
            answer = await self._session.elicit_form(message, words.FORM, self._request)
        except MCPError as thrown:
            return _refused(f"the client could not ask: {thrown.message}")
        except ValueError:
            return _refused(words.refusal_in("", None))
        return self._judge(what, answer)

    @property
    def possible(self) -> bool:
        """Whether the client can ask a person."""
        capabilities = self._session.client_capabilities
        elicitation = None if capabilities is None else capabilities.elicitation
        # One that names no way knows forms: others came later.
        return elicitation is not None and (elicitation.form is not None or elicitation.url is None)

    def _ask_by_answer(self, what: _Granted, arguments: Any, message: str) -> Declined:
        answers = self._params.input_responses
        if answers and self._approvals.take_back(self._params.request_state, what, arguments):
            answer = answers.get(_QUESTION)
            if isinstance(answer, types.ElicitResult):
                return self._judge(what, answer)
            return _refused(words.refusal_in("", None))
        state = self._approvals.open(what, arguments)
        params = types.ElicitRequestFormParams(message=message, requested_schema=words.FORM)
        questions = cast(Any, {_QUESTION: types.ElicitRequest(params=params)})
        self.question = types.InputRequiredResult(input_requests=questions, request_state=state)
        return _refused("")

    def _judge(self, what: _Granted, answer: types.ElicitResult) -> Declined:
        content: Mapping[str, Any] = answer.content or {}
        decision = content.get("decision")
        if answer.action == "accept" and decision in ("once", "session"):
            if decision == "session":
                self._approvals.granted.add(what)
            return {"approved": True}
        return _refused(words.refusal_in(answer.action, answer.content))


def _refused(reason: str) -> Declined:
    return {"approved": False, "reason": reason}
