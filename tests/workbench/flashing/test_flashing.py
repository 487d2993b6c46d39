"""``tamsk-hw flash``: what is checked before, what avrdude is asked, what the board must say after."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import serial
from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main
from tamsk_hw.errors import FlashError
from tamsk_hw.workbench import flash as flashing
from tests.boards import SEVEN, SEVEN_CONFIG
from tests.firmware.core_program import FIRMWARE
from tests.workbench.boards import made_up_time
from tests.workbench.flashing.flash_bench import (
    HASH,
    Bench,
    FlashedController,
    hex_lines,
    program,
    record,
    refused,
    run,
    write_hex,
)


def flash_in_made_up_time(bench: Bench, file: Path, **settings: bool) -> None:
    flashing.flash(str(bench.port), file=file, clock=made_up_time(), **settings)


# ---- the way it should go


@pytest.mark.parametrize(("options", "baud"), [([], "115200"), (["--old-bootloader"], "57600")])
def test_it_is_written_and_the_board_answers_with_it(
    bench: Bench, file: Path, options: list[str], baud: str, capfd: pytest.CaptureFixture[str]
) -> None:
    bench.runs()
    result = run(bench, file, *options)
    assert capfd.readouterr() == ("", "")  # what avrdude says
    assert result.exit_code == 0, result.stderr
    assert bench.calls() == [
        [
            *("-p", "atmega328p", "-c", "arduino", "-P", str(bench.port), "-b", baud, "-D"),
            *("-U", "flash:w:tamsk.hex:i"),
        ]
    ]
    assert bench.written() == program()
    assert result.stdout.splitlines() == [
        f"{file}: 2000 bytes, firmware 1.1.0, protocol 2.0, wiring {HASH:08x}",
        "Now firmware 1.0.0, to be written 1.1.0.",
        "Writing, about ten seconds; a board that does not answer is given up after a minute.",
        "Written; firmware 1.1.0 answers.",
        "This is board 007a3517.",
    ]
    assert result.stderr == ""


def test_the_name_of_file_and_port_may_be_anything(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.runs()
    odd = write_hex(tmp_path / "a:b c.elf:r", hex_lines(program()))
    monkeypatch.chdir(tmp_path)
    bench.port = Path("board")
    assert run(bench, odd).exit_code == 0
    assert bench.written() == program()
    assert bench.calls()[0][5] == str(tmp_path / "board")


def test_avrdudes_words_are_shown_when_asked_for(
    bench: Bench, file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bench.runs()
    assert run(bench, file, "--verbose").exit_code == 0
    shown = capfd.readouterr()
    assert "avrdude: this is what it says" in shown.out
    assert "avrdude: and this" in shown.err


def test_a_board_that_says_nothing_is_no_obstacle_to_writing_and_told_of_afterwards(
    bench: Bench, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(FlashError, match="the program was written, but nothing answers: pull the board's plug"):
        flash_in_made_up_time(bench, file)
    assert f"Now nothing answers on {bench.port}, to be written 1.1.0." in capsys.readouterr().out
    assert bench.written() == program()


def test_a_board_that_this_host_refuses_is_put_right(bench: Bench, file: Path) -> None:
    bench.holds(program(wiring_hash=0x12345678))
    bench.runs()
    result = run(bench, file)
    assert result.exit_code == 0, result.stderr
    assert "was built from wiring 12345678" in result.stdout
    assert result.stdout.splitlines()[-2] == "Written; firmware 1.1.0 answers."


# ---- the file


def test_without_a_file_it_is_the_one_built_here_and_without_that_it_says_where_one_comes_from(
    bench: Bench, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert flashing.BUILT == FIRMWARE / "build" / "tamsk.hex"
    monkeypatch.setattr(flashing, "BUILT", tmp_path / "none.hex")
    line = refused(run(bench))
    assert "tamsk.hex of a release" in line
    assert "make -C firmware" in line
    monkeypatch.setattr(flashing, "BUILT", file)
    bench.runs()
    assert run(bench).exit_code == 0
    assert bench.written() == program()


DAMAGED: dict[str, tuple[Callable[[], list[str]], str]] = {
    "cut": (lambda: hex_lines(program())[:60], "does not end with its one :00000001FF"),
    "cut and ended": (lambda: hex_lines(program()[:1600]), "holds 1600 bytes of a program of 2000"),
    "something behind": (lambda: hex_lines(program() + b"\x00\x00"), "holds 2002 bytes of a program of 2000"),
    "ended before": (lambda: [record(0, b"", 1), *hex_lines(program())], "does not end with its one :00000001FF"),
    "without a line": (
        lambda: [*hex_lines(program())[:50], *hex_lines(program())[51:]],
        "nothing for address 800",
    ),
    "a line twice": (lambda: [hex_lines(program())[0], *hex_lines(program())], "line 2 has bytes for an address"),
    "a wrong checksum": (
        lambda: [line.replace("3D", "3E", 1) for line in hex_lines(program())],
        "line 1 has a wrong checksum",
    ),
    "a wrong length": (lambda: [":11" + line[3:] for line in hex_lines(program())], "line 1 is no record"),
    "no start": (lambda: hex_lines(program()[16:], at=16), "nothing for address 0"),
    "no reset vector": (lambda: hex_lines(b"\xff\xff" + program()[2:]), "does not begin with a jump"),
    "too long": (lambda: hex_lines(program(length=30_721)), "goes up to address 30720"),
    "far away": (lambda: [record(0, b"\x00\x01", 4), *hex_lines(program())], "nothing for address 0"),
    "text": (lambda: ["Not found"], "is no Intel HEX file"),
    "another language": (lambda: [":Ä"], "is no Intel HEX file"),
}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_damaged_file_is_never_written(bench: Bench, tmp_path: Path, name: str, force: list[str]) -> None:
    lines, words = DAMAGED[name]
    path = tmp_path / "damaged.hex"
    path.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
    line = refused(run(bench, path, *force))
    assert line.startswith(f"{path}: ")
    assert words in line
    assert bench.calls() == []


def test_a_file_that_cannot_be_read(bench: Bench, tmp_path: Path) -> None:
    assert "cannot be read: no such file" in refused(run(bench, tmp_path / "none.hex"))
    assert "is a folder, not a file: give a tamsk.hex" in refused(run(bench, tmp_path))


FOREIGN = {
    "another wiring": (
        program(wiring_hash=0x12345678),
        f"was built from wiring 12345678, this program's map is {HASH:08x}",
    ),
    "another protocol": (program(protocol=(1, 0)), "speaks protocol 1.0, this program 2.0"),
    "no identification": (program()[:104] + bytes(18) + program()[122:], "says nowhere that it is a program for"),
    "a later identification": (program()[:109] + b"\x02" + program()[110:], "or in a way not known here"),
    "a short program": (program()[:110], "says nowhere that it is a program for"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_program_of_another_board_is_refused(bench: Bench, tmp_path: Path, name: str) -> None:
    data, words = FOREIGN[name]
    line = refused(run(bench, write_hex(tmp_path / "foreign.hex", hex_lines(data))))
    assert words in line
    assert "--force" in line
    assert bench.calls() == []


def test_by_force_it_is_written_all_the_same(bench: Bench, tmp_path: Path) -> None:
    data, words = FOREIGN["another wiring"]
    bench.runs()
    result = run(bench, write_hex(tmp_path / "foreign.hex", hex_lines(data)), "--force")
    assert result.exit_code == 0, result.stderr
    assert words in result.stderr
    assert bench.written() == data
    assert "Written; " in result.stdout


def test_by_force_a_program_that_does_not_say_what_it_is_need_not_answer(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = FOREIGN["no identification"]
    flash_in_made_up_time(bench, write_hex(tmp_path / "foreign.hex", hex_lines(data)), force=True)
    assert bench.written() == data
    assert capsys.readouterr().out.splitlines()[-1].startswith("Written; nothing answers")


def test_the_host_of_another_map_takes_its_own_board_and_no_other(
    bench: Bench, file: Path, tmp_path: Path
) -> None:
    """The configuration names the wiring map of seven tubes."""
    configuration = tmp_path / "own_config.toml"
    configuration.write_text(SEVEN_CONFIG, encoding="utf-8")
    own = program(wiring_hash=SEVEN.wiring.hash)
    own_file = write_hex(tmp_path / "own.hex", hex_lines(own))
    bench.runs()
    assert run(bench, own_file, "--config", configuration).exit_code == 0
    assert bench.written() == own
    words = f"this program's map is {SEVEN.wiring.hash:08x}"
    assert words in refused(run(bench, file, "--config", configuration))


# ---- avrdude and the port


def test_without_avrdude_it_says_what_to_install(bench: Bench, file: Path) -> None:
    (bench.path / "avrdude").unlink()
    assert "apt install avrdude" in refused(run(bench, file))


@pytest.mark.parametrize(
    ("port", "words"),
    [
        ("gone", "no such file or directory: plug in the board, or correct --port"),
        ("tamsk.hex", "is no serial port"),
        ("/dev/null", "is no serial port"),
    ],
)
def test_what_is_no_port_is_refused(bench: Bench, file: Path, tmp_path: Path, port: str, words: str) -> None:
    bench.port = tmp_path / port
    line = refused(run(bench, file))
    assert line.startswith(f"{bench.port}: ")
    assert words in line
    assert bench.calls() == []


def test_a_port_in_use_is_refused(bench: Bench, file: Path) -> None:
    with serial.Serial(str(bench.port), 500_000, exclusive=True):
        assert refused(run(bench, file)) == f"{bench.port}: in use by another program: end the other program"
    assert bench.calls() == []


def test_where_avrdude_fails_its_words_are_shown_and_what_to_try(bench: Bench, file: Path) -> None:
    bench.runs()
    bench.avrdude("fail")
    result = run(bench, file)
    line = refused(result)
    assert line.startswith(f"{bench.port}: avrdude failed with status 1: ")
    assert line.endswith("try with --old-bootloader")
    assert "avrdude: this is what it says\navrdude: and this\n" in result.stderr
    assert refused(run(bench, file, "--old-bootloader")).endswith("try without --old-bootloader")


def test_an_avrdude_that_never_ends_is_ended(bench: Bench, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.runs()
    bench.avrdude("deaf", "hang")
    begun: list[subprocess.Popen[bytes]] = []
    with bench.hanging() as wait:

        class Impatient(subprocess.Popen[bytes]):
            """Its time to end is over as soon as avrdude hangs."""

            def communicate(self, input: bytes | None = None, timeout: float | None = None) -> tuple[bytes, bytes]:
                assert timeout is not None
                begun.append(self)
                wait()
                raise subprocess.TimeoutExpired(self.args, timeout)

        monkeypatch.setattr(subprocess, "Popen", Impatient)
        with pytest.raises(FlashError, match="avrdude did not end within 120 s"):
            flashing.flash(str(bench.port), file=file)
    assert [process.returncode for process in begun] == [-signal.SIGKILL]


# ---- after


def test_a_board_that_still_says_the_old_wiring(bench: Bench, file: Path) -> None:
    bench.holds(program(wiring_hash=0x12345678))
    bench.runs()
    bench.avrdude()
    line = refused(run(bench, file))
    assert "firmware 1.1.0 was written, but board 007a3517 was built from wiring 12345678" in line


def test_a_port_that_is_gone_afterwards(bench: Bench, file: Path) -> None:
    bench.avrdude("write", "unplug")
    with pytest.raises(FlashError, match=r"the program was written, but .*: no such file or directory: plug in"):
        flash_in_made_up_time(bench, file)


# ---- its id: a board without one gets one, the user may choose it and is told


def controller(bench: Bench) -> FlashedController:
    assert isinstance(bench.board.board, FlashedController)
    return bench.board.board


def told(result: Result) -> int:
    """The board id in the last line of the output of a command that succeeded."""
    assert result.exit_code == 0, result.stderr
    found = re.fullmatch("This is board ([0-9a-f]{8}).", result.stdout.splitlines()[-1])
    assert found, result.stdout
    return int(found[1], 16)


@pytest.mark.parametrize("none", [0, 0xFFFFFFFF])
def test_a_board_without_an_id_gets_one_and_keeps_it(bench: Bench, file: Path, none: int) -> None:
    controller(bench).board_id = none
    bench.runs()
    first = told(run(bench, file))
    assert first not in (0, 0xFFFFFFFF)
    assert controller(bench).board_id == first
    assert told(run(bench, file)) == first


@pytest.mark.parametrize("before", [0, 0x7A3517])
def test_the_user_may_choose_it_whatever_it_was(bench: Bench, file: Path, before: int) -> None:
    controller(bench).board_id = before
    bench.runs()
    assert told(run(bench, file, "--board-id", "0a1B2c3D")) == 0x0A1B2C3D
    assert controller(bench).board_id == 0x0A1B2C3D


@pytest.mark.parametrize("word", ["", "0x1a2b3c", "1a2b3c4d5", "1a2b3c4g", "00000000", "FFFFFFFF"])
def test_what_is_no_id_is_refused_in_one_line_before_anything_is_written(
    bench: Bench, file: Path, word: str
) -> None:
    bench.runs()
    result = run(bench, file, f"--board-id={word}")
    line = refused(result)
    assert len(result.stderr.splitlines()) == 1
    assert "eight hexadecimal digits" in line
    assert bench.calls() == []


def test_a_board_that_keeps_no_id_is_told_but_an_id_that_was_asked_for_must_be_kept(
    bench: Bench, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its record can be written no more: what is read back is damaged."""
    worn = property(lambda board: 0, lambda board, board_id: None)
    monkeypatch.setattr(FlashedController, "board_id", worn, raising=False)
    bench.runs()
    result = run(bench, file)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[-1].startswith("This board keeps no id")
    line = refused(run(bench, file, "--board-id", "1a2b3c4d"))
    assert "the program was written, but the board has no id, not 1a2b3c4d" in line


