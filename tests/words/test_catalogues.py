"""Every sentence in the code is in every catalogue, with all its values."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

import tamsk_hw
from tamsk_hw.system.output import Language
from tamsk_hw.words.translating import CATALOGUES, DOMAIN, ntr, speaking, tr, tr_in

PACKAGE = Path(tamsk_hw.__file__).parent
TRANSLATED = [language for language in Language if language is not Language.ENGLISH]

#: How many texts each function takes before its values, besides the number of `ntr`.
TEXTS = {"tr": 1, "ntr": 2, "tr_in": 2, "marked": 1}


@dataclass(frozen=True)
class Call:
    """A sentence in the code."""

    place: str
    function: str
    texts: tuple[str, ...]
    values: frozenset[str]

    @property
    def key(self) -> tuple[str | None, str | tuple[str, ...]]:
        """Context and text, as catalogues have them."""
        if self.function == "tr_in":
            return self.texts[0], self.texts[1]
        return None, self.texts if self.function == "ntr" else self.texts[0]

    @property
    def messages(self) -> tuple[str, ...]:
        return self.texts[1:] if self.function == "tr_in" else self.texts


def calls_in(path: Path) -> Iterator[Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TEXTS:
            name, place = node.func.id, f"{path.relative_to(PACKAGE)}:{node.lineno}"
            texts = [each.value for each in node.args[: TEXTS[name]] if isinstance(each, ast.Constant)]
            assert len(texts) == TEXTS[name], f"{place}: only a text as it stands can be translated"
            assert len(node.args) == TEXTS[name] + (name == "ntr"), place
            values = {each.arg for each in node.keywords if each.arg is not None}
            assert len(values) == len(node.keywords), f"{place}: values must be named"
            yield Call(place, name, tuple(map(str, texts)), frozenset(values))


def calls_in_template(path: Path) -> Iterator[Call]:
    for node in Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
        if isinstance(node.node, nodes.Name) and node.node.name in TEXTS:
            name, place = node.node.name, f"{path.name}:{node.lineno}"
            texts = [each.value for each in node.args[: TEXTS[name]] if isinstance(each, nodes.Const)]
            assert len(texts) == TEXTS[name], f"{place}: only a text as it stands can be translated"
            yield Call(place, name, tuple(texts), frozenset(each.key for each in node.kwargs))


@cache
def calls() -> list[Call]:
    in_code = [call for path in sorted(PACKAGE.rglob("*.py")) for call in calls_in(path)]
    templates = sorted((PACKAGE / "web" / "templates").iterdir())
    return [*in_code, *(call for path in templates for call in calls_in_template(path))]


@cache
def catalogue(language: Language) -> Catalog:
    with (CATALOGUES / language.value / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, language.value)


def messages(language: Language) -> list[Message]:
    return [message for message in catalogue(language) if message.id]


def key(message: Message) -> tuple[str | None, str | tuple[str, ...]]:
    return message.context, message.id if isinstance(message.id, str) else tuple(message.id)


def forms(text: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def values(text: str) -> Counter[tuple[str, str]]:
    """The values of a text by name, with their format but for a width."""
    fields = ((name, spec) for _, name, spec, _ in Formatter().parse(text) if name is not None)
    return Counter((name[:1].lower() + name[1:], re.sub(r"^\d+", "", spec or "")) for name, spec in fields)


def commands(text: str) -> Counter[str]:
    """The commands that a text names, which are the same in all languages."""
    return Counter(re.findall(r"tamsk-hw (?:(?:do|calibrate|games) \w+|run|arbiter|flash|hands|play)\b", text))


@pytest.mark.slow
def test_a_sentence_is_given_the_values_that_it_names() -> None:
    for call in calls():
        for text in call.messages if call.function != "marked" else ():
            named = {name for name, _ in values(text)}
            if call.function == "ntr":
                named.discard("count")  # it always has that
            assert named == call.values, call.place


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_all_sentences_and_no_others(language: Language) -> None:
    """`make words` puts them there."""
    assert {call.function for call in calls()} == set(TEXTS)
    assert {key(message) for message in messages(language)} == {call.key for call in calls()}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated_with_its_values_commands_and_stop(language: Language) -> None:
    for message in messages(language):
        assert not message.fuzzy, f"look at the translation of {message.id!r}, then take its mark away"
        number = catalogue(language).num_plurals if message.pluralizable else 1
        assert len(forms(message.string)) == number, message.id
        english = forms(message.id)[-1]
        for text in forms(message.string):
            assert text, f"{message.id!r} has no translation"
            assert values(text) == values(english), text
            assert commands(text) == commands(english), text
            assert message.context or english[-1] not in ".?:)" or text[-1] == english[-1], text


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_program_speaks_what_the_catalogue_says(language: Language) -> None:
    with speaking(language):
        for message in messages(language):
            if message.pluralizable:
                continue
            text = tr_in(message.context, message.id) if message.context else tr(message.id)
            assert text == message.string
        singular, plural = "{count} hour", "{count} hours"
        hours = next(message for message in messages(language) if message.id == (singular, plural))
        assert [ntr(singular, plural, count) for count in (1, 2)] == [
            form.format(count=count) for form, count in zip(hours.string, (1, 2), strict=True)
        ]
