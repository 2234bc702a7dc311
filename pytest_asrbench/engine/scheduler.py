"""
Works through the clips of one process while its tests run: in test order, what a test waits for
first, and so many calls at once.

Files are read a little ahead, in threads. What another process works on is left to it and looked
for only once a test here needs it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import AbstractContextManager, suppress
from math import ceil
from typing import Any

from pytest_asrbench.engine.call import ClosingError, cancel
from pytest_asrbench.engine.clip_task import ClipTask
from pytest_asrbench.engine.live import LiveRun
from pytest_asrbench.engine.loop_thread import BlockedError, LoopThread
from pytest_asrbench.engine.result import Result, failure
from pytest_asrbench.engine.run_cache import LOOK_AGAIN_S
from pytest_asrbench.engine.threads import CANCELS
from pytest_asrbench.engine.timers import Timers
from pytest_asrbench.errors import ProviderError

CALLS_GO_FIRST_S = 0.07
LOOK_FOR_OTHERS_S = 0.01
LOOK_FOR_SLOTS_S = 0.1
# What is read ahead waits until the answers that come in now are through; and one by one, as
# threads contend with the loop.
READ_LATER_S = 0.06
READ_APART_S = 0.003
GRACE_S = 2.0  # an interrupted run lets calls in flight end, as they are paid for


class Scheduler:
    """All but start, wait and close happens on the loop, in callbacks; what may last is a task.

    Tasks go from call to call, so that the next is made before the loop turns to the other answers
    that are in by then. Behind a semaphore it would wait for all of them, while connection after
    connection falls idle.
    """

    def __init__(
        self,
        run: LiveRun,
        task: Callable[[str, AbstractContextManager[Any]], ClipTask],
    ) -> None:
        """`task` makes one of a name and its claim."""
        self._run = run
        self._task = task
        self._share = run.share
        self._slots = run.slots
        self._closing = run.closing
        self._loop = LoopThread(run.store.note)
        self._futures: dict[str, Future[Result]] = {name: Future() for name in run.work}
        self._pending = OrderedDict.fromkeys(self._futures)
        self._in_hand: dict[str, ClipTask] = {}
        self._reading: set[str] = set()
        self._ready: deque[ClipTask] = deque()
        self._at_work: dict[asyncio.Task[None], ClipTask | None] = {}
        self._wanted: dict[str, None] = {}
        self._timers = Timers()
        self._closed = False

    def start(self) -> None:
        self._loop.start()
        self._loop.call(self._go_on)

    def wait(self, name: str, meanwhile: Callable[[], None]) -> Result:
        """The result, once there is one. Raises what getting it raised.

        `meanwhile` is done if that takes long: by then the calls are under way, which it would have
        delayed, as one interpreter runs both.
        """
        future = self._futures[name]
        if not future.done():
            self._loop.call(self._go_on, name)
            if wait([future], timeout=CALLS_GO_FIRST_S).not_done:
                meanwhile()
        try:
            self._loop.wait(future, self._run.patience_s)
        except BlockedError as error:
            self._give_up(name, error)
        return future.result()

    def close(self, *, drain: bool) -> None:
        """Take no further clip. `drain` lets calls in flight end, else they get a moment."""
        try:
            self._loop.stop(self._finish(drain), self._run.patience_s if drain else GRACE_S)
        except BlockedError as error:
            for name in [*self._in_hand]:
                self._give_up(name, error)

    async def _finish(self, drain: bool) -> None:
        self._closed = True
        if not drain or self._share.alone:
            self._closing.begin()
        # Else what is begun comes to its end, as another process may wait for it: that one would
        # call anew where this one had tried a few times.
        self._timers.cancel()
        if self._at_work:
            _, late = await asyncio.wait(self._at_work, timeout=None if drain else GRACE_S)
            self._closing.cancelling = True
            await cancel(late)
        self._closing.cancelling = True
        at_work = {task.name for task in self._at_work.values() if task}
        for name in {*self._in_hand} - at_work - self._reading:
            self._let_go(self._in_hand[name])
        for future in self._futures.values():
            future.cancel()
        await self._run.aclose()
        await cancel(asyncio.all_tasks() - {asyncio.current_task()})

    def _go_on(self, wanted: str | None = None) -> None:
        """Read what may be read, and call for what is ready; first what a test has `wanted`."""
        if wanted is not None and not self._futures[wanted].done():
            self._wanted[wanted] = None
            self._prioritise(wanted)
            if not self._share.alone:
                self._timers.later(LOOK_FOR_OTHERS_S, self._look_for_others)
        if self._closed:
            return
        try:
            self._take_slots()
            self._read_ahead()
        except Exception as error:  # the run's folder can't be used, say: it must reach the tests
            self._fail_all(error)
        while self._ready and self._vacant > 0:
            task = asyncio.get_running_loop().create_task(self._work())
            self._at_work[task] = None
            task.add_done_callback(self._left)

    @property
    def _vacant(self) -> int:
        """Places for calls: those of this process alone, or under xdist slots of the run."""
        places = self._slots.here if self._share.alone else self._slots.held
        return places - len(self._at_work)

    async def _work(self) -> None:
        """Go from clip to clip as long as there are any."""
        me = asyncio.current_task()
        assert me is not None
        while self._ready and self._vacant >= 0 and not self._closed:
            self._at_work[me] = task = self._ready.popleft()
            self._timers.later(READ_LATER_S, self._go_on)
            try:
                self._settle(task, await task.run())
            except ClosingError:
                pass
            except Exception as error:  # a fault of ours must reach the test, not hang it
                self._fail(task.name, error)
            self._let_go(task)
            self._at_work[me] = None

    def _left(self, task: asyncio.Task[None]) -> None:
        """Its place is free. One that code of others has cancelled leaves a clip behind."""
        if (clip := self._at_work.pop(task)) is not None:
            if not self._closing.cancelling:
                self._give_up(clip.name, ProviderError(CANCELS))
            self._let_go(clip)
        self._go_on()

    def _take_slots(self) -> None:
        """As many as there is work for; those that no call needs any more are given back."""
        in_hand = len(self._in_hand)
        if self._pending:
            wanted = min(self._slots.here, ceil((in_hand + len(self._pending)) / self._run.ahead))
            self._slots.take(wanted)
            if self._slots.held < wanted:
                self._timers.later(LOOK_FOR_SLOTS_S, self._go_on)
        else:
            with suppress(OSError):  # then the others see it when this process ends
                self._slots.give_back(max(len(self._at_work), ceil(in_hand / self._run.ahead)))

    def _read_ahead(self) -> None:
        """At once for places that stand empty, else one by one."""
        most = self._slots.held * self._run.ahead
        while self._pending and len(self._in_hand) < most:
            self._take_up(name := next(iter(self._pending)))
            self._pending.pop(name, None)
            if len(self._reading) + len(self._ready) >= self._vacant:
                if self._pending and len(self._in_hand) < most:
                    self._timers.later(READ_APART_S, self._go_on)
                return

    def _take_up(self, name: str) -> None:
        """Raises OSError."""
        if (claim := self._share.claim(name)) is None:  # another process has it
            return
        task = self._in_hand[name] = self._task(name, claim)
        if (result := self._share.result(name)) is not None:
            self._set(name, result)
            self._let_go(task)
        else:
            self._read(task)

    def _read(self, task: ClipTask) -> None:
        if self._closed:
            return self._let_go(task)
        self._reading.add(task.name)
        self._loop.files.submit(task.prepare).add_done_callback(
            lambda read: self._loop.call_or(task.close, self._have_read, task, read)
        )
        return None

    def _have_read(self, task: ClipTask, read: Future[bool]) -> None:
        self._reading.discard(task.name)
        if self._closed:
            return self._let_go(task)
        try:
            if not read.result():  # another clip or run calls for the same
                asyncio.get_running_loop().call_later(LOOK_AGAIN_S, self._read, task)
                return None
            if (result := task.without_call()) is not None:
                self._settle(task, result)
                self._let_go(task)
            else:
                self._ready.append(task)
                if task.name in self._wanted:
                    self._prioritise(task.name)
        except Exception as error:
            self._fail(task.name, error)
            self._let_go(task)
        return self._go_on()

    def _let_go(self, task: ClipTask) -> None:
        self._in_hand.pop(task.name, None)
        task.close()

    def _settle(self, task: ClipTask, result: Result) -> None:
        """Publish it, for the tests here and for other processes."""
        try:
            self._share.put(task.name, result)
        except OSError as error:  # what was paid for is still a result here
            self._run.store.note(
                f"{self._share.folder}: can't be written ({error.strerror}); other workers may "
                "call again for what this one has; make room"
            )
        self._set(task.name, result)

    def _set(self, name: str, result: Result) -> None:
        self._wanted.pop(name, None)
        with suppress(InvalidStateError):
            self._futures[name].set_result(result)

    def _fail(self, name: str, error: BaseException) -> None:
        self._wanted.pop(name, None)
        with suppress(InvalidStateError):
            self._futures[name].set_exception(error)

    def _fail_all(self, error: Exception) -> None:
        for name in self._pending:
            self._fail(name, error)
        self._pending.clear()

    def _give_up(self, name: str, error: ProviderError) -> None:
        """A clip that other processes would call for anew; also called where the loop is stuck."""
        failed = Result(failure=failure(error))
        with suppress(OSError):
            if (result := self._share.result(name)) is not None:
                failed = result
            elif name in self._in_hand:  # the other processes would wait for it too
                self._share.put(name, failed)
        self._set(name, failed)

    def _prioritise(self, name: str) -> None:
        if name in self._pending:
            self._pending.move_to_end(name, last=False)
        if (task := self._in_hand.get(name)) is not None and task in self._ready:
            self._ready.remove(task)
            self._ready.appendleft(task)

    def _look_for_others(self) -> None:
        """Look for clips that tests wait for, done by another process or left by one that died."""
        try:
            for name in [name for name in self._wanted if name not in self._in_hand]:
                if (result := self._share.result(name)) is not None:
                    self._pending.pop(name, None)
                    self._set(name, result)
                elif name not in self._pending:
                    self._pending[name] = None
                    self._prioritise(name)
        except OSError as error:
            for name in [*self._wanted]:
                self._fail(name, error)
        if self._wanted and not self._closed:
            self._go_on()
            self._timers.later(LOOK_FOR_OTHERS_S, self._look_for_others)
