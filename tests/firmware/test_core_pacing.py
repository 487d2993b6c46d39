"""When the core sends a snapshot: what is news (deadbands), and the shortest and longest interval."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from tamsk_hw.board.protocol import Heartbeat, Identify, Set, Settings, Snapshot
from tests.firmware.core_board import SCAN, Scan, Script
from tests.firmware.core_program import Core
from tests.soak import in_soak

REST = Scan()

#: Microseconds that a scan may end early or late without a difference to when a snapshot is sent.
VARIES = 250

#: Microseconds for which snapshots follow each other quickly after a change, and the interval then.
FOLLOWED, FOLLOWS = 100_000, 5000


def snapshots_at(
    core: Core, settings: Settings, scans: list[Scan], every: int = SCAN
) -> list[tuple[int, Snapshot]]:
    """(when begun, snapshot) for these scans, the core being asked for frames every 500 microseconds."""
    script = Script(holders=0)
    script.hear(0, Set(0, settings))
    times = [0, 0]
    script.frame(0)
    script.frame(0)
    for place, scan in enumerate(scans, 1):
        script.scan(place * every, scan)
        for now in range(place * every, (place + 1) * every, 500):
            script.frame(now)
            times.append(now)
    messages = script.run(core)
    return [(now, message) for now, message in zip(times, messages, strict=True) if isinstance(message, Snapshot)]


def test_in_motion_a_snapshot_every_shortest_interval(core: Core) -> None:
    moving = [REST.with_analog(0, 200 if place % 2 else 100) for place in range(40)]
    assert [now for now, _ in snapshots_at(core, Settings(), moving)] == [SCAN * place for place in range(1, 41)]
    sent = snapshots_at(core, Settings(shortest_interval=6000), moving)
    # The first scan that ends 6 ms or more after the one that was shown, and it at once.
    assert [now for now, _ in sent][:5] == [2500, 10000, 17500, 25000, 32500]
    assert [snapshot.time for _, snapshot in sent][:5] == [2500, 10000, 17500, 25000, 32500]


def test_after_a_change_snapshots_follow_each_other_for_a_while(core: Core) -> None:
    """A host that waits until a state has held for 30 ms hears of it again within 5, not after 50."""
    lifted = REST.with_analog(7, 200)
    sent = [now for now, _ in snapshots_at(core, Settings(), [REST, REST, *[lifted] * 70])]
    assert sent == [2500, 7500, *range(12_500, 102_501, 5000), 152_500]
    # A change in between begins the 100 ms again; one within the deadband does not.
    again = [REST, lifted, *[lifted] * 19, REST, *[REST.with_analog(7, 130)] * 70]
    sent = [now for now, _ in snapshots_at(core, Settings(), again)]
    assert sent == [2500, *range(5000, 50_001, 5000), *range(55_000, 150_001, 5000), 200_000]


@pytest.mark.parametrize("begin", [0, (1 << 32) - 50_000])
def test_what_was_news_an_hour_ago_is_followed_by_nothing(core: Core, begin: int) -> None:
    """The controller's clock turns after 71 minutes."""
    script = Script(begin)
    script.hear(begin, Heartbeat(0))
    script.frame(begin)
    hour = 1 << 32
    at = [
        begin + SCAN,
        begin + 2 * SCAN,
        *(begin + 2 * SCAN + each for each in (150_000, hour + 40_000, hour + 45_000, hour + 50_000)),
    ]
    for now in at:
        script.scan(now, REST if now == at[0] else REST.with_analog(7, 200))
        script.frame(now)
    found = [isinstance(message, Snapshot) for message in script.run(core)[1:]]
    assert found == [True, True, True, True, False, False]


@pytest.mark.parametrize(
    ("longest", "kept"),
    [(5000, 5000), (7200, 5000), (7500, 7500), (33_000, 32_500), (50_000, 50_000), (60_000, 60_000)],
)
def test_at_rest_the_last_scan_within_the_longest_interval_is_sent(core: Core, longest: int, kept: int) -> None:
    sent = snapshots_at(core, Settings(longest_interval=longest), [REST] * 100)
    assert {later - earlier for (earlier, _), (later, _) in pairwise(sent)} == {kept}


@pytest.mark.parametrize("off", [-240, 240])
def test_ends_of_scans_that_vary_change_no_interval(core: Core, off: int) -> None:
    script = Script(holders=0)
    script.hear(0, Heartbeat(0))
    script.frame(0)
    for place in range(1, 100):
        # Every scan moves until the 20th; each other one ends a little off.
        now = place * SCAN + (off if place % 2 else 0)
        script.scan(now, REST.with_analog(0, 200 if place % 2 and place <= 20 else 100))
        script.frame(now)
    sent = [place for place, message in enumerate(script.run(core)) if isinstance(message, Snapshot)]
    # The 20th is the last that is news; the 59th is the last of the 100 ms after it.
    assert sent == [*range(1, 21), *range(22, 60, 2), 78, 98]