def test_an_old_program_that_answers_gets_no_id(bench: Bench, file: Path) -> None:
    """The program to be written is not there, so nothing is done to the board by it."""
    controller(bench).board_id = 0
    bench.avrdude()
    bench.runs()
    assert "was written, but the board answers with 1.0.0" in refused(run(bench, file, "--board-id", "1a2b3c4d"))
    assert controller(bench).board_id == 0


def test_a_board_that_this_host_does_not_talk_to_cannot_get_one(bench: Bench, tmp_path: Path) -> None:
    foreign = write_hex(tmp_path / "foreign.hex", hex_lines(program(protocol=(1, 0), wiring_hash=HASH)))
    bench.runs()
    line = refused(run(bench, foreign, "--force", "--board-id", "1a2b3c4d"))
    assert "this board did not get the id 1a2b3c4d" in line


@pytest.mark.parametrize("arguments", [[], ["--port", ""]])
def test_without_a_port_it_says_in_one_line_how_to_give_one(bench: Bench, arguments: list[str]) -> None:
    result = CliRunner().invoke(main, ["flash", *arguments])
    line = refused(result)
    assert len(result.stderr.splitlines()) == 1
    assert "--port /dev/ttyUSB0" in line
    assert bench.calls() == []


# ---- Ctrl-C


def command(bench: Bench, file: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tamsk_hw.commands.main", "flash", str(file), "--port", str(bench.port)],
        env={**os.environ, "PYTHONPATH": str(FIRMWARE.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_ctrl_c_while_avrdude_writes_ends_it_and_says_what_to_do(bench: Bench, file: Path) -> None:
    bench.runs()
    bench.avrdude("hang")
    with bench.hanging() as wait, command(bench, file) as process:
        avrdude = wait()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "Stopped; the board may now hold half a program: run the same command again.\n"
    with pytest.raises(ProcessLookupError):
        os.kill(avrdude, 0)


def test_ctrl_c_before_leaves_everything_as_it_was(bench: Bench, file: Path) -> None:
    with command(bench, file) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "Stopped; nothing was written.\n"
    assert bench.calls() == []
