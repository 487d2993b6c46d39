"""``tamsk-hw simulate``: a simulated board at a port, with hands at a socket (docs/simulate.md)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from tamsk_hw.commands.numbers import IntegerRange

#: Who is played by the program.
PLAYERS = ("none", "red", "black", "both")

#: How well they play; the first plays as in the demo of `tamsk-hw run`.
STRENGTHS = ("lawful", "easy", "fair", "strong")


@click.command()
@click.option("--port", type=click.Path(path_type=Path), metavar="PATH", help="Make the board's port here.")
@click.option("--hands", type=click.Path(path_type=Path), metavar="SOCKET", help="Let hands ask at this socket.")
@click.option("--live", type=click.Path(path_type=Path), metavar="SOCKET", help="The service whose players play.")
@click.option("--seed", type=IntegerRange(min=0), help="The same seed is the same board and the same players.")
@click.option(
    "--setup",
    type=click.Choice(["corners", "free", "box"]),
    help="Glasses on the start tubes, off the board, or glasses and timer off the board.",
)
@click.option(
    "--players", type=click.Choice(PLAYERS), default="none", show_default=True, help="Played by the program."
)
@click.option(
    "--strength",
    type=click.Choice(STRENGTHS),
    default="lawful",
    show_default=True,
    help="How well they play: lawful keeps the rules and no more.",
)
@click.option(
    "--emulator",
    is_flag=True,
    help="Run the real firmware in an emulated controller; needs a checkout and its toolchain.",
)
@click.option("--wiring", type=click.Path(path_type=Path), metavar="MAP", help="The board of this wiring map.")
@click.option(
    "--fault", "faults", multiple=True, metavar="WORDS", help='Break a part, as "ring D4.2 1"; may be given again.'
)
@click.option("--until-closed", is_flag=True, hidden=True, help="End with standard input.")
def simulate(
    port: Path | None,
    hands: Path | None,
    live: Path | None,
    seed: int | None,
    setup: str | None,
    players: str,
    strength: str,
    emulator: bool,
    wiring: Path | None,
    faults: tuple[str, ...],
    until_closed: bool,
) -> None:
    """Run a simulated board at a serial port, in real time, until Ctrl-C.

    A configured service, doctor, selftest, calibrate and frames take it for a real one. Nothing happens on it but
    what `tamsk-hw hands` does, or players that the program plays (--players). It prints the configuration by which
    a service has its port, buttons and lights.
    """
    from tamsk_hw.commands.language import speaking_to_people
    from tamsk_hw.configuration.finding import Places, state_folder
    from tamsk_hw.game.players import Player
    from tamsk_hw.hands.fault_words import fault_of
    from tamsk_hw.hands.simulating import Begun, SimulateSettings
    from tamsk_hw.hands.simulating import simulate as run
    from tamsk_hw.partner import Strength
    from tamsk_hw.simulator.world import WorldStart
    from tamsk_hw.words.hands import begun_words

    played = {"none": (), "both": tuple(Player)}
    settings = SimulateSettings(
        port=None if port is None else port.absolute(),
        hands=None if hands is None else hands.absolute(),
        live=live,
        seed=seed,
        setup=None if setup is None else WorldStart(setup),
        players=played[players] if players in played else (Player(players),),
        strength=None if strength == "lawful" else Strength(strength),
        emulator=emulator,
        wiring=wiring,
        faults=tuple(map(fault_of, faults)),
        until_closed=sys.stdin.fileno() if until_closed else None,
    )

    def say(begun: Begun) -> None:
        for line in begun_words(begun.port, begun.hands, emulator=begun.emulator, seed=begun.seed):
            click.echo(line)

    with speaking_to_people():
        run(settings, state_folder(Places.of(os.environ)), say)
