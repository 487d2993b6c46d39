"""What the players hear of the journal's troubles: enough, and not a line for every event."""

from __future__ import annotations

from tamsk_hw.journal.trouble import Trouble, TroubleKind, TroubleWords


def full(unsaved: int) -> Trouble:
    return Trouble(TroubleKind.FULL, unsaved)


def slow(unsaved: int) -> Trouble:
    return Trouble(TroubleKind.SLOW, unsaved)


def test_a_full_disk_is_said_when_it_comes_and_when_twice_as_much_is_unsaved() -> None:
    words = TroubleWords()
    said = [(n, line) for n in range(1, 301) if (line := words.hear(full(n)))]
    assert [n for n, _ in said] == [1, 16, 32, 64, 128, 256]
    assert said[1][1] == "The disk is full: 16 events are not saved."


def test_the_end_of_a_trouble_is_said_once_and_it_may_come_again() -> None:
    words = TroubleWords()
    assert words.hear(None) is None
    words.hear(full(3))
    assert words.hear(None) == "Everything is saved again."
    assert words.hear(None) is None
    assert words.hear(full(1)) == "The disk is full: 1 event is not saved."


def test_a_slow_disk_is_said_once_though_it_catches_up_each_time() -> None:
    words = TroubleWords()
    said = [line for _ in range(100) for line in (words.hear(slow(2)), words.hear(None)) if line]
    assert said == ["The disk is slow: 2 events are not saved yet."]
    assert words.hear(slow(16)) == "The disk is slow: 16 events are not saved yet."


def test_another_trouble_is_said_beside_the_first() -> None:
    words = TroubleWords()
    assert words.hear(slow(1))
    assert words.hear(full(1))
    assert words.hear(slow(1)) is None
    assert words.hear(None) == "Everything is saved again."
