"""The strip of ring sensors that slides into a tube's slot: two layers, routed by construction.

It is seen from outside the tube, its top upward. The ring sensors' outputs and 5 V run down on the front, the
cathodes and the emitters' supply on the back; so no two cross. Its tail reaches through the tube's foot and
carries two rows of pads for the wires of the tube's flat cable.
"""

from __future__ import annotations

from typing import Final

from tamsk_hw.game.tubes import CAPACITY
from wiring.boards.layout import BACK, FRONT, Label, Layout, Placed, Track, Via, path, rectangle
from wiring.boards.placing import put, wire
from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Site
from wiring.make.mechanics.heights import heights, levels_of, sensor_height
from wiring.make.mechanics.parts import PARTS

#: Supplies and outputs; only one emitter of a tube is lit at a time.
_WIDTH: Final = 0.25
_NARROW: Final = 0.2

#: From one pad for a wire to the next, and their rows' heights below the foot's top.
_PITCH: Final = 1.05
_ROWS: Final = (0.55, 2.95)
_BETWEEN: Final = 1.75

#: Lanes of the outputs on the front (of level 1 first), of the cathodes on the back, of 5 V on the front.
_OUTPUT_LANES: Final = (-1.15, -0.79, -0.43, -0.07)
_SUPPLY_LANE: Final = 1.15

#: Heights at which the outputs leave their lanes: outward from the left, inward from the right.
_TURNS: Final = (-1.35, -0.6, -0.85, -1.35)

_CATHODE_LANES: Final = (1.95, 1.35, 0.95, 0.55)

#: From a sensor's centre down to the hole of its cathode.
_CATHODE_HOLE: Final = 1.75


def strip_layouts(board: Board) -> tuple[Layout, ...]:
    """A strip for each number of levels that the board's tubes have."""
    return tuple(_strip(board, levels) for levels in levels_of(board.wiring))


def strip_nets(levels: int) -> tuple[str, ...]:
    """The nets that leave a strip, in the order of its pads: the upper row from the left, then the lower."""
    outputs = tuple(f"RING_{level}" for level in range(1, levels + 1))
    cathodes = tuple(f"IR_{level}" for level in range(levels, 0, -1))
    return (*outputs, nets.LOGIC, nets.EMITTERS, *cathodes)


def _strip(board: Board, levels: int) -> Layout:
    tube = next(tube for tube in board.wiring.tubes if CAPACITY[tube] == levels)
    thickness = board.wiring.geometry.ring_thickness
    sensors: list[Placed] = []
    tracks: list[Track] = []
    vias: list[Via] = []
    columns = [_PITCH * (place - 2) for place in range(5)]
    names = {nets.emitter(tube, level): f"IR_{level}" for level in range(1, levels + 1)}
    names |= {nets.ring(tube, level): f"RING_{level}" for level in range(1, levels + 1)}
    upper, lower = _ROWS
    pads: list[Placed] = []
    for level in range(1, levels + 1):
        y = -sensor_height(thickness, level - 1)
        part = board.circuit.by_ref[f"RS-{Site(tube, level)}"]
        sensor = put(board.catalogue, part, 0.0, y, ref=f"RS{level}", nets=names)
        sensors.append(sensor)
        supply, cathode, collector, output = (sensor.pad(number) for number in "1234")
        # The output, inward and down to the upper row.
        net, lane, end = f"RING_{level}", _OUTPUT_LANES[level - 1], columns[level - 1]
        turn = _TURNS[level - 1]
        bend = (end, turn + abs(end - lane))
        tracks += path(net, FRONT, _NARROW, output, (lane, output[1]), (lane, turn), bend, (end, upper))
        pads.append(wire(net, end, upper))
        # The emitter's supply: a hole between the pads, and the back.
        hole = (supply[0], y)
        tracks += path(nets.EMITTERS, FRONT, _WIDTH, supply, hole)
        vias.append(Via(nets.EMITTERS, hole))
        # The collector, to the lane of 5 V.
        tracks += path(nets.LOGIC, FRONT, _WIDTH, collector, (_SUPPLY_LANE, collector[1]))
        # The cathode: a hole below its pad, inward and down on the back.
        net, lane = f"IR_{level}", _CATHODE_LANES[level - 1]
        hole, end = (cathode[0], y + _CATHODE_HOLE), columns[5 - level]
        tracks += path(net, FRONT, _NARROW, cathode, hole)
        vias += [Via(net, hole), Via(net, (end, _BETWEEN))]
        turn = 0.3 - 0.25 * level
        way = (hole, (lane, hole[1]), (lane, turn), (end, turn + abs(end - lane)), (end, _BETWEEN))
        tracks += path(net, BACK, _NARROW, *way)
        tracks += path(net, FRONT, _NARROW, (end, _BETWEEN), (end, lower))
        pads.append(wire(net, end, lower))
    lowest, highest = sensors[0], sensors[-1]
    left, right = columns[0], columns[-1]
    tracks += path(nets.LOGIC, FRONT, _WIDTH, (_SUPPLY_LANE, highest.pad("3")[1]), (_SUPPLY_LANE, -0.95))
    tracks += path(
        nets.LOGIC, FRONT, _WIDTH, (_SUPPLY_LANE, -0.95), (right, -0.95 + right - _SUPPLY_LANE), (right, upper)
    )
    pads.append(wire(nets.LOGIC, right, upper))
    rail = lowest.pad("1")[0]
    tracks += path(nets.EMITTERS, BACK, _WIDTH, (rail, highest.y), (rail, 0.5), (left, 0.5 + abs(left - rail)))
    tracks += path(nets.EMITTERS, BACK, _WIDTH, (left, 0.5 + abs(left - rail)), (left, _BETWEEN))
    tracks += path(nets.EMITTERS, FRONT, _WIDTH, (left, _BETWEEN), (left, lower))
    vias.append(Via(nets.EMITTERS, (left, _BETWEEN)))
    pads.append(wire(nets.EMITTERS, left, lower))
    width, top = PARTS.strip_width, highest.y - PARTS.sensor_height / 2
    return Layout(
        name=f"strip-{levels}",
        title=f"Ring sensors of a tube of {levels}",
        outline=rectangle(-width / 2, top, width / 2, tail(board)),
        thickness=PARTS.strip_thickness,
        parts=(*sensors, *pads),
        tracks=tuple(tracks),
        vias=tuple(vias),
        labels=tuple(_labels(pads, levels)),
    )


def tail(board: Board) -> float:
    """The length of a strip's tail below its foot's top: to the groove for the wires, less the slot's play."""
    return round(-heights(board.wiring.geometry).base - PARTS.cable_exit - PARTS.sensor_play, 2)


def _labels(pads: list[Placed], levels: int) -> list[Label]:
    """On the back, behind each pad, the wire that belongs on it."""
    short = {nets.LOGIC: "5V", nets.EMITTERS: "IR"}
    found = []
    for pad in pads:
        net = pad.nets["1"]
        text = short.get(net) or net.replace("RING_", "O").replace("IR_", "K")
        found.append(Label(text, pad.x, pad.y + (0.25 if pad.y == _ROWS[1] else -0.1), 0.7, 90.0, "B"))
    return [*found, Label(f"{levels}", 0.0, -1.3, 0.8, 0.0, "B")]
