"""The command line ``tamsk-hw`` (CONTRACT: command line)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from tamsk_hw import __version__
from tamsk_hw.errors import TamskError, printable
from tamsk_hw.service.stopping import Stopped, stop_on_signals

if TYPE_CHECKING:
    from tamsk_hw.service.journal import Archive


class _Number(click.FloatRange):
    """A number in a range, to which "not a number" does not belong."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def refuse(error: TamskError | OSError) -> NoReturn:
    """Say in one line on standard error what is wrong, and exit with 2."""
    words = str(error)
    if isinstance(error, OSError):
        words = f"{error.filename or 'standard input or output'}: {error.strerror or error}"
    click.echo(f"tamsk-hw: {printable(' '.join(words.split()))}", err=True)
    sys.exit(2)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tamsk-hw")
def main() -> None:
    """Referee and controller for a sensing TAMSK board."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character gets its number


@main.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print the rulings as JSON Lines.")
def replay(file: str, as_json: bool) -> None:
    """Referee the event stream in FILE (- is standard input) and print the rulings.

    Exits with 0 when the stream was taken to its end, with 2 when it is refused; then nothing is printed
    but one line on standard error.
    """
    from tamsk_hw.service.replay import replay_lines

    try:
        with click.open_file(file, "rb") as stream:
            printed = replay_lines(stream, "standard input" if file == "-" else file, as_json=as_json)
    except (TamskError, OSError) as error:
        refuse(error)
    if as_json and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # as JSON Lines are
    try:
        click.echo("\n".join([*printed, ""]), nl=False)
    except BrokenPipeError:
        raise
    except OSError as error:
        refuse(error)


@main.command()
@click.argument("depth", type=click.IntRange(0, 12))
@click.option(
    "--rings",
    type=click.Choice(["always", "optional"]),
    default="always",
    show_default=True,
    help="Each move drops its ring, or drops it or not.",
)
def perft(depth: int, rings: str) -> None:
    """Count the level-1 lines of DEPTH plies from the start."""
    from tamsk_hw.game.perft import perft as count

    click.echo(count(depth, optional_rings=rings == "optional"))


@main.command()
@click.option(
    "--level", type=click.IntRange(1, 3), help="Level of the game; without it that of the configuration."
)
@click.option("--seed", type=click.IntRange(min=0), help="The same seed plays the same players on the same board.")
@click.option(
    "--speed",
    type=_Number(0, 100, min_open=True),
    help="Times real time, 1 without it; nothing is skipped.",
)
@click.option(
    "--mischief",
    type=_Number(0, 1),
    help="Chance, for each turn, that the players break a rule; 0 without it.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the event stream to this file, in place of what it holds.",
)
@click.option(
    "--emulator",
    is_flag=True,
    help="Play on the real firmware in an emulated controller; needs a checkout and its toolchain.",
)
@click.option("--simulated", is_flag=True, help="Play on the simulated board though another is configured.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def run(
    level: int | None,
    seed: int | None,
    speed: float | None,
    mischief: float | None,
    record: Path | None,
    emulator: bool,
    simulated: bool,
    config: Path | None,
) -> None:
    """Referee games at the configured board; without one, a game of two players on the simulated board.

    On a terminal the game is shown as a live picture, elsewhere as a line per ruling. Ctrl-C ends it. Seed, speed,
    mischief, record and emulator are of the simulated board.
    """
    from tamsk_hw.service.run import RunSettings, run_configured

    settings = RunSettings(
        level=level,
        seed=seed,
        speed=speed,
        mischief=mischief,
        record=record,
        emulator=emulator,
        simulated=simulated,
    )
    try:
        status = run_configured(settings, config)
    except TamskError as error:
        refuse(error)
    sys.exit(status)


@main.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--port", required=True, metavar="PORT", help="The board's serial port, e.g. /dev/ttyUSB0.")
@click.option("--old-bootloader", is_flag=True, help="For older Arduino Nanos: 57600 baud in place of 115200.")
@click.option("--force", is_flag=True, help="Write a program of another protocol or wiring all the same.")
@click.option("-v", "--verbose", is_flag=True, help="Show what avrdude says.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def flash(
    file: Path | None, port: str, old_bootloader: bool, force: bool, verbose: bool, config: Path | None
) -> None:
    """Write the controller's program FILE (a release's tamsk.hex) to the board at PORT, with avrdude.

    Without FILE it is the one that ``make -C firmware`` built in this checkout. File and port are checked
    before, and the board must answer with the new version after. Exits with 0 then, else with 2 and one line on
    standard error that says what to do.
    """
    from tamsk_hw.service.flashing import FlashSettings
    from tamsk_hw.service.flashing import flash as write

    try:
        write(
            FlashSettings(
                port=port,
                file=file,
                config=config,
                old_bootloader=old_bootloader,
                force=force,
                verbose=verbose,
            )
        )
    except TamskError as error:
        refuse(error)


@main.command()
@click.argument("file", required=False, type=click.Path(allow_dash=True))
@click.option("--port", metavar="PORT", help="Listen on this serial port, in place of the configured one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, each snapshot in full.")
@click.option("--all", "everything", is_flag=True, help="Every snapshot in full, not only what has changed.")
@click.option(
    "--raw",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the bytes to this file, in place of what it holds.",
)
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def frames(
    file: str | None,
    port: str | None,
    as_json: bool,
    everything: bool,
    raw: Path | None,
    config: Path | None,
) -> None:
    """Show what the board says on its line, decoded, a line for each frame.

    The raw bytes come from FILE (- is standard input), else live from the board's port, which nothing else may
    use, until Ctrl-C. A line has the time (seconds since listening began; from a file the controller's own, in
    snapshots), the frame's seq and type, and what it says. "glasses D1:195A" is the reading of D1's field, 0 to
    255, and what it says by itself: A or B seated on that end, a or b leaning, ~ above the tube, ! at an end of
    the scale, nothing for an empty tube. "rings D4:110?" are the ring sensors from the bottom up, 1 a ring, 0
    none, ? light seen while dark. Of a snapshot only what differs from those before is told; changes within the
    noise are not. Frames that are missing, and damaged ones with their bytes, have lines of their own. At the end
    stand the counters.
    """
    from tamsk_hw.service.diagnostics.frames import FramesSettings, show_frames

    if file is not None and port is not None:
        raise click.UsageError("FILE and --port exclude each other.")
    settings = FramesSettings(file=file, port=port, config=config, as_json=as_json, everything=everything, raw=raw)
    try:
        show_frames(settings)
    except BrokenPipeError:
        raise
    except (TamskError, OSError) as error:
        refuse(error)


@main.command()
@click.option("--port", metavar="PORT", help="Look at this serial port, in place of the configured one.")
@click.option("--once", is_flag=True, help="Print the picture once and end.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def sensors(port: str | None, once: bool, config: Path | None) -> None:
    """Show what each sensor of the board reads, and what it is taken for, live until Ctrl-C.

    Without a terminal of 80 by 23 characters it is shown once. A standing is that of the single reading; the
    referee waits until it holds. Nothing else may use the port.
    """
    from tamsk_hw.service.diagnostics.sensors import show_sensors

    try:
        show_sensors(port, config, once=once)
    except BrokenPipeError:
        raise
    except (TamskError, OSError) as error:
        refuse(error)


@main.command()
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def doctor(config: Path | None) -> None:
    """Look at configuration, port, pins, link, versions, calibration, disk and clock, and say what to do.

    Each line is ok, a warning or a problem. Exits with 0 when there is no problem, else with 1.
    """
    from tamsk_hw.service.diagnostics.doctor import show_doctor

    sys.exit(show_doctor(config))


@main.group()
def config() -> None:
    """Look at the configuration (docs/configuration.md lists every key)."""


@config.command("check")
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read this file, in place of /etc/tamsk-hw/config.toml or the user's own.",
)
def config_check(file: Path | None) -> None:
    """Say which configuration is read, what differs from the defaults and what will not work as it is.

    Exits with 0, warnings or not; with 2 for a configuration that is refused, and one line on standard error.
    """
    import os

    from tamsk_hw.service.configuration.checking import Machine, check
    from tamsk_hw.service.configuration.finding import Places

    try:
        lines = check(file, Places.of(os.environ), Machine())
    except TamskError as error:
        refuse(error)
    click.echo("\n".join(lines))


def _of_the_journal(command: Callable[..., None]) -> Callable[..., None]:
    """Say where the journal is, and refuse in one line what goes wrong."""

    @click.option("--folder", type=click.Path(path_type=Path), help="The journal's folder.")
    @click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
    @wraps(command)
    def with_archive(folder: Path | None, config: Path | None, **rest: Any) -> None:
        from tamsk_hw.service.games import archive_in

        try:
            command(archive_in(folder, config), **rest)
        except BrokenPipeError:
            raise
        except (TamskError, OSError) as error:
            refuse(error)

    return with_archive


@main.group()
def games() -> None:
    """Look at the games in the journal, name their players, delete them."""


@games.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
@_of_the_journal
def games_list(archive: Archive, as_json: bool) -> None:
    """List all games: number, date, players, level, turns, state, result."""
    from tamsk_hw.service.games import print_games

    print_games(archive, as_json=as_json)


@games.command("show")
@click.argument("number")
@click.option("--json", "as_json", is_flag=True, help="Print all that is known of the game as a JSON object.")
@_of_the_journal
def games_show(archive: Archive, number: str, as_json: bool) -> None:
    """Print the score sheet of game NUMBER."""
    from tamsk_hw.service.games import print_game

    print_game(archive, number, as_json=as_json)


@games.command("export")
@click.argument("number")
@click.option(
    "--format",
    "form",
    type=click.Choice(["stream", "sheet", "json"]),
    default="stream",
    show_default=True,
    help="The event stream, as tamsk-hw replay reads it, the score sheet, or both with the rulings as JSON.",
)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file, in place of what it holds.",
)
@_of_the_journal
def games_export(archive: Archive, number: str, form: str, file: Path | None) -> None:
    """Write game NUMBER to a file, or to standard output."""
    from tamsk_hw.service.games import export

    export(archive, number, form=form, file=file)


@games.command("delete")
@click.argument("number")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_of_the_journal
def games_delete(archive: Archive, number: str, yes: bool) -> None:
    """Delete game NUMBER for good; not while it is played."""
    from tamsk_hw.service.games import delete

    delete(archive, number, yes=yes)


@games.command("name")
@click.argument("number")
@click.option("--red", metavar="NAME", help="Who played red.")
@click.option("--black", metavar="NAME", help="Who played black.")
@_of_the_journal
def games_name(archive: Archive, number: str, red: str | None, black: str | None) -> None:
    """Say who played game NUMBER; an empty name takes one away."""
    from tamsk_hw.service.games import name_players

    name_players(archive, number, red=red, black=black)


@games.command("players")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@_of_the_journal
def games_players(archive: Archive, as_json: bool) -> None:
    """List each player's results, and those of each pair of players."""
    from tamsk_hw.service.games import print_players

    print_players(archive, as_json=as_json)


def entry() -> NoReturn:
    """The program: Ctrl-C and signals end it with the status that shells expect, 130 for Ctrl-C."""
    try:
        stop_on_signals()
        main()
    except Stopped as stopped:
        sys.exit(stopped.status)
    sys.exit(0)


if __name__ == "__main__":
    entry()
