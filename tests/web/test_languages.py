"""The language of an answer: how it is chosen, and that everything in the answer is in it."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from gettext import NullTranslations
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tamsk_hw.errors import CatalogueError
from tamsk_hw.facts.notices import BoardConnected
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.lessons.lessons import all_lessons
from tamsk_hw.live.stream import Names
from tamsk_hw.system.output import Language
from tamsk_hw.system.sockets import Absence
from tamsk_hw.web import languages
from tamsk_hw.web.app import page_app
from tamsk_hw.web.languages import COOKIE, accepted_language
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import Binding
from tamsk_hw.words import translating
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.rulings import said
from tamsk_hw.words.translating import own_name, speaking
from tests.hall.bench import Bench
from tests.hall.club import Club
from tests.web.archive_table import fill, tour
from tests.web.stream import Told, greeting
from tests.web.tables import ORIGIN, Table
from tests.web.test_events import Browser

ENGLISH, GERMAN, FRENCH, DUTCH = Language.ENGLISH, Language.DE, Language.FR, Language.NL
TRANSLATED = (GERMAN, FRENCH, DUTCH)

RIGHTS = "R7.6-just-within-the-window"
QUESTION = "R9.3-full-tube-in-doubt"
OVER = "R5.2-fewest-rings"
ORDERS = "R2.6-rights-run-on"

CONNECTED = BoardConnected((1, 2, 3))

#: The name of the scoreboard in each language.
SCOREBOARD = dict(zip((ENGLISH, *TRANSLATED), ("Scoreboard", "Anzeigetafel", "Tableau", "Scorebord"), strict=True))


# What a browser asks for.


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-AT", GERMAN),
        ("zh-Hant-TW, fr-CA;q=0.8, en;q=0.7", FRENCH),
        ("en;q=0.8, nl", DUTCH),
        ("de;q=0, fr;q=0.001", FRENCH),
        ("de;q=0", None),
        ("*", DUTCH),
        ("eo, *;q=0.5, en;q=0.4", DUTCH),
        ("de;q=0.2, de-AT;q=0.9, fr;q=0.5", FRENCH),
        ("", None),
        ("de;q=2, fr;q=0.1", FRENCH),
        ("de;q=nan, fr;q=0.1", FRENCH),
        (",, ;q=1, fr", FRENCH),
        ("ＤＥ, fr", FRENCH),
        (",".join(["eo"] * 30) + ",fr", None),
    ],
)
def test_the_language_that_a_browser_likes_best(header: str, language: Language | None) -> None:
    assert accepted_language(header, DUTCH) is language


# Which language an answer has.


def client_of(usual: Language = ENGLISH) -> TestClient:
    table = LiveTable(lambda: 0.0, lambda: 0.0)
    table.greeted(greeting())
    for record in Told().game(RIGHTS):
        table.heard(record)
    app = page_app(Pages(table), Binding("127.0.0.1"), usual=usual)
    return TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)


def spoken_at(client: TestClient, path: str = "/", **headers: str) -> Language:
    """The language of a page, which its header and its words name alike."""
    answer = client.get(path, headers={key.replace("_", "-"): value for key, value in headers.items()})
    language = Language(answer.headers["content-language"])
    assert f'<html lang="{language.value}">' in answer.text
    assert f">{SCOREBOARD[language]}</a>" in answer.text
    return language


def test_the_choice_comes_before_the_browser_and_the_browser_before_the_usual_language() -> None:
    client = client_of(usual=DUTCH)
    assert spoken_at(client) is DUTCH
    assert spoken_at(client, accept_language="eo, pt;q=0.5") is DUTCH
    assert spoken_at(client, accept_language="fr-CH, en;q=0.5") is FRENCH
    assert spoken_at(client, accept_language="fr-CH", cookie=f"other=de; {COOKIE}=de") is GERMAN
    assert spoken_at(client, accept_language="fr-CH", cookie=f"{COOKIE}=xx") is FRENCH
    assert spoken_at(client, cookie=f"{COOKIE}=" + "x" * 3000) is DUTCH


def test_english_is_spoken_where_a_catalogue_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(language: Language) -> None:
        raise CatalogueError(language.value, OSError())

    monkeypatch.setattr(languages, "catalogue", unreadable)
    assert spoken_at(client_of(usual=GERMAN), accept_language="fr") is ENGLISH


def test_an_answer_names_its_language_and_what_it_depends_on() -> None:
    """What all languages share depends on none, and is kept once."""
    client = client_of()
    client.headers["accept-language"] = "de"
    for path in ("/", "/board.svg", "/nope"):
        answer = client.get(path)
        assert answer.headers["content-language"] == "de"
        varies = {name.strip().lower() for name in answer.headers["vary"].split(",")}
        assert {"accept-language", "cookie", "accept-encoding"} <= varies
    shared = client.get("/static/page.css").headers
    assert "content-language" not in shared
    assert "cookie" not in shared["vary"].lower()


def test_an_answer_is_kept_for_each_language() -> None:
    """Asked for in turns, nobody gets another's, nor "not modified" for it."""
    client = client_of()
    address = f"/now?at={client.get('/now').headers['x-tamsk-at']}"
    texts, tags = {}, {}
    for language in (*Language, *Language):
        answer = client.get(address, headers={"accept-language": language.value})
        assert answer.headers["cache-control"] == "no-cache"
        assert texts.setdefault(language, answer.text) == answer.text
        tags[language] = answer.headers["etag"]
    assert len(set(texts.values())) == len(set(tags.values())) == len(Language)
    for language in Language:
        headers = {"accept-language": language.value, "if-none-match": tags[GERMAN]}
        assert client.get(address, headers=headers).status_code == (304 if language is GERMAN else 200)


