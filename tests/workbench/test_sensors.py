"""``tamsk-hw sensors``: the picture of all sensors, once and live."""

import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.board.calibration import Calibration, FieldCalibration, KnownCalibration
from tamsk_hw.board.link_events import (
    BoardSilent,
    LinkStatistics,
    Lost,
    PortNotOpened,
    PortTrouble,
    SnapshotArrived,
)
from tamsk_hw.board.protocol import FIELDS, RING_BITS, RingSignal, Snapshot
from tamsk_hw.commands.main import main
from tamsk_hw.errors import LinkError
from tamsk_hw.game.tubes import CAPACITY, START_TUBES, TUBES, Tube
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard, RunningBoard
from tamsk_hw.simulator.world import World
from tamsk_hw.terminal.picture import BAD
from tamsk_hw.workbench.sensors import SensorsWalk, show_sensors, signal_lines
from tests.commands.at_a_terminal import PROGRAM, AtATerminal
from tests.workbench.boards import WIRING, made_up_time, setup_of, snapshot

CALIBRATED = KnownCalibration(measured=frozenset([*(tube.name for tube in TUBES), "timer"]), modified=0.0)


def walk_of(shown: Snapshot | None = None, known: KnownCalibration = CALIBRATED) -> SensorsWalk:
    walk = SensorsWalk(setup_of(known=known))
    walk.board.snapshot = shown
    return walk


def rows(shown: Snapshot | None = None, known: KnownCalibration = CALIBRATED) -> list[str]:
    return walk_of(shown, known).picture(0.0).plain.split("\n")


def cell(board: list[str], tube: Tube) -> tuple[str, str]:
    """The two rows of a tube's cell: six columns, from its place on the hexagon."""
    row, column = 3 + int((6 - tube.height) * 2), 2 + 7 * tube.column
    return board[row].ljust(80)[column : column + 6].strip(), board[row + 1].ljust(80)[column : column + 6]


def beside(board: list[str], name: str) -> str:
    """Text behind a name in the column beside the board."""
    (found,) = [row[54:] for row in board if row[54:].startswith(name)]
    return found.removeprefix(name).strip()


def sensors(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["sensors", *map(str, arguments)])


# ---- the picture


@pytest.mark.parametrize("shown", [None, snapshot(dict.fromkeys(TUBES, 255), faults=0xFFFF)])
def test_it_fits_eighty_by_twenty_four(shown: Snapshot | None) -> None:
    walk = walk_of(shown)
    walk.setup = setup_of(known=CALIBRATED, port="/dev/" + "x" * 200)
    walk.board.away = PortNotOpened("no cable " * 40, PortTrouble.OTHER, "gone")
    board = walk.picture(0.0).plain.split("\n")
    assert len(board) == 23
    assert {len(row) for row in board} == {80}


@pytest.mark.parametrize(
    ("reading", "shown"),
    [
        (128, "128"),  # gone
        (195, "195 A"),  # 67 steps: a seated glass of the reference build
        (61, "61 B"),
        (170, "170 a"),  # 63 %: leaning
        (86, "86 b"),
        (143, "143 ~"),  # 22 %: held above the tube
        (255, "255 !"),
        (1, "1 !"),
    ],
)
def test_a_field_and_what_it_stands_for(reading: int, shown: str) -> None:
    assert cell(rows(snapshot({Tube.C4: reading})), Tube.C4)[0] == shown
    assert beside(rows(snapshot({37: reading})), "timer") == shown


def test_a_field_is_judged_by_its_own_calibration() -> None:
    fields = list(Calibration().fields)
    fields[Tube.C4] = FieldCalibration(rest=120.0, end_a=40.0, end_b=40.0)
    known = replace(CALIBRATED, calibration=Calibration(fields=tuple(fields)))
    board = rows(snapshot({Tube.C4: 160, Tube.D4: 160}), known)
    assert (cell(board, Tube.C4)[0], cell(board, Tube.D4)[0]) == ("160 A", "160 a")


def test_what_is_not_calibrated_is_marked_and_said() -> None:
    known = KnownCalibration(measured=frozenset({"D1"}), modified=0.0)
    board = rows(snapshot({Tube.D1: 195, Tube.G4: 195}), known)
    assert (cell(board, Tube.D1)[0], cell(board, Tube.G4)[0]) == ("195 A", "195 A?")
    assert "calibrated but for 37 of 38 fields" in board[-1]
    assert "not calibrated: reference build's values" in rows(known=KnownCalibration())[-1]
    assert board[-1] != rows()[-1]


@pytest.mark.parametrize(
    ("code", "shown"), [("0000", "D4····"), ("1100", "D4●●··"), ("0101", "D4○●○●"), ("1?00", "D4●?··")]
)
def test_rings_with_gaps_and_light(code: str, shown: str) -> None:
    assert cell(rows(snapshot(rings={Tube.D4: code})), Tube.D4)[1] == shown


#: Signals of the converters 0 to 3, without rings; 4 to 7 do not answer.
HALF = {bit: RingSignal(16, 8, 0, 1) if bit < 32 else RingSignal(0, 255, 0, 255) for bit in range(RING_BITS)}


