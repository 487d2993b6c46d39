"""Actions of fingers on the three buttons: press, hold, let go; which of them are down can be seen."""

from __future__ import annotations

from tamsk_hw.simulator.matter import Matter
from tamsk_hw.simulator.truth import ButtonPressed, PressLength, PushButton, WorldError

#: Seconds from which on a press is a long one.
LONG_SECONDS = 1.0

#: Seconds for which a long press is held, so that a program that wants more than a second takes it, too.
HELD_SECONDS = 1.8


class ButtonMoves(Matter):
    """The buttons; see `tamsk_hw.simulator.world.World`."""

    def press(self, button: PushButton, press: PressLength = PressLength.SHORT) -> float:
        """Press a button: a short press takes 0.08 … 0.25 s, a long one counts from 1 s on and is held for 1.8 s.

        One that is held already is pressed all the same; it goes up when the last finger leaves it.
        """
        short = press is PressLength.SHORT
        done = self.now + (self._chance.uniform(0.08, 0.25) if short else LONG_SECONDS)
        self._put_finger(button)
        self._at(done, lambda: self.note(ButtonPressed(self.now, button, press)))
        self._at(done if short else self.now + HELD_SECONDS, lambda: self._take_finger(button))
        return done

    def hold(self, button: PushButton) -> None:
        """Push a button down and keep it there until `let_go`. Raises `WorldError` for one that is held."""
        if button in self._held:
            raise WorldError(f"the {button.value} button is held down already")
        self._held[button] = self.now
        self._put_finger(button)

    def let_go(self, button: PushButton) -> None:
        """Let go a button that is held. Raises `WorldError` when nobody holds it."""
        since = self._held.pop(button, None)
        if since is None:
            raise WorldError(f"nobody holds the {button.value} button down")
        self._take_finger(button)
        press = PressLength.LONG if self.now - since >= LONG_SECONDS else PressLength.SHORT
        self.note(ButtonPressed(self.now, button, press))

    def is_held(self, button: PushButton) -> bool:
        """Somebody keeps the button down, by `hold`."""
        return button in self._held

    def is_down(self, button: PushButton) -> bool:
        """The button is down."""
        return self._fingers_on[button] > 0

    # ---- parts

    def _put_finger(self, button: PushButton) -> None:
        self._fingers_on[button] += 1

    def _take_finger(self, button: PushButton) -> None:
        self._fingers_on[button] -= 1
