"""A hall of simulated boards that play by themselves, with brokers of its own, until Ctrl-C: ``make hall``."""

import argparse
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.hall.cluster import NODES, cluster
from tests.mqtt.broker import Place, broker, ended

#: Games begin one after the other: a start takes a processor for seconds.
APART = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=8)
    parser.add_argument("--level", default="3")
    parser.add_argument("--speed", default="1")
    parser.add_argument("--cluster", action="store_true", help="over three brokers, not over one")
    asked = parser.parse_args()
    nodes = NODES if asked.cluster else NODES[:1]
    processes: list[subprocess.Popen[Any]] = []
    with (
        tempfile.TemporaryDirectory() as name,
        suppress(KeyboardInterrupt),
        (cluster if asked.cluster else broker)(Path(name) / "broker") as started,
        ended(processes),
    ):
        folder = Path(name)
        hall = Place(folder / "hall", processes, started.port, host=nodes[0])
        hall.start("hall")
        print(f"The hall: http://127.0.0.1:{hall.page}/")
        for number in range(1, asked.boards + 1):
            node = nodes[number % len(nodes)]
            board = Place(folder / str(number), processes, started.port, board=str(number), host=node)
            board.start("mqtt")
            board.start("run", "--simulated", "--level", asked.level, "--speed", asked.speed)
            time.sleep(APART)
        while True:
            time.sleep(1)


if __name__ == "__main__":
    main()
