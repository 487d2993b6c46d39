"""The messages of boards and halls over MQTT, their topics, and who may send which (docs/hall.md, Messages).

A broker promises little, so nothing here rests on it: each line of a game has its place in it, by the game's key,
the number of the event (0 is the header) and the place among that event's rulings. So its reader can tell what is
missing, and ask for that again.
"""

import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from enum import Enum
from typing import Annotated, Any, ClassVar, Final

from tamsk_hw.configuration.kinds import IS_PLACE_NAME
from tamsk_hw.errors import StreamError
from tamsk_hw.forms import Count, Shape, from_json, number, scalar, to_json
from tamsk_hw.live.stream import NO_NAMES, Names
from tamsk_hw.system.sockets import decoded, encoded


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, (dict, Mapping)):  # the second alone is slow
        raise TypeError
    return value


#: A JSON object that is passed on as it is: other versions of the program may know more of it.
JsonObject = Annotated[Mapping[str, Any], scalar(_object, _object, {"type": "object"}, "an object")]


def _key(value: Any) -> str:
    if not (isinstance(value, str) and 0 < len(value) <= 64 and value.isascii() and value.isprintable()):
        raise ValueError
    return value


#: A game's key, as in the live stream.
GameKey = Annotated[str, scalar(_key, _key, {"type": "string"}, "the key of a game")]

