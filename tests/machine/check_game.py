"""A whole game at the machine, judged by what lies on the board outside and by the journal inside."""

import json
import shutil
import urllib.request

import pytest

from tamsk_hw.commands.replay import referee_stream
from tamsk_hw.referee.stream import shown_line
from tests.machine.faults import after, to_the_end
from tests.machine.table import Table

#: What the page and the journal both say of the end.
RESULT = ("winner", "reason", "rings_left")


def test_the_service_is_ready_before_there_is_a_board(table: Table) -> None:
    assert table.property("ActiveState") == "active"
    assert table.property("NRestarts") == "0"
    print(f"start to READY by the machine's clock: {table.start_seconds():.1f} s")
    assert not table.state()["connected"]
    assert table.machine.run("systemctl --failed --no-legend") == ""


def test_a_whole_game_is_played_through_kernel_and_driver(table: Table) -> None:
    board = table.bring(seed=3)
    table.start_record()
    print(f"plugged in to connected: {table.plug():.1f} s")
    assert table.machine.run("cat /sys/bus/usb-serial/devices/ttyUSB0/latency_timer") == "1"
    table.start_game()
    with urllib.request.urlopen(f"http://127.0.0.1:{table.ports.page}/", timeout=60) as answer:
        assert answer.status == 200
        assert b"<html" in answer.read()
    rings = sum(table.state()["left"].values()) + sum(board.look()["rings"].values())
    state = table.play_to_the_end()
    table.is_true()
    look = board.look()
    assert sum(look["rings"].values()) + sum(state["left"].values()) == rings, (
        "no ring is counted twice or forgotten"
    )
    kept = table.saved()
    over = kept.rulings[-1]
    assert over["ruling"] == "game_over"
    assert {key: over[key] for key in RESULT} == {key: state["over"][key] for key in RESULT}
    assert [each["ruling"] for each in kept.rulings].count("ring") == sum(look["rings"].values())
    table.is_kept()
    told = table.record.said()
    assert told.rulings == kept.rulings, "what was told outside is what the journal has"
    again = referee_stream(told.stream.splitlines(), "the record")
    assert [json.loads(shown_line(ruling.as_dict())) for ruling in again] == kept.rulings
    print(f"turns: {state['number']}, rings: {sum(look['rings'].values())}, {json.dumps(state['over'])}")


@pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="no compiler for the firmware: make toolchain")
def test_a_whole_game_is_played_at_the_emulated_controller_with_the_real_firmware(table: Table) -> None:
    table.bring(seed=5, emulated=True)
    table.start_record()
    print(f"the real firmware, plugged in to connected: {table.plug():.1f} s")
    table.start_game()
    table.play(turns=4)
    life = table.property("InvocationID")
    table.pull()
    table.plug()
    after(table)
    to_the_end(table)
    assert table.property("InvocationID") == life
