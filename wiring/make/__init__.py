"""Makes the drawings, tables and lists of a board from its wiring map: ``make wiring``.

Data runs one way: wiring map and parts (`wiring/parts.toml`) → circuit → sheets, harness, lists, tables. What is
made is checked against the map by reading it back (`tests/wiring`).
"""
