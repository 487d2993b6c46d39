"""Lines of a game that come twice, late, in any order or not at all are put in order, and nothing is missing."""

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.hall.lines import GameLines
from tamsk_hw.live.stream import NO_NAMES
from tamsk_hw.mqtt.bridge import KeptGame
from tamsk_hw.mqtt.messages import EventMessage, HeaderMessage, RuledEvent, RulingMessage

GAMES = st.lists(st.integers(0, 3), min_size=1, max_size=30)


def game(rulings: list[int]) -> KeptGame:
    """A game whose events gave these numbers of rulings; the last event ended it."""
    entries = [
        RuledEvent(
            event={"event": "tick", "t": float(number)},
            rulings=tuple({"ruling": "turn", "number": number, "place": place} for place in range(count)),
        )
        for number, count in enumerate(rulings, 1)
    ]
    entries[-1] = RuledEvent(event=entries[-1].event, rulings=({"ruling": "game_over"},))
    return KeptGame("a", {"tamsk": 1}, NO_NAMES, entries)


@given(GAMES, st.data())
def test_a_game_is_whole_and_in_order_whatever_a_broker_does_to_its_messages(
    rulings: list[int], data: st.DataObject
) -> None:
    kept = game(rulings)
    messages = [*kept.lines(0)]
    delivered = data.draw(st.lists(st.sampled_from(messages), max_size=3 * len(messages)))
    lines, found = GameLines("a", told=len(kept.entries)), list[RuledEvent]()
    for message in delivered:
        assert isinstance(message, HeaderMessage | EventMessage | RulingMessage)
        found += lines.feed(message)
    assert found == kept.entries[: len(found)]
    assert lines.count == (len(found) if lines.header is not None else -1)
    # What is missing is asked for; that may come twice, too.
    for _ in range(2):
        for excerpt in kept.excerpts(lines.count + 1):
            found += lines.feed(excerpt)
    assert found == kept.entries
    assert lines.is_whole
    assert lines.over == {"ruling": "game_over"}


def test_the_same_line_with_other_content_changes_nothing() -> None:
    kept = game([1, 1])
    lines, found = GameLines("a"), list[RuledEvent]()
    forged: Callable[[Any], RulingMessage] = lambda place: RulingMessage(  # noqa: E731
        game="a", number=1, place=place, ruling={"ruling": "forged"}
    )
    header, first, ruling, *rest = kept.lines(0)
    for message in (header, ruling, forged(0), first, forged(0), *rest):
        assert isinstance(message, HeaderMessage | EventMessage | RulingMessage)
        found += lines.feed(message)
    assert found == kept.entries


def test_lines_far_ahead_are_not_piled_up() -> None:
    lines = GameLines("a")
    for number in range(2, 100_000, 7):
        lines.feed(RulingMessage(game="a", number=number, place=0, ruling={}))
    assert len(lines._rulings) < 1000
