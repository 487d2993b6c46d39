"""Players by the program at a simulated board, who see only what the service publishes; in simulated time."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from tamsk_hw.board.calibration import read_calibration
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.hands.players import Seated
from tamsk_hw.live.server import STATE_SECONDS
from tamsk_hw.live.stream import TableState, read_state, state_as_dict
from tamsk_hw.partner import Strength
from tamsk_hw.referee.events import ButtonName, Event
from tamsk_hw.referee.rulings import GameOver, Moved, RingCounted, Ruling, Violation
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.people import Activity, DemoPlayer, Pause, PlayerScheduler, best_move
from tamsk_hw.simulator.truth import GlassLifted, GlassSeated, RingDropped
from tamsk_hw.simulator.world import World
from tamsk_hw.system.sockets import Absence
from tamsk_hw.table.simulation import LOOK, practice_configuration
from tests.boards import SEVEN, WHOLE, PlayedBoard
from tests.simulation import Simulation
from tests.soak import in_soak


class Service:
    """A refereed board whose people are heard of only by lines of its live stream, read back.

    ``other``: the life of somebody else at the board, who sees it with his own eyes.
    """

    def __init__(
        self,
        players: Sequence[Player],
        strength: Strength | None = None,
        seed: int = 7,
        level: int = 1,
        board: PlayedBoard = WHOLE,
        other: Callable[[World, Callable[[], View]], Activity] | None = None,
        holders: bool = False,
    ) -> None:
        self.game = Simulation(
            Ruleset(level=level, start=board.start),
            seed,
            wiring=board.wiring,
            holders=holders,
            seat=lambda world, view: PlayerScheduler(
                world, [] if other is None else [other(world, view)], Random(1)
            ),
        )
        self.world: World = self.game.world
        self.seated = Seated(self.world, players, seed, strength)
        self.rulings: list[Ruling] = []
        self.published = True
        self._told: TableState | None = None
        self._due = 0.0

    def run(self, seconds: float) -> list[Ruling]:
        """Let time pass; give what was ruled."""
        end, before = self.game.now + seconds, len(self.rulings)
        while self.game.now < end and not self.game.is_over:
            ruled = self.game.advance(self.game.now + LOOK + 1e-9)
            self.rulings += ruled
            if self.published:
                self._publish(ruled)
            for decided in self.seated.act():
                self.take(decided)
        return self.rulings[before:]

    def _publish(self, ruled: Sequence[Ruling]) -> None:
        """As `LiveServer` does: a state is sent when it says something new, at most every `STATE_SECONDS`."""
        state = TableState(self.game.refereeing.view(), False)
        if self.game.now >= self._due and state.is_news_after(self._told):
            self._told, self._due = state, self.game.now + STATE_SECONDS
            self.seated.see(read_state(json.loads(json.dumps(state_as_dict(state)))))
        for ruling in ruled:
            self.seated.hear(ruling)

    def take(self, event: Event) -> None:
        self.game.refereeing.take([event])


def moved(rulings: Sequence[Ruling]) -> list[Player]:
    return [ruling.player for ruling in rulings if isinstance(ruling, Moved)]


def test_the_program_plays_red_and_hands_play_black() -> None:
    service = Service([Player.RED])
    assert moved(service.run(30.0)) == [Player.RED]
    service.world.lift(Player.BLACK, Tube.G1)
    service.run(2.0)
    service.world.seat(Player.BLACK, Tube.F1, turned=False)
    assert moved(service.run(30.0)) == [Player.BLACK, Player.RED]


def test_nobody_acts_before_the_service_is_heard_or_after_it_is_lost() -> None:
    service = Service(PLAYERS)
    service.published = False
    assert not moved(service.run(20.0))
    assert service.seated.next_wakeup is None
    service.published = True
    service.run(20.0)
    service.seated.lost(Absence.NONE_THERE)
    service.published = False
    truth = len(service.world.truth)
    service.run(20.0)
    assert len(service.world.truth) <= truth + 3, "hands finish what they were about"
    service.published = True
    assert moved(service.run(60.0))


def clumsy(player: DemoPlayer) -> Activity:
    """Lifts the glass on D1, takes a ring up, and reaches for a tube that is not free."""
    me, world = player._me, player._world
    yield Pause(world.now + 1.0)
    yield Pause(world.lift(me, Tube.D1))
    yield Pause(world.take_up(me))
    player._manners.hand = me
    world.seat(me, Tube.G1, turned=True)


def between_two_placings(seed: int) -> Service:
    """A game of two in which each has placed one glass."""
    service = Service(PLAYERS, board=SEVEN, seed=seed)
    while len(moved(service.rulings)) < 2:
        service.run(0.5)
    return service


def test_nobody_moves_twice_while_the_service_hangs() -> None:
    service = between_two_placings(seed=1)
    service.published = False
    world = service.world
    here = {glass: glass.tube for glass in world.glasses}
    service.run(30.0)
    assert {glass: glass.tube for glass in world.glasses} != here, "somebody moves without an answer"
    assert len(moved(service.rulings)) == 3
    service.published = True
    rulings = service.run(3600.0)
    assert isinstance(rulings[-1], GameOver)
    assert not [ruling for ruling in service.rulings if isinstance(ruling, Violation)]
    assert service.seated.next_wakeup is None, "they stand up"


def test_a_player_who_sits_down_again_knows_what_he_has_set_down() -> None:
    service = between_two_placings(seed=7)
    service.published = False
    service.run(20.0)
    assert len(moved(service.rulings)) == 3
    old = service.seated._view
    assert old is not None
    service.seated.see(TableState(old, True))  # the service is back, and offers its game as it had saved it
    service.seated.see(TableState(old, False))
    service.run(10.0)
    assert len(moved(service.rulings)) == 3
    service.published = True
    assert isinstance(service.run(3600.0)[-1], GameOver)


def test_a_player_whose_way_is_barred_puts_back_what_he_holds_and_begins_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(DemoPlayer, "live", clumsy)
    service = Service([Player.RED])
    world = service.world
    before = world.glass("D1").down
    lifted: list[float] = []
    put_back: list[GlassSeated] = []
    service.run(15.0)
    for fact in world.truth:
        if isinstance(fact, GlassLifted):
            lifted.append(fact.t)
        elif isinstance(fact, GlassSeated):
            put_back.append(fact)
    assert len(lifted) >= 2
    assert {(fact.tube, fact.end_down) for fact in put_back} == {(Tube.D1, before)}
    assert world.holders[Player.RED].rings + world.rings_in_hand(Player.RED) == 32


def test_players_who_think_know_the_rules_of_the_game_that_the_service_names() -> None:
    """Who did not know of the free start would bring no glass from off the board."""
    service = Service(PLAYERS, Strength.EASY, level=2, board=SEVEN)
    ear = service.seated
    ear.greeted({"simulated": False, "seq": 1, "life": "a"})
    ear.heard({"seq": 1, "header": service.game.header.as_dict()})
    rulings = service.run(60.0)
    assert {*moved(rulings)} == set(PLAYERS)
    assert not [ruling for ruling in rulings if isinstance(ruling, Violation)]


def test_another_ruleset_before_the_start_seats_players_who_know_it() -> None:
    service = Service([Player.RED], Strength.EASY, level=1)
    service.seated.play_by(Ruleset(level=3))
    service.run(0.2)
    waking = service.seated.next_wakeup
    assert waking is not None
    service.seated.play_by(Ruleset(level=3))
    assert service.seated.next_wakeup == waking, "nothing has changed"
    service.seated.play_by(Ruleset(level=1))
    assert moved(service.run(30.0)) == [Player.RED]


class Hands(NamedTuple):
    """Hands that somebody plays red with: seconds until he moves, and from his move until he takes up its ring."""

    think: float
    ring: tuple[float, float] | None

    def life(self, world: World, view: Callable[[], View]) -> Activity:
        """He takes no more notice of rights than a beginner; a ring of his that does not count he takes back."""
        chance, red = Random(world.seed), Player.RED
        while view().wrong:
            yield Pause(world.now + 0.1)
        yield Pause(world.press(ButtonName.START))
        while True:
            yield Pause(world.now + 0.05)
            for mend in view().wrong:
                if isinstance(mend.has, int) and dropped(world, mend.tube)[-1].player is red:
                    yield Pause(world.take(red, mend.tube) + 0.3)
            if view().turn is not red:
                continue
            yield Pause(world.now + self.think)
            way = best_move(view(), world, red, chance, careless=True)
            if way is None:
                continue
            yield Pause(world.lift(red, way[0]))
            yield Pause(world.seat(red, way[1], turned=False, travel=0.1))
            if self.ring is not None and world.holders[red].rings:
                yield Pause(world.now + chance.uniform(*self.ring))
                yield Pause(world.take_up(red) + 0.3)
                done = world.drop(red, way[1], within=0.2) if world.can_drop(way[1]) else None
                yield Pause(world.put_back(red) if done is None else done)


def dropped(world: World, tube: Tube) -> list[RingDropped]:
    return [fact for fact in world.truth if isinstance(fact, RingDropped) and fact.tube is tube]


def counted_holders(folder: Path) -> bool:
    """``tamsk-hw play`` senses the ring holders of its board."""
    practice = practice_configuration(Configuration(), load_wiring(), 1, folder)
    return read_calibration(practice.calibration_file).holders_measured


@pytest.mark.parametrize("seed", range(in_soak(20, otherwise=2)))
@pytest.mark.parametrize("hands", [Hands(0.5, (0.0, 0.2)), Hands(6.0, (3.0, 9.0)), Hands(2.0, None)])
def test_a_beginners_game_against_the_program_comes_to_its_end(hands: Hands, seed: int, tmp_path: Path) -> None:
    """Quick hands, slow ones, and hands that never drop a ring, at the board of ``tamsk-hw play --level 1``."""
    black = Player.BLACK
    service = Service([black], Strength.FAIR, seed, other=hands.life, holders=counted_holders(tmp_path))
    rulings = service.run(3600.0)
    assert isinstance(rulings[-1], GameOver)
    counted = [ruling for ruling in rulings if isinstance(ruling, RingCounted)]
    for ring in counted:
        fact = min(dropped(service.world, ring.tube), key=lambda fact: abs(fact.t - ring.t))
        assert fact.player is ring.player
    moves = moved(rulings).count(black)
    own = sum(ring.player is black and ring.kind is RingKind.MOVE for ring in counted)
    left = service.game.refereeing.view().left[black]
    assert not left or own >= 0.95 * moves, f"{own} rings with {moves} moves"
    ruled = [ruling for ruling in rulings if isinstance(ruling, Violation) and ruling.tube is not None]
    nearest = [min(dropped(service.world, each.tube), key=lambda fact: abs(fact.t - each.t)) for each in ruled]
    assert 20 * sum(fact.player is black for fact in nearest) <= len(counted)


def test_a_rematch_gives_the_program_the_other_colour() -> None:
    """It is seated by its name; the service swaps names (R1.5: red begins)."""
    service = Service([Player.BLACK], Strength.EASY)
    ear = service.seated
    ear.greeted({"simulated": False, "seq": 1, "life": "a"})
    header = service.game.header.as_dict()
    ear.heard({"seq": 2, "header": header, "names": {"red": None, "black": "tamsk-hw (easy)"}})
    assert not moved(service.run(20.0)), "it waits for red"
    ear.heard({"seq": 3, "names": {"red": "tamsk-hw (easy)", "black": None}})
    assert moved(service.run(20.0)) == [Player.RED]


def test_who_has_the_programs_name_is_played_and_nobody_else() -> None:
    """As at the board of `tamsk-hw play`, where players choose before a game whom they play against."""
    service = Service([])
    ear = service.seated = Seated(service.world, [], 7, follows_names=True)
    ear.greeted({"simulated": False, "seq": 1, "life": "a"})
    header = service.game.header.as_dict()
    ear.heard({"seq": 2, "header": header, "names": {"red": None, "black": None}})
    assert not moved(service.run(20.0)), "two people"
    ear.heard({"seq": 3, "names": {"red": "tamsk-hw (easy)", "black": "Grace"}})
    assert moved(service.run(20.0)) == [Player.RED]
    ear.heard({"seq": 4, "names": {"red": "Ada", "black": "tamsk-hw (strong)"}})
    assert moved(service.run(20.0)) == [Player.BLACK]
    ear.heard({"seq": 5, "names": {"red": "tamsk-hw (fair)", "black": "Grace"}})
    ear.heard({"seq": 6, "names": {"red": "Ada", "black": "Grace"}})
    assert not moved(service.run(20.0)), "two people again"
