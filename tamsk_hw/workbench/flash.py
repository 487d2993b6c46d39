"""``tamsk-hw flash``: checks the controller's program, writes it, and asks the board for its HELLO.

avrdude writes it, through the boot loader of an Arduino. Nothing is written before file, port and avrdude have
been checked; avrdude gets a copy of the bytes that were checked. A board without an id gets one.
"""

import contextlib
import os
import re
import secrets
import shutil
import stat
import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final

import click

from tamsk_hw.board.firmware_file import FirmwareFile, Identification, read_firmware
from tamsk_hw.board.link_events import Answered, Connected, PortNotOpened, PortTrouble, Refused, Unreachable
from tamsk_hw.board.protocol import NO_BOARD_IDS, PROTOCOL_MAJOR, Hello
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.configuration import Places, load_configuration
from tamsk_hw.errors import FlashError
from tamsk_hw.system.files import temporary_folder
from tamsk_hw.system.service import Stopped
from tamsk_hw.words.hardware import link_error, link_words
from tamsk_hw.workbench.board import Clock, polls_within

#: Seconds for a board to store an id; it answers within 0.1 s, and is asked again every 0.5 s.
BOARD_ID_MOST: Final = 3.0


def asked_id(text: str | None) -> int | None:
    """The id given with ``--board-id``; None without the option.

    Raises `FlashError` for anything but a possible id.
    """
    if text is None:
        return None
    if not re.fullmatch("[0-9A-Fa-f]{8}", text) or int(text, 16) in NO_BOARD_IDS:
        raise FlashError(
            f'--board-id "{text}": allowed are eight hexadecimal digits, as 0a1b2c3d; 00000000 and ffffffff are '
            "those of a board that has none"
        )
    return int(text, 16)


#: The program that `make -C firmware` builds in a checkout.
BUILT: Final = Path(__file__).resolve().parents[2] / "firmware" / "build" / "tamsk.hex"

#: Seconds that a board is given to say its HELLO before writing: opening the port resets it, and its boot loader
#: waits for one or two seconds.
HELLO_BEFORE: Final = 4.0

#: Seconds that it is given afterwards. The link reopens a silent port after 5 s.
HELLO_AFTER: Final = 12.0

#: Seconds that avrdude is given; 30 KiB at 57 600 baud, written and read back, take about 20.
AVRDUDE_MOST: Final = 120.0

# Bits a second that the boot loaders speak.
_OPTIBOOT_BAUD: Final = 115_200
_OLD_BAUD: Final = 57_600


def flash(
    port: str | None,
    *,
    file: Path | None = None,
    config: Path | None = None,
    board_id: int | None = None,
    old_bootloader: bool = False,
    force: bool = False,
    verbose: bool = False,
    clock: Clock | None = None,
) -> None:
    """Check, write, and ask the board for its new version.

    Args:
        port: the board's, which must be given.
        file: the program, `BUILT` without one.
        config: the configuration that names the host's wiring map, the one that is found without one.
        board_id: the id that the board must get (32 bits, none of `NO_BOARD_IDS`); without one it keeps its own,
            or gets any when it has none.
        old_bootloader: 57 600 baud in place of 115 200.
        force: write also a program that does not belong on this board.
        verbose: show avrdude's output as it comes, else only when it fails.
        clock: for tests.

    Raises:
        FlashError: what is wrong, and what to do.
        ConfigError: the configuration is refused.
        WiringError: the map that it names is.
    """
    clock = clock or Clock()
    if not port:
        raise FlashError("say where the board is: --port /dev/ttyUSB0, or as ls /dev/serial/by-id shows it")
    wiring_hash = load_wiring(load_configuration(config, Places.of(os.environ)).board.wiring).hash
    # The state that an interruption leaves behind.
    state = "nothing was written"
    try:
        firmware = _program_for(file, wiring_hash, force=force)
        avrdude = shutil.which("avrdude")
        if avrdude is None:
            raise FlashError("avrdude, which writes the program, was not found: sudo apt install avrdude")
        _report_what_answers(port, firmware, wiring_hash, clock)
        click.echo("Writing, about ten seconds; a board that does not answer is given up after a minute.")
        state = "the board may now hold half a program: run the same command again"
        _write(avrdude, port, firmware.content, old_bootloader=old_bootloader, verbose=verbose)
        state = "the program is written, but was not heard: run the same command again to be sure"
        _check_answer(port, firmware.identification, wiring_hash, board_id, clock)
    except Stopped:
        click.echo(f"Stopped; {state}.", err=True)
        raise


