"""The configuration of the program: one TOML file, every key of it in ``docs/configuration.md``.

`load_configuration` finds and reads the file; `Configuration` is what it says, value by value.
"""

from tamsk_hw.configuration.reading import SYSTEM_FILE, Places, load_configuration, parse_configuration, ruleset_on
from tamsk_hw.configuration.settings import Configuration

__all__ = ["SYSTEM_FILE", "Configuration", "Places", "load_configuration", "parse_configuration", "ruleset_on"]
