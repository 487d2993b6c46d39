"""Every notice has a code of its own, a JSON object and a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from tamsk_hw.board.calibration import CalibrationState
from tamsk_hw.board.link_events import BoardSilent, OtherBoard, PortFailed, PortNotOpened, PortTrouble
from tamsk_hw.board.protocol import FaultFlag, ResetCause
from tamsk_hw.facts.notices import (
    BoardCalibration,
    BoardComplains,
    BoardConnected,
    BoardLost,
    BoardRestarted,
    BoardUnusable,
    CalibrationUnusable,
    ChipsSwapped,
    EventsUnsaved,
    GameAbandoned,
    GameOffered,
    GameOnSpeed,
    GameSetAside,
    GameSlowed,
    GlassesAlike,
    GlassesUntimed,
    LineBad,
    LineWell,
    LiveUnpublished,
    NextGameWaits,
    Notice,
    PartnerEnded,
    RecordStopped,
    RestsNotKept,
    RestsUnusable,
    TimedGlasses,
    as_dict,
)
from tamsk_hw.journal.records import Mismatch
from tamsk_hw.journal.trouble import (
    DamageKind,
    DatabaseDamage,
    GameUnreadable,
    JournalRemains,
    JournalSetAside,
    SavedAgain,
    Trouble,
    TroubleKind,
    UnfinishedUnknown,
)
from tamsk_hw.panel.hardware import (
    LIGHTS,
    PINS,
    ButtonStuck,
    DriverTrouble,
    DriverTroubleKind,
    Failure,
    PanelFailed,
    PanelPart,
    PanelUnit,
    PanelWorks,
)
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.words.notices import notice_words

RED_BUTTON = PanelPart(PanelUnit.BUTTON, ButtonName.RED, 27)
SPI_OFF = DriverTrouble(DriverTroubleKind.SPI_OFF)
BUSY = DriverTrouble(DriverTroubleKind.PIN_BUSY, pin=27)
FILE = Path("/var/lib/tamsk-hw/calibration.toml")

NOTICES: list[tuple[Notice, dict[str, Any], str]] = [
    (
        BoardConnected((1, 2, 3)),
        {"code": "board_connected", "firmware": [1, 2, 3]},
        "The board is connected (firmware 1.2.3).",
    ),
    (
        BoardRestarted(ResetCause.POWER_ON | ResetCause.BROWN_OUT),
        {"code": "board_restarted", "cause": ["power_on", "brown_out"]},
        "The board has restarted: its power was switched on and its supply broke down (brown-out). "
        "Use a supply of 5 V, 4 A, and thicker wires.",
    ),
    (
        BoardComplains(FaultFlag.RECEIVE_ERROR),
        {"code": "board_complains", "flag": ["receive_error"]},
        "What is sent to the board arrives damaged: use a shorter or better cable. The game goes on.",
    ),
    (
        BoardLost(BoardSilent(0.5)),
        {"code": "board_lost", "reason": {"code": "board_silent", "seconds": 0.5}},
        "The board is out of reach: nothing from the board for 0.5 s. Check its cable and its supply.",
    ),
    (
        BoardLost(PortFailed("/dev/ttyUSB0", PortTrouble.OTHER, "input/output error")),
        {
            "code": "board_lost",
            "reason": {
                "code": "port_failed",
                "port": "/dev/ttyUSB0",
                "trouble": "other",
                "system": "input/output error",
            },
        },
        "The board is out of reach: /dev/ttyUSB0: input/output error.",
    ),
    (
        BoardUnusable(OtherBoard(0x2B, 0x2A)),
        {"code": "board_unusable", "reason": {"code": "other_board", "board_id": 0x2B, "configured": 0x2A}},
        "Board 0000002b is not the configured 0000002a: connect that one, or change board.board_id in the "
        "configuration.",
    ),
    (
        BoardUnusable(PortNotOpened("/dev/ttyUSB0", PortTrouble.MISSING, "no such file or directory")),
        {
            "code": "board_unusable",
            "reason": {
                "code": "port_not_opened",
                "port": "/dev/ttyUSB0",
                "trouble": "missing",
                "system": "no such file or directory",
            },
        },
        "/dev/ttyUSB0: no such file or directory: plug in the board, or correct the port.",
    ),
    (
        LineBad(0.214, 0.2, 0.0),
        {"code": "line_bad", "lost": 0.214, "damaged": 0.2, "doubled": 0.0},
        "21% of the board's messages are lost, most of them damaged on the way: use a shorter, shielded cable, "
        "away from the supply. The game goes on, but moves and rings may be noticed late.",
    ),
    (
        LineBad(0.05, 0.0, 0.0),
        {"code": "line_bad", "lost": 0.05, "damaged": 0.0, "doubled": 0.0},
        "5% of the board's messages are lost: end other programs on this computer, and plug the board into it "
        "without a hub. The game goes on, but moves and rings may be noticed late.",
    ),
    (
        LineBad(0.0, 0.0, 0.5),
        {"code": "line_bad", "lost": 0.0, "damaged": 0.0, "doubled": 0.5},
        "50% of the board's messages come more than once: plug the board into the computer itself, without a hub. "
        "The game goes on.",
    ),
    (LineWell(), {"code": "line_well"}, "The line to the board is well again."),
    (
        ChipsSwapped(2, 3),
        {"code": "chips_swapped", "first": 2, "second": 3},
        "Rings show at other tubes than where they are dropped: the 74HC165s 2 and 3 seem to sit in each other's "
        "place in the chain. Stop, and look at the wiring.",
    ),
    (
        BoardCalibration(CalibrationState.PARTIAL, 2, 38),
        {"code": "board_calibration", "state": "partial", "unmeasured": 2, "fields": 38},
        "This board is calibrated but for 2 of 38 fields.",
    ),
    (
        BoardCalibration(CalibrationState.COMPLETE, 0, 38),
        {"code": "board_calibration", "state": "complete", "unmeasured": 0, "fields": 38},
        "This board is calibrated.",
    ),
    (
        BoardCalibration(CalibrationState.MISSING, 38, 38),
        {"code": "board_calibration", "state": "missing", "unmeasured": 38, "fields": 38},
        "This board is not calibrated: reference build's values.",
    ),
    (
        BoardCalibration(CalibrationState.UNUSABLE, 38, 38),
        {"code": "board_calibration", "state": "unusable", "unmeasured": 38, "fields": 38},
        "This board is not calibrated, for its file cannot be used: reference build's values.",
    ),
    (
        CalibrationUnusable(FILE, "is no TOML: …", "calibration.toml.bak"),
        {
            "code": "calibration_unusable",
            "file": str(FILE),
            "problem": "is no TOML: …",
            "backup": "calibration.toml.bak",
        },
        f"{FILE} is no TOML: …; calibrate again, or put calibration.toml.bak in its place.",
    ),
    (
        RestsUnusable(FILE, "is no TOML: …"),
        {"code": "rests_unusable", "file": str(FILE), "problem": "is no TOML: …"},
        f"{FILE} is no TOML: …; the sensors begin at their calibrated rests.",
    ),
    (
        RestsNotKept(FILE, "No space left on device"),
        {"code": "rests_not_kept", "file": str(FILE), "why": "No space left on device"},
        f"{FILE}: No space left on device; what the sensors have drifted by is lost when the program ends.",
    ),
    (
        GlassesUntimed(TimedGlasses.SOME, ("A1", "D1", "timer"), 0.06),
        {"code": "glasses_untimed", "timed": "some", "names": ["A1", "D1", "timer"], "tolerance": 0.06},
        "A1, D1 and the timer are not timed, so all glasses are taken as known to 6 %; "
        "tamsk-hw calibrate glasses times them.",
    ),
    (
        GlassesUntimed(TimedGlasses.NONE, ("A1", "D1"), 0.06),
        {"code": "glasses_untimed", "timed": "none", "names": ["A1", "D1"], "tolerance": 0.06},
        "The glasses are not timed: they are taken as known to 6 %; tamsk-hw calibrate glasses times them.",
    ),
    (
        GlassesUntimed(TimedGlasses.IMPOSSIBLE, ("A1",), 0.06),
        {"code": "glasses_untimed", "timed": "impossible", "names": ["A1"], "tolerance": 0.06},
        "Glasses cannot be timed on this board, without their corners: all are known to 6 %.",
    ),
    (
        GlassesAlike(0.0312),
        {"code": "glasses_alike", "tolerance": 0.0312},
        "With a free start nobody knows which glass is which: all are taken as alike, and known to 3.1 %.",
    ),
    (
        GameOffered(7, other_tubes=False),
        {"code": "game_offered", "game": 7, "other_tubes": False},
        "Game 7 was not finished.",
    ),
    (
        GameOffered(7, other_tubes=True),
        {"code": "game_offered", "game": 7, "other_tubes": True},
        "Game 7 was not finished, on a board with other tubes than the wiring map's. To resume it correct "
        "board.wiring in the configuration and restart the program.",
    ),
    (
        GameSetAside(7),
        {"code": "game_set_aside", "game": 7},
        "Game 7 is set aside: it cannot be resumed.",
    ),
    (GameAbandoned(7), {"code": "game_abandoned", "game": 7}, "Game 7 is abandoned."),
    (NextGameWaits(), {"code": "next_game_waits"}, "The game is over; the next one can be set up."),
    (
        GameSlowed(10.0, 3.456),
        {"code": "game_slowed", "asked": 10.0, "kept": 3.456},
        "This computer runs the game at 3.5 times real time, not at 10: it takes longer, and nothing is skipped.",
    ),
    (
        GameOnSpeed(1.0),
        {"code": "game_on_speed", "asked": 1.0},
        "The game runs at 1 times real time again.",
    ),
    (
        EventsUnsaved(1, Path("/games")),
        {"code": "events_unsaved", "events": 1, "folder": "/games"},
        "1 event of the game could not be saved in /games; see that the disk can be written to.",
    ),
    (
        RecordStopped(Path("game.jsonl"), "No space left on device"),
        {"code": "record_stopped", "file": "game.jsonl", "why": "No space left on device"},
        "game.jsonl: No space left on device; the rest of the game is not recorded.",
    ),
    (
        LiveUnpublished("/run/live.sock: another service publishes there: end it"),
        {"code": "live_unpublished", "why": "/run/live.sock: another service publishes there: end it"},
        "The game goes on without a live stream: /run/live.sock: another service publishes there: end it.",
    ),
    (
        PartnerEnded(),
        {"code": "partner_ended"},
        "The partner has stopped thinking; he is called again, and the game goes on meanwhile.",
    ),
    (
        Mismatch(7, 3, '{"a":1}', None),
        {"code": "ruled_otherwise", "game": 7, "event": 3, "stored": '{"a":1}', "given": None, "refused": ""},
        'This version of tamsk-hw rules otherwise on game 7, event 3: nothing for {"a":1}. '
        "The stored rulings stand.",
    ),
    (
        Mismatch(7, 0, None, None, "game 7 line 2: …"),
        {
            "code": "ruled_otherwise",
            "game": 7,
            "event": 0,
            "stored": None,
            "given": None,
            "refused": "game 7 line 2: …",
        },
        "This version of tamsk-hw refuses game 7 line 2: …. The stored rulings stand.",
    ),
    (
        JournalSetAside(DatabaseDamage(DamageKind.NEWER, version=3, newest=2), "journal-x.db"),
        {
            "code": "journal_set_aside",
            "damage": {"kind": "newer", "detail": "", "version": 3, "newest": 2},
            "aside": "journal-x.db",
        },
        "The journal was written by a newer tamsk-hw (tables 3, known are those to 2). It is set aside as "
        "journal-x.db, and a new one begun.",
    ),
    (
        JournalRemains("journal-x.db"),
        {"code": "journal_remains", "aside": "journal-x.db"},
        "The journal's database is gone. What was left of it is set aside as journal-x.db-*.",
    ),
    (
        GameUnreadable(2, "game 2 line 3: …"),
        {"code": "game_unreadable", "game": 2, "why": "game 2 line 3: …"},
        "Game 2 cannot be resumed: game 2 line 3: …. It is set aside.",
    ),
    (
        UnfinishedUnknown("the disk fails"),
        {"code": "unfinished_unknown", "why": "the disk fails"},
        "The journal cannot be searched for an unfinished game: the disk fails.",
    ),
    (
        Trouble(TroubleKind.FULL, 16),
        {"code": "not_saved", "kind": "full", "unsaved": 16, "detail": ""},
        "The disk is full: 16 events are not saved.",
    ),
    (
        Trouble(TroubleKind.SLOW, 1),
        {"code": "not_saved", "kind": "slow", "unsaved": 1, "detail": ""},
        "The disk is slow: 1 event is not saved yet.",
    ),
    (
        Trouble(TroubleKind.FAILING, 0, "Input/output\nerror"),
        {"code": "not_saved", "kind": "failing", "unsaved": 0, "detail": "Input/output\nerror"},
        "The journal's disk fails (Input/output\\nerror): nothing can be saved.",
    ),
    (SavedAgain(), {"code": "saved_again"}, "Everything is saved again."),
    (
        PanelFailed(LIGHTS, Failure.OPENING, SPI_OFF),
        {
            "code": "panel_failed",
            "part": {"unit": "lights", "button": None, "pin": None},
            "failure": "opening",
            "trouble": {"kind": "spi_off", "subject": "", "package": "", "group": "", "pin": None},
        },
        "The lights cannot be opened: SPI is off: switch it on (sudo raspi-config nonint do_spi 0) and restart "
        "the Pi. The game goes on without them.",
    ),
    (
        PanelFailed(RED_BUTTON, Failure.USE, BUSY),
        {
            "code": "panel_failed",
            "part": {"unit": "button", "button": "red", "pin": 27},
            "failure": "use",
            "trouble": {"kind": "pin_busy", "subject": "", "package": "", "group": "", "pin": 27},
        },
        "The red button (GPIO27) cannot be used: another program holds GPIO27 (gpioinfo tells which one): end it. "
        "The game goes on without it.",
    ),
    (
        PanelWorks(PINS),
        {"code": "panel_works", "part": {"unit": "pins", "button": None, "pin": None}},
        "Buttons and buzzer: the Pi's pins can be used now.",
    ),
    (
        ButtonStuck(RED_BUTTON),
        {"code": "button_stuck", "part": {"unit": "button", "button": "red", "pin": 27}},
        "The red button (GPIO27) stays pressed: look whether it is stuck or its wires touch.",
    ),
]


@pytest.mark.parametrize(("notice", "record", "words"), NOTICES)
def test_facts_and_words(notice: Notice, record: dict[str, Any], words: str) -> None:
    assert as_dict(notice) == record
    assert json.loads(json.dumps(as_dict(notice))) == record
    assert notice_words(notice) == words


def kinds_in(union: Any) -> Iterator[type]:
    for each in get_args(union):
        yield from kinds_in(each) if get_args(each) else (each,)


def test_every_notice_is_here_with_a_code_of_its_own() -> None:
    kinds = set(kinds_in(Notice))
    assert {type(notice) for notice, *_ in NOTICES} == kinds
    codes = [kind.code for kind in kinds]  # type: ignore[attr-defined]
    assert len(set(codes)) == len(codes)


def test_every_driver_trouble_has_words() -> None:
    for kind in DriverTroubleKind:
        trouble = DriverTrouble(kind, "subject", "package", "group", 17)
        assert notice_words(PanelFailed(LIGHTS, Failure.USE, trouble)).startswith("The lights do not work: ")
