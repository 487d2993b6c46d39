"""The speed of this machine: a fixed workload in pure Python, timed in the same run as the budgets it scales."""

import time

#: Seconds that `work` takes on the machine on which the host's budgets hold.
REFERENCE = 0.018

#: How often it is timed; the least counts, so that what else runs does not.
TIMES = 15


def work() -> int:
    """Do what the program does most: look up, compare, make small objects."""
    table = {number: str(number) for number in range(500)}
    total = 0
    for number in range(100_000):
        total += len(table[number % 500]) + (number & 7)
    return total


def slowness() -> float:
    """By how much this machine is slower than the reference; 1 for a faster one."""
    best = float("inf")
    for _ in range(TIMES):
        begin = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begin)
    return max(1.0, best / REFERENCE)
