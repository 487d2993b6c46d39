"""The command that makes the prints: what it says where it cannot."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from wiring.prints import __main__ as command
from wiring.prints import making
from wiring.prints.checking import Problem


def test_without_the_cad_kernel_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert command.main([]) == 1
    assert capsys.readouterr().err == "prints: build123d is not installed; make prints installs it\n"


def test_a_print_that_does_not_exist_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: find_spec("wiring"))
    assert command.main(["tube-5"]) == 2
    assert capsys.readouterr().err.startswith("tube-5: no such print; there are tube-1, tube-2, ")


def test_of_a_print_with_a_fault_no_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("build123d", reason="the CAD kernel is not installed (make prints)")
    monkeypatch.setattr(making, "problems", lambda wanted, folder: [Problem(wanted.name, "is of wood")])
    (jig,) = [wanted for wanted in making.all_prints() if wanted.name == "magnet-jig-A"]
    with pytest.raises(making.PrintError, match=r"^magnet-jig-A: is of wood$"):
        making.make(jig, tmp_path)
    assert list(tmp_path.iterdir()) == []
