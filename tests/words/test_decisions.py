"""A decision says the same on its button, when it is asked, and in the list of rulings."""

from __future__ import annotations

import pytest

from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import Action, Arbiter
from tamsk_hw.system.output import Language
from tamsk_hw.web.requests import label_of
from tamsk_hw.words.prompts import decided_words, decision_question, decision_words
from tamsk_hw.words.translating import capital, speaking
from tests.panel.boards import BLACK, RED

DECISIONS = {
    Action.AWARD: Arbiter(0.0, Action.AWARD, None, RED),
    Action.ABANDON: Arbiter(0.0, Action.ABANDON),
    Action.EXPIRE: Arbiter(0.0, Action.EXPIRE, Tube.D4),
    Action.REVIVE: Arbiter(0.0, Action.REVIVE, Tube.D4),
    Action.RING: Arbiter(0.0, Action.RING, Tube.D4, BLACK),
    Action.UNCOUNT: Arbiter(0.0, Action.UNCOUNT, Tube.D4),
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("action", Action)
def test_a_decision_says_one_thing(action: Action, language: Language) -> None:
    decision = DECISIONS[action]
    event = Arbiter(0.0, decision.action, decision.tube, decision.player)
    with speaking(language):
        words = decision_words(decision)
        assert label_of(event) == capital(words)
        assert decision_question(decision, None).startswith(capital(words))
        assert "?" in decision_question(decision, None)
        assert decided_words(event).endswith(f" {words}.")


def test_a_glass_is_called_by_its_owner_where_he_is_known() -> None:
    assert decision_words(DECISIONS[Action.EXPIRE], RED) == "red's glass on D4 has run out"
    assert decision_words(DECISIONS[Action.REVIVE], BLACK) == "black's glass on D4 is still running"
