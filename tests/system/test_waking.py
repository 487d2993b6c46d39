"""Waking a loop that waits."""

import select
import threading

from tamsk_hw.system.service import Waker


def is_awake(waker: Waker) -> bool:
    return bool(select.select([waker], [], [], 0)[0])


def test_a_thread_wakes_however_often_and_nobody_waits() -> None:
    with Waker() as waker:
        assert not is_awake(waker)
        thread = threading.Thread(target=lambda: [waker.wake() for _ in range(3)])
        thread.start()
        thread.join()
        assert is_awake(waker)
        waker.clear()
        assert not is_awake(waker)
        waker.clear()  # nothing to forget
        for _ in range(70_000):  # more than a pipe holds
            waker.wake()
        assert is_awake(waker)


def test_a_driver_that_wakes_late_harms_nobody() -> None:
    waker = Waker()
    waker.close()
    waker.close()
    waker.wake()
    waker.clear()
    assert waker.fileno() is None
