"""The language of an answer: how it is chosen, and that everything in the answer is in it."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from starlette.testclient import TestClient

from tamsk_hw.errors import CatalogueError
from tamsk_hw.facts.notices import BoardConnected
from tamsk_hw.game.tubes import Tube
from tamsk_hw.live.stream import Names
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.system.output import Language
from tamsk_hw.system.sockets import Absence
from tamsk_hw.web import languages
from tamsk_hw.web.app import page_app
from tamsk_hw.web.languages import COOKIE, accepted_language
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import Binding
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.rulings import said
from tamsk_hw.words.translating import CATALOGUES, DOMAIN, own_name, speaking
from tests.web.archive_table import fill, tour
from tests.web.stream import Told, greeting
from tests.web.tables import ORIGIN, Table
from tests.web.test_events import Browser

ENGLISH, GERMAN, FRENCH, DUTCH, *_ = Language
TRANSLATED = (GERMAN, FRENCH, DUTCH)

RIGHTS = "R7.6-just-within-the-window"
QUESTION = "R9.3-full-tube-in-doubt"
OVER = "R5.2-fewest-rings"
ORDERS = "R2.6-rights-run-on"

CONNECTED = BoardConnected((1, 2, 3))

#: The name of the scoreboard in each language.
SCOREBOARD = dict(
    zip((ENGLISH, *TRANSLATED), ("Scoreboard", "Anzeigetafel", "Tableau", "Scorebord"), strict=True),
)


# What a browser asks for.


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", GERMAN),
        ("de-AT", GERMAN),
        ("DE-at", GERMAN),
        ("zh-Hant-TW, fr-CA;q=0.8, en;q=0.7", FRENCH),
        ("en-US,en;q=0.9,de;q=0.8", ENGLISH),
        ("en;q=0.8, nl", DUTCH),
        ("en;q=0.8, nl;q=0.800", ENGLISH),
        ("fr ; q=0.3 , de\t;q=0.31", GERMAN),
        ("de;q=0, fr;q=0.001", FRENCH),
        ("de;q=0", None),
        ("*", DUTCH),
        ("es, *;q=0.5, en;q=0.4", DUTCH),
        ("es, *;q=0.1, en;q=0.4", ENGLISH),
        ("de;q=0.2, de-AT;q=0.9, fr;q=0.5", FRENCH),
        ("es, pt", None),
        ("", None),
        ("deutsch", None),
        ("de;q=2, fr;q=0.1", FRENCH),
        ("de;q=-1, fr;q=0.1", FRENCH),
        ("de;q=0.12345, fr;q=0.1", FRENCH),
        ("de;q=nan, fr;q=0.1", FRENCH),
        ("de;level=1, fr;q=0.1", FRENCH),
        (",, ;q=1, fr", FRENCH),
        ("ＤＥ, fr", FRENCH),
        ("de\x00, fr", FRENCH),
        (",".join(["es"] * 30) + ",fr", None),
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
    assert spoken_at(client, accept_language="es, pt;q=0.5") is DUTCH
    assert spoken_at(client, accept_language="fr-CH, en;q=0.5") is FRENCH
    assert spoken_at(client, accept_language="fr-CH", cookie=f"other=de; {COOKIE}=de") is GERMAN
    assert spoken_at(client, accept_language="fr-CH", cookie=f"{COOKIE}=xx") is FRENCH
    assert spoken_at(client, cookie=f"{COOKIE}=" + "x" * 3000) is DUTCH


def test_english_is_spoken_where_a_catalogue_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(language: Language) -> None:
        raise CatalogueError(language.value, OSError())

    monkeypatch.setattr(languages, "catalogue", unreadable)
    assert spoken_at(client_of(usual=GERMAN), accept_language="fr") is ENGLISH


@pytest.mark.parametrize("path", ["/", "/now", "/overlay", "/board.svg", "/rules", "/nope"])
def test_an_answer_names_its_language_and_what_it_depends_on(path: str) -> None:
    answer = client_of().get(path, headers={"accept-language": "de"})
    assert answer.headers["content-language"] == "de"
    varies = {name.strip().lower() for name in answer.headers["vary"].split(",")}
    assert {"accept-language", "cookie", "accept-encoding"} <= varies


def test_what_all_languages_share_is_kept_once() -> None:
    headers = client_of().get("/static/page.css", headers={"accept-language": "de"}).headers
    assert "content-language" not in headers
    assert "cookie" not in headers["vary"].lower()


@pytest.mark.parametrize("path", ["/now", "/board.svg"])
def test_an_answer_is_kept_for_each_language(path: str) -> None:
    """Asked for in turns, nobody gets another's, nor "not modified" for it."""
    client = client_of()
    at = client.get("/now").headers["x-tamsk-at"]
    address = f"{path}?at={at}"
    texts, tags = {}, {}
    for language in (*Language, *Language):
        answer = client.get(address, headers={"accept-language": language.value})
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
        assert f'value="{language.value}" lang="{language.value}"' in page
        assert f">{own_name(language)}</button>" in page
    fields = {"language": "nl", "back": "/rules?x=1"}
    answer = client.post("/language", data=fields, headers={"origin": ORIGIN}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules?x=1")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=nl; ")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert spoken_at(client, accept_language="de") is DUTCH


