"""A hall of boards that are told what to show, and its page."""

import time
from pathlib import Path

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.hall.boards import HallBoard
from tamsk_hw.hall.hall import Hall
from tamsk_hw.hall.page import hall_app
from tamsk_hw.hall.rounds import Tournaments
from tamsk_hw.hall.store import Store
from tamsk_hw.mqtt.messages import HeaderMessage, PresenceMessage, StateMessage
from tamsk_hw.system.output import Language
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import Binding, TokenFile
from tests.web.moments import NAMES, told


class Bench:
    """The page is ``app``, as that of a table at which nothing is played."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder / "hall.sqlite")
        self.hall = Hall(MqttSettings(), self.store, time.monotonic, time.time)
        self.every = Tournaments(self.hall, self.store, time.time)
        self.live = LiveTable(time.monotonic, time.time)
        self.pages = Pages(self.live)
        self.file = TokenFile.of(folder)
        self.token = self.file.renew()
        self.app = hall_app(self.hall, self.pages, Binding("127.0.0.1"), Language.ENGLISH, self.file, self.every)

    def tell(self, name: str, moment: str, *, online: bool = True) -> None:
        board = self.hall.boards.get(name)
        if board is None:
            board = self.hall.boards[name] = HallBoard(name, LiveTable(time.monotonic, time.time), self.store)
        greeting, header, *_, last = told(moment)
        begun = HeaderMessage(game=moment, header=header["header"], names=NAMES)
        state = StateMessage(game=moment, number=0, names=NAMES, state=last["state"])
        for message in (PresenceMessage(online=online, service=greeting), begun, state):
            board.on_message(message, 0.0)
        if not online:
            board.on_message(PresenceMessage(online=False), 0.0)
        self.hall.changes += 1
        self.hall.publish()
