"""The unions of all events and of all rulings leave none out."""

from __future__ import annotations

from typing import get_args

import pytest

from tamsk_hw.referee import events, rulings


@pytest.mark.parametrize(
    ("union", "base", "module"),
    [(events.Event, events.BaseEvent, events), (rulings.Ruling, rulings.BaseRuling, rulings)],
)
def test_the_union_has_every_class(union: object, base: type, module: object) -> None:
    classes = [item for item in vars(module).values() if isinstance(item, type) and issubclass(item, base)]
    assert len(classes) > 10
    assert set(get_args(union)) == {item for item in classes if item is not base}
