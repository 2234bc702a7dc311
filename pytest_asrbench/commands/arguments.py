"""Kinds of argument that several commands take."""

from __future__ import annotations

import argparse

from pytest_asrbench.settings import parsing
from pytest_asrbench.settings.parsing import RE_COUNT, RE_NAME


def share(text: str) -> float:
    """A number from 0 to 1. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and 1")
    return value


def positive(text: str) -> int:
    """A whole number above 0. Raises ArgumentTypeError."""
    if not RE_COUNT.fullmatch(text) or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def count(text: str) -> int:
    """A whole number from 0. Raises ArgumentTypeError."""
    if not RE_COUNT.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def duration(text: str) -> float:
    """Seconds of `30d`. Raises ArgumentTypeError."""
    try:
        return parsing.duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected {error}, not {text!r}") from None


def name(text: str) -> str:
    """A configuration's name, as --asr-provider takes it. Raises ArgumentTypeError."""
    if not RE_NAME.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not of letters, digits, . _ and -")
    return text
