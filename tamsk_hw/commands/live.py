"""``tamsk-hw live``, ``do`` and ``arbiter``: a running service's live stream, and acting on it (docs/live.md)."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tamsk_hw.commands.options import HelpfulGroup, act
from tamsk_hw.errors import LiveError, printable

if TYPE_CHECKING:
    from tamsk_hw.live.client import Connection

#: Real seconds between two attempts to find a service.
RETRY_SECONDS: Final = 0.5

_SOCKET = click.option(
    "--socket",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Speak to the service at this socket, not at one of the usual places.",
)


def _connect(named: Path | None) -> Connection:
    """A connection to the service at the socket that was named, else at one of the usual ones.

    Raises:
        LiveError: there is none.
    """
    from tamsk_hw.configuration.reading import Places, state_folder
    from tamsk_hw.live.client import connect, searched_places

    if named is not None:
        return connect((named,))
    return connect(searched_places(os.environ, state_folder(Places.of(os.environ))))


@click.command()
@click.option(
    "--since", type=click.IntRange(min=0), metavar="N", help="First what came after line N; 0: the whole game."
)
@_SOCKET
def live(since: int | None, socket: Path | None) -> None:
    """Print the running service's live stream, a JSON object a line, until Ctrl-C.

    Waits for a service that is not there yet; when one comes back, it goes on where it was.
    """
    wanted: dict[str, Any] | None = None if since is None else {"since": since}
    is_said = False
    while True:
        try:
            with _connect(socket) as connection:
                is_said = False
                wanted = _print(connection, wanted)
        except (LiveError, ConnectionError) as error:
            if not is_said:
                click.echo(f"tamsk-hw: {printable(str(error))}; waiting for it.", err=True)
            is_said = True
            wanted = wanted or {"since": 0}  # one that comes now is heard from its beginning
        time.sleep(RETRY_SECONDS)


def _print(connection: Connection, wanted: dict[str, Any] | None) -> dict[str, Any]:
    """Print a connection's lines until it ends; give what is wanted of the next one."""
    from tamsk_hw.system.sockets import decoded

    life = connection.greeting["life"]
    seq = connection.greeting["seq"]
    if wanted is not None:
        connection.send(wanted)
        seq = 0 if wanted.get("life", life) != life else wanted["since"]
    click.echo(json.dumps(connection.greeting, ensure_ascii=False, separators=(",", ":")))
    try:
        for line in connection.lines():
            click.echo(line.decode(errors="replace"))
            if line.startswith(b'{"seq":'):
                seq = decoded(line)["seq"]
    except (ConnectionError, ValueError, KeyError):
        pass
    return {"since": seq, "life": life}


def _act(socket: Path | None, what: dict[str, Any]) -> None:
    """Have the service do it, or exit with the reason why not."""
    from tamsk_hw.live.client import PATIENCE

    act(lambda: _connect(socket), what, PATIENCE)


def _press(socket: Path | None, button: str, press: str) -> None:
    _act(socket, {"do": {"event": "button", "button": button, "press": press}})


def _decide(socket: Path | None, action: str, **more: str) -> None:
    _act(socket, {"do": {"event": "arbiter", "action": action, **more}})


class _TubeName(click.ParamType[str]):
    """The name of a tube, in capitals."""

    name = "tube"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from tamsk_hw.game.tubes import TUBE_OF_NAME

        name = str(value).upper()
        if name not in TUBE_OF_NAME:
            self.fail(f"{value} is no tube; they are A1 to G4.", param, ctx)
        return name


_PLAYER = click.argument("player", type=click.Choice(["red", "black"]))
_TUBE = click.argument("tube", type=_TubeName())


@click.group(cls=HelpfulGroup)
def do() -> None:
    """Press a button of the running service, from here.

    Exits with 0 when it took effect, with 1 when it is refused, with 3 when no service answers.
    """


@do.command()
@_SOCKET
def start(socket: Path | None) -> None:
    """Press start: begin the game, or set up the next."""
    _press(socket, "start", "short")


@do.command()
@_PLAYER
@_SOCKET
def claim(player: str, socket: Path | None) -> None:
    """Announce a claim for PLAYER (R4.4)."""
    _press(socket, player, "short")


@do.command()
@_PLAYER
@_SOCKET
def resign(player: str, socket: Path | None) -> None:
    """Resign for PLAYER."""
    _press(socket, player, "long")


@do.command()
@_SOCKET
def resume(socket: Path | None) -> None:
    """Resume the unfinished game that is offered."""
    _act(socket, {"do": {"game": "resume"}})


@do.command("abandon")
@_SOCKET
def abandon_offered(socket: Path | None) -> None:
    """Abandon the unfinished game that is offered."""
    _act(socket, {"do": {"game": "abandon"}})


@do.command("next")
@_SOCKET
def next_game(socket: Path | None) -> None:
    """Set up the next game, when one is over."""
    _act(socket, {"do": {"game": "next"}})


@do.command()
@_SOCKET
def rematch(socket: Path | None) -> None:
    """Set up the next game of the same players with colours swapped, when one is over."""
    _act(socket, {"do": {"game": "rematch"}})


@click.group(cls=HelpfulGroup)
def arbiter() -> None:
    """Decide as arbiter at the running service (R9.6, R9.7).

    Exits with 0 when it took effect, with 1 when it is refused, with 3 when no service answers.
    """


@arbiter.command()
@_PLAYER
@_SOCKET
def award(player: str, socket: Path | None) -> None:
    """Give the game to PLAYER."""
    _decide(socket, "award", winner=player)


@arbiter.command()
@_SOCKET
def abandon(socket: Path | None) -> None:
    """End the game without a result."""
    _decide(socket, "abandon")


@arbiter.command()
@_TUBE
@_SOCKET
def expire(tube: str, socket: Path | None) -> None:
    """Declare that the glass on TUBE has run out."""
    _decide(socket, "expire", tube=tube)


@arbiter.command()
@_TUBE
@_SOCKET
def revive(tube: str, socket: Path | None) -> None:
    """Declare that the glass on TUBE has not run out."""
    _decide(socket, "revive", tube=tube)


@arbiter.command()
@_TUBE
@_PLAYER
@_SOCKET
def ring(tube: str, player: str, socket: Path | None) -> None:
    """Count the ring on TUBE as PLAYER's."""
    _decide(socket, "ring", tube=tube, player=player)


@arbiter.command()
@_TUBE
@_SOCKET
def uncount(tube: str, socket: Path | None) -> None:
    """Take back the last counted ring on TUBE: it was never dropped."""
    _decide(socket, "uncount", tube=tube)
