"""The settings: each a field with its default, its kind and its meaning, in the dataclass of its section.

The file is read and checked by these fields, and the reference page and the sample file are made from them. Rules,
palette and sensing have their defaults where they are used; their kinds and meanings stand here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, get_origin, get_type_hints

from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.configuration import kinds
from tamsk_hw.configuration.kinds import Kind
from tamsk_hw.errors import SettingError
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start, TimerSide
from tamsk_hw.game.tubes import Player
from tamsk_hw.panel.buttons import LONG_SECONDS, SETTLE_SECONDS
from tamsk_hw.panel.hardware import PinFactory
from tamsk_hw.panel.lights import CHANNEL_MILLIAMPS, DEFAULT_MILLIAMPS, IDLE_MILLIAMPS, PALETTE, Palette
from tamsk_hw.panel.outputs import LightRoute
from tamsk_hw.panel.sounds import Sound
from tamsk_hw.partner.intention import Strength
from tamsk_hw.system.output import Language

#: The service's folder for journal and calibration.
SYSTEM_STATE = Path("/var/lib/tamsk-hw")

#: The names of the calibration there, and of the file of followed rests in the journal's folder.
CALIBRATION_NAME = "calibration.toml"
RESTS_NAME = "rests.toml"

#: The current of the 42 pixels of the reference board at full white (mA): a higher cap caps nothing.
MOST_MILLIAMPS = round(42 * (IDLE_MILLIAMPS + 3 * CHANNEL_MILLIAMPS))


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a section; ``meaning`` is for the reference page."""

    name: str
    kind: Kind
    meaning: str
    default: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSettings:
    """Which board, and what belongs to it."""

    port: Annotated[
        str | None,
        kinds.DEVICE,
        'Device of the board\'s serial line; with "none" the program plays on the simulated board.',
    ] = None
    wiring: Annotated[
        Path | None,
        kinds.path("packaged"),
        'The wiring map, for a board that is not wired as the reference board is; "packaged" is the map that '
        "comes with the program. All pins stand there.",
    ] = None
    calibration: Annotated[
        Path | None,
        kinds.path("auto"),
        'What was measured on this board; "auto" is calibration.toml in the state folder (see journal).',
    ] = None
    board_id: Annotated[
        int | None,
        kinds.BOARD_ID,
        "Use this board only, and refuse any other at the port. tamsk-hw flash gives a board its id, or the one "
        "that --board-id asks for, and tells it; tamsk-hw doctor shows it.",
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SandOptions:
    """How the sand is reckoned. How long each glass runs is measured: it belongs to the calibration."""

    exact_hands: Annotated[
        bool, kinds.FLAG, "Trust the sand to run on in the hand as it stood; else time in the hand adds doubt."
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LightSettings:
    """The lights in the board."""

    route: Annotated[
        LightRoute,
        kinds.choice(LightRoute),
        'How the lights are driven: "gpio" on the pin of the wiring map (needs root up to the Pi 4), "spi" on '
        'GPIO10 (needs SPI switched on, no root), "none" without lights.',
    ] = LightRoute.GPIO
    milliamps: Annotated[
        int,
        kinds.whole(100, MOST_MILLIAMPS, "milliamperes"),
        "What all pixels together may draw; brighter pictures are dimmed to it.",
    ] = round(DEFAULT_MILLIAMPS)
    palette: Palette = PALETTE
    """The colour of each meaning: a section of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioSettings:
    """The Raspberry Pi's pins for buttons and buzzer."""

    factory: Annotated[
        PinFactory,
        kinds.choice(PinFactory),
        'gpiozero\'s pin factory: "lgpio" on every Pi, "rpigpio" (RPi.GPIO) on boards up to the Pi 4, "mock" '
        'without any pins; "simulate" for buttons and lights of the board of tamsk-hw simulate, whatever '
        "lights.route says.",
    ] = PinFactory.LGPIO
    hands: Annotated[
        Path | None,
        kinds.path("auto"),
        'With factory "simulate" the socket of that board, as tamsk-hw simulate prints it; "auto" is the place '
        "that it has without --hands.",
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonSettings:
    """The three buttons: start, red, black.

    Raises `SettingError` when a long press would not be longer than the debounce.
    """

    enabled: Annotated[bool, kinds.FLAG, "The buttons are there."] = True
    debounce_seconds: Annotated[
        float,
        kinds.number(0.001, 0.5, "seconds", "0.001 to 0.5"),
        "How long a contact must hold before it counts.",
    ] = SETTLE_SECONDS
    long_press_seconds: Annotated[
        float,
        kinds.number(0.2, 10, "seconds", "0.2 to 10"),
        "How long a button must be held for a long press; more than debounce_seconds.",
    ] = LONG_SECONDS

    def __post_init__(self) -> None:
        if not self.long_press_seconds > self.debounce_seconds:
            allowed = f"more than debounce_seconds, {self.debounce_seconds!r}"
            raise SettingError(
                "buttons", "long_press_seconds", self.long_press_seconds, allowed, against=("debounce_seconds",)
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class BuzzerSettings:
    """The buzzer, and which sounds it makes."""

    enabled: Annotated[bool, kinds.FLAG, "The buzzer is there."] = True
    violation: Annotated[bool, kinds.FLAG, "A sound for a violation."] = True
    glass_lost: Annotated[bool, kinds.FLAG, "A sound for a glass that ran out."] = True
    last_seconds: Annotated[bool, kinds.FLAG, "A tick for each of the timer's last five seconds."] = True
    game_over: Annotated[bool, kinds.FLAG, "A sound for the end of the game."] = True

    @property
    def sounds(self) -> frozenset[Sound]:
        """The sounds that are wanted; none without a buzzer."""
        return frozenset(sound for sound in Sound if self.enabled and getattr(self, sound.value))


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSettings:
    """Where games are kept."""

    folder: Annotated[
        Path | None,
        kinds.path("auto"),
        'Folder of the database; "auto" is the state folder: /var/lib/tamsk-hw where that is there, else tamsk-hw '
        "in $XDG_DATA_HOME or ~/.local/share. The service needs a drop-in to write in another folder; tamsk-hw "
        "config check shows it.",
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNames:
    """The players' names, for the journal."""

    red: Annotated[str | None, kinds.NAME, "The red player's name."] = None
    black: Annotated[str | None, kinds.NAME, "The black player's name."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerSettings:
    """A player whom the program plays, for somebody alone at the board: lights say what to do with his things."""

    player: Annotated[
        Player | None, kinds.choice(Player, "none"), "The player. His name is then that of the program."
    ] = None
    strength: Annotated[Strength, kinds.choice(Strength), "How well he plays."] = Strength.STRONG


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The page that shows the table in browsers (tamsk-hw web)."""

    address: Annotated[
        str,
        kinds.ADDRESS,
        'The address that the page listens on: "127.0.0.1" is for this computer alone, "0.0.0.0" opens it to '
        "everybody in the network.",
    ] = "127.0.0.1"
    port: Annotated[int, kinds.whole(1, 65535), "The page's port."] = 8137
    names: Annotated[
        tuple[str, ...],
        kinds.HOST_NAMES,
        "Names by which browsers in the network call this computer; another name is refused, so that no other "
        "site can speak through a browser to this page.",
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSettings:
    """The MQTT broker of a hall, for a board in it (tamsk-hw mqtt) and for the hall itself (tamsk-hw hall)."""

    host: Annotated[str, kinds.HOST, "The broker's computer."] = "127.0.0.1"
    port: Annotated[int, kinds.whole(1, 65535), "The broker's port; usually 8883 with TLS."] = 1883
    hall: Annotated[str, kinds.PLACE_NAME, "The hall's name: topics begin with tamsk/HALL."] = "hall"
    board: Annotated[str, kinds.PLACE_NAME, "This board's name in the hall. No other board there may have it."] = (
        "board"
    )
    user: Annotated[
        str | None, kinds.NAME, "The user at the broker: of a board its name; empty for a broker without users."
    ] = None
    password_file: Annotated[
        Path | None, kinds.path("none"), "A file whose first line is the user's password."
    ] = None
    tls: Annotated[
        bool, kinds.FLAG, "Speak TLS. The broker's certificate must be one that this computer trusts."
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HallOptions:
    """The hall's page (tamsk-hw hall)."""

    address: Annotated[str, kinds.ADDRESS, "The address that the hall's page listens on, as in [web]."] = (
        "127.0.0.1"
    )
    port: Annotated[int, kinds.whole(1, 65535), "The port of the hall's page."] = 8147


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsSettings:
    """The sentences that people read: rulings, notices, questions, the picture, score sheets."""

    language: Annotated[
        Language | None,
        kinds.choice(Language, "auto"),
        'Their language; "auto" is that of LC_ALL, LC_MESSAGES or LANG, the first that is set, and English where '
        "none is, as in most services.",
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The whole configuration, and the file that it was read from."""

    board: BoardSettings = BoardSettings()
    ruleset: Ruleset = field(default_factory=Ruleset)
    sand: SandOptions = SandOptions()
    lights: LightSettings = LightSettings()
    gpio: GpioSettings = GpioSettings()
    buttons: ButtonSettings = ButtonSettings()
    buzzer: BuzzerSettings = BuzzerSettings()
    sensing: SensingSettings = field(default_factory=SensingSettings)
    journal: JournalSettings = JournalSettings()
    players: PlayerNames = PlayerNames()
    partner: PartnerSettings = PartnerSettings()
    web: PageOptions = PageOptions()
    mqtt: MqttSettings = MqttSettings()
    hall: HallOptions = HallOptions()
    words: WordsSettings = WordsSettings()

    file: Path | None = None
    """The file that was read; None when there was none, and every value is its default."""
    state_folder: Path = SYSTEM_STATE
    """The folder of journal and calibration that have no other place."""

    @property
    def origin(self) -> str:
        """The configuration's origin, in words."""
        return "defaults (there is no configuration file)" if self.file is None else str(self.file)

    @property
    def journal_folder(self) -> Path:
        """Folder of the journal's database; it need not exist yet."""
        return self.journal.folder or self.state_folder

    @property
    def calibration_file(self) -> Path:
        """File of the calibration; it need not exist yet."""
        return self.board.calibration or self.state_folder / CALIBRATION_NAME

    @property
    def rests_file(self) -> Path:
        """File of the followed rests; it need not exist yet. It is beside the journal, which one program at a time
        keeps."""
        return self.journal_folder / RESTS_NAME


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the file: ``name`` is also its place in `Configuration`, ``make`` its dataclass."""

    name: str
    make: type
    meaning: str
    keys: tuple[Key, ...]

    def value(self, configuration: Configuration, key: Key) -> Any:
        """The value of a key in a configuration."""
        return getattr(reduce(getattr, self.name.split("."), configuration), key.name)


def _own(name: str, make: type) -> Section:
    """A section of this module; the first paragraph of the docstring is its meaning."""
    hints = get_type_hints(make, include_extras=True)
    keys = []
    for each in fields(make):
        if get_origin(hints[each.name]) is Annotated:
            kind, meaning = hints[each.name].__metadata__
            keys.append(Key(each.name, kind, meaning, each.default))
    return Section(name, make, " ".join((make.__doc__ or "").split("\n\n")[0].split()), tuple(keys))


def _other(name: str, make: type, meaning: str, keys: Iterable[tuple[str, Kind, str]]) -> Section:
    """A section whose dataclass knows nothing of the file."""
    defaults = {each.name: each.default for each in fields(make)}
    return Section(name, make, meaning, tuple(Key(key, kind, words, defaults[key]) for key, kind, words in keys))


def _alike(kind: Kind, **meanings: str) -> Iterator[tuple[str, Kind, str]]:
    """Keys of one kind, with their meanings."""
    return ((name, kind, meaning) for name, meaning in meanings.items())


SECTIONS: tuple[Section, ...] = (
    _own("board", BoardSettings),
    _other(
        "ruleset",
        Ruleset,
        "The rules that games start with.",
        (
            ("level", kinds.whole(1, 3), "Level of the game: 1 without sand, 2 with it, 3 with the timer."),
            ("late_penalty", kinds.choice(LatePenalty), "What a player suffers who is late at the timer's end."),
            (
                "forfeit_penalised",
                kinds.FLAG,
                "A turn forfeited because no move was started brings the penalty, too.",
            ),
            (
                "start",
                kinds.choice(Start),
                "The glasses begin in the corners, or each is placed where its player likes. A board without the "
                'corners takes "free" alone.',
            ),
            *_alike(
                kinds.WINDOW,
                ring_window="How long the ring of a move may be dropped after it.",
                penalty_window="How long the second ring of a penalty may be dropped after the move.",
                final_window="How long the last rings may be dropped when no move will follow.",
                settle="How long a glass may lean in its tube before it is out of place.",
            ),
            ("timer_side", kinds.choice(TimerSide, "none"), "Where the timer stands; recorded, without effect."),
        ),
    ),
    _own("sand", SandOptions),
    _own("lights", LightSettings),
    _other(
        "lights.palette",
        Palette,
        "The colour of each meaning, as the pixels are driven. The defaults are told apart by the colour-blind; "
        "nothing checks that of others.",
        _alike(
            kinds.COLOUR,
            red="A red glass, and what concerns the red player.",
            black="A black glass, and what concerns the black player.",
            doubtful="A glass that may have run out, and a player who is late.",
            lost="A glass that ran out.",
            full="A full tube.",
            destination="Where the glass in the hand may go.",
            ring="A ring may be dropped.",
            wrong="Something to be put right.",
            belongs="A glass belongs here.",
        ),
    ),
    _own("gpio", GpioSettings),
    _own("buttons", ButtonSettings),
    _own("buzzer", BuzzerSettings),
    _other(
        "sensing",
        SensingSettings,
        "How long a state must hold before it counts, and where one ends and the next begins. The thresholds are "
        "shares of a seated glass's field and must ascend: gone, away, away_until, leaning_until, leaning, "
        "seated_until, seated.",
        (
            *_alike(
                kinds.DWELL,
                glass_dwell="A glass seated or gone; the timer's glass, too.",
                lean_dwell="Something that leans.",
                weak_dwell="What may be a weak glass that is seated, or a strong one that leans.",
                hover_dwell="A glass held above its tube: it has left.",
                ring_dwell="A tube's ring count; more rings only where somebody may drop one.",
                ring_dwell_weak="The same where a ring sensor is weak or not calibrated: a finger is gone later.",
                ring_dwell_undue="More rings where nobody may drop one: perhaps a finger.",
                light_dwell="A ring count just after nothing was known of its tube, as under a lamp.",
                flicker_dwell="The same when that comes again and again: so long in all.",
                holder_dwell="A ring holder's weight.",
                gap_dwell="A gap in a tube's rings before it is a fault.",
                glare_dwell="Ring sensors of which nothing is known, as in the sun, before that is a fault.",
                glare_clear_dwell="Known ones before that fault is cleared.",
                margin_dwell="Ring sensors near to their threshold before that is said.",
                fault_dwell="Any other fault before it is reported, and its absence before it is cleared.",
                glass_first="How long a ring count waits at most for the glass of its tube to settle.",
                holder_first="How long a ring count waits at most for the holder that the ring came from.",
                silence="How long after a snapshot its states still count as held.",
                gap_credit="How much of the time between lost frames counts as held at most.",
                resume_within="How long a sensor may be unknown at most for what had begun to go on.",
                stray_within="How long a glass that is gone may be felt again at most and still be gone.",
            ),
            *_alike(
                kinds.SHARE,
                seated="From here on a glass is seated.",
                seated_until="Below this a seated glass is seated no more.",
                weak="From here on what comes to stand may be a weak glass.",
                weak_hysteresis="How far below that it may fall and still be one.",
                leaning="From here on something leans.",
                leaning_until="Below this something leaning leans no more.",
                away="Below this a glass has left its tube, though it is still felt.",
                away_until="From here on a glass that had left is back above its tube.",
                gone="Below this nothing is felt.",
            ),
            (
                "rail",
                kinds.whole(0, 10, "steps of 8 bits"),
                "A reading this near to 0 or 255 is a broken or shorted sensor.",
            ),
            (
                "reference_margin",
                kinds.whole(1, 30, "steps of 8 bits"),
                "How far the references may be off 1/4, 1/2 and 3/4 of the supply.",
            ),
        ),
    ),
    _own("journal", JournalSettings),
    _own("players", PlayerNames),
    _own("partner", PartnerSettings),
    _own("web", PageOptions),
    _own("mqtt", MqttSettings),
    _own("hall", HallOptions),
    _own("words", WordsSettings),
)
