"""Live cases of open pages: the Jupyter server's list of them, and calls of tools on them."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from ..errors import InputError
from ..text.words import visible
from .contract import label, limit, refused, text_of

#: Prefix of a live case's id; the digits are the first of its page's session id.
_LIVE = re.compile(r"live-[0-9a-f]{8}:")
_SESSION = re.compile(r"[0-9a-f]{32}")
_CODE = re.compile(r"[A-Z]+(\.[A-Z_]+)?")
#: Largest number of cases per page and of pages, and the grace period after a page's own time limit.
_MOST_CASES, _MOST_PAGES, _LATE_SECONDS = 64, 32, 5
#: Largest depth of an answer.
_DEEPEST = 8


class MessageError(ValueError):
    """A page sent an invalid message."""


class Page:
    """One page load: its cases, and its pending calls."""

    def __init__(self, pages: Pages, send: Callable[[str], None]) -> None:
        self.session_id: str | None = None
        self.cases: tuple[dict[str, Any], ...] = ()
        self._pages = pages
        self._send = send
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ids = itertools.count(1)

    def receive(self, text: str | bytes) -> None:
        """Handles a message. Raises MessageError if it is invalid."""
        try:
            message = json.loads(text, parse_constant=_refuse_constant) if isinstance(text, str) else None
        except (ValueError, RecursionError) as error:
            raise MessageError(f"no JSON: {error}") from None
        match message:
            case {"kind": "cases", "session_id": str(session), "cases": list(cases), **more} if not more:
                self._register(session, cases)
            case {"kind": "answer", "id": int(number), "answer": dict(answer), **more} if not more and self.session_id:
                checked = _checked(answer)
                waiting = self._waiting.pop(number, None)
                if waiting is not None and not waiting.done():  # otherwise the call was cancelled
                    waiting.set_result(checked)
            case _:
                raise MessageError("neither the cases of a page nor an answer")

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The page's answer. A page that closes or does not answer is reported as such."""
        number = next(self._ids)
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            self._send(text_of({"kind": "call", "id": number, "tool": tool, "input": dict(arguments)}))
            return await asyncio.wait_for(waiting, limit("seconds") + _LATE_SECONDS)
        except TimeoutError:
            return refused(
                "TIME.LIMIT", "The page did not answer in time. Whether it changed the case, inspect_case says."
            )
        except ConnectionError:
            return refused("PAGE.CLOSED", "The page was closed before it answered, and its live case with it.")
        finally:
            if self._waiting.pop(number, None) is not None and self in self._pages:
                with suppress(ConnectionError):
                    self._send(text_of({"kind": "cancel", "id": number}))

    def gone(self) -> None:
        """The page was closed."""
        self._pages.forget(self)
        waiting, self._waiting = self._waiting, {}
        for one in waiting.values():
            if not one.done():
                one.set_exception(ConnectionError())

    def _register(self, session: str, cases: list[Any]) -> None:
        if not _SESSION.fullmatch(session) or self.session_id not in (None, session) or len(cases) > _MOST_CASES:
            raise MessageError("not the session of a page, or too many cases")
        self.cases = tuple(_case(row, f"live-{session[:8]}:") for row in cases)
        self.session_id = session
        self._pages.keep(self)


class Pages:
    """The open pages, the most recently used last. Used only on the server's event loop."""

    def __init__(self) -> None:
        self._open: tuple[Page, ...] = ()

    def __contains__(self, page: Page) -> bool:
        return page in self._open

    def keep(self, page: Page) -> None:
        """Registers a page that has listed its cases. Raises MessageError if there are too many pages, and for a name
        that is taken."""
        if page.session_id is None:
            raise MessageError("no session")
        others = tuple(one for one in self._open if one is not page)
        if any(one.session_id and one.session_id[:8] == page.session_id[:8] for one in others):
            raise MessageError("another page has this session")
        if len(others) >= _MOST_PAGES:
            raise MessageError("too many pages")
        self._open = (*others, page)

    def forget(self, page: Page) -> None:
        """Removes a closed page."""
        self._open = tuple(one for one in self._open if one is not page)

    def cases(self) -> list[dict[str, Any]]:
        """The live cases of all pages, those of the most recently used page first."""
        return [{**case, "live": True} for page in reversed(self._open) for case in page.cases]

    def of(self, case_id: str) -> Page | None:
        """The page of a live case; None for ids of other cases. Raises InputError `PAGE.CLOSED`."""
        if not _LIVE.match(case_id):
            return None
        for page in self._open:
            if page.session_id and case_id.startswith(f"live-{page.session_id[:8]}:"):
                return page
        raise InputError("PAGE.CLOSED", "The page of this live case is closed, or loaded again. Call list_cases.")

    def displaying(self) -> Page | None:
        """The most recently used page that displays a case."""
        return next((page for page in reversed(self._open) if any(case["displayed"] for case in page.cases)), None)


def _refuse_constant(name: str) -> None:
    raise MessageError(f"{name} is no number of JSON")


def _case(row: Any, prefix: str) -> dict[str, Any]:
    match row:
        case {"case_id": str(case_id), "label": str(name), "model": str(model), "buses": int(buses), **more}:
            if case_id.startswith(prefix) and len(case_id) <= limit("id_characters") and visible(case_id) == case_id:
                displayed = more.pop("displayed", False) is True
                if not more:
                    case = {"case_id": case_id, "label": label(name), "model": label(model), "buses": buses}
                    return {**case, "displayed": displayed}
    raise MessageError("not a case of this page")


def _checked(answer: dict[str, Any]) -> dict[str, Any]:
    """A page's answer, checked before it is passed on: of the form of answers, short, without control characters.
    Raises MessageError."""
    match answer:
        case {"ok": True, "data": dict(data), **more} if not more:
            plain = {"ok": True, "data": _plain(data, 0)}
        case {"ok": False, "error": {"code": str(code), "message": str(message), **extra}, **more} if (
            not more and not extra
        ):
            if not _CODE.fullmatch(code):
                raise MessageError("not the code of a refusal")
            return refused(code, message)
        case _:
            raise MessageError("not an answer")
    if len(text_of(plain)) > limit("answer_characters"):
        raise MessageError("an answer that is too long")
    return plain


def _plain(value: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        raise MessageError("an answer nested too deeply")
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {visible(name): _plain(item, depth + 1) for name, item in value.items()}
    return value
