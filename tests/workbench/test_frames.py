"""``tamsk-hw frames``: what is told of each frame, from a file and live."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.board.protocol import Snapshot
from tamsk_hw.commands.main import main
from tamsk_hw.game.tubes import Tube
from tamsk_hw.simulator.pty_board import RunningBoard
from tamsk_hw.workbench.frames import DAMAGES, Dissector, Piece, SnapshotWords, damaged
from tests.workbench.boards import WIRING, setup_of, snapshot

#: Raw bytes as a line gives them.
GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "frames.json").read_text(encoding="utf-8")
)

FRAMES = {each["name"]: bytes.fromhex(each["frame"]) for each in GOLDEN["messages"]}

STREAMS = {each["name"]: each for each in GOLDEN["streams"]}


def stream(name: str) -> bytes:
    """All bytes of one golden stream."""
    return b"".join(bytes.fromhex(chunk) for chunk in STREAMS[name]["chunks"])


def frames(*arguments: str | Path, data: Any = None) -> Result:
    return CliRunner().invoke(main, ["frames", *map(str, arguments)], input=data)


def as_json(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in frames("-", "--json", data=data).stdout.splitlines()]


def refused(result: Result) -> str:
    """The one line of a refusal."""
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    return line.removeprefix("tamsk-hw: ")


def told(*snapshots: Snapshot, everything: bool = False) -> list[str]:
    """Lines on snapshots that follow each other."""
    words = SnapshotWords(setup_of(), everything=everything)
    return [words.words(each) for each in snapshots]


# ---- bytes taken apart


def taken_apart(*chunks: bytes) -> list[Piece]:
    dissector = Dissector()
    pieces = [piece for chunk in chunks for piece in dissector.feed(chunk)]
    return [*pieces, *dissector.restart()]


@pytest.mark.parametrize("name", STREAMS)
def test_each_thing_that_the_golden_counters_count_is_told_once(name: str) -> None:
    *records, last = as_json(stream(name))
    expected = STREAMS[name]["counters"]
    assert last == {"counters": expected}
    for counter, (why, _) in DAMAGES.items():
        assert sum(record.get("damaged") == why for record in records) == expected[counter]
    missing = [record["missing"] for record in records if "missing" in record]
    assert (len(missing), sum(missing)) == (expected["gaps"], expected["missing"])
    assert sum("seq" in record for record in records) == len(STREAMS[name]["messages"])


@pytest.mark.parametrize("name", STREAMS)
def test_how_the_bytes_are_cut_up_makes_no_difference(name: str) -> None:
    data = stream(name)
    assert taken_apart(*(data[place : place + 1] for place in range(len(data)))) == taken_apart(data)


def test_a_line_opened_anew_joins_no_halves() -> None:
    frame = FRAMES["snapshot_1"]
    dissector = Dissector()
    assert list(dissector.feed(frame[:20])) == []
    assert list(dissector.restart()) == [damaged("unfinished", "not finished", frame[:20])]
    (message,) = dissector.feed(frame)
    assert isinstance(message, Snapshot)


# ---- a file


def test_a_file_is_told_frame_by_frame(tmp_path: Path) -> None:
    file = tmp_path / "line.raw"
    file.write_bytes(stream("boot"))
    result = frames(file)
    assert result.exit_code == 0, result.output
    hello, first, second, counters = result.stdout.splitlines()
    # The values are those of tests/golden/frames.json.
    assert hello.split()[:2] == ["0", "HELLO"]
    for words in ("protocol 2.0", "firmware 0.3.7", "board 0000002a", "boot 00000101", "2 holders"):
        assert words in hello
    assert "last reset: its reset pin" in hello
    assert first.split()[:3] == ["0.0746", "1", "SNAPSHOT"]
    assert second.split()[:3] == ["0.0771", "2", "SNAPSHOT"]
    assert second.endswith("flags SUPPLY_LOW HOST_SILENT")
    assert "holder red -8388608; holder black 8388607" in second
    assert counters == "3 frames, 0 crc errors, 0 malformed, 0 unknown, 0 misshapen, 0 gaps, 0 missing, 0 doubled"


@pytest.mark.parametrize(
    ("name", "place", "words"),
    [
        ("unknown type", 0, "!! unknown type: 08 0f 02 01 02 03 f8 ac"),
        ("too short", 0, "!! malformed: 01 01 01"),
        ("too long", 0, "!! malformed, 90 bytes or more without a zero byte: " + "01 " * 90 + "…"),
        ("noise that is COBS before", 0, "!! wrong CRC: "),
        ("payload too short", 0, "!! payload too short for its type: "),
        ("unfinished", 0, "!! not finished: "),
        ("frames missing", 1, "-- 2 frames missing"),
    ],
)
def test_damage_has_a_line_of_its_own_where_it_came(name: str, place: int, words: str) -> None:
    lines = frames("-", data=stream(name)).stdout.splitlines()
    assert lines[place].strip().startswith(words)


def test_json_has_the_whole_snapshot() -> None:
    record, _ = as_json(FRAMES["snapshot_1"])
    assert (record["type"], record["seq"], record["t"]) == ("SNAPSHOT", 1, None)
    assert record["controller_time"] == 0.074565
    # Fields 0x6e and on, one more from tube to tube; ring bits 0 and 63; holders -1 and 1.
    assert record["fields"]["A1"] == 0x6E
    assert record["fields"]["timer"] == 0x93
    lit = {WIRING.ring_sensors[0][0].name, WIRING.ring_sensors[63][0].name}
    assert {tube for tube, code in record["rings"].items() if "1" in code} == lit
    assert record["holders"] == {"red": -1, "black": 1}
    assert record["references"] == [64, 128, 192]


def test_ring_sensors_are_told_by_their_places_in_counts() -> None:
    """The golden converter 3; its input 1 has 1024 sixteenths of a count, and 4 is not visited yet."""
    data = FRAMES["ring_signals"] + FRAMES["set_thresholds"]
    words, thresholds, _ = frames("-", data=data).stdout.splitlines()
    signals, _, _ = as_json(data)
    names = [f"{tube}.{level + 1}" for tube, level in WIRING.ring_sensors[24:32]]
    assert signals["converter"] == 3
    assert list(signals["sensors"]) == names
    assert signals["sensors"][names[1]] == {"counts": 64.0, "deviation": 2.0, "threshold": 32.0, "dark": 0}
    assert signals["sensors"][names[4]] == {"counts": None, "deviation": 31.875, "threshold": 12.0, "dark": 900}
    assert signals["sensors"][names[5]]["threshold"] == 12 + 256 / 64
    assert f"converter 3: {names[0]} 0/12 {names[1]} 64/32 " in words
    assert f" {names[4]} ?/12 " in words
    assert thresholds.endswith("converter 7: 0 5 12 32 63 128 254 255 counts")


def test_the_bytes_are_kept(tmp_path: Path) -> None:
    data = stream("noise before")
    kept = tmp_path / "kept.raw"
    kept.write_bytes(b"old")
    assert frames("-", "--raw", kept, data=data).exit_code == 0
    assert kept.read_bytes() == data


def test_the_file_that_is_read_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "line.raw"
    file.write_bytes(stream("boot"))
    assert "name another one for --raw" in refused(frames(file, "--raw", file))
    with file.open("rb") as data:
        assert "name another one for --raw" in refused(frames("-", "--raw", file, data=data))
    assert file.read_bytes() == stream("boot")


def test_what_cannot_be_read_or_written_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refused(frames(tmp_path / "nothing"))
    assert "cannot be written" in refused(frames("-", "--raw", tmp_path / "no" / "folder", data=b"\0"))


# ---- snapshots in words


def test_the_first_is_told_in_full_and_then_only_what_has_changed() -> None:
    first = snapshot({Tube.D1: 195, Tube.G4: 61, 37: 195}, rings={Tube.D4: "1000"})
    lifted = snapshot({Tube.D1: 128, Tube.G4: 61, 37: 195}, rings={Tube.D4: "1000"})
    ringed = snapshot({Tube.D1: 128, Tube.G4: 61, 37: 61}, rings={Tube.D4: "1100"}, faults=0x0021)
    assert told(first, lifted, ringed, ringed) == [
        "glasses D1:195A G4:61B; timer 195A; rings D4:1000; references 64 128 191; holders 0 0; flags none",
        "glasses D1:128",
        "timer 61B; rings D4:1100; flags SUPPLY_LOW HOST_SILENT",
        "no change",
    ]


def test_all_tells_everything_each_time() -> None:
    _, second = told(snapshot(), snapshot(), everything=True)
    assert second.startswith("glasses A1:128 A2:128 ")
    assert second.endswith("G4:128; timer 128; rings none; references 64 128 191; holders 0 0; flags none")


def test_noise_is_no_change_but_a_drift_is() -> None:
    readings = (128, 129, 127, 130, 131)
    words = told(*(snapshot({Tube.A1: reading}) for reading in readings))
    assert words[1:] == ["no change", "no change", "no change", "glasses A1:131"]


def test_leaning_rails_gaps_light_and_unknown_flags_are_told() -> None:
    (words,) = told(
        snapshot(
            {Tube.A1: 170, Tube.A2: 98, Tube.A3: 255, Tube.A4: 0},
            rings={Tube.D4: "0100", Tube.D3: "1?0"},
            faults=0x8000,
        )
    )
    # 42 and 30 of 67 steps are 63 % and 45 % of a seated glass.
    assert words.startswith("glasses A1:170a A2:98b A3:255! A4:0!; ")
    assert "rings D3:1?0 D4:0100(gap)" in words
    assert words.endswith("flags 0x8000")


# ---- live


def test_what_cannot_be_listened_to_is_refused(board: RunningBoard) -> None:
    assert "no board is configured: give --port" in refused(frames())
    assert "give it with --port" in refused(frames(board.port))
    assert "exclude each other" in frames("file", "--port", "port").stderr


def test_a_port_that_is_not_there_costs_no_bytes_of_before(tmp_path: Path) -> None:
    kept = tmp_path / "kept.raw"
    kept.write_bytes(b"old")
    assert "plug in the board" in refused(frames("--port", tmp_path / "nothing", "--raw", kept))
    assert kept.read_bytes() == b"old"


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """Its output, to the first line with these words."""
    assert process.stdout is not None
    seen = ""
    for line in process.stdout:
        seen += line
        if words in line:
            return seen
    raise AssertionError(seen)


def test_live_with_the_cable_pulled_and_put_in_again_until_ctrl_c(
    board: RunningBoard, configuration: Path, tmp_path: Path
) -> None:
    """The configured port; Ctrl-C ends it with the counters; the bytes are kept."""
    configuration.write_text(f'board.port = "{board.port}"\n')
    raw = tmp_path / "kept.raw"
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "tamsk_hw.commands.main", "frames", "--raw", str(raw)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert "HELLO" in read_until(process, "SNAPSHOT") + read_until(process, "SNAPSHOT")
            board.unplug()
            read_until(process, f"-- {board.port}: ")
            board.replug()
            assert "opened again" in read_until(process, "HELLO")
            # What changed meanwhile nobody knows: the first one is told in full.
            assert "references" in read_until(process, "SNAPSHOT")
            process.send_signal(signal.SIGINT)
            assert process.stdout is not None
            *_, counters = process.stdout.read().splitlines()
        finally:
            process.kill()
    assert process.returncode == 128 + signal.SIGINT
    assert "0 crc errors, 0 malformed" in counters
    assert "HELLO" in frames(raw).stdout
