"""A signal ends the program between two rounds of its loop, or at once when it is given twice."""

import asyncio
import signal
from collections.abc import Iterator

import pytest

from tamsk_hw.system.service import Stopped, stop_on_signals, stopping_between_rounds

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    before = {each: signal.getsignal(each) for each in SIGNALS}
    for each in SIGNALS:
        signal.signal(each, signal.SIG_DFL)  # whatever the tests themselves were started under
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


def test_a_signal_in_a_callback_of_an_event_loop_ends_it() -> None:
    async def wait() -> None:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGTERM)
        await asyncio.sleep(5.0)

    with pytest.raises(Stopped):
        asyncio.run(wait())


def test_a_second_signal_ends_a_round_that_hangs() -> None:
    rounds: list[int] = []
    with pytest.raises(Stopped) as stopped:
        play(rounds, signal.SIGTERM, signal.SIGINT)
    assert rounds == []
    assert stopped.value.status == 128 + signal.SIGINT


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_was_ignored_at_the_start_stays_ignored(number: signal.Signals) -> None:
    """As nohup does with SIGHUP, and a shell with SIGINT for what it starts in the background."""
    signal.signal(number, signal.SIG_IGN)
    stop_on_signals()
    signal.raise_signal(number)
    rounds: list[int] = []
    other = next(each for each in SIGNALS if each is not number)
    with stopping_between_rounds() as stop_if_asked:
        signal.raise_signal(number)
        stop_if_asked()
        rounds.append(1)
    signal.raise_signal(number)
    assert rounds == [1]
    assert signal.getsignal(number) is signal.SIG_IGN
    with pytest.raises(Stopped):  # at once, after the rounds
        signal.raise_signal(other)
