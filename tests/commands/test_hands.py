"""``tamsk-hw hands`` at a simulated board, in this process: what is asked, what is printed, how it exits."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import click
import pytest
from click.testing import CliRunner, Result

from tamsk_hw.commands.hands import action_command, parsed
from tamsk_hw.commands.main import main
from tamsk_hw.errors import HandsError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.hands import client
from tamsk_hw.hands.actions import ACTIONS, parameters_of, read_action
from tamsk_hw.hands.server import HandsServer, hands_socket
from tamsk_hw.panel.lights import PALETTE
from tests.hands.at_hand import AtHand
from tests.house import ROOT

#: The world runs faster than the clock, so that tests need not wait for hands.
STEP = 0.02


class Table:
    """A simulated board that runs in a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.at_hand = AtHand()
        self.hands = self.at_hand.hands
        self._ends = False
        self._up = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._up.wait(20.0)

    async def _run(self) -> None:
        socket = hands_socket(self.path)
        server = HandsServer(socket, self.hands, lambda: {"hands": 1})
        await server.start()
        self._up.set()
        while not self._ends:
            self.at_hand.board.advance(self.at_hand.world.now + STEP)
            server.publish()
            await asyncio.sleep(0.001)
        await server.close()
        socket.close()

    def end(self) -> None:
        self._ends = True
        self._thread.join(20.0)

    def light(self, place: Tube, colour: tuple[int, int, int]) -> None:
        picture = bytearray(3 * self.at_hand.wiring.pixel_count)
        pixel = self.at_hand.wiring.tube_pixels[place]
        assert pixel is not None
        picture[3 * pixel : 3 * pixel + 3] = bytes(colour)
        self.hands.show(bytes(picture))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "hands.sock")
    yield made
    made.end()


def hands(table: Table, *words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, ["hands", words[0], "--socket", str(table.path), *words[1:]], input=typed)


def test_hands_move_from_a_shell_and_set_the_board_up_again(table: Table) -> None:
    for words in (("lift", "red", "d1"), ("seat", "red", "D2", "--turned"), ("drop", "red", "D2")):
        result = hands(table, *words)
        assert (result.exit_code, result.output) == (0, "")
    world = table.at_hand.world
    assert world.glass_at[Tube.D2] is world.glass("D1")
    assert world.rings[Tube.D2] == 1
    refused = hands(table, "lift", "red", "D4")
    assert (refused.exit_code, refused.stderr, refused.stdout) == (1, "tamsk-hw: no glass is in D4\n", "")
    tidied = hands(table, "tidy")
    assert (tidied.exit_code, tidied.output) == (0, "")
    assert world.glass_at[Tube.D1] is world.glass("D1")
    assert (world.rings[Tube.D2], world.holders[Player.RED].rings) == (0, 32)


def test_without_a_board_it_is_3(tmp_path: Path) -> None:
    for words in (["lift", "red", "D1"], ["look"], ["watch"], ["await", "D1", "green"]):
        result = CliRunner().invoke(main, ["hands", *words, "--socket", str(tmp_path / "none")])
        assert result.exit_code == 3
        assert "start one with tamsk-hw simulate" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lift", "red"], "Missing argument 'TUBE'"),
        (["lift", "green", "D1"], "'green' is not one of"),
        (["lift", "red", "H1"], "H1 is no tube"),
        (["wait", "nan"], "nan is not a valid number"),
        (["juggle"], "No such command"),
    ],
)
def test_what_is_not_understood_is_2(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["hands", *words])
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_look_in_words_and_as_json(table: Table) -> None:
    hands(table, "lift", "black", "G1")
    hands(table, "fault", "ring", "D4.2", "1")
    table.light(Tube.D4, PALETTE.destination)
    said = hands(table, "look").stdout
    for words in (
        "red glass D1: stands in D1, ",
        "black glass G1: in the hand of black, ",
        "timer: in its cradle, ",
        "rings: none on the board",
        "black: 32 rings in the holder, 0 in hands, 0 aside; 1 free hands",
        "lights: D4:14e646\n",
        "faults: ring D4.2 1\n",
    ):
        assert words in said
    seen = json.loads(hands(table, "look", "--json").stdout)
    assert seen["faults"] == ["ring D4.2 1"]


