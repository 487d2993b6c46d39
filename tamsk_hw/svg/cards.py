"""The players' cards beside the board: whose turn it is, rings left as a stack, and the 15-second timer."""

from dataclasses import dataclass
from textwrap import wrap
from typing import Final
from unicodedata import east_asian_width

from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.panel.diagnosis import Diagnosis, PlayerSign, PlayerStatus, TimerSign, whole_seconds
from tamsk_hw.svg.elements import BOARD_HEIGHT, BOARD_WIDTH, OF_PLAYER, Ink, Layout, Role, Value, at, tag, text
from tamsk_hw.svg.things import rings_on_pole, timer_glass
from tamsk_hw.words.arbiter import timer_words
from tamsk_hw.words.table import due_words, status_words
from tamsk_hw.words.translating import ntr

#: The width of a bold character over the size of its font, at most: of a narrow and of a wide one.
_NARROW, _WIDE = 0.72, 1.05


@dataclass(frozen=True, slots=True)
class Card:
    """The places of things on a card: its head with the name, then the rings left and the timer.

    ``places`` are those of red's and black's card beside the board, ``stack`` is the transform of the stack of
    rings.
    """

    places: tuple[tuple[float, float], tuple[float, float]]
    width: float
    height: float
    head: float
    name_size: float
    name_y: float
    name_lines: int
    columns: int
    """Characters in a line of a name, or of what may be dropped."""
    stance_y: float
    due_y: float
    count: tuple[float, float, float]
    """The place of the number of rings, and the size of its font; so for the next two."""
    caption: tuple[float, float, float]
    seconds: tuple[float, float, float]
    anchor: str
    """The end of the number of rings, and of its caption, that is at its place."""
    stack: str
    timer: tuple[float, float]


_UPRIGHT = Card(
    places=((20, 24), (1304, 24)),
    width=276,
    height=852,
    head=132,
    name_size=40,
    name_y=58,
    name_lines=2,
    columns=15,
    stance_y=110,
    due_y=182,
    count=(203, 330, 80),
    caption=(203, 366, 23),
    seconds=(204, 650, 76),
    anchor="middle",
    stack=at(78, 796),
    timer=(204, 806),
)

_FLAT = Card(
    places=((16, 16), (498, 16)),
    width=466,
    height=268,
    head=96,
    name_size=36,
    name_y=43,
    name_lines=1,
    columns=26,
    stance_y=80,
    due_y=202,
    count=(22, 164, 70),
    caption=(126, 162, 27),
    seconds=(352, 250, 56),
    anchor="start",
    stack=at(46, 236, "rotate(90)", "scale(.5)"),
    timer=(428, 258),
)


#: For each arrangement the size of the drawing, the place of the board in it, and the players' card, if any.
FRAMES: Final[dict[Layout, tuple[tuple[float, float], tuple[float, float], Card | None]]] = {
    Layout.WIDE: ((1600, 900), (310, 0), _UPRIGHT),
    Layout.TALL: ((980, 1200), (0, 300), _FLAT),
    Layout.BOARD: ((BOARD_WIDTH, BOARD_HEIGHT), (0, 0), None),
}


def text_width(words: str) -> float:
    """The width of a line of bold text over the size of its font, at most."""
    return sum(_WIDE if east_asian_width(each) in "WF" else _NARROW for each in words)


def _head(ink: Ink, card: Card, player: Player, name: str, sign: PlayerSign) -> str:
    """The head of a card, in the player's colour when it is his turn or he has won."""
    on = sign.stance in (PlayerStatus.TO_MOVE, PlayerStatus.MOVING, PlayerStatus.WON)
    role = OF_PLAYER[player]
    lines = wrap(name, card.columns, max_lines=card.name_lines, placeholder="…")
    size = min([card.name_size, *((card.width - 78) / text_width(line) for line in lines)])
    first = card.name_y - (len(lines) - 1) * size / 2
    marks: dict[str, Value] = {"stroke_width": 2.5, **ink.both(role, Role.CAP_EDGE)}
    middle = card.name_y - card.name_size * 0.36
    chip = (
        tag("circle", cx=38, cy=middle, r=15, **marks)
        if player is Player.RED
        else tag("rect", x=24, y=middle - 14, width=28, height=28, rx=3, **marks)
    )
    written = ink.fill(Role.ON_PLAYER) if on else ink.fill(Role.TEXT)
    stance = status_words(sign.stance)
    block = tag("rect", width=card.width, height=card.head, rx=18, stroke_width=4, **ink.both(role, Role.CAP_EDGE))
    named = (text(line, 64, first + place * size, size, 700, **written) for place, line in enumerate(lines))
    return "".join(
        (block if on else "", chip, *named, text(stance, 64, card.stance_y, 27, **written) if stance else "")
    )


def _timer(ink: Ink, card: Card, timer: TimerSign, t: float) -> str:
    """The timer with its seconds."""
    x, y, size = card.seconds
    glass = timer_glass(ink, seconds=timer.seconds, t=t, words=timer_words(timer), place=card.timer)
    number = str(whole_seconds(timer.seconds))
    if not timer.urgent:
        return glass + text(number, x, y, size, 700, text_anchor="middle", **ink.fill(Role.TEXT))
    place: dict[str, Value] = {"x": x - 0.75 * size, "y": y - 0.92 * size}
    pill = tag("rect", **place, width=1.5 * size, height=1.12 * size, rx=0.3 * size, **ink.fill(Role.DOUBT))
    return (
        glass + pill + text(number, x, y - 0.05 * size, size, 700, text_anchor="middle", **ink.fill(Role.ON_DOUBT))
    )


def player_card(ink: Ink, card: Card, diagnosis: Diagnosis, player: Player, name: str) -> str:
    """Everything about one player."""
    sign = diagnosis.players[player]
    timer = diagnosis.timer
    dark, quiet = ink.fill(Role.TEXT), ink.fill(Role.QUIET)
    left = ntr("ring left", "rings left", sign.left)
    return tag(
        "g",
        tag("rect", width=card.width, height=card.height, rx=18, stroke_width=2, **ink.both(Role.CARD, Role.LINE)),
        _head(ink, card, player, name, sign),
        *(
            text(line, 24, card.due_y + place * 31, 25, 600, **dark)
            for place, line in enumerate(wrap(due_words(sign), card.columns))
        ),
        tag("g", rings_on_pole(ink, sign.left), class_="stack", transform=card.stack),
        text(str(sign.left), *card.count, 700, text_anchor=card.anchor, **dark),
        text(left, *card.caption, None, text_anchor=card.anchor, **quiet),
        _timer(ink, card, timer, diagnosis.t) if timer is not None and timer.against is player else "",
        id=f"{ink.prefix}player-{player.value}",
        class_=f"tamsk-player {player.value} {sign.stance.value}",
        data_left=str(sign.left),
        text_anchor="start",
        transform=at(*card.places[PLAYERS.index(player)]),
    )
