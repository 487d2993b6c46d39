"""The router on small boards, whose answers can be told by hand."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from wiring.boards.layout import Footprint, Layout, Pad, Placed, Track, Via, Zone, rectangle
from wiring.boards.routes import fingerprint, is_stale, with_routes
from wiring.boards.routing import GAP, PITCH, TRACK, Grid, RoutingError, route

SURFACE = Footprint("surface", (Pad("1", 0, 0, 1, 1, 0, 0),), (-1, -1, 1, 1))
WALL = Footprint("wall", (Pad("1", 0, 0, 1, 22, 0, 0),), (-1, -11, 1, 11))
THROUGH_WALL = Footprint("through wall", (Pad("1", 0, 0, 1, 22, 0, 0.5),), (-1, -11, 1, 11))


def pad(ref: str, net: str, column: int, row: int, footprint: Footprint = SURFACE) -> Placed:
    """A pad on a line of the grid."""
    return Placed(ref=ref, value="", footprint=footprint, x=column * PITCH, y=row * PITCH, nets={"1": net})


def board(*parts: Placed, zones: tuple[Zone, ...] = ()) -> Layout:
    return Layout(
        name="small",
        title="small",
        outline=rectangle(0, 0, 20, 20),
        thickness=1.6,
        layers=4,
        parts=parts,
        zones=zones,
    )


def routed(layout: Layout) -> tuple[tuple[Track, ...], tuple[Via, ...]]:
    return route(Grid(layout), {zone.net for zone in layout.zones}, ())


def test_what_crosses_goes_through_the_board() -> None:
    tracks, vias = routed(board(pad("A", "N", 10, 24), pad("B", "N", 40, 24), pad("C", "M", 25, 24, WALL)))
    assert len(vias) == 2
    assert {track.layer for track in tracks} == {"F.Cu", "B.Cu"}


def test_two_nets_that_want_the_same_way_keep_their_gap() -> None:
    parts = [pad(f"A{n}", f"N{n}", 5, 10 + 6 * n) for n in range(4)]
    parts += [pad(f"B{n}", f"N{n}", 42, 10 + 6 * (3 - n)) for n in range(4)]
    tracks, _ = routed(board(*parts))
    for one in tracks:
        for other in tracks:
            if one.net < other.net and one.layer == other.layer:
                assert _distance(one, other) >= TRACK + GAP - 0.09


def _distance(one: Track, other: Track) -> float:
    """From one track's centre line to the other's, by points on both."""
    return min(math.dist(_along(one, a / 60), _along(other, b / 60)) for a in range(61) for b in range(61))


def _along(track: Track, share: float) -> tuple[float, float]:
    return (track.a[0] + share * (track.b[0] - track.a[0]), track.a[1] + share * (track.b[1] - track.a[1]))


def test_a_track_that_is_there_connects_and_is_kept_clear_of() -> None:
    """Two pads on a wide track need no more; a third is led to it; what crosses it goes through the board."""
    wide = Track("N", "F.Cu", 3.0, (10 * PITCH, 24 * PITCH), (40 * PITCH, 24 * PITCH))
    on_it = [pad("A", "N", 10, 24), pad("B", "N", 40, 24)]
    crossing = [pad("D", "M", 25, 8), pad("E", "M", 25, 40)]
    assert routed(replace(board(*on_it), fixed=(wide,))) == ((), ())
    tracks, vias = routed(replace(board(*on_it, pad("C", "N", 36, 40), *crossing), fixed=(wide,)))
    own = [track for track in tracks if track.net == "N"]
    assert len(own) == 1
    assert min(_distance(own[0], wide), 10.0) < 1.5, "it ends on the track's copper"
    assert len(vias) == 2
    for track in tracks:
        if track.net == "M" and track.layer == "F.Cu":
            assert _distance(track, wide) >= 1.5 + TRACK / 2 + GAP - 0.05


def test_a_plane_costs_a_pad_one_via_beside_it() -> None:
    zone = Zone("GND", "In1.Cu", rectangle(0.5, 0.5, 19.5, 19.5))
    tracks, vias = routed(board(pad("A", "GND", 10, 10), pad("B", "GND", 30, 30), zones=(zone,)))
    assert len(vias) == 2
    for via in vias:
        nearest = min(math.dist(via.at, (n * PITCH, n * PITCH)) for n in (10, 30))
        assert 0.8 < nearest < 2, "beside its pad, not in it"
    assert tracks


def test_a_pad_that_is_walled_in_is_refused_by_name() -> None:
    walls = board(pad("A", "N", 3, 24), pad("B", "N", 45, 24), pad("C", "M", 24, 24, THROUGH_WALL))
    with pytest.raises(RoutingError, match=r"small: N has no way"):
        routed(walls)


def test_routes_are_kept_until_something_they_depend_on_changes(tmp_path: Path) -> None:
    folder = tmp_path
    first = board(pad("A", "N", 10, 5), pad("B", "N", 10, 25))
    told: list[str] = []
    whole = with_routes(first, told.append, folder)
    assert whole.tracks
    assert told
    told.clear()
    assert with_routes(first, told.append, folder) == whole
    assert not told
    for other in (
        replace(first, parts=(first.parts[0], pad("B", "N", 10, 26))),
        replace(first, parts=(first.parts[0], pad("B", "M", 10, 25))),
        replace(first, layers=2),
        replace(first, outline=rectangle(0, 0, 20, 21)),
    ):
        assert is_stale(other, folder)
        assert fingerprint(other) != fingerprint(first)
    assert not is_stale(replace(first, title="other"), folder)
