"""Live cases of open pages over MCP: a page played by the test, the SDK's own client, and a real Jupyter server between
them."""

import asyncio
import contextlib
import json

import anyio
import pytest
import websocket
from lab import BASE, TOKEN, Lab
from mcp_client import client
from wattbook.agents import contract, pages
from wattbook.agents.desk import Desk
from wattbook.agents.pages import MessageError, Page
from wattbook.errors import InputError

SESSION = "0123456789abcdef" * 2
LIVE = "live-01234567:three_bus"
CASE = {"case_id": LIVE, "label": "Three <b>buses</b>\u202e", "model": "balanced", "buses": 3, "displayed": True}
CASES = {"kind": "cases", "session_id": SESSION, "cases": [CASE]}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    lab = Lab(tmp_path_factory.mktemp("lab"), env={"SERVICE_ALLOW_FALLBACK": "1"})
    yield lab
    lab.stop()


class PlayedPage:
    """The page's end of the socket."""

    def __init__(self, lab, **options):
        address = f"ws://127.0.0.1:{lab.port}{BASE}wattbook/mcp/page?token={TOKEN}"
        self.socket = websocket.create_connection(address, timeout=20, **options)
        assert json.loads(self.socket.recv()) == {"kind": "ready", "version": 1}

    def say(self, message):
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def next(self):
        return json.loads(self.socket.recv())

    def closed_with(self):
        opcode, data = self.socket.recv_data()
        assert opcode == websocket.ABNF.OPCODE_CLOSE
        return int.from_bytes(data[:2], "big")


@pytest.fixture
def page(lab):
    page = PlayedPage(lab)
    page.say(CASES)
    yield page
    page.socket.close()


def talk(lab, session):
    async def bounded():
        with anyio.fail_after(60):
            async with client(f"{lab.url}/mcp", TOKEN) as ask:
                while not (await ask("list_cases"))["data"]["cases"][0].get("live"):
                    await anyio.sleep(0.02)  # the page has just announced its cases
                await session(ask)

    anyio.run(bounded)


async def answered(ask, page, answer, tool, **arguments):
    """The client's answer to a call, and the message that the page received for it."""
    async with anyio.create_task_group() as group:
        found = {}

        async def call():
            found["answer"] = await ask(tool, **arguments)

        group.start_soon(call)
        heard = await anyio.to_thread.run_sync(page.next)
        message = answer if isinstance(answer, str) else json.dumps({"kind": "answer", "id": heard["id"], **answer})
        await anyio.to_thread.run_sync(page.say, message)
    return found["answer"], heard


def test_a_page_needs_the_login_of_jupyter(lab):
    for query in ("", "?token=wrong"):
        address = f"ws://127.0.0.1:{lab.port}{BASE}wattbook/mcp/page{query}"
        with pytest.raises(websocket.WebSocketBadStatusException) as refused:
            websocket.create_connection(address, origin=f"http://127.0.0.1:{lab.port}")
        assert refused.value.status_code == 403


def test_calls_reach_the_page_that_has_the_case(lab, page):
    async def session(ask):
        (first, *_) = (await ask("list_cases"))["data"]["cases"]
        assert first == {
            **{"case_id": LIVE, "label": "Three <b>buses</b>", "model": "balanced", "buses": 3, "displayed": True},
            **{"live": True, "open": True, "available": True},
        }
        done = {"answer": {"ok": True, "data": {"case_id": LIVE, "label": "a\u0007b\u202ec", "revision": 4}}}
        update = {"case_id": LIVE, "expected_revision": 3, "demand": [{"bus_id": 2, "delta_mw": 1}]}
        answer, heard = await answered(ask, page, done, "update_case", **update)
        assert (heard["kind"], heard["tool"], heard["input"]) == ("call", "update_case", update)
        assert answer == {"ok": True, "data": {"case_id": LIVE, "label": "abc", "revision": 4}}
        # A call without an id addresses the case on the page.
        _, heard = await answered(ask, page, done, "inspect_case")
        assert heard["input"] == {}
        no = {"answer": {"ok": False, "error": {"code": "REVISION.STALE", "message": "Moved on\u0000."}}}
        answer, _ = await answered(ask, page, no, "reset_case", case_id=LIVE, expected_revision=3)
        assert answer == {"ok": False, "error": {"code": "REVISION.STALE", "message": "Moved on."}}

    talk(lab, session)


