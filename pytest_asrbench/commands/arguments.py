"""Kinds of argument that several commands take."""

from __future__ import annotations

import argparse


def share(text: str) -> float:
    """A number from 0 to 1. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def positive(text: str) -> int:
    """A whole number above 0. Raises ArgumentTypeError."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is not a whole number above 0")
    return int(text)
