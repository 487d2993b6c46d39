"""Files of lessons: what comes with the program, and what is refused."""

from __future__ import annotations

import pytest

from tamsk_hw.errors import LessonError
from tamsk_hw.game.position import Move
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.lessons.lessons import LessonStep, RulingPattern, all_lessons, read_lesson
from tamsk_hw.partner.intention import Await, DropRing, MoveGlass, TurnTimerOver
from tamsk_hw.referee.rulings import Code, Moved, Violation
from tamsk_hw.system.output import Language
from tests.house import ROOT

TEXTS = "".join(
    f'[text.{language.value}]\ntitle = "a"\ntask = "b"\nhint = "c"\nlearned = "d"\nfailed = ["e"]\n'
    for language in Language
)
SOLVED = '[[solved]]\nruled = { ruling = "move", player = "red" }\nclause = "R2.1"\n'
FAILED = '[[failed]]\nruled = { ruling = "violation", code = ["not_turned", "dead_glass"] }\nclause = "R2.2"\n'
HEAD = 'learner = "red"\n[ruleset]\nlevel = 2\n'
WHOLE = HEAD + SOLVED + FAILED + TEXTS


def test_a_whole_file() -> None:
    prelude = """
[[prelude]]
player = "red"
move = "D1-D2"

[[prelude]]
player = "red"
ring = "D2"

[[prelude]]
player = "black"
timer = true

[[reply]]
after = { ruling = "turn", player = "black" }
seconds = 1.5
player = "black"
wait = true
ruled = { ruling = "timer_expired", against = "red", started = true }
"""
    lesson = read_lesson(HEAD + prelude + SOLVED + FAILED + TEXTS, "x")
    assert lesson.prelude == (
        LessonStep(
            Player.RED,
            MoveGlass(Move(Tube.D1, Tube.D2), turned=True, ring=False),
            RulingPattern("move", (("player", ("red",)), ("from", ("D1",)), ("to", ("D2",)))),
        ),
        LessonStep(
            Player.RED, DropRing(Tube.D2), RulingPattern("ring", (("player", ("red",)), ("tube", ("D2",))))
        ),
        LessonStep(Player.BLACK, TurnTimerOver(), RulingPattern("timer_started", (("against", ("red",)),))),
    )
    (reply,) = lesson.replies
    assert reply.after == RulingPattern("turn", (("player", ("black",)),))
    assert (reply.step.player, reply.step.seconds) == (Player.BLACK, 1.5)
    assert isinstance(reply.step.intention, Await)
    assert lesson.texts[Language.DUTCH].failed == ("e",)
    (failed,) = lesson.failed
    assert failed.ruled.fits(Violation(1.0, "R2.2", Player.RED, Code.NOT_TURNED, Tube.D2, ()))
    assert not failed.ruled.fits(Violation(1.0, "R2.1", Player.RED, Code.NOT_ADJACENT, Tube.D2, ()))
    assert not failed.ruled.fits(Moved(1.0, "R2.1", Player.RED, Tube.D1, Tube.D2, False))


def test_at_level_one_no_glass_is_turned() -> None:
    step = '[[prelude]]\nplayer = "red"\nmove = "D1-D2"\n'
    lesson = read_lesson(HEAD.replace("2", "1") + step + SOLVED + FAILED + TEXTS, "x")
    assert lesson.prelude[0].intention == MoveGlass(Move(Tube.D1, Tube.D2), turned=False, ring=False)


def step(words: str) -> str:
    return WHOLE.replace("[[solved]]", f'[[prelude]]\nplayer = "red"\n{words}\n[[solved]]')


