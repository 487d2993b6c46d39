"""Words of the board, its line, its sensors and the panel: causes, and what to do about them."""

from functools import reduce
from typing import Final, assert_never

from tamsk_hw.board import link_events
from tamsk_hw.board.protocol import FaultFlag, ResetCause
from tamsk_hw.errors import LinkError
from tamsk_hw.facts.notices import LineBad
from tamsk_hw.panel import hardware
from tamsk_hw.referee.events import ButtonName, SensorId, SensorKind
from tamsk_hw.system.output import marked
from tamsk_hw.words.translating import capital, tr, tr_in, worded


def link_words(problem: link_events.LinkProblem) -> str:
    """Cause and advice in one line."""
    return str(link_error(problem))


def link_error(problem: link_events.LinkProblem) -> LinkError:
    """The problem as an error to raise: its cause, and its advice where more can be done than to wait."""
    match problem:
        case link_events.PortNotOpened(port, trouble, system) | link_events.PortFailed(port, trouble, system):
            words = worded(_PORT_WORDS[trouble]) if trouble in _PORT_WORDS else system
            advice = worded(_PORT_ADVICE[trouble]) if isinstance(problem, link_events.PortNotOpened) else None
            return LinkError(tr("{port}: {trouble}", port=port, trouble=words), advice)
        case link_events.PortReopened(port):
            return LinkError(tr("{port}: nothing from the board; the port is opened again", port=port))
        case link_events.PortClosed():
            return LinkError(tr("closed"))
        case link_events.BoardSilent(seconds):
            cause = tr("nothing from the board for {seconds:.1f} s", seconds=float(seconds))
            return LinkError(cause, tr("check its cable and its supply, or what keeps this computer busy"))
        case link_events.NoAnswer(seconds, 0):
            cause = tr("the board says nothing for {seconds:.0f} s", seconds=float(seconds))
            advice = tr("check its supply and cable; a new board needs its program (tamsk-hw flash)")
            return LinkError(cause, advice)
        case link_events.NoAnswer(seconds, received, False):
            return LinkError(
                tr(
                    "{received} bytes came in {seconds:.0f} s, and no frame of a board among them",
                    received=received,
                    seconds=float(seconds),
                ),
                tr(
                    "it may be another device, or need its program (tamsk-hw flash): correct board.port, or flash "
                    "it"
                ),
            )
        case link_events.NoAnswer(seconds):
            return LinkError(
                tr(
                    "frames come, but no HELLO within {seconds:.0f} s: what is sent to the board does not arrive",
                    seconds=float(seconds),
                ),
                tr("check the cable, and flash the board (tamsk-hw flash)"),
            )
        case link_events.FramesMissed(seconds):
            return LinkError(
                tr(
                    "what the board sent in {seconds:.1f} s is lost, as this computer did not read it in time",
                    seconds=float(seconds),
                ),
                tr("end other programs on this computer; put right at the board what the lights show"),
            )
        case _:
            return _refusal(problem)


def _refusal(problem: link_events.Refusal) -> LinkError:
    """A board that must not be used, as an error to raise."""
    match problem:
        case link_events.OtherProtocol(board_id, (major, minor), (own_major, own_minor)):
            cause = tr(
                "board {board:08x} speaks protocol {protocol}, this program {own}",
                board=board_id,
                protocol=f"{major}.{minor}",
                own=f"{own_major}.{own_minor}",
            )
            return LinkError(cause, tr("flash the board with the firmware that belongs to this program"))
        case link_events.OtherLayout(board_id, counts, needed):
            cause = tr(
                "board {board:08x} has {rings} ring sensors, {fields} fields and {references} references, this "
                "program needs {rings_needed}, {fields_needed} and {references_needed}",
                board=board_id,
                rings=counts[0],
                fields=counts[1],
                references=counts[2],
                rings_needed=needed[0],
                fields_needed=needed[1],
                references_needed=needed[2],
            )
            return LinkError(cause, tr("connect another board"))
        case link_events.OtherWiring(board_id, wiring, needed):
            cause = tr(
                "board {board:08x} was built from wiring {wiring:08x}, this program's map is {needed:08x}",
                board=board_id,
                wiring=wiring,
                needed=needed,
            )
            return LinkError(cause, tr("flash the firmware built from this map, or use the board's own map"))
        case link_events.OtherBoard(board_id, configured):
            cause = tr(
                "board {board:08x} is not the configured {configured:08x}", board=board_id, configured=configured
            )
            return LinkError(cause, tr("connect that one, or change board.board_id in the configuration"))
        case _:
            assert_never(problem)


#: The cause of a port's trouble; of others the system's own words.
_PORT_WORDS: Final = {
    link_events.PortTrouble.IN_USE: marked("in use by another program"),
    link_events.PortTrouble.NOT_SERIAL: marked("is no serial line"),
    link_events.PortTrouble.UNPLUGGED: marked("it was unplugged, or another program reads it, too"),
}

