"""Messages between a map in the page and its Study in the kernel: `{id, kind, ...}`, each answer repeats the id.

page -> kernel: `need_module {sha256}`, `need_bytes {file, offset, length}`, `need_output`, `remove_layer {name}`
(without an answer: the trait follows), `commit {base_revision, edits: {deltas, rates, reactive?, generators?, branches?, links?, storage?, interfaces?, added?}, formulation?, result_sha256}`.
kernel -> page: `module {sha256, part, parts}` with one buffer each, `bytes {offset}` with one buffer,
`output {data}`, what a notebook saves of the map by MIME type, `ack {revision, result_sha256}`,
`stale {revision, formulation, deltas, rates, reactive?, generators?, branches?, links?, storage?, interfaces?, added?, result_sha256}`,
`error {error: {code, message}}`.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import EditError, InputError, WattbookError, WattbookWarning
from ..native import engine
from ..version import __version__
from .basemap import TileFile, part_of

if TYPE_CHECKING:
    from ..session.session import Session

#: Largest buffer of one message; the page cannot send more than 10 MiB and both directions share the limit.
CHUNK_BYTES = 8 * 1024 * 1024

Send = Callable[[dict[str, Any], list[bytes]], None]

_log = logging.getLogger(__name__)


def answer(
    session: Session,
    files: Mapping[str, TileFile],
    message: Mapping[str, Any],
    send: Send,
    output: Callable[[], dict[str, Any]],
) -> None:
    """Answers one message of a map; `files` are those that it may read, `output` returns its notebook output. Runs on
    whatever thread the kernel delivers comm messages on."""
    ident = message.get("id") if isinstance(message, Mapping) else None
    try:
        kind = message.get("kind") if isinstance(message, Mapping) else None
        if kind == "need_module":
            _send_module(session, ident, message, send)
        elif kind == "need_bytes":
            offset, data = part_of(files, message)
            send({"id": ident, "kind": "bytes", "offset": offset}, [data])
        elif kind == "need_output":
            send({"id": ident, "kind": "output", "data": output()}, [])
        elif kind == "commit":
            _commit(session, ident, message, send)
        else:
            raise WattbookError("MESSAGE.UNKNOWN", f"Unknown message {kind!r}.")
    except WattbookError as error:
        send({"id": ident, "kind": "error", "error": _body(error)}, [])
    except Exception:
        # The page must not wait forever; the traceback goes to the kernel's log.
        _log.exception("a message of the map failed")
        body = {"code": "INTERNAL", "message": "Internal error in the kernel: see its log, and please report it."}
        send({"id": ident, "kind": "error", "error": body}, [])


def _body(error: WattbookError) -> dict[str, Any]:
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.sentence is not None:
        body["sentence"] = error.sentence
    if error.element is not None:
        body["element"] = error.element
    return body


def _send_module(session: Session, ident: Any, message: Mapping[str, Any], send: Send) -> None:
    network = session.network
    wanted = message.get("sha256")
    if wanted != network.sha256:
        raise InputError(
            "MODULE.UNKNOWN", f"This map shows {network.id} ({network.sha256[:12]}), not a case with hash {wanted}."
        )
    contract = engine().CONTRACT_SOURCE_SHA256
    _compare_contracts(message, contract)
    data = network.module_json.encode("utf-8")
    parts = max(1, -(-len(data) // CHUNK_BYTES))
    for part in range(parts):
        head = {
            "id": ident,
            "kind": "module",
            "sha256": network.sha256,
            "part": part,
            "parts": parts,
            "version": __version__,
            "contract_sha256": contract,
        }
        send(head, [data[part * CHUNK_BYTES : (part + 1) * CHUNK_BYTES]])


def _compare_contracts(message: Mapping[str, Any], contract: str) -> None:
    """Warns in the notebook if the page runs another engine contract; the page compares the fields of `module`."""
    theirs = message.get("contract_sha256")
    if theirs is not None and theirs != contract:
        version = message.get("version", "of another version")
        advice = (
            f"Page and kernel run different builds of Wattbook {version}: restart the kernel and reload the page. If that does not "
            "help, build or install both anew."
            if version == __version__
            else f"The page runs Wattbook {version}, this kernel {__version__}: install one version in both environments, restart "
            "the kernel and reload the page."
        )
        warnings.warn(
            advice,
            WattbookWarning,
            stacklevel=2,
        )


def _commit(session: Session, ident: Any, message: Mapping[str, Any], send: Send) -> None:
    edits = message.get("edits")
    base, sha = message.get("base_revision"), message.get("result_sha256")
    formulation = message.get("formulation")
    known = formulation is None or isinstance(formulation, str)
    if not (isinstance(edits, Mapping) and isinstance(base, int) and isinstance(sha, str) and known):
        raise EditError("EDIT.MALFORMED", "A commit from the page needs base_revision, edits and result_sha256.")

    def tell(taken: bool) -> None:
        state = session.state()
        reply: dict[str, Any] = {"id": ident, "revision": state.revision, "result_sha256": state.result_sha256}
        if taken:
            send({**reply, "kind": "ack"}, [])
        else:
            send({**reply, "kind": "stale", "formulation": state.formulation, **state.edits}, [])

    session.commit_from_page(base, edits, sha, tell, formulation)
