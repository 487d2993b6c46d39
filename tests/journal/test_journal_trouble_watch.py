"""Notices of the journal's troubles: enough, and not a line for every event."""

from tamsk_hw.journal.trouble import SavedAgain, Trouble, TroubleKind, TroubleWatch


def full(unsaved: int) -> Trouble:
    return Trouble(TroubleKind.FULL, unsaved)


def slow(unsaved: int) -> Trouble:
    return Trouble(TroubleKind.SLOW, unsaved)


def test_a_full_disk_is_said_when_it_comes_and_when_twice_as_much_is_unsaved() -> None:
    watch = TroubleWatch()
    reported = [news for n in range(1, 301) if (news := watch.feed(full(n)))]
    assert reported == [full(n) for n in (1, 16, 32, 64, 128, 256)]


def test_the_end_of_a_trouble_is_said_once_and_it_may_come_again() -> None:
    watch = TroubleWatch()
    assert watch.feed(None) is None
    watch.feed(full(3))
    assert watch.feed(None) == SavedAgain()
    assert watch.feed(None) is None
    assert watch.feed(full(1)) == full(1)


def test_a_slow_disk_is_said_once_though_it_catches_up_each_time() -> None:
    watch = TroubleWatch()
    reported = [news for _ in range(100) for news in (watch.feed(slow(2)), watch.feed(None)) if news]
    assert reported == [slow(2)]
    assert watch.feed(slow(16)) == slow(16)


def test_another_trouble_is_said_beside_the_first() -> None:
    watch = TroubleWatch()
    assert watch.feed(slow(1))
    assert watch.feed(full(1))
    assert watch.feed(slow(1)) is None
    assert watch.feed(None) == SavedAgain()
