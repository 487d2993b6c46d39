"""What the core makes of readings of ring sensors: means, decisions, and how chance plans the scans."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random

import pytest

from tests.firmware.core_program import Core, words

#: Counts of the common threshold.
COMMON = 12

Visit = tuple[float, float, float]


class Seen:
    """A visit's outcome: "0", "1" or "?"; mean and deviation in counts, the dark level in steps of 4 counts."""

    def __init__(self, answer: str) -> None:
        self.said, mean, deviation, dark = answer.split()
        self.mean, self.deviation = (int(mean) - 32767) % 65536 / 16, int(deviation) / 8
        self.mean -= 4096 if self.mean >= 2048 else 0
        self.dark = int(dark)


def seen(
    core: Core, visits: Iterable[tuple[bool, Sequence[int]]], *, threshold: int = 0, sensor: int = 9
) -> list[Seen]:
    """What becomes of visits, each with its readings and whether it is inverted."""
    commands = ["filter", words("limit", sensor, threshold)]
    commands += [words("visit", sensor, int(inverted), *readings) for inverted, readings in visits]
    return [Seen(answer) for answer in core.ask(commands)[2:]]


def visits_of(
    signal: Callable[[int], float], count: int, *, noise: float = 0.0, dark: float = 30.0, seed: int = 1
) -> list[tuple[bool, list[int]]]:
    """Visits of a sensor with a signal by the number of the visit, in counts, in steady light."""
    chance = Random(f"visits/{seed}")
    found = []
    for number in range(count):
        inverted = chance.random() < 0.5
        lit = [inverted, not inverted, inverted]
        levels = (dark + chance.gauss(0.0, noise) + (signal(number) if each else 0.0) for each in lit)
        found.append((inverted, [min(1023, max(0, round(level))) for level in levels]))
    return found


def bits(outcomes: Sequence[Seen]) -> str:
    return "".join(each.said for each in outcomes)


@pytest.mark.parametrize("signal", [0, 9, 15, 25, 64, 160, 230])
@pytest.mark.parametrize("noise", [0.5, 1.0, 1.5])
def test_in_steady_light_a_sensor_is_right_after_a_third_of_a_second_and_stays_so(
    core: Core, signal: int, noise: float
) -> None:
    outcomes = seen(core, visits_of(lambda _: signal, 1500, noise=noise))
    said = bits(outcomes[33:])
    due = "1" if signal > COMMON else "0"
    assert set(said) <= {due, "?"}
    # With the worst noise the worst stray light is sometimes not to be told from a ring.
    assert said.count("?") <= (len(said) // 20 if noise > 1 else 0)
    assert abs(outcomes[-1].mean - signal) < 1.5
    assert outcomes[-1].deviation < 0.6 + 1.6 * noise
    assert outcomes[-1].dark in (6, 7, 8)


@pytest.mark.parametrize(
    ("noise", "signal", "visits"),
    [
        (0.5, 25, 1),
        (0.5, 64, 1),
        (0.5, 230, 1),
        (0.5, 15, 4),
        (1.0, 25, 7),
        (1.0, 64, 7),
        (1.0, 230, 7),
        (1.0, 15, 12),
    ],
)
def test_a_ring_that_comes_and_goes_is_seen_by_the_first_visit_or_when_weak_by_a_few(
    core: Core, noise: float, signal: int, visits: int
) -> None:
    at_once = 0
    for seed in range(20):
        outcomes = bits(
            seen(core, visits_of(lambda n: signal if 50 <= n < 100 else 1, 150, noise=noise, seed=seed))
        )
        assert set(outcomes[40:50]) == {"0"}
        assert set(outcomes[49 + visits : 100]) == {"1"}
        assert set(outcomes[99 + visits :]) == {"0"}
        at_once += (outcomes[50] == "1") + (outcomes[100] == "0")
    assert signal == 15 or at_once >= 26


def test_its_own_threshold_sees_what_the_common_one_does_not(core: Core) -> None:
    for threshold, due in ((0, "0"), (6, "1")):
        outcomes = bits(seen(core, visits_of(lambda _: 10, 200, noise=1.0), threshold=threshold))
        assert set(outcomes[60:]) == {due}


def test_the_common_threshold_rises_with_the_light_that_is_there(core: Core) -> None:
    """By a count in 64: what neighbours reflect looks like more in light."""
    for dark, due in ((30, "1"), (700, "0")):
        assert set(bits(seen(core, visits_of(lambda _: 14.5, 200, dark=dark)))[-50:]) == {due}
        assert set(bits(seen(core, visits_of(lambda _: 14.5, 200, dark=dark), threshold=7))[-50:]) == {"1"}


def test_what_cannot_be_read_is_unknown_at_once_and_known_again_at_once(core: Core) -> None:
    visits = visits_of(lambda _: 64, 60)
    visits[30:40] = [(False, [850, 900, 850])] * 10
    visits[50:55] = [(True, [1023, 1023, 1023])] * 5
    outcomes = bits(seen(core, visits))
    assert outcomes[20:] == "1" * 10 + "?" * 10 + "1" * 10 + "?" * 5 + "1" * 5


def test_what_lies_on_the_threshold_holds_and_becomes_unknown(core: Core) -> None:
    outcomes = bits(seen(core, visits_of(lambda n: 0 if n < 60 else COMMON, 400, noise=1.0)))
    assert set(outcomes[40:60]) == {"0"}
    counted = Counter(outcomes[150:])
    assert counted["?"] > 150
    # Nothing is decided for long.
    assert "1" * 40 not in outcomes
    assert "0" * 60 not in outcomes[100:]


def plans(core: Core, count: int, chance: int) -> list[list[tuple[int, ...]]]:
    answers = core.ask(words("plan", int(number == 0), chance) for number in range(count))
    return [[tuple(bytes.fromhex(part)) for part in answer.split()] for answer in answers]


@pytest.mark.parametrize("chance", [0, 1, 0x8000, 54321])
def test_a_plan_visits_every_bank_every_fourth_scan(core: Core, chance: int) -> None:
    found = plans(core, 400, chance)
    for at in range(0, 400, 4):
        assert sorted(bank for scan in found[at : at + 4] for bank, *_ in scan) == list(range(8))
    for number, scan in enumerate(found):
        assert {bank // 2 for bank, *_ in scan} == {number % 4}
        # Exactly one of the two is inverted, so that all scans are equally long.
        assert sorted(inverted for _, inverted, *_ in scan) == [0, 1]
        for _, _, wait, settles, first, step in scan:
            assert wait in range(0, 36, 5)
            assert settles in range(0, 29, 4)
            assert sorted((first + step * place) % 8 for place in range(8)) == list(range(8))


def test_all_that_a_plan_leaves_to_chance_is_as_likely(core: Core) -> None:
    found = plans(core, 8000, 1)
    for at, values in ((1, 2), (2, 8), (3, 8), (4, 8), (5, 4)):
        for place in range(2):
            counted = Counter(scan[place][at] for scan in found)
            assert len(counted) == values
            assert max(counted.values()) < 1.15 * 8000 / values
    # Whether a bank is inverted says nothing about its next visit, nor about which comes first.
    inverted = [{bank: inverted for bank, inverted, *_ in scan} for scan in found]
    again = Counter(inverted[at][0] ^ inverted[at + 4][0] for at in range(0, 7996, 4))
    assert 0.9 < again[0] / again[1] < 1.1
    both = Counter((scan[0][0] & 1, scan[0][1]) for scan in found)
    assert max(both.values()) < 1.1 * min(both.values())
