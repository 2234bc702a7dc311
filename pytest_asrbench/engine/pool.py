"""
A background thread with an event loop that works through the clips while the tests run.

Work is taken in test order, what a test waits for first. What another process works on is left to
it and looked for only once a test here needs it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress
from math import ceil

from pytest_asrbench.engine.background import Background, BlockedError
from pytest_asrbench.engine.result import Result, failure
from pytest_asrbench.engine.share import Share
from pytest_asrbench.engine.slots import Slots
from pytest_asrbench.engine.threads import CANCELS, cancelled, went_on
from pytest_asrbench.engine.turns import ClosingError, Turns
from pytest_asrbench.errors import ProviderError

CALLS_GO_FIRST_S = 0.07
LOOK_AGAIN_S = 0.01
LOOK_FOR_SLOTS_S = 0.1
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
        background: Background,
        aclose: Callable[[], Awaitable[None]],
        *,
        shared: bool,
        runners_per_slot: int,
        patience_s: float,
    ) -> None:
        self._job = job
        self._share = share
        self._slots = slots
        self._turns = turns
        self._per_slot = runners_per_slot
        self._background = background
        self._loop = background.loop
        self._aclose = aclose
        self._shared = shared
        self._patience_s = patience_s
        self._futures: dict[str, Future[Result]] = {name: Future() for name in names}
        self._pending = OrderedDict.fromkeys(self._futures)
        self._urgent: OrderedDict[str, None] = OrderedDict()
        self._running: set[str] = set()
        self._wanted: set[str] = set()
        self._seeking: asyncio.Task[None] | None = None
        self._runners: set[asyncio.Task[None]] = set()
        self._watchers: set[asyncio.Task[None]] = set()
        self._closing = False
        turns.freed = self._give_back

    def start(self) -> None:
        self._background.start()
        self._background.call(self._hire)

    def wait(self, name: str, meanwhile: Callable[[], None]) -> Result:
        """The result, once there is one. Raises what the job raised.

        `meanwhile` is done if that takes long: by then the calls are under way, which it would have
        delayed, as one interpreter runs both.
        """
        future = self._futures[name]
        if not future.done():
            self._background.call(self._want, name)
            if wait([future], timeout=CALLS_GO_FIRST_S).not_done:
                meanwhile()
        try:
            self._background.wait(future, self._patience_s)
        except BlockedError as error:
            self._give_up(name, error)
        return future.result()

    def close(self, *, drain: bool) -> None:
        """Take no further clip. `drain` lets calls in flight end, else they get a moment."""
        try:
            self._background.stop(self._finish(drain), self._patience_s if drain else GRACE_S)
        except BlockedError as error:
            for name in [*self._running]:
                self._give_up(name, error)

    async def _finish(self, drain: bool) -> None:
        self._closing = True
        if not (drain and self._shared):
            self._turns.close()
        # Else what is begun comes to its end, as another process may wait for it: that one would
        # call anew where this one had tried a few times.
        await cancelled([*self._watchers, *([self._seeking] if self._seeking else [])])
        if runners := [*self._runners]:
            _, late = await asyncio.wait(runners, timeout=None if drain else GRACE_S)
            await cancelled(late)
            await self._turns.cancel()
        for future in self._futures.values():
            future.cancel()
        await self._aclose()
        await cancelled(asyncio.all_tasks() - {asyncio.current_task()})

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
                self._turns.grown()
                if self._slots.held >= wanted:
                    return
                await _nap(LOOK_FOR_SLOTS_S)
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
        self._give_back()

    def _give_back(self) -> None:
        """Slots that neither a runner nor a call needs any more."""
        with suppress(OSError):  # then the others see it when this process ends
            runners = ceil(len(self._runners) / self._per_slot)
            self._slots.give_back(max(runners, self._turns.busy))

    def _has_work(self) -> bool:
        return bool(self._urgent or self._pending) and not self._closing

    def _next(self) -> str:
        queue = self._urgent or self._pending
        return queue.popitem(last=False)[0]

    async def _do(self, name: str) -> None:
        try:
            if (result := self._share.result(name)) is not None:
                return self._settle(name, result)
            claim = self._share.claim(name)
            if claim is None:  # another process has it
                return None
            self._running.add(name)
            with claim:
                result = self._share.result(name)
                self._settle(name, await self._job(name) if result is None else result)
        except ClosingError:
            pass
        except asyncio.CancelledError:
            if not await went_on():
                raise
            self._give_up(name, ProviderError(CANCELS))
        except Exception as error:  # a fault of ours must reach the test, not hang it
            self._fail(name, error)
        finally:
            self._running.discard(name)
        return None

    def _settle(self, name: str, result: Result) -> None:
        with suppress(InvalidStateError):
            self._futures[name].set_result(result)

    def _fail(self, name: str, error: BaseException) -> None:
        with suppress(InvalidStateError):
            self._futures[name].set_exception(error)

    def _give_up(self, name: str, error: ProviderError) -> None:
        """A clip that other processes would call for anew; also called where the loop is stuck."""
        failed = Result(failure=failure(error))
        with suppress(OSError):
            if (result := self._share.result(name)) is not None:
                return self._settle(name, result)
            if name in self._running:  # the other processes would wait for it too
                self._share.put(name, failed)
        return self._settle(name, failed)

    def _want(self, name: str) -> None:
        """A test waits for it."""
        if self._futures[name].done() or name in self._wanted:
            return
        self._wanted.add(name)
        if name in self._pending:
            self._hurry(name)
        if self._shared:
            watcher = self._loop.create_task(self._watch(name))
            self._watchers.add(watcher)
            watcher.add_done_callback(self._watchers.discard)

    def _hurry(self, name: str) -> None:
        self._pending.pop(name, None)
        self._urgent[name] = None
        self._hire()

    async def _watch(self, name: str) -> None:
        """Look for another process's result, and take over from one that died."""
        try:
            while not self._futures[name].done():
                if name not in self._running:
                    self._look(name)
                await _nap(LOOK_AGAIN_S)
        except OSError as error:
            self._fail(name, error)

    def _look(self, name: str) -> None:
        if (result := self._share.result(name)) is not None:
            self._urgent.pop(name, None)
            self._settle(name, result)
        elif name not in self._urgent:
            claim = self._share.claim(name)
            if claim is not None:
                with claim:
                    self._hurry(name)


async def _nap(seconds: float) -> None:
    """However eagerly code of others cancels the loop's tasks."""
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        if not await went_on():
            raise
