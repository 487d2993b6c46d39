"""The controller's real program keeps its budgets, in cycles of the emulated one (``make bench`` prints them)."""

from pathlib import Path

import pytest

from tests.bench.firmware import (
    FIRST_BYTE_MOST,
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
    assert max(measured.long_scans) <= SCAN_MOST
    # No scan can be shorter than its light.
    assert min(measured.scans) >= 8 * 160 * 16
    assert min(measured.long_scans) >= 8 * 250 * 16


def test_a_change_at_a_sensor_is_on_the_line_in_4_5_ms(measured: Measured) -> None:
    assert [len(reactions) for reactions in (*measured.touches, *measured.lamps)] == [2 * PHASES] * 8
    assert worst(measured.touches).first <= FIRST_BYTE_MOST
    assert worst(measured.lamps).first <= FIRST_BYTE_MOST


def test_from_touch_to_light_in_8_5_ms(measured: Measured) -> None:
    whole, _ = touch_to_light(measured.touches)
    assert whole <= TOUCH_TO_LIGHT_MOST


def test_a_board_at_rest_sends_every_50_ms_and_never_later(measured: Measured) -> None:
    assert len(measured.still) >= 38
    # 0.25 ms are allowed to the ends of scans (PROTOCOL.md section 4).
    assert all(abs(cycles - 20 * PERIOD) <= PERIOD // 10 for cycles in measured.still)
