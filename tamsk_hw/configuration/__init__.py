"""The configuration of the program: one TOML file, every key of it in ``docs/configuration.md``.

`load_configuration` finds and reads the file; `Configuration` is what it says, value by value.
"""

from tamsk_hw.configuration.reading import SYSTEM_FILE, Places, load_configuration, parse_configuration, ruleset_on
from tamsk_hw.configuration.values import (
    BoardSettings,
    ButtonSettings,
    BuzzerSettings,
    Configuration,
    GpioSettings,
    JournalSettings,
    LightSettings,
    PageOptions,
    PlayerNames,
    SandOptions,
    WordsSettings,
)
from tamsk_hw.errors import ConfigError

__all__ = [
    "SYSTEM_FILE",
    "BoardSettings",
    "ButtonSettings",
    "BuzzerSettings",
    "ConfigError",
    "Configuration",
    "GpioSettings",
    "JournalSettings",
    "LightSettings",
    "PageOptions",
    "Places",
    "PlayerNames",
    "SandOptions",
    "WordsSettings",
    "load_configuration",
    "parse_configuration",
    "ruleset_on",
]
