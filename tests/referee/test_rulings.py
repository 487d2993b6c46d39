"""Rulings as JSON objects (docs/formats.md, Rulings): these keys, in this order, and no others."""

from __future__ import annotations

import pytest

from tamsk_hw.game import Player, Tube
from tamsk_hw.referee.events import SensorId, TimeSpan, TimeUnit, span_text
from tamsk_hw.referee.rulings import (
    Caution,
    Code,
    Correction,
    Empty,
    GameOver,
    Moved,
    Reason,
    RingCount,
    Ruling,
    Setup,
    Violation,
    Warned,
)
from tamsk_hw.referee.stream import json_line

RED, D4 = Player.RED, Tube.D4


@pytest.mark.parametrize(
    ("ruling", "line"),
    [
        (
            Moved(2.5, "R8", RED, None, D4, False),
            '{"t":2.5,"ruling":"move","player":"red","from":null,"to":"D4","late":false,"rule":"R8"}',
        ),
        (
            Violation(2.5, "R8", RED, Code.NOT_ADJACENT, D4, (Correction(D4, RED, Empty()),)),
            '{"t":2.5,"ruling":"violation","player":"red","code":"not_adjacent","tube":"D4",'
            '"restore":[{"tube":"D4","has":"red","should":"empty"}],"rule":"R8"}',
        ),
        (
            Setup(2.5, "R9.2", (Correction(D4, RingCount(2), RingCount(0)),)),
            '{"t":2.5,"ruling":"setup","problems":[{"tube":"D4","has":{"rings":2},"should":{"rings":0}}],'
            '"rule":"R9.2"}',
        ),
        (
            Warned(2.5, "R9.4", Caution.SENSOR_FAULT, None, D4),
            '{"t":2.5,"ruling":"warning","code":"sensor_fault","player":null,"tube":"D4","rule":"R9.4"}',
        ),
        (
            Warned(2.5, "R9.5", Caution.SENSOR_FAULT, None, D4, SensorId.glass(D4), "gap"),
            '{"t":2.5,"ruling":"warning","code":"sensor_fault","player":null,"tube":"D4","sensor":"glass D4",'
            '"detail":"gap","rule":"R9.5"}',
        ),
        (
            Warned(2.5, "R9.5", Caution.TIME_AWAY, None, None, detail=span_text(TimeSpan(0, 60, TimeUnit.MINUTE))),
            '{"t":2.5,"ruling":"warning","code":"time_away","player":null,"tube":null,'
            '"detail":"up to 60 minutes","rule":"R9.5"}',
        ),
        (
            GameOver(2.5, "R5.3", None, Reason.TIE, {Player.RED: 3, Player.BLACK: 4}),
            '{"t":2.5,"ruling":"game_over","winner":null,"reason":"tie","rings_left":{"red":3,"black":4},'
            '"rule":"R5.3"}',
        ),
    ],
    ids=lambda item: item.name if not isinstance(item, str) else "",
)
def test_a_ruling_as_a_line(ruling: Ruling, line: str) -> None:
    assert json_line(ruling.as_dict()) == line
