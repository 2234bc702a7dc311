"""
SIGTERM, which CI systems send to a cancelled run, ends it as Ctrl-C does.

By default it would end the process on the spot: nothing is reported, and temporary files stay.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress


def as_interrupt() -> Callable[[], None]:
    """Returns what restores the former state. Whoever handles the signal already keeps it."""
    handling = _Handling()
    if os.name != "nt" and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        handling.begin()
        os.register_at_fork(
            before=handling.pause, after_in_parent=handling.go_on, after_in_child=handling.end
        )
    return handling.end


class _Handling:
    """A process that a test forks is to die of the signal as ever: Python forgets what arrives
    before the fork's own handlers are set up, so during a fork there is none."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._paused = False

    def begin(self) -> None:
        with suppress(ValueError):  # not the main thread, which alone may set handlers
            signal.signal(signal.SIGTERM, self._interrupt)

    def end(self) -> None:
        with suppress(ValueError):
            if signal.getsignal(signal.SIGTERM) == self._interrupt:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def pause(self) -> None:
        self._paused = signal.getsignal(signal.SIGTERM) == self._interrupt
        self.end()

    def go_on(self) -> None:
        if self._paused:
            self.begin()

    def _interrupt(self, number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a second one ends it on the spot
        if os.getpid() != self._process:  # forked by another thread, which can't pause this
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            raise KeyboardInterrupt("SIGTERM")
