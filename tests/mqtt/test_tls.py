"""A broker with a certificate of the club's own authority: whoever trusts that comes in, and nobody else."""

import asyncio
import subprocess
from pathlib import Path

import aiomqtt
import pytest

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.mqtt.broker import connected
from tamsk_hw.mqtt.messages import PresenceMessage
from tests.firmware.toolchain import need
from tests.mqtt.broker import broker


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The authority's certificate, and that of the broker at 127.0.0.1."""
    need("mosquitto")
    need("openssl")
    for command in (
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=club -keyout ca.key -out ca.pem",
        "req -newkey rsa:2048 -nodes -subj /CN=hall -addext subjectAltName=IP:127.0.0.1 -keyout key -out asked",
        "x509 -req -in asked -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -copy_extensions copy -out own.pem",
    ):
        subprocess.run(["openssl", *command.split()], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def come_in(folder: Path, *, tls: bool) -> None:
    files = (f"certfile {folder}/own.pem", f"keyfile {folder}/key")

    async def publish(port: int) -> None:
        settings = MqttSettings(host="127.0.0.1", port=port, hall="club", board="one", tls=tls)
        async with connected(settings, "tamsk:club:one", None) as there:
            await there.publish("one", PresenceMessage(online=True))

    with broker(folder / "data", *files, "allow_anonymous true") as started:
        asyncio.run(publish(started.port))


def test_a_board_that_trusts_the_authority_comes_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
    come_in(folder, tls=True)


def test_one_that_does_not_or_speaks_without_tls_stays_out(folder: Path) -> None:
    with pytest.raises((aiomqtt.MqttError, OSError), match="certificate verify failed"):
        come_in(folder, tls=True)
    (folder / "data").rename(folder / "before")
    with pytest.raises(aiomqtt.MqttError):
        come_in(folder, tls=False)
