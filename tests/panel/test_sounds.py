"""Sounds from rulings and the diagnosis, and the times at which they are heard."""

from itertools import combinations

import pytest

from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.diagnosis import Diagnosis, diagnose
from tamsk_hw.panel.sounds import EVERY_SOUND, PATIENCE, TUNES, Sound, Sounds, length
from tamsk_hw.referee.rulings import Code, GameOver, GlassLost, Reason, Turn, Violation
from tests.panel.boards import BLACK, RED, view

VIOLATION = Violation(90.0, "R2.1", RED, Code.NOT_ADJACENT, Tube.D3, ())
GLASS_LOST = GlassLost(90.0, "R6.2", BLACK, Tube.G1)
TURN = Turn(90.0, "R2.1", RED, 1)
GAME_OVER = GameOver(90.0, "R5.2", RED, Reason.FEWEST_RINGS, {RED: 3, BLACK: 4})

#: The interval at which the test asks for the tone (seconds).
LOOK = 0.005


def heard(sounds: Sounds, since: float, until: float) -> list[float]:
    """The tones from one time to another, each as often as it begins."""
    tones: list[float] = []
    last = None
    for look in range(round((until - since) / LOOK)):
        tone = sounds.tone_at(since + look * LOOK)
        if tone is not None and tone != last:
            tones.append(tone)
        last = tone
    return tones


def tones_of(*sounds: Sound) -> list[float]:
    return [frequency for sound in sounds for frequency, _ in TUNES[sound] if frequency is not None]


def timer(seconds: float | None) -> Diagnosis:
    """A diagnosis with so much left of the 15 seconds."""
    return diagnose(view(deadline=None if seconds is None else 100.0 + seconds))


def test_each_of_the_last_five_seconds_ticks_once() -> None:
    sounds = Sounds()
    ticks = []
    last = None
    for look in range(17 * 15):
        t = look / 15  # as often as pictures are drawn
        left = 15.0 - t
        sounds.feed([], timer(left if left > 0 else None), t)
        tone = sounds.tone_at(t)
        if tone is not None and last is None:
            ticks.append(t)
        last = tone
    assert ticks == [pytest.approx(at, abs=1 / 15) for at in (10.0, 11.0, 12.0, 13.0, 14.0)]


def test_a_move_made_in_time_ends_the_ticking_until_the_next_timers_last_seconds() -> None:
    sounds = Sounds()
    for t, left, ticks in ((0.0, 4.5, True), (0.4, None, False), (2.0, 14.9, False), (11.0, 4.9, True)):
        sounds.feed([], timer(left), t)
        assert heard(sounds, t, t + 0.2) == (tones_of(Sound.LAST_SECONDS) if ticks else [])


def test_a_look_that_comes_late_ticks_once_for_all_that_went_by() -> None:
    sounds = Sounds()
    sounds.feed([], timer(5.5), 0.0)
    sounds.feed([], timer(1.5), 4.0)
    assert heard(sounds, 4.0, 4.4) == tones_of(Sound.LAST_SECONDS)


def test_ten_at_once_are_one_of_each_the_most_pressing_first() -> None:
    sounds = Sounds()
    sounds.feed([GLASS_LOST, TURN, VIOLATION, GLASS_LOST, VIOLATION, GLASS_LOST] * 2, timer(3.0), 0.0)
    assert heard(sounds, 0.0, 20.0) == tones_of(Sound.VIOLATION, Sound.GLASS_LOST)


def test_the_end_of_the_game_is_the_last_sound_of_all() -> None:
    sounds = Sounds()
    sounds.feed([VIOLATION], None, 0.0)
    sounds.feed([GLASS_LOST, GAME_OVER], None, 0.1)
    assert sounds.tone_at(0.1) == tones_of(Sound.GAME_OVER)[0]
    sounds.feed([VIOLATION], None, 0.2)
    assert heard(sounds, 0.1, 20.0) == tones_of(Sound.GAME_OVER)


def test_a_violation_cuts_a_tick_short_and_is_not_begun_again_while_it_is_heard() -> None:
    sounds = Sounds()
    sounds.feed([], timer(4.9), 0.0)
    for t in (LOOK, 0.1):
        sounds.feed([VIOLATION], None, t)
    assert heard(sounds, LOOK, 5.0) == tones_of(Sound.VIOLATION)


def test_a_tick_does_not_wait() -> None:
    sounds = Sounds()
    sounds.feed([GLASS_LOST], timer(4.9), 0.0)
    assert heard(sounds, 0.0, 5.0) == tones_of(Sound.GLASS_LOST)


def test_nobody_waits_longer_than_their_patience() -> None:
    sounds = Sounds()
    sounds.feed([VIOLATION, GLASS_LOST], None, 0.0)
    t = 0.0
    while t < PATIENCE:  # one violation after the other
        t += length(Sound.VIOLATION)
        sounds.feed([VIOLATION], None, t - LOOK)
        sounds.play(Sound.VIOLATION, t)
    assert heard(sounds, t, t + 9.0) == tones_of(Sound.VIOLATION)


def test_unwanted_sounds_are_not_heard_and_the_others_are() -> None:
    sounds = Sounds(EVERY_SOUND - {Sound.VIOLATION, Sound.GAME_OVER})
    sounds.feed([VIOLATION, GLASS_LOST, GAME_OVER], None, 0.0)
    assert heard(sounds, 0.0, 5.0) == tones_of(Sound.GLASS_LOST)


def test_sounds_are_told_apart_and_a_buzzer_and_lgpio_can_make_them() -> None:
    assert set(TUNES) == set(Sound)
    for one, other in combinations(Sound, 2):
        assert tones_of(one) != tones_of(other)
    for tune in TUNES.values():
        assert sum(seconds for _, seconds in tune) <= 1.5
        for frequency, seconds in tune:
            assert frequency is None or (400 <= frequency <= 4000 and seconds > 0.02)
    assert length(Sound.LAST_SECONDS) < 0.1  # a tick, in a game at ten times its speed, too
