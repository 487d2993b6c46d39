"""SET is taken or refused by the core as `Settings.problem` says, and read as the Python codec writes it."""

from itertools import product

from tamsk_hw.board.protocol import Settings
from tests.firmware.core_program import Core, words


def payload(settings: Settings) -> bytes:
    """SET's payload (PROTOCOL.md section 5.2), which the codec would refuse to build from bad values."""
    return (
        bytes([settings.field_deadband])
        + settings.holder_deadband.to_bytes(2, "little")
        + settings.shortest_interval.to_bytes(2, "little")
        + settings.longest_interval.to_bytes(2, "little")
    )


def answer(settings: Settings) -> str:
    values = (
        settings.field_deadband,
        settings.holder_deadband,
        settings.shortest_interval,
        settings.longest_interval,
    )
    return words(int(settings.problem() is None), *values)


def test_every_limit(core: Core) -> None:
    # Each limit, the values beside it, and those where 8 or 16 bits with a sign would turn.
    every = [
        Settings(*values)
        for values in product(
            (0, 255),
            (0, 32768, 65535),
            (0, 2499, 2500, 5000, 32767, 32768, 50000, 50001, 65535),
            (0, 4999, 5000, 5001, 32767, 32768, 49999, 50000, 60000, 60001, 65535),
        )
    ]
    assert core.ask(words("set", payload(settings)) for settings in every) == [
        answer(settings) for settings in every
    ]
    taken = [settings for settings in every if settings.problem() is None]
    assert taken
    assert len(taken) < len(every)
