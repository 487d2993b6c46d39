"""Makes the drawings, tables and lists of a board from its wiring map: ``make wiring``.

Data runs one way: wiring map and parts (`wiring/parts.toml`) → circuit → sheets, harness, lists, tables. The
tests read the files back and check them against the map (`tests/wiring`).
"""
