"""Programs that the tests need besides Python, and the one rule for where one is missing.

``make toolchain`` runs this file before the tests: whatever is missing is installed with apt-get, and where that
cannot be, one line says what is missing. Tests say what they need with `need`. ``TAMSK_TOOLCHAIN`` decides what
happens to one whose tool is missing:

- ``optional`` (set by the Makefile, which has tried to install it): skipped, with the reason.
- ``require`` (set by the Makefile on CI): ``make`` stops, and a test that is run all the same fails.
- not set, pytest having been called by hand: fails where ``make toolchain`` could install it, else skipped.

A tool counts as there when it can build what the tests build: gcc without the C library's headers, avr-gcc without
avr-libc and clang without its fuzzer are missing. Chromium without any font is missing too: it ends at the first
input or button of a page ("SkFontMgr_FontConfigInterface.cpp: Not implemented"), and every test after that fails.
With the tool there, a build that fails is a test that fails.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache

#: The names of the rule in the environment variable ``TAMSK_TOOLCHAIN``.
OPTIONAL = "optional"
REQUIRE = "require"

#: The font of the tests' browser.
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


@dataclass(frozen=True)
class Tool:
    """A tool that tests use: the Debian packages that have it (12 and later), and how to see that it works.

    A compiler or library is tried by building ``source``; a program may need a ``file`` besides.
    """

    packages: tuple[str, ...]
    compiler: tuple[str, ...] = ()
    source: str = "int main(void) { return 0; }"
    file: str = "/"


TOOLS = {
    "gcc": Tool(
        ("gcc", "libc6-dev"),
        ("gcc", "-fsanitize=address,undefined"),
        "#include <stdio.h>\nint main(void) { return 0; }",
    ),
    "avr-gcc": Tool(
        ("gcc-avr", "avr-libc", "binutils-avr"),
        ("avr-gcc", "-mmcu=atmega328p"),
        "#include <avr/io.h>\nint main(void) { return 0; }",
    ),
    "libsimavr": Tool(
        ("libsimavr-dev", "libelf-dev"),
        ("cc", "-l:libsimavr.a", "-lelf", "-lm"),
        "#include <simavr/sim_avr.h>\n#include <simavr/sim_elf.h>\nint main(void) { return 0; }",
    ),
    "clang": Tool(
        ("clang", "libclang-rt-dev"),
        ("clang", "-fsanitize=fuzzer,address,undefined"),
        "#include <stdint.h>\n#include <stdio.h>\n"
        "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return data == 0 && size != 0; }",
    ),
    "dot": Tool(("graphviz",)),
    "systemd-analyze": Tool(("systemd",)),
    "udevadm": Tool(("udev",)),
    "shellcheck": Tool(("shellcheck",)),
    "mosquitto": Tool(("mosquitto",)),
    "openssl": Tool(("openssl",)),
    "chromium-headless-shell": Tool(("chromium-headless-shell", "fonts-dejavu-core"), file=FONT),
}


def found(name: str) -> str | None:
    """The path of a program; Debian keeps some where only root looks."""
    return shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")


@cache
def is_there(name: str) -> bool:
    """True when this tool works, or, if it is none of `TOOLS`, is on the path."""
    tool = TOOLS.get(name)
    if tool is None or not tool.compiler:
        return found(name) is not None and (tool is None or os.path.exists(tool.file))
    program, *options = tool.compiler
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "-x", "c", "-", "-o", f"{folder}/program", *options]
        try:
            return subprocess.run(command, input=tool.source, text=True, capture_output=True).returncode == 0
        except OSError:
            return False


def need(*names: str) -> None:
    """Skip or fail the test, in one line, where one of these is missing: names of `TOOLS` or of programs."""
    import pytest

    absent = [name for name in names if not is_there(name)]
    if not absent:
        return
    reason = f"not installed: {', '.join(absent)}"
    rule = os.environ.get("TAMSK_TOOLCHAIN")
    if rule == OPTIONAL or (not rule and not _can_install()):
        pytest.skip(reason)
    pytest.fail(f"{reason} (make toolchain)", pytrace=False)


def _can_install() -> bool:
    return shutil.which("apt-get") is not None and (os.geteuid() == 0 or shutil.which("sudo") is not None)


# ---- make toolchain


def _absent() -> list[str]:
    return [name for name in TOOLS if not is_there(name)]


def _may_install(prefix: list[str]) -> bool:
    """True where apt-get can be run with these words before it. sudo asks for its password here, and once."""
    if prefix and shutil.which(prefix[0]) is None:
        return False
    return subprocess.run([*prefix, "apt-get", "--version"], stdout=subprocess.DEVNULL).returncode == 0


def _apt_get(prefix: list[str], *arguments: str) -> tuple[bool, str | None]:
    """Run apt-get: whether it says that it worked, and the first thing that it complained of."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            [*prefix, "apt-get", *arguments],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=environment,
        )
    except OSError as error:
        return False, f"{error.filename}: {error.strerror}"
    said = [" ".join(line.split()) for line in done.stderr.splitlines() if line.strip()]
    # An update that could not fetch a list only warns of it.
    errors = [line for line in said if line.startswith("E:") or "Failed to fetch" in line]
    if done.returncode:
        errors = errors or said[-1:] or [f"status {done.returncode}"]
    return done.returncode == 0, errors[0] if errors else None


def install(prefix: list[str]) -> str | None:
    """Install what is missing; None when all is there, else in one line what is not, and why.

    ``prefix``: the words before ``apt-get``, such as ``sudo``; none for root.
    """
    if not (absent := _absent()):
        return None
    packages = " ".join(package for name in absent for package in TOOLS[name].packages)
    lacking = f"The tests need {', '.join(absent)}"
    if shutil.which("apt-get") is None:
        return f"{lacking}; there is no apt-get here to install them (Debian's names: {packages})."
    if prefix and not _may_install(prefix):
        return f"{lacking}; installing them takes root or {prefix[0]} (apt-get install {packages})."
    print(f"{lacking}. Installing with {' '.join([*prefix, 'apt-get'])}: {packages} ...", flush=True)
    # One source that cannot be reached need not be the one that has them: what counts is the installation.
    _, of_update = _apt_get(prefix, "update", "-q")
    # A package may be there without its files.
    options = ("-q", "-y", "--no-install-recommends", "--reinstall")
    installed, of_install = _apt_get(prefix, "install", *options, *packages.split())
    is_there.cache_clear()
    if not (absent := _absent()):
        return None
    if installed:
        return f"apt-get installed {packages}, but {', '.join(absent)} still cannot be used."
    return f"{lacking}; apt-get could not install them ({of_update or of_install})."


def main(prefix: str) -> int:
    """The exit status for make: 1 where something is missing and the rule is to require it."""
    rule = os.environ.get("TAMSK_TOOLCHAIN") or OPTIONAL
    if rule not in (OPTIONAL, REQUIRE):
        print(f"TAMSK_TOOLCHAIN: {rule}; allowed are {OPTIONAL} and {REQUIRE}", file=sys.stderr)
        return 2
    problem = install(prefix.split())
    if problem is None:
        return 0
    end = "Nothing may be skipped here: stopping." if rule == REQUIRE else "Their tests are skipped."
    print(problem, end, file=sys.stderr)
    return int(rule == REQUIRE)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:2] or [""]))
    except KeyboardInterrupt:
        sys.exit(130)
