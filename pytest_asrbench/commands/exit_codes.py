"""Exit codes of `asrbench`, for scripts and CI."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    OK = 0
    """Fine."""
    FAILED = 1
    """A gate failed, lint found a problem, agreement is under the asked bar, a cassette would lack
    a transcript."""
    USAGE = 2
    """Usage, or unreadable input."""
    CALL = 3
    """A provider or verifier error."""
    INTERRUPTED = 130
    """By the keyboard, as a shell tells it."""
