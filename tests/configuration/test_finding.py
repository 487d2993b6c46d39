"""Which of the configuration files is read, and what is said of one that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamsk_hw.configuration.reading import Places, load_configuration
from tamsk_hw.errors import ConfigError


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Places of which none is there yet."""
    return Places.of(
        {"HOME": str(tmp_path / "home")},
        system=tmp_path / "etc" / "config.toml",
        system_state=tmp_path / "var" / "tamsk-hw",
    )


def write(file: Path | None, rail: int) -> Path:
    """A configuration that is known again by its sensing.rail."""
    assert file is not None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"[sensing]\nrail = {rail}\n", encoding="utf-8")
    return file


def named(places: Places, file: Path) -> Places:
    return Places(
        named=file,
        system=places.system,
        user=places.user,
        system_state=places.system_state,
        user_state=places.user_state,
        home=places.home,
    )


def test_the_places_follow_the_environment() -> None:
    places = Places.of({"HOME": "/home/ada"})
    assert places.named is None
    assert places.searched == (Path("/etc/tamsk-hw/config.toml"), Path("/home/ada/.config/tamsk-hw/config.toml"))
    assert places.system_state == Path("/var/lib/tamsk-hw")
    assert places.user_state == Path("/home/ada/.local/share/tamsk-hw")
    places = Places.of({"HOME": "/home/ada", "XDG_CONFIG_HOME": "/cfg", "XDG_DATA_HOME": "/data"})
    assert places.user == Path("/cfg/tamsk-hw/config.toml")
    assert places.user_state == Path("/data/tamsk-hw")
    assert Places.of({"TAMSK_HW_CONFIG": "here.toml"}).named == Path("here.toml")


def test_relative_and_empty_variables_do_not_count() -> None:
    # XDG Base Directory Specification: "All paths … must be absolute … consider the path invalid and ignore it."
    places = Places.of({"HOME": "/home/ada", "XDG_CONFIG_HOME": "cfg", "XDG_DATA_HOME": "", "TAMSK_HW_CONFIG": ""})
    assert places == Places.of({"HOME": "/home/ada"})


def test_a_user_without_a_home_has_only_the_systems_places() -> None:
    places = Places.of({})
    assert places.searched == (Path("/etc/tamsk-hw/config.toml"),)
    assert (places.user_state, places.home) == (None, None)


def test_each_file_comes_before_the_next(places: Places, tmp_path: Path) -> None:
    assert load_configuration(None, places).file is None
    user = write(places.user, 1)
    assert (read := load_configuration(None, places)).sensing.rail == 1
    assert (read.file, read.origin) == (user, str(user))
    system = write(places.system, 6)
    assert (read := load_configuration(None, places)).sensing.rail == 6
    assert read.file == system
    by_variable = write(tmp_path / "variable.toml", 3)
    assert (read := load_configuration(None, named(places, by_variable))).sensing.rail == 3
    assert read.file == by_variable
    chosen = write(tmp_path / "chosen.toml", 4)
    assert (read := load_configuration(chosen, named(places, by_variable))).sensing.rail == 4
    assert read.file == chosen


def test_without_a_file_all_is_default_and_that_is_said(places: Places) -> None:
    read = load_configuration(None, places)
    assert read.sensing.rail == 2
    assert read.origin == "defaults (there is no configuration file)"


def test_a_file_that_is_named_must_be_there(places: Places, tmp_path: Path) -> None:
    write(places.system, 1)
    missing = tmp_path / "missing.toml"
    for chosen, where in ((missing, places), (None, named(places, missing))):
        with pytest.raises(
            ConfigError, match=r"missing\.toml: cannot be read: No such file or directory; allowed is"
        ):
            load_configuration(chosen, where)
    below_a_file = write(tmp_path / "file", 1) / "config.toml"
    with pytest.raises(ConfigError, match=r"file/config\.toml: cannot be read: Not a directory"):
        load_configuration(below_a_file, places)


def test_a_folder_is_refused(places: Places, tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=f"^{tmp_path}: a folder, not a file; allowed is .*, as {tmp_path}/config.toml$"
    ):
        load_configuration(tmp_path, places)
    places.system.mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"etc/config\.toml: a folder"):
        load_configuration(None, places)


def test_a_file_that_may_not_be_read_is_not_passed_over(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    write(places.user, 1)
    write(places.system, 2)

    def closed(path: Path, most: int) -> bytes:
        if path == places.system:
            raise PermissionError(13, "Permission denied", str(path))
        return path.read_bytes()

    monkeypatch.setattr("tamsk_hw.configuration.reading.read_file", closed)
    with pytest.raises(ConfigError, match=r"etc/config\.toml: this user may not read it; needed is the right to"):
        load_configuration(None, places)


def test_other_failures_are_told_in_the_systems_words(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: Path, most: int) -> bytes:
        raise OSError(5, "Input/output error", str(path))

    monkeypatch.setattr("tamsk_hw.configuration.reading.read_file", broken)
    with pytest.raises(ConfigError, match=r"etc/config\.toml: cannot be read: Input/output error"):
        load_configuration(None, places)


def test_what_is_larger_than_any_configuration_is_refused(places: Places, tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    file.write_bytes(b"\n" * 64 * 1024)
    assert load_configuration(file, places).file == file
    file.write_bytes(b"\n" * (64 * 1024 + 1))
    with pytest.raises(ConfigError, match=rf"^{file}: larger than 64 KiB; allowed is a configuration in TOML$"):
        load_configuration(file, places)


def test_a_refusal_names_the_file(places: Places) -> None:
    file = write(places.user, 11)
    with pytest.raises(ConfigError, match=rf"^{file}: line 2: sensing\.rail: 11; allowed is"):
        load_configuration(None, places)


def test_relative_names_stand_on_the_working_folder_and_paths_on_the_files(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "config.toml").write_text(
        '[board]\nwiring = "board.toml"\ncalibration = "~/measured.toml"\n[journal]\nfolder = "../games"\n'
    )
    monkeypatch.chdir(tmp_path)
    read = load_configuration(Path("here/config.toml"), places)
    assert read.file == tmp_path / "here" / "config.toml"
    assert read.board.wiring == tmp_path / "here" / "board.toml"
    assert read.calibration_file == tmp_path / "home" / "measured.toml"
    assert read.journal_folder == tmp_path / "here" / ".." / "games"


def test_the_state_is_the_services_where_its_folder_is_there_else_the_users(places: Places) -> None:
    user_state = places.home / ".local/share/tamsk-hw" if places.home else None
    assert load_configuration(None, places).journal_folder == user_state
    write(places.user, 1)
    assert load_configuration(None, places).journal_folder == user_state
    places.system_state.mkdir(parents=True)
    read = load_configuration(None, places)
    assert read.journal_folder == places.system_state
    assert read.calibration_file == places.system_state / "calibration.toml"
    assert load_configuration(None, Places.of({}, system=places.system)).journal_folder == Path(
        "/var/lib/tamsk-hw"
    )