# More than 16 bits can count, whichever half of them the time passed would seem to be in.
@pytest.mark.parametrize("passed", [65_535, 65_536, 65_537, 65_536 + 32_768, 131_072])
@pytest.mark.parametrize("begin", [0, 65_000, (1 << 31) - 50_000, (1 << 32) - 50_000])
def test_a_snapshot_that_is_long_overdue_is_sent(core: Core, begin: int, passed: int) -> None:
    script = Script(begin)
    script.frame(begin)
    script.hear(begin, Heartbeat(0))
    script.scan(begin + SCAN, REST)
    script.frame(begin + SCAN)
    script.scan(begin + SCAN + passed, REST)
    script.frame(begin + SCAN + passed)
    times = [message.time for message in script.run(core) if isinstance(message, Snapshot)]
    assert times == [(begin + SCAN) % (1 << 32), (begin + SCAN + passed) % (1 << 32)]


def test_no_flood_of_commands_holds_back_a_snapshot_beyond_its_longest_interval(core: Core) -> None:
    script = Script()
    script.frame(0)
    for tick in range(1, 101):
        script.hear(tick * SCAN, *(Identify(0) for _ in range(3)))
        script.scan(tick * SCAN, REST)
        script.frame(tick * SCAN)
    times = [message.time for message in script.run(core) if isinstance(message, Snapshot)]
    assert times == [50000, 100000, 150000, 200000, 250000]


def turned(data: bytes, bit: int) -> bytes:
    """These bytes with a bit turned over."""
    return (int.from_bytes(data, "little") ^ 1 << bit).to_bytes(8, "little")


class Model:
    """PROTOCOL.md section 4, "When", word by word, for a controller asked at each scan."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.news_at: int | None = None
        self.news: tuple[Scan, tuple[int, int]] | None = None
        self.sent: tuple[Scan, tuple[int, int]] | None = None
        self.sent_at = 0

    def differs(self, scan: Scan, holders: tuple[int, int], before: tuple[Scan, tuple[int, int]] | None) -> bool:
        if before is None:
            return True
        old, old_holders = before
        return (
            scan.rings != old.rings
            or scan.unknown != old.unknown
            or any(
                abs(one - other) > self.settings.field_deadband
                for one, other in zip(scan.analog, old.analog, strict=True)
            )
            or any(
                abs(one - other) > self.settings.holder_deadband
                for one, other in zip(holders, old_holders, strict=True)
            )
        )

    def scan(self, now: int, scan: Scan, holders: tuple[int, int]) -> bool:
        differs = self.differs(scan, holders, self.sent)
        passed = now - self.sent_at
        if self.sent is not None and passed < self.settings.shortest_interval - VARIES:
            return False
        is_news = differs and self.sent is not None
        follows = (
            self.news_at is not None
            and now - self.news_at < FOLLOWED - VARIES
            and passed + SCAN > FOLLOWS + VARIES
        )
        if is_news or (follows and self.differs(scan, holders, self.news)):
            self.news, self.news_at = (scan, holders), now
        if differs or follows or passed + SCAN > self.settings.longest_interval + VARIES:
            self.sent, self.sent_at = (scan, holders), now
            return True
        return False


# Each second has fifteen turns of the clock's lower 16 bits; these also have that of the sign, and of all 32 bits.
@pytest.mark.parametrize("begin", [0, (1 << 31) - 400_000, (1 << 32) - 400_000])
@pytest.mark.parametrize("seed", range(in_soak(8, otherwise=2)))
def test_random_motion_is_sent_as_the_protocol_says(core: Core, seed: int, begin: int) -> None:
    chance = random.Random(f"pacing/{seed}/{begin}")
    settings = Settings(
        field_deadband=chance.choice((0, 1, 2, 5, 200)),
        holder_deadband=chance.choice((0, 500, 40000)),
        shortest_interval=chance.choice((2500, 2501, 5000, 7300, 40000)),
        longest_interval=chance.choice((50000, 60000)),
    )
    model = Model(settings)
    script = Script(begin)
    script.hear(begin, Set(0, settings))
    script.frame(begin)
    script.frame(begin)
    scan, holders = REST, [0, 0]
    wanted: list[tuple[Scan, tuple[int, int]] | None] = []
    now = begin
    for _ in range(400):
        now += SCAN + chance.choice((0, 0, 0, 1, 900))
        match chance.randrange(12):
            case 0:
                scan = replace(scan, rings=turned(scan.rings, chance.randrange(64)))
            case 1:
                scan = replace(scan, unknown=turned(scan.unknown, chance.randrange(64)))
            case 2 | 3:
                scan = scan.with_analog(chance.randrange(41), chance.randrange(256))
            case 4 | 5:
                place = chance.randrange(41)
                scan = scan.with_analog(place, max(0, min(255, scan.analog[place] + chance.randrange(-6, 7))))
        for which in range(2):
            if chance.randrange(20) == 0:
                holders[which] = chance.choice((0, 400, 500, 501, -501, 30000, -30000, (1 << 23) - 1, -(1 << 23)))
            script.holder(now, which, holders[which])
        script.scan(now, scan)
        script.frame(now)
        pair = (holders[0], holders[1])
        wanted.append((scan, pair) if model.scan(now, scan, pair) else None)
    found = [
        (
            Scan(
                message.rings.to_bytes(8, "little"),
                message.unknown.to_bytes(8, "little"),
                message.fields + message.references,
            ),
            message.holders,
        )
        if isinstance(message, Snapshot)
        else None  # the signals of a chip perhaps
        for message in script.run(core)[2:]
    ]
    assert found == wanted
    assert sum(each is not None for each in wanted) > 5
