"""A cluster of three brokers on this computer: NATS with JetStream, from its own wheel (``make cluster``)."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from tests.mqtt.broker import PATIENCE, free_port, wait_until

#: The addresses of the nodes; all listen at one port.
NODES: Final = ("127.0.0.1", "127.0.0.2", "127.0.0.3")


class Cluster:
    """Three nodes, each of which can be killed and started again; ``more`` are lines of their configuration.

    Where no node is named the first is meant: that of the hall.
    """

    nodes = NODES

    def __init__(self, folder: Path, *more: str) -> None:
        folder.mkdir()
        self.port, self._health = free_port(), free_port()
        self._program = Path(sys.executable).with_name("nats-server")
        inner = {node: free_port() for node in NODES}
        routes = ", ".join(f"nats://{node}:{port}" for node, port in inner.items())
        self._files: dict[str, Path] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        for node, port in inner.items():
            lines = (
                f'server_name: "{node}"',
                f"listen: {node}:{free_port()}",
                f"http: {node}:{self._health}",
                f"mqtt {{ listen: {node}:{self.port} }}",
                f'jetstream {{ store_dir: "{folder}/{node}" }}',
                f"cluster {{ name: hall, listen: {node}:{port}, routes: [{routes}] }}",
                *more,
            )
            self._files[node] = folder / f"{node}.conf"
            self._files[node].write_text("\n".join(lines) + "\n")

    def start(self, *nodes: str) -> None:
        """Start nodes, and wait until each of them has what the others have."""
        nodes = nodes or NODES[:1]
        for node in nodes:
            file = self._files[node]
            with file.with_suffix(".log").open("ab") as log:
                command = [str(self._program), "-c", str(file)]
                self._processes[node] = subprocess.Popen(command, stdout=log, stderr=log)
        for node in nodes:
            wait_until(lambda node=node: self._has_caught_up(node), node)

    def _has_caught_up(self, node: str) -> bool:
        """The node says that it is well. Until then no other may be killed: of three nodes two are needed."""
        with suppress(OSError), urlopen(f"http://{node}:{self._health}/healthz", timeout=PATIENCE):
            return True
        return False

    @property
    def processes(self) -> list[int]:
        """The ids of the nodes that run."""
        return [each.pid for each in self._processes.values()]

    def kill(self, *nodes: str) -> None:
        for node in nodes or NODES[:1]:
            if (process := self._processes.pop(node, None)) is not None:
                process.kill()
                process.wait()


@contextmanager
def cluster(folder: Path, *more: str) -> Iterator[Cluster]:
    found = Cluster(folder, *more)
    found.start(*NODES)
    try:
        yield found
    finally:
        found.kill(*NODES)
