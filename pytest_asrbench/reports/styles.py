"""Colours by meaning: a report names what a line is, the writer decides how that looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TextIO

Style = Literal["plain", "heading", "bad", "good", "warn", "muted"]
Line = tuple[Style, str]

MARKUP: Final[Mapping[Style, Mapping[str, bool]]] = {
    "plain": {},
    "heading": {"bold": True},
    "bad": {"red": True, "bold": True},
    "good": {"green": True},
    "warn": {"yellow": True},
    "muted": {"light": True},
}
"""Keywords of pytest's `TerminalReporter.write_line`."""

_ANSI: Final[Mapping[Style, str]] = {
    "plain": "",
    "heading": "1",
    "bad": "31;1",
    "good": "32",
    "warn": "33",
    "muted": "2",
}


def ansi(style: Style, text: str) -> str:
    """The text in its colour, for a terminal."""
    codes = _ANSI[style]
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text


def coloured(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """True if to colour: NO_COLOR wins, then FORCE_COLOR, then whether a terminal reads along."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"
