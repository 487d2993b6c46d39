"""What the page refuses before anything else, and the headers of every answer."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamsk_hw.words.page import other_host_words

#: Everything comes from the page itself, scripts and styles from files of its own only.
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

#: The same for a page to which the reader's program adds a style, as OBS does.
STYLED_CONTENT_SECURITY_POLICY: Final = f"{CONTENT_SECURITY_POLICY}; style-src-elem 'self' 'unsafe-inline'"

#: Without a referrer at its own pages a browser would send no origin along with a form.
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

#: A ``Host`` header: a name or an address, perhaps with a port.
_HOST: Final = re.compile(r"(?P<host>\[[^\]]*\]|[^:\[\]]*)(?P<port>:[0-9]{0,5})?", re.ASCII)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """The address that a text is, with or without brackets; None for a name."""
    try:
        return ip_address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names and addresses by which the page may be called; another site's must not (DNS rebinding).

    ``bound`` is the address that the page listens on. On loopback and on one address only those and ``names`` are
    taken; on all addresses each address is, and this computer's own name, too.
    """

    bound: str
    names: tuple[str, ...] = ()

    def allows(self, header: str | None) -> bool:
        """Is the page meant by this ``Host`` header?"""
        named = _HOST.fullmatch(header or "")
        if named is None:
            return False
        host = named["host"].lower().removesuffix(".")
        address, bound = _address(host), _address(self.bound)
        everywhere = bound is not None and bound.is_unspecified
        if address is not None:
            return everywhere or address.is_loopback or address == bound
        return host in set(self._names(everywhere)) or host.endswith(".localhost")

    def _names(self, everywhere: bool) -> Iterable[str]:
        yield "localhost"
        yield self.bound.lower()
        yield from (name.lower() for name in self.names)
        if everywhere:
            own = socket.gethostname().lower()
            yield from (own, f"{own.partition('.')[0]}.local")


def own_cookie(request: Request, name: str) -> str:
    """The name of a cookie of this page alone: a browser sends cookies to all ports of a computer."""
    named = _HOST.fullmatch(request.headers.get("host", ""))
    return name + (named["port"] or "" if named else "").replace(":", "-")


class Guard:
    """Takes requests for this page only, and has each answer carry `HEADERS`."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        app = self.app
        if not self._hosts.allows(Headers(scope=scope).get("host")):
            app = PlainTextResponse(other_host_words(), 421)
        await app(scope, receive, send_guarded)
