"""Two chips of the ring sensors' chain that sit in each other's place are found by the rings that a game drops."""

import pytest

from tamsk_hw.board.wiring import INPUTS_PER_CHIP, load_wiring
from tamsk_hw.facts.notices import ChipsSwapped
from tamsk_hw.game.tubes import CAPACITY, TUBES, Player, Tube
from tamsk_hw.referee.events import SELECT_LINES, SensorId
from tamsk_hw.referee.rulings import Caution, Code, Moved, Ruling, Violation, Warned
from tamsk_hw.table.refereeing import ENOUGH, ChipSwapDetector

WIRING = load_wiring()
BITS = WIRING.ring_bits


def confused(entered: Tube, *, level: int) -> tuple[Tube, int]:
    """A tube and the index of its level at the same input of another chip as the lowest level of ``entered``."""
    chip, place = divmod(BITS[entered][0], INPUTS_PER_CHIP)
    return next(
        (tube, index)
        for tube in TUBES
        for index, bit in enumerate(BITS[tube])
        if index >= level and bit % INPUTS_PER_CHIP == place and bit // INPUTS_PER_CHIP != chip
    )


def move_to(tube: Tube) -> Ruling:
    return Moved(10.0, "R2.1", Player.RED, Tube.D1, tube, late=False)


def fault_of(sensor: SensorId) -> Ruling:
    return Warned(11.0, "R9.5", Caution.SENSOR_FAULT, None, sensor.tube, sensor, "…")


def swapped_chips(entered: Tube, other: Tube, index: int) -> ChipsSwapped:
    chips = BITS[entered][0] // INPUTS_PER_CHIP, BITS[other][index] // INPUTS_PER_CHIP
    return ChipsSwapped(min(chips), max(chips))


@pytest.mark.parametrize("entered", [Tube.D4, Tube.C3, Tube.A2])
def test_a_gap_that_shows_the_other_chip_counts_and_two_are_reported(entered: Tube) -> None:
    """A ring that shows above the lowest level of another tube leaves a gap below it."""
    other, index = confused(entered, level=1)
    order = ChipSwapDetector(WIRING)
    heard = [
        order.on_rulings([move_to(entered), fault_of(SensorId.ring(other, index))]) for _ in range(ENOUGH + 1)
    ]
    assert heard == [[]] * (ENOUGH - 1) + [[swapped_chips(entered, other, index)]] + [[]]


def test_a_ring_that_a_person_uncounted_is_no_sign_of_swapped_chips() -> None:
    other = next(tube for tube in TUBES if confused_lowest(Tube.D4, tube))
    wrong = Violation(11.0, "R9.7", None, Code.RING_WRONG_TUBE, other, ())
    order = ChipSwapDetector(WIRING)
    assert [order.on_rulings([move_to(Tube.D4), wrong]) for _ in range(ENOUGH)] == [[]] * ENOUGH


@pytest.mark.parametrize("entered", [Tube.D4, Tube.C3, Tube.A2])
def test_a_ring_that_shows_at_a_wrong_tube_counts_as_well(entered: Tube) -> None:
    other, index = next((tube, 0) for tube in TUBES if confused_lowest(entered, tube))
    wrong = Violation(11.0, "R4.7", None, Code.RING_WRONG_TUBE, other, ())
    order = ChipSwapDetector(WIRING)
    heard = [order.on_rulings([move_to(entered), wrong]) for _ in range(ENOUGH)]
    assert heard[-1] == [swapped_chips(entered, other, index)]


def confused_lowest(entered: Tube, tube: Tube) -> bool:
    (chip, place), (other, same) = (divmod(BITS[each][0], INPUTS_PER_CHIP) for each in (entered, tube))
    return same == place and other != chip


def test_other_faults_show_nothing() -> None:
    other, index = confused(Tube.D4, level=1)
    order = ChipSwapDetector(WIRING)
    above = SensorId.ring(other, min(index + 1, CAPACITY[other]))
    for sensor in (SELECT_LINES, SensorId.glass(other), SensorId.named(f"odd {other}.{index}"), above):
        for _ in range(2 * ENOUGH):
            assert order.on_rulings([move_to(Tube.D4), fault_of(sensor)]) == []
