"""The breadboard evening (wiring/build.md): what is drawn is the reference circuit."""

from wiring.make import breadboard
from wiring.make.board import load_boards


def test_each_net_has_two_ends_at_least_and_those_of_the_circuit() -> None:
    board = load_boards()[0]
    pins = breadboard.pins_of(board)
    ends: dict[str, set[str]] = {}
    for ref, each in pins.items():
        for _, _, net in each:
            ends.setdefault(net, set()).add(ref)
    assert min(map(len, ends.values())) == 2
    # Light, dark and the reading: from the sensor to its converter, and from its bank to the emitter.
    assert ends["RING_A1_1"] == {"RS-A1-1", "RP-A1-1", "RI-A1-1"}
    assert ends["BANK0"] == {"RE-A1-1", "U20"}
    assert ends["CS0"] == {"U18", "U10"}
    assert ends["MUX0"] == {"RF-A1", "U1"}
