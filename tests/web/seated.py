"""Browsers at the seats of a simulated board whose page is open to a network; addresses are those of a test."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.testclient import TestClient

from tamsk_hw.game.tubes import Player
from tamsk_hw.web.app import page_app
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.seats import SeatLinks, Seats
from tamsk_hw.web.security import Hosts
from tests.hands.at_hand import AtHand
from tests.web.hands_table import LinkAtHand, begun, play_table
from tests.web.stream import greeting

#: The page's address for the network, and a phone's.
OPEN: Final = "http://192.168.1.7:8137"
PHONE: Final = "192.168.1.20"


class SeatedTable:
    """A page that is open to a network."""

    def __init__(self, folder: Path, names: tuple[str, ...] = ()) -> None:
        self.at_hand = AtHand(seed=1)
        self.links = SeatLinks(f"{OPEN}/")
        live = LiveTable(lambda: 0.0, lambda: 0.0)
        pages = Pages(live)
        link = LinkAtHand(self.at_hand)
        play = play_table(pages, live, link, folder, lambda what: {"done": 1}, Seats(self.links, names))
        self._app = page_app(pages, Hosts("0.0.0.0", names), play.routes)
        live.greeted(greeting())
        live.heard({"state": begun()})

    def browser(self, address: str = PHONE, at: str = OPEN) -> TestClient:
        """A browser at an address, which calls the page by ``at``."""
        return TestClient(
            self._app, base_url=at, client=(address, 40000), headers={"origin": at}, raise_server_exceptions=False
        )

    def seated(self, player: Player) -> TestClient:
        """A phone that has opened a seat's link."""
        phone = self.browser()
        answer = phone.post("/table/sit", json={"seat": player.value, "secret": self.links.secrets[player]})
        assert answer.status_code == 200
        return phone
