"""Somebody alone at the board: hands that know nothing but what lights or live stream advise for black."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.position import Move
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.live.stream import Names, TableState, read_state, state_as_dict
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.panel.lights import PALETTE, pixels
from tamsk_hw.partner import Intention, Partner
from tamsk_hw.partner.intention import Advice, Await, MoveGlass, MoveRing, RingAct, TurnTimerOver
from tamsk_hw.referee.events import Event, Tick
from tamsk_hw.referee.referee import Referee
from tamsk_hw.referee.rulings import GameOver, Moved, RingCounted, Violation
from tamsk_hw.referee.view import View
from tamsk_hw.simulator.demo import Demo
from tamsk_hw.simulator.world import World
from tamsk_hw.table.partner import AGAIN_SECONDS, PartnerAdviser, PartnerAnswer, PartnerGame
from tests.panel.boards import BLACK
from tests.simulation import Simulation
from tests.soak import in_soak

WIRING = load_wiring()
MINE, WHITE, DARK = PALETTE.black, PALETTE.ring, (0, 0, 0)


class SlowMind:
    """The partner's process in simulated time: it answers at the next look but one."""

    def __init__(self) -> None:
        self._partner: Partner | None = None
        self._answers: list[PartnerAnswer | None] = []

    def ask(self, game: PartnerGame, view: View) -> None:
        player = game.seat.player
        if self._partner is None:
            self._partner = Partner(player, game.ruleset, game.seat.strength, game.seed)
        meant = self._partner.intend(view)
        if isinstance(meant, Await):
            self._answers = [None, PartnerAnswer(None, meant.seconds)]
        else:
            self._answers = [None, PartnerAnswer(Advice(player, meant), AGAIN_SECONDS)]

    def take_answer(self) -> PartnerAnswer | None:
        return self._answers.pop(0) if self._answers else None

    def kill(self) -> None:
        raise AssertionError("it is well")

    close = kill


class AloneTable:
    """The names and rules at a table at which the program plays black."""

    names = Names(black="tamsk-hw (easy)")

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset


Light = tuple[int, ...]


def lights_of(view: View, advice: Advice | None) -> list[list[Light]]:
    """A second of the lights: of each pixel its colour in the middle of each eighth."""
    diagnosis = diagnose(view, advice=advice)
    pictures = [pixels(diagnosis, (step + 0.5) / 8, WIRING, milliamp_cap=5000) for step in range(8)]
    return [
        [tuple(picture[3 * pixel : 3 * pixel + 3]) for picture in pictures] for pixel in range(WIRING.pixel_count)
    ]


def swells(light: list[Light]) -> bool:
    """Black's whole colour fades to a quarter of its light and comes back, but for a first white flash."""
    ends = [blue for _, _, blue in light[2:]]
    is_black = all((red, green) == (0, 0) for red, green, _ in light[2:])
    return is_black and ends[0] > ends[1] == ends[2] < ends[3] < ends[4] < ends[5] and ends[5] > 240


def meant_by_lights(view: View, advice: Advice | None) -> Intention:
    """Black's act by the lights; the table at the head of `tamsk_hw.panel.lights`, read backwards."""
    lit = lights_of(view, advice)

    def at(tube: Tube) -> list[Light]:
        pixel = WIRING.tube_pixels[tube]
        assert pixel is not None
        return lit[pixel]

    flash = [WHITE, WHITE, DARK, DARK]
    carry = [tube for tube in TUBES if at(tube) == [MINE] * 2 + [DARK] * 2 + [MINE] * 4]
    ring = [tube for tube in TUBES if at(tube) == flash + [DARK] * 4]
    blink = [tube for tube in TUBES if at(tube)[2:] == [DARK] * 2 + [MINE] * 4 and tube not in carry]
    swell = [tube for tube in TUBES if swells(at(tube))]
    if lit[WIRING.timer_pixel] == [MINE] * 4 + [DARK] * 4:
        return TurnTimerOver()
    if ring:
        presses = all(lit[pixel] == [MINE] * 4 + [DARK] * 4 for pixel in WIRING.player_pixels[BLACK])
        return MoveRing(RingAct.CLAIM, ring[0]) if presses else MoveRing(RingAct.DROP, ring[0])
    if not blink + swell:
        return Await(0.2)
    (tube,) = blink + swell
    lifted = [glass.tube for glass in view.glasses if glass.standing is None and glass.owner is BLACK]
    home = carry[0] if carry else lifted[0] if lifted else None
    return MoveGlass(home, tube, turned=bool(swell), ring=at(tube)[0] == WHITE)