def _program_for(file: Path | None, wiring_hash: int, *, force: bool) -> FirmwareFile:
    """The program to write, checked; it fits this host, or is forced."""
    if file is None and not BUILT.is_file():
        raise FlashError(
            "no program to write: give the tamsk.hex of a release (tamsk-hw flash tamsk.hex …), or build one with "
            "make -C firmware"
        )
    firmware = read_firmware(file or BUILT)
    about = f"{firmware.path}: {len(firmware.program)} bytes"
    if known := firmware.identification:
        protocol = ".".join(map(str, known.protocol))
        about += f", firmware {known.version}, protocol {protocol}, wiring {known.wiring_hash:08x}"
    click.echo(about)
    problem = firmware.misfit(wiring_hash)
    if problem is not None and not force:
        raise FlashError(f"{problem}; --force writes it all the same")
    if problem is not None:
        click.echo(f"Written all the same: {problem}.", err=True)
    return firmware


def _report_what_answers(port: str, firmware: FirmwareFile, wiring_hash: int, clock: Clock) -> None:
    """Refuse a port that cannot be used; report what answers on it, if anything."""
    try:
        kind = os.stat(port).st_mode
    except OSError as error:
        words = (error.strerror or str(error)).lower()
        raise FlashError(f"{port}: {words}: plug in the board, or correct --port") from error
    if not stat.S_ISCHR(kind):
        raise FlashError(f"{port}: is no serial port: correct --port")
    heard = _answer_on(port, wiring_hash, HELLO_BEFORE, clock)
    written = firmware.identification.version if firmware.identification else "a program without a version"
    match heard:
        case Connected():
            click.echo(f"Now firmware {_version(heard.hello)}, to be written {written}.")
        case Refused():
            click.echo(f"Now: {link_words(heard.reason)}.\nTo be written {written}.")
        case Unreachable(reason=PortNotOpened(trouble=PortTrouble.NOT_SERIAL)):
            raise FlashError(f"{port}: is no serial port: correct --port")
        case Unreachable():
            problem = link_error(heard.reason)
            raise FlashError(problem.cause, problem.advice)
        case None:
            click.echo(f"Now nothing answers on {port}, to be written {written}.")


def _write(avrdude: str, port: str, content: bytes, *, old_bootloader: bool, verbose: bool) -> None:
    """Run avrdude, which writes and reads back."""
    with temporary_folder() as folder:
        (folder / "tamsk.hex").write_bytes(content)
        command = [avrdude, "-p", "atmega328p", "-c", "arduino", "-P", os.path.abspath(port)]
        command += ["-b", str(_OLD_BAUD if old_bootloader else _OPTIBOOT_BAUD)]
        command += ["-D", "-U", "flash:w:tamsk.hex:i"]
        out, errors = (None, None) if verbose else (subprocess.PIPE, subprocess.STDOUT)
        null = subprocess.DEVNULL
        try:
            # Out of reach of the terminal's Ctrl-C, which ends it all the same; then the state is reported.
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=null,
                stdout=out,
                stderr=errors,
                timeout=AVRDUDE_MOST,
                start_new_session=True,
            )
        except OSError as error:
            raise FlashError(f"{avrdude}: cannot be run: {(error.strerror or str(error)).lower()}") from error
        except subprocess.TimeoutExpired as error:
            raise FlashError(
                f"{port}: avrdude did not end within {AVRDUDE_MOST:g} s: unplug the board for a moment, "
                "and run the same command again"
            ) from error
    if done.returncode:
        if done.stdout:
            click.echo(done.stdout.decode(errors="replace").rstrip(), err=True)
        other = "without" if old_bootloader else "with"
        raise FlashError(
            f"{port}: avrdude failed with status {done.returncode}: check cable and port, close what "
            f"else uses it, and try {other} --old-bootloader"
        )