def test_the_weakest_ring_and_a_table_of_all_signals() -> None:
    first, second = [tube for tube in TUBES if CAPACITY[tube] == 1 and WIRING.ring_bits[tube][0] < 32][:2]
    walk = walk_of(snapshot(rings={first: "1", second: "1"}))
    walk.board.signals = HALF | {
        WIRING.ring_bits[first][0]: RingSignal(64 * 16, 8, 32, 50),
        WIRING.ring_bits[second][0]: RingSignal(15 * 16, 8, 0, 0),
    }
    assert beside(walk.picture(0.0).plain.split("\n"), "weakest ring") == f"{second}.1 15/12!"
    table = signal_lines(walk)
    assert {f"{first}.1 64/32 (200)", f"{second}.1 15/12! (0)"} <= set(re.split("  +|\n", "\n".join(table)))
    assert len(table) == 1 + 32 / 4 + 1
    assert table[-1] == "no answer from converter 4 5 6 7, or not connected: x"
    assert max(map(len, table)) <= 80


def test_what_a_breadboard_has_not_is_shown_as_such() -> None:
    """Only one multiplexer and half of the converters are connected: two references are wrong, nothing else."""
    absent = {place: 0 for place, channel in WIRING.inputs.items() if channel.mux}
    walk = walk_of(
        snapshot(
            {place: 0 for place in absent if place < FIELDS},
            references=tuple(0 if FIELDS + n in absent else due for n, due in enumerate((64, 128, 191))),  # type: ignore[arg-type]
        )
    )
    walk.board.signals = HALF
    picture = walk.picture(0.0)
    assert [picture.plain[span.start : span.end].split() for span in picture.spans if span.style == BAD] == [
        ["0", "!"],
        ["0", "!"],
    ]
    for tube in TUBES:
        signs = "".join("·x"[bit >= 32] for bit in WIRING.ring_bits[tube])
        assert cell(picture.plain.split("\n"), tube)[1].endswith(signs)


def test_the_column_beside_the_board() -> None:
    walk = walk_of(snapshot(references=(64, 20, 191), holders=(-7, 8388607), faults=0x0005))
    walk.statistics = LinkStatistics(
        frames=1234, crc_errors=2, malformed=3, missing=7, board_resets=1, clock_error=0.004
    )
    walk._times.extend((0.0, 0.05, 0.1002))
    board = walk.picture(0.1).plain.split("\n")
    for name, shown in (
        ("1/4", "of 5 V     64"),
        ("2/4", "of 5 V     20 !"),
        ("red holder", "-7"),
        ("black holder", "8388607"),
        ("frames", "1234"),
        ("damaged", "5"),
        ("missing", "7"),
        ("resets", "1"),
        ("clock", "+0.40 %"),
        ("snapshots", "20 a second"),
    ):
        assert beside(board, name) == shown
    text = " ".join(row[54:].strip() for row in board)
    assert "SUPPLY_LOW" in text
    assert "HOLDER_BLACK_SILENT" in text


# ---- once


def test_once_shows_the_board_as_it_stands(board: RunningBoard) -> None:
    result = sensors("--once", "--port", board.port)
    assert result.exit_code == 0, result.output
    shown = result.stdout.split("\n")
    starts = {tube for tubes in START_TUBES.values() for tube in tubes}
    seated = {tube for tube in TUBES if cell(shown, tube)[0].split()[1:] in (["A?"], ["B?"])}
    assert seated == starts
    assert "board 007a3517, firmware 2.0.0" in shown[1]
    assert int(beside(shown, "snapshots").split()[0]) > 0
    assert len(re.findall(r"[A-G][1-7]\.[1-4] \d+/12 \(0\)", result.stdout)) == 64


def test_a_board_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    board = PtyBoard(SimulatedBoard(World(1)), tmp_path / "silent")  # it never runs
    with board, pytest.raises(LinkError, match="no board answers within 5 s"):
        show_sensors(board.port, None, once=True, clock=made_up_time())


# ---- live


def test_what_was_read_before_the_cable_was_pulled_is_not_shown() -> None:
    walk = walk_of()
    for t in (0.0, 0.05):
        walk.on_link_event(SnapshotArrived(t, t, snapshot({Tube.C4: 195})), t)
    assert cell(walk.picture(0.1).plain.split("\n"), Tube.C4)[0] == "195 A"
    walk.on_link_event(Lost(0.1, BoardSilent(0.5), 0.05), 0.1)
    assert cell(walk.picture(0.1).plain.split("\n"), Tube.C4)[0] == "-"
    assert walk.rate is None


def test_live_on_a_terminal_until_ctrl_c(board: RunningBoard) -> None:
    """The picture is drawn again and again; at the end the last one stays in the terminal as it was before."""
    terminal = AtATerminal(*PROGRAM, "sensors", "--port", board.port)
    try:
        for _ in range(3):
            terminal.read("firmware 2.0.0")
        assert terminal.end(signal.SIGINT) == 128 + signal.SIGINT
    finally:
        terminal.kill()
    drawn, _, left = terminal._read.partition(b"\x1b[?1049l")
    assert drawn.count(b"\x1b[?1049h") == 1
    assert left.count(b"TAMSK sensors") == 1
