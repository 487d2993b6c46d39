"""``tamsk-hw speak``: what is said aloud, and in which order, by a voice that writes it down."""

import asyncio
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.commands.speak import Announcer, Voice
from tests.web.stream import Told, greeting
from tests.web.tables import begun

#: Real seconds within which a program has been started.
PATIENCE = 20.0


class Listening(Voice):
    """Takes note of what it would say."""

    def __init__(self) -> None:
        super().__init__([])
        self.heard: list[tuple[str, bool]] = []

    def say(self, words: str, *, urgent: bool) -> None:
        self.heard.append((words, urgent))


def told(scenario: str) -> list[tuple[str, bool]]:
    voice = Listening()
    announcer = Announcer(voice)
    assert announcer.greeted(greeting())["since"] == greeting()["seq"]
    for record in Told().game(scenario):
        announcer.heard(record)
    return voice.heard


def test_turns_are_said_and_what_matters_is_urgent_with_its_remedy() -> None:
    heard = told("R2.6-put-back-after-a-wrong-tube")
    assert ("Turn 1: red to move.", False) in heard
    wrong = [words for words, urgent in heard if urgent and "Put red's glass" in words]
    assert wrong
    assert not [words for words, _ in heard if "lifts" in words or "moves" in words], "that is routine"


def test_the_timer_and_the_end_are_said() -> None:
    assert ("15 seconds for red", True) in told("R7.6-just-within-the-window")
    words, urgent = told("R5.2-fewest-rings")[-1]
    assert "wins" in words
    assert urgent


def test_a_glass_is_said_at_thirty_and_at_ten_seconds_once_each() -> None:
    voice = Listening()
    announcer = Announcer(voice)
    state = begun()
    for seconds in (45.0, 30.4, 29.9, 28.0, 10.2, 9.8, 9.1):
        glasses = [
            each | {"state": "running", "seconds": [seconds, seconds + 4.0]} for each in state["glasses"][:1]
        ]
        announcer.heard({"state": state | {"glasses": glasses + state["glasses"][1:]}})
    where = state["glasses"][0]["tube"]
    assert voice.heard == [(f"Red's glass on {where}: {each} seconds.", True) for each in (30, 10)]


def test_what_is_urgent_cuts_what_is_not_and_what_is_old_is_left_out(tmp_path: Path) -> None:
    said = tmp_path / "said"
    speaker = tmp_path / "speaker"
    speaker.write_text(f'#!/bin/sh\necho "$1" >> {said}\ncase $1 in turn*) exec sleep 600; esac\n')
    speaker.chmod(0o755)

    async def until(*lines: str) -> None:
        end = time.monotonic() + PATIENCE
        while not said.exists() or said.read_text().splitlines() != list(lines):
            assert time.monotonic() < end, said.read_text()
            await asyncio.sleep(0.01)

    async def speak() -> None:
        voice = Voice([str(speaker)])
        running = asyncio.create_task(voice.run())
        voice.say("turn 1", urgent=False)
        await until("turn 1")
        for number in range(2, 6):
            voice.say(f"turn {number}", urgent=False)
        voice.say("wrong", urgent=True)
        voice.say("ten seconds", urgent=True)
        await until("turn 1", "wrong", "ten seconds")
        voice.say("turn 6", urgent=False)
        await until("turn 1", "wrong", "ten seconds", "turn 6")
        running.cancel()

    asyncio.run(speak())


def test_without_the_voice_it_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    ran = CliRunner().invoke(main, ["speak"])
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "espeak-ng is not installed; install it: sudo apt install espeak-ng" in ran.stderr
