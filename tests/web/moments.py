"""Moments of a table at which its parts are fullest: recorded scenarios, most of them with more at once."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tamsk_hw.game.tubes import PLAYERS, START_TUBES, Tube
from tamsk_hw.live.stream import Names, read_state
from tamsk_hw.partner.intention import Advice, MoveRing, RingAct
from tamsk_hw.referee.events import RING_LIGHT
from tamsk_hw.referee.rulings import Correction, GameOver, Reason
from tamsk_hw.referee.view import GlassState, OpenRing
from tests.panel.boards import BLACK, RED, glass
from tests.web.site import Site
from tests.web.stream import Told, greeting, state_line

NAMES: Final = Names(red="Ada Lovelace", black="Grace Brewster Murray Hopper, USN")

#: Six glasses in one column, each in its last seconds, and sand that is known within wide bounds.
COLUMN: Final = tuple(glass((RED, BLACK)[row % 2], Tube[f"D{row}"], seconds=37.0 - 5 * row) for row in range(2, 8))
#: All glasses in their last seconds, with room for a sign above the tubes behind them.
LAST: Final = tuple(glass(player, tube, seconds=20.0) for player in PLAYERS for tube in START_TUBES[player])
VAGUE: Final = (glass(RED, Tube.D2, seconds=(157.0, 179.0)), glass(BLACK, Tube.F2, seconds=(122.0, 144.0)))
ENDED: Final = (
    glass(RED, Tube.D2, GlassState.LOST),
    glass(BLACK, Tube.F2, GlassState.DOUBTFUL, seconds=(0.0, 45.0)),
)
THIRD: Final = GameOver(40.0, "R5.1", BLACK, Reason.FEWEST_RINGS, {RED: 3, BLACK: 0})

#: A scenario and the ruling after which it stands still, and the seconds of its game that have passed then.
PENALTY: Final = ("R7.6-just-within-the-window", "ring")
NOW: Final = 30.9

#: A moment: a scenario with its last ruling, and what is different in the view after it.
MOMENTS: Final[Mapping[str, tuple[tuple[str, str], Mapping[str, Any]]]] = {
    "busy": (
        PENALTY,
        {
            **{"turn": BLACK, "move_started": True, "destinations": frozenset({Tube.E3, Tube.F3}), "penalty": RED},
            **{"ring_open": {Tube.D2: OpenRing(RED, 12.4), Tube.F2: OpenRing(BLACK, 3.4)}, "deadline": NOW + 11},
            **{"announced": {RED: NOW + 4, BLACK: NOW + 2}, "full": frozenset({Tube.A1}), "glasses": VAGUE},
        },
    ),
    "urgent": (PENALTY, {"turn": RED, "glasses": COLUMN, "deadline": NOW + 3.4, "ring_open": {}, "penalty": None}),
    "signs": (
        PENALTY,
        {
            **{"turn": RED, "glasses": LAST, "penalty": None, "ring_open": {Tube.G2: OpenRing(RED)}},
            **{"destinations": frozenset({Tube.A2}), "wrong": (Correction(Tube.D2, 2, 4),)},
            "advice": Advice(RED, MoveRing(RingAct.DROP, Tube.G2)),
        },
    ),
    "wrong": (("R2.6-rights-run-on", "violation"), {"unread": {RING_LIGHT: frozenset({Tube.A1, Tube.A2})}}),
    "asked": (("R9.3-full-tube-in-doubt", "arbiter_needed"), {}),
    "ended": (PENALTY, {"turn": None, "glasses": ENDED}),
    "paused": (PENALTY, {"paused": True, "deadline": NOW + 11, "late": BLACK, "penalty": RED}),
    "away": (PENALTY, {"link_lost": True}),
    "over": (("R5.2-fewest-rings", "game_over"), {"over": THIRD, "left": THIRD.rings_left}),
}


def show(site: Site, name: str) -> Any:
    """Tell a page's table a moment; give its state."""
    first, *lines = told(name)
    site.greet(first)
    site.tell(*lines)
    return lines[-1]["state"]


def told(name: str) -> list[dict[str, Any]]:
    """All that a service says up to a moment, from its greeting on; time runs a thousand times slower."""
    (scenario, until), changes = MOMENTS[name]
    records = [greeting(name, speed=0.001)]
    for record in Told().game(scenario, name, NAMES):
        records.append(record)
        if "state" in record and any("ruling" in each and each["ruling"]["ruling"] == until for each in records):
            break
    view, advice = read_state(records.pop()["state"]).view, changes.get("advice")
    changed = {key: value for key, value in changes.items() if key != "advice"}
    return [*records, state_line(replace(view, **changed), advice=advice)]
