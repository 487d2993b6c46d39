"""Who sits at a simulated board whose page is open to a network. Sessions live in memory, as long as the page."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hmac import compare_digest
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from starlette.requests import Request

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.web.arbiter_token import digest
from tamsk_hw.web.seat_links import SeatLinks
from tamsk_hw.web.security import own_cookie
from tamsk_hw.web.sessions import MOST_SESSIONS

#: The cookie of each seat.
SEAT_COOKIES: Final = {player: f"tamsk-seat-{player.value}" for player in PLAYERS}

#: Headers by which a proxy says that it asks for somebody else.
_PROXY_HEADERS: Final = ("forwarded", "via", "x-forwarded-for", "x-real-ip")


class Seats:
    """Whose hands a browser has; ``names`` are those by which others call the page."""

    def __init__(self, links: SeatLinks, names: Sequence[str] = ()) -> None:
        self.links = links
        self._names = frozenset(name.lower() for name in names)
        self._sessions: dict[str, Player] = {}

    def sit_down(self, player: Player, secret: str) -> str | None:
        """The secret of a new session at a player's seat; None for a wrong secret of the seat."""
        if not compare_digest(digest(self.links.secrets[player]), digest(secret)):
            return None
        session = secrets.token_urlsafe(32)
        self._sessions[digest(session)] = player
        own = [key for key, whose in self._sessions.items() if whose is player]
        if len(own) > MOST_SESSIONS:  # the other player's are none of his
            del self._sessions[own[0]]
        return session

    def players_of(self, request: Request) -> frozenset[Player]:
        """The players whose hands a browser has: everybody's at the board's own computer."""
        if self.is_at_the_board(request):
            return frozenset(PLAYERS)
        return frozenset(
            player
            for player, cookie in SEAT_COOKIES.items()
            if self._sessions.get(digest(request.cookies.get(own_cookie(request, cookie), ""))) is player
        )

    def is_at_the_board(self, request: Request) -> bool:
        """The browser is on the computer of the page.

        A computer that calls one of its own addresses calls from that address. Whoever comes by a proxy, or by a
        name that is for others, is elsewhere.
        """
        if any(header in request.headers for header in _PROXY_HEADERS):
            return False
        if (request.url.hostname or "").lower().removesuffix(".") in self._names:
            return False
        client, server = request.scope.get("client"), request.scope.get("server")
        asking = _address(client)
        return asking is not None and (asking.is_loopback or asking == _address(server))


def _address(end: tuple[str, int | None] | None) -> IPv4Address | IPv6Address | None:
    """The address of one end of a connection; None where it has none."""
    try:
        address = ip_address("" if end is None else end[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