@pytest.mark.parametrize(
    "back",
    ["", "//evil.example", "https://evil.example/", "/\\evil.example", "/a\r\nX: y", "javascript:x", "//[", "x"],
)
def test_the_menu_leads_nowhere_else(back: str) -> None:
    fields = {"language": "fr", "back": back}
    answer = client_of().post("/language", data=fields, headers={"origin": ORIGIN}, follow_redirects=False)
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize("fields", [{"language": "xx"}, {"back": "/"}])
def test_no_nonsense_chooses_a_language(fields: dict[str, str]) -> None:
    client = client_of()
    answer = client.post("/language", data=fields, headers={"origin": ORIGIN}, follow_redirects=False)
    assert answer.status_code == 400
    assert "set-cookie" not in answer.headers
    assert client.get("/language").status_code == 405


# Rulings and notices, for those who listen.


def rulings_in(language: Language, rulings: list[Ruling]) -> list[str]:
    with speaking(language):
        return [said(ruling) for ruling in rulings]


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
            assert words == rulings_in(language, table.kept.rulings())
            with speaking(language):
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


def words_of(text: str, language: Language) -> list[str]:
    parser = Words(language)
    parser.feed(text)
    return [" ".join(each.split()) for each in parser.texts if each.strip()]


#: A value in a sentence.
VALUE = r"\S.{0,60}?"


@dataclass(frozen=True)
class Sentence:
    """An English sentence with any values, and its longest part between them, which is found sooner."""

    longest: str
    pattern: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        return self.longest in text and self.pattern.search(text) is not None


