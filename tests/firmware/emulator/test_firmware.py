"""The controller's real program on the emulated ATmega328P: what its sensors see comes out in its frames."""

from pathlib import Path
from random import Random

from tamsk_hw.board.protocol import Decoder, Hello, Snapshot
from tests.firmware.emulator.emulated import SECOND, WIRING, at_rest, running


def test_it_says_who_it_is_and_reports_its_sensors(firmware: Path, emulator_binary: Path, tmp_path: Path) -> None:
    chance = Random(3)
    rings = chance.getrandbits(64)
    millivolts = [chance.randrange(300, 4700) for _ in WIRING.channels]
    with running(emulator_binary, firmware, tmp_path) as board:
        at_rest(board)
        board.ask("holder 0 1000")
        board.ask("holder 1 -1000")
        for bit in range(64):
            board.ask(f"reflect {bit} {460 if rings >> bit & 1 else 9}")
        for channel, volts in zip(WIRING.channels, millivolts, strict=True):
            board.ask(f"field {channel.mux} {channel.address} {volts}")
        board.run(SECOND)
        decoder = Decoder()
        messages = decoder.feed(bytes(byte for _, byte in board.sent()))
        assert board.checks() == []
    hello, *rest = messages
    assert isinstance(hello, Hello)
    assert hello.wiring_hash == WIRING.hash
    last = rest[-1]
    assert isinstance(last, Snapshot)
    assert last.rings == rings
    assert last.unknown == 0
    assert [abs(got - volts * 256 / 5000) <= 1.5 for got, volts in zip(last.fields, millivolts, strict=True)] == [
        True
    ] * len(millivolts)
    assert [abs(got - want) <= 1 for got, want in zip(last.references, (64, 128, 192), strict=True)] == [True] * 3
    assert last.holders == (1000, -1000)
    assert decoder.counters.crc_errors == decoder.counters.malformed == decoder.counters.gaps == 0