def meant_by_stream(view: View, advice: Advice | None) -> Intention:
    """Black's act by the state of the live stream."""
    line = json.dumps(state_as_dict(TableState(view, False, advice=advice)))
    read = read_state(json.loads(line)).advice
    return Await(0.2) if read is None else read.act


class Obeys:
    """The brain of black's hands: it knows what it is shown, and nothing else."""

    def __init__(self, ruleset: Ruleset, reads: Callable[[View, Advice | None], Intention]) -> None:
        self._adviser = PartnerAdviser(AloneTable(ruleset), SlowMind, lambda notice: None, seed=3)
        self._reads = reads
        self.acts: list[Intention] = []

    def intend(self, view: View) -> Intention:
        self._adviser.follow(view, offered=False, now=view.t)
        advice = self._adviser.advice(view, offered=False)
        meant = self._reads(view, advice)
        if not isinstance(meant, Await) and meant not in self.acts[-1:]:
            self.acts.append(meant)
        return meant


@pytest.mark.parametrize("seed", range(in_soak(20, otherwise=1)))
@pytest.mark.parametrize(
    ("reads", "level", "start"),
    [
        (meant_by_lights, 1, Start.CORNERS),
        (meant_by_lights, 3, Start.CORNERS),
        (meant_by_lights, 2, Start.FREE),
        (meant_by_stream, 3, Start.CORNERS),
    ],
)
def test_hands_that_do_what_is_advised_play_a_lawful_game_to_its_end(
    reads: Callable[[View, Advice | None], Intention], level: int, start: Start, seed: int
) -> None:
    ruleset = Ruleset(level=level, start=start)
    brain = Obeys(ruleset, reads)

    def seat(world: World, view: Callable[[], View]) -> Demo:
        return Demo(world, view, seed, {BLACK: brain})

    record: list[Event] = []
    game = Simulation(replace(ruleset), seed, seat=seat, record=record.append)
    try:
        rulings = game.play()
    finally:
        game.close()
    assert isinstance(rulings[-1], GameOver)
    assert not [ruling for ruling in rulings if isinstance(ruling, Violation) and ruling.player is BLACK]
    moved = [ruling for ruling in rulings if isinstance(ruling, Moved) and ruling.player is BLACK]
    asked = [act for act in brain.acts if isinstance(act, MoveGlass)]
    assert {Move(ruling.from_tube, ruling.to) for ruling in moved} <= {Move(act.at, act.to) for act in asked}
    assert len(moved) > 5
    assert all(act.turned is (level > 1 and act.at is not None) for act in asked)
    assert [ruling for ruling in rulings if isinstance(ruling, RingCounted) and ruling.player is BLACK]
    # The events alone are ruled to the same: rulings know nothing of advice.
    referee = Referee(game.header)
    again = [ruling for event in [*record, Tick(rulings[-1].t)] for ruling in referee.handle(event)]
    assert again == rulings


def test_whoever_does_something_else_is_ruled_on_as_ever() -> None:
    """Black plays a game of his own, with and without the partner's advice to him."""
    played, given = [], set[Move]()
    for advised in (True, False):
        ruleset = Ruleset(level=3)
        adviser = PartnerAdviser(AloneTable(ruleset), SlowMind, lambda notice: None, seed=3)

        def seat(world: World, view: Callable[[], View]) -> Demo:
            def seen() -> View:
                now = view()
                if advised:  # noqa: B023
                    adviser.follow(now, offered=False, now=now.t)  # noqa: B023
                    advice = adviser.advice(now, offered=False)  # noqa: B023
                    if advice is not None and isinstance(advice.act, MoveGlass):
                        given.add(Move(advice.act.at, advice.act.to))
                return now

            return Demo(world, seen, 2)

        game = Simulation(ruleset, 2, seat=seat)
        try:
            played.append(game.play(limit=in_soak(300.0, otherwise=100.0)))
        finally:
            game.close()
    did = {Move(each.from_tube, each.to) for each in played[0] if isinstance(each, Moved)}
    assert given - did
    assert played[0] == played[1]
