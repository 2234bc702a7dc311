"""A plugin that makes the package do its work anew each time: bench/counts.py must see it."""

from __future__ import annotations

from pytest_asrbench.metrics import whisper
from pytest_asrbench.verifiers.rules.matcher import Matcher

once = Matcher.verdicts


def pytest_configure():
    whisper.AT_ONCE = 1
    Matcher.verdicts = _without_memory


def _without_memory(self, *arguments):
    self._compile.cache_clear()
    return once(self, *arguments)
