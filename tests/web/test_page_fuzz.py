"""Requests made at random for every address of the page: none is an error of the program, none does harm.

The addresses are read from the application that is served. One that takes posts needs a strategy for its fields in
`POSTED`; the rest grows by itself.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from starlette.routing import Route

from tamsk_hw.journal.archive import Archive, simulated_folder
from tamsk_hw.live.stream import Names
from tamsk_hw.web import arbiter as desk_module
from tamsk_hw.web import gate as gate_module
from tamsk_hw.web import table as play_module
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.requests import COMMANDS
from tamsk_hw.web.security import CONTENT_SECURITY_POLICY, TokenFile
from tests.hands.at_hand import AtHand
from tests.journal.played import WHOLE, played, write
from tests.scenarios.book import BOOK
from tests.soak import in_soak
from tests.web.asking import Answer, ask, routes
from tests.web.stream import Told, greeting
from tests.web.tables import ORIGIN, OWN_COOKIE, FakeService, LinkAtHand, served_page

EXAMPLES = in_soak(6000, otherwise=120)
PATIENCE = 30.0

#: A text that would break out of an element, an attribute or a header.
HOSTILE = "m4rk\"m4rk'<m4rk>&\r\nm4rk: 1"
HOSTILE_NAME = HOSTILE.replace("\r\n", "")

#: The games that the page shows: none yet, one that is played, one with a question, one that is over.
GAMES = (None, "R7.6-just-within-the-window", "R9.3-full-tube-in-doubt", "R5.2-fewest-rings")
UNTIL = (None, "turn", "arbiter_needed", None)

TEXTS = some.one_of(
    some.text(max_size=12),
    some.sampled_from(
        [HOSTILE, "", "0", "-1", "1", "9" * 30, "\0", "../../etc/passwd", "null", "yes", "x" * 3000]
    ),
)
NAMED = some.sampled_from(["D4", "red", "award-red", "wide", "dark", "5f0c-3", "5f0c-999999999999999", "de"])
VALUES = TEXTS | NAMED

QUERY = some.lists(
    some.tuples(
        some.sampled_from(["at", "since", "layout", "theme", "v", "tube", "confirm", "answer", "lang"]) | TEXTS,
        VALUES,
    ),
    max_size=3,
)

HEADERS = some.fixed_dictionaries(
    {},
    optional={
        "host": some.sampled_from(["localhost", "[::1]:80", "[::1]x", "evil.example", "", "[", "127.0.0.1:x"])
        | TEXTS,
        "origin": some.sampled_from(["null", "http://evil.example", "http://[", ORIGIN]) | TEXTS,
        "sec-fetch-site": some.sampled_from(["same-origin", "cross-site", "none"]),
        "cookie": some.sampled_from([f"{OWN_COOKIE}=x", "=", ";;", f'{OWN_COOKIE}="']) | TEXTS,
        "accept": TEXTS,
        "accept-encoding": some.sampled_from(["gzip", "gzip;q=0", "br, *"]) | TEXTS,
        "accept-language": some.sampled_from(["de", "fr;q=x", "*", "nl-BE;q=2," * 50]) | TEXTS,
        "last-event-id": VALUES,
        "if-none-match": some.sampled_from(["*", '"x"']) | TEXTS,
        "range": some.sampled_from(["bytes=0-1", "bytes=5-1", "bytes=-0,1-,"]) | TEXTS,
        "content-length": some.sampled_from(["0", "5", "9" * 20]),
        "content-type": some.sampled_from(["text/plain", "multipart/form-data", "application/json;;"]) | TEXTS,
        "x-forwarded-for": TEXTS,
    },
)

CHOICES = {
    "level": some.sampled_from(["1", "2", "3"]),
    "start": some.sampled_from(["corners", "free"]),
    "late_penalty": some.sampled_from(["two_rings", "lose_turn"]),
    "forfeit_penalised": some.sampled_from(["yes", "no"]),
}
WISH = {"wish": some.sampled_from(sorted(COMMANDS))}

#: Games as addresses name them, and files that are handed over.
KEYS = some.sampled_from(["1", "s1", "2", "s0", "01"])
FILES = TEXTS | some.sampled_from(["", "{}", BOOK[WHOLE].stream])

#: What is posted to each address, as its form would have it; the session's own mark and the like come to it.
POSTED: dict[str, some.SearchStrategy[dict[str, str]]] = {
    "/arbiter/sign-in": some.fixed_dictionaries({"token": TEXTS}),
    "/arbiter/sign-out": some.just({}),
    "/arbiter/do": some.one_of(
        some.fixed_dictionaries(WISH, optional={"confirmed": some.just("yes")}),
        some.fixed_dictionaries(
            {"setup": some.just("yes")},
            optional={**CHOICES, "red": TEXTS, "black": TEXTS, "lot": some.just("yes")},
        ),
    ),
    "/language": some.fixed_dictionaries(
        {"language": some.sampled_from(["de", "fr", "xx"])}, optional={"back": TEXTS}
    ),
    "/games/change": some.fixed_dictionaries(
        {"change": some.sampled_from(["names", "annotate", "delete", "erase"]), "game": KEYS},
        optional={"red": TEXTS, "black": TEXTS, "text": TEXTS, "name": TEXTS, "confirmed": some.just("yes")},
    ),
    "/table/do": some.fixed_dictionaries(
        {"do": some.sampled_from(["lift", "seat", "drop", "press", "lean", "place", "take", "fault", "wait"])},
        optional={
            "player": some.sampled_from(["red", "black"]),
            "tube": some.sampled_from(["D1", "D2", "G1", "Z9"]),
            "turned": TEXTS,
            "glass": some.sampled_from(["D1", "G1"]) | TEXTS,
            "button": some.sampled_from(["red", "start"]),
            "press": some.sampled_from(["long", "down"]),
            "to": TEXTS,
        },
    ),
    "/table/again": some.just({}),
    "/table/pause": some.just({}),
    "/table/choose": some.fixed_dictionaries(
        {"level": some.sampled_from(["1", "3", "4"]), "red": TEXTS, "black": TEXTS}, optional={"lot": TEXTS}
    ),
    "/table/answer": some.fixed_dictionaries({"answer": some.sampled_from(sorted(COMMANDS)) | TEXTS}),
    "/table/sit": some.fixed_dictionaries({"seat": some.sampled_from(["red", "black"]) | TEXTS, "secret": TEXTS}),
    "/games/import": some.fixed_dictionaries({"file": FILES}, optional={"red": TEXTS, "black": TEXTS}),
}


class Served:
    """The page that is served, of one table, with a service that answers at a socket."""

    def __init__(self, folder: Path, game: str | None, until: str | None) -> None:
        folder.mkdir()
        self.service = FakeService(folder / "live.sock")
        self.token = TokenFile.of(folder).renew()
        self.table = LiveTable(lambda: 0.0, lambda: 0.0)
        self.folder = folder / "journal"
        write(self.folder, played(WHOLE), red=HOSTILE_NAME)
        write(simulated_folder(self.folder), played(WHOLE))
        self.app = served_page(self.table, folder, LinkAtHand(AtHand(seed=1)))
        if game is not None:
            self.table.greeted(greeting())
            for record in Told().game(game, names=Names(red=HOSTILE_NAME, black="Bo")):
                self.table.heard(record)
                if "ruling" in record and record["ruling"]["ruling"] == until:
                    break

    async def sign_in(self) -> tuple[str, str]:
        """A new session: its cookie, and its mark against other sites' forms."""
        headers = {"origin": ORIGIN, "content-type": "application/json"}
        body = json.dumps({"token": self.token}).encode()
        answer = await ask(self.app, "POST", "/arbiter/sign-in", "", headers, body)
        return answer.headers["set-cookie"].partition(";")[0], json.loads(answer.body)["csrf"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Served]]:
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gate_module, "REQUESTS", 10**9)
        patch.setattr(play_module, "ACTIONS", 10**9)
        patch.setattr(desk_module, "SIGN_INS", 10**9)
        pages = [
            Served(folder / str(number), game, until)
            for number, (game, until) in enumerate(zip(GAMES, UNTIL, strict=True))
        ]
    yield pages
    for page in pages:
        page.service.close()
        assert [(each.red, each.black) for each in Archive(page.folder).games()] == [(HOSTILE_NAME, None)]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


