"""``tamsk-hw speak``: what matters at a board, said aloud by espeak-ng: players look at glasses, not at screens.

It reads the live stream of the running service, which never waits for it. What is said, and when, is as on the
page (`web/static/speech.js`).
"""

import asyncio
import os
import shutil
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from tamsk_hw.commands.options import CONFIG, REFUSED, end, path_option, socket_places, speaking_to_people
from tamsk_hw.configuration import Places, load_configuration
from tamsk_hw.live.client import SERVICE, read_for_ever
from tamsk_hw.live.stream import read_state
from tamsk_hw.referee.rulings import TimerStarted, Turn, parse_ruling
from tamsk_hw.referee.view import GlassState, View
from tamsk_hw.system.sockets import Absence
from tamsk_hw.words.rulings import is_routine, said
from tamsk_hw.words.translating import spoken, tr

#: The program that speaks.
VOICE: Final = "espeak-ng"

#: Seconds at which a glass that runs out is spoken of.
SPOKEN_SECONDS: Final = (30, 10)

#: Sentences that wait at most: what is older is of no use any more.
MOST_WAITING: Final = 2


class Voice:
    """Says one thing at a time; what is urgent comes at once, in place of what is not."""

    def __init__(self, command: Sequence[str]) -> None:
        """``command`` speaks the words that follow it."""
        self._command = command
        self._waiting: list[tuple[str, bool]] = []
        self._is_urgent = False
        self._process: Process | None = None
        self._asked = asyncio.Event()

    def say(self, words: str, *, urgent: bool) -> None:
        """Say it now, or after what is said."""
        waiting = [each for each in self._waiting if each[1] or not urgent]
        self._waiting = [*waiting, (words, urgent)][-MOST_WAITING:]
        self._asked.set()
        if urgent and not self._is_urgent and self._process is not None and self._process.returncode is None:
            self._process.terminate()

    async def run(self) -> None:
        """Speak until that is cancelled; say once that it fails."""
        is_reported = False
        while True:
            await self._asked.wait()
            words, self._is_urgent = self._waiting.pop(0)
            if not self._waiting:
                self._asked.clear()
            self._process = await asyncio.create_subprocess_exec(*self._command, words, stderr=DEVNULL)
            if await self._process.wait() > 0 and not is_reported:
                is_reported = True
                click.echo(f"tamsk-hw: {VOICE} cannot speak; look after the loudspeaker.", err=True)


class Announcer:
    """Has a voice say what the service rules: a `tamsk_hw.system.sockets.Listener`."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._view: View | None = None

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; only what is new is wanted."""
        return {"since": greeting["seq"], "life": greeting["life"]}

    def heard(self, record: Mapping[str, Any]) -> None:
        """It said this. Raises `TamskError`: this version does not know such a line."""
        match record:
            case {"ruling": ruled}:
                ruling = parse_ruling(ruled)
                if isinstance(ruling, TimerStarted):
                    self._voice.say(tr("15 seconds for {player}", player=ruling.against), urgent=True)
                elif isinstance(ruling, Turn) or not is_routine(ruling):
                    self._voice.say(said(ruling), urgent=not isinstance(ruling, Turn))
            case {"state": state}:
                before, self._view = self._view, read_state(state).view
                self._say_sand(before, self._view)

    def _say_sand(self, before: View | None, now: View) -> None:
        """Say which glasses have come to few seconds since the state before."""
        if before is None or now.over is not None:
            return
        for old, glass in zip(before.glasses, now.glasses, strict=False):
            had, has = old.seconds[0], glass.seconds[0]
            limit = next((each for each in SPOKEN_SECONDS if had > each >= has > each - 2), None)
            if limit is not None and old.state is glass.state is GlassState.RUNNING:
                words = tr(
                    "{Player}'s glass on {tube}: {seconds} seconds.",
                    player=glass.owner,
                    tube=glass.tube,
                    seconds=limit,
                )
                self._voice.say(words, urgent=True)

    def lost(self, why: Absence) -> None:
        """It is gone; it is heard when it comes back."""
        self._view = None


@click.command()
@path_option("--socket", metavar="PATH", help="Hear the service at this socket, not at one of the usual places.")
@CONFIG
def speak(socket: Path | None, config: Path | None) -> None:
    """Say aloud what matters at the running service's board, until Ctrl-C.

    Turns, what is to be put right, the 15 seconds, glasses that run out, the end; by espeak-ng, in the configured
    language. Waits for a service that is not there yet.
    """
    if shutil.which(VOICE) is None:
        end(REFUSED, f"{VOICE} is not installed; install it: sudo apt install {VOICE}")
    configuration = load_configuration(config, Places.of(os.environ))
    with speaking_to_people(configuration.words.language):
        asyncio.run(_speak(socket_places(SERVICE, socket), Voice([VOICE, "-v", spoken().value, "--"])))


async def _speak(services: Sequence[Path], voice: Voice) -> None:
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(voice.run())
        tasks.create_task(read_for_ever(services, Announcer(voice)))