def _check_answer(
    port: str, written: Identification | None, wiring_hash: int, wanted: int | None, clock: Clock
) -> None:
    """Check that the board reports what was written; then give it its id, the ``wanted`` one or any."""

    def name(link: SerialLink, hello: Hello) -> Hello:
        return _named(link, hello, wanted, clock) if _is_what(written, hello) else hello

    expected_hash = written.wiring_hash if written else wiring_hash
    heard = _answer_on(port, expected_hash, HELLO_AFTER, clock, keep_trying=True, then=name)
    again = "pull the board's plug, put it in and run the same command again"
    match heard:
        case Connected(hello=hello) if written and not _is_what(written, hello):
            raise FlashError(
                f"{port}: firmware {written.version} was written, but the board answers with {_version(hello)}: "
                f"{again}"
            )
        case Connected(hello=hello):
            click.echo(f"Written; firmware {_version(hello)} answers.\n{_id_words(port, hello, wanted)}")
            return
        case Refused() if written and written.protocol[0] == PROTOCOL_MAJOR:
            raise FlashError(f"{port}: firmware {written.version} was written, but {link_words(heard.reason)}")
        case Refused():
            click.echo(f"Written; {link_words(heard.reason)}.")
        case Unreachable():
            raise FlashError(f"the program was written, but {link_words(heard.reason)}; then {again}")
        case None if written:
            raise FlashError(f"{port}: the program was written, but nothing answers: {again}")
        case None:
            click.echo("Written; nothing answers, and what should, this program cannot know.")
    if wanted is not None:
        raise FlashError(
            f"{port}: the program was written, but this board did not get the id {wanted:08x}: write the program "
            "that belongs to this host"
        )


def _named(link: SerialLink, hello: Hello, wanted: int | None, clock: Clock) -> Hello:
    """Give a connected board the wanted id, or any if it has none; its HELLO afterwards."""
    if hello.board_id == wanted or (wanted is None and hello.board_id not in NO_BOARD_IDS):
        return hello
    # Among a thousand boards two share an id once in 8600 times.
    given = secrets.randbelow(0xFFFFFFFE) + 1 if wanted is None else wanted
    link.session.set_board_id(given)
    for event in chain.from_iterable(polls_within(link, clock, BOARD_ID_MOST)):
        match event:
            case Answered(_, board_id):
                return replace(hello, board_id=board_id)
            case Connected():
                link.session.set_board_id(given)
    return hello


def _id_words(port: str, hello: Hello, wanted: int | None) -> str:
    """A sentence on the board's id. Raises `FlashError` when it is not the wanted one."""
    has_none = hello.board_id in NO_BOARD_IDS
    if wanted is not None and hello.board_id != wanted:
        has = "no id" if has_none else f"the id {hello.board_id:08x}"
        raise FlashError(
            f"{port}: the program was written, but the board has {has}, not {wanted:08x}: run the same command "
            "again; if that does not help, its EEPROM is worn out"
        )
    if has_none:
        return "This board keeps no id: it cannot be distinguished from others. It plays all the same."
    return f"This is board {hello.board_id:08x}."


def _answer_on(
    port: str,
    wiring_hash: int,
    seconds: float,
    clock: Clock,
    *,
    keep_trying: bool = False,
    then: Callable[[SerialLink, Hello], Hello] = lambda link, hello: hello,
) -> Connected | Refused | Unreachable | None:
    """The answer on the port within ``seconds``; None for silence.

    A port that cannot be opened is reported at once; with ``keep_trying`` only at the end, since a board that was
    just written may be away for a moment. ``then`` is called with a board that may be used, and gives its HELLO
    afterwards.
    """
    problem: Unreachable | None = None
    with contextlib.closing(SerialLink(port, wiring_hash)) as link:
        for events in polls_within(link, clock, seconds):
            for event in events:
                match event:
                    case Connected():
                        return replace(event, hello=then(link, event.hello))
                    case Refused():
                        return event
                    case Unreachable():
                        problem = event
            if link.fileno() is not None:
                problem = None
            if problem is not None and not keep_trying:
                break
    return problem


def _is_what(written: Identification | None, hello: Hello) -> bool:
    """True when the answering program is the one that was written, as far as that is known."""
    return written is None or (hello.firmware, hello.protocol) == (written.firmware, written.protocol)


def _version(hello: Hello) -> str:
    return ".".join(map(str, hello.firmware))