class Markup(HTMLParser):
    """Parses markup, and fails where a piece of `HOSTILE` has become an element or an attribute."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any("m4rk" in name for name in (tag, *(name for name, _ in attrs)))


def check(answer: Answer) -> None:
    """What holds for every answer to every request."""
    assert answer.status < 500 or (answer.status == 503 and "retry-after" in answer.headers), answer
    assert b"Traceback" not in answer.body
    headers = answer.headers
    assert headers["content-security-policy"].partition("; style-src-elem")[0] == CONTENT_SECURITY_POLICY
    assert "unsafe-inline" not in CONTENT_SECURITY_POLICY
    assert "frame-ancestors 'none'" in CONTENT_SECURITY_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] in ("no-referrer", "same-origin")
    assert "access-control-allow-origin" not in headers
    for name, value in headers.items():
        assert "\n" not in value, name
        assert "\r" not in value, name
        assert "m4rk" not in name
    location = headers.get("location", "/")
    assert location.startswith("/") and not location.startswith(("//", "/\\"))  # noqa: PT018
    if headers.get("content-type", "").startswith(("text/html", "image/svg")):
        text = answer.body.decode("utf-8", "replace")
        if "m4rk" in text:
            Markup().feed(text)


@some.composite
def addresses(draw: some.DrawFn, route: Route) -> str:
    """An address of a route, its parameters filled in; sometimes one beside it."""
    path = route.path
    for name in route.param_convertors:
        start, end = path.index("{" + name), path.index("}", path.index("{" + name)) + 1
        value = draw(VALUES | some.integers(0, 30).map(str) | KEYS | some.sampled_from(["page.css", "board.js"]))
        path = path[:start] + quoted(value, safe=draw(some.sampled_from(["", "/%"]))) + path[end:]
    if draw(some.integers(0, 9)) == 0:
        path += quoted(draw(TEXTS), safe="/%")
    return path


def quoted(text: str, safe: str) -> str:
    return quote(text, safe=safe, errors="replace")


def form(fields: Mapping[str, str]) -> str:
    return urlencode(
        {key.encode("utf-8", "replace"): value.encode("utf-8", "replace") for key, value in fields.items()}
    )


def parts(fields: Mapping[str, str]) -> bytes:
    """A form with a file, as browsers send it."""
    body = b""
    for name, value in fields.items():
        shown = quoted(name, safe="")
        named = f'name="{shown}"' + ('; filename="x.jsonl"' if name == "file" else "")
        body += f"--b\r\nContent-Disposition: form-data; {named}\r\n\r\n".encode()
        body += value.encode("utf-8", "replace") + b"\r\n"
    return body + b"--b--\r\n"


def test_every_address_that_takes_posts_has_a_strategy(served: list[Served]) -> None:
    posted = {route.path for route in routes(served[0].app) if "POST" in (route.methods or ())}
    assert posted == POSTED.keys()


def test_a_number_of_thousands_of_digits_is_answered_everywhere(
    served: list[Served], runner: asyncio.Runner
) -> None:
    """In each parameter of each address, in what is asked of it, in its fields, and in the headers."""
    page, digits = served[-1], "9" * 5000
    query = form(dict.fromkeys(("at", "from", "since", "t", "v", "page", "tube", "seat"), digits))
    kinds: dict[str, Callable[[Mapping[str, str]], bytes]] = {
        "application/json": lambda fields: b'{"level": %b}' % digits.encode(),
        "application/x-www-form-urlencoded": lambda fields: form(fields).encode(),
        "multipart/form-data; boundary=b": parts,
    }
    for route in routes(page.app):
        for known in ("1", digits):
            path = re.sub(r"\{key[^}]*\}", known, route.path)
            path = re.sub(r"\{[^}]*\}", digits, path)
            for headers in (
                {},
                {"host": f"127.0.0.1:{digits}"},
                {"host": digits},
                {"last-event-id": f"5f0c-{digits}"},
            ):
                check(runner.run(ask(page.app, "GET", path, query, headers)))
            for kind, body in kinds.items() if "POST" in (route.methods or ()) else ():
                headers = {"origin": ORIGIN, "content-type": kind}
                fields = dict.fromkeys(("lesson", "level", "tube", "game", "do", "seat"), digits[:1000])
                check(runner.run(ask(page.app, "POST", path, "", headers, body(fields))))


@settings(max_examples=EXAMPLES)
@given(data=some.data())
def test_whatever_is_asked_for_is_answered_and_changes_nothing(
    served: list[Served], runner: asyncio.Runner, data: some.DataObject
) -> None:
    page = data.draw(some.sampled_from(served))
    route = data.draw(some.sampled_from(routes(page.app)))
    method = data.draw(some.sampled_from(["GET"] * 5 + ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "\0"]))
    path = data.draw(addresses(route))
    query = data.draw(QUERY.map(lambda pairs: form(dict(pairs))) | TEXTS.map(lambda text: quoted(text, "/%&=")))
    headers = data.draw(HEADERS)
    if data.draw(some.booleans()):
        headers["cookie"], _ = runner.run(page.sign_in())
    before, newest = len(page.service.asked), page.table.kept.newest
    check(runner.run(ask(page.app, method, path, query, headers)))
    assert len(page.service.asked) == before
    assert page.table.kept.newest == newest


@settings(max_examples=EXAMPLES)
@given(data=some.data())
def test_whatever_is_posted_is_answered_and_does_something_only_for_the_arbiter(
    served: list[Served], runner: asyncio.Runner, data: some.DataObject
) -> None:
    page = data.draw(some.sampled_from(served))
    path = data.draw(some.sampled_from(sorted(POSTED)))
    fields = data.draw(POSTED[path])
    game = page.table.kept.game
    own = {"game": "" if game is None else game.key, "request": f"request-{data.draw(some.integers(0, 10**9))}"}
    headers = {"origin": ORIGIN}
    is_signed_in = data.draw(some.booleans())
    if is_signed_in:
        headers["cookie"], own["csrf"] = runner.run(page.sign_in())
    fields = {**own, **fields}
    for name, value in data.draw(
        some.dictionaries(some.sampled_from(sorted(fields)) | TEXTS, VALUES, max_size=2)
    ).items():
        fields[name] = value
    for name in data.draw(some.lists(some.sampled_from(sorted(fields)), max_size=1)):
        del fields[name]
    kinds = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"]
    kind = data.draw(some.sampled_from([kinds[2]] * 4 + kinds if path == "/games/import" else kinds))
    body = json.dumps(fields).encode() if kind.endswith("json") else form(fields).encode()
    if kind == kinds[2]:
        body = parts(fields)
    if data.draw(some.integers(0, 4)) == 0:
        body = data.draw(spoilt_bodies(body))
    headers["content-type"] = kind
    is_own_page = True
    if data.draw(some.integers(0, 4)) == 0:
        odd = data.draw(HEADERS)
        is_own_page = not odd.keys() & {"host", "origin", "sec-fetch-site"}
        headers |= odd
    before, newest = len(page.service.asked), page.table.kept.newest
    answer = runner.run(
        ask(page.app, "POST", path, "", headers, body, is_cut=data.draw(some.integers(0, 19)) == 0)
    )
    check(answer)
    assert page.table.kept.newest == newest
    asked = len(page.service.asked) - before
    may_ask = is_signed_in or path in ("/table/again", "/table/choose", "/table/pause")  # at a simulated board
    assert asked <= int(may_ask and answer.status in (200, 303))
    if not is_own_page and asked:
        assert headers["origin"] == f"http://{headers.get('host', '127.0.0.1:8137')}"


@some.composite
def spoilt_bodies(draw: some.DrawFn, body: bytes) -> bytes:
    """A body that is cut, has something put in, is something else, or far too long."""
    place = draw(some.integers(0, len(body)))
    put = draw(
        some.binary(max_size=20) | some.sampled_from([b"%ff", b"&", b'"', b"[" * 5000, b"x" * 9000, b"\\ud800"])
    )
    return draw(some.sampled_from([body[:place], body[:place] + put + body[place:], put]))
