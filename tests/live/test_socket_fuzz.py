"""Requests made at random, before a service with its socket, its table and its journal.

Each line is done or refused, what is refused changes nothing, and the service goes on.
"""

import json
import logging
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tamsk_hw.errors import StreamError
from tamsk_hw.live.client import connect
from tamsk_hw.live.requests import Since, read_request
from tamsk_hw.system.line_server import LONGEST_LINE
from tests.docs.references.live import schema
from tests.live.spoilt_lines import made_of, spoilt
from tests.soak import in_soak
from tests.table.running_service import Running

EXAMPLES = in_soak(3000, otherwise=60)
PATIENCE = 30.0

_WHOLE = schema()
_HEADER = next(line for line in _WHOLE["oneOf"] if "header" in line["properties"])["properties"]["header"]

#: Presses and decisions as the schema has them, without their times; other events, too.
EVENTS = made_of(_WHOLE["$defs"]["event"], _WHOLE).map(
    lambda event: {key: value for key, value in event.items() if key != "t"}
)
NAMES = some.dictionaries(some.sampled_from(["red", "black"]), some.none() | some.text(max_size=12))
_RULES = _HEADER["properties"]["ruleset"]["properties"]
RULES = some.lists(some.sampled_from(sorted(_RULES)), max_size=3).flatmap(
    lambda keys: some.fixed_dictionaries({key: made_of(_RULES[key], _WHOLE) for key in keys})
)
GAMES = some.integers(0, 5)
TEXTS = some.text()

DEEDS = some.one_of(
    some.fixed_dictionaries({"do": EVENTS}),
    some.fixed_dictionaries(
        {"do": some.fixed_dictionaries({"game": some.sampled_from(["resume", "abandon", "next", "rematch"])})}
    ),
    some.fixed_dictionaries({"setup": some.fixed_dictionaries({}, optional={"ruleset": RULES, "names": NAMES})}),
    some.fixed_dictionaries(
        {
            "journal": some.one_of(
                some.fixed_dictionaries({"rename": some.fixed_dictionaries({"game": GAMES, "red": TEXTS})}),
                some.fixed_dictionaries(
                    {"annotate": some.fixed_dictionaries({"game": GAMES, "text": some.text()})}
                ),
                some.fixed_dictionaries({"delete": some.fixed_dictionaries({"game": GAMES})}),
                some.fixed_dictionaries({"erase": some.fixed_dictionaries({"name": some.text(max_size=3)})}),
                some.fixed_dictionaries(
                    {"import": some.fixed_dictionaries({"piece": TEXTS}, optional={"more": some.booleans()})}
                ),
            )
        }
    ),
    some.fixed_dictionaries({"since": some.integers(0, 10**6)}, optional={"life": some.text(max_size=4)}),
)
REQUESTS = some.one_of(
    DEEDS,
    some.tuples(some.integers() | some.text(max_size=250), DEEDS).map(lambda both: {"id": both[0], **both[1]}),
)


def encoded(record: Any) -> bytes:
    return json.dumps(record).encode()


LINES = some.one_of(REQUESTS.map(encoded), REQUESTS.flatmap(lambda request: spoilt([request])))


class Complaints(logging.Handler):
    """What the program complains of to nobody: errors in its threads and tasks."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("s"))
    running.start_a_game()
    yield running
    running.close()


@pytest.fixture(scope="module")
def complaints() -> Iterator[list[str]]:
    handler = Complaints()
    logging.getLogger().addHandler(handler)
    yield handler.said
    logging.getLogger().removeHandler(handler)


def made_by_people(service: Running, seq: int) -> list[dict[str, Any]]:
    """The lines after ``seq`` that only come of what people do."""
    found = []
    while lines := service.publisher.stream.after(seq):
        seq = lines[-1][0]
        found += [json.loads(data) for _, data in lines]
    return [
        line
        for line in found
        if line.keys() & {"header", "names"} or line.get("event", {}).get("event") in ("button", "arbiter")
    ]


def is_answered(line: bytes) -> bool:
    """Whether the line is to be answered: all are but blank ones, and those that say what the reader has."""
    if len(line) > LONGEST_LINE:
        return True
    try:
        record = json.loads(line.decode())
        return not isinstance(record, dict) or not isinstance(read_request(record), Since)
    except (StreamError, ValueError, RecursionError):
        return bool(line.strip())


def answers(service: Running, lines: list[bytes]) -> list[dict[str, Any]]:
    """The service's answers to these lines, as many as there should be; then it still answers."""
    said = b"\n".join([*lines, encoded({"id": "last", "do": {"game": "win"}})])
    due = sum(map(is_answered, said.split(b"\n")))
    with socket.socket(socket.AF_UNIX) as stream:
        stream.settimeout(PATIENCE)
        stream.connect(str(service.socket))
        stream.sendall(said + b"\n")
        found: list[dict[str, Any]] = []
        for line in stream.makefile("rb"):
            record = json.loads(line, parse_constant=pytest.fail)
            if "re" in record:
                found.append(record)
                if len(found) == due:
                    return found
    raise AssertionError("the service has ended the connection")


@settings(max_examples=EXAMPLES)
@given(lines=some.lists(LINES, min_size=1, max_size=6))
def test_whatever_is_asked_is_done_or_refused(service: Running, complaints: list[str], lines: list[bytes]) -> None:
    before = service.publisher.stream.newest
    found = answers(service, lines)
    assert "last" in [answer["re"] for answer in found]
    assert all(answer.keys() >= {"re", "done"} or answer.keys() - {"why"} == {"re", "refused"} for answer in found)
    assert not any("Traceback" in str(answer) for answer in found)
    if not any("done" in answer for answer in found):
        assert made_by_people(service, before) == []
    assert complaints == []
    assert service._thread.is_alive()
    with connect([service.socket]) as another:
        assert another.greeting["life"] == "5f0c"
