"""Commands of the workbench; each loads what it does when it is used."""

import sys
from pathlib import Path
from typing import Any

import click

from tamsk_hw.commands.options import CONFIG, HelpfulGroup, IntegerRange, path_option, written_option


@click.command()
@path_option(
    *("-o", "--output"),
    help="Write this file; without it tamsk-hw-bundle-DATE-TIME.tar.gz in this folder.",
    dir_okay=False,
)
@click.option(
    "--games", type=IntegerRange(0, 10), default=3, show_default=True, help="Number of the last games to include."
)
@click.option("--yes", is_flag=True, help="Write it without showing all of it and asking first.")
@CONFIG
def bundle(**options: Any) -> None:
    """Put all that a bug report needs into one file.

    It has the doctor's findings, versions, configuration, calibration, the last games, some seconds of the line
    and the service's log, as far as they are there. The names of players, of this computer and its user, and
    addresses are hidden. All of it is shown before it is written, and a terminal is asked: read it. An existing
    file is not replaced. Nothing is sent: send it yourself. Exits with 0 when it is written, with 1 when the
    answer is no, else with 2 and one line on standard error.
    """
    from tamsk_hw.workbench.bundle import make_bundle

    sys.exit(make_bundle(**options))


#: As in `tamsk_hw.workbench.calibrate`.
CALIBRATED = ("fields", "rings", "holders")

_PORT = click.option("--port", metavar="PORT", help="Use this serial port, in place of the configured one.")


@click.group(cls=HelpfulGroup)
def calibrate() -> None:
    """Measure this board and its glasses; what was measured is kept in the calibration file."""


@calibrate.command("sensors")
@click.option(
    "--only",
    type=click.Choice(CALIBRATED),
    multiple=True,
    help="Measure this part; may be given again. All of them without it.",
)
@click.option(
    "--tube",
    "tubes",
    multiple=True,
    metavar="TUBE",
    help="Measure the field and the rings of this tube (D4), or the timer's cradle (timer); may be given again.",
)
@click.option(
    "--rings",
    type=IntegerRange(1, 64),
    default=32,
    show_default=True,
    help="Rings that go into each ring holder to weigh a ring.",
)
@_PORT
@CONFIG
def measure_sensors(rings: int, **options: Any) -> None:
    """Measure fields, ring sensors and ring holders, led by the board's lights and by words.

    \b
    start button, Enter: go on         red button, skip: leave this one out
    start held, quit, Ctrl-C: end      black button, back: the one before again

    Everything goes off the board first. What was completed is kept, also when it is ended early; what was measured
    before and is not measured now stays as it was. Exits with 0 when all that was asked for is measured and none
    is bad, else with 1; with 2 and one line on standard error when it cannot begin or cannot save.
    """
    from tamsk_hw.workbench.calibrate import calibrate_sensors

    sys.exit(calibrate_sensors(rings_to_weigh=rings, **options))


@calibrate.command()
@click.option(
    "--only",
    type=click.Choice(["D1", "G4", "A4", "G1", "D7", "A1", "timer"], case_sensitive=False),
    multiple=True,
    metavar="GLASS",
    help="Time the glass that starts on this tube, or the timer; may be given again. All of them without it.",
)
@click.option(
    "--runs",
    type=IntegerRange(2, 20),
    default=2,
    show_default=True,
    help="Runs of each glass in each direction; of the timer four times as many.",
)
@_PORT
@CONFIG
def glasses(**options: Any) -> None:
    """Time each glass from full, in both directions, as many at once as you can watch.

    \b
    A glass starts when it is run down and turned over on its own tube.
    Its last grain: the start button calls the glass that is due or selected,
                    or type its name (D1, timer) and press Enter as it falls
    red, black:     select another glass         start held: take the last call back
    typed besides:  back · drop NUMBER (throw a run out) · void GLASS (it was touched) · end

    What is complete is saved at the end, also after Ctrl-C; what was timed before and is not now stays as it was.
    Exits with 0 when all that was asked for is complete, else with 1; with 2 and one line on standard error when
    it cannot begin or cannot save.
    """
    from tamsk_hw.workbench.glasses import calibrate_glasses

    sys.exit(calibrate_glasses(**options))


