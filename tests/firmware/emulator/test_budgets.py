"""The controller's real program keeps its budgets, in cycles of the emulated one (``make bench`` prints them)."""

from pathlib import Path

import pytest

from tests.bench.firmware import (
    FIRST_BYTE_MOST,
    RING_FIRST_BYTE_MOST,
    SCAN_MOST,
    TOUCH_TO_LIGHT_MOST,
    Measured,
    measure,
    touch_to_light,
    worst,
)
from tests.bench.reactions import PERIOD

#: Phases of the scan grid; a thousand in ``make bench``.
PHASES = 40


@pytest.fixture(scope="module")
def measured(emulator_binary: Path, firmware: Path) -> Measured:
    """Also fails where the emulator's checks find something wrong, or a scan begins late."""
    return measure(emulator_binary, firmware, PHASES)


def test_a_full_scan_is_done_in_2_5_ms(measured: Measured) -> None:
    # Two periods at least for each change, to and fro, of each of the eight series.
    assert len(measured.scans) >= 8 * 2 * PHASES * 2
    assert max(measured.scans) <= SCAN_MOST
    # No scan can be shorter than the bytes of its 48 conversions at 2 MHz, and the light that settles five times.
    assert min(measured.scans) >= (48 * 3 * 4 + 5 * 54) * 16


def test_a_change_of_a_field_is_on_the_line_in_4_5_ms(measured: Measured) -> None:
    assert [len(reactions) for reactions in measured.fields] == [2 * PHASES] * 4
    assert worst(measured.fields).first <= FIRST_BYTE_MOST


def test_a_change_of_a_ring_is_on_the_line_in_15_ms(measured: Measured) -> None:
    assert [len(reactions) for reactions in measured.rings] == [2 * PHASES] * 2
    assert worst(measured.rings).first <= RING_FIRST_BYTE_MOST


def test_from_touch_to_light_in_8_5_ms(measured: Measured) -> None:
    whole, _ = touch_to_light(measured.fields)
    assert whole <= TOUCH_TO_LIGHT_MOST


def test_a_board_at_rest_sends_every_50_ms_and_never_later(measured: Measured) -> None:
    assert len(measured.still) >= 38
    # 0.25 ms are allowed to the ends of scans (PROTOCOL.md section 4).
    assert all(abs(cycles - 20 * PERIOD) <= PERIOD // 10 for cycles in measured.still)
