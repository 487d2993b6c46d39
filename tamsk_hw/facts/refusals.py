"""Refusals of commands and acts."""

from __future__ import annotations
