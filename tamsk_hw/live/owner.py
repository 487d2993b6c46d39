"""Changes to a journal, made by whoever owns it: the running service that holds it, else this program itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from tamsk_hw.errors import JournalError
from tamsk_hw.journal.changes import Annotate, Change, Changed, DeleteGame, EraseName, ImportGame, NamePlayers
from tamsk_hw.journal.importing import recording_of
from tamsk_hw.journal.owning import change_here
from tamsk_hw.journal.trouble import HeldError
from tamsk_hw.live.client import connect
from tamsk_hw.live.journal_requests import ImportStream, change_as_dict, outcome_of, pieces_of

#: Real seconds within which a service has a change on the disk.
PATIENCE: Final = 120.0

#: A change that can be asked for.
AskedChange = NamePlayers | DeleteGame | Annotate | EraseName | ImportStream


def change_journal(folder: Path, change: AskedChange, wall: float, name: str) -> Changed:
    """Have a change made to the journal in ``folder``, and wait until it is on the disk.

    ``wall`` is the time of day (seconds since 1970), ``name`` that of an imported stream in messages.

    Raises:
        StreamError: an imported stream is refused.
        JournalError: the change is refused, or the journal cannot be written; nothing was changed.
        LiveError: the service that holds the journal does not answer.
    """
    here: Change
    if isinstance(change, ImportStream):
        recording = recording_of(change.stream.splitlines(keepends=True), name)
        here = ImportGame(recording, change.red, change.black)
    else:
        here = change
    try:
        return change_here(folder, here, wall)
    except HeldError as held:
        if held.holder.asked_at is None:
            raise
        return outcome_of(ask_owner(held.holder.asked_at, change, simulated=held.holder.simulated))


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
            answer = connection.ask(request, patience=PATIENCE)
            if "refused" in answer:
                raise JournalError(str(answer["refused"]))
    return answer
