"""Readers of the live socket (docs/live.md), and changes to a journal, which its owner makes: the running service
that holds it, else this program itself.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from tamsk_hw.errors import JournalError, LiveError
from tamsk_hw.forms import from_json
from tamsk_hw.journal import changes
from tamsk_hw.journal.trouble import HeldError
from tamsk_hw.live.requests import GameChange, ImportStream, change_as_dict, pieces_of
from tamsk_hw.system import sockets
from tamsk_hw.system.sockets import RETRY_SECONDS, LineConnection, LineFollower, Listener, SocketKind

#: A service that publishes a live stream.
SERVICE: Final = SocketKind(
    name="service",
    file="live.sock",
    key="live",
    greeting={"life": str, "seq": int},
    error=LiveError,
    start="start one with tamsk-hw run, or name its place with --socket",
    restart="look after it, or restart it",
)


def connect(places: Sequence[Path]) -> LineConnection:
    """A connection to the first service that is found.

    Raises:
        LiveError: there is none, or this user may not speak to it.
    """
    return sockets.connect(places, SERVICE)


def ask(places: Sequence[Path], what: Mapping[str, Any]) -> dict[str, Any]:
    """Have the first service that is found do something; give its answer.

    Raises:
        LiveError: there is none, this user may not speak to it, or it does not answer.
    """
    with connect(places) as connection:
        return connection.ask(what)


async def read_for_ever(places: Sequence[Path], listener: Listener, *, retry: float = RETRY_SECONDS) -> None:
    """Read the stream of the first service that is found at ``places``, and of the next when it ends."""
    await LineFollower(places, SERVICE, listener, retry=retry).run()


#: Real seconds within which a service has a change on the disk.
OWNER_PATIENCE: Final = 120.0

#: A change that can be asked for.
AskedChange = GameChange | ImportStream


def change_journal(folder: Path, change: AskedChange, wall: float, name: str) -> changes.Changed:
    """Have a change made to the journal in ``folder``, and wait until it is on the disk.

    ``wall`` is the time of day (seconds since 1970), ``name`` that of an imported stream in messages.

    Raises:
        StreamError: an imported stream is refused.
        JournalError: the change is refused, or the journal cannot be written; nothing was changed.
        LiveError: the service that holds the journal does not answer.
    """
    here: changes.Change
    if isinstance(change, ImportStream):
        lines = change.stream.splitlines(keepends=True)
        here = changes.recording_of(lines, name, red=change.red, black=change.black)
    else:
        here = change
    try:
        return changes.change_here(folder, here, wall)
    except HeldError as held:
        if held.holder.asked_at is None:
            raise
        answer = ask_owner(held.holder.asked_at, change, simulated=held.holder.simulated)
        return cast(changes.Changed, from_json(changes.Changed, answer, "the service's answer"))


def ask_owner(place: Path, change: AskedChange, *, simulated: bool) -> dict[str, Any]:
    """Have the service at a socket make a change, and give its answer when that is on the disk.

    ``simulated``: the change is of the simulated games.

    Raises:
        JournalError: the service refuses.
        LiveError: it does not answer.
    """
    answer: dict[str, Any] = {}
    if isinstance(change, ImportStream):
        requests = pieces_of(change)
    else:
        requests = [change_as_dict(change, simulated=simulated)]
    with connect((place,)) as connection:
        for request in requests:
            answer = connection.ask(request, patience=OWNER_PATIENCE)
            if "refused" in answer:
                raise JournalError(str(answer["refused"]))
    return answer
