"""Waking a loop that waits."""

import select
import threading

from tamsk_hw.system.service import Waker


def is_awake(waker: Waker) -> bool:
    fileno = waker.fileno()
    assert fileno is not None
    return bool(select.select([fileno], [], [], 0)[0])


def test_a_thread_wakes_and_all_is_forgotten_at_once() -> None:
    with Waker() as waker:
        assert not is_awake(waker)
        thread = threading.Thread(target=lambda: [waker.wake() for _ in range(3)])
        thread.start()
        thread.join()
        assert is_awake(waker)
        waker.clear()
        assert not is_awake(waker)
        waker.clear()  # nothing to forget


def test_however_often_it_is_woken_nobody_waits() -> None:
    with Waker() as waker:
        for _ in range(200_000):  # more than a pipe holds
            waker.wake()
        assert is_awake(waker)


def test_a_driver_that_wakes_late_harms_nobody() -> None:
    waker = Waker()
    waker.close()
    waker.close()
    waker.wake()
    waker.clear()
    assert waker.fileno() is None
