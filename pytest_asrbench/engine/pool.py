"""
A background thread with an event loop that works through the clips while the tests run.

Work is taken in test order, what a test waits for first. What another process works on is left to
it and looked for only once a test here needs it.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import count
from math import ceil

from pytest_asrbench.engine.result import Result
from pytest_asrbench.engine.share import Share
from pytest_asrbench.engine.slots import Slots
from pytest_asrbench.engine.turns import ClosingError, Turns

CALLS_GO_FIRST_S = 0.1
LOOK_AGAIN_S = 0.01
LOOKS_A_CLAIM = 10  # to try a lock costs more than to look for a file
LOOK_FOR_SLOTS_S = 0.1
FILE_THREADS = 2  # one that waits for a slow file holds nobody up; more contend with the loop
GRACE_S = 2.0  # an interrupted run lets calls in flight end, as they are paid for


class Pool:
    """`job(name)` gives the result of one clip and repeat; ClosingError means that it gave up."""

    def __init__(
        self,
        names: Iterable[str],
        job: Callable[[str], Awaitable[Result]],
        share: Share,
        slots: Slots,
        turns: Turns,
        aclose: Callable[[], Awaitable[None]],
        *,
        runners_per_slot: int,
    ) -> None:
        self._job = job
        self._share = share
        self._slots = slots
        self._turns = turns
        self._per_slot = runners_per_slot
        self._aclose = aclose
        self._futures: dict[str, Future[Result]] = {name: Future() for name in names}
        self._pending = OrderedDict.fromkeys(self._futures)
        self._urgent: OrderedDict[str, None] = OrderedDict()
        self._running: set[str] = set()
        self._wanted: set[str] = set()
        self._seeking: asyncio.Task[None] | None = None
        self._runners: set[asyncio.Task[None]] = set()
        self._watchers: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="asrbench", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._loop.call_soon_threadsafe(self._hire)

    def wait(self, name: str, meanwhile: Callable[[], None]) -> Result:
        """The result, once there is one. Raises what the job raised.

        `meanwhile` is done if that takes long: by then the calls are under way, which it would have
        delayed, as one interpreter runs both.
        """
        future = self._futures[name]
        if not future.done():
            self._loop.call_soon_threadsafe(self._want, name)
            if wait([future], timeout=CALLS_GO_FIRST_S).not_done:
                meanwhile()
        while not future.done():
            # In short waits: a lock without time-out can't be interrupted on Windows.
            wait([future], timeout=1.0)
            if not self._thread.is_alive() and not future.done():
                raise RuntimeError("the engine's thread has ended; this is a bug")
        return future.result()

    async def sleep(self, seconds: float) -> None:
        """Raises ClosingError as soon as the run ends: nothing in flight is lost by that."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
            raise ClosingError

    def close(self, *, drain: bool) -> None:
        """Take no further clip. `drain` lets calls in flight end, else they get a moment."""
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._finish(drain), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.set_default_executor(ThreadPoolExecutor(FILE_THREADS))
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    async def _finish(self, drain: bool) -> None:
        self._closing.set()
        self._turns.close()
        for waiting in (*self._watchers, *([self._seeking] if self._seeking else [])):
            waiting.cancel()
        if runners := [*self._runners]:
            _, late = await asyncio.wait(runners, timeout=None if drain else GRACE_S)
            for runner in late:
                runner.cancel()
            await asyncio.gather(*late, return_exceptions=True)
            await self._turns.cancel()
        for future in self._futures.values():
            future.cancel()
        await self._aclose()
        await self._loop.shutdown_default_executor()

    def _hire(self) -> None:
        """See to it that there are as many runners as there is work for, up to the bounds."""
        if self._seeking is None or self._seeking.done():
            self._seeking = self._loop.create_task(self._seek())

    async def _seek(self) -> None:
        """Take slots until there are enough, and put a runner to work on each."""
        try:
            while self._has_work():
                work = len(self._runners) + len(self._urgent) + len(self._pending)
                wanted = min(self._slots.here, ceil(work / self._per_slot))
                self._slots.take(wanted)
                most = min(work, self._slots.held * self._per_slot)
                for _ in range(most - len(self._runners)):
                    runner = self._loop.create_task(self._run())
                    self._runners.add(runner)
                    runner.add_done_callback(self._leave)
                if self._slots.held >= wanted:
                    return
                await asyncio.sleep(LOOK_FOR_SLOTS_S)
        except OSError as error:  # no slot can be had: waiting would hang the tests
            for name in [*self._urgent, *self._pending]:
                self._fail(name, error)
            self._urgent.clear()
            self._pending.clear()

    async def _run(self) -> None:
        while self._has_work():
            await self._do(self._next())

    def _leave(self, runner: asyncio.Task[None]) -> None:
        self._runners.discard(runner)
        with suppress(OSError):  # then the others see it when this process ends
            self._slots.give_back(ceil(len(self._runners) / self._per_slot))

    def _has_work(self) -> bool:
        return bool(self._urgent or self._pending) and not self._closing.is_set()

    def _next(self) -> str:
        queue = self._urgent or self._pending
        return queue.popitem(last=False)[0]

    async def _do(self, name: str) -> None:
        try:
            if (result := self._share.result(name)) is not None:
                return self._settle(name, result)
            claim = self._share.claim(name)
            if claim is None:  # another process has it
                return self._look_out(name) if name in self._wanted else None
            self._running.add(name)
            with claim:
                result = self._share.result(name)
                self._settle(name, await self._job(name) if result is None else result)
        except ClosingError:
            pass
        except Exception as error:  # a fault of ours must reach the test, not hang it
            self._fail(name, error)
        finally:
            self._running.discard(name)
        return None

    def _settle(self, name: str, result: Result) -> None:
        if not self._futures[name].done():
            self._futures[name].set_result(result)

    def _fail(self, name: str, error: BaseException) -> None:
        if not self._futures[name].done():
            self._futures[name].set_exception(error)

    def _want(self, name: str) -> None:
        """A test waits for it."""
        if self._futures[name].done() or name in self._wanted:
            return
        self._wanted.add(name)
        if name in self._pending:
            del self._pending[name]
            self._urgent[name] = None
            self._hire()
        elif name not in self._running:
            self._look_out(name)

    def _look_out(self, name: str) -> None:
        watcher = self._loop.create_task(self._watch(name))
        self._watchers.add(watcher)
        watcher.add_done_callback(self._watchers.discard)

    async def _watch(self, name: str) -> None:
        """Look for another process's result, and take over from one that died."""
        for look in count():
            if (result := self._share.result(name)) is not None:
                return self._settle(name, result)
            claim = self._share.claim(name) if look % LOOKS_A_CLAIM == 0 else None
            if claim is not None:
                with claim:
                    pass
                self._urgent[name] = None
                self._hire()
                return None
            await asyncio.sleep(LOOK_AGAIN_S)
        return None
