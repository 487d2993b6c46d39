"""The pages: what each address answers with."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from tamsk_hw.live.following import Absence
from tamsk_hw.svg import Layout, Theme, stylesheet
from tamsk_hw.web.drawn import board_svg, cards_of, names_of
from tamsk_hw.web.kept import LineKind
from tamsk_hw.web.live_table import LiveTable
from tamsk_hw.web.scene import TableScene
from tamsk_hw.words import page as words
from tamsk_hw.words.orders import orders
from tamsk_hw.words.rules import anchor_of, rule_book
from tamsk_hw.words.rulings import headline
from tamsk_hw.words.score_sheet import score_sheet
from tamsk_hw.words.sentences import capital

#: Rulings that the page shows; a browser keeps more as they come.
SHOWN_RULINGS: Final = 60

#: What may be kept for a year: an address with the content's fingerprint.
_FOR_EVER: Final = "public, max-age=31536000, immutable"

#: Markdown without HTML of its own.
_MARKDOWN: Final = MarkdownIt("js-default", {"html": False})

_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that a page loads, with the fingerprint of its content."""

    data: bytes
    type: str
    fingerprint: str


def _asset(data: bytes, suffix: str) -> Asset:
    return Asset(data, _TYPES[suffix], blake2b(data, digest_size=6).hexdigest())


def load_assets() -> dict[str, Asset]:
    """Everything below ``/static``, by name; the drawing's colours among them."""
    assets = {
        each.name: _asset(each.read_bytes(), "." + each.name.rpartition(".")[2])
        for each in files("tamsk_hw.web").joinpath("static").iterdir()
        if each.is_file()
    }
    assets["drawing.css"] = _asset(stylesheet().encode(), ".css")
    return assets


@dataclass(frozen=True, slots=True)
class Cited:
    """A sentence and the clause on which it rests."""

    clock: str
    words: str
    clause: str | None
    anchor: str | None


