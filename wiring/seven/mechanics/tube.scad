// A tube of the board, to be printed: millimetres, one file for all tubes. Made from the wiring map.
//
// The origin is on the axis, level with the surface on which the bottom ring rests. +x is east: all ring sensors
// look that way, all light holes lie in the west. Print upright, foot down, without supports.
//
// MATERIAL: matt black. Many black filaments let infrared light through: hold a printed wall of 0.9 mm between one
// sensor and a ring; if the sensor still sees the ring, paint the inside of the slot or take another filament.
// SCREWS: M2.5, countersunk, of brass or nylon, with nuts, or glue (screw_circle = 0). No steel near the axis.
// SENSORS: upright, the leads left and right, emitter (pins 1, 2) below, on a strip of thin circuit board, its lower
// end level with the foot's top. The strip is laid into its slot from outside, its wires through the foot and along
// the groove under it to the hole on the axis. The strip that can be ordered (wiring/boards) is slid in from below
// and reaches down into the foot, to above the groove. A drop of glue on its ends, never on the sensors' faces.
// HALL SENSOR: soldered under its round board, the marked face down, away from the glass (face up it would take A
// for B); the board is glued to the end of its seat, and the marked face is then level with the foot's underside.

// How many of each:
//   levels = 3: 6, C3 C4 D3 D5 E3 E4
//   levels = 4: 1, D4
//   levels = 1, ring_sensors = false: 1, the timer's cradle

// Which tube
levels = 4;  // 1 … 4 rings
ring_sensors = true;  // false: no slot
most_levels = 4;

// From the wiring map
cap_diameter = 25;
tube_inner_diameter = 25.6;
tube_outer_diameter = 32.4;
ring_inner_diameter = 33;
ring_outer_diameter = 41;
ring_thickness = 4.5;  // also from one level to the next
tube_pitch = 48;
magnet_distance = 5;  // magnet's face to the die, glass seated

// Ring sensors: QRE1114GR
sensor_length = 4.8;  // over its leads, which point left and right
sensor_height = 3.6;  // the longer side of its body, upright
sensor_depth = 1.7;
sensor_recess = 0.8;  // behind the surface: a ring nearer than 0.5 would not be seen
sensor_raise = 0.9;  // above the ring's middle: less light from the ring below
sensor_reach = 1.2;  // from its centre to the edge of what shines and sees
sensor_play = 0.2;  // slot wider and higher than strip and sensors
strip_thickness = 0.4;  // carries the sensors
strip_width = 5.4;
cable_exit = 1.2;  // height of the groove under the foot

// Hall sensor: SOT-23 on a round board (TO-92 bent flat: 4.0, 3.15, 1.52, and 0 for carrier_thickness)
hall_length = 2.92;  // with leads
hall_width = 2.37;  // with leads
hall_thickness = 1.12;
hall_die_depth = 0.65;  // marked face to the die: see its data sheet
carrier_diameter = 10;
carrier_thickness = 1;
magnet_recess = 0.2;  // magnet's face behind the cap's
fit = 0.3;  // play of the seat

// Foot
foot_diameter = 43;
drill_diameter = 12;  // hole in the board
screw_circle = 18.85;  // distance from the axis; 0: glue only
screw_angles = [60, 230];  // from east
screw_hole = 2.7;
screw_head = 5;
steel_distance = 15;
least_wall = 0.5;  // least plastic
wall_above = 1;  // the same above the slot

$fn = 96;

// What follows is calculated.

function sensor_z(level) = (level + 0.5) * ring_thickness + sensor_raise;  // level 0 is the bottom one

slot_width = strip_width + sensor_play;
slot_depth = sensor_recess + sensor_depth + strip_thickness;
slot_back = tube_outer_diameter / 2 - slot_depth;
slot_top = sensor_z(levels - 1) + (sensor_height + sensor_play) / 2;
tube_top = max(levels * ring_thickness, slot_top + wall_above);
die_z = magnet_recess - magnet_distance;
seat_top = die_z + hall_thickness - hall_die_depth + carrier_thickness;  // its board touches here
foot_bottom = die_z - hall_die_depth;

assert(levels == floor(levels) && levels >= 1 && levels <= most_levels, "levels: a whole number of rings");
assert(tube_inner_diameter > cap_diameter, "tube_inner_diameter: the cap does not go in");
assert(ring_inner_diameter > tube_outer_diameter, "tube_outer_diameter: the ring does not go over");
assert(foot_diameter >= ring_outer_diameter, "foot_diameter: the ring does not lie on the foot");
assert(foot_diameter < tube_pitch, "foot_diameter: the feet of two tubes touch");
assert(slot_back - tube_inner_diameter / 2 >= least_wall - 0.001, "tube_outer_diameter: no wall behind the sensors");
assert(ring_thickness >= max(sensor_height + sensor_play, 2 * (sensor_raise + sensor_reach)) - 0.001,
       "ring_thickness: a sensor looks at the next ring, too");
assert(strip_width >= sensor_length, "strip_width: the sensors' leads stand over the strip");
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

module strip() {
    // Above the foot open to the outside …
    translate([slot_back, -slot_width / 2, 0])
        cube([slot_depth + 1, slot_width, slot_top]);
    // … its wires through the foot …
    translate([slot_back, -slot_width / 2, foot_bottom - 1])
        cube([slot_depth, slot_width, 2 - foot_bottom]);
    // … and under it to the hole in the board.
    translate([0, -slot_width / 2, foot_bottom - 1])
        cube([tube_outer_diameter / 2, slot_width, cable_exit + 1]);
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
        if (ring_sensors) strip();
        if (screw_circle > 0)
            for (angle = screw_angles) screw(angle);
    }
}

tube();
