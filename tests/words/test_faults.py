"""Sensors' faults in words, as streams keep them."""

from __future__ import annotations

from typing import get_args

import pytest

from tamsk_hw.board.sensor_report import (
    BaselineDrifted,
    ChainBroken,
    FaultDetail,
    FieldAtRail,
    FieldJumps,
    HolderAtRail,
    HolderSilent,
    LightOnRings,
    ReferenceOff,
    ReferencesOff,
    RingGap,
    SensorCleared,
    SensorFault,
    SupplyLow,
    WeightImpossible,
    WeightNotRings,
    WeightUnsteady,
)
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import SELECT_LINES, Fault, Lift, SensorId
from tamsk_hw.words.simulated import as_event, fault_words

HALF = ReferenceOff(2, 140, 128)
MOST = ReferenceOff(3, 0, 191)

#: As streams of version 0.1.0 have them.
WORDS: list[tuple[FaultDetail, str]] = [
    (
        FieldAtRail(255, lowest=3, highest=252),
        "reads 255, as if shorted or not connected; allowed 3 to 252; held as it stood",
    ),
    (FieldJumps(23, 6.0), "jumps by up to 23 steps; allowed 6; held as it stood"),
    (FieldJumps(23, 4.5), "jumps by up to 23 steps; allowed 4.5; held as it stood"),
    (
        ReferencesOff((HALF,), 6, 1),
        "2/4 of 5 V reads 140; allowed 128 ± 6 (or multiplexer 1); its glasses are held as they stood",
    ),
    (
        ReferencesOff((HALF, MOST), 6, None),
        "2/4 of 5 V reads 140, 3/4 of 5 V reads 0; allowed 128 ± 6, 191 ± 6; its glasses are held as they stood",
    ),
    (SupplyLow(), "the board's 5 V are below about 4.5 V; glasses are held as they stood"),
    (HolderSilent(), "does not answer; the count is held"),
    (HolderAtRail(-8388608), "reads -8388608, its end of scale; the count is held"),
    (WeightNotRings(1.53, 12), "changed by 1.5 rings; the count is held at 12"),
    (WeightImpossible(-2, 64), "weighs -2 rings; allowed are 0 to 64; calibrate it"),
    (
        BaselineDrifted(-17, 24),
        "has drifted by -17 steps since it was calibrated; allowed 24; calibrate it again",
    ),
    (
        WeightUnsteady(5.0, 12),
        "has not come to rest for 5 s; the count is held at 12; keep hands and draughts away, check its wires",
    ),
    (
        WeightUnsteady(5.0, None),
        "has not come to rest for 5 s; no ring is counted; keep hands and draughts away, check its wires",
    ),
    (RingGap(1), "sees no ring below one that is seen; the count is held at 1"),
    (
        ChainBroken(0),
        "only ones come back from the 74HC165s, lit and dark alike: light over the whole board, or a wire broken "
        "before the first; no ring is read until the board is shaded or the wire mended",
    ),
    (
        ChainBroken(3),
        "the 74HC165s from number 3 on (0 is nearest the controller) give only ones: a broken wire, a missing "
        "chip or full light; no ring is read until it is mended",
    ),
    (
        LightOnRings(((Tube.D4, 1), (Tube.D4, 2))),
        "light falls on D4.1 D4.2: rings are not seen there; shade the board",
    ),
    (
        LightOnRings((*((Tube.D4, level) for level in (1, 2, 3, 4)), (Tube.A1, 1))),
        "light falls on D4.1 D4.2 D4.3 D4.4 and 1 more: rings are not seen there; shade the board",
    ),
]


@pytest.mark.parametrize(("detail", "words"), WORDS)
def test_a_streams_words(detail: FaultDetail, words: str) -> None:
    assert fault_words(detail) == words
    assert as_event(SensorFault(2.0, SELECT_LINES, detail)) == Fault(2.0, SELECT_LINES, words)


def test_every_detail_is_here() -> None:
    assert {type(detail) for detail, _ in WORDS} == set(get_args(FaultDetail))


def test_a_sensor_that_can_be_trusted_again() -> None:
    sensor = SensorId.glass(Tube.D4)
    assert as_event(SensorCleared(2.0, sensor)) == Fault(2.0, sensor, "reads well again", cleared=True)


def test_other_events_are_taken_as_they_are() -> None:
    assert as_event(Lift(2.0, Tube.D4)) == Lift(2.0, Tube.D4)
