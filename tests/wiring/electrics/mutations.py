"""Boards with something wrong, and what the checks say of a board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make.board import Board
from wiring.make.circuit import Circuit, Part
from wiring.make.electrics import checks
from wiring.make.electrics_lights import power_budget


def problems(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> list[str]:
    """The names of checks that do not hold and of rails that draw too much."""
    found = [check.what for check in checks(board, milliamp_cap) if not check.holds]
    return found + [row.rail for row in power_budget(board, milliamp_cap) if not row.holds]


def changed(board: Board, change: Callable[[Part], Part]) -> Board:
    """The board with each part of its circuit changed."""
    circuit = Circuit(board.key, tuple(change(part) for part in board.circuit.parts))
    other = replace(board)
    vars(other)["circuit"] = circuit
    return other


def with_amount(board: Board, name: str, amount: float) -> Board:
    """The board with other ohms or farads in the part of that designator, or in all with these letters."""
    return changed(
        board,
        lambda part: replace(part, amount=amount, value=f"{amount}") if name in (part.ref, part.letters) else part,
    )


def with_fuse(board: Board, ref: str, value: str) -> Board:
    """The board with another fuse."""
    return changed(board, lambda part: replace(part, value=value) if part.ref == ref else part)


def with_worst(board: Board, kind: str, milliamperes: float) -> Board:
    """The board with another worst current of a kind."""
    return changed(
        board,
        lambda part: replace(part, kind=replace(part.kind, worst=milliamperes)) if part.kind.key == kind else part,
    )


def with_more_pixels(board: Board, times: int) -> Board:
    """The board with so many times its pixels."""
    pixels = list(board.circuit.of_kind("pixel"))
    more = [replace(part, ref=f"{part.ref}-{number}") for number in range(1, times) for part in pixels]
    other = replace(board)
    vars(other)["circuit"] = Circuit(board.key, (*board.circuit.parts, *more))
    return other


def with_magnet_distance(board: Board, distance: float) -> Board:
    """The board with its magnets at another distance (mm)."""
    geometry = replace(board.wiring.geometry, magnet_distance=distance)
    return replace(board, wiring=replace(board.wiring, geometry=geometry))
