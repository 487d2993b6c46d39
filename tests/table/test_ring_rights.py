"""Sensing, referee and the rights to rings between them: fingers and rings on a whole board."""

from tamsk_hw.board.link_events import SnapshotArrived
from tamsk_hw.game import End, Player, Ruleset, Tube
from tamsk_hw.game.notation import RingKind
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Button, ButtonName, Event, Press, Rings
from tamsk_hw.referee.rulings import Code, RingCounted, Ruling, Violation
from tamsk_hw.table.refereeing import RefereedGame
from tests.board.sensing_board import TIMER, Board


class Game:
    """A game that has been started, on a board whose sensors are read."""

    def __init__(self) -> None:
        self.board = Board(holders=False)
        for tube in (Tube.D1, Tube.G4, Tube.A4, Tube.G1, Tube.D7, Tube.A1):
            self.board.stand(tube)
        self.board.stand(TIMER, End.B)
        self.events: list[Event] = []
        header = Header(ruleset=Ruleset(level=2))
        self.refereeing = RefereedGame(
            header, self.board.sensing, record=lambda event, _: self.events.append(event)
        )
        self.run(1.0)
        self.press(ButtonName.START)
        self.run(0.1)
        self.refereeing.rulings.clear()

    @property
    def rulings(self) -> list[Ruling]:
        return self.refereeing.rulings

    @property
    def rings(self) -> list[Ruling]:
        """Rulings on rings."""
        return [ruling for ruling in self.rulings if isinstance(ruling, RingCounted | Violation)]

    def run(self, seconds: float) -> None:
        board = self.board
        for _ in range(round(seconds / board.period)):
            board.t += board.period
            self.refereeing.take_link(SnapshotArrived(board.t, board.t, board.snapshot()))
            self.refereeing.advance(board.t)

    def press(self, button: ButtonName) -> None:
        self.refereeing.take([Button(self.board.t, button, Press.SHORT)])

    def move(self, origin: Tube, to: Tube, end: End = End.B) -> float:
        """Move a glass; the time at which it stands."""
        self.board.clear(origin)
        self.run(0.3)
        self.board.stand(to, end)
        return self.board.t + self.board.period


def test_r4_1_a_ring_dropped_as_the_glass_lands_counts_at_once_and_from_its_time() -> None:
    game = Game()
    seat = game.move(Tube.D1, Tube.D2)
    game.run(0.010)
    game.board.rings(Tube.D2, 1)
    ring = game.board.t + game.board.period
    game.run(0.070)
    (ruling,) = game.rings
    assert isinstance(ruling, RingCounted)
    assert (ruling.t, ruling.player, ruling.kind) == (ring, Player.RED, RingKind.MOVE)
    assert seat < ring


def test_r4_4_after_the_window_a_finger_is_a_finger_again() -> None:
    """Black has started his move, so no claim is open; red's own right lapses after 5 s without a ruling."""
    game = Game()
    game.move(Tube.D1, Tube.D2)
    game.run(0.5)
    game.board.clear(Tube.G1)
    game.run(5.0)
    game.board.rings(Tube.D2, 1)
    game.run(0.2)
    game.board.rings(Tube.D2, 0)
    game.run(1.0)
    assert game.rings == []


def test_r4_7_a_ring_laid_where_none_is_due_is_ruled_on_from_its_beginning() -> None:
    game = Game()
    game.board.rings(Tube.C3, 1)
    ring = game.board.t + game.board.period
    game.run(0.6)
    (ruling,) = game.rings
    assert isinstance(ruling, Violation)
    assert (ruling.t, ruling.code) == (ring, Code.RING_WRONG_TUBE)


def test_r4_7_a_finger_above_the_ring_of_a_move_is_no_second_ring() -> None:
    game = Game()
    game.move(Tube.D1, Tube.D2)
    game.run(1.0)
    game.board.rings(Tube.D2, 2)
    game.run(0.3)
    game.board.rings(Tube.D2, 1)
    game.run(1.0)
    assert [type(ruling) for ruling in game.rings] == [RingCounted]
    assert [event.count for event in game.events if isinstance(event, Rings)] == [1]