def english_sentences(language: Language) -> list[Sentence]:
    """The texts of more than a word that are different in a language."""
    path = CATALOGUES / language.value / "LC_MESSAGES" / f"{DOMAIN}.po"
    with path.open("rb") as file:
        messages = [message for message in read_po(file, language.value) if message.id]
    found = []
    for message in messages:
        english, translated = ((each,) if isinstance(each, str) else each for each in (message.id, message.string))
        for text in english:
            parts = [re.sub(r"\s+", " ", part) for part in re.split(r"\{[^}]*\}", text)]
            if text not in translated and len(re.findall(r"[A-Za-z]{2,}", " ".join(parts))) > 1:
                pattern = VALUE.join(map(re.escape, parts))
                found.append(Sentence(max(parts, key=len), re.compile(rf"(?<!\w){pattern}(?!\w)")))
    return found


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
    for fields, kind in (({"token": "x"}, None), ({"token": "x" * 9000}, None), ({}, "text/plain")):
        more = {} if kind is None else {"content-type": kind}
        yield f"sign in {kind}", client.post("/arbiter/sign-in", data=fields, headers=more).text
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
        yield from got("/", "/overlay", "/now", "/arbiter", *(f"/board.svg?layout={each}" for each in LAYOUTS))
        places = {tube for each in scene.view.glasses for tube in (each.tube, each.standing) if tube is not None}
        ringed = next((tube for tube in scene.view.tubes if scene.view.rings[tube]), Tube.D4)
        yield from got(*(f"/arbiter?tube={tube.name}" for tube in sorted({*places, ringed, Tube.A1})))
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
    """All that the page of a table says, and of everything that hands can do; each with a name."""
    client = table.browser
    client.headers.update(asked)

    def did(*deeds: dict[str, str]) -> Iterator[tuple[str, str]]:
        for deed in deeds:
            answer = client.post("/table/do", json=deed).json()
            assert "done" in answer, (deed, answer)
            yield deed["do"], answer["words"]

    yield "table", client.get("/table").text
    red, black = {"player": "red"}, {"player": "black"}
    yield from did(
        {"do": "drop", **red, "tube": "D4"},
        {"do": "take", **red, "tube": "D4"},
        {"do": "turn_timer", **black},
        {"do": "lift", **red, "tube": "D1"},
        {"do": "turn", **red},
        {"do": "seat", **red, "tube": "D2"},
        {"do": "lean", **black, "tube": "G1"},
        {"do": "straighten", **black, "tube": "G1"},
        {"do": "lean", **black, "tube": "A1"},
        {"do": "lift", **red, "tube": "G4"},
        {"do": "put_away", **red},
        {"do": "place", **red, "tube": "G4", "glass": "G4"},
        {"do": "lift", **red, "tube": "G4"},
        {"do": "put_away", **red},
        {"do": "lift", **red, "tube": "A4"},
        {"do": "take_up", **black},
        {"do": "put_back", **black},
        {"do": "take_up", **black},
        {"do": "press", "button": "red"},
    )
    yield "much at hand", client.get("/table").text
    yield from did({"do": "put_away", **red})
    yield from did({"do": "put_timer_away", **red})
    yield "timer away", client.get("/table").text
    yield from did({"do": "place_timer", **red})
    yield "timer back", client.get("/table").text
    table.tell("R5.4-twice-unseen", "arbiter_needed")
    yield "asked", client.get("/table").text
    yield "answered", client.post("/table/answer", json={"answer": "award-red"}).json()["words"]
    table.tell("R5.2-fewest-rings")
    yield "over", client.get("/table").text
    yield "again", client.post("/table/again", json={}).json()["words"]
    yield "lessons", client.get("/learn").text
    yield from ((f"lesson {number}", client.get(f"/learn/{number}").text) for number in (1, 10))


LAYOUTS = ("wide", "tall", "board")

#: What is no language's, or every one's: names, and each language by its own.
NAMES = {"Ada", "Bo", "Ada Bo", "Ada · TAMSK", *(own_name(language) for language in Language)}


@pytest.fixture(scope="module")
def english_pages(tmp_path_factory: pytest.TempPathFactory) -> list[set[str]]:
    """The words of each page."""
    folder = tmp_path_factory.mktemp("english")
    hands = Table(folder / "hands", hands=True)
    pages = [*everything(Table(folder), {}), *tour(archive_in(folder), {}), *hands_tour(hands, {})]
    assert not any("object at 0x" in text for _, text in pages), "Jinja finds methods of a dict before its keys"
    return [set(words_of(text, ENGLISH)) for _, text in pages]


def archive_in(folder: Path) -> Table:
    """A page with an archive of all kinds of games."""
    own = folder / "archive"  # with a token of its own
    fill(own / "journal")
    return Table(own, own / "journal")


@pytest.mark.soak(but=["de"])  # what is not translated is English in each; tests/words reads every catalogue
@pytest.mark.parametrize("language", TRANSLATED, ids=lambda language: str(language.value))
def test_no_page_has_an_english_sentence_in_another_language(
    tmp_path: Path, english_pages: list[set[str]], language: Language
) -> None:
    table, archive, hands = Table(tmp_path), archive_in(tmp_path), Table(tmp_path / "hands", hands=True)
    everywhere: set[str] = set()
    sentences = english_sentences(language)
    asked = {"accept-language": language.value}
    pages = [*everything(table, asked), *tour(archive, asked), *hands_tour(hands, asked)]
    for (name, text), in_english in zip(pages, english_pages, strict=True):
        new = {*words_of(text, language)} - everywhere
        assert not [each for each in new if any(sentence.is_in(each) for sentence in sentences)], name
        same = {each for each in new & in_english - NAMES if "<img src=x>" not in each}  # a player's name
        assert not [each for each in same if re.search(r"[^\W\d]{3,}.* [^\W\d]{3,}", each)], name
        everywhere |= new
    each_with_templates = (table.pages, archive.pages, hands.pages, hands.play._pages)
    caches = [pages.templates.cache or () for pages in each_with_templates]
    rendered = {name for cache in caches for _, name in cache}
    assert rendered == set(table.pages.templates.list_templates())
    assert len(everywhere) > 200
