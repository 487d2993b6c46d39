"""The judgement on a board's link: contact, traffic, versions, and the faults that the board itself reports."""

from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from tamsk_hw import __version__
from tamsk_hw.board import link_events, protocol
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.board.session import DOUBLED_BAD
from tamsk_hw.board.timeline import REFERENCE_READINGS
from tamsk_hw.errors import Finding
from tamsk_hw.table.refereeing import OPENING
from tamsk_hw.words.hardware import flag_words, link_error, reset_remedy, reset_words
from tamsk_hw.workbench.board import Clock, polls_within
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING

#: Seconds for the board to answer, and seconds of counting its snapshots after that.
CONNECT_WITHIN = 5.0
LISTEN = 1.0

#: Snapshots that a board at rest sends in a second: one every 50 ms (PROTOCOL.md section 4).
REST_RATE: Final = 20.0

#: A controller's resonator may be off by 0.5 %; beyond this share it is another one, or the host is overloaded.
CLOCK_ERROR: Final = 0.01


@dataclass(slots=True, kw_only=True)
class LinkFacts:
    """A try to reach the board, of at most `CONNECT_WITHIN` seconds.

    ``connected_after``: seconds to a HELLO that may be used; ``problem``: why there was none. ``hello``: the last
    one, refused or not. ``faults``: all fault flags of the ``snapshots`` that came in `LISTEN` seconds after the
    connection. ``before``: the counters at the connection; bytes of before are no fault of the line.
    """

    connected_after: float | None = None
    problem: link_events.Refusal | link_events.PortNotOpened | link_events.NoAnswer | None = None
    hello: protocol.Hello | None = None
    snapshot: protocol.Snapshot | None = None
    faults: int = 0
    snapshots: int = 0
    statistics: link_events.LinkStatistics = field(default_factory=link_events.LinkStatistics)
    before: link_events.LinkStatistics = field(default_factory=link_events.LinkStatistics)

    def feed(self, event: link_events.LinkEvent, *, just_opened: bool = True) -> None:
        """Note an event. ``just_opened``: a receive error comes of opening the line, not of the cable."""
        if isinstance(event, link_events.SnapshotArrived):
            self.snapshot = event.snapshot
            self.snapshots += 1
            self.faults |= event.snapshot.faults & ~(protocol.FaultFlag.RECEIVE_ERROR * just_opened)
        elif isinstance(event, link_events.Refused | link_events.Unreachable):
            self.problem = event.reason


def link_facts(path: str, wiring_hash: int, clock: Clock) -> LinkFacts:
    """Try to reach the board; then count what it sends."""
    decoder = protocol.Decoder()
    facts = LinkFacts()

    def tap(data: bytes) -> None:
        for each in decoder.feed(data):
            if isinstance(each, protocol.Hello):
                facts.hello = each

    began = clock.now()
    with closing(SerialLink(path, wiring_hash, tap=tap)) as link:
        for events in polls_within(link, clock, CONNECT_WITHIN):
            for event in events:
                facts.feed(event)
                if isinstance(event, link_events.Connected):
                    facts.connected_after, facts.before = clock.now() - began, link.statistics
            if facts.problem is not None or facts.connected_after is not None:
                break
        if facts.problem is None and facts.connected_after is not None:
            connected = clock.now()
            for event in chain.from_iterable(polls_within(link, clock, LISTEN)):
                facts.feed(event, just_opened=clock.now() - connected < OPENING)
        facts.statistics = link.statistics
    return facts


