"""Strategies for lines of the live stream: such as its schema allows, and others that were spoilt in every way."""

import copy
import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as some

from tests.docs.references.live import schema

#: The most bytes that a service takes in a line, and the most that a reader should.
LONG = 70_000

#: What is put in the place of a value, as JSON text.
ODD = (
    *("null", "true", "0", "-1", "0.5", "1e308", "-1e999", "NaN", "Infinity", "9" * 400, "9" * 5000),
    *('""', '"red"', '"D4"', '"\\ud800"', '"\\u0000"', '"<b m4rk>"', '"' + "x" * LONG + '"'),
    *("[]", "{}", "[[]]", '[null, "x"]', '{"a": {}}', "[" * 500 + "]" * 500, "[" * 30_000 + "]" * 30_000),
)

#: What is put in between the bytes of a line.
_BITS = (
    b"\xff",
    b"\0",
    b"\n",
    b"\r",
    b"{",
    b"}",
    b'"',
    b",",
    b"\\",
    b"\xed\xa0\x80",
    b"\xf0",
    b"\x1b[2J",
    b"9" * 20,
)

#: The place of a value that is put in as text.
_HOLE = "\u2042hole\u2042"


def made_of(part: dict[str, Any], whole: dict[str, Any] | None = None) -> some.SearchStrategy[Any]:
    """Values that fit this part of the schema."""
    whole = whole or schema()
    if "$ref" in part:
        return made_of(whole["$defs"][part["$ref"].rpartition("/")[2]], whole)
    for several in ("oneOf", "anyOf"):
        if several in part:
            return some.one_of([made_of(each, whole) for each in part[several]])
    if "const" in part:
        return some.just(part["const"])
    if "enum" in part:
        return some.sampled_from(part["enum"])
    match part["type"]:
        case "object":
            return _objects(part, whole)
        case "array" if "prefixItems" in part:
            return some.tuples(*(made_of(each, whole) for each in part["prefixItems"])).map(list)
        case "array":
            return some.lists(made_of(part["items"], whole), max_size=4)
        case "integer":
            return some.integers(part.get("minimum"), part.get("maximum"))
        case "number":
            least = part.get("minimum", part.get("exclusiveMinimum"))
            most = part.get("maximum", part.get("exclusiveMaximum"))
            return some.floats(
                least,
                most,
                allow_nan=False,
                allow_infinity=False,
                exclude_min="exclusiveMinimum" in part,
                exclude_max="exclusiveMaximum" in part,
            )
        case "string" if "pattern" in part:
            return some.from_regex(part["pattern"])
        case "string":
            return some.text(max_size=8)
        case "boolean":
            return some.booleans()
        case "null":
            return some.none()
        case other:
            raise NotImplementedError(f"the strategies know no {other!r} in the schema")


def _objects(part: dict[str, Any], whole: dict[str, Any]) -> some.SearchStrategy[Any]:
    if "properties" not in part:
        names = made_of(part["propertyNames"], whole) if "propertyNames" in part else some.text(max_size=4)
        return some.dictionaries(names, made_of(part["additionalProperties"], whole), max_size=4)
    values = {name: made_of(each, whole) for name, each in part["properties"].items()}
    return some.fixed_dictionaries(
        {name: value for name, value in values.items() if name in part["required"]},
        optional={name: value for name, value in values.items() if name not in part["required"]},
    )


def lines_of_schema() -> some.SearchStrategy[dict[str, Any]]:
    """Lines that a service might send, as far as the schema says."""
    return some.one_of([made_of(each) for each in schema()["oneOf"]])


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place inside a value: what it is in, and its key or index there."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found: list[tuple[Any, Any]] = []
    for key, each in inside:
        found += [(value, key), *_places(each)]
    return found


@some.composite
def spoilt_objects(draw: some.DrawFn, record: dict[str, Any]) -> bytes:
    """The object as JSON with one to three of its places changed: other values, missing keys, unknown ones."""
    changed = copy.deepcopy(record)
    put: list[str] = []
    for _ in range(draw(some.integers(1, 3))):
        places = _places(changed)
        inside, key = draw(some.sampled_from(places)) if places else (changed, "id")
        match draw(some.sampled_from(["put", "put", "put", "drop", "add"])):
            case "drop" if places:
                del inside[key]
            case "add" if isinstance(inside, dict):
                inside[draw(some.text(max_size=5))] = 1
            case _:
                inside[key] = f"{_HOLE}{len(put)}{_HOLE}"
                put.append(draw(some.sampled_from(ODD)))
    text = json.dumps(changed, ensure_ascii=False)
    for number, odd in enumerate(put):
        text = text.replace(f'"{_HOLE}{number}{_HOLE}"', odd)
    return text.encode(errors="surrogatepass")


@some.composite
def spoilt_bytes(draw: some.DrawFn, record: dict[str, Any]) -> bytes:
    """The object as JSON that is cut, has something put in, or is no JSON at all."""
    data = json.dumps(record).encode()
    place = draw(some.integers(0, len(data)))
    match draw(some.sampled_from(["cut", "put", "put", "other", "long"])):
        case "cut":
            return data[:place]
        case "put":
            return data[:place] + draw(some.sampled_from(_BITS)) + data[place:]
        case "long":
            return data[:place] + b" " * LONG + data[place:]
        case _:
            return draw(some.binary(max_size=40))


def spoilt(records: Sequence[dict[str, Any]]) -> some.SearchStrategy[bytes]:
    """One of the records, spoilt; without the end of its line."""
    return some.sampled_from(list(records)).flatmap(
        lambda record: some.one_of(spoilt_objects(record), spoilt_objects(record), spoilt_bytes(record))
    )