class Pages:
    """The pages of one table. Other rooms of the page add theirs with `render`."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self.assets = load_assets()
        self.templates = Environment(
            loader=PackageLoader("tamsk_hw.web"),
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(words=words, static=self.static)
        self.templates.filters["capitalised"] = capital
        self._kept: dict[tuple[str, ...], tuple[bytes, bytes]] = {}
        self._kept_at = ""

    def static(self, name: str) -> str:
        """The address of an asset, new with each content."""
        return f"/static/{name}?v={self.assets[name].fingerprint}"

    def render(self, request: Request, template: str, status: int = 200, **more: Any) -> Response:
        """A page of a template."""
        text = self.templates.get_template(template).render(path=request.url.path, **more)
        return HTMLResponse(text, status, {"Cache-Control": "no-store"})

    # What is asked for.

    async def scoreboard(self, request: Request) -> Response:
        """``/``: the scoreboard."""
        return self.render(request, "scoreboard.html", **self._table())

    async def overlay(self, request: Request) -> Response:
        """``/overlay``: the same without a background, for a stream's browser source."""
        return self.render(request, "overlay.html", **self._table())

    async def now(self, request: Request) -> Response:
        """``/now?at=REVISION``: the part of the scoreboard that shows the table."""
        scene = self.table.scene
        if scene is None:
            return PlainTextResponse(words.NO_STATE, 503, {"Retry-After": "1"})
        return self._once(
            request,
            scene,
            "now",
            "text/html; charset=utf-8",
            lambda: self.templates.get_template("_now.html").render(self._scene(scene)),
        )

    async def board(self, request: Request) -> Response:
        """``/board.svg``: the drawing alone; ``layout`` is wide, tall or board, ``theme`` light or dark."""
        scene = self.table.scene
        if scene is None:
            return PlainTextResponse(words.NO_STATE, 503, {"Retry-After": "1"})
        layout = _chosen(Layout, request.query_params.get("layout"), Layout.WIDE)
        theme = _chosen(Theme, request.query_params.get("theme"), Theme.LIGHT)
        return self._once(
            request,
            scene,
            f"{layout.value}-{theme.value}",
            _TYPES[".svg"],
            lambda: board_svg(scene, layout, theme),
        )

    async def rules(self, request: Request) -> Response:
        """``/rules``: every clause, each with its anchor."""
        return self.render(request, "rules.html", book=rule_book(), marked=_marked)

    async def file(self, request: Request) -> Response:
        """``/static/NAME``: what the pages load."""
        asset = self.assets.get(request.path_params["name"])
        if asset is None:
            return self.missing(request)
        tag = f'"{asset.fingerprint}"'
        lasting = request.query_params.get("v") == asset.fingerprint
        headers = {"ETag": tag, "Cache-Control": _FOR_EVER if lasting else "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(asset.data, headers=headers, media_type=asset.type)

    def missing(self, request: Request) -> Response:
        """There is nothing at this address."""
        return self.render(request, "refused.html", 404, title=words.NOT_FOUND)

    # How it is made.

    def _table(self) -> dict[str, Any]:
        """What is known of the table, for a template."""
        table = self.table
        place, scene = table.kept.place, table.scene
        lines = table.kept.current(LineKind.RULING, LineKind.DECISION)
        rulings = [_cited(line.record) for line in lines[: -SHOWN_RULINGS - 1 : -1]]
        return {
            "waiting": _waiting(table.absence),
            "absent": table.absence is not None,
            "since": datetime.fromtimestamp(table.since).strftime("%H:%M:%S"),
            "place": "" if place is None else str(place),
            "rulings": rulings,
            "book": rule_book(),
            "marked": _marked,
            **(self._scene(scene) if scene is not None else {"scene": None, "title": words.TITLE}),
        }

    def _scene(self, scene: TableScene) -> dict[str, Any]:
        """What is shown of a scene, for a template."""
        diagnosis, names, service = scene.diagnosis, names_of(scene), self.table.service
        view = scene.view
        return {
            "scene": scene,
            "view": view,
            "simulated": service is not None and service.simulated,
            "speed": 1.0 if service is None else service.speed,
            "headline": headline(diagnosis),
            "result": words.result_words(diagnosis, names),
            "title": words.page_title(diagnosis, names),
            "level": words.level_words(view),
            "orders": orders(view.wrong, setup=view.number == 0) if view.over is None else [],
            "svg": Markup(board_svg(scene)),
            "cards": cards_of(scene),
            "game": self.table.kept.game,
            "sheet": None if view.over is None else score_sheet(self.table.kept.rulings()),
        }

    def _once(
        self, request: Request, scene: TableScene, what: str, media_type: str, make: Callable[[], str]
    ) -> Response:
        """An answer that is made once for all who ask while the revision stays.

        Who names the revision moves the sand himself, and may have it already. For others it is made again.
        """
        if self._kept_at != scene.at:
            self._kept.clear()
            self._kept_at = scene.at
        named = request.query_params.get("at")
        key = (what,)
        if named != scene.at or key not in self._kept:
            data = make().encode()
            self._kept[key] = data, gzip.compress(data, 5, mtime=0)
        data, packed = self._kept[key]
        headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding", "X-Tamsk-At": scene.at}
        if named == scene.at:
            headers["ETag"] = f'"{scene.at}-{what}"'
            if request.headers.get("if-none-match") == headers["ETag"]:
                return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            data, headers["Content-Encoding"] = packed, "gzip"
        return Response(data, headers=headers, media_type=media_type)


def _chosen(kind: type[Any], value: str | None, usual: Any) -> Any:
    """The member of an enumeration that was asked for, else the usual one."""
    return next((each for each in kind if each.value == value), usual)


def _waiting(absence: Absence | None) -> tuple[str, str]:
    """What the page waits for, and what helps."""
    match absence:
        case Absence.FORBIDDEN:
            return words.FORBIDDEN, words.FORBIDDEN_HINT
        case Absence.OTHER_VERSION:
            return words.OTHER_VERSION, words.OTHER_VERSION_HINT
        case Absence.NONE_THERE | None:
            return words.WAITING, words.WAITING_HINT


def _cited(record: Any) -> Cited:
    """A ruling's line for a template."""
    clause = record["clause"]
    return Cited(record["clock"], record["said"], clause, anchor_of(clause) if clause else None)


def _marked(text: str) -> Markup:
    """The text of a clause as HTML."""
    return Markup(_MARKDOWN.render(text))
