"""The ways to lay a miss beside what was heard, by kind of value: each family names its own."""

from __future__ import annotations

CODE = "code"
"""Addresses, paths, commands: every sign counts."""
CHARACTERS = "characters"
"""Letters and digits in order."""
QUANTITY = "quantity"
MONEY = "money"
CALENDAR = "calendar"
WORDS = "words"
ADDRESS = "address"
