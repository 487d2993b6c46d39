"""The pages of a build's costs and hours, once wired by hand and once with ordered circuit boards."""

from __future__ import annotations

from itertools import groupby

from wiring.make.board import Board
from wiring.make.hours import WEEKEND_HOURS, Act, Step, Work, work
from wiring.make.parts_list import amount
from wiring.make.prices import BOARDS, LEAST_MOUNTED, MOUNTED, Line, Way, bill, designs, load_prices, total
from wiring.make.texts import render


def ordering_page(board: Board) -> str:
    """The text of `ordering.md`. Raises `WiringError` for a part without a price."""
    prices = load_prices()
    bills = {way: bill(board, way, prices) for way in Way}
    used = {line.price.source for lines in bills.values() for line in lines}
    seen = sum(line.sum for line in bills[Way.ORDERED] if line.price.source.seen)
    return render(
        "ordering.md.j2",
        board=board,
        groups=_sums(bills),
        totals=[f"{total(bills[way]):.2f}" for way in Way],
        ordered=_tables(bills[Way.ORDERED]),
        wired=_tables(bills[Way.WIRED]),
        designs=[(design.name, len(design.parts), design.joints) for design in designs(board)],
        least=LEAST_MOUNTED,
        sources=[
            (
                each.number,
                each.date.isoformat(),
                each.currency,
                each.seen or "assumed",
                each.why,
            )
            for each in prices.sources
            if each in used
        ],
        euros=", ".join(
            f"1 {currency} = {worth:.2f} EUR" for currency, worth in prices.euros.items() if worth != 1
        ),
        share=f"{100 * seen / total(bills[Way.ORDERED]):.0f}",
    )


def _sums(bills: dict[Way, tuple[Line, ...]]) -> list[tuple[str, ...]]:
    """The sum of each group in both ways."""
    groups = dict.fromkeys((BOARDS, MOUNTED, *(line.group for line in bills[Way.WIRED])))
    return [
        (group, *(f"{total(tuple(line for line in bills[way] if line.group == group)):.2f}" for way in Way))
        for group in groups
    ]


def _tables(lines: tuple[Line, ...]) -> list[tuple[str, list[tuple[str, ...]]]]:
    return [
        (group, [_cells(line) for line in members]) for group, members in groupby(lines, lambda line: line.group)
    ]


def _cells(line: Line) -> tuple[str, ...]:
    price = line.price
    return (
        f"{amount(line.quantity)}{' m' if line.metres else ''}",
        line.item,
        line.order,
        f"{price.amount:.4f}".rstrip("0").ljust(4, "0") if price.amount < 0.01 else f"{price.amount:.2f}",
        f"{price.source.currency} ({price.source.number})",
        f"{line.sum:.2f}",
    )


def hours_page(board: Board) -> str:
    """The text of `hours.md`."""
    works = {way: work(board, way) for way in Way}
    ordered = works[Way.ORDERED]
    steps = [
        (
            step.value or "–",
            step.title,
            *(cell for each in works.values() for cell in _cells_of(each, step)),
        )
        for step in ordered.steps
    ]
    acts = [
        (act.title, act.seconds, *(each.count(act) for each in works.values()))
        for act in Act
        if any(each.count(act) for each in works.values())
    ]
    return render(
        "hours.md.j2",
        board=board,
        steps=steps,
        acts=acts,
        works=list(works.values()),
        weekend=WEEKEND_HOURS,
        ordering=f"{ordered.hours_of(Step.ORDER):.1f}",
    )


def _cells_of(each: Work, step: Step) -> tuple[str, ...]:
    alone = Work({step: each.steps[step]})
    return str(alone.joints), str(alone.wires), f"{alone.hours:.1f}"


__all__ = ["files"]


def files(board: Board) -> dict[str, str]:
    """The pages of a board. Raises `WiringError` for a part without a price."""
    return {"ordering.md": ordering_page(board), "hours.md": hours_page(board)}
