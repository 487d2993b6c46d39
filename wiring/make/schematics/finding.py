"""Finds parts in a circuit by their nets."""

from __future__ import annotations

from wiring.make.circuit.model import Circuit, Part, Terminal


def on_net(circuit: Circuit, net: str, kind: str) -> Terminal:
    """The first pin of a part of that kind on a net. Raises `StopIteration` when there is none."""
    return next(each for each in circuit.nets[net] if each.part.kind.key == kind)


def pull_down(circuit: Circuit, net: str, ground: str) -> Part:
    """The resistor from a net to ground. Raises `StopIteration` when there is none."""
    resistors = (each.part for each in circuit.nets[net] if each.part.kind.key == "resistor")
    return next(part for part in resistors if part.nets["A"] == net and part.nets["B"] == ground)
