"""Circuit boards to order, made from the wiring maps: placed, routed, drawn by KiCad, read back and checked."""
