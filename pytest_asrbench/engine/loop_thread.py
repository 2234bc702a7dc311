"""
An event loop in a thread of its own, in which code of others runs too.

Such code may block it. Then no call goes on, and no time-out can end what blocks it: whoever waits
has to notice.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from itertools import takewhile
from traceback import walk_stack
from types import FrameType
from typing import Any

from pytest_asrbench.clock import monotonic
from pytest_asrbench.engine.threads import DaemonThreads
from pytest_asrbench.errors import InputError, ProviderError, one_line

FILE_THREADS = 2  # one that waits for a slow file holds nobody up; more contend with the loop
LOOK_S = 0.5
NOTED_S = 5.0  # a loop that others block for so long makes calls one after the other
OURS = {"pytest_asrbench", "asyncio"}


class BlockedError(ProviderError):
    """The loop does not answer."""

    kind = "timeout"


class LoopThread:
    """`files` are threads for reading them: the loop's own are for the code of others. `note` gets
    a line when the loop is blocked for a while."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self.loop = _event_loop()
        self.loop.time = monotonic  # type: ignore[method-assign]  # asyncio reads `time.monotonic`
        self.files = DaemonThreads(FILE_THREADS)
        self._note = note
        self._noted = False
        self._ended = False
        self._asked_at: float | None = None  # a question that the loop has not answered
        self._thread = threading.Thread(target=self._serve, name="asrbench", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def call(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.loop.call_soon_threadsafe(function, *arguments)

    def call_or(
        self, otherwise: Callable[[], None], function: Callable[..., Any], *arguments: Any
    ) -> None:
        """Likewise, from a thread that the loop may not have waited for."""
        try:
            self.call(function, *arguments)
        except RuntimeError:
            otherwise()

    def wait(self, future: Future[Any], patience_s: float) -> None:
        """Until it is done. Raises BlockedError where the loop has not answered for so long."""
        # In short waits: a lock without time-out can't be interrupted on Windows.
        while wait([future], timeout=LOOK_S).not_done:
            if not self._thread.is_alive():
                raise RuntimeError("the engine's thread has ended; this is a bug")
            if (silent_s := self._silent_s()) > min(NOTED_S, patience_s):
                why = self._why()
                if not self._noted:  # once: the next look may find it in another line
                    self._note(why)
                self._noted = True
                if silent_s > patience_s:
                    raise BlockedError(why)

    def stop(self, last: Coroutine[Any, Any, None], patience_s: float) -> None:
        """Run `last`, and end. Raises BlockedError where the loop has not answered for so long; it
        will do both if it ever goes on."""
        if not self._thread.is_alive():
            return last.close()
        done = asyncio.run_coroutine_threadsafe(last, self.loop)
        done.add_done_callback(lambda _: self.call(self._end))
        self.wait(done, patience_s)
        self._thread.join(patience_s)
        return done.result()

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.set_default_executor(DaemonThreads())
        try:
            while not self._ended:  # else code of others has stopped it
                self.loop.run_forever()
        finally:
            self.files.shutdown()
            self.loop.close()

    def _end(self) -> None:
        self._ended = True
        self.loop.stop()

    def _silent_s(self) -> float:
        """For how long the loop owes an answer; it is asked now, if it owes none."""
        if (asked_at := self._asked_at) is not None:
            return monotonic() - asked_at
        self._asked_at = monotonic()
        self.call(self._answer)
        return 0.0

    def _answer(self) -> None:
        self._asked_at = None

    def _why(self) -> str:
        return (
            f"the event loop is blocked{self._where()}, so no call goes on; make that a plain "
            "function (def, not async def), or await what takes long"
        )

    def _where(self) -> str:
        """` by transcribe (conftest.py:12)`: the function that our code went into."""
        innermost = sys._current_frames().get(self._thread.ident or 0)
        theirs = [*takewhile(_foreign, walk_stack(innermost))] if innermost else []
        if not theirs:
            return ""
        frame, row = theirs[-1]
        file = frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
        return f" by {frame.f_code.co_name} ({file}:{row})"


def _event_loop() -> asyncio.AbstractEventLoop:
    """Raises InputError where this process may have none."""
    try:
        return asyncio.new_event_loop()
    except Exception as error:  # a guard against network access, whatever it is
        raise InputError(
            f"no event loop can be made here ({one_line(error)}); the engine needs one for stored "
            "transcripts too: pytest-socket allows it with --allow-unix-socket"
        ) from error


def _foreign(place: tuple[FrameType, int]) -> bool:
    return str(place[0].f_globals.get("__name__")).partition(".")[0] not in OURS