def check_link(link: LinkFacts) -> list[Finding]:
    """The board answers, and what it sends arrives whole and at its pace."""
    statistics, before, problem = link.statistics, link.before, link.problem
    if problem is None and link.connected_after is None:
        problem = link_events.NoAnswer(CONNECT_WITHIN, statistics.received_bytes, statistics.heard)
    if problem is not None:
        error = link_error(problem)
        return [Finding(PROBLEM, "link", error.cause, error.advice or "")]
    frames, damaged = statistics.frames - before.frames, statistics.damaged - before.damaged
    missing, doubled = statistics.missing - before.missing, statistics.doubled - before.doubled
    counted = f"{frames} frames, {damaged} damaged, {missing} missing" + f", {doubled} doubled" * bool(doubled)
    snapshots = f"{link.snapshots} snapshots in {LISTEN:g} s"
    severity, cause, advice = OK, f"{counted}, {snapshots}", ""
    if damaged or missing or doubled > DOUBLED_BAD * frames:
        advice = "use a shorter or better cable, and no hub; look with tamsk-hw frames"
        severity, cause = WARNING, counted
    elif link.snapshots < 0.75 * REST_RATE * LISTEN:
        advice = "check whether this computer is overloaded (top), and look with tamsk-hw frames"
        severity, cause = WARNING, f"{snapshots}; a board at rest sends 20 a second"
    found = [
        Finding(OK, "link", f"connected after {link.connected_after or 0.0:.1f} s"),
        Finding(severity, "traffic", cause, advice),
    ]
    if abs(statistics.clock_error) > CLOCK_ERROR:
        cause = f"the controller's clock is {100 * statistics.clock_error:+.1f} % off"
        advice = "its crystal is not the 16 MHz one, or this computer is overloaded"
        found.append(Finding(WARNING, "traffic", cause, advice))
    return found


def check_versions(
    hello: protocol.Hello | None, wiring_hash: int | None, *, asked: bool, wanted: int | None
) -> list[Finding]:
    """Program and board belong together. ``asked``: a board is configured; ``wanted``: the id it must have."""
    cause = f"program {__version__}, protocol {protocol.PROTOCOL_MAJOR}.{protocol.PROTOCOL_MINOR}"
    if wiring_hash is not None:
        cause += f", wiring {wiring_hash:08x}"
    if hello is None:
        return [Finding(OK, "versions", cause + "; the board did not report its own" * asked)]
    cause += (
        f"; board {hello.board_id:08x}: firmware {'.'.join(map(str, hello.firmware))}, "
        f"protocol {'.'.join(map(str, hello.protocol))}, wiring {hello.wiring_hash:08x}"
    )
    advice = ""
    if hello.protocol[0] != protocol.PROTOCOL_MAJOR:
        advice = "flash the firmware that belongs to this program (tamsk-hw flash)"
    elif hello.wiring_hash != wiring_hash:
        advice = "flash the firmware built from this map, or name the board's in board.wiring"
    elif wanted is not None and hello.board_id != wanted:
        advice = f"board.board_id asks for board {wanted:08x}: connect that one, or correct it"
    remedy = reset_remedy(hello.reset_cause)
    reset = f"last reset: {reset_words(hello.reset_cause)}"
    return [
        Finding(PROBLEM if advice else OK, "versions", cause, advice),
        Finding(OK if remedy is None else WARNING, "reset", reset, remedy or ""),
    ]


def check_board(link: LinkFacts, margin: int) -> list[Finding]:
    """The faults that the board itself reports, its converters of ring sensors, its reference voltages."""
    if link.snapshot is None:
        return []
    found = [
        Finding(PROBLEM if flag is protocol.FaultFlag.SUPPLY_LOW else WARNING, "board", *words)
        for flag, words in flag_words().items()
        if link.faults & flag
    ]
    if link.hello is not None and link.hello.silent_chips:
        silent = " ".join(str(chip) for chip in range(protocol.RING_CHIPS) if link.hello.silent_chips >> chip & 1)
        advice = "check their place, their supply, and their line from the select chip (0 to 7)"
        found.append(Finding(PROBLEM, "board", f"no answer from converter {silent} (MCP3008)", advice))
    off = [
        f"{number}/4 reads {reading}, not {due}"
        for number, (reading, due) in enumerate(zip(link.snapshot.references, REFERENCE_READINGS, strict=True), 1)
        if abs(reading - due) > margin
    ]
    if off:
        advice = "check the multiplexers and their select lines"
        found.append(Finding(PROBLEM, "board", f"references: {', '.join(off)}", advice))
    return found or [Finding(OK, "board", "no fault flags, references as they should be")]
