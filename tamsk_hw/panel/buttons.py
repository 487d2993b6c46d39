"""The three buttons at their pins, as the referee's events (docs/formats.md, Events).

A contact bounces: for some milliseconds it opens and closes at will. Its level counts once it has *settled*, that
is held for `SETTLE_SECONDS`, and it counts from when it began. Nothing is dropped on the way: the last edge of a
burst decides, however near the one before it was. (A filter that goes deaf for a while after an edge misses the
release of a quick press, and the button hangs.)

A press is **short** when the button is let go, **long** as soon as it has been held for `LONG_SECONDS`, while it
is still held; letting go then says no more. A button that is held when the reader begins is not pressed until it
has been let go. One that stays down for `STUCK_SECONDS` is stuck, which is said once.

A button connects its pin to ground; the Pi's own pull-up holds it high. On a Pi gpiozero calls back in a thread of
the driver's, which does no more than put the time and the level into a queue; `Buttons.take_events` empties it in
the caller's thread. The time is the kernel's where the driver has
it (lgpio): a press that comes while the program is kept from running is read afterwards as it was.

A driver may lose an edge, and RPi.GPIO tells none at all under kernels from 6.6 on. So the levels are read as
well: that of a button that is held at each call, those of the others every `LOOK_SECONDS`, and at each call that
of a button whose driver tells no edges. No press hangs for ever, and nobody resigns because the end of a short
press was lost.
"""

import contextlib
import weakref
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from tamsk_hw.panel import hardware
from tamsk_hw.referee.events import Button, ButtonName, Press

#: Seconds that a level must hold before it counts.
SETTLE_SECONDS: Final = 0.03

#: Seconds that a button must be held for a long press.
LONG_SECONDS: Final = 1.5

#: Seconds after which a button that is still held is stuck.
STUCK_SECONDS: Final = 20.0


#: The time of a press (seconds): when it was let go (short), or when it had been held long enough (long); and its
#: kind, None for a button that has been down for so long that nobody can mean it.
Pressed = tuple[float, Press | None]


class PressReader:
    """Reads one button. All times are seconds of one clock that never goes back.

    ``pressed`` is the level at ``t``, when reading begins. ``settle`` and ``long`` are the times above.
    """

    def __init__(
        self, t: float, pressed: bool, *, settle: float = SETTLE_SECONDS, long: float = LONG_SECONDS
    ) -> None:
        self._settle, self._long = settle, long
        self.now = t
        """The time up to which everything is read; while the button is at rest, that of the last change."""
        self.level, self._level_since = pressed, t
        """The contact's last known level: True is closed, settled or not."""
        self.is_down, self._down_since = pressed, t
        """The button counts as held."""
        # This hold brings no press (any more).
        self._spent = pressed
        self._said_stuck = False

    @property
    def next_wakeup(self) -> float:
        """The time at which `advance` has something to say if no edge comes; infinity when only an edge can."""
        due = [self._level_since + self._settle] if self.level is not self.is_down else []
        if self.is_down and self.level:
            due += [] if self._spent else [self._down_since + self._long]
            due += [] if self._said_stuck else [self._down_since + STUCK_SECONDS]
        return min(due, default=float("inf"))

    def edge(self, t: float, pressed: bool) -> list[Pressed]:
        """The contact closed (``pressed``) or opened at ``t``; gives what had come about until then.

        An edge to the level that is there already says nothing, and one older than the last time counts as of now.
        """
        said = self.advance(t)
        self.now = max(t, self.now)
        if pressed is not self.level:
            self.level, self._level_since = pressed, self.now
        return said

    def advance(self, t: float) -> list[Pressed]:
        """Time has passed to ``t``; gives what has come about."""
        said: list[Pressed] = []
        if not self.level and not self.is_down:
            return said  # edges that are still under way keep their own times
        self.now = now = max(t, self.now)
        if self.level is not self.is_down and now >= self._level_since + self._settle:
            self.is_down = self.level
            if self.is_down:
                self._down_since, self._spent = self._level_since, False
            elif not self._spent:
                said.append((self._level_since, Press.SHORT))
        # While the contact is open nobody knows yet whether it was let go or bounces.
        if self.is_down and self.level:
            if not self._spent and now >= self._down_since + self._long:
                self._spent = True
                said.append((max(self._down_since + self._long, self._level_since), Press.LONG))
            if not self._said_stuck and now >= self._down_since + STUCK_SECONDS:
                self._said_stuck = True
                said.append((self._down_since + STUCK_SECONDS, None))
        return said


#: Seconds between two looks at the level of a button that seems at rest.
LOOK_SECONDS: Final = 0.25

# Seconds that an edge was under way to the callback: less is nothing, more is no age but another origin of time,
# as of lgpio's times under kernels before 5.7.
_LEAST_AGE, _MOST_AGE = 0.02, 60.0

# Edges that wait for the caller; a contact that chatters may lose the oldest, its level is read anyway.
_QUEUED_MOST: Final = 1000


