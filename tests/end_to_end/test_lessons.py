"""``tamsk-hw learn`` beside a service at a simulated board: in real time, at the live socket and at the hands'.

``make soak`` solves all ten; each is solved and failed in simulated time in ``tests/lessons``.
"""

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.hands.client import connect, do_together, requests_for
from tamsk_hw.lessons.lessons import all_lessons
from tamsk_hw.live.client import connect as connect_live
from tamsk_hw.live.stream import read_state
from tamsk_hw.partner.intention import Advice
from tamsk_hw.system.output import Language
from tests.end_to_end.live_programs import tamsk
from tests.end_to_end.test_without_hardware import PATIENCE, PROGRAM, Reader, Running
from tests.lessons.solving import FAILING, SOLVING
from tests.soak import SOAK

LESSONS = all_lessons()

#: The lessons that are solved in ``make test``: the board of this one is set up again after another game.
SOLVED = range(len(LESSONS)) if SOAK else (4,)


class School:
    """A simulated board, its service, and somebody who learns at it."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        folder = reader.folder
        self.hands, self.live = folder / "hands.sock", folder / "live.sock"
        (folder / "config.toml").write_text(
            f'[board]\nport = "{folder}/board"\n[gpio]\nfactory = "simulate"\nhands = "{self.hands}"\n'
            f'[journal]\nfolder = "{folder}/journal"\n'
        )
        board = reader.start(f"{PROGRAM} simulate --seed 7 --port {folder}/board --hands {self.hands}")
        board.hear("Ctrl-C")
        self.service = reader.start(f"{PROGRAM} run --config {folder}/config.toml --live {self.live}")
        self.service.hear("The board is ready")

    def learn(self, number: int, *more: str, hands: Path | None = None) -> Running:
        told = f"--socket {self.live} --hands {hands or self.hands}"
        return self.reader.start(f"{PROGRAM} learn {number} {told}", *more)

    def do(self, requests: Sequence[Mapping[str, Any]]) -> None:
        with connect((self.hands,)) as connection:
            for request in requests:
                do_together(connection, [dict(request)])


@pytest.fixture
def school() -> Iterator[School]:
    with tempfile.TemporaryDirectory(prefix="tamsk-") as folder:  # a socket's path must be short
        reader = Reader(Path(folder))
        try:
            yield School(reader)
        finally:
            for each in reader.running:
                if each.process.poll() is None:
                    each.process.kill()
                each.process.wait()


@pytest.mark.parametrize("place", SOLVED)
def test_a_lesson_is_solved(school: School, place: int) -> None:
    school.do([{"do": "press", "button": "start"}])  # a game that is played already is abandoned
    school.service.hear("The game begins")
    school.do([{"do": "lift", "player": "black", "tube": "G1"}])
    learning = school.learn(place + 1)
    learning.hear("being set up")
    learning.hear(LESSONS[place].texts[Language.ENGLISH].task[:30])
    school.do(SOLVING[LESSONS[place].name])
    learning.hear(rf"Solved \({LESSONS[place].solved[0].clause}\)")
    assert learning.process.wait(PATIENCE) == 0


def test_a_lesson_is_failed_and_begun_again(school: School) -> None:
    lesson = LESSONS[5]
    learning = school.learn(6)
    learning.hear("Red to move")
    school.do(FAILING[lesson.name][0])
    learning.hear(r"was not turned over.*\(R2\.2\)")
    learning.hear(r"Not solved \(R2\.2\)")
    learning.hear("Hint: ")
    assert learning.process.wait(PATIENCE) == 1
    again = school.learn(6)
    again.hear("Red to move")
    school.do(SOLVING[lesson.name])
    again.hear("Solved")
    assert again.process.wait(PATIENCE) == 0


def test_where_no_hands_of_the_program_are_people_carry_out_what_the_board_shows(school: School) -> None:
    """As at a real board: what comes before the task is shown as an advice, and done by nobody else."""
    learning = school.learn(7, hands=school.reader.folder / "none.sock")
    asked: list[Advice] = []
    with connect_live((school.live,)) as connection:
        lines = connection.lines(time.monotonic() + PATIENCE)
        while len(asked) < 2:
            record = json.loads(next(lines))
            advice = read_state(record["state"]).advice if "state" in record else None
            if advice is not None and advice not in asked:
                asked.append(advice)
                school.do(requests_for(advice.player, advice.act))
    assert asked == [step.advice for step in LESSONS[6].prelude]
    learning.hear("second turn")
    school.do(SOLVING[LESSONS[6].name])
    learning.hear("Solved")
    assert learning.process.wait(PATIENCE) == 0


def test_without_a_service_nothing_is_taught(tmp_path: Path) -> None:
    status, said = tamsk("learn", "--socket", str(tmp_path / "nobody.sock"))
    assert status == 3
    assert "no service at" in said
