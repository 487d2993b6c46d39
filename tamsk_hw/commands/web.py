"""``tamsk-hw web``: the page that shows a running service's table in browsers (docs/web.md)."""

import os
import socket as sockets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

import click
import segno

from tamsk_hw.commands.options import CONFIG, HelpfulGroup, path_option, socket_places, speaking_to_people
from tamsk_hw.configuration import Configuration, Places, load_configuration
from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.live.client import SERVICE
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.panel.simulated import BOARD
from tamsk_hw.system.service import Priority, prefixed
from tamsk_hw.web.seats import Seats
from tamsk_hw.web.security import Binding, TokenFile, page_address
from tamsk_hw.words.translating import spoken, tr

#: Real seconds that the page has to end with the program.
_FAREWELL: Final = 3.0


def _address(value: str) -> str:
    """An address of this computer: a type of arguments."""
    try:
        return str(ip_address(value))
    except ValueError:
        raise click.BadParameter(f"{value} is no address, as 127.0.0.1 or 0.0.0.0.") from None


@click.group(cls=HelpfulGroup, invoke_without_command=True)
@click.option(
    "--address", type=_address, metavar="ADDRESS", help="Listen on this address, not on the configured one."
)
@click.option("--port", type=click.IntRange(1, 65535), help="Listen on this port, not on the configured one.")
@path_option("--socket", metavar="PATH", help="Show the service at this socket, not at one of the usual places.")
@path_option(
    "--hands", metavar="SOCKET", help="Let people play at the simulated board whose hands are at this socket."
)
@CONFIG
@click.option("--inherited", type=int, hidden=True, help="Listen on this open socket; end with standard input.")
@click.pass_context
def web(
    context: click.Context,
    address: str | None,
    port: int | None,
    socket: Path | None,
    hands: Path | None,
    config: Path | None,
    inherited: int | None,
) -> None:
    """Show the running service's table in browsers, until Ctrl-C.

    Prints the address of the page. Waits for a service that is not there yet, and for one that comes back. Only
    this computer sees the page unless the configuration or --address says otherwise.
    """

    configuration = load_configuration(config, Places.of(os.environ))
    context.with_resource(speaking_to_people(configuration.words.language))
    settings = configuration.web
    binding = Binding(address=address or settings.address, port=port or settings.port, names=settings.names)
    file = TokenFile.of(configuration.state_folder)
    if context.invoked_subcommand is not None:
        context.obj = file, binding
        return

    from tamsk_hw.web.app import PageSettings, serve
    from tamsk_hw.web.pages import GameRepository

    boards = _hands_of(configuration, hands)
    page = PageSettings(
        binding=binding,
        services=socket_places(SERVICE, socket),
        token=file,
        games=GameRepository(configuration.journal_folder),
        boards=boards,
        usual=spoken(),
    )
    if inherited is not None:
        with sockets.socket(fileno=inherited) as listening:
            line = sys.stdin.readline()  # without it there is something to read, which is taken for the end
            seats = seats_at(listening, binding.names, line) if boards else None
            serve(listening, replace(page, seats=seats), until_closed=sys.stdin.fileno())
        return
    with binding.listen() as listening:
        _say_if_it_waits(binding)  # before the address, which may come as soon as it is known
        click.echo(tr("The table in browsers: {address}", address=page_address(listening)))
        seats = seats_at(listening, binding.names) if boards else None
        show_seats(seats)
        serve(listening, replace(page, seats=seats))


def _say_if_it_waits(binding: Binding) -> None:
    """Print a warning where this computer does not have the page's address yet."""

    if not binding.is_here:
        why = tr(
            "This computer does not have the address {address} yet; the page is there as soon as it does. Correct "
            "[web] address in the configuration if it never will.",
            address=binding.address,
        )
        line = f"tamsk-hw: {why}"
        click.echo(prefixed(line, Priority.WARNING, sys.stderr), err=True)


def seats_at(listening: sockets.socket, names: tuple[str, ...], line: str = "") -> Seats | None:
    """The seats of a page on a socket; None where only this computer reaches it.

    ``names`` are those of the page; ``line`` has the seats' secrets, made new without one.
    """

    address, port = listening.getsockname()[:2]
    binding = Binding(address, port, names)
    return None if binding.is_local else Seats(binding.called, names, line)


def show_seats(seats: Seats | None) -> None:
    """Print each seat's link with its QR code."""
    if seats is None:
        return

    for player in PLAYERS:
        link = seats.link(player)
        click.echo(tr("{Player}'s seat: {address}", player=player, address=link))
        segno.make(link, error="l", micro=False).terminal(compact=True)


def _hands_of(configuration: Configuration, named: Path | None) -> tuple[Path, ...]:
    """The places of the hands' socket of the simulated board at which people play; none at a real board."""

    if named is None and configuration.gpio.factory is not PinFactory.SIMULATE:
        return ()
    return socket_places(BOARD, named or configuration.gpio.hands)


@web.command()
@click.pass_obj
def token(made_for: tuple[TokenFile, Binding]) -> None:
    """Make a new token for the arbiter's desk, and show it once.

    It is shown with the desk's address and as a QR code for the arbiter's phone. Everybody who was signed in by an
    older one is signed out. Options stand before this word: tamsk-hw web --port 8138 token.
    """

    file, binding = made_for
    address = f"{binding.called}arbiter#token={file.renew()}"
    click.echo(tr("The arbiter's desk, shown this once:") + f"\n{address}")
    if binding.is_local:
        click.echo(tr("Only this computer reaches the page; its address in the configuration opens it to others."))
    else:
        segno.make(address, error="l", micro=False).terminal(compact=True)


@contextmanager
def page_beside(
    configuration: Configuration, live: Path | None, config: Path | None, hands: Path | None = None
) -> Iterator[tuple[str, Seats | None]]:
    """The page as a process of its own, for a service with its socket at ``live``.

    Gives its address, and the seats of a simulated board.

    ``hands``: the socket of a simulated board's hands, at which people play on the page.

    It takes a free port where the configured one is taken. It ends with the program, however that ends; its own
    end disturbs nobody.

    Raises:
        ConfigError: the page cannot be at the configured address.
    """

    settings = configuration.web
    place = live or SERVICE.serving_place(os.environ, configuration.state_folder)
    binding = Binding(settings.address, settings.port, settings.names)
    with ExitStack() as stack:
        with binding.listen(any_port=True) as listening:
            _say_if_it_waits(binding)
            shown = page_address(listening)
            seats = seats_at(listening, binding.names) if _hands_of(configuration, hands) else None
            descriptor, null = listening.fileno(), subprocess.DEVNULL
            arguments = ["web", "--inherited", str(descriptor), "--socket", str(place)]
            arguments += ["--config", str(config)] if config else []
            arguments += ["--hands", str(hands)] if hands else []
            page = stack.enter_context(program_beside(arguments, stdout=null, stderr=null, pass_fds=[descriptor]))
        assert page.stdin is not None
        with suppress(BrokenPipeError):  # its own end disturbs nobody
            page.stdin.write(f"{'' if seats is None else seats.as_line()}\n".encode())
            page.stdin.flush()
        yield shown, seats


@contextmanager
def program_beside(arguments: Sequence[str], **given: Any) -> Iterator[subprocess.Popen[Any]]:
    """This program with other arguments, which ends with its standard input: when this one leaves or is killed.

    ``given`` is for `subprocess.Popen`. Ctrl-C is for this program, which then ends the other.
    """
    command = [sys.executable, "-u", "-m", "tamsk_hw.commands.main", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, **given)
    try:
        yield process
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
