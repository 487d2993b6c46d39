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


def change_journal(
    folder: Path, change: NamePlayers | DeleteGame | Annotate | EraseName | ImportStream, wall: float, name: str
) -> Changed:
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
        if held.asked_at is None:
            raise
        requests = pieces_of(change) if isinstance(change, ImportStream) else [change_as_dict(change)]
        return _ask(held.asked_at, requests)


def _ask(place: Path, requests: list[dict[str, Any]]) -> Changed:
    """Have the service at a socket do it."""
    answer: dict[str, Any] = {}
    with connect((place,)) as connection:
        for request in requests:
            answer = connection.ask(request, patience=PATIENCE)
            if "refused" in answer:
                raise JournalError(str(answer["refused"]))
    return outcome_of(answer)
