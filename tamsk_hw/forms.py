"""Values as JSON: written, read strictly and described, all by their types.

A frozen dataclass is an object with its fields as keys, and its class attribute ``shape`` says where it differs.
An enum is its value, a flag the names of its members, a tuple or set a list. `FORMS` has the forms of other types,
and `Annotated` gives one to a single field.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, Flag
from functools import cache, reduce
from operator import attrgetter, or_
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from tamsk_hw.errors import SettingError, StreamError, shortened

Schema = dict[str, Any]

#: The largest absolute value of a number that can be computed with.
MOST: Final = 1e15

#: The default of a field that has none.
_NEEDED: Final = inspect.Parameter.empty


def is_number(value: Any) -> bool:
    """True for a finite number with an absolute value of at most `MOST`."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= MOST


class Misfit(ValueError):
    """A JSON value that its form does not allow."""

    def __init__(self, problem: str, allowed: str, name: str = "") -> None:
        super().__init__(problem)
        self.problem, self.allowed, self.name, self.path = problem, allowed, name, ""

    def at(self, key: str | int) -> Misfit:
        """The same, seen from the object or list that has the value under ``key``."""
        self.path = (f"[{key}]" if isinstance(key, int) else f".{key}") + self.path
        return self

    def message(self, called: str) -> str:
        """The message; ``called`` is the name of the whole value, where the place has no other."""
        return f"{self.path.removeprefix('.') or self.name or called} {self.problem}; allowed: {self.allowed}"


def _wrong(value: Any, allowed: str) -> Misfit:
    return Misfit(f"is {shortened(value)}", allowed)


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """The form of a type. ``read`` raises `Misfit`; ``allowed`` describes the values in messages."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    schema: Schema
    allowed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Where the object of a dataclass differs from its fields.

    ``tag`` is the key of the class's ``name``; without a shape a class with a ``code`` is tagged by that. ``also``
    are further keys with one value each, among them fields. Fields in ``first`` come before these keys, those in
    ``last`` at the end. ``keys`` has the keys of fields that are called otherwise. Those in ``spare`` are left out
    while they have their default. With ``only`` the object has no other fields between first and last, and these
    are never null. ``strict``: unknown keys are refused.
    """

    tag: str | None = None
    also: Mapping[str, Any] = field(default_factory=dict)
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)
    spare: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    strict: bool = False


def _same(value: Any) -> Any:
    return value


def scalar(write: Callable[[Any], Any], made: Callable[[Any], Any], schema: Schema, allowed: str) -> Form:
    """The form of values that are no objects or lists.

    ``made`` gives the value of a JSON value, and raises `ValueError`, `LookupError` or `TypeError` for others.
    """

    def read(value: Any) -> Any:
        try:
            return made(value)
        except (ValueError, LookupError, TypeError):
            raise _wrong(value, allowed) from None

    return Form(write, read, schema, allowed)


def _of_type(value: Any, *kinds: type) -> Any:
    if type(value) not in kinds:
        raise TypeError
    return value


def text(write: Callable[[Any], str], made: Callable[[str], Any]) -> Form:
    """The form of values that are recorded as text."""
    return scalar(write, lambda value: made(_of_type(value, str)), {"type": "string"}, "a text")


def number(kind: type, least: float = -MOST, most: float = MOST, allowed: str = "") -> Form:
    """The form of numbers from ``least`` to ``most``."""

    def made(value: Any) -> Any:
        if not least <= _of_type(value, int, kind) <= most:
            raise ValueError
        return kind(value)

    schema: Schema = {"type": "integer" if kind is int else "number"}
    schema |= {key: bound for key, bound in (("minimum", least), ("maximum", most)) if abs(bound) < MOST}
    return scalar(_same, made, schema, allowed or f"{least} to {most}")


#: A count of anything.
Count = Annotated[int, number(int, 0, 10**9, "a whole number, 0 or more")]


def one_of(values: Mapping[str, Any], write: Callable[[Any], str], allowed: str = "") -> Form:
    """The form of a few values, by the text that JSON has for each."""
    return scalar(write, values.__getitem__, {"enum": [*values]}, allowed or ", ".join(map(shortened, values)))


def _constant(value: Any) -> Form:
    """The form of a key that has one value."""
    shown = to_json(value) if isinstance(value, Enum) else value
    known = {shown: value}
    return scalar(
        lambda _: shown, lambda given: known[_of_type(given, type(shown))], {"const": shown}, shortened(shown)
    )


def _read_at(key: str | int, form: Form, value: Any) -> Any:
    try:
        return form.read(value)
    except Misfit as misfit:
        raise misfit.at(key) from None


