"""Holds what the core made of an input of the fuzzer against the Python codec and PROTOCOL.md.

Of each input the core must have given

- as a receiver: at the same bytes the same verdicts as the Python `Decoder`, with the same contents;
- as a controller: what section 5 says it owes, and in its next snapshot the flags of section 4;
- as a writer: the frames that the Python `Decoder` reads back as the very messages, in their one encoding.
"""

from collections import Counter
from dataclasses import fields, replace

from tamsk_hw.board import protocol
from tests.firmware.core_program import frame_of
from tests.firmware.fuzz.due import Values, due_verdicts, values_of
from tests.firmware.fuzz.record import Command, Record, Told, Verdict


class Disagreement(Exception):
    """The core and the protocol differ: what was found and what was due."""

    def __init__(self, data: bytes, what: str, found: object, due: object) -> None:
        super().__init__(f"{what}\n  the core: {found}\n  due:      {due}\n  input:    {data.hex() or '-'}")
        self.data = data


class Judge:
    """Judges records one by one; raises `Disagreement` at the first that is wrong.

    ``golden``: streams with the counters that tests/golden/frames.json gives for them; these hold as well.
    """

    def __init__(self, golden: dict[bytes, dict[str, int]]) -> None:
        self._golden = golden
        #: Golden streams that were among the inputs.
        self.golden_met: set[bytes] = set()
        #: How often each verdict, command and answer came: a run that lacks one has proved nothing about it.
        self.met: Counter[str] = Counter()

    def judge(self, record: Record) -> None:
        told, messages, counters = due_verdicts(record.data)
        if record.told != told:
            raise Disagreement(record.data, "the verdicts on the bytes differ", record.told, told)
        self._against_the_golden_file(record, counters)
        self._in_one_read(record.data, messages, counters)
        values = values_of(record.data)
        self._writer(record, values)
        self._controller(record, values, told, messages)

    def _against_the_golden_file(self, record: Record, counters: protocol.DecoderCounters) -> None:
        golden = self._golden.get(record.data)
        if golden is None:
            return
        kinds = Counter(told.verdict for told in record.told)
        found = (kinds[Verdict.FRAME], kinds[Verdict.MALFORMED], kinds[Verdict.CRC_ERROR])
        due = (golden["frames"], golden["malformed"], golden["crc_errors"])
        if found != due:
            raise Disagreement(record.data, "frames, malformed, CRC errors of a golden stream", found, due)
        python = {each.name: getattr(counters, each.name) for each in fields(counters)}
        if python != golden:
            raise Disagreement(record.data, "the Python decoder's counters of a golden stream", python, golden)
        self.golden_met.add(record.data)

    def _in_one_read(
        self, data: bytes, messages: list[protocol.Message], counters: protocol.DecoderCounters
    ) -> None:
        decoder = protocol.Decoder()
        found = decoder.feed(data)
        if found != messages or decoder.counters != counters:
            due = (messages, counters)
            raise Disagreement(
                data, "the Python decoder given all at once, not in pieces", (found, decoder.counters), due
            )

    def _writer(self, record: Record, values: Values) -> None:
        due = b"".join(frame_of(content) for content in values.contents)
        if record.messages != due:
            raise Disagreement(record.data, "the frames of the four messages", record.messages.hex(), due.hex())
        messages = protocol.Decoder().feed(record.messages)
        wanted = [values.hello, values.snapshot, values.settings, values.signals]
        if messages != wanted:
            raise Disagreement(record.data, "the four messages, read back in Python", messages, wanted)

    def _controller(
        self, record: Record, values: Values, told: list[Told], messages: list[protocol.Message]
    ) -> None:
        hellos, answers, heard = 0, 0, False
        told_chips: set[int] = set()
        thresholds = bytearray(protocol.RING_BITS)
        board_id = values.hello.board_id
        holding = protocol.Settings()
        for message in messages:
            match message:
                case protocol.Identify():
                    hellos += 1
                case protocol.Set():
                    answers += 1
                    allowed = message.settings.problem() is None
                    holding = message.settings if allowed else holding
                    self.met["SET taken" if allowed else "SET refused"] += 1
                case protocol.SelfTest():
                    told_chips |= set(range(protocol.RING_CHIPS))
                case protocol.Heartbeat():
                    pass
                case protocol.SetBoardId():
                    hellos += 1
                    # What an erased memory gives is refused (section 5.5).
                    taken = message.board_id not in (0, 0xFFFFFFFF)
                    board_id = message.board_id if taken else board_id
                    self.met["SET_BOARD_ID taken" if taken else "SET_BOARD_ID refused"] += 1
                case protocol.SetThresholds():
                    self._set_thresholds(message, thresholds, told_chips)
                case _:
                    continue
            heard = True
        damaged = any(each.verdict != Verdict.FRAME for each in told)
        faults = protocol.FaultFlag.RECEIVE_ERROR * damaged | protocol.FaultFlag.HOST_SILENT * (not heard)
        of_input, hello = values.snapshot, values.hello
        due = [
            (protocol.MessageType.HELLO, _without_seq(hello)),
            # Asked for their frames only now, when the last id is written.
            *[(protocol.MessageType.HELLO, _without_seq(replace(hello, board_id=board_id)))] * hellos,
            *[(protocol.MessageType.SETTINGS, holding)] * answers,
            (
                protocol.MessageType.SNAPSHOT,
                (
                    of_input.time,
                    of_input.rings,
                    of_input.unknown,
                    of_input.fields,
                    of_input.references,
                    of_input.holders,
                    int(faults),
                ),
            ),
        ]
        due += [
            (
                protocol.MessageType.RING_SIGNALS,
                (
                    chip,
                    tuple(protocol.RingSignal(0, 255, each, 0) for each in thresholds[8 * chip : 8 * chip + 8]),
                ),
            )
            for chip in sorted(told_chips)
        ]
        # First comes HELLO, of seq 0, behind a zero byte; the order of the others is the controller's affair.
        decoder = protocol.Decoder()
        frames = decoder.feed(record.controller)
        found = sorted((_told(frame) for frame in frames), key=lambda each: each[0])
        if found != sorted(due, key=lambda each: each[0]):
            raise Disagreement(record.data, "the controller's answers", found, due)
        counters = decoder.counters
        if (
            [frame.seq for frame in frames] != [count & 0xFF for count in range(len(frames))]
            or not isinstance(frames[0], protocol.Hello)
            or not record.controller.startswith(b"\0")
            or counters != protocol.DecoderCounters(frames=len(frames))
        ):
            raise Disagreement(
                record.data, "the controller's frames", record.controller.hex(), "HELLO first, no gaps"
            )
        if record.thresholds != thresholds:
            raise Disagreement(record.data, "the thresholds", record.thresholds.hex(), thresholds.hex())
        self._count(told, faults)

    def _set_thresholds(self, message: protocol.SetThresholds, thresholds: bytearray, told: set[int]) -> None:
        """What becomes of the thresholds and of the chips that are to be told (section 5.6)."""
        if message.problem() is None:
            thresholds[8 * message.chip : 8 * message.chip + 8] = message.thresholds
            self.met["SET_THRESHOLDS taken"] += 1
        else:
            self.met["SET_THRESHOLDS refused"] += 1
        if message.chip < protocol.RING_CHIPS:
            told.add(message.chip)

    def _count(self, told: list[Told], faults: int) -> None:
        self.met["inputs"] += 1
        for each in told:
            self.met[
                Command(each.command).name if each.verdict == Verdict.FRAME else Verdict(each.verdict).name
            ] += 1
        for flag in (protocol.FaultFlag.RECEIVE_ERROR, protocol.FaultFlag.HOST_SILENT):
            self.met[f"flag {flag.name}"] += bool(faults & flag)


def _without_seq(hello: protocol.Hello) -> tuple[object, ...]:
    return tuple(getattr(hello, each.name) for each in fields(hello) if each.name != "seq")


def _told(message: protocol.Message) -> tuple[protocol.MessageType, object]:
    """A message of the board without its seq."""
    match message:
        case protocol.Hello():
            return protocol.MessageType.HELLO, _without_seq(message)
        case protocol.SettingsReport():
            return protocol.MessageType.SETTINGS, message.settings
        case protocol.Snapshot():
            return (
                protocol.MessageType.SNAPSHOT,
                (
                    message.time,
                    message.rings,
                    message.unknown,
                    message.fields,
                    message.references,
                    message.holders,
                    message.faults,
                ),
            )
        case protocol.RingSignals():
            return protocol.MessageType.RING_SIGNALS, (message.chip, message.signals)
        case _:
            return protocol.MessageType.IDENTIFY, message