def test_a_light_is_awaited(table: Table) -> None:
    table.light(Tube.D4, PALETTE.destination)
    assert hands(table, "await", "D4", "green").exit_code == 0
    late = hands(table, "await", "D4", "white", "--within", "0.05")
    assert late.exit_code == 1
    assert late.stderr == "tamsk-hw: the light of D4 has not been white within 0.05 s\n"
    nowhere = hands(table, "await", "Z1", "green")
    assert nowhere.exit_code == 1
    assert "Z1: no light is there; this board has A1, " in nowhere.stderr


def test_a_script_is_carried_out(table: Table, tmp_path: Path) -> None:
    """Also one that begins with a byte order mark, as editors on Windows write it."""
    table.light(Tube.D4, PALETTE.destination)
    script = """\ufeff
    # a remark
    lift red D1 & lift black G1   # both at once
    await D4 green
    seat red D2 --turned
    wait 1.5
    seat black F1 --turned & drop red D2
    """
    file = tmp_path / "script"
    file.write_text(script, encoding="utf-8")
    result = hands(table, "script", str(file))
    assert (result.exit_code, result.output) == (0, "")
    world = table.at_hand.world
    assert (world.glass("D1").tube, world.glass("G1").tube) == (Tube.D2, Tube.F1)
    assert world.rings[Tube.D2] == 1


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("lift red D4", 1, "<stdin>:2: no glass is in D4"),
        ("lift red D1 & lift black D1", 1, "<stdin>:2: a hand is already at red glass D1 in D1"),
        ("look", 2, "<stdin>:2: look: not a command of a script"),
        ("lift red", 2, "<stdin>:2: Missing argument 'TUBE'"),
        ("lift red D1 &", 2, "<stdin>:2: &: not a command of a script"),
        ('lift "red', 2, "<stdin>:2: No closing quotation"),
        ("await D4 pink", 2, "<stdin>:2: Invalid value for"),
    ],
)
def test_a_script_ends_at_the_line_that_is_wrong(table: Table, line: str, status: int, said: str) -> None:
    result = hands(table, "script", "-", typed=f"wait 0.1\n{line}\nlift red G4\n")
    assert result.exit_code == status
    assert result.stderr.startswith(f"tamsk-hw: {said}")
    assert result.stderr.count("\n") == 1
    assert "G4" not in [glass.name for glass in table.at_hand.world.held(Player.RED)]


def test_a_board_that_goes_is_told_to_who_awaits_a_light(table: Table) -> None:
    with client.connect((table.path,)) as connection:
        table.end()
        with pytest.raises(HandsError, match="does not answer"):
            client.await_light(connection, "D4", "green", 10.0)


VALUES = {
    "player": "black",
    "tube": "D4",
    "button": "red",
    "press": "long",
    "fault": "mux 1 0",
    "on": "on",
    "seconds": "2.5",
    "cause": "power",
    "to": "red",
    "glass": "G1",
    "end": "B",
    "travel": "0.5",
    "within": "0.5",
}


@pytest.mark.parametrize("name", ACTIONS)
def test_a_command_asks_for_its_deed_with_all_that_can_be_said(name: str) -> None:
    command = action_command(name)
    words: list[str] = []
    for parameter in command.params:
        key = str(parameter.name)
        if isinstance(parameter, click.Option) and key != "socket":
            words += [parameter.opts[0]] if parameter.is_flag else [parameter.opts[0], VALUES[key]]
        elif key != "socket":
            words += VALUES[key].split()
    record = parsed(command, words)
    assert read_action(record["do"], {key: record[key] for key in record if key != "do"}).name == name
    assert record.keys() - {"do"} == {each.name for each in parameters_of(name)}


def test_the_script_for_calibrating_is_understood_and_visits_all() -> None:
    asked = []
    for line in (ROOT / "docs" / "calibrate-sensors.hands").read_text(encoding="utf-8").splitlines():
        for part in line.partition("#")[0].split("&"):
            words = part.split()
            if words and words[0] != "await":
                asked.append(parsed(action_command(words[0].replace("-", "_")), words[1:]))
    seated = {record["tube"] for record in asked if record["do"] in ("seat", "place")}
    dropped = [record["tube"] for record in asked if record["do"] == "drop"]
    assert seated == {tube.name for tube in Tube}
    assert len(dropped) == 64
    assert sorted(dropped) == sorted(record["tube"] for record in asked if record["do"] == "take")