def _list(items: tuple[Form, ...], make: Callable[[list[Any]], Any], *, repeated: bool) -> Form:
    """The form of a list of these items, or of any number of the only one."""
    allowed = "a list" if repeated else f"a list of {len(items)}"

    def forms(values: Any) -> tuple[Form, ...]:
        return items * len(values) if repeated else items

    def read(value: Any) -> Any:
        if not isinstance(value, (list, tuple)) or len(forms(value)) != len(value):
            raise _wrong(value, allowed)
        return make([_read_at(place, *each) for place, each in enumerate(zip(forms(value), value, strict=True))])

    def write(values: Any) -> list[Any]:
        return [form.write(each) for form, each in zip(forms(values), values, strict=True)]

    inner = [each.schema for each in items]
    schema = {"items": inner[0]} if repeated else {"prefixItems": inner, "items": False}
    return Form(write, read, {"type": "array"} | schema, allowed)


def _set(kind: type[Enum], item: Form, make: Callable[[list[Any]], Any]) -> Form:
    """The form of a set of an enum's members, in the enum's order."""
    listed = _list((item,), make, repeated=True)
    return replace(listed, write=lambda values: [item.write(each) for each in kind if each in values])


def _mapping(key: Form, item: Form) -> Form:
    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _wrong(value, "an object")
        return {_read_at(name, key, name): _read_at(name, item, each) for name, each in value.items()}

    def write(values: Any) -> dict[str, Any]:
        return {key.write(name): item.write(each) for name, each in values.items()}

    schema = {"type": "object", "propertyNames": key.schema, "additionalProperties": item.schema}
    return Form(write, read, schema, "an object")


class _Object:
    """The objects of a class that have one `Shape`."""

    def __init__(self, kind: Any, shape: Shape) -> None:
        hints = get_type_hints(kind, include_extras=True)
        known = {name: each.default for name, each in inspect.signature(kind).parameters.items()}
        self.kind, self.shape = kind, shape
        consts = {} if shape.tag is None else {shape.tag: kind.code if shape.tag == "code" else kind.name}
        consts |= shape.also
        self.fixed = {name: value for name, value in consts.items() if name in known}
        outer = {*shape.first, *shape.last, *self.fixed}
        inner = [name for name in (known if shape.only is None else shape.only) if name not in outer]
        self.parts: list[tuple[str, str, Form, Any]] = []
        for name in (*shape.first, *consts, *inner, *shape.last):
            hint, default = hints.get(name), known.get(name, _NEEDED)
            if name in shape.spare or (shape.only is not None and name in inner):
                hint, default = _not_null(hint), default if name in shape.spare else _NEEDED
            form = _constant(consts[name]) if name in consts else form_of(hint)
            self.parts.append((shape.keys.get(name, name), name if name in known else "", form, default))
        self.keys = dict.fromkeys(key for key, *_ in self.parts)
        self.consts = {key: form.schema["const"] for key, _, form, _ in self.parts if key in consts}
        self.name = " ".join(value for value in self.consts.values() if isinstance(value, str))

    def write(self, value: Any) -> dict[str, Any]:
        """The object of a value."""
        record = {}
        for key, name, form, default in self.parts:
            item = getattr(value, name) if name else None
            if name not in self.shape.spare or item != default:
                record[key] = form.write(item)
        return record

    def read(self, record: Any) -> Any:
        """The value of an object."""
        if not isinstance(record, (dict, Mapping)):
            raise _wrong(record, "an object")
        if self.shape.strict and not self.keys.keys() >= record.keys():
            odd, known = shortened(next(key for key in record if key not in self.keys)), ", ".join(self.keys)
            raise Misfit(f"has the unknown key {odd}", known, self.name)
        values = {}
        for key, name, form, default in self.parts:
            if key in record:
                values[name] = _read_at(key, form, record[key])
            elif default is _NEEDED:
                raise Misfit(f"has no {key!r}", form.allowed, self.name)
        values.pop("", None)
        try:
            return self.kind(**values)
        except SettingError as error:
            raise _wrong(record.get(error.key, error.value), error.allowed).at(error.key) from None

    def schema(self) -> Schema:
        """The object's schema."""
        return {
            "description": about(self.kind),
            "type": "object",
            "properties": {key: form.schema for key, _, form, _ in self.parts},
            "required": [key for key, name, *_ in self.parts if name not in self.shape.spare],
            "additionalProperties": False,
        }


@cache
def _objects(kind: Any) -> tuple[_Object, ...]:
    tag = "code" if isinstance(getattr(kind, "code", None), str) else None
    shapes = getattr(kind, "shape", None) or Shape(tag=tag)
    return tuple(_Object(kind, shape) for shape in (shapes if isinstance(shapes, tuple) else (shapes,)))


def about(kind: object) -> str:
    """The docstring of a type or a function, on one line."""
    return " ".join((inspect.getdoc(kind) or "").replace("``", "`").split())


