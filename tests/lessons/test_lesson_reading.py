"""Files of lessons: what comes with the program, and what is refused."""

import pytest

from tamsk_hw.errors import StreamError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.lessons.lessons import LessonStep, RulingPattern, all_lessons, read_lesson
from tamsk_hw.partner.intention import Await, MoveGlass, MoveRing, RingAct, TurnTimerOver
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
            MoveGlass(Tube.D1, Tube.D2, turned=True, ring=False),
            RulingPattern("move", (("player", ("red",)), ("from", ("D1",)), ("to", ("D2",)))),
        ),
        LessonStep(
            Player.RED,
            MoveRing(RingAct.DROP, Tube.D2),
            RulingPattern("ring", (("player", ("red",)), ("tube", ("D2",)))),
        ),
        LessonStep(Player.BLACK, TurnTimerOver(), RulingPattern("timer_started", (("against", ("red",)),))),
    )
    (reply,) = lesson.replies
    assert reply.after == RulingPattern("turn", (("player", ("black",)),))
    assert (reply.player, reply.seconds) == (Player.BLACK, 1.5)
    assert isinstance(reply.intention, Await)
    assert lesson.texts[Language.NL].failed == ("e",)
    (failed,) = lesson.failed
    assert failed.ruled.fits(Violation(1.0, "R2.2", Player.RED, Code.NOT_TURNED, Tube.D2, ()))
    assert not failed.ruled.fits(Violation(1.0, "R2.1", Player.RED, Code.NOT_ADJACENT, Tube.D2, ()))
    assert not failed.ruled.fits(Moved(1.0, "R2.1", Player.RED, Tube.D1, Tube.D2, False))


def test_at_level_one_no_glass_is_turned() -> None:
    step = '[[prelude]]\nplayer = "red"\nmove = "D1-D2"\n'
    lesson = read_lesson(HEAD.replace("2", "1") + step + SOLVED + FAILED + TEXTS, "x")
    assert lesson.prelude[0].intention == MoveGlass(Tube.D1, Tube.D2, turned=False, ring=False)


def step(words: str) -> str:
    return WHOLE.replace("[[solved]]", f'[[prelude]]\nplayer = "red"\n{words}\n[[solved]]')


BAD = {
    "no TOML": (WHOLE + "x", "Expected"),
    "an unknown key": (WHOLE.replace("learner", "extra = 1\nlearner"), 'the unknown key "extra"'),
    "no learner": (WHOLE.replace('learner = "red"', ""), "the file has no 'learner'"),
    "another learner": (WHOLE.replace('learner = "red"', 'learner = "blue"'), 'learner is "blue"; allowed: "red"'),
    "an unknown rule": (WHOLE.replace("level = 2", "speed = 2"), 'ruleset has the unknown key "speed"'),
    "an unknown ruling": (WHOLE.replace('"move"', '"moved"'), "solved[0].ruled is"),
    "a misspelt field": (WHOLE.replace("code =", "kode ="), "failed[0].ruled is"),
    "an unknown code": (WHOLE.replace("dead_glass", "dead"), "failed[0].ruled is"),
    "a number for a truth": (WHOLE.replace('player = "red" }', "late = 1 }"), "solved[0].ruled is"),
    "an unknown clause": (WHOLE.replace('"R2.2"', '"R2.22"'), 'failed[0].clause is "R2.22"; allowed: a clause'),
    "no tubes": (step('move = "D1-D9"'), 'prelude[0].move is "D1-D9"; allowed: two tubes, as "D1-D2"'),
    "a wait for nothing": (step("wait = true"), "a step that waits has no ruled"),
    "a wait for ever": (step('ring = "D2"\nseconds = 1e9'), "prelude[0].seconds is 1000000000.0"),
    "a failure unexplained": (WHOLE.replace('["e"]', "[]", 1), "text.en.failed: needed is one for each"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_file_is_refused_in_one_line(bad: str) -> None:
    text, message = BAD[bad]
    with pytest.raises(StreamError) as error:
        read_lesson(text, "x")
    assert str(error.value).startswith("lesson x: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_every_file_is_read_and_has_words_in_every_language() -> None:
    files = sorted((ROOT / "tamsk_hw" / "lessons").glob("*.toml"))
    assert [lesson.name for lesson in all_lessons()] == [file.stem for file in files]
    for lesson in all_lessons():
        assert set(lesson.texts) == set(Language)
        titles = [lesson.texts[language].title for language in Language]
        assert len(set(titles)) == len(Language), "translated"
