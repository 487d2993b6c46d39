"""``tamsk-hw hall``: the page of a hall of boards (docs/hall.md)."""

import asyncio
import os
import time
from contextlib import suppress
from pathlib import Path

import click

from tamsk_hw.commands.options import CONFIG, REFUSED, HelpfulGroup, end, speaking_to_people
from tamsk_hw.commands.web import token
from tamsk_hw.configuration import Configuration, Places, load_configuration
from tamsk_hw.errors import HallError
from tamsk_hw.web.security import Binding, TokenFile, page_address
from tamsk_hw.words.translating import spoken, tr


@click.group(cls=HelpfulGroup, invoke_without_command=True)
@CONFIG
@click.pass_context
def hall(context: click.Context, config: Path | None) -> None:
    """Show all boards of a hall in browsers, over the MQTT broker alone, until Ctrl-C.

    Prints the address of the page. The configuration's section [mqtt] names broker and hall, [hall] the page's
    address. Waits for a broker that is not there yet, or not there any more.
    """
    configuration = load_configuration(config, Places.of(os.environ))
    context.with_resource(speaking_to_people(configuration.words.language))
    binding = Binding(configuration.hall.address, configuration.hall.port, configuration.web.names)
    context.obj = TokenFile.of(configuration.state_folder), binding
    if context.invoked_subcommand is None:
        asyncio.run(_serve(configuration, *context.obj))


hall.add_command(token)


async def _serve(configuration: Configuration, file: TokenFile, binding: Binding) -> None:
    from tamsk_hw.hall.hall import Hall
    from tamsk_hw.hall.page import hall_app
    from tamsk_hw.hall.rounds import Tournaments
    from tamsk_hw.hall.store import NAME, Store
    from tamsk_hw.web.app import PageServer, most_here
    from tamsk_hw.web.live import LiveTable
    from tamsk_hw.web.pages import Pages

    own = os.environ.get("STATE_DIRECTORY")  # as a service it has a folder of its own
    store = Store((Path(own) if own else configuration.state_folder) / NAME)
    shown = Hall(configuration.mqtt, store, time.monotonic, time.time)
    every = Tournaments(shown, store, time.time)
    empty = LiveTable(time.monotonic, time.time)
    with binding.listen() as listening:
        click.echo(tr("The hall in browsers: {address}", address=page_address(listening)))
        server = PageServer(hall_app(shown, Pages(empty), binding, spoken(), file, every), empty, most=most_here())
        hearing = asyncio.create_task(shown.run())
        hearing.add_done_callback(lambda _: setattr(server, "should_exit", True))
        try:
            await server.serve([listening])
        finally:
            hearing.cancel()
            try:
                with suppress(asyncio.CancelledError):
                    await hearing
                store.close()
            except HallError as error:  # a full disk may be mended: a service is started again
                end(REFUSED, error)