class _Contact(hardware.PinDevice):
    """One button's pin, with the queue of its edges; ``reader`` may be used only while there is a device."""

    def __init__(
        self,
        name: ButtonName,
        pin: int,
        pins: hardware.Pins,
        notice: Callable[[hardware.PanelNotice], None],
        settle: float,
        long: float,
        wake: Callable[[], None],
    ) -> None:
        super().__init__(hardware.PanelPart(hardware.PanelUnit.BUTTON, name, pin), pins, notice)
        self.name = name
        self.reader = PressReader(0.0, False)
        self._wake = wake
        self._notice = notice
        self._settle, self._long = settle, long
        self._edges: deque[tuple[float, bool]] = deque(maxlen=_QUEUED_MOST)
        self._tells_edges = False
        self._looked_at = float("-inf")
        self._reported_stuck = False

    def set_up(self, factory: Any) -> None:
        """Make the device; without edges when its driver refuses to tell them."""
        from gpiozero import DigitalInputDevice, InputDevice

        now, clock = self.pins.clock(), self.pins.clock
        device = None
        with contextlib.suppress(Exception):
            device = DigitalInputDevice(self.part.pin, pull_up=True, bounce_time=None, pin_factory=factory)
        self._tells_edges = device is not None
        # Not from within an except clause: its traceback would keep the first device, and so the pin, alive.
        if device is None:
            self.device = InputDevice(self.part.pin, pull_up=True, pin_factory=factory)
        else:
            self.device = device
            edges, wake = self._edges, self._wake  # neither self nor the device: it must not keep itself alive
            reference = weakref.ref(device)

            def edge(pressed: bool) -> None:
                there = reference()
                age = None if there is None else there.active_time if pressed else there.inactive_time
                if age is None or not _LEAST_AGE <= age <= _MOST_AGE:
                    age = 0.0
                edges.append((clock() - age, pressed))
                wake()

            device.when_activated = lambda: edge(True)
            device.when_deactivated = lambda: edge(False)
        self._edges.clear()
        self.reader = PressReader(now, bool(self.device.is_active), settle=self._settle, long=self._long)

    def drain(self, now: float) -> list[Pressed]:
        """The presses until ``now``, by the pins' clock."""
        reader = self.reader
        if self.device is None:
            return []
        said: list[Pressed] = []
        while self._edges:
            t, pressed = self._edges.popleft()
            said += reader.edge(min(t, now), pressed)
        if not self._tells_edges or reader.level or reader.is_down or now >= self._looked_at + LOOK_SECONDS:
            self._looked_at = now
            try:
                pressed = bool(self.device.is_active)
            except Exception as error:  # drivers raise nearly anything
                self.fail(hardware.Failure.USE, error)
                return self._presses(said)
            # A level without an edge changed at some time since the last look. Whichever makes the hold
            # shorter counts: a resignation must not come of a look too late.
            said += reader.edge(now if pressed else reader.now, pressed)
        return self._presses(said + reader.advance(now))

    def _presses(self, said: list[Pressed]) -> list[Pressed]:
        """The presses among them; a button that is stuck is reported once."""
        presses = [each for each in said if each[1] is not None]
        if len(presses) < len(said) and not self._reported_stuck:
            self._reported_stuck = True
            self._notice(hardware.ButtonStuck(self.part))
        return presses


class Buttons:
    """The buttons on ``wires``, the BCM number of each (`tamsk_hw.board.wiring.Wiring.buttons`); none of them: no
    buttons are there, or wanted.

    ``settle`` and ``long`` (seconds) are those of `tamsk_hw.panel.buttons`; ``notice`` is given what does not
    work, in the thread of the caller of `take_events`. ``wake`` is called at each edge, in the driver's thread.
    """

    def __init__(
        self,
        wires: Mapping[ButtonName, int],
        pins: hardware.Pins,
        notice: Callable[[hardware.PanelNotice], None],
        *,
        settle: float = SETTLE_SECONDS,
        long: float = LONG_SECONDS,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self.are_wired = bool(wires)
        """There are buttons, working or not."""
        self._pins = pins
        self._contacts = [_Contact(name, pin, pins, notice, settle, long, wake) for name, pin in wires.items()]
        self._last = float("-inf")
        self._ahead = float("-inf")
        """Seconds by which the caller's clock is ahead of the pins', when least passed between the two looks."""
        self._open()

    def _open(self) -> None:
        for contact in self._contacts:
            contact.open()

    def _working(self) -> list[_Contact]:
        """The buttons whose pins are read."""
        return [contact for contact in self._contacts if contact.device is not None]

    @property
    def working(self) -> frozenset[ButtonName]:
        """The buttons whose pins are read."""
        return frozenset(contact.name for contact in self._working())

    def take_events(self, now: float) -> list[Button]:
        """The presses since the last call, in order. Never waits.

        ``now`` is the present by the caller's own clock, in seconds from any origin; the events' times are by that
        clock, too, and lie at most a moment back.
        """
        self._open()
        clock = self._pins.clock()
        self._ahead = max(self._ahead, now - clock)
        found = [
            (t, contact.name, press)
            for contact in self._contacts
            for t, press in contact.drain(clock)
            if press is not None
        ]
        found.sort(key=lambda each: each[0])
        events = []
        for t, name, press in found:
            self._last = max(self._last, t + self._ahead)
            events.append(Button(self._last, name, press))
        return events

    def next_wakeup(self, now: float) -> float:
        """The caller's time at which `take_events` has something to say though nobody touches a button."""
        due = min((contact.reader.next_wakeup for contact in self._working()), default=float("inf"))
        return now + due - self._pins.clock()

    def close(self) -> None:
        """Let the buttons' pins go, for good; closing twice is harmless."""
        for contact in self._contacts:
            contact.let_go()
        self._contacts.clear()
