"""The page behind nginx and Caddy, with the recipes of docs/web.md as they stand there: ports and TLS differ."""

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tamsk_hw.journal.changes import MOST_IMPORT
from tamsk_hw.web.arbiter import SIGN_INS
from tests.table.board_program import free_port
from tests.web.site import PATIENCE, Site
from tests.web.stream import greeting
from tests.web.tables import Table

DOCS = Path(__file__).parents[2] / "docs/web.md"

#: What stands around the recipes where they are included: everything in one folder.
NGINX = """daemon off; worker_processes 1; pid nginx.pid; error_log error.log; events {{ worker_connections 128; }}
http {{ access_log off; client_body_buffer_size 4m; client_body_temp_path body; proxy_temp_path proxy;
fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
{recipe}
}}"""
CADDY = """{{
    admin off
    auto_https off
    default_bind 127.0.0.1
}}
{recipe}"""


class Proxied:
    """The page as browsers call it by a proxy; each request comes from an address of its own choice."""

    def __init__(self, site: Site, token: str, port: int) -> None:
        self.site, self.token, self.port = site, token, port

    def ask(
        self, path: str, body: bytes | None = None, kind: str = "", address: str = "127.0.0.1", cookie: str = ""
    ) -> HTTPResponse:
        """Ask for a page, or post to it as a form of the page does."""
        connection = HTTPConnection("127.0.0.1", self.port, PATIENCE, source_address=(address, 0))
        host = f"tamsk.localhost:{self.port}"
        headers = {"Host": host, "Origin": f"http://{host}", "Content-Type": kind, "Cookie": cookie}
        connection.request("GET" if body is None else "POST", path, body, headers)
        return connection.getresponse()

    def sign_in(self, token: str, address: str) -> HTTPResponse:
        form = urlencode({"token": token}).encode()
        return self.ask("/arbiter/sign-in", form, "application/x-www-form-urlencoded", address)


def recipe_of(language: str) -> str:
    """The block of a language on the page for users."""
    found = re.search(rf"```{language}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(params=["nginx", "caddy"])
def proxied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Proxied]:
    program = shutil.which(request.param, path="/usr/sbin:/usr/bin:/usr/local/bin:/sbin:/bin")
    if program is None:
        pytest.skip(f"there is no {request.param}")
    port = free_port()
    bench = Table(tmp_path, clock=time.monotonic)
    site = Site(bench)
    recipe = recipe_of(request.param).replace("127.0.0.1:8137", site.address.removeprefix("http://").rstrip("/"))
    recipe = re.sub(r" *ssl_.*\n", "", recipe).replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    name = f"http://tamsk.localhost:{port}" if request.param == "caddy" else "tamsk.localhost"
    recipe = recipe.replace("tamsk.example.org", name)
    file = tmp_path / "proxy.conf"
    if request.param == "nginx":
        file.write_text(NGINX.format(recipe=recipe), encoding="utf-8")
        command = [program, "-c", str(file), "-p", str(tmp_path), "-e", "error.log"]
    else:
        file.write_text(CADDY.format(recipe=recipe), encoding="utf-8")
        command = [program, "run", "--adapter", "caddyfile", "--config", str(file)]
    with (tmp_path / "said").open("wb") as said:
        process = subprocess.Popen(command, env={"HOME": str(tmp_path)}, stdout=said, stderr=said)
    try:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert process.poll() is None, (tmp_path / "said").read_text()
                assert time.monotonic() < end, "the proxy does not listen"
        yield Proxied(site, bench.token, port)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        site.close()


def test_pages_posts_events_and_imports_come_through(proxied: Proxied) -> None:
    assert proxied.ask("/").status == 200
    with proxied.ask("/events") as events:
        assert b"event: service" in events.read1() + events.read1()
        proxied.site.greet(greeting())  # news comes at once, not when a buffer is full
        assert b'"here":true' in events.read1()
    signed_in = proxied.sign_in(proxied.token, "127.0.0.1")
    assert (signed_in.status, signed_in.headers["location"]) == (303, "/arbiter")
    cookie = str(signed_in.headers["set-cookie"]).partition(";")[0]
    csrf = re.search(rb'name="csrf" value="([^"]+)"', proxied.ask("/arbiter", cookie=cookie).read())
    assert csrf is not None
    fields = {"csrf": csrf[1], "request": b"request-1", 'file"; filename="a': b"x" * MOST_IMPORT}
    form = b"".join(
        b'--b\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % (name.encode(), value)
        for name, value in fields.items()
    )
    sent = proxied.ask("/games/import", form + b"--b--\r\n", "multipart/form-data; boundary=b", cookie=cookie)
    assert (sent.status, sent.headers["location"]) == (303, "/games?answer=request-1")


def test_an_address_that_fails_behind_it_keeps_nobody_else_out(proxied: Proxied) -> None:
    answers = [proxied.sign_in("wrong", "127.0.0.2").status for _ in range(SIGN_INS + 1)]
    assert answers == [403] * SIGN_INS + [429]
    assert proxied.sign_in(proxied.token, "127.0.0.3").status == 303
