"""``tamsk-hw web token``: the address is shown once, and the QR code where a phone can reach it."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_hw.commands.main import main
from tamsk_hw.web.security import Binding, TokenFile, digest


def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, web: str, *options: str) -> str:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    file = tmp_path / "config.toml"
    file.write_text(f"[web]\n{web}\n")
    ran = CliRunner().invoke(main, ["web", "--config", str(file), *options, "token"])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_the_token_stands_in_the_fragment_and_its_hash_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = run(tmp_path, monkeypatch, "port = 8200")
    found = re.search(r"http://127\.0\.0\.1:8200/arbiter#token=([\w-]{43})\n", words)
    assert found is not None
    assert TokenFile.of(tmp_path / "tamsk-hw").kept() == digest(found[1])
    assert "Only this computer reaches the page" in words
    assert "█" not in words
    assert found[1] not in run(tmp_path, monkeypatch, "port = 8200")


def test_where_others_reach_the_page_there_is_a_qr_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = run(tmp_path, monkeypatch, 'address = "0.0.0.0"\nnames = ["tamsk.local"]', "--port", "8300")
    assert "http://tamsk.local:8300/arbiter#token=" in words
    rows = [line for line in words.splitlines() if "█" in line]
    assert len(rows) >= 15


@pytest.mark.parametrize(
    ("address", "names", "called"),
    [
        ("127.0.0.1", ("tamsk.local",), "http://127.0.0.1:80/"),
        ("192.168.1.7", (), "http://192.168.1.7:80/"),
        ("192.168.1.7", ("tamsk.local",), "http://tamsk.local:80/"),
        ("fe80::1", (), "http://[fe80::1]:80/"),
        ("0.0.0.0", (), "http://table.local:80/"),
        ("::", (), "http://table.local:80/"),
    ],
)
def test_the_address_is_one_that_a_phone_can_use(
    monkeypatch: pytest.MonkeyPatch, address: str, names: tuple[str, ...], called: str
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "table.example.org")
    assert Binding(address, 80, names).called == called
