"""A signal ends the program between two rounds of its loop, or at once when it is given twice."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tamsk_hw.system.stopping import Stopped, stop_on_signals, stopping_between_rounds

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    before = {each: signal.getsignal(each) for each in SIGNALS}
    stop_on_signals()
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


def play(rounds: list[int], *numbers: signal.Signals) -> None:
    """A loop in whose every round these signals come."""
    with stopping_between_rounds() as stop_if_asked:
        while True:
            stop_if_asked()
            for number in numbers:
                signal.raise_signal(number)
            rounds.append(len(rounds))


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_waits_for_the_next_round(number: signal.Signals) -> None:
    rounds: list[int] = []
    with pytest.raises(Stopped) as stopped:
        play(rounds, number)
    assert stopped.value.status == 128 + number
    assert rounds == [0]
    signal.raise_signal(number)  # whoever asks again does not disturb the leaving


def test_a_second_signal_ends_a_round_that_hangs() -> None:
    rounds: list[int] = []
    with pytest.raises(Stopped) as stopped:
        play(rounds, signal.SIGTERM, signal.SIGINT)
    assert rounds == []
    assert stopped.value.status == 128 + signal.SIGINT


def test_afterwards_a_signal_raises_at_once_again() -> None:
    with stopping_between_rounds():
        pass
    with pytest.raises(Stopped):
        signal.raise_signal(signal.SIGTERM)
