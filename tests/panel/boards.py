"""Views made by hand, and those of every recorded scenario."""

from collections.abc import Iterator

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.panel.lights import pixel_names
from tamsk_hw.partner.intention import Advice, MoveGlass, MoveRing, PutRight, RingAct, TurnTimerOver
from tamsk_hw.referee import Referee
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import GlassState, GlassView, Phase, View
from tests.scenarios.book import Scenario

RED, BLACK = Player.RED, Player.BLACK

WIRING = load_wiring()

#: The pixel of each place of lights.
PIXELS = pixel_names(WIRING)

#: An advice of each kind, with the words that it is given in.
ADVICES = {
    Advice(BLACK, MoveGlass(Tube.D4, Tube.E5, turned=True, ring=True)): (
        "Black: carry D4 to E5, turned over, then drop its ring."
    ),
    Advice(BLACK, MoveGlass(Tube.D4, Tube.E5, turned=True, ring=False)): ("Black: carry D4 to E5, turned over."),
    Advice(RED, MoveGlass(Tube.D4, Tube.E5, turned=False, ring=True)): (
        "Red: carry D4 to E5, then drop its ring."
    ),
    Advice(RED, MoveGlass(Tube.D4, Tube.E5, turned=False, ring=False)): "Red: carry D4 to E5.",
    Advice(BLACK, MoveGlass(None, Tube.E5, turned=False, ring=True)): (
        "Black: place a glass on E5, then drop its ring."
    ),
    Advice(BLACK, MoveGlass(None, Tube.E5, turned=False, ring=False)): "Black: place a glass on E5.",
    Advice(BLACK, MoveRing(RingAct.DROP, Tube.E5)): "Black: drop the ring on E5.",
    Advice(RED, MoveRing(RingAct.DROP_PENALTY, Tube.A1)): "Red: drop a penalty ring on A1.",
    Advice(BLACK, MoveRing(RingAct.CLAIM, Tube.C2)): (
        "Black: announce a claim by the button, then drop a ring on C2."
    ),
    Advice(BLACK, TurnTimerOver()): "Black: turn the 15-second timer over, if it is empty.",
    Advice(BLACK, MoveRing(RingAct.TAKE, Tube.C2)): "Black: take the ring off C2 again.",
    Advice(BLACK, PutRight(Tube.C2, Tube.C3, turned=True)): "Black: put the glass on C2 back on C3.",
    Advice(BLACK, PutRight(Tube.C2, Tube.C2, turned=True)): "Black: turn the glass on C2 over.",
}


def glass(
    owner: Player,
    tube: Tube,
    state: GlassState = GlassState.RUNNING,
    *,
    seconds: float | tuple[float, float] = 120.0,
    standing: Tube | str | None = "home",
) -> GlassView:
    """A glass of a nominal 180 seconds; ``standing`` is its own tube by default."""
    low, high = seconds if isinstance(seconds, tuple) else (seconds, seconds)
    if state in (GlassState.LOST, GlassState.UNSTARTED, GlassState.NO_SAND):
        low = high = 0.0
    return GlassView(
        owner=owner,
        tube=tube,
        standing=tube if standing == "home" else standing,  # type: ignore[arg-type]
        end=End.A,
        state=state,
        seconds=(low, high),
        fraction=(low / 180, high / 180),
        may_move=state is not GlassState.LOST,
    )


def view(**changes: object) -> View:
    """Red's third turn at level 3 on a board without glasses, with ``changes``."""
    plain: dict[str, object] = {
        "t": 100.0,
        "level": 3,
        "phase": Phase.PLAY,
        "turn": RED,
        "number": 5,
        "move_started": False,
        "glasses": (),
        "rings": (0,) * 37,
        "rings_seen": (0,) * 37,
        "full": frozenset(),
        "destinations": frozenset(),
        "left": {RED: 30, BLACK: 31},
        "ring_open": {},
        "penalty": None,
        "late": None,
        "deadline": None,
        "timer_side": None,
        "wrong": (),
        "link_lost": False,
        "question": None,
        "over": None,
    }
    return View(**(plain | changes))  # type: ignore[arg-type]


def played(scenario: Scenario) -> Iterator[tuple[list[Ruling], View]]:
    """A scenario event by event: the rulings on it and the view after it."""
    header, events = scenario.read()
    referee = Referee(header)
    for event in events:
        rulings = referee.handle(event)
        yield rulings, referee.view()


def ruled(scenario: Scenario) -> list[Ruling]:
    """The rulings of a scenario."""
    header, events = scenario.read()
    referee = Referee(header)
    return [ruling for event in events for ruling in referee.handle(event)]
