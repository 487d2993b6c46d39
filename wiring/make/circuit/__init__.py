"""The circuit of a board as a value: every part, every pin and the net that it is on."""
