"""The mark for tests with the package's own link or codec, until the package speaks the firmware's protocol."""

import pytest

from tamsk_hw.board import protocol as of_the_package
from tests.firmware import protocol

#: Nothing once it does; until then the test is not run, for it would wait in vain.
host_to_come = pytest.mark.xfail(
    of_the_package.PROTOCOL_MAJOR != protocol.PROTOCOL_MAJOR,
    reason="the package speaks another protocol than the firmware",
    run=False,
)