_PORT_ADVICE: Final = {
    link_events.PortTrouble.MISSING: marked("plug in the board, or correct the port"),
    link_events.PortTrouble.UNPLUGGED: marked("plug in the board, or correct the port"),
    link_events.PortTrouble.NO_RIGHT: marked("add this user to the group that owns the port (dialout)"),
    link_events.PortTrouble.IN_USE: marked("end the other program"),
    link_events.PortTrouble.NOT_SERIAL: marked("correct the port"),
    link_events.PortTrouble.OTHER: marked("correct the port"),
}

#: The names of parts; of a unit without buttons the first.
_PARTS: Final = {
    (hardware.PanelUnit.BUTTON, ButtonName.START): marked("the start button (GPIO{pin})"),
    (hardware.PanelUnit.BUTTON, ButtonName.RED): marked("the red button (GPIO{pin})"),
    (hardware.PanelUnit.BUTTON, ButtonName.BLACK): marked("the black button (GPIO{pin})"),
    (hardware.PanelUnit.BUTTON, None): marked("the button (GPIO{pin})"),
    (hardware.PanelUnit.BUZZER, None): marked("the buzzer (GPIO{pin})"),
    (hardware.PanelUnit.PINS, None): marked("buttons and buzzer"),
    (hardware.PanelUnit.LIGHTS, None): marked("the lights"),
    (hardware.PanelUnit.SIMULATED, None): marked("the simulated board's buttons and lights"),
}

#: Sentences on parts that fail, and that work again.
_FAIL: Final = {
    hardware.PanelUnit.PINS: marked("Buttons and buzzer cannot be used: {why}. The game goes on without them."),
    hardware.PanelUnit.SIMULATED: marked(
        "The simulated board's buttons and lights cannot be used: {why}. The game goes on without them."
    ),
}
_LIGHTS_FAIL: Final = {
    hardware.Failure.OPENING: marked("The lights cannot be opened: {why}. The game goes on without them."),
    hardware.Failure.USE: marked("The lights do not work: {why}. The game goes on without them."),
    hardware.Failure.CLOSING: marked("The lights could not be closed: {why}. The game goes on without them."),
}
_PART_FAILS: Final = marked("{Part} cannot be used: {why}. The game goes on without it.")
_WORK: Final = {
    hardware.PanelUnit.PINS: marked("Buttons and buzzer: the Pi's pins can be used now."),
    hardware.PanelUnit.LIGHTS: marked("The lights work now."),
    hardware.PanelUnit.SIMULATED: marked("The simulated board's buttons and lights can be used now."),
}
_PART_WORKS: Final = marked("{Part} can be used now.")


def panel_words(notice: hardware.PanelNotice) -> str:
    """A sentence or two for the people at the board: the part, why it fails, and what becomes of the game."""
    unit = notice.part.unit
    button = notice.part.button if unit is hardware.PanelUnit.BUTTON else None
    part = worded(_PARTS[unit, button], pin=notice.part.pin)
    match notice:
        case hardware.PanelFailed(failure=failure, trouble=trouble):
            sentence = _LIGHTS_FAIL[failure] if unit is hardware.PanelUnit.LIGHTS else _FAIL.get(unit, _PART_FAILS)
            return worded(sentence, part=part, why=driver_words(trouble))
        case hardware.PanelWorks():
            return worded(_WORK.get(unit, _PART_WORKS), part=part)
        case hardware.ButtonStuck():
            return tr("{Part} stays pressed: look whether it is stuck or its wires touch.", part=part)
        case _:
            assert_never(notice)


def failure_words(failed: hardware.PanelFailed) -> str:
    """The failure, in words that follow the part's name; in English, as findings are."""
    of_lights = {
        hardware.Failure.OPENING: "cannot be opened",
        hardware.Failure.USE: "do not work",
        hardware.Failure.CLOSING: "could not be closed",
    }
    return of_lights[failed.failure] if failed.part.unit is hardware.PanelUnit.LIGHTS else "cannot be used"


def driver_words(trouble: hardware.DriverTrouble) -> str:
    """Cause and advice in one line, without a full stop."""
    cause, advice = driver_cause(trouble), driver_advice(trouble)
    return cause if advice is None else tr("{cause}: {advice}", cause=cause, advice=advice)


def driver_cause(trouble: hardware.DriverTrouble) -> str:
    """The cause alone."""
    if trouble.kind is hardware.DriverTroubleKind.PIN_BUSY and trouble.pin is None:
        return tr("another program holds the pin (gpioinfo tells which one)")
    return worded(trouble.kind.cause, subject=trouble.subject, pin=trouble.pin)


def driver_advice(trouble: hardware.DriverTrouble) -> str | None:
    """The advice alone; None where nobody knows."""
    if trouble.kind.advice is None:
        return None
    join = worded(hardware.JOIN_GROUP, group=trouble.group)
    return worded(trouble.kind.advice, package=trouble.package, group=trouble.group, join=join)


