"""The page of a build's costs, once wired by hand and once with ordered circuit boards."""

from itertools import groupby

from wiring.make.board import Board
from wiring.make.parts_list import amount
from wiring.make.prices import BOARDS, LEAST_MOUNTED, MOUNTED, Line, Way, bill, designs, load_prices, total
from wiring.make.texts import render


def files(board: Board) -> dict[str, str]:
    """`ordering.md`. Raises `WiringError` for a part without a price."""
    prices = load_prices()
    bills = {way: bill(board, way, prices) for way in Way}
    used = {line.price.source for lines in bills.values() for line in lines}
    seen = sum(line.sum for line in bills[Way.ORDERED] if line.price.source.seen)
    page = render(
        "ordering.md.j2",
        board=board,
        groups=_sums(bills),
        totals=[f"{total(bills[way]):.2f}" for way in Way],
        ordered=_tables(bills[Way.ORDERED]),
        wired=_tables(bills[Way.WIRED]),
        designs=[(design.name, len(design.parts), design.joints) for design in designs(board)],
        least=LEAST_MOUNTED,
        sources=[
            (each.number, each.date.isoformat(), each.currency, each.seen or "assumed", each.why)
            for each in prices.sources
            if each in used
        ],
        euros=", ".join(
            f"1 {currency} = {worth:.2f} EUR" for currency, worth in prices.euros.items() if worth != 1
        ),
        share=f"{100 * seen / total(bills[Way.ORDERED]):.0f}",
    )
    return {"ordering.md": page}


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
