"""Notices come back from their JSON objects as they were."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from tamsk_hw.facts.notices import Notice, read_notice
from tamsk_hw.forms import to_json
from tests.words.made import made, members


@pytest.mark.parametrize("kind", members(Notice))
def test_every_notice_comes_back_as_it_was(kind: type) -> None:
    @given(made(kind))
    def check(notice: Any) -> None:
        record = json.loads(json.dumps(to_json(notice)))
        assert read_notice(record) == notice
        assert read_notice({**record, "of_a_newer_version": 1}) == notice

    check()


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"code": "of_a_newer_version"},
        {"code": ["board_lost"]},
        {"code": "board_lost"},
        {"code": "board_lost", "reason": "of a newer version"},
        {"code": "board_lost", "reason": None},
        {"code": "board_connected", "firmware": [1, 2]},
        {"code": "board_connected", "firmware": [1, 2, "3"]},
    ],
)
def test_what_this_version_does_not_know_is_none(record: dict[str, Any]) -> None:
    assert read_notice(record) is None
