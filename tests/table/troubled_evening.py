"""Players at a `BoardTable` whose disk and clocks do as the test says, in simulated time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import GameState, StoredGame, ruling_line, verify
from tamsk_hw.journal.writer import RETRY_SECONDS
from tamsk_hw.referee.rulings import GameOver, Ruling
from tests.journal.disks import Disk
from tests.table.test_board_table import Evening

#: The monotonic clock of a machine that was just started (seconds).
JUST_STARTED = 20.0


class TroubledEvening(Evening):
    """Players at a board whose disk and clocks do as the test says.

    ``wall_jump`` seconds is the time of day wrong; with `reboot` the monotonic clock begins anew.
    """

    wall_jump = 0.0

    def __init__(self, folder: Path, *, level: int, seed: int) -> None:
        self.disk = Disk()
        self._next_attempt = 0.0
        super().__init__(folder, level=level, seed=seed)

    def open_journal(self) -> Journal:
        return Journal(self.place, threaded=False, connect=self.disk.connect, monotonic=lambda: self.now)

    def wall(self) -> float:
        return super().wall() + self.wall_jump

    def reboot(self) -> None:
        """The machine goes off and on again; what was on the disk is there."""
        self.boot = f"after {self.boot}"
        self.zero = self.now - JUST_STARTED
        self.kill()

    def go_on(self) -> None:
        """The board is connected again, and the players press start."""
        self.steps(10)
        self.press()

    def look(self) -> None:
        """A look at the board, while the disk is at work or has nothing to do."""
        self.step(self.simulation.match.drain_events(), writes=False)

    def play(self, until: float = 1e6) -> None:
        while self.now < until and self.simulation.match.over is None:
            self.look()
            if self.journal.queue.trouble is None or self.now >= self._next_attempt:
                self._next_attempt = self.now + RETRY_SECONDS
                self.journal.writer.attempt()

    def play_until_over(self) -> None:
        """To the last ruling, and until the disk has had its turn once more."""
        self.play()
        self.journal.writer.attempt()
        self.look()
        assert isinstance(self.shown[-1], GameOver)

    @property
    def ruled(self) -> list[Ruling]:
        """All that the referee has ruled in this game."""
        return self.table.refereeing.rulings

    def stored(self) -> StoredGame:
        """The only game, as it is on the disk."""
        (game,) = Archive(self.place).games()
        return Archive(self.place).load(game.number)


def lines(rulings: Sequence[Ruling]) -> list[str]:
    return [ruling_line(ruling) for ruling in rulings]


def stored_rulings(game: StoredGame) -> list[str]:
    return [line for entry in game.entries for line in entry.rulings]


def assert_whole(evening: TroubledEvening) -> None:
    """The game is on the disk to its end, each ruling once, and gives the same when it is ruled again."""
    game = evening.stored()
    assert game.state is GameState.FINISHED
    assert stored_rulings(game) == lines(evening.ruled) == lines(evening.shown)
    assert verify(game) is None


@dataclass(frozen=True)
class Undisturbed:
    """A game on a good disk, by a good clock: what was ruled, and when it was over."""

    rulings: Sequence[Ruling]
    length: float


@cache
def undisturbed(level: int, seed: int) -> Undisturbed:
    with TemporaryDirectory() as folder:
        evening = TroubledEvening(Path(folder), level=level, seed=seed)
        evening.play_until_over()
        assert_whole(evening)
        assert not [said for said in evening.said if "saved" in said]
        return Undisturbed(evening.shown, evening.now)
