"""``tamsk-hw live``, ``do`` and ``arbiter``: a running service's live stream, and acting on it (docs/live.md)."""

import json
import time
from pathlib import Path
from typing import Any, Final

import click

from tamsk_hw.commands.options import HelpfulGroup, act, path_option, socket_places, tube
from tamsk_hw.errors import LiveError, printable
from tamsk_hw.live.client import SERVICE, connect
from tamsk_hw.system.sockets import PATIENCE, LineConnection, decoded, lines_asked

#: Real seconds between two attempts to find a service.
RETRY_SECONDS: Final = 0.5

_SOCKET = path_option(
    "--socket", metavar="PATH", help="Speak to the service at this socket, not at one of the usual places."
)


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
            with connect(socket_places(SERVICE, socket)) as connection:
                is_said = False
                wanted = _print(connection, wanted)
        except (LiveError, ConnectionError) as error:
            if not is_said:
                click.echo(f"tamsk-hw: {printable(str(error))}; waiting for it.", err=True)
            is_said = True
            wanted = wanted or {"since": 0}  # one that comes now is heard from its beginning
        time.sleep(RETRY_SECONDS)


def _print(connection: LineConnection, wanted: dict[str, Any] | None) -> dict[str, Any]:
    """Print a connection's lines until it ends; give what is wanted of the next one."""
    life, seq = connection.greeting["life"], connection.greeting["seq"]
    is_asked = lines_asked(connection.greeting, wanted or {})
    if wanted is not None:
        connection.send(wanted)
        seq = 0 if wanted.get("life", life) != life else wanted["since"]
    click.echo(json.dumps(connection.greeting, ensure_ascii=False, separators=(",", ":")))
    try:
        for line in connection.lines():
            record = decoded(line)
            if is_asked(record):
                click.echo(line.decode(errors="replace"))
                seq = record.get("seq", seq)
    except (ConnectionError, ValueError, TypeError):
        pass
    return {"since": seq, "life": life}


_PLAYER = click.Argument(["player"], type=click.Choice(["red", "black"]))
_TUBE = click.Argument(["tube"], type=tube)


@click.group(cls=HelpfulGroup)
def do() -> None:
    """Press a button of the running service, from here.

    Exits with 0 when it took effect, with 1 when it is refused, with 3 when no service answers.
    """


@click.group(cls=HelpfulGroup)
def arbiter() -> None:
    """Decide as arbiter at the running service (R9.6, R9.7).

    Exits with 0 when it took effect, with 1 when it is refused, with 3 when no service answers.
    """


def _add(group: click.Group, name: str, about: str, *parameters: click.Parameter, **record: Any) -> None:
    """Add a command that asks for ``record``, with the command's parameters in place of ``...``."""

    def callback(socket: Path | None, **values: str) -> None:
        asked = {key: values["tube" if key == "tube" else "player"] for key in record if record[key] is ...}
        act(lambda: connect(socket_places(SERVICE, socket)), {"do": record | asked}, PATIENCE)

    command = click.Command(name, params=list(parameters), callback=callback, help=about)
    _SOCKET(command)
    group.add_command(command)


def _press(name: str, about: str, *parameters: click.Parameter, button: Any, press: str) -> None:
    _add(do, name, about, *parameters, event="button", button=button, press=press)


def _decide(name: str, about: str, *parameters: click.Parameter, **more: Any) -> None:
    _add(arbiter, name, about, *parameters, event="arbiter", action=name, **more)


_press("start", "Press start: begin the game, or set up the next.", button="start", press="short")
_press("claim", "Announce a claim for PLAYER (R4.4).", _PLAYER, button=..., press="short")
_press("resign", "Resign for PLAYER.", _PLAYER, button=..., press="long")
_add(do, "resume", "Resume the unfinished game that is offered.", game="resume")
_add(do, "abandon", "Abandon the unfinished game that is offered.", game="abandon")
_add(do, "next", "Set up the next game, when one is over.", game="next")
_add(
    do,
    "rematch",
    "Set up the next game of the same players with colours swapped, when one is over.",
    game="rematch",
)
_decide("award", "Give the game to PLAYER.", _PLAYER, winner=...)
_decide("abandon", "End the game without a result.")
_decide("expire", "Declare that the glass on TUBE has run out.", _TUBE, tube=...)
_decide("revive", "Declare that the glass on TUBE has not run out.", _TUBE, tube=...)
_decide("ring", "Count the ring on TUBE as PLAYER's.", _TUBE, _PLAYER, tube=..., player=...)
_decide("pause", "Have rights to rings and the 15 seconds stand still; the sand runs on.")
_decide("resume", "Go on after a pause.")
_decide("uncount", "Take back the last counted ring on TUBE: it was never dropped.", _TUBE, tube=...)
