"""A capture again through link, sensing and referee, on the capture's clock: without I/O, and deterministic.

The rounds are those of the live loop: what came in them, then the passing of time. Where the capture does not have
every round, they are made between its lines, as the loop would: when something is due, and every `LOOK_SECONDS`.

The last minutes of a capture, as a capture that begins in the middle of a game: for bug reports.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from tamsk_hw.board.link_events import Connected, LinkEvent, Lost, PortClosed, Refused, Unreachable
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.session import LinkSession
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.errors import StreamError
from tamsk_hw.facts.notices import BoardNotice, BoardUnusable
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.table.capture import Captured, Game, Round
from tamsk_hw.table.loop import LEAST_SECONDS, LOOK_SECONDS
from tamsk_hw.table.refereeing import RefereedGame, event_since, link_since


@dataclass(frozen=True, slots=True)
class ReplayedEvent:
    """An event that the referee took, and its rulings; known at ``at``, by the capture's clock."""

    at: float
    event: Event
    rulings: Sequence[Ruling]


@dataclass(frozen=True, slots=True)
class Noticed:
    """A notice, given at ``at``."""

    at: float
    notice: BoardNotice


Heard = ReplayedEvent | Noticed


def replay_capture(captured: Captured, wiring: Wiring, name: str) -> list[Heard]:
    """All that is heard of the games of a capture, in the order in which it arose.

    Raises:
        StreamError: the capture is of a board with another wiring map.
    """
    if captured.wiring != wiring.hash:
        raise StreamError(
            f'{name} line 1: wiring is "{captured.wiring:08x}"; this map is {wiring.hash:08x}: '
            "configure the map of the board that was captured (board.wiring)"
        )
    heard: list[Heard] = []
    replay = _Replay(captured, wiring, name, heard.append)
    for t, items in groupby(captured.items, key=lambda item: item.t):
        if not captured.rounds:
            replay.pass_time(t)
        replay.round(t, items)
    return heard


class _Replay:
    """The rounds of one replay."""

    def __init__(self, captured: Captured, wiring: Wiring, name: str, emit: Callable[[Heard], None]) -> None:
        self._captured = captured
        self._wiring = wiring
        self._name = name
        self._emit = emit
        self._session = LinkSession(wiring.hash)
        self._connected = False
        self._game: RefereedGame | None = None
        self._began = 0.0
        self._now = float("-inf")

    def round(self, now: float, items: Iterable[Round | Game]) -> None:
        """Take decisions, then the bytes that came by ``now``, in the order of `BoardTable.advance`; then rule."""
        first, self._now = self._now == float("-inf"), now
        if first and not self._captured.offered:
            self._begin(Game(now, self._captured.header))
        reports: list[LinkEvent] = []
        decided: list[Event | Game] = []
        for item in items:
            if isinstance(item, Game):
                decided.append(item)
                continue
            if item.data is not None:
                reports += [*self._session.receive(item.data, item.t), *self._advance_link()]
            if item.is_open:
                self._session.opened(item.t)
            elif item.is_open is not None:
                reports += self._session.closed(item.t, PortClosed())
            if item.decided is not None:
                decided.append(item.decided)
        reports += self._advance_link()
        for each in decided:
            if isinstance(each, Game):
                self._begin(each)
            elif self._game is not None and not self._game.is_over:
                self._game.take([event_since(each, self._began)])
        self._take_link(reports)
        if self._game is not None:
            self._game.advance(now - self._began)

    def pass_time(self, until: float) -> None:
        """The rounds before ``until``."""
        while self._now > float("-inf"):
            due = self._session.next_wakeup()
            if self._game is not None and (deadline := self._game.next_deadline) is not None:
                due = min(due, self._began + deadline)
            now = max(min(due, self._now + LOOK_SECONDS), self._now + LEAST_SECONDS)
            if now >= until:
                return
            self.round(now, ())

    def _advance_link(self) -> list[LinkEvent]:
        reports = self._session.advance(self._now)
        self._session.take_outgoing()  # nobody reads it
        return reports

    def _take_link(self, reports: Iterable[LinkEvent]) -> None:
        for report in reports:
            if isinstance(report, Connected | Lost):
                self._connected = isinstance(report, Connected)
            if self._game is not None:
                self._game.take_link(link_since(report, self._began))
            elif isinstance(report, Refused | Unreachable):
                self._notice(BoardUnusable(report.reason))

    def _begin(self, game: Game) -> None:
        """Another game begins, or one is resumed."""
        if game.header.ruleset.tubes != self._wiring.tubes:
            raise StreamError(f"{self._name}: ruleset.tubes: this wiring map has other tubes")
        captured = self._captured
        sensing = Sensing(self._wiring, captured.calibration, captured.sensing, game.header.holders)
        rests = captured.rests if self._game is None else self._game.rests
        if rests is not None:
            sensing.restore_baselines(rests)
        self._game = refereeing = RefereedGame(
            game.header,
            sensing,
            past=game.past,
            watched_to=game.watched,
            record=lambda event, rulings: self._emit(ReplayedEvent(self._now, event, tuple(rulings))),
            notice=self._notice,
        )
        refereeing.connected = self._connected
        self._began = game.t - refereeing.watched_to if game.past else game.t
        if game.away is not None:
            refereeing.resume(*game.away)

    def _notice(self, notice: BoardNotice) -> None:
        self._emit(Noticed(self._now, notice))
