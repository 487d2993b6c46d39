"""``tamsk-hw selftest`` as people run it: port, pins, lights, keys, screen; a person acts in made-up time."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.commands.main import main
from tamsk_hw.commands.workbench import NEED_HANDS, TESTED
from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.pty_board import RunningBoard
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.world import World
from tamsk_hw.system.service import Stopped
from tamsk_hw.table.loop import PanelHardware
from tamsk_hw.workbench import parts
from tamsk_hw.workbench.parts import Part
from tamsk_hw.workbench.selftest import SelfTestWalk, show_selftest
from tamsk_hw.workbench.walk import Answer, Mark, Prompt, Walk, WalkScreen
from tests.workbench.boards import WIRING
from tests.workbench.command_bench import Room
from tests.workbench.selftest_bench import PanelTrial

YES, NO = Answer.YES, Answer.NO


def selftest(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["selftest", *map(str, arguments)])


# ---- without a person


def test_a_sound_board(board: RunningBoard) -> None:
    result = selftest("--no-hands", "--port", board.port)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    for subject in ("link", "versions", "board", "rings", "glasses", "red holder", "black holder"):
        assert any(line.startswith(f"ok       {subject}") for line in lines), subject
    assert lines[-1] == "No problems, no warnings."


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    result = selftest("--no-hands", "--port", tmp_path / "nothing")
    assert result.exit_code == 1
    assert "plug in the board" in result.stdout
    assert result.stdout.count("not tested: the board is not connected") == 3


def test_parts_that_need_a_person() -> None:
    result = selftest("--no-hands", "lights", "rings")
    assert result.exit_code == 2
    assert "lights: somebody has to be there" in result.stderr


def test_the_panel_can_be_tested_without_a_board(configuration: Path) -> None:
    configuration.write_text('lights.route = "none"\nbuttons.enabled = false\nbuzzer.enabled = false\n')
    result = selftest("lights", "buzzer", "buttons")
    assert (result.exit_code, result.stdout.count("not used")) == (0, 3)


def test_with_nobody_to_answer_it_does_not_wait(configuration: Path) -> None:
    """As from a script: no keys and no buttons."""
    configuration.write_text('[lights]\nroute = "gpio"\n[buttons]\nenabled = false\n[gpio]\nfactory = "mock"\n')
    result = selftest("lights", "buzzer")
    assert result.exit_code == 0
    assert result.stdout.count("neither keys nor buttons") == 2


# ---- with a person, in made-up time


class Scene(Room):
    """Calls ``act`` with each prompt that is shown."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, World(1, setup=WorldStart.BOX), monkeypatch)
        self.prompts: list[Prompt] = []
        self.sounded: list[float] = []
        self.act: Callable[[Prompt], None] = lambda prompt: None

    def show(self, walk: Walk, t: float, typed: str) -> None:
        assert isinstance(walk, SelfTestWalk)
        prompt = walk.prompt
        if not self.prompts or prompt != self.prompts[-1]:
            self.prompts.append(prompt)
            self.act(prompt)

    def run(self, *parts: Part, tube: Tube | None = None) -> int:
        equipment = self.equipment(screen=self)
        return show_selftest(parts, tube=tube, config=self.file, equipment=equipment)

    def _wait(self, descriptor: int | None, seconds: float) -> None:
        super()._wait(descriptor, seconds)
        if (tone := self.pin(WIRING.buzzer_pin).frequency) is not None:
            self.sounded.append(tone)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    scene = Scene(tmp_path, monkeypatch)
    yield scene
    scene.close()


def titles(scene: Scene) -> list[str]:
    return list(dict.fromkeys(prompt.title for prompt in scene.prompts))