#: The values of `tamsk_hw.workbench.parts.Part`, and those of them that need a person.
TESTED = ("board", "lights", "buzzer", "buttons", "rings", "glasses", "holders")
NEED_HANDS = ("lights", "buzzer", "buttons")


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(TESTED), metavar="[PART]...")
@click.option(
    "--tube",
    metavar="TUBE",
    help="Hold this finished tube (D4) against the calculations instead, before more are made.",
)
@click.option("--no-hands", is_flag=True, help="Test only what needs no person.")
@click.option("--port", metavar="PORT", help="Test the board at this serial port, in place of the configured one.")
@CONFIG
def selftest(
    parts: tuple[str, ...], tube: str | None, no_hands: bool, port: str | None, config: Path | None
) -> None:
    """Test the board and its panel part by part: those named, or all of them.

    \b
    board    link, versions, reference voltages, fault flags
    lights   each pixel red, green, blue
    buzzer   each sound
    buttons  each one short and long
    rings    ring sensors: the empty board, then a finger over each
    glasses  Hall sensors: rest and noise, then a glass in each, both ends
    holders  load cells: rest and noise, then a ring

    \b
    --tube  rings pushed against their sensors and away from them, a glass on both ends, a glass next to it;
            nothing is saved

    \b
    y, Enter or the start button: yes        n or the start button held: no
    s: leave this part out                   q or Ctrl-C: end

    Each line at the end is ok, a warning or a problem. Exits with 0 when there is no problem, else with 1; with 2
    and one line on standard error when it cannot begin. Nothing else may use the port.
    """
    from tamsk_hw.game.tubes import TUBE_OF_NAME
    from tamsk_hw.workbench.parts import Part
    from tamsk_hw.workbench.selftest import show_selftest

    needing = [part for part in parts if part in NEED_HANDS]
    if no_hands and needing:
        raise click.UsageError(f"{', '.join(needing)}: somebody has to be there; leave --no-hands out.")
    if tube is not None and (parts or no_hands):
        raise click.UsageError("--tube stands alone: somebody measures one tube; leave parts and --no-hands out.")
    if tube is not None and tube.upper() not in TUBE_OF_NAME:
        raise click.BadParameter(f"{tube}; allowed is a tube, as D4", param_hint="--tube")
    finished = None if tube is None else TUBE_OF_NAME[tube.upper()]
    sys.exit(show_selftest(list(map(Part, parts)), tube=finished, hands=not no_hands, port=port, config=config))


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--port", metavar="PORT", help="The board's serial port, e.g. /dev/ttyUSB0. It must be given.")
@click.option("--board-id", metavar="HEX", help="Give the board this id: eight hexadecimal digits, as 0a1b2c3d.")
@click.option("--old-bootloader", is_flag=True, help="For older Arduino Nanos: 57600 baud in place of 115200.")
@click.option("--force", is_flag=True, help="Write a program of another protocol or wiring all the same.")
@click.option("-v", "--verbose", is_flag=True, help="Show what avrdude says.")
@CONFIG
def flash(board_id: str | None, **options: Any) -> None:
    """Write the controller's program FILE (a release's tamsk.hex) to the board at PORT, with avrdude.

    Without FILE it is the one that ``make -C firmware`` built in this checkout. File and port are checked
    before, and the board must answer with the new version after. A board that has no id of its own gets any; it
    keeps it, and board.board_id in the configuration may ask for it. Exits with 0 then, else with 2 and one line
    on standard error that says what to do.
    """
    from tamsk_hw.workbench.flash import asked_id
    from tamsk_hw.workbench.flash import flash as write

    write(board_id=asked_id(board_id), **options)


@click.command()
@click.argument("file", required=False, type=click.Path(allow_dash=True))
@click.option("--port", metavar="PORT", help="Listen on this serial port, in place of the configured one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, each snapshot in full.")
@click.option("--all", "everything", is_flag=True, help="Every snapshot in full, not only what has changed.")
@written_option("--raw", help="Write the bytes to this file")
@CONFIG
def frames(**options: Any) -> None:
    """Show what the board says on its line, decoded, a line for each frame.

    The raw bytes come from FILE (- is standard input), else live from the board's port, which nothing else may
    use, until Ctrl-C. A line has the time (seconds since listening began; from a file the controller's own, in
    snapshots), the frame's seq and type, and what it says. "glasses D1:195A" is the reading of D1's field, 0 to
    255, and what it says by itself: A or B seated on that end, a or b leaning, ~ above the tube, ! at an end of
    the scale, nothing for an empty tube. "rings D4:110?" are the ring sensors from the bottom up, 1 a ring, 0
    none, ? unknown. Of a snapshot only what differs from those before is told; changes within the
    noise are not. Frames that are missing, and damaged ones with their bytes, have lines of their own. At the end
    stand the counters.
    """
    from tamsk_hw.workbench.frames import show_frames

    if options["file"] is not None and options["port"] is not None:
        raise click.UsageError("FILE and --port exclude each other.")
    show_frames(**options)


@click.command()
@click.option("--port", metavar="PORT", help="Look at this serial port, in place of the configured one.")
@click.option("--once", is_flag=True, help="Print the picture once and end.")
@CONFIG
def sensors(port: str | None, once: bool, config: Path | None) -> None:
    """Show what each sensor of the board reads, and what it is taken for, live until Ctrl-C.

    Without a terminal of 80 by 23 characters it is shown once. A standing is that of the single reading; the
    referee waits until it holds. Nothing else may use the port.
    """
    from tamsk_hw.workbench.sensors import show_sensors

    show_sensors(port, config, once=once)


@click.command()
@CONFIG
def doctor(config: Path | None) -> None:
    """Look at configuration, port, pins, link, versions, calibration, disk and clock, and say what to do.

    Each line is ok, a warning or a problem. Exits with 0 when there is no problem, else with 1.
    """
    from tamsk_hw.workbench.doctor import show_doctor

    sys.exit(show_doctor(config))
