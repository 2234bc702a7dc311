"""
A voice agent's own recogniser object, for the frameworks that agents are built with.

    stt      module:function that builds it, as the agent's code does; may be async
    params   keywords for that function
    version  which configuration this is; without one, transcripts are not used again after the run

The function is called for each clip, as an agent calls it for each call: nothing of one clip
reaches the next. It is called once before the run too, in the main thread, where the frameworks
want their plugins to be imported, and where a missing key is one line and not one a clip.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar

from pytest_asrbench.errors import AsrBenchError, InputError, ProviderError, one_line
from pytest_asrbench.providers.base import Description, Frames
from pytest_asrbench.providers.failures import short
from pytest_asrbench.providers.http import configured
from pytest_asrbench.providers.needs import need_extra
from pytest_asrbench.providers.places import load_beside
from pytest_asrbench.providers.secrets import replaying, scrub
from pytest_asrbench.providers.streaming import FINAL_WAIT_S, positive


class Agent(ABC):
    """Raises InputError for code that can't be built or measured in this mode."""

    use: ClassVar[str]
    EXTRA: ClassVar[str]

    def __init__(
        self,
        *,
        stt: str,
        params: Mapping[str, Any] | None = None,
        version: str | None = None,
        folder: Path = Path(),
    ) -> None:
        need_extra(self.EXTRA, self.use)
        self.place = stt
        self.params = dict(params or {})
        self.version = None if version is None else str(version)
        self._function: Any = None
        if not replaying():
            self._function = self._loaded(folder)
            _in_this_thread(self._try_out())

    def describe(self) -> Description:
        return Description(
            self.use,
            settings=self.settings(),
            version=self.version,
            reusable=self.version is not None,
            custom=True,
        )

    def settings(self) -> dict[str, Any]:
        """What is measured, and how."""
        return {"stt": self.place, **self.params}

    async def built(self) -> Any:
        """A fresh object, which was checked. Raises InputError."""
        try:
            made = self._function(**self.params)
            made = await made if inspect.isawaitable(made) else made
        except AsrBenchError:
            raise
        except (Exception, SystemExit) as error:
            raise self.wrong(f"raised {one_line(error)}") from None
        made = self.completed(made)
        self.check(made)
        return made

    def completed(self, made: Any) -> Any:
        """With what the framework puts around it."""
        return made

    async def built_for_clip(self) -> Any:
        """The same in a run, where it is one clip's error."""
        try:
            return await self.built()
        except InputError as error:
            raise ProviderError(str(error)) from None

    @abstractmethod
    def check(self, made: Any) -> None:
        """Raises InputError where it is no recogniser, or none that this mode can measure."""

    @abstractmethod
    async def release(self, made: Any) -> None:
        """Let go of what was built and is not used."""

    def wrong(self, says: str) -> InputError:
        """The error with this about the team's object."""
        return InputError(scrub(f"provider {self.use}: {self.place} {says}"))

    async def _try_out(self) -> None:
        made = await self.built()
        with suppress(Exception):
            await self.release(made)

    def _loaded(self, folder: Path) -> Any:
        if ":" not in self.place:
            raise InputError(
                f"provider {self.use}: stt: {self.place} names no function; write module:function"
            )
        function = load_beside(self.place, self.use, folder)
        if not callable(function):
            raise self.wrong("is no function; name one that builds the recogniser")
        return function


class StreamedAgent(Agent):
    """With a room's or a transport's part in it: frames, their pace, and what comes after speech.

    `silence_s` of silence follow the recording, as they do in a call: a voice activity detector
    knows by them that speech has ended. `vad` is module:function that builds the agent's own.
    """

    RATE: ClassVar[int]
    FRAME_MS: ClassVar[int]
    SILENCE_S: ClassVar[float] = 1.0

    def __init__(
        self,
        *,
        stt: str,
        vad: str | None = None,
        params: Mapping[str, Any] | None = None,
        version: str | None = None,
        rate: int | str | None = None,
        frame_ms: int | str | None = None,
        realtime: bool | str = True,
        silence_s: float | str | None = None,
        final_wait_s: float | str = FINAL_WAIT_S,
        folder: Path = Path(),
    ) -> None:
        self.stream_rate = int(positive(self.use, "rate", rate or self.RATE))
        self.frame_ms = int(positive(self.use, "frame_ms", frame_ms or self.FRAME_MS))
        self.realtime = realtime not in (False, "false")
        self.silence_s = positive(self.use, "silence_s", silence_s or self.SILENCE_S)
        self.final_wait_s = positive(self.use, "final_wait_s", final_wait_s)
        self.vad = vad
        need_extra(self.EXTRA, self.use)
        self._detector = load_beside(vad, self.use, folder) if vad and not replaying() else None
        super().__init__(stt=stt, params=params, version=version, folder=folder)

    def settings(self) -> dict[str, Any]:
        sent = {
            "rate": self.stream_rate,
            "frame_ms": self.frame_ms,
            "realtime": self.realtime,
            "silence_s": self.silence_s,
            "vad": self.vad,
        }
        return configured(**sent) | super().settings()

    def detector(self) -> Any:
        """A fresh voice activity detector; None where none is configured."""
        return self._detector() if self._detector else None

    async def sound(self, frames: Frames, waits: Callable[[], bool]) -> AsyncIterator[bytes]:
        """The recording's frames, and at the same pace those of the silence after it, which lasts
        longer while the caller `waits`."""
        async for pcm in frames:
            yield pcm
        silent = bytes(2 * max(1, self.stream_rate * self.frame_ms // 1000))
        least, most = (s * 1000 / self.frame_ms for s in (self.silence_s, self.final_wait_s))
        sent = 0
        while sent < least or (waits() and sent < most):
            await asyncio.sleep(self.frame_ms / 1000 if self.realtime else 0)
            yield silent
            sent += 1


_logged: ContextVar[list[str] | None] = ContextVar("logged", default=None)


@contextmanager
def errors_logged(name: str) -> Iterator[list[str]]:
    """What a library's loggers say of errors inside, in this context and the tasks made in it."""
    logger, handler, said = logging.getLogger(name), _Noting(logging.ERROR), list[str]()
    token = _logged.set(said)
    logger.addHandler(handler)
    try:
        yield said
    finally:
        logger.removeHandler(handler)
        _logged.reset(token)


class _Noting(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        said, cause = _logged.get(), record.exc_info and record.exc_info[1]
        if said is not None:
            line = f"{record.getMessage()} ({one_line(cause)})" if cause else record.getMessage()
            said.append(scrub(short(line)))


def _in_this_thread(work: Coroutine[Any, Any, None]) -> None:
    """Run on a loop of its own, in whatever thread: the main one wherever that can be. Where a
    loop runs already, nothing can be tried out before the first clip."""
    if threading.current_thread() is threading.main_thread() and _no_loop_runs():
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(work)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
    else:
        work.close()


def _no_loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return True
    return False
