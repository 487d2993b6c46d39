"""The command line of ``tamsk-hw selftest``; what it does is loaded when it is used."""

from __future__ import annotations

import sys
from pathlib import Path

import click

#: The values of `tamsk_hw.facts.selftest_findings.Part`, and those of them that need a person.
PARTS = ("board", "lights", "buzzer", "buttons", "rings", "glasses", "holders")
NEED_HANDS = ("lights", "buzzer", "buttons")


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(PARTS), metavar="[PART]...")
@click.option(
    "--tube",
    metavar="TUBE",
    help="Hold this finished tube (D4) against the calculations instead, before more are made.",
)
@click.option("--no-hands", is_flag=True, help="Test only what needs no person.")
@click.option("--port", metavar="PORT", help="Test the board at this serial port, in place of the configured one.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def selftest(
    parts: tuple[str, ...], tube: str | None, no_hands: bool, port: str | None, config: Path | None
) -> None:
    """Test the board and its panel part by part: those named, or all of them.

    \b
    board    link, versions, reference voltages, fault flags
    lights   each pixel red, green, blue
    buzzer   each sound
    buttons  each one short and long
    rings    ring sensors: light sweep of the empty board, then a finger over each
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
    from tamsk_hw.workbench.selftest.run import SelfTestSettings, chosen_parts, show_selftest

    needing = [part for part in parts if part in NEED_HANDS]
    if no_hands and needing:
        raise click.UsageError(f"{', '.join(needing)}: somebody has to be there; leave --no-hands out.")
    if tube is not None and (parts or no_hands):
        raise click.UsageError("--tube stands alone: somebody measures one tube; leave parts and --no-hands out.")
    if tube is not None and tube.upper() not in TUBE_OF_NAME:
        raise click.BadParameter(f"{tube}; allowed is a tube, as D4", param_hint="--tube")
    settings = SelfTestSettings(
        parts=chosen_parts(parts),
        tube=None if tube is None else TUBE_OF_NAME[tube.upper()],
        hands=not no_hands,
        port=port,
        config=config,
    )
    sys.exit(show_selftest(settings))
