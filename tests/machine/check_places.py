"""Games in a folder of one's own: warned of while systemd shuts it, saved with the drop-in that is named."""

import json
import re
from typing import Final

import pytest

from tests.machine.faults import begin_game
from tests.machine.table import GAMES, Table
from tests.machine.virtual import until

CONFIGURATION: Final = "/etc/tamsk-hw/config.toml"
UNSAVED: Final = "nothing can be saved"


def restart(table: Table) -> None:
    life = table.property("InvocationID")
    table.machine.run("systemctl restart --no-block tamsk-hw")
    table.is_started_anew(life)


def warnings(table: Table) -> list[str]:
    """The findings of `config check` on the units; the doctor must say the same."""
    told = table.machine.run("tamsk-hw config check"), table.machine.attempt("tamsk-hw doctor")[1]
    found, doctor = (
        [finding for finding in re.split(r"(?=\b(?:ok|warning|problem) )", text) if "systemctl edit" in finding]
        for text in (" ".join(each.split()) for each in told)  # without the line breaks of a terminal
    )
    assert found == doctor
    return [line.removeprefix("warning service ") for line in found]


@pytest.mark.parametrize("folder", ["/srv/games", "/home/anna/games", "/var/tmp/games"])
def test_a_folder_of_ones_own_is_saved_in_with_the_drop_in_that_the_warning_names(
    folder: str, table: Table
) -> None:
    table.machine.run(f"mkdir -p {folder} && chown tamsk-hw:tamsk-hw {folder}")
    table.machine.run(f"printf '\\n[journal]\\nfolder = \"{folder}\"\\n' >>{CONFIGURATION}")
    found = warnings(table)
    assert found
    assert all(line.startswith("journal.folder: ") for line in found)
    if folder != "/var/tmp/games":  # which the service has for itself, and may write in
        restart(table)
        until(lambda: UNSAVED in table.said_by("tamsk-hw"), "the service says that nothing can be saved")
    for line in found:
        advice = re.search(r"systemctl edit (\S+), enter the lines \[Service\] and (.*), then", line)
        assert advice is not None, line
        drop_in = f"/etc/systemd/system/{advice[1]}.service.d"
        table.machine.run(f"mkdir -p {drop_in}")
        table.machine.write(f"{drop_in}/places.conf", "\n".join(["[Service]", *advice[2].split(" and "), ""]))
    table.machine.run("systemctl daemon-reload")
    assert warnings(table) == []
    restart(table)
    begin_game(table, seed=3)
    table.play(turns=2)
    assert UNSAVED not in table.said_by("tamsk-hw")
    games = json.loads(table.machine.read(f"{GAMES} list --json --folder {folder}"))
    assert len(games) == 1
