"""Which of the configuration files is read, and what is said of one that cannot be."""

from dataclasses import replace
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
    return replace(places, named=file)


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


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(13, "Permission denied"), "this user may not read it; needed is the right to read it"),
        (OSError(5, "Input/output error"), "cannot be read: Input/output error; allowed is a configuration file"),
    ],
)
def test_a_file_that_cannot_be_read_is_not_passed_over(
    error: OSError, words: str, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(places.user, 1)

    def closed(path: Path, most: int) -> bytes:
        if path == places.system:
            raise error
        return path.read_bytes()

    monkeypatch.setattr("tamsk_hw.configuration.reading.read_file", closed)
    with pytest.raises(ConfigError, match=rf"etc/config\.toml: {words}"):
        load_configuration(None, places)


def test_what_is_larger_than_any_configuration_is_refused(places: Places, tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    file.write_bytes(b"\n" * 64 * 1024)
    assert load_configuration(file, places).file == file
    file.write_bytes(b"\n" * (64 * 1024 + 1))
    with pytest.raises(ConfigError, match=rf"^{file}: larger than 64 KiB; allowed is a configuration in TOML$"):
        load_configuration(file, places)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[sensing]\nrail = 11\n", r"line 2: sensing\.rail: 11; allowed is"),
        (
            '[players]\n\nred = "Jürgen"\n'.encode("latin-1"),
            "line 3: byte 0xfc is not UTF-8; save the file as UTF",
        ),
        (
            b"\xef\xbb\xbf[sensing]\r\nrail = 4\r\n\r\n[players]\r\nblue = 1\r\n",
            r"line 5: players\.blue: unknown key",
        ),
    ],
)
def test_a_refusal_names_the_file_and_the_line(data: bytes, words: str, places: Places) -> None:
    file = write(places.user, 1)
    file.write_bytes(data)
    with pytest.raises(ConfigError, match=rf"^{file}: {words}"):
        load_configuration(None, places)


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(places: Places) -> None:
    file = write(places.user, 1)
    file.write_bytes(b'\xef\xbb\xbf[sensing]\r\nrail = 4\r\n\r\n[players]\r\nred = "J\xc3\xbcrgen"\r\n')
    read = load_configuration(None, places)
    assert (read.sensing.rail, read.players.red) == (4, "Jürgen")


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