#: A ruling's place among those of its event, or their number.
Place = Annotated[int, number(int, 0, 999, "a whole number, 0 to 999")]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderMessage:
    """A game begins: its header, as in a stream."""

    game: GameKey
    number: int = 0
    header: JsonObject
    names: Names = NO_NAMES
    shape: ClassVar = Shape(also={"number": 0})


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMessage:
    """An event that the referee took, and how many ``rulings`` it gave."""

    game: GameKey
    number: Count
    event: JsonObject
    rulings: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingMessage:
    """A ruling: the ``place``, from 0, among those that event ``number`` gave."""

    game: GameKey
    number: Count
    place: Place
    ruling: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledEvent:
    """An event with its rulings."""

    event: JsonObject
    rulings: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcerptMessage:
    """A part of a game that was asked for again: its header, and the events from ``number`` on."""

    game: GameKey
    number: Count
    header: JsonObject
    names: Names
    entries: tuple[RuledEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMessage:
    """The whole state of the board, as in the live stream; ``number`` is the game's last event on the disk."""

    game: GameKey | None
    number: Count
    names: Names
    state: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceMessage:
    """The board referees and is in reach; ``service`` is the first line of its live stream."""

    online: bool
    service: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesMessage:
    """Games by their keys, the oldest first: with the number of events that the sender has without a gap."""

    games: Mapping[GameKey, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainMessage:
    """The hall lacks a game from event ``number`` on; 0 is the header."""

    game: GameKey
    number: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestMessage:
    """Somebody, ``by`` name, wants a board to do something: the ``request`` is one of the live stream's.

    It is meant for the game as it stood at event ``number``. It has no effect once the arbiter has decided
    something later, nor in another game: so a message that comes twice is done once.
    """

    id: str
    by: str
    game: GameKey
    number: Count
    request: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerMessage:
    """The answer to a request: it is ``done``, or ``refused`` with the reason."""

    id: str
    done: bool
    refused: str | None = None


#: A line of a game, which its game and number identify, of a ruling its place besides.
GameLine = HeaderMessage | EventMessage | RulingMessage

Message = (
    GameLine
    | ExcerptMessage
    | StateMessage
    | PresenceMessage
    | GamesMessage
    | AgainMessage
    | RequestMessage
    | AnswerMessage
)


class Topic(Enum):
    """The last part of a topic: ``tamsk/HALL/BOARD/TOPIC``."""

    HEADER = "header"
    EVENTS = "events"
    RULINGS = "rulings"
    RULED = "ruled"
    """The state after a ruling, where it is too early for one on the topic of states."""
    STATE = "state"
    PRESENCE = "presence"
    GAMES = "games"
    """The games in the board's journal."""
    EXCERPT = "excerpt"
    ANSWERS = "answers"
    RECEIVED = "received"
    """The games that the hall has."""
    AGAIN = "again"
    REQUESTS = "requests"


@dataclass(frozen=True, slots=True)
class TopicUse:
    """The messages of a topic: what they are, whether boards send them, who else may read them."""

    kind: type[Message]
    from_board: bool = True
    is_public: bool = True
    is_retained: bool = False


USES: Final[Mapping[Topic, TopicUse]] = {
    Topic.HEADER: TopicUse(HeaderMessage),
    Topic.EVENTS: TopicUse(EventMessage),
    Topic.RULINGS: TopicUse(RulingMessage),
    Topic.STATE: TopicUse(StateMessage, is_retained=True),
    Topic.RULED: TopicUse(StateMessage),
    Topic.PRESENCE: TopicUse(PresenceMessage, is_retained=True),
    Topic.GAMES: TopicUse(GamesMessage, is_public=False, is_retained=True),
    Topic.EXCERPT: TopicUse(ExcerptMessage, is_public=False),
    Topic.ANSWERS: TopicUse(AnswerMessage, is_public=False),
    Topic.RECEIVED: TopicUse(GamesMessage, from_board=False, is_public=False, is_retained=True),
    Topic.AGAIN: TopicUse(AgainMessage, from_board=False, is_public=False),
    Topic.REQUESTS: TopicUse(RequestMessage, from_board=False, is_public=False),
}

#: The topic of each kind of message: its first one above. Who means `Topic.RULED` or `Topic.RECEIVED` names it.
TOPICS: Final = {use.kind: topic for topic, use in reversed([*USES.items()])}

#: The most bytes of a message, and the most objects and lists in it that are one in the other.
MOST_BYTES: Final = 1 << 18
_MOST_DEPTH: Final = 32

#: Braces become brackets; nothing else but quotation marks is left.
_AS_ONE: Final = bytes.maketrans(b"{}", b"[]")
_OTHERS: Final = bytes({*range(256)} - {*b'[]{}"'})
_ESCAPED: Final = re.compile(rb"\\.")
_STRING: Final = re.compile(rb'"[^"]*"')


def topic_of(hall: str, board: str, topic: Topic) -> str:
    """The topic's whole name; ``+`` as the board stands for all."""
    return f"tamsk/{hall}/{board}/{topic.value}"


def place_of(topic: str) -> tuple[str, Topic] | None:
    """The board and the last part of a topic below ``tamsk/HALL``; None for another topic."""
    match topic.split("/"):
        case ["tamsk", _, board, last] if IS_PLACE_NAME(board):
            return next(((board, each) for each in Topic if each.value == last), None)
    return None


def payload_of(message: Message) -> bytes:
    """The message as it is sent."""
    return encoded(to_json(message)).rstrip()


def read_message(topic: Topic, payload: object) -> Message:
    """The message of a payload.

    Raises:
        StreamError: it is none; the message says why.
    """
    if not isinstance(payload, bytes) or len(payload) > MOST_BYTES:
        raise StreamError(f"{topic.value}: allowed are messages of at most {MOST_BYTES} bytes")
    try:
        record = decoded(payload)
        if _is_deep(payload):
            raise ValueError("nested too deeply")
        message: Message = from_json(USES[topic].kind, record, topic.value, "the message")
        for name in astuple(getattr(message, "names", NO_NAMES)):
            (name or "").encode()
    except ValueError as error:
        raise StreamError(f"{topic.value}: no JSON object that can be kept ({error})") from None
    return message


def _is_deep(payload: bytes) -> bool:
    """True unless all brackets of a JSON text close within `_MOST_DEPTH` levels; those in strings do not count."""
    brackets = _ESCAPED.sub(b"", payload).translate(_AS_ONE, _OTHERS).replace(b'""', b"")
    brackets = _STRING.sub(b"", brackets)
    for _ in range(_MOST_DEPTH):
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)
