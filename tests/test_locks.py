"""Locks are tried from other processes, as threads of one would hide what the system does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrbench.store.locks import lock, lock_byte, try_lock

OTHER = """
import sys
from pathlib import Path
from pytest_asrbench.store.locks import try_lock
held = {}
for line in sys.stdin:
    what, path, byte = line.rstrip("\\n").split("\\t")
    if what == "take":
        held[path, byte] = got = try_lock(Path(path), int(byte))
        print("got" if got else "refused", flush=True)
    else:
        held.pop((path, byte)).close()
        print("freed", flush=True)
"""


class Other:
    """Another process, told what to do line by line."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OTHER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def takes(self, path, byte=0) -> bool:
        return self._answer("take", path, byte) == "got"

    def frees(self, path, byte=0) -> None:
        assert self._answer("free", path, byte) == "freed"

    def can_have(self, path, byte=0) -> bool:
        if self.takes(path, byte):
            self.frees(path, byte)
            return True
        return False

    def _answer(self, *words) -> str:
        self.process.stdin.write("\t".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


@pytest.fixture
def other() -> Iterator[Other]:
    made = Other()
    yield made
    made.process.kill()
    made.process.communicate()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "lock"


def test_one_process_at_a_time_has_a_byte(path, other):
    with try_lock(path, 7):
        assert not other.takes(path, 7)
        assert other.takes(path, 8)
        assert try_lock(path, 8) is None
    assert other.takes(path, 7)
    assert try_lock(path, 7) is None


def test_to_free_one_keeps_the_others(path, other):
    """The system drops all of a process's locks on a file that the process closes."""
    first, second = try_lock(path, 1), try_lock(path, 2)
    assert try_lock(path, 2) is None  # nor does one that is refused close the file
    first.close()

    assert other.can_have(path, 1)
    assert not other.takes(path, 2)
    second.close()
    assert other.takes(path, 2)


@pytest.mark.slow
def test_a_refusal_by_another_process_keeps_the_others(path, other):
    assert other.takes(path, 1)
    with try_lock(path, 2):
        assert try_lock(path, 1) is None
        assert not other.takes(path, 2)


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_what_a_killed_process_had_is_free(path, other):
    assert other.takes(path, 3)
    other.process.send_signal(signal.SIGKILL)
    other.process.wait()

    with try_lock(path, 3) as held:
        assert held is not None


def test_threads_of_a_process_exclude_each_other(path):
    """The system would grant a process what it has."""
    start = threading.Barrier(8)
    got, inside, most = [], [], []

    def work():
        start.wait()
        for _ in range(50):
            if (held := try_lock(path, 5)) is not None:
                with held:
                    inside.append(1)
                    most.append(len(inside))
                    got.append(1)
                    inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    [each.start() for each in threads]
    [each.join() for each in threads]

    assert got
    assert max(most) == 1


def test_a_link_to_the_file_is_the_same_file(path, tmp_path, other):
    link = tmp_path / "link"
    with try_lock(path, 1):
        link.symlink_to(path)
        assert try_lock(link, 1) is None
        with try_lock(link, 2):
            pass
        assert not other.takes(path, 1)  # the second name's end did not end the first one's lock


@pytest.mark.slow
def test_a_file_that_was_removed_is_made_anew(path, other):
    old = try_lock(path, 1)
    path.unlink()
    with try_lock(path, 1) as new:
        assert new is not None
        assert not other.takes(path, 1)
        old.close()
        assert not other.takes(path, 1)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_fork_has_none_of_its_parent_s_locks_and_frees_none(path, other):
    held = try_lock(path, 1)
    if (child := os.fork()) == 0:
        refused = try_lock(path, 1) is None
        held.close()
        os._exit(0 if refused else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not other.takes(path, 1)
    held.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_fork_of_a_process_that_was_just_locking_can_lock(path):
    """Its parent's other threads are not in it, whatever they were at."""
    over = threading.Event()

    def work(byte):
        while not over.is_set():
            with try_lock(path, byte):
                pass

    threads = [threading.Thread(target=work, args=(byte,)) for byte in (1, 2)]
    [each.start() for each in threads]
    try:
        for _ in range(10):
            if (child := os.fork()) == 0:
                signal.alarm(20)  # a child that hangs is killed
                held = None
                try:
                    held = try_lock(path, 3)
                finally:
                    os._exit(0 if held else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        over.set()
        [each.join() for each in threads]


@pytest.mark.slow
def test_the_whole_file_is_waited_for(path, other):
    assert other.takes(path)
    freed_at = []

    def free():
        time.sleep(0.2)
        freed_at.append(time.monotonic())
        other.frees(path)

    thread = threading.Thread(target=free)
    thread.start()
    with lock(path):
        had_at = time.monotonic()
    thread.join()

    assert had_at > freed_at[0]


def test_a_folder_that_cannot_be_made_is_an_os_error(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(OSError, match=r"Not a directory|exists"):
        try_lock(tmp_path / "file" / "lock")


def test_keys_have_bytes_of_their_own():
    digests = [f"{n:064x}" for n in (0, 1 << 208, 2**256 - 1)]

    assert [lock_byte(each) for each in digests] == [0, 1, 2**48 - 1]


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="counts open files by /proc")
@settings(max_examples=30)
@given(steps=st.lists(st.tuples(st.booleans(), st.integers(0, 4)), max_size=30))
def test_any_order_of_taking_and_freeing(tmp_path_factory, steps):
    path = tmp_path_factory.mktemp("locks") / "lock"
    before = len(os.listdir("/proc/self/fd"))
    held: dict[int, ExitStack] = {}
    for take, byte in steps:
        if take:
            got = try_lock(path, byte)
            assert (got is None) == (byte in held)
            if got:
                held[byte] = got
        elif byte in held:
            held.pop(byte).close()
    for each in held.values():
        each.close()

    assert len(os.listdir("/proc/self/fd")) == before  # closed with the last lock
