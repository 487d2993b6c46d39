// A jig for gluing the magnets into the caps, to be printed twice: millimetres. Made from the wiring map.
//
// The cap is pressed face down into it, over a magnet that lies on the boss in the middle: so every magnet's face comes
// 0.2 mm behind its cap's, in the cap's middle. Glass by glass this must agree within
// 0.1 mm: by hand, half a millimetre off, a glass that stands firmly would read as leaning.
//
// A magnet of the jig's own, glued into it from below, holds the other one and lets it lie one way up only.
// end = "A" (one notch in the rim): the jig's own magnet has its SOUTH pole up, so the cap's has north out.
// end = "B" (two notches): its NORTH pole up, so the cap's has south out.
// Print upright, without supports, and measure the boss: it decides the depth.

end = "A";

// From the wiring map
cap_diameter = 25;
magnet_diameter = 8;
magnet_thickness = 2;

magnet_recess = 0.2;  // height of the boss
fit = 0.3;  // play of cap and magnet
rim = 5.0;  // holds the cap in the middle
wall = 2.4;
floor_left = 1.0;  // between the two magnets

$fn = 96;

// What follows is calculated.

base = floor_left + magnet_thickness + 0.5;
outside = cap_diameter + fit + 2 * wall;
boss = magnet_diameter - 1;

assert(end == "A" || end == "B", "end: A or B");
assert(magnet_recess > 0, "magnet_recess: a magnet level with its cap would rock");

module notch(angle) {
    rotate(angle) translate([cap_diameter / 2, -1, base + rim - 2]) cube([wall + 2, 2, 3]);
}

difference() {
    cylinder(h = base + rim, d = outside);
    translate([0, 0, base]) cylinder(h = rim + 1, d = cap_diameter + fit);
    translate([0, 0, -1]) cylinder(h = 1 + base - floor_left, d = magnet_diameter + fit);
    notch(0);
    if (end == "B") notch(20);
}
translate([0, 0, base - 0.01]) cylinder(h = magnet_recess + 0.01, d = boss);