BAD = {
    "no TOML": (WHOLE + "x", "lesson x: Expected"),
    "an unknown key": (WHOLE.replace("learner", "extra = 1\nlearner"), 'unknown key "extra" in the file'),
    "no learner": (WHOLE.replace('learner = "red"', ""), "the file has no learner"),
    "another learner": (WHOLE.replace('learner = "red"', 'learner = "blue"'), 'learner is "blue"; allowed: "red"'),
    "an unknown rule": (WHOLE.replace("level = 2", "speed = 2"), 'ruleset has the unknown key "speed"'),
    "another level": (WHOLE.replace("level = 2", "level = 7"), "ruleset.level is 7; allowed: 1, 2, 3"),
    "no solution": ("solved = []\n" + HEAD + FAILED + TEXTS, "solved is []; allowed: [[solved]], once or more"),
    "an unknown ruling": (
        WHOLE.replace('"move"', '"moved"'),
        'solved[1].ruled.ruling is "moved"; allowed: setup,',
    ),
    "a misspelt field": (WHOLE.replace("code =", "kode ="), 'unknown key "kode" in failed[1].ruled'),
    "a field of another ruling": (
        WHOLE.replace('player = "red" }', 'code = "x" }'),
        'unknown key "code" in solved[1]',
    ),
    "an unknown code": (WHOLE.replace("dead_glass", "dead"), 'failed[1].ruled.code is "dead"; allowed: "not_your'),
    "a field without few values": (
        WHOLE.replace('player = "red" }', "t = 1 }"),
        'unknown key "t" in solved[1].ruled',
    ),
    "a number for a truth": (WHOLE.replace('player = "red" }', "late = 1 }"), "late is 1; allowed: true, false"),
    "no clause": (WHOLE.replace('clause = "R2.1"', ""), "solved[1] has no clause"),
    "an unknown clause": (
        WHOLE.replace('"R2.2"', '"R2.22"'),
        'failed[1].clause: the rules have no clause "R2.22"',
    ),
    "no clause but a number": (WHOLE.replace('"R2.2"', "2.2"), "failed[1].clause is 2.2"),
    "no deed": (step(""), "prelude[1] has no deed; allowed: one of move, ring, timer, wait"),
    "two deeds": (step('ring = "D2"\ntimer = true'), "prelude[1] has ring, timer; allowed: one of"),
    "no tubes": (step('move = "D1-D9"'), 'prelude[1].move is "D1-D9"; allowed: two tubes, as "D1-D2"'),
    "one tube twice": (step('move = "D1-D1"'), 'prelude[1].move is "D1-D1"; allowed: two tubes, as "D1-D2"'),
    "no tube for a ring": (step("ring = 4"), "prelude[1].ring is 4; allowed: a tube, A1 to G4"),
    "a ring that is turned": (step('ring = "D2"\nturned = true'), "prelude[1].turned is true; allowed: only with"),
    "a timer not turned": (step("timer = false"), "prelude[1].timer is false; allowed: true"),
    "a wait for nothing": (step("wait = true"), "prelude[1] has no ruled; wait needs the ruling"),
    "a wait for ever": (
        step('ring = "D2"\nseconds = 1e9'),
        "prelude[1].seconds is 1000000000.0; allowed: 0 to 600",
    ),
    "a language missing": (WHOLE.replace("[text.nl]", "[text.xx]"), 'unknown key "xx" in text'),
    "a text missing": (WHOLE.replace('hint = "c"', "", 1), "text.en has no hint"),
    "an empty text": (
        WHOLE.replace('hint = "c"', 'hint = " "', 1),
        'text.en.hint is " "; allowed: a text on one line',
    ),
    "a failure unexplained": (WHOLE.replace('["e"]', "[]", 1), "text.en.failed is []; allowed: a list of 1"),
    "no table": ("text = 1\n" + HEAD + SOLVED + FAILED, "text is 1; allowed: a table"),
    "a step that is no table": ("prelude = [1]\n" + WHOLE, "prelude[1] is 1; allowed: a table"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_file_is_refused_in_one_line(bad: str) -> None:
    text, message = BAD[bad]
    with pytest.raises(LessonError) as error:
        read_lesson(text, "x")
    assert str(error.value).startswith("lesson x: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_reply_needs_its_seconds() -> None:
    with pytest.raises(LessonError, match=r"reply\[1\] has no seconds"):
        read_lesson(WHOLE + '[[reply]]\nplayer = "black"\nmove = "G1-F1"\n', "x")


def test_every_file_is_read_and_has_words_in_every_language() -> None:
    files = sorted((ROOT / "tamsk_hw" / "lessons").glob("*.toml"))
    assert [lesson.name for lesson in all_lessons()] == [file.stem for file in files]
    for lesson in all_lessons():
        assert set(lesson.texts) == set(Language)
        titles = [lesson.texts[language].title for language in Language]
        assert len(set(titles)) == len(Language), "translated"
