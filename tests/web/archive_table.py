"""A page with an archive, over a journal that the journal's own code has written."""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.changes import MOST_IMPORT, Annotate, change_here, recording_of
from tamsk_hw.journal.database import DATABASE
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Entry, Sitting
from tests.boards import SEVEN
from tests.journal.played import UNENDED, played, write
from tests.journal.test_journal_damage import run_sql
from tests.scenarios.book import BOOK
from tests.simulation import Simulation
from tests.web.tables import Table

#: A name with markup, an escape sequence, and characters that turn the direction of what follows.
HOSTILE = '"><img src=x>&\x1b[31m\u202egnp\u2066'

#: Games of the journal, in the order of their numbers: scenario, red, black. The last is unfinished.
GAMES: tuple[tuple[str, str | None, str | None], ...] = (
    ("R5.2-fewest-rings", "Ada", "Bo"),
    ("R9.6-award", "Bo", "Ada"),
    ("R3.2-own-full-tube", None, HOSTILE),
    (UNENDED, "Ada", None),
)

WALL = 1_764_000_000.0


def stream(scenario: str) -> bytes:
    """A recorded stream."""
    return BOOK[scenario].stream.encode()


def put(folder: Path, scenario: str, red: str | None = None, black: str | None = None) -> None:
    """A game, imported."""
    change_here(folder, recording_of(stream(scenario).splitlines(), red=red, black=black), WALL)


def fill(folder: Path, *, unfinished: bool = True) -> None:
    """`GAMES`: the first three imported, the first with a remark; and a simulated game with sand.

    Without ``unfinished`` the last one is left out.
    """
    shutil.copytree(_filled(unfinished), folder, dirs_exist_ok=True)


@cache
def _filled(unfinished: bool) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tamsk-archive-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _write(folder, unfinished)
    return folder


def _write(folder: Path, unfinished: bool) -> None:
    for scenario, red, black in GAMES[:-1]:
        put(folder, scenario, red, black)
    change_here(folder, Annotate(1, f"Black won. {HOSTILE}"), WALL)
    if unfinished:
        write(folder, played(GAMES[-1][0]), red=GAMES[-1][1])
    with Journal(simulated_folder(folder)) as journal:
        game = Simulation(
            Ruleset(level=3, start=SEVEN.start),
            5,
            wiring=SEVEN.wiring,
            took=lambda event, rulings: journal.append(Entry(event, rulings, WALL)),
        )
        journal.begin_game(game.header, Sitting(wall=WALL, monotonic_zero=0.0), red="Ada", black="Eve")
        game.play()


def tour(table: Table, headers: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Every page and every answer of the archive and the replay: its name and its text."""
    client = table.client()
    client.headers.update(headers)
    games = ("1", "2", "4", "s1", "9", "1/replay", "4/replay", "s1/replay?t=60", "s1/replay/30")
    lists = ("/games", "/games?player=Ada", "/games?player=Nobody", "/players", "/players?name=Ada")
    yield from ((path, client.get(path).text) for path in (*lists, *(f"/games/{game}" for game in games)))
    yield "not signed in", client.post("/games/change", data={"change": "delete", "game": "1"}).text
    client.post("/arbiter/sign-in", data={"token": table.token})
    forms = ("/games", "/games/1", "/games/1?confirm=delete", "/players?name=Ada&confirm=erase")
    yield from ((path, client.get(path).text) for path in forms)
    for what, more in (
        ("names", {"game": "1", "red": "Ada"}),
        ("annotate", {"game": "1", "text": "x"}),
        ("delete", {"game": "s1", "confirmed": "yes"}),
        ("erase", {"name": "Ada", "confirmed": "yes"}),
        ("nonsense", {}),
    ):
        yield what, table.change(client, what, **more).text
    for content in (b"", b"x", b"x" * (MOST_IMPORT + 1)):
        yield "import", table.upload(client, content).text
    run_sql(table.journal.folder / DATABASE, "UPDATE event SET line = 'x' WHERE game = 2 AND number = 7")
    yield from ((path, client.get(path).text) for path in ("/games/2", "/games/2/replay"))
    (table.journal.folder / DATABASE).write_bytes(b"x" * 5000)
    yield from ((path, client.get(path).text) for path in ("/games", "/players"))
