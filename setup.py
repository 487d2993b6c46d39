"""Compiles the catalogues of the languages into the package; all else of the build stands in pyproject.toml."""

from babel.messages.frontend import CommandLineInterface
from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCatalogues(build_py):
    """Copies the package after its catalogues have been compiled beside their sources."""

    def run(self) -> None:
        """Compile, then copy."""
        arguments = ["compile", "--domain", "tamsk-hw", "--directory", "tamsk_hw/words/catalogues"]
        if CommandLineInterface().run(["pybabel", "--quiet", *arguments]):
            raise SystemExit("a catalogue is wrong")
        super().run()


setup(cmdclass={"build_py": BuildWithCatalogues})
