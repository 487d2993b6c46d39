"""``tube.scad``: the tube as a program for OpenSCAD, with the map's dimensions as its parameters."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.wiring import Wiring
from wiring.make.mechanics.heights import heights, tubes_by_levels
from wiring.make.mechanics.layout import SCREW_ANGLES, foot_radius, layout, screw_circle
from wiring.make.mechanics.parts import PARTS
from wiring.make.mechanics.svg import number

_HEAD: Final = """\
// A tube of the board, to be printed: millimetres, one file for all tubes. Made from the wiring map.
//
// The origin is on the axis, level with the surface on which the bottom ring rests. +x is east: all ring sensors
// look that way, all light holes lie in the west. Print upright, foot down, without supports.
//
// MATERIAL: matt black. Many black filaments let infrared light through: hold a printed wall of 0.9 mm between one
// sensor and a ring; if the sensor still sees the ring, paint the inside of the pockets or take another filament.
// SCREWS: M2.5, countersunk, of brass or nylon, with nuts, or glue (screw_circle = 0). No steel near the axis.
// SENSORS: upright, the leads left and right, emitter (pins 1, 2) below; enamelled wire of 0.2 mm on each lead.
// They are laid into the pockets from outside, the wires into the slot, through the foot and along the groove
// under it to the hole on the axis. A drop of glue on their ends, never on their faces.
// HALL SENSOR: soldered under its round board, the marked face down, away from the glass (face up it would take A
// for B); the board is glued to the end of its seat, and the marked face is then level with the foot's underside.
"""

_SOLID: Final = """\
// What follows is calculated.

tube_top = levels * ring_thickness;
pocket_length = sensor_length + sensor_play;
pocket_height = sensor_height + sensor_play;
pocket_depth = sensor_recess + sensor_depth + flex_thickness;
pocket_back = tube_outer_diameter / 2 - pocket_depth;
die_z = magnet_recess - magnet_distance;
seat_top = die_z + hall_thickness - hall_die_depth + carrier_thickness;  // its board touches here
foot_bottom = die_z - hall_die_depth;

function sensor_z(level) = (level + 0.5) * ring_thickness;  // level 0 is the bottom one

assert(levels == floor(levels) && levels >= 1 && levels <= most_levels, "levels: a whole number of rings");
assert(tube_inner_diameter > cap_diameter, "tube_inner_diameter: the cap does not go in");
assert(ring_inner_diameter > tube_outer_diameter, "tube_outer_diameter: the ring does not go over");
assert(foot_diameter >= ring_outer_diameter, "foot_diameter: the ring does not lie on the foot");
assert(foot_diameter < tube_pitch, "foot_diameter: the feet of two tubes touch");
assert(pocket_back - tube_inner_diameter / 2 >= least_wall, "tube_outer_diameter: no wall behind the sensors");
assert(ring_thickness - pocket_height > 2 * wall_above - 0.001,
       "ring_thickness: the sensors of two levels touch");
assert(flex_slot < sensor_length, "flex_slot: nothing holds the sensors in their places");
assert(-seat_top >= least_wall, "magnet_distance: no floor is left under the glass");
assert(norm([hall_length, hall_width]) < carrier_diameter, "carrier_diameter: the Hall sensor is wider");
assert(carrier_diameter + fit < drill_diameter, "drill_diameter: the Hall sensor's board is wider");
assert(screw_circle == 0 || screw_circle - screw_head / 2 >= tube_outer_diameter / 2,
       "screw_circle: a screw's head runs into the wall");
assert(screw_circle == 0 || screw_circle + screw_head / 2 <= foot_diameter / 2,
       "screw_circle: a screw's head stands over the foot");
assert(screw_circle == 0 || screw_circle - screw_head / 2 >= steel_distance,
       "screw_circle: nearer than steel may be; glue the foot, or make sure that no screw is of steel");

module body() {
    translate([0, 0, foot_bottom]) cylinder(h = -foot_bottom, d = foot_diameter);
    translate([0, 0, foot_bottom]) cylinder(h = tube_top - foot_bottom, d = tube_outer_diameter);
}

// One sensor lies here, its length along the tube's circumference.
module pocket(level) {
    translate([pocket_back, -pocket_length / 2, sensor_z(level) - pocket_height / 2])
        cube([pocket_depth + 1, pocket_length, pocket_height]);
}

module strip() {
    // Above the foot open to the outside …
    translate([pocket_back, -flex_slot / 2, 0])
        cube([pocket_depth + 1, flex_slot, sensor_z(levels - 1)]);
    // … through the foot …
    translate([pocket_back, -flex_slot / 2, foot_bottom - 1])
        cube([pocket_depth, flex_slot, 2 - foot_bottom]);
    // … and under it to the hole in the board.
    translate([0, -flex_slot / 2, foot_bottom - 1])
        cube([tube_outer_diameter / 2, flex_slot, cable_exit + 1]);
}

module hall_seat() {
    translate([0, 0, foot_bottom - 1])
        cylinder(h = seat_top - foot_bottom + 1, d = carrier_diameter + fit);
}

