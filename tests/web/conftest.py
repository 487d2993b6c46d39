"""The real browser of the page's tests. Its loop runs as long as it: one for each file."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.firmware.toolchain import need
from tests.web.site import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    need("chromium-headless-shell")
    with chromium() as browser:
        yield browser