def _not_null(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) in (Union, UnionType) else hint


def _tagged(kinds: tuple[Any, ...]) -> Form:
    """The form of one class or of several; each object names its class by its constant keys."""
    objects = [each for kind in kinds for each in _objects(kind)]

    def write(value: Any) -> dict[str, Any]:
        for each in _objects(value.__class__):
            if all(getattr(value, name) == fixed for name, fixed in each.fixed.items()):
                return each.write(value)
        raise ValueError(value)

    schemas = [each.schema() for each in objects]
    return Form(write, _by_key(objects, 0), {"oneOf": schemas} if schemas[1:] else schemas[0], "an object")


def _by_key(objects: list[_Object], place: int) -> Callable[[Any], Any]:
    """The reader that chooses among classes by their constant keys, beginning with the key at ``place``."""
    if len(objects) == 1:
        return objects[0].read
    key = [*objects[0].consts][place]
    groups: dict[Any, list[_Object]] = {}
    for each in objects:
        groups.setdefault(each.consts[key], []).append(each)
    readers = {value: _by_key(group, place + 1) for value, group in groups.items()}
    allowed = ", ".join(map(shortened, readers))

    def read(record: Any) -> Any:
        if not isinstance(record, (dict, Mapping)):
            raise _wrong(record, "an object")
        value = record.get(key)
        if not isinstance(value, str) or value not in readers:
            raise _wrong(value, allowed).at(key) if key in record else Misfit(f"has no {key!r}", allowed)
        return readers[value](record)

    return read


def _union(hints: tuple[Any, ...]) -> Form:
    """The form of one of several types; a JSON value is tried as each of them, as an object last."""
    objects = tuple(each for each in hints if _is_object(each))
    own = {getattr(each, "__origin__", each): form_of(each) for each in hints if each not in (*objects, NoneType)}
    forms = [*own.values()] + ([_tagged(objects)] if objects else [])
    null = NoneType in hints
    if len(forms) == 1 and not null:
        return forms[0]
    allowed = ", ".join([form.allowed for form in forms] + ["null"] * null)

    def write(value: Any) -> Any:
        if value is None:
            return None
        form = own.get(value.__class__) or form_of(value.__class__) if len(forms) > 1 else forms[0]
        return form.write(value)

    def read(value: Any) -> Any:
        if value is None and null:
            return None
        for form in forms:
            try:
                return form.read(value)
            except Misfit as misfit:
                if misfit.path or misfit.allowed != form.allowed:  # it is one of these, and wrong inside
                    raise
        raise _wrong(value, allowed)

    return Form(write, read, {"anyOf": [form.schema for form in forms] + [{"type": "null"}] * null}, allowed)


def _is_object(hint: Any) -> bool:
    return hasattr(hint, "__dataclass_fields__") and hint not in FORMS


@cache
def form_of(hint: Any) -> Form:
    """The form of values of a type."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint in FORMS:
        return FORMS[hint]
    if origin is Annotated:
        return next(each for each in inner if isinstance(each, Form))
    if origin in (Union, UnionType):
        return _union(inner)
    if origin in (Mapping, dict):
        return _mapping(form_of(inner[0]), form_of(inner[1]))
    if origin is frozenset:
        return _set(inner[0], form_of(inner[0]), frozenset)
    if origin is tuple:
        repeated = inner[-1] is Ellipsis
        return _list(tuple(form_of(each) for each in inner if each is not Ellipsis), tuple, repeated=repeated)
    if _is_object(hint):
        return _tagged((hint,))
    if issubclass(hint, Flag):
        item = one_of({str(each.name).lower(): each for each in hint}, lambda each: each.name.lower())
        return _set(hint, item, lambda flags: reduce(or_, flags, hint(0)))
    return one_of({each.value: each for each in hint}, attrgetter("value"))


#: Forms of further types.
FORMS: Final[dict[Any, Form]] = {
    bool: scalar(_same, lambda value: _of_type(value, bool), {"type": "boolean"}, "true or false"),
    str: text(_same, _same),
    int: number(int, allowed="a whole number"),
    float: number(float, allowed="a number"),
    Path: text(str, Path),
    NoneType: scalar(_same, lambda value: {None: None}[value], {"type": "null"}, "null"),
}


def to_json(value: Any) -> Any:
    """The value as JSON has it."""
    return form_of(value.__class__).write(value)


def from_json(kind: Any, value: Any, where: str, called: str = "the value") -> Any:
    """The value of a type that JSON has as ``value``.

    Raises:
        StreamError: it is none; the message names ``where``, key, value and what is allowed. ``called`` is the
            name of the whole value.
    """
    try:
        return form_of(kind).read(value)
    except Misfit as misfit:
        raise StreamError(f"{where}: {misfit.message(called)}") from None