def test_refused_calls_never_reach_a_page(lab, page):
    async def session(ask):
        apply = {"session_id": SESSION, "case_id": LIVE, "expected_revision": 3, "proposal_id": "it"}
        assert (await ask("apply_capacity_plan", **apply))["error"]["code"] == "APPLY.REFUSED"
        wrong = await ask("reset_case", case_id=LIVE, expected_revision=3, approve=True)
        assert wrong["error"]["code"] == "INPUT.INVALID"
        closed = await ask("reset_case", case_id="live-ffffffff:three_bus", expected_revision=3)
        assert closed["error"]["code"] == "PAGE.CLOSED"
        page.socket.settimeout(0.2)
        with pytest.raises(websocket.WebSocketTimeoutException):
            page.next()

    talk(lab, session)


def test_a_closed_page_is_reported(lab, page):
    async def session(ask):
        async with anyio.create_task_group() as group:
            found = {}

            async def call():
                found["answer"] = await ask("reset_case", case_id=LIVE, expected_revision=3)

            group.start_soon(call)
            await anyio.to_thread.run_sync(page.next)
            await anyio.to_thread.run_sync(page.socket.close)
        assert found["answer"]["error"]["code"] == "PAGE.CLOSED"
        rows = (await ask("list_cases"))["data"]["cases"]
        assert not any(row.get("live") for row in rows), "its cases are gone"

    talk(lab, session)


@pytest.mark.parametrize(
    "sent",
    [
        "no JSON",
        "[" * 60_000,
        '{"kind":"answer","id":NaN,"answer":{}}',
        {"kind": "else"},
        {**CASES, "approve": True},
        {**CASES, "session_id": "short"},
        {**CASES, "cases": [CASE] * 65},
        {**CASES, "cases": [{**CASE, "case_id": "live-ffffffff:three_bus"}]},
        {**CASES, "cases": [{**CASE, "case_id": LIVE + "\u0007"}]},
        {**CASES, "cases": [{**CASE, "script": "x"}]},
        {**CASES, "cases": ["case"]},
        {"kind": "answer", "id": 1, "answer": {"ok": True}},
        {
            "kind": "answer",
            "id": 1,
            "answer": {"ok": True, "data": {"rows": "x" * contract.limit("answer_characters")}},
        },
        {"kind": "answer", "id": 1, "answer": {"ok": False, "error": {"code": "not a code", "message": ""}}},
        {"kind": "answer", "id": 1, "answer": {"ok": True, "data": {}, "more": 1}},
    ],
)
def test_a_page_that_sends_something_else_is_let_go(lab, page, sent):
    page.say(sent)
    assert page.closed_with() == 4400


def test_a_message_beyond_the_limit_is_not_read(lab, page):
    page.say('"' + "x" * 65_536 + '"')
    with contextlib.suppress(ConnectionError):  # it may close before its last message is read
        assert page.closed_with() == 1009
    with pytest.raises((OSError, websocket.WebSocketException)):
        page.say(CASES)
        page.next()


def test_a_call_waits_no_longer_than_its_limit(monkeypatch):
    monkeypatch.setattr(pages, "limit", {**contract.contract()["limits"], "seconds": -4.9}.__getitem__)

    async def silent():
        desk, sent = Desk(), []
        page = Page(desk.pages, sent.append)
        page.receive(json.dumps(CASES))
        answer = await page.call("list_cases", {})
        assert answer["error"]["code"] == "TIME.LIMIT"
        assert [json.loads(text)["kind"] for text in sent] == ["call", "cancel"]
        late = {"kind": "answer", "id": 1, "answer": {"ok": True, "data": {}}}
        page.receive(json.dumps(late))  # too late to matter

    asyncio.run(silent())


def test_pages_are_distinguished():
    desk = Desk()
    first, second, twin = (Page(desk.pages, print) for _ in range(3))
    first.receive(json.dumps(CASES))
    other = {"kind": "cases", "session_id": "f" * 32, "cases": [{**CASE, "case_id": "live-ffffffff:three_bus"}]}
    second.receive(json.dumps(other))
    assert desk.pages.of(LIVE) is first
    assert desk.page("inspect_case", {}) is second, "the one that was used last"
    first.receive(json.dumps(CASES))
    assert desk.page("inspect_case", {}) is first
    with pytest.raises(MessageError):
        twin.receive(json.dumps(CASES))
    first.gone()
    with pytest.raises(InputError, match="closed"):
        desk.pages.of(LIVE)
    assert desk.pages.of("three_bus") is None
