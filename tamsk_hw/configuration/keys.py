"""The one table of the configuration's keys: what each means, which values it may have, where they go.

The file is read and checked by this table, and the reference page and the sample file are made from it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import reduce
from typing import Any

from tamsk_hw.board.sensor_report import SensingSettings
from tamsk_hw.configuration.values import (
    Address,
    BoardId,
    BoardSettings,
    ButtonSettings,
    BuzzerSettings,
    Choice,
    Colour,
    Configuration,
    Device,
    FilePath,
    Flag,
    GpioSettings,
    HostNames,
    JournalSettings,
    Kind,
    LightSettings,
    Name,
    Number,
    PageOptions,
    PartnerSettings,
    PlayerNames,
    SandOptions,
    Whole,
    WordsSettings,
)
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start, TimerSide
from tamsk_hw.game.tubes import Player
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.panel.lights import CHANNEL_MILLIAMPS, IDLE_MILLIAMPS, Palette
from tamsk_hw.panel.outputs import LightRoute
from tamsk_hw.partner.intention import Strength
from tamsk_hw.system.output import Language

#: What the 42 pixels of the reference board draw at full white (mA): a higher cap caps nothing.
MOST_MILLIAMPS = round(42 * (IDLE_MILLIAMPS + 3 * CHANNEL_MILLIAMPS))


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its ``name`` is the field's of the section's dataclass, ``meaning`` is one sentence."""

    name: str
    kind: Kind
    meaning: str


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the file: ``name`` is also its place in `Configuration`, ``make`` the dataclass it sets up."""

    name: str
    make: type
    meaning: str
    keys: tuple[Key, ...]

    def default(self, key: Key) -> Any:
        """The value of a key that is not given."""
        return next(field.default for field in fields(self.make) if field.name == key.name)

    def value(self, configuration: Configuration, key: Key) -> Any:
        """The value of a key in a configuration."""
        return getattr(reduce(getattr, self.name.split("."), configuration), key.name)


def _window(name: str, meaning: str) -> Key:
    """A length of time in the rules: what `Ruleset` takes."""
    return Key(name, Number(least=0, most=1e15, unit="seconds", bounds="0 or more"), meaning)


def _dwell(name: str, meaning: str) -> Key:
    return Key(name, Number(least=0, most=60, unit="seconds", between=True), meaning)


def _share(name: str, meaning: str) -> Key:
    share = Number(least=0, most=1, unit="share", noun="a share of a seated glass's field", between=True)
    return Key(name, share, meaning)


def _colour(name: str, meaning: str) -> Key:
    return Key(name, Colour(), meaning)


SECTIONS: tuple[Section, ...] = (
    Section(
        "board",
        BoardSettings,
        "Which board, and what belongs to it.",
        (
            Key(
                "port",
                Device(),
                'Device of the board\'s serial line; with "none" the program plays on the simulated board.',
            ),
            Key(
                "wiring",
                FilePath("packaged"),
                'The wiring map, for a board that is not wired as the reference board is; "packaged" is the map '
                "that comes with the program. All pins stand there.",
            ),
            Key(
                "calibration",
                FilePath("auto"),
                'What was measured on this board; "auto" is calibration.toml in the state folder (see journal).',
            ),
            Key(
                "board_id",
                BoardId(),
                "Use this board only, and refuse any other at the port. tamsk-hw flash gives a board its id, or "
                "the one that --board-id asks for, and tells it; tamsk-hw doctor shows it.",
            ),
        ),
    ),
    Section(
        "ruleset",
        Ruleset,
        "The rules that games start with.",
        (
            Key(
                "level", Whole(least=1, most=3), "Level of the game: 1 without sand, 2 with it, 3 with the timer."
            ),
            Key("late_penalty", Choice(LatePenalty), "What a player suffers who is late at the timer's end."),
            Key(
                "forfeit_penalised",
                Flag(),
                "A turn forfeited because no move was started brings the penalty, too.",
            ),
            Key(
                "start",
                Choice(Start),
                "The glasses begin in the corners, or each is placed where its player likes. A board without the "
                'corners takes "free" alone.',
            ),
            _window("ring_window", "How long the ring of a move may be dropped after it."),
            _window("penalty_window", "How long the second ring of a penalty may be dropped after the move."),
            _window("final_window", "How long the last rings may be dropped when no move will follow."),
            _window("settle", "How long a glass may lean in its tube before it is out of place."),
            Key("timer_side", Choice(TimerSide, none="none"), "Where the timer stands; recorded, without effect."),
        ),
    ),
    Section(
        "sand",
        SandOptions,
        "How the sand is reckoned. How long each glass runs is measured: it belongs to the calibration.",
        (
            Key(
                "exact_hands",
                Flag(),
                "Trust the sand to run on in the hand as it stood; else time in the hand adds doubt.",
            ),
        ),
    ),
    Section(
        "lights",
        LightSettings,
        "The lights in the board.",
        (
            Key(
                "route",
                Choice(LightRoute),
                'How the lights are driven: "gpio" on the pin of the wiring map (needs root up to the Pi 4), '
                '"spi" on GPIO10 (needs SPI switched on, no root), "none" without lights.',
            ),
            Key(
                "milliamps",
                Whole(least=100, most=MOST_MILLIAMPS, unit="milliamperes"),
                "What all pixels together may draw; brighter pictures are dimmed to it.",
            ),
        ),
    ),
    Section(
        "lights.palette",
        Palette,
        "The colour of each meaning, as the pixels are driven. The defaults are told apart by the colour-blind; "
        "nothing checks that of others.",
        (
            _colour("red", "A red glass, and what concerns the red player."),
            _colour("black", "A black glass, and what concerns the black player."),
            _colour("doubtful", "A glass that may have run out, and a player who is late."),
            _colour("lost", "A glass that ran out."),
            _colour("full", "A full tube."),
            _colour("destination", "Where the glass in the hand may go."),
            _colour("ring", "A ring may be dropped."),
            _colour("wrong", "Something to be put right."),
            _colour("belongs", "A glass belongs here."),
        ),
    ),
    Section(
        "gpio",
        GpioSettings,
        "The Raspberry Pi's pins for buttons and buzzer.",
        (
            Key(
                "factory",
                Choice(PinFactory),
                'gpiozero\'s pin factory: "lgpio" on every Pi, "rpigpio" (RPi.GPIO) on boards up to the Pi 4, '
                '"mock" without any pins; "simulate" for buttons and lights of the board of tamsk-hw simulate, '
                "whatever lights.route says.",
            ),
            Key(
                "hands",
                FilePath("auto"),
                'With factory "simulate" the socket of that board, as tamsk-hw simulate prints it; "auto" is the '
                "place that it has without --hands.",
            ),
        ),
    ),
    Section(
        "buttons",
        ButtonSettings,
        "The three buttons: start, red, black.",
        (
            Key("enabled", Flag(), "The buttons are there."),
            Key(
                "debounce_seconds",
                Number(least=0.001, most=0.5, unit="seconds"),
                "How long a contact must hold before it counts.",
            ),
            Key(
                "long_press_seconds",
                Number(least=0.2, most=10, unit="seconds"),
                "How long a button must be held for a long press; more than debounce_seconds.",
            ),
        ),
    ),
    Section(
        "buzzer",
        BuzzerSettings,
        "The buzzer, and which sounds it makes.",
        (
            Key("enabled", Flag(), "The buzzer is there."),
            Key("violation", Flag(), "A sound for a violation."),
            Key("glass_lost", Flag(), "A sound for a glass that ran out."),
            Key("last_seconds", Flag(), "A tick for each of the timer's last five seconds."),
            Key("game_over", Flag(), "A sound for the end of the game."),
        ),
    ),
    Section(
        "sensing",
        SensingSettings,
        "How long a state must hold before it counts, and where one ends and the next begins. The thresholds are "
        "shares of a seated glass's field and must ascend: gone, away, away_until, leaning_until, leaning, "
        "seated_until, seated.",
        (
            _dwell("glass_dwell", "A glass seated or gone; the timer's glass, too."),
            _dwell("lean_dwell", "Something that leans."),
            _dwell("weak_dwell", "What may be a weak glass that is seated, or a strong one that leans."),
            _dwell("hover_dwell", "A glass held above its tube: it has left."),
            _dwell("ring_dwell", "A tube's ring count; more rings only where somebody may drop one."),
            _dwell("ring_dwell_undue", "More rings where nobody may drop one: perhaps a finger."),
            _dwell("light_dwell", "A ring count just after light was seen while dark."),
            _dwell("flicker_dwell", "The same when light comes again and again: so long in all."),
            _dwell("holder_dwell", "A ring holder's weight."),
            _dwell("gap_dwell", "A gap in a tube's rings before it is a fault."),
            _dwell("glare_dwell", "Light seen while dark before it is a fault."),
            _dwell("glare_clear_dwell", "The absence of such light before its fault is cleared."),
            _dwell("fault_dwell", "Any other fault before it is reported, and its absence before it is cleared."),
            _dwell("glass_first", "How long a ring count waits at most for the glass of its tube to settle."),
            _dwell("holder_first", "How long a ring count waits at most for the holder that the ring came from."),
            _dwell("silence", "How long after a snapshot its states still count as held."),
            _dwell("gap_credit", "How much of the time between lost frames counts as held at most."),
            _dwell("resume_within", "How long a sensor may be unknown at most for what had begun to go on."),
            _dwell("stray_within", "How long a glass that is gone may be felt again at most and still be gone."),
            _share("seated", "From here on a glass is seated."),
            _share("seated_until", "Below this a seated glass is seated no more."),
            _share("weak", "From here on what comes to stand may be a weak glass."),
            _share("weak_hysteresis", "How far below that it may fall and still be one."),
            _share("leaning", "From here on something leans."),
            _share("leaning_until", "Below this something leaning leans no more."),
            _share("away", "Below this a glass has left its tube, though it is still felt."),
            _share("away_until", "From here on a glass that had left is back above its tube."),
            _share("gone", "Below this nothing is felt."),
            Key(
                "rail",
                Whole(least=0, most=10, unit="steps of 8 bits"),
                "A reading this near to 0 or 255 is a broken or shorted sensor.",
            ),
            Key(
                "reference_margin",
                Whole(least=1, most=30, unit="steps of 8 bits"),
                "How far the references may be off 1/4, 1/2 and 3/4 of the supply.",
            ),
        ),
    ),
    Section(
        "journal",
        JournalSettings,
        "Where games are kept.",
        (
            Key(
                "folder",
                FilePath("auto"),
                'Folder of the database; "auto" is the state folder: /var/lib/tamsk-hw where that is there, else '
                "tamsk-hw in $XDG_DATA_HOME or ~/.local/share. The service needs a drop-in to write in another "
                "folder; tamsk-hw config check shows it.",
            ),
        ),
    ),
    Section(
        "players",
        PlayerNames,
        "Who plays, for the journal.",
        (
            Key("red", Name(), "The red player's name."),
            Key("black", Name(), "The black player's name."),
        ),
    ),
    Section(
        "partner",
        PartnerSettings,
        "A player whom the program plays, for somebody alone at the board: lights say what to do with his things.",
        (
            Key("player", Choice(Player, none="none"), "Who that is. His name is then that of the program."),
            Key("strength", Choice(Strength), "How well he plays."),
        ),
    ),
    Section(
        "web",
        PageOptions,
        "The page that shows the table in browsers (tamsk-hw web).",
        (
            Key(
                "address",
                Address(),
                'The address that the page listens on: "127.0.0.1" is for this computer alone, "0.0.0.0" opens it '
                "to everybody in the network.",
            ),
            Key("port", Whole(least=1, most=65535), "The page's port."),
            Key(
                "names",
                HostNames(),
                "Names by which browsers in the network call this computer; another name is refused, so that no "
                "other site can speak through a browser to this page.",
            ),
        ),
    ),
    Section(
        "words",
        WordsSettings,
        "The sentences that people read: rulings, notices, questions, the picture, score sheets.",
        (
            Key(
                "language",
                Choice(Language, none="auto"),
                'Their language; "auto" is that of LC_ALL, LC_MESSAGES or LANG, the first that is set, and '
                "English where none is, as in most services.",
            ),
        ),
    ),
)

#: Keys of earlier versions that have no effect: they are taken whatever they hold.
RETIRED: frozenset[str] = frozenset({"web.enabled"})

#: The sections by name.
SECTION_OF_NAME: dict[str, Section] = {section.name: section for section in SECTIONS}
