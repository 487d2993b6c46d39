"""Keys at a game of simulated players, who go on with whatever was pressed or decided."""

from dataclasses import replace
from random import Random

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Configuration
from tamsk_hw.configuration.settings import GpioSettings, LightSettings
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.panel.diagnosis import DOWN, ENTER, ESCAPE
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.panel.keys import KeyCommands
from tamsk_hw.panel.outputs import LightRoute
from tamsk_hw.referee import Referee
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Event
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.table.loop import PanelHardware
from tests.simulation import Simulation
from tests.soak import in_soak

#: Seconds after which a game that has not ended hangs.
LIMIT = 3600.0

#: Claims, start, and ways through the arbiter's menu, which offers now this and now that.
DOINGS = ["r", "b", "s", "?", "a3\ny", f"a3{DOWN}\ny", "a4\ny", "a4\n1y", "a5\n2y", f"a4{DOWN}\n2y"]

#: Decisions that would end the game, or hold it up until somebody resumes it.
ENDS = (Action.AWARD, Action.ABANDON, Action.PAUSE)


def keys_of(doing: str) -> list[str]:
    """The keys of one doing, after whatever was left open."""
    return [ESCAPE, ESCAPE, ESCAPE, *(ENTER if key == "\n" else key for key in doing)]


@pytest.mark.parametrize("seed", range(in_soak(100, otherwise=2)))
def test_a_demo_goes_on_to_its_end_whatever_is_typed(seed: int) -> None:
    """And its record is ruled to the same again: keys come through the door of buttons and decisions."""
    record: list[Event] = []
    game = Simulation(Ruleset(level=3), seed, record=record.append)
    desk, chance = KeyCommands(), Random(seed)
    taken: list[Event] = []
    while not game.is_over and game.now < LIMIT:
        for key in keys_of(chance.choice(DOINGS)):
            event = desk.on_key(key, game.refereeing.view(), offered=False, now=game.now)
            if event is not None and not (isinstance(event, Arbiter) and event.action in ENDS):
                taken.append(event)
                game.refereeing.take([replace(event, t=game.now)])
        game.advance(game.now + chance.uniform(0.5, 12.0))
    assert game.is_over
    assert {type(event) for event in taken} == {Button, Arbiter}
    assert sum(isinstance(event, (Button, Arbiter)) for event in record) >= len(taken) - 1
    referee = Referee(game.header)
    again: list[Ruling] = [ruling for event in record for ruling in referee.handle(event)]
    assert again == game.refereeing.rulings[: len(again)]


def test_pins_that_nobody_can_reach_are_no_buttons() -> None:
    """The factory "mock" opens every pin, and no finger will ever press one."""
    configuration = Configuration(
        gpio=GpioSettings(factory=PinFactory.MOCK), lights=LightSettings(route=LightRoute.NONE)
    )
    with PanelHardware(configuration, load_wiring(), lambda notice: None) as panel:
        assert panel.buttons.working == set(ButtonName)
        assert panel.working_buttons == set()
