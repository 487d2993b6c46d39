"""Players at a `BoardTable` whose disk and clocks do as the test says, in simulated time."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tamsk_hw.board.link_events import LinkEvent
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import GameState, StoredGame, ruling_line, verify
from tamsk_hw.journal.writer import RETRY_SECONDS
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import GameOver, Ruling
from tamsk_hw.table.table import BoardTable
from tests.boards import SEVEN, WHOLE
from tests.journal.disks import Disk
from tests.soak import in_soak
from tests.table.test_board_table import Evening, Wire

#: The board: what a disk or a clock does has nothing to do with its size.
BOARD = in_soak(WHOLE, otherwise=SEVEN)

#: The monotonic clock of a machine that was just started (seconds).
JUST_STARTED = 20.0

#: A time of day (seconds since 1970).
NOON = 1_763_726_400.0


class TableOfAnotherClock(BoardTable):
    """A table on a machine whose monotonic clock stood at 0 when the world's stood at ``zero``."""

    zero = 0.0

    def advance(self, now: float, told: Iterable[Event] = ()) -> list[Ruling]:
        return super().advance(now - self.zero, [replace(event, t=event.t - self.zero) for event in told])


class WireOfAnotherClock(Wire):
    """Its wire."""

    zero = 0.0

    def poll(self, now: float) -> list[LinkEvent]:
        return [replace(event, time=event.time - self.zero) for event in super().poll(now + self.zero)]


class TroubledEvening(Evening):
    """Players at a board whose disk and clocks do as the test says.

    ``wall_jump`` seconds is the time of day wrong; with `reboot` the monotonic clock begins anew.
    """

    def __init__(self, folder: Path, *, level: int, seed: int, disk: Disk | None = None) -> None:
        self.disk = disk or Disk()
        self.wall_jump = 0.0
        self._zero = 0.0
        self._next_attempt = 0.0
        super().__init__(folder, level=level, seed=seed, board=BOARD)

    @property
    def place(self) -> Path:
        """The folder of the journal that is written now."""
        return self.folder / str(self.starts)

    def start(self) -> None:
        self.starts += 1
        self.journal = Journal(self.place, threaded=False, connect=self.disk.connect, monotonic=lambda: self.now)
        wire = WireOfAnotherClock(self.simulation)
        wire.zero = self._zero
        self.table = TableOfAnotherClock(
            self.simulation.header,
            self.simulation.wiring,
            self._sensing,
            wire,
            self.journal,
            self.now - self._zero,
            wall=lambda: NOON + self.wall_jump + self.now,
            boot=self.boot,
            notice=self.said,
        )
        self.table.zero = self._zero

    def reboot(self) -> None:
        """The machine goes off and on again; what was on the disk is there."""
        self.boot = f"after {self.boot}"
        self._zero = self.now - JUST_STARTED
        self.kill()

    def restart(self, meanwhile: Callable[[], None]) -> None:
        """The program ends and starts at the same journal; what happens to the disk meanwhile."""
        assert self.journal.close() == 0
        meanwhile()
        self.starts -= 1
        self.start()

    def go_on(self) -> None:
        """The board is connected again, and the players press start."""
        for _ in range(10):
            self.step()
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