def test_buttons_on_mock_pins_of_which_one_gets_stuck(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    def act(prompt: Prompt) -> None:
        name, _, how = prompt.title.removeprefix("Buttons: ").partition(", ")
        if prompt.title == "Buttons: RED, short":
            scene.pin(WIRING.buttons[ButtonName.RED]).drive_low()
        elif name != "RED":
            scene.press(ButtonName(name.lower()), 0.2 if how == "short" else 2.0)

    scene.act = act
    assert scene.run(Part.BUTTONS) == 1
    assert titles(scene)[:3] == ["Buttons: START, short", "Buttons: START, long", "Buttons: RED, short"]
    out = capsys.readouterr().out
    assert "red button          stays pressed" in out
    assert "seen short and long: start black" in out


def test_the_buzzer_on_a_mock_pin_answered_with_the_start_button(scene: Scene) -> None:
    scene.act = lambda prompt: scene.press(ButtonName.START, 0.2 if "violation" not in prompt.title else 2.0)
    assert scene.run(Part.BUZZER) == 1  # one was answered with a long press: no
    assert {1047.0, 622.0, 1568.0, 2637.0} <= set(scene.sounded)
    assert scene.panel.buzzer.device is None


def test_the_lights_are_sent_the_pixel_that_is_asked_for(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    scene.file.write_text('gpio.factory = "mock"\nlights.route = "gpio"\n')
    import neopixel

    sent: list[bytes] = []
    monkeypatch.setattr(neopixel, "neopixel_write", lambda pin, buffer: sent.append(bytes(buffer)))
    handed: list[bytes] = []
    show = PanelHardware.show
    monkeypatch.setattr(PanelHardware, "show", lambda self, data: (handed.append(data), show(self, data))[1])
    scene.act = lambda prompt: scene.type("y" if prompt.progress != "42 of 42" else "n")
    assert scene.run(Part.LIGHTS) == 1
    lit = {place // 3 for data in handed for place in range(0, len(data), 3) if any(data[place : place + 3])}
    assert lit == set(range(WIRING.pixel_count))
    assert sent[-1] == bytes(3 * WIRING.pixel_count)  # dark in the end
    assert all(len(each) == 3 * WIRING.pixel_count for each in sent)


def test_pins_that_cannot_be_had_concern_buttons_and_buzzer(configuration: Path) -> None:
    configuration.write_text('lights.route = "none"\ngpio.factory = "lgpio"\n')
    result = selftest("buttons", "buzzer")
    assert result.exit_code == 1
    told = [line for line in result.stdout.splitlines() if line.startswith("problem ")]
    assert ["no Raspberry Pi" in line and "game goes on" not in line for line in told] == [True, True]


def test_one_finished_tube_is_tested_and_nothing_is_saved(
    scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    scene.act = lambda prompt: scene.type("s" if prompt.words.startswith("Put a ring on A1") else "y")
    assert scene.run(tube=Tube.A1) == 0
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    out = capsys.readouterr().out
    assert "measured by nobody yet" in out


# ---- keys


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("y", YES), ("no", NO), ("", YES), (" ", YES), ("B", Answer.BACK), ("what?", None), ("s", Answer.SKIP)],
)
def test_a_key_or_the_first_letter_of_a_line_is_an_answer(
    monkeypatch: pytest.MonkeyPatch, typed: str, answer: Answer | None
) -> None:
    test = PanelTrial(Part.BUTTONS).test
    given: list[Answer] = []
    monkeypatch.setattr(test, "answer", lambda answer, t: given.append(answer))
    test.on_typed(typed, 0.0)
    assert given == ([] if answer is None else [answer])


# ---- the screen

LONGEST = Prompt(
    title="Glass sensors: a title that is rather long",
    words="Not seen: " + "D4:B " * 40,
    answers={Answer.YES: "yes: they feel nothing", Answer.NO: "no", Answer.BACK: "back to trying"},
    marks={tube.name: (Mark.NOW, Mark.SEEN, Mark.FAULTY, Mark.WAITING) for tube in TUBES}
    | {"timer": (Mark.FAULTY,) * 2},
    progress="12 of 38 with both ends",
    notice="timer A",
    trouble="the cable was pulled " * 20,
)


@pytest.mark.parametrize("prompt", [LONGEST, replace(LONGEST, marks={}), Prompt(title="", words="")])
def test_the_picture_fits_eighty_by_twenty_four(prompt: Prompt) -> None:
    rows = Shown(prompt).picture(0.0, [], "").plain.split("\n")
    assert len(rows) == 23
    assert {len(row) for row in rows} == {80}


class Shown(SelfTestWalk):
    """A walk that shows one prompt after the other."""

    def __init__(self, prompt: Prompt) -> None:
        self.shown = prompt

    @property
    def prompt(self) -> Prompt:
        return self.shown


def test_plain_lines_say_each_thing_once(capsys: pytest.CaptureFixture[str]) -> None:
    screen = WalkScreen(None)
    prompt = Prompt(title="Ring sensors", words="Try them.", answers={YES: "that is all"})
    for each in (prompt, prompt, replace(prompt, notice="D4.1", progress="1 of 64 seen")):
        screen.show(Shown(each), 0.0, "")
    assert capsys.readouterr().out.splitlines() == [
        "Ring sensors. Try them.",
        "  [y, or start button: that is all; s: leave this part out; q: end the test]",
        "  D4.1 (1 of 64 seen)",
    ]


def test_stopped_it_prints_what_was_found_so_far(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(prompt: Prompt) -> None:
        if "Take every ring off" in prompt.words:
            raise Stopped(130)

    scene.act = stop
    with pytest.raises(Stopped):
        scene.run(Part.RINGS)
    out = capsys.readouterr().out
    assert "link                connected after" in out
    assert "not tested to the end: the test was ended" in out


def test_the_command_line_knows_every_part() -> None:
    assert tuple(part.value for part in Part if part is not Part.TUBE) == TESTED
    assert {part.value for part in parts.NEED_HANDS} == set(NEED_HANDS)
