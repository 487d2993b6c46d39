"""``tamsk-hw web``: the page that shows a running service's table in browsers (docs/web.md)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click


class _Address(click.ParamType[str]):
    """An address of this computer."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from ipaddress import ip_address

        try:
            return str(ip_address(str(value)))
        except ValueError:
            self.fail(f"{value} is no address, as 127.0.0.1 or 0.0.0.0.", param, ctx)


@click.command()
@click.option(
    "--address", type=_Address(), metavar="ADDRESS", help="Listen on this address, in place of the configured one."
)
@click.option("--port", type=click.IntRange(1, 65535), help="Listen on this port, in place of the configured one.")
@click.option("--free-port", is_flag=True, help="Take another port when this one is taken.")
@click.option(
    "--socket",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Show the service at this socket, not at one of the usual places.",
)
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read this configuration.")
def web(address: str | None, port: int | None, free_port: bool, socket: Path | None, config: Path | None) -> None:
    """Show the running service's table in browsers, until Ctrl-C.

    Prints the address of the page. Waits for a service that is not there yet, and for one that comes back. Only
    this computer sees the page unless the configuration or --address says otherwise.
    """
    from tamsk_hw.configuration import Places, load_configuration
    from tamsk_hw.live.places import searched_places
    from tamsk_hw.web.serving import PageSettings, serve

    configuration = load_configuration(config, Places.of(os.environ))
    settings = configuration.web
    serve(
        PageSettings(
            address=address or settings.address,
            port=port or settings.port,
            names=settings.names,
            sockets=(socket,) if socket else searched_places(os.environ, configuration.state_folder),
            any_port=free_port,
        ),
        lambda url: click.echo(f"The table: {url}"),
    )
