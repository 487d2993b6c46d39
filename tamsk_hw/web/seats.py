"""Seats at a simulated board: their links and sessions, the hands at the board, and the table as eyes see it.

Links are made when the page starts and kept nowhere; sessions live in memory, as long as the page.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request

from tamsk_hw.errors import HandsError
from tamsk_hw.forms import from_json
from tamsk_hw.game.tubes import PLAYERS, TUBE_OF_NAME, TUBES, Player, Tube
from tamsk_hw.hands.client import HANDS_SECONDS
from tamsk_hw.hands.observation import GlassSeen, Observation
from tamsk_hw.live.stream import state_as_dict
from tamsk_hw.panel.simulated import BOARD
from tamsk_hw.referee.view import GlassState, GlassView, View
from tamsk_hw.system.sockets import Absence, LineFollower
from tamsk_hw.web.live import LiveTable, NewsFeed, server_sent
from tamsk_hw.web.scene import SeenGlass, TableAtHand, TableScene
from tamsk_hw.web.security import MOST_SESSIONS, address_of, digest, own_cookie

#: Bytes of chance in a seat's secret: too many to be guessed.
_BYTES: Final = 32


#: The seconds of a full glass, to let its sand run between two looks (R6.1).
FULL_SECONDS = 180.0


def table_at_hand(view: View, look: Observation, pausing: frozenset[Player] = frozenset()) -> TableAtHand:
    """All that can be taken in the hand; the glasses are matched with those that the referee knows."""
    return TableAtHand(look, tuple(_glasses(view, look)), pausing)


def seen_scene(scene: TableScene, at_hand: TableAtHand) -> TableScene:
    """The scene with glasses and rings where eyes see them, and its own revision."""
    look = at_hand.look
    drawn = tuple(glass.view for glass in at_hand.glasses if glass not in at_hand.off)
    rings = tuple(look.rings.get(tube, 0) for tube in TUBES)
    view = replace(scene.view, glasses=drawn, rings_seen=rings)
    still = (
        scene.at,
        [(glass.seen.name, glass.seen.tube, glass.seen.hand, glass.seen.leaning) for glass in at_hand.glasses],
        [(glass.seen.end, glass.view.state, glass.seen.runs) for glass in at_hand.glasses],
        sorted(look.rings.items()),
        [look.players[player] for player in PLAYERS],
        (look.timer.place, look.timer.end, look.timer.runs),
        look.buttons,
        [player in at_hand.pausing for player in PLAYERS],
    )
    at = blake2b(repr(still).encode(), digest_size=6).hexdigest()
    return replace(scene, state=replace(scene.state, view=view), at=at, at_hand=at_hand)


def _glasses(view: View, look: Observation) -> Iterator[SeenGlass]:
    """Every glass, those that are drawn first."""
    for player in PLAYERS:
        mine = [glass for glass in look.glasses if glass.owner is player]
        known = {
            glass.standing: glass for glass in view.glasses if glass.owner is player and glass.standing is not None
        }
        there = {seen.name: known.pop(seen.tube) for seen in mine if seen.tube is not None and seen.tube in known}
        # Of the others nobody knows which is which, and nothing depends on it.
        rest = [glass for glass in view.glasses if glass.owner is player and glass not in there.values()]
        mine.sort(key=lambda seen: seen.tube is None and seen.hand is None)
        for number, seen in enumerate(mine, 1):
            glass = there.get(seen.name) or (rest.pop(0) if rest else None)
            yield SeenGlass(seen, number, _seen_view(seen, glass), glass is not None)


def _seen_view(seen: GlassSeen, glass: GlassView | None) -> GlassView:
    """A glass as it is drawn; ``glass``: what the referee knows of it, None before it was placed."""
    home = TUBE_OF_NAME.get(seen.name, Tube.D4) if seen.tube is None else seen.tube
    return GlassView(
        owner=seen.owner,
        tube=home if glass is None else glass.tube,
        standing=seen.tube,
        end=seen.end,
        state=_state(seen, glass),
        seconds=(seen.above * FULL_SECONDS, seen.above * FULL_SECONDS),
        fraction=(seen.above, seen.above),
        may_move=glass is not None and glass.may_move,
    )


def _state(seen: GlassSeen, glass: GlassView | None) -> GlassState:
    """The state in which a glass is drawn: lost if that was ruled; else sand that is seen to run runs."""
    if seen.above > 0 and (glass is None or glass.state is not GlassState.LOST):
        return GlassState.RUNNING
    if glass is not None and glass.state in (GlassState.LOST, GlassState.UNSTARTED):
        return glass.state
    return GlassState.NO_SAND


class HandsLink(NewsFeed):
    """The hands at the first board that is found at one of the places, and at the next when that has gone: a
    `tamsk_hw.system.sockets.Listener`.
    """

    def __init__(self, places: Sequence[Path]) -> None:
        super().__init__()
        self.look: Observation | None = None
        """The board as eyes see it; None while there is none."""
        self.played: frozenset[Player] = frozenset()
        """The players whom the program plays."""
        self.follows_names = False
        """The program plays whoever has one of its names."""
        self.board = LineFollower(places, BOARD, self)
        """Keeps the connection while it runs."""
        self._asked: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._number = 0

    async def do(self, action: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have hands do something; give their answer, with ``done`` or ``refused``.

        Raises:
            HandsError: there is no board, or it has not answered.
        """
        self._number += 1
        number = self._number
        self.board.send({"id": number, **action})
        self._asked[number] = answer = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(HANDS_SECONDS):
                said: Mapping[str, Any] = await answer
                return said
        except TimeoutError:
            raise HandsError("the simulated board has not answered") from None
        finally:
            del self._asked[number]

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The board is there; its changes are wanted."""
        self.played = frozenset(map(Player, greeting["players"]))
        self.follows_names = bool(greeting.get("follows_names"))
        return {"watch": True}

    def heard(self, record: Mapping[str, Any]) -> None:
        """A look, or an answer. Raises `StreamError` for a look that is none."""
        match record:
            case {"look": look}:
                self.look = from_json(Observation, look, "the simulated board")
                self.publish()
            case {"re": int(number), **said} if number in self._asked and not self._asked[number].done():
                self._asked[number].set_result(said)

    def lost(self, why: Absence) -> None:
        """The board is not there: nobody gets an answer any more."""
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(HandsError("the simulated board has gone"))
        if self.look is not None:
            self.look = None
            self.publish()


#: The cookie of each seat.
SEAT_COOKIES: Final = {player: f"tamsk-seat-{player.value}" for player in PLAYERS}

#: Headers by which a proxy says that it asks for somebody else.
_PROXY_HEADERS: Final = ("forwarded", "via", "x-forwarded-for", "x-real-ip")


class Seats:
    """The seats at a page that is open to a network: their links, and whose hands a browser has.

    A browser that opens a seat's link plays that colour. The secret stands in the fragment, which browsers send to
    nobody.
    """

    def __init__(self, page: str, names: Sequence[str] = (), line: str = "") -> None:
        """``page`` is the page's address for another device, ``names`` are those by which others call the page.

        ``line`` has the secrets for a page that is a process of its own; without it they are made.
        """
        self.page = page
        made = line.split() or [secrets.token_urlsafe(_BYTES) for _ in PLAYERS]
        self.secrets = dict(zip(PLAYERS, made, strict=True))
        self._names = frozenset(name.lower() for name in names)
        self._sessions: dict[str, Player] = {}

    def link(self, player: Player) -> str:
        """The address of a player's seat."""
        return f"{self.page}table?seat={player.value}#{self.secrets[player]}"

    def as_line(self) -> str:
        """The secrets in a line."""
        return " ".join(self.secrets[player] for player in PLAYERS)

    def sit_down(self, player: Player, secret: str) -> str | None:
        """The secret of a new session at a player's seat; None for a wrong secret of the seat."""
        if not compare_digest(digest(self.secrets[player]), digest(secret)):
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

        A computer that calls one of its own addresses calls from that address. One that comes by a proxy, or by a
        name that is for others, is elsewhere.
        """
        if any(header in request.headers for header in _PROXY_HEADERS):
            return False
        if (request.url.hostname or "").lower().removesuffix(".") in self._names:
            return False
        client, server = request.scope.get("client"), request.scope.get("server")
        asking = address_of(client)
        return asking is not None and (asking.is_loopback or asking == address_of(server))


#: Real seconds between two states that browsers are sent while only sand runs.
SAND_SECONDS = 0.5


class SeenTable(NewsFeed):
    """A live table with glasses and rings where eyes see them, at the board to whose hands ``link`` leads."""

    def __init__(self, live: LiveTable, link: HandsLink, clock: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease."""
        super().__init__()
        self.link = link
        self.scene: TableScene | None = None
        self.state_sent = b""
        self.live = live
        self._clock = clock
        self._due = float("-inf")
        self._asked: tuple[bool, int, frozenset[Player]] = False, 0, frozenset()
        """The last request for a pause, or for its end: True if the game paused then, its turn, who has asked."""
        live.watch(self._renew)
        link.watch(self._renew)

    def ask_pause(self, view: View, players: frozenset[Player]) -> bool:
        """Players ask for a pause, or in one for its end; give whether both have. It lapses with the turn."""
        self._asked = view.paused, view.number, self._pausing(view) | players
        self._renew()
        return self._pausing(view) >= set(PLAYERS)

    def _pausing(self, view: View) -> frozenset[Player]:
        return self._asked[2] if self._asked[:2] == (view.paused, view.number) else frozenset()

    def _renew(self) -> None:
        """Send the state at once when it looks different, and from time to time while sand runs."""
        live, look = self.live.scene, self.link.look
        if live is None:
            self.scene, self.state_sent = None, b""
        elif look is not None:
            before, now = self.scene, self._clock()
            at_hand = table_at_hand(live.view, look, self._pausing(live.view))
            self.scene = scene = seen_scene(live, at_hand)
            if before is None or before.at != scene.at or now >= self._due:
                self._due = now + SAND_SECONDS
                runs = live.state.runs or any(glass.seen.runs for glass in at_hand.glasses)
                shown = {
                    "at": scene.at,
                    "runs": runs and not scene.stands,
                    "unplugged": self.live.unplugged,
                    "state": state_as_dict(scene.state),
                    "timer": look.timer.above,
                }
                self.state_sent = server_sent("state", shown)
        self.publish()