def sensor_words(sensor: SensorId) -> str:
    """The sensor's name in the language that is spoken; in English that of the streams."""
    match sensor.kind:
        case SensorKind.GLASS:
            return tr_in("sensor", "glass {tube}", tube=sensor.tube)
        case SensorKind.RING:
            return tr_in("sensor", "ring {place}", place=place_words(sensor))
        case SensorKind.HOLDER:
            return tr_in("sensor", "holder {player}", player=sensor.player)
        case SensorKind.MUX:
            return tr_in("sensor", "mux {number}", number=sensor.mux)
        case SensorKind.TIMER:
            return tr_in("sensor", "timer")
        case SensorKind.SELECT_LINES:
            return tr_in("sensor", "select lines")
        case SensorKind.FIELDS:
            return tr_in("sensor", "fields")
        case SensorKind.SUPPLY:
            return tr_in("sensor", "supply")
        case SensorKind.RING_LIGHT:
            return tr_in("sensor", "ring light")
        case SensorKind.RING_CONVERTERS:
            return tr_in("sensor", "ring converters")
        case SensorKind.RING_SIGNALS:
            return tr_in("sensor", "ring signals")
        case SensorKind.OTHER:
            return sensor.name
        case _:
            assert_never(sensor.kind)


def place_words(sensor: SensorId) -> str:
    """The place alone: ``"D4"``, ``"D4.2"`` (the second level from the bottom), ``"timer"``; else the name."""
    if sensor.kind is SensorKind.GLASS:
        return str(sensor.tube)
    if sensor.kind is SensorKind.RING:
        return f"{sensor.tube}.{sensor.level}"
    return sensor.name


#: The causes of a reset (PROTOCOL.md section 3.1).
_RESETS: Final = {
    ResetCause.POWER_ON: marked("its power was switched on"),
    ResetCause.EXTERNAL: marked("its reset pin was pulled (as when a port is opened)"),
    ResetCause.BROWN_OUT: marked("its supply broke down (brown-out)"),
    ResetCause.WATCHDOG: marked("its watchdog found it hanging"),
}

_BETTER_SUPPLY: Final = marked("use a supply of 5 V, 4 A, and thicker wires")
_LOOK_AT_HOLDER: Final = marked("check its HX711 and its wires")

_FLAGS: Final = {
    FaultFlag.SUPPLY_LOW: (marked("the 5 V supply is below about 4.5 V"), _BETTER_SUPPLY),
    FaultFlag.HOLDER_RED_SILENT: (marked("red's ring holder does not answer"), _LOOK_AT_HOLDER),
    FaultFlag.HOLDER_BLACK_SILENT: (marked("black's ring holder does not answer"), _LOOK_AT_HOLDER),
    FaultFlag.SCAN_OVERRUN: (
        marked("a scan of the sensors took longer than 2.5 ms"),
        marked("flash the board again (tamsk-hw flash)"),
    ),
    FaultFlag.RECEIVE_ERROR: (
        marked("what is sent to the board arrives damaged"),
        marked("use a shorter or better cable"),
    ),
}


def flag_words() -> dict[FaultFlag, tuple[str, str]]:
    """The fault and its remedy for each flag that reports one (PROTOCOL.md section 4)."""
    return {flag: (worded(fault), worded(remedy)) for flag, (fault, remedy) in _FLAGS.items()}


def reset_words(cause: ResetCause) -> str:
    """The causes of the controller's last reset; several may be set."""
    causes = [worded(words) for bit, words in _RESETS.items() if cause & bit]
    return (
        reduce(lambda one, other: tr("{one} and {other}", one=one, other=other), causes)
        if causes
        else tr("not known")
    )


def reset_remedy(cause: ResetCause) -> str | None:
    """Advice on a reset that should not have been, the first of several; None for an ordinary one."""
    if cause & ResetCause.BROWN_OUT:
        return worded(_BETTER_SUPPLY)
    if cause & ResetCause.WATCHDOG:
        return tr("flash it again (tamsk-hw flash), and report it")
    return None


def restart_words(cause: ResetCause) -> str:
    """The sentence for a board that was reset during a game, with the cause."""
    if not cause:
        return tr("The board has restarted: why is not known.")
    said = tr("The board has restarted: {cause}.", cause=reset_words(cause))
    remedy = reset_remedy(cause)
    return said if remedy is None else f"{said} {capital(remedy)}."


def complaint_words(flag: FaultFlag) -> str:
    """A fault that the board reports during a game, and what to do about it."""
    what, remedy = flag_words()[flag]
    return tr("{What}: {remedy}. The game goes on.", what=what, remedy=remedy)


def line_words(line: LineBad) -> str:
    """Frames that are lost or come more than once, and what to do about it."""
    if line.lost < line.doubled:
        return tr(
            "{share} of the board's messages come more than once: plug the board into the computer "
            "itself, without a hub. The game goes on.",
            share=_percent(line.doubled),
        )
    lost = _percent(line.lost)
    if line.damaged > line.lost / 2:
        return tr(
            "{share} of the board's messages are lost, most of them damaged on the way: use a shorter, "
            "shielded cable, away from the supply. The game goes on, but moves and rings may be noticed late.",
            share=lost,
        )
    return tr(
        "{share} of the board's messages are lost: end other programs on this computer, and plug the "
        "board into it without a hub. The game goes on, but moves and rings may be noticed late.",
        share=lost,
    )


def _percent(share: float) -> str:
    return tr("{percent:.0f}%", percent=100 * share)
