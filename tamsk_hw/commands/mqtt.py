"""``tamsk-hw mqtt``: a board's bridge to the MQTT broker of its hall (docs/hall.md)."""

import asyncio
import os
from pathlib import Path

import click

from tamsk_hw.commands.options import CONFIG, HelpfulGroup, path_option, socket_places
from tamsk_hw.configuration import Places, load_configuration
from tamsk_hw.configuration.kinds import IS_PLACE_NAME
from tamsk_hw.live.client import SERVICE


@click.group(cls=HelpfulGroup, invoke_without_command=True)
@CONFIG
@path_option(
    "--socket", metavar="PATH", help="Pass on the service at this socket, not at one of the usual places."
)
@click.pass_context
def mqtt(context: click.Context, config: Path | None, socket: Path | None) -> None:
    """Pass on the running service's games to the MQTT broker of a hall, until Ctrl-C.

    Waits for a service and for a broker that are not there yet, or not there any more. The configuration's section
    [mqtt] names broker, hall and board.
    """
    if context.invoked_subcommand is not None:
        return
    from tamsk_hw.mqtt.bridge import Bridge

    configuration = load_configuration(config, Places.of(os.environ))
    services, is_simulated = socket_places(SERVICE, socket), configuration.board.port is None
    bridge = Bridge(configuration.mqtt, services, configuration.journal_folder, is_simulated=is_simulated)
    asyncio.run(bridge.run())


@mqtt.command()
@CONFIG
@click.option(
    "--nats",
    "boards",
    metavar="BOARDS",
    help="Print users for NATS instead: hall, arbiter, spectator and these boards, as table-1,table-2; "
    "each with a new password.",
)
def acl(config: Path | None, boards: str | None) -> None:
    """Print the hall's rights for mosquitto's acl_file: of boards by their names, hall, arbiter and spectator."""
    from tamsk_hw.mqtt.rights import PEOPLE, access_list, nats_users

    hall = load_configuration(config, Places.of(os.environ)).mqtt.hall
    names = () if boards is None else boards.split(",")
    for name in names:
        if not IS_PLACE_NAME(name) or name in PEOPLE:
            raise click.BadParameter(f"{name!r} cannot be the name of a board.", param_hint="--nats")
    click.echo(nats_users(hall, names) if names else access_list(hall), nl=False)