# The menu.


def test_a_language_is_chosen_in_the_menu() -> None:
    client = client_of()
    page = client.get("/rules?x=1").text
    assert 'action="/language"' in page
    assert 'name="back" value="/rules?x=1"' in page
    for language in Language:
        assert f">{own_name(language)}</button>" in page
    fields = {"language": "nl", "back": "/rules?x=1"}
    answer = client.post("/language", data=fields, headers={"origin": ORIGIN}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules?x=1")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=nl; ")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert spoken_at(client, accept_language="de") is DUTCH


def test_the_menu_leads_nowhere_else_and_takes_no_nonsense() -> None:
    client = client_of()
    client.follow_redirects = False
    client.headers["origin"] = ORIGIN
    for back in ("", "//evil.example", "https://evil.example/", "/\\evil.example", "/a\r\nX: y", "//[", "x"):
        answer = client.post("/language", data={"language": "fr", "back": back})
        assert answer.headers["location"] == "/"
    for fields in ({"language": "xx"}, {"back": "/"}):
        answer = client.post("/language", data=fields)
        assert answer.status_code == 400
        assert "set-cookie" not in answer.headers


# Rulings and notices, for those who listen.


def test_two_who_listen_in_two_languages_get_the_same_rulings_in_their_own_words() -> None:
    """The page's process itself runs in a third one."""

    async def test() -> None:
        table = LiveTable(lambda: 0.0, lambda: 0.0)
        app = page_app(Pages(table), Binding("127.0.0.1"), usual=FRENCH)
        table.greeted(greeting())
        told = Told()
        records = [*told.game(RIGHTS), told.line(CONNECTED)]
        table.heard(records[0])
        readers = {language: Browser(app) for language in (GERMAN, DUTCH, FRENCH)}
        for language in (GERMAN, DUTCH):
            readers[language].scope["headers"].append((b"accept-language", language.value.encode()))
        for reader in readers.values():
            await reader.until(lambda reader: bool(reader.events("game")))
        for record in records[1:]:
            table.heard(record)
        for language, reader in readers.items():
            await reader.until(lambda reader: bool(reader.events("notice")))
            assert reader.headers[b"content-language"] == language.value.encode()
            assert reader.rulings == told.rulings
            words = [data["said"] for _, data in reader.events("ruling")]
            with speaking(language):
                assert words == [said(ruling) for ruling in table.kept.rulings()]
                assert [data["words"] for _, data in reader.events("notice")] == [notice_words(CONNECTED)]
            await reader.leave()

    with speaking(DUTCH):
        asyncio.run(test())


# Every page, whole.


