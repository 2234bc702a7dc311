"""
xdist's workers as forks of a process that has everything loaded: each costs a fifth of the CPU.

For a run in this process xdist starts each worker as another interpreter, which loads pytest, numpy
and this package before its first test. Here multiprocessing's fork server loads them once; what it
forks takes up the pipes and goes on as that interpreter would: the same gateway and protocol, in a
process of its own that can be killed. Runs in a process of their own have xdist's own workers.
"""

from __future__ import annotations

import atexit
import multiprocessing
import multiprocessing.popen_forkserver  # pytester would unload it, and so forget the server
import os
import sys
from multiprocessing import forkserver
from multiprocessing.reduction import DupFd
from typing import Any

import pytest
from execnet import gateway_io
from execnet.gateway_base import Popen2IO


def use(patch: pytest.MonkeyPatch) -> None:
    """Where processes can be forked with ease; elsewhere workers start as ever."""
    if sys.platform == "linux":
        patch.setattr(gateway_io, "Popen2IOMaster", ForkedIO)


class ForkedIO(Popen2IO):
    """Has the arguments and methods of `execnet.gateway_io.Popen2IOMaster`."""

    def __init__(self, args: list[str], execmodel: Any) -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        handed = [_Handed(number) for number in (theirs_in, theirs_out, 2)]
        self._process = _server().Process(
            target=_work, args=(handed, os.getcwd(), dict(os.environ)), daemon=True
        )
        self._process.start()
        os.close(theirs_in)
        os.close(theirs_out)
        super().__init__(os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb"), execmodel)

    def wait(self) -> int | None:
        self._process.join()
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()


class _Handed:
    """A file descriptor that goes to a process as that is started, and arrives as a number."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (DupFd(self._number),)


def _arrived(handed: Any) -> int:
    number: int = handed.detach()
    return number


def _server() -> Any:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["helpers.preloaded", __name__])
    with pytest.MonkeyPatch.context() as patch:  # before Python 3.14 it has a path of its own
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        forkserver.ensure_running()
    return context


def _work(pipes: list[int], folder: str, environ: dict[str, str]) -> None:
    """As `python -c "import sys;exec(eval(sys.stdin.readline()))"` with these pipes does."""
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
        os.close(pipe)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    exec(eval(sys.stdin.readline()), {"__name__": "__main__"})
    atexit._run_exitfuncs()
