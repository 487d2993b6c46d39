"""``/games/KEY/replay``: a recorded game, with the table at every instant at which something happened."""

import re
from collections import OrderedDict
from hashlib import blake2b
from math import isfinite
from threading import Lock
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.journal.records import StoredGame
from tamsk_hw.live.stream import Names, TableState
from tamsk_hw.panel.diagnosis import InputMethods, diagnose
from tamsk_hw.referee import rulings
from tamsk_hw.referee.playback import SPEEDS, Playback
from tamsk_hw.web.archive import about_game
from tamsk_hw.web.live import cited
from tamsk_hw.web.pages import GameKey, GameRepository, Pages
from tamsk_hw.web.scene import TableScene
from tamsk_hw.words.rulings import mark_of


class ReplayedGame(Playback):
    """One game of the journal, refereed again when it is made; its scenes may be asked for from several threads.

    Its ``instants`` are never empty.

    Raises:
        UnreadableError: this version of the program refuses the game's stream.
    """

    def __init__(self, game: StoredGame) -> None:
        super().__init__(*game.header_and_events())
        self._lock = Lock()
        self._names = Names(red=game.red, black=game.black)
        over = next((each.t for each in self.rulings if isinstance(each, rulings.GameOver)), self.ends)
        self.instants = tuple(t for t in self.instants if t <= over) or (0.0,)

    def scene(self, instant: int) -> TableScene:
        """The table at an instant: a place in `instants`."""
        with self._lock:
            view = self.at(self.instants[instant])
        diagnosis = diagnose(view, ways=InputMethods(demo=True))
        return TableScene(TableState(view, offered=False), diagnosis, self._names, str(instant))


#: Recordings that are kept refereed; each takes about as much memory as its game.
_MOST_KEPT: Final = 4

#: A scene may be kept by the browser for a day: its address has the recording's fingerprint.
_FOR_A_DAY: Final = "private, max-age=86400, immutable"

#: Instants as addresses have them: no more digits than any game has instants.
_INSTANT: Final = re.compile(r"[0-9]{1,9}", re.ASCII)

#: Addresses name milliseconds; an instant may be a little later than it is written.
_ROUNDING: Final = 0.0005

#: The width of the strip of marks below the slider, in its own units (replay.html).
_STRIP: Final = 1000.0


class Replays:
    """The replays of a repository's games."""

    def __init__(self, pages: Pages, games: GameRepository) -> None:
        self._pages = pages
        self._games = games
        self._recordings: OrderedDict[tuple[str, str], ReplayedGame] = OrderedDict()

    @property
    def routes(self) -> list[BaseRoute]:
        """The addresses of a replay."""
        return [
            Route("/games/{key}/replay", about_game(self._pages, self.page), methods=["GET"]),
            Route("/games/{key}/replay/{instant}", about_game(self._pages, self.scene), methods=["GET"]),
        ]

    def page(self, request: Request, key: GameKey) -> Response:
        """``/games/KEY/replay?t=SECONDS``: the page, at that time of the stream."""
        fingerprint, recording = self._recording(key)
        asked = _seconds(request.query_params.get("t"))
        instant = recording.instant_at(asked + _ROUNDING)
        instants = recording.instants
        lines = [(recording.instant_at(each.t), each, cited(each)) for each in recording.happenings]
        return self._pages.render(
            request,
            "replay.html",
            **self._shown(recording, instant, key),
            key=str(key),
            simulated_game=key.simulated,
            number=key.number,
            fingerprint=fingerprint,
            instant=instant,
            instants=" ".join(f"{round(t * 1000)}" for t in instants),
            begins=instants[0],
            ends=instants[-1],
            now=instants[instant],
            earlier=next((each.t for place, each, _ in reversed(lines) if place < instant), instants[0]),
            later=next((each.t for place, each, _ in lines if place > instant), instants[-1]),
            lines=lines,
            marks=_marks(recording),
            speeds=SPEEDS,
        )

    def scene(self, request: Request, key: GameKey) -> Response:
        """``/games/KEY/replay/INSTANT``: the part of the page that shows the table."""
        fingerprint, recording = self._recording(key)
        asked = request.path_params["instant"]
        if not _INSTANT.fullmatch(asked) or (instant := int(asked)) >= len(recording.instants):
            return self._pages.missing(request)
        text = self._pages.text("_now.html", **self._shown(recording, instant, key))
        lasting = request.query_params.get("v") == fingerprint
        return HTMLResponse(text, headers={"Cache-Control": _FOR_A_DAY if lasting else "no-cache"})

    def _shown(self, recording: ReplayedGame, instant: int, key: GameKey) -> dict[str, Any]:
        return self._pages.shown(recording.scene(instant), simulated=key.simulated, speed=1.0)

    def _recording(self, key: GameKey) -> tuple[str, ReplayedGame]:
        """The recording of a game and its fingerprint, new with each event and each name.

        Raises:
            JournalError: there is no such game, or its record is damaged.
        """
        summary = self._games.summary(key).summary
        shown = f"{summary.events} {summary.red!r} {summary.black!r}"
        fingerprint = blake2b(shown.encode(errors="backslashreplace"), digest_size=6).hexdigest()
        found = self._recordings.pop((str(key), fingerprint), None)
        recording = found or ReplayedGame(self._games.load(key))  # a long game takes seconds on a small computer
        self._recordings[str(key), fingerprint] = recording
        if len(self._recordings) > _MOST_KEPT:
            self._recordings.popitem(last=False)
        return fingerprint, recording


def _seconds(text: str | None) -> float:
    """A time that somebody asked for; 0 for none and for what is no time."""
    try:
        t = float(text or "")
    except ValueError:
        return 0.0
    return t if isfinite(t) else 0.0


def _marks(recording: ReplayedGame) -> list[tuple[float, str]]:
    """The marks of what matters: the place of each on the strip (0 … 1000), and its class."""
    begins, ends = recording.instants[0], recording.instants[-1]
    scale = _STRIP / max(ends - begins, 0.001)
    marked = [(each.t, mark_of(each)) for each in recording.happenings]
    return [(round((t - begins) * scale, 1), mark) for t, mark in marked if mark]