class Words(HTMLParser):
    """What people see, hear or are asked on a page in ``language``, without parts marked as of another."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._language = language.value
        self._others: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_other = (given.get("lang") or self._language) != self._language
        is_void = tag in ("meta", "link", "input", "br")
        if not is_void and (self._others or is_other):
            self._others.append(tag)
        if self._others:
            return
        for name, value in attrs:
            if name in ("aria-label", "title", "placeholder", "alt") or name.startswith("data-"):
                self.texts.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        if self._others and self._others[-1] == tag:
            self._others.pop()

    def handle_data(self, data: str) -> None:
        if not self._others:
            self.texts.append(data)


class Marked(NullTranslations):
    """A language in which every sentence of the program is the English one in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return self.gettext(plural)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


def unmarked(text: str, language: Language) -> list[str]:
    """What people are told on a page besides the sentences of the program, if it is more than a word."""
    parser = Words(language)
    parser.feed(text)
    rest = "\n".join(parser.texts)
    while (less := re.sub("⟦[^⟦⟧]*⟧", "", rest)) != rest:
        rest = less
    return [line for line in rest.splitlines() if re.search(r"[^\W\d]{3,}.* [^\W\d]{3,}", line)]


def everything(table: Table, headers: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Every page and every refusal, in each state of a table that shows other words: its name and its text."""
    client = table.client()
    client.headers.update(headers)

    def got(*paths: str, status: int = 200) -> Iterator[tuple[str, str]]:
        for path in paths:
            answer = client.get(path)
            assert answer.status_code == status, path
            yield path, answer.text

    yield from got("/", "/overlay", "/rules", "/arbiter")
    yield from got("/now", "/board.svg", status=503)
    yield from got("/nope", status=404)
    for why in Absence:
        table.live.lost(why)
        yield from got("/")
    yield "405", client.put("/").text
    yield "421", client.get("/", headers={"host": "evil.example"}).text
    for token in ("x", "x" * 9000):
        yield "sign in", client.post("/arbiter/sign-in", data={"token": token}).text
    yield "no form", client.post("/arbiter/sign-in", headers={"content-type": "text/plain"}).text
    yield "not signed in", client.post("/arbiter/do", data={}).text
    yield "foreign", client.post("/arbiter/do", data={}, headers={"origin": "http://evil.example"}).text
    client.post("/arbiter/sign-in", data={"token": table.token})
    yield from got("/arbiter")

    def pressed(code: str, **more: str) -> tuple[str, str]:
        return code, table.press(client, code, **more).text

    names = Names(red="Ada", black="Bo")
    table.tell(RIGHTS, "setup", names=names)
    yield from got("/", "/arbiter")
    yield pressed("start")
    yield "csrf", client.post("/arbiter/do", data={"csrf": "x"}).text
    yield pressed("nonsense")
    yield "form", client.post("/arbiter/do", data=table.fields(client, setup="yes", level="9")).text
    for lot in ({}, {"lot": "yes"}):
        yield "set up", client.post("/arbiter/do", data=table.fields(client, setup="yes", level="1", **lot)).text
    yield "names", client.post("/arbiter/do", data=table.fields(client, setup="yes", red="Ada")).text
    table.service.answer = {"refused": "That would change nothing, as the game stands now.", "why": "no_effect"}
    yield pressed("start")
    table.service.answer = {"done": 17}
    yield pressed("start", game="another")
    for scenario, until in ((RIGHTS, "ring"), (QUESTION, "arbiter_needed"), (ORDERS, "violation"), (OVER, None)):
        table.tell(scenario, until)
        scene = table.live.scene
        assert scene is not None
        yield from got("/", "/overlay", "/now", "/arbiter", "/board.svg")
        ringed = next((tube for tube in scene.view.tubes if scene.view.rings[tube]), Tube.D4)
        yield from got(*(f"/arbiter?tube={tube}" for tube in (ringed.name, "A1", "A2")))
        codes = re.findall(r'name="wish" value="([^"]+)"', client.get(f"/arbiter?tube={ringed.name}").text)
        yield from (pressed(code) for code in {code.partition("-")[0]: code for code in codes}.values())
    table.live.lost(Absence.NONE_THERE)
    yield from got("/", "/arbiter")
    yield pressed("next")
    table.live.greeted(greeting())
    table.tell(OVER)
    assert table.live._record is not None
    table.live.heard({"state": {**table.live._record, "phase": "offered"}})
    yield from got("/", "/arbiter")
    yield pressed("abandon-offered")
    table.service.close()
    yield pressed("resume")
    yield from (("too often", client.post("/arbiter/sign-in", data={"token": "x"}).text) for _ in range(6))
    client.cookies.clear()
    table.file.path.unlink()
    yield from got("/arbiter")


def hands_tour(table: Table, asked: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """All that the page of a table says, and of some deeds; each with a name."""
    client = table.browser
    client.headers.update(asked)
    yield "table", client.get("/table").text
    red, black = {"player": "red"}, {"player": "black"}
    for deed in (
        {"do": "lift", **red, "tube": "G4"},
        {"do": "put_away", **red},
        {"do": "put_timer_away", **red},
        {"do": "lift", **red, "tube": "D1"},
        {"do": "lean", **black, "tube": "A1"},
        {"do": "take_up", **black},
    ):
        yield deed["do"], client.post("/table/do", json=deed).json()["words"]
    yield "much at hand", client.get("/table").text
    yield "paused", client.post("/table/pause", json={}).json()["words"]
    assert table.live.scene is not None
    table.play._seen.ask_pause(table.live.scene.view, frozenset({Player.RED}))
    yield "a pause is asked for", client.get("/table/now").text
    table.tell("R5.4-twice-unseen", "arbiter_needed")
    yield "asked", client.get("/table").text
    yield "answered", client.post("/table/answer", json={"answer": "award-red"}).json()["words"]
    table.tell("R5.2-fewest-rings")
    yield "over", client.get("/table").text
    yield "again", client.post("/table/again", json={}).json()["words"]
    yield "lessons", client.get("/learn").text
    yield from ((f"lesson {number}", client.get(f"/learn/{number}").text) for number in (1, 10))


def archive_in(folder: Path) -> Table:
    """A page with an archive of all kinds of games."""
    own = folder / "archive"  # with a token of its own
    fill(own / "journal")
    return Table(own, own / "journal")


def test_every_sentence_on_every_page_and_in_every_answer_can_be_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests of catalogues hold all sentences that go through the translation against the languages."""
    monkeypatch.setattr(translating, "catalogue", lambda language: Marked())
    table, archive, hands = Table(tmp_path), archive_in(tmp_path), Table(tmp_path / "hands", hands=True)
    # Lessons have files of their own; of files the program speaks English; and there are names.
    known = repr([lesson.texts[GERMAN] for lesson in all_lessons()])
    others = ("Ada · TAMSK", "<img src=x>", str(tmp_path))
    asked = {"accept-language": GERMAN.value}
    for name, text in (*everything(table, asked), *tour(archive, asked), *hands_tour(hands, asked)):
        assert "object at 0x" not in text, "Jinja finds methods of a dict before its keys"
        found = [" ".join(line.split()) for line in unmarked(text, GERMAN)]
        found = [line for line in found if line not in known and not any(other in line for other in others)]
        assert found == [], name
    hall = Bench(tmp_path)
    hall.tell("one", "busy")
    hall.tell("two", "asked")
    client = TestClient(hall.app, base_url=ORIGIN, headers={"origin": ORIGIN, **asked})
    for path in ("/", "/boards/one/arbiter", "/arbiter", "/boards/two/arbiter", "/?answer=request-1"):
        words, _, _ = client.get(path).text.partition('<script type="app')
        found = unmarked(words, GERMAN)
        assert [line for line in found if not re.search("Ada|Grace|two", line)] == [], path
        if path == "/boards/one/arbiter":
            session = client.post("/arbiter/sign-in", json={"token": hall.token}).json()
            late = {"csrf": session["csrf"], "request": "request-1", "name": "Zoe", "call": "gone"}
            assert "".join(unmarked(client.post("/take", json=late).json()["refused"], GERMAN)) == ""
    club = Club(tmp_path / "club")
    for name, text in club.tour(asked):
        assert [line for line in unmarked(text, GERMAN) if "Cup ·" not in line] == [], name
    each_with_templates = (table.pages, archive.pages, hands.pages, hands.play._pages, hall.pages, club.pages)
    caches = [pages.templates.cache or () for pages in each_with_templates]
    rendered = {name for cache in caches for _, name in cache}
    assert rendered == set(table.pages.templates.list_templates())
