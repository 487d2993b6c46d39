"""The currents of the parts on a rail, summed from the circuit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wiring.make.circuit.model import Circuit, Part, Role, Unit
from wiring.make.electrics.values import SUPPLY


def typical_current(circuit: Circuit, net: str) -> float:
    """Typical current (mA) of the parts whose supply pin is on the net."""
    return sum(part.kind.typical for part in supplied(circuit, net))


def worst_current(circuit: Circuit, net: str, units: Iterable[Unit] = Unit) -> float:
    """Worst current (mA) of the parts whose supply pin is on the net, and of all resistors on it as if the other
    end were grounded; of ``units`` only."""
    wanted = frozenset(units)
    parts = sum(part.kind.worst for part in supplied(circuit, net) if part.unit in wanted)
    resistors = (part for part in circuit.of_kind("resistor") if part.unit in wanted and net in part.nets.values())
    return parts + sum(SUPPLY / part.amount * 1e3 for part in resistors)


def supplied(circuit: Circuit, net: str) -> Iterator[Part]:
    """The parts that a net supplies, each once."""
    supplied = {each.part.ref: each.part for each in circuit.nets[net] if each.pin.role is Role.SUPPLY}
    yield from supplied.values()
