"""GET and HEAD of `<base_url>wattbook/api/...`, streamed to and from the companion server."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable
from typing import Any, Protocol
from urllib.parse import quote, unquote

import httpx
from jupyter_server.auth.identity import IdentityProvider, PasswordIdentityProvider
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from .companion import SECRET_HEADER, Unavailable

#: Headers passed to the companion. Cookie, Authorization and all others that could carry a secret stay here.
_PASSED = (
    "accept",
    "accept-encoding",
    "cache-control",
    "if-modified-since",
    "if-none-match",
    "last-event-id",
    "range",
    "user-agent",
)
#: RFC 9110 section 7.6.1, and what Tornado sets itself.
_HOP_BY_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "date",
        "server",
    }
)
#: Query names that belong to Jupyter: its login token, its activity switch.
_JUPYTER_QUERY = frozenset({"token", "no_track_activity"})
_READY_SECONDS = 15.0
_CLIENT_LENGTH = 128


class Upstream(Protocol):
    """What the proxy needs from the companion."""

    client: httpx.AsyncClient
    secret: str

    @property
    def url(self) -> str: ...

    async def ready(self, seconds: float) -> None: ...


class ApiProxyHandler(APIHandler):
    """One request to the companion. Its own errors have the shape of the API: `{"error", "code"}`."""

    def initialize(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._relay: asyncio.Task[None] | None = None

    @web.authenticated
    async def get(self, _decoded: str) -> None:
        await self._forward()

    @web.authenticated
    async def head(self, _decoded: str) -> None:
        await self._forward()

    def options(self, *_: str) -> None:
        """Requires a login: Jupyter would answer 204 without one, and there is nothing to negotiate here."""
        raise web.HTTPError(405)

    def on_connection_close(self) -> None:
        """The client left: the upstream request ends at once, and the solve with it."""
        if self._relay is not None:
            self._relay.cancel()
        super().on_connection_close()

    async def _forward(self) -> None:
        # As sent: an encoded slash inside a uid must stay encoded.
        path = self.request.path.removeprefix(url_path_join(self.base_url, "wattbook/api/"))
        if any(unquote(part) in (".", "..") for part in path.split("/")):
            raise web.HTTPError(404)
        self._relay = asyncio.create_task(self._relay_response(f"/api/{path}", companion_query(self.request.query)))
        try:
            await self._relay
        except asyncio.CancelledError:
            if not self._relay.cancelled():
                raise  # this handler itself is being cancelled, not the relay

    async def _relay_response(self, path: str, query: str) -> None:
        try:
            await self._upstream.ready(_READY_SECONDS)
            response = await self._upstream.client.send(self._request(path, query), stream=True)
        except (Unavailable, httpx.TransportError) as error:
            reason = (
                str(error)
                if isinstance(error, Unavailable)
                else "The companion server stopped unexpectedly and is restarting."
            )
            self.set_header("Retry-After", "2")
            self._refuse(503, "SERVICE.UNAVAILABLE", reason)
            return
        try:
            self._take_head(response)
            await self.flush()
            async for chunk in response.aiter_raw():
                self.write(chunk)
                await self.flush()
            self.finish()
        except httpx.TransportError as error:
            # The headers are sent, so only a broken connection can show the client that the body is incomplete.
            self.log.warning("wattbook: the companion server stopped in the middle of %s: %s", path, error)
            self.detach().close()
        finally:
            await response.aclose()

    def _request(self, path: str, query: str) -> httpx.Request:
        headers = {name: self.request.headers[name] for name in _PASSED if name in self.request.headers}
        headers["x-service-client"] = client_name(self._user())
        headers[SECRET_HEADER] = self._upstream.secret
        raw = path.encode("ascii") + (b"?" + query.encode("ascii") if query else b"")
        url = httpx.URL(self._upstream.url).copy_with(raw_path=raw)
        return httpx.Request(self.request.method or "GET", url, headers=headers)

    def _user(self) -> str | None:
        """The user's name if logins have names. Jupyter's own token and password have none: each request without a
        cookie gets an invented one, and a client that omits the cookie would count as a new client each time."""
        anonymous = type(self.identity_provider) in (IdentityProvider, PasswordIdentityProvider)
        return None if anonymous else getattr(self.current_user, "username", None)

    def _take_head(self, response: httpx.Response) -> None:
        self.set_status(response.status_code, response.reason_phrase or None)
        seen: set[str] = set()
        self.clear_header("Content-Type")
        for name, value in response.headers.multi_items():
            lower = name.lower()
            if lower in _HOP_BY_HOP:
                continue
            (self.add_header if lower in seen else self.set_header)(name, value)
            seen.add(lower)
        # The body is passed unchanged: Tornado's compression would delay events and change its length.
        self._transforms = []

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Errors of Jupyter on this route (not logged in, unknown method), in the API's shape."""
        code, text = {
            403: ("SERVICE.FORBIDDEN", "Not authorised: log in to Jupyter first."),
            404: ("ROUTE.UNKNOWN", "No such route."),
            405: ("METHOD.NOT_ALLOWED", "Only GET and HEAD exist here."),
        }.get(status_code, ("INTERNAL", "The Jupyter server failed on this request; its log says why."))
        if status_code == 405:
            self.set_header("Allow", "GET, HEAD")
        self._refuse(status_code, code, text)

    def _refuse(self, status: int, code: str, text: str) -> None:
        self.set_status(status)
        self.finish(json.dumps({"error": text, "code": code}), set_content_type="application/json; charset=utf-8")


def companion_query(query: str) -> str:
    """The query without the additions of Jupyter and its page: names of `_JUPYTER_QUERY`, and the bare number that
    JupyterLab appends to bypass caches."""
    return "&".join(_own_parts(query.split("&"))) if query else ""


def _own_parts(parts: Iterable[str]) -> Iterable[str]:
    for part in parts:
        name = unquote(part.partition("=")[0])
        if part and name not in _JUPYTER_QUERY and not (part.isascii() and part.isdigit()):
            yield part


def client_name(username: str | None) -> str:
    """The client for rate limits: the user, in the characters of a header value. Two users never have the same name."""
    name = quote(username or "jupyter", safe="@+")
    return name if len(name) <= _CLIENT_LENGTH else hashlib.sha256(name.encode()).hexdigest()