module screw(angle) {
    sunk = (screw_head - screw_hole) / 2;
    rotate(angle) translate([screw_circle, 0, 0]) {
        translate([0, 0, foot_bottom - 1]) cylinder(h = 2 - foot_bottom, d = screw_hole);
        translate([0, 0, -sunk]) cylinder(h = sunk, d1 = screw_hole, d2 = screw_head);
        cylinder(h = 1, d = screw_head);
    }
}

module tube() {
    difference() {
        body();
        cylinder(h = tube_top + 1, d = tube_inner_diameter);
        hall_seat();
        if (ring_sensors) {
            for (level = [0 : levels - 1]) pocket(level);
            strip();
        }
        if (screw_circle > 0)
            for (angle = screw_angles) screw(angle);
    }
}

tube();
"""


def tube_scad(wiring: Wiring) -> str:
    """``tube.scad``: set ``levels`` and render; for the timer's cradle 1, without ring sensors.

    Raises `WiringError` where the map's dimensions leave no room.
    """
    layout(wiring)
    geometry = wiring.geometry
    high = heights(geometry)
    lines = [_HEAD, "// How many of each:"]
    for levels, names in tubes_by_levels(wiring).items():
        lines.append(f"//   levels = {levels}: {len(names)}, {' '.join(names)}")
    lines.append("//   levels = 1, ring_sensors = false: 1, the timer's cradle")
    most = len(high.tubes)
    circle = screw_circle(geometry)
    groups: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
        (
            "Which tube",
            (
                ("levels", f"{max(tubes_by_levels(wiring))}", f"1 … {most} rings"),
                ("ring_sensors", "true", "false: no pockets"),
                ("most_levels", f"{most}", ""),
            ),
        ),
        (
            "From the wiring map",
            (
                ("cap_diameter", number(geometry.cap_diameter), ""),
                ("tube_inner_diameter", number(geometry.tube_inner_diameter), ""),
                ("tube_outer_diameter", number(geometry.tube_outer_diameter), ""),
                ("ring_inner_diameter", number(geometry.ring_inner_diameter), ""),
                ("ring_outer_diameter", number(geometry.ring_outer_diameter), ""),
                ("ring_thickness", number(geometry.ring_thickness), "also from one level to the next"),
                ("tube_pitch", number(geometry.tube_pitch), ""),
                ("magnet_distance", number(geometry.magnet_distance), "magnet's face to the die, glass seated"),
            ),
        ),
        (
            "Ring sensors: QRE1114GR",
            (
                ("sensor_length", number(PARTS.sensor_length), "over its leads, which point left and right"),
                ("sensor_height", number(PARTS.sensor_height), "the longer side of its body, upright"),
                ("sensor_depth", number(PARTS.sensor_depth), ""),
                ("sensor_recess", number(PARTS.sensor_recess), "behind the surface: rings slide on plastic"),
                ("sensor_play", number(PARTS.sensor_play), "pocket longer and higher than the sensor"),
                ("flex_thickness", number(PARTS.flex_thickness), ""),
                ("flex_slot", number(PARTS.flex_slot), "width between and below the sensors"),
                ("cable_exit", number(PARTS.cable_exit), "height of the groove under the foot"),
            ),
        ),
        (
            "Hall sensor: SOT-23 on a round board (TO-92 bent flat: 4.0, 3.15, 1.52, and 0 for carrier_thickness)",
            (
                ("hall_length", number(PARTS.hall_length), "with leads"),
                ("hall_width", number(PARTS.hall_width), "with leads"),
                ("hall_thickness", number(PARTS.hall_thickness), ""),
                ("hall_die_depth", number(PARTS.hall_die_depth), "marked face to the die: see its data sheet"),
                ("carrier_diameter", number(PARTS.carrier_diameter), ""),
                ("carrier_thickness", number(PARTS.carrier_thickness), ""),
                ("magnet_recess", number(PARTS.magnet_recess), "magnet's face behind the cap's"),
                ("fit", number(PARTS.fit), "play of the seat"),
            ),
        ),
        (
            "Foot",
            (
                ("foot_diameter", number(2 * foot_radius(geometry)), ""),
                ("drill_diameter", number(PARTS.drill_diameter), "hole in the board"),
                ("screw_circle", number(circle or 0.0), "distance from the axis; 0: glue only"),
                ("screw_angles", f"[{', '.join(f'{angle:g}' for angle in SCREW_ANGLES)}]", "from east"),
                ("screw_hole", number(PARTS.screw_hole), ""),
                ("screw_head", number(PARTS.screw_head), ""),
                ("steel_distance", number(PARTS.steel_distance), ""),
                ("least_wall", number(PARTS.wall_left), "least plastic"),
                ("wall_above", number(PARTS.wall_above), "the same above and below a pocket"),
            ),
        ),
    )
    for title, parameters in groups:
        lines += ["", f"// {title}"]
        for name, value, note in parameters:
            lines.append(f"{name} = {value};" + (f"  // {note}" if note else ""))
    lines += ["", "$fn = 96;", "", _SOLID]
    return "\n".join(lines)
