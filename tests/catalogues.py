"""The catalogues of the languages, compiled for the tests; a build of the package does the same (setup.py)."""

from babel.messages.frontend import CommandLineInterface

from tamsk_hw.words.translating import CATALOGUES, DOMAIN


def compile_changed() -> None:
    """Compile all catalogues if one of them is newer than what was made of it."""
    for source in CATALOGUES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"):
        made = source.with_suffix(".mo")
        if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
            arguments = ["compile", "--domain", DOMAIN, "--directory", str(CATALOGUES)]
            assert not CommandLineInterface().run(["pybabel", "--quiet", *arguments])
            return
