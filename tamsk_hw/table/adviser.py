"""Advice for the loop: what the partner, in a process of his own, means to do in the game as it stands.

No ruling waits for him. He is asked about the newest view once he has answered the last question; views that come
meanwhile he never sees. What he answers belongs to the view that he was asked about, and is shown only while that
still stands in what matters for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from tamsk_hw.errors import PartnerLostError
from tamsk_hw.facts.notices import PartnerEnded
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.live.lines import Names
from tamsk_hw.partner.advice import Advice
from tamsk_hw.partner.intention import MoveGlass
from tamsk_hw.partner.seat import PartnerSeat, seat_of
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.table.partner_process import Mind, PartnerAnswer
from tamsk_hw.table.partner_task import PartnerSitting, PartnerTask

#: Real seconds between two attempts to start the partner's process.
RETRY_SECONDS: Final = 3.0

#: Real seconds after which a process that does not answer is ended and started again.
HANGS_SECONDS: Final = 30.0


class Adviser(Protocol):
    """Whoever advises the people at the board."""

    def advice(self, view: View, *, offered: bool) -> Advice | None:
        """The advice that holds for the view, at once. ``offered``: an unfinished game waits to be resumed."""

    def follow(self, view: View, *, offered: bool, now: float) -> None:
        """Take notice of the view at ``now`` (monotonic seconds), without waiting for anything."""


class Seating(Protocol):
    """The games that the partner plays in."""

    @property
    def names(self) -> Names:
        """The players' names, by which he is seated."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the game."""


_Facts: TypeAlias = tuple[object, ...]


def _position(view: View) -> _Facts:
    """What a move depends on: all but sand, seconds and hands."""
    return (
        view.phase,
        view.number,
        view.turn,
        view.late,
        view.penalty,
        view.link_lost,
        view.question,
        view.wrong,
        view.rings,
        tuple((glass.owner, glass.tube, glass.state) for glass in view.glasses),
        tuple((tube, ring.player) for tube, ring in view.ring_open.items()),
        tuple(view.left.values()),
    )


def _moment(view: View) -> _Facts:
    """What anything else depends on besides: glasses in hands, a move that has been started, the timer."""
    standing = tuple(glass.standing for glass in view.glasses)
    return (view.move_started, view.deadline is None, view.rings_seen, standing)


class PartnerAdviser:
    """Advice from the partner, for the player who bears his name. Close it at the end."""

    def __init__(
        self,
        table: Seating,
        start: Callable[[], Mind],
        notice: Callable[[PartnerEnded], None],
        seed: int = 0,
    ) -> None:
        """``start`` starts the process of the partner; ``notice`` hears when it ended by itself."""
        self._table = table
        self._start = start
        self._notice = notice
        self._seed = seed
        self._game = 0
        self._is_new = True
        self._mind: Mind | None = None
        self._start_at = float("-inf")
        self._is_reported = False
        self._asked: tuple[_Facts, _Facts] | None = None
        self._asked_at = float("-inf")
        self._answer: PartnerAnswer | None = None
        self._answered: tuple[_Facts, _Facts] = ((), ())

    def advice(self, view: View, *, offered: bool) -> Advice | None:
        """The advice of the last answer, if the view that it was given for still stands in what matters."""
        advice = None if self._answer is None else self._answer.advice
        if advice is None or offered or self._answered[0] != _position(view):
            return None
        if not isinstance(advice.act, MoveGlass) and self._answered[1] != _moment(view):
            return None
        return advice

    def follow(self, view: View, *, offered: bool, now: float) -> None:
        """Hear his answer; ask him about this view if something has changed, or when he wants to be asked."""
        names = self._table.names
        seat = seat_of(red=names.red, black=names.black)
        if seat is None:
            self._dismiss()
            return
        if view.phase is Phase.SETUP:
            self._game += not self._is_new
            self._is_new = True
        try:
            self._hear(now)
            if self._asked is None and not offered and view.phase is Phase.PLAY and not view.link_lost:
                self._ask(seat, view, now)
        except PartnerLostError:
            self._lose(now)

    def _hear(self, now: float) -> None:
        """Hear the answer, if he is there and has been asked."""
        if self._mind is None:
            if now < self._start_at:
                return
            self._start_at = now + RETRY_SECONDS
            self._mind = self._start()
        heard = self._mind.heard()
        if heard is not None:
            if self._asked is None:
                raise PartnerLostError("nobody has asked")
            self._answer, self._answered, self._asked = heard, self._asked, None
            self._is_reported = False
        elif self._asked is not None and now - self._asked_at > HANGS_SECONDS:
            raise PartnerLostError("no answer")

    def _ask(self, seat: PartnerSeat, view: View, now: float) -> None:
        facts = (_position(view), _moment(view))
        again = self._asked_at if self._answer is None else self._asked_at + self._answer.seconds
        if self._mind is None or (facts == self._answered and now < again):
            return
        self._is_new = False
        self._mind.ask(PartnerTask(PartnerSitting(seat, self._table.ruleset, self._seed, self._game), view))
        self._asked, self._asked_at = facts, now

    def _lose(self, now: float) -> None:
        """His process is of no use any more: the game goes on without him until another one has started."""
        self._dismiss()
        self._start_at = now + RETRY_SECONDS
        if not self._is_reported:
            self._is_reported = True
            self._notice(PartnerEnded())

    def _dismiss(self) -> None:
        mind, self._mind = self._mind, None
        if mind is not None:
            mind.kill()
        self._asked = self._answer = None

    def close(self) -> None:
        """End his process, if there is one, and wait for that for a moment."""
        if self._mind is not None:
            self._mind.close()
            self._mind = None
