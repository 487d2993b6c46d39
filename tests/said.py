"""Notices as people read them."""

from tamsk_hw.facts.notices import Notice
from tamsk_hw.words.notices import notice_words


class Said(list[str]):
    """Takes notices, keeps their sentences."""

    def __call__(self, notice: Notice) -> None:
        self.append(notice_words(notice))
