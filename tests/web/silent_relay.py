"""A relay before a page that can make connections silent without closing them, as another access point does."""

import asyncio
import threading
from urllib.parse import urlsplit

#: Seconds after which a relay that does not come fails the test.
PATIENCE = 30.0


class SilentRelay:
    """Passes on what browsers and the page at ``address`` say; ``here`` is its own address."""

    def __init__(self, address: str) -> None:
        self._port = urlsplit(address).port
        self.silences_new = False
        """Streams of events that are begun from now on are silent, too."""
        self._streams: list[asyncio.Event] = []
        self._up = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True).start()
        assert self._up.wait(PATIENCE)

    def silence(self) -> None:
        """No stream of events that is open brings anything more."""
        for speaks in self._streams:
            self._loop.call_soon_threadsafe(speaks.clear)

    def close(self) -> None:
        """End every connection."""
        self._loop.call_soon_threadsafe(self._end.set)

    async def _run(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.here = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        self._up.set()
        await self._end.wait()

    async def _pass_on(self, from_browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter) -> None:
        from_page, to_page = await asyncio.open_connection("127.0.0.1", self._port)
        speaks = asyncio.Event()
        speaks.set()

        async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, asks: bool) -> None:
            while data := await reader.read(1 << 16):
                if asks and b"/events?" in data.split(b"\r\n")[0]:
                    self._streams.append(speaks)
                    if self.silences_new:
                        speaks.clear()
                await speaks.wait()
                writer.write(data)
            writer.close()

        await asyncio.gather(
            pump(from_browser, to_page, asks=True), pump(from_page, to_browser, asks=False), return_exceptions=True
        )
