"""Who may send and hear what in a hall, as brokers have it in their files (docs/hall.md, Users)."""

import json
import secrets
from collections.abc import Iterable
from typing import Final

from tamsk_hw.mqtt.home import STATUS, discovery_topic
from tamsk_hw.mqtt.messages import USES, Topic, topic_of

#: The users who are no boards.
PEOPLE: Final = ("hall", "arbiter", "spectator")

#: What is sent to boards.
_TO_BOARDS: Final = [topic for topic, use in USES.items() if not use.from_board]


def _writes(user: str | None) -> list[Topic]:
    """The topics to which a user may send: one of `PEOPLE`, or a board (None), which does so for itself alone."""
    if user is None:
        return [topic for topic, use in USES.items() if use.from_board]
    return {"hall": _TO_BOARDS, "arbiter": [Topic.REQUESTS]}.get(user, [])


def _reads(user: str | None) -> list[Topic]:
    """The topics that a user may hear: one of `PEOPLE`, or a board (None), which hears what is meant for it."""
    if user is None:
        return _TO_BOARDS
    return [topic for topic, use in USES.items() if use.is_public or user != "spectator"]


def access_list(hall: str) -> str:
    """The rights of all users of a hall, as mosquitto's ``acl_file`` has them.

    A board's user has the board's name, and speaks for it alone.
    """
    lines = [f"# Who may do what in the hall {hall}. Made by tamsk-hw mqtt acl.", ""]
    for kind, topics in (("write", _writes(None)), ("read", _reads(None))):
        lines += [f"pattern {kind} {topic_of(hall, '%u', topic)}" for topic in topics]
    lines += [f"pattern write {discovery_topic(hall, '%u')}", f"pattern read {STATUS}"]
    for user in PEOPLE:
        lines += ["", f"user {user}", f"topic deny tamsk/{hall}/{user}/#"]
        for kind, topics in (("read", _reads(user)), ("write", _writes(user))):
            lines += [f"topic {kind} {topic_of(hall, '+', topic)}" for topic in topics]
    return "\n".join(lines) + "\n"


def nats_users(hall: str, boards: Iterable[str]) -> str:
    """The same as NATS includes it in its configuration, with a new password for each user.

    It has no patterns, so that each board is listed. Source: NATS documentation, MQTT and Authorization: a topic's
    ``/`` is a subject's ``.``, ``+`` is ``*``.
    """
    users = []
    for user in (*PEOPLE, *boards):
        kind, board = (user, "+") if user in PEOPLE else (None, user)
        sent = [topic_of(hall, board, topic) for topic in _writes(kind)]
        heard = [topic_of(hall, board, topic) for topic in _reads(kind)]
        if kind is None:
            sent.append(discovery_topic(hall, board))
            heard.append(STATUS)
        # An empty list would allow everything.
        rights = {"publish": {"allow": _subjects(sent) or ["_NOTHING"]}, "subscribe": {"allow": _subjects(heard)}}
        users.append({"user": user, "password": secrets.token_urlsafe(18), "permissions": rights})
    return f"authorization: {json.dumps({'users': users}, indent=1)}\n"


def _subjects(topics: Iterable[str]) -> list[str]:
    return [topic.replace("/", ".").replace("+", "*") for topic in topics]
