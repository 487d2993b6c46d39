"""The language in which a command speaks to people."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from tamsk_hw.errors import CatalogueError
from tamsk_hw.system.journald import Priority, prefixed
from tamsk_hw.system.language import Language, environment_language
from tamsk_hw.words.translating import catalogue, speaking


@contextmanager
def speaking_to_people(configured: Language | None = None) -> Iterator[None]:
    """Within it sentences are in the configured language, else in the environment's.

    A game needs no translation: where the catalogue cannot be read they are in English, after a warning.
    """
    language = configured or environment_language(os.environ)
    try:
        catalogue(language)
    except CatalogueError as error:
        click.echo(prefixed(f"tamsk-hw: {error}", Priority.WARNING, sys.stderr), err=True)
        language = Language.ENGLISH
    with speaking(language):
        yield
