"""Runs that are told to end, and runs that are killed: what they print, and what they leave."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.engine_clips import until

from pytest_asrbench.plugin import run_folder, termination

INTERRUPTED, OK = pytest.ExitCode.INTERRUPTED, pytest.ExitCode.OK
pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

WAITS = """
import os, time
def test_clip(asr_result):
    if asr_result.clip == "c03":
        with open("at-work", "a") as file: file.write(f"{os.getpid()}\\n")
        while not os.path.exists("go-on"): time.sleep(0.01)
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The system's folder for temporary files, as the runs of a test see it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    return folder


@pytest.fixture
def waiting(suite, temporary, workers):
    """Starts a run whose last test waits, and gives the process once it does."""
    suite.many(4)
    suite.provider(
        "import pytest_asrbench\n"
        "@pytest_asrbench.provider('own')\n"
        "def own(audio): return 'so 4100 it is'\n"
    )
    suite.tests = WAITS
    suite.write()
    started = []

    def start():
        command = [
            sys.executable, "-m", "pytest", *suite.plugins(), *workers, "--asr-provider=own",
        ]  # fmt: skip
        process = subprocess.Popen(
            command,
            cwd=suite.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        until((suite.folder / "at-work").exists)
        return process

    yield start
    (suite.folder / "go-on").touch()
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def left(temporary: Path) -> list[Path]:
    return list(temporary.glob("asrbench-*"))


def at_work(suite) -> list[int]:
    """The processes whose tests waited."""
    return list(map(int, (suite.folder / "at-work").read_text().split()))


def gone(pid: int) -> bool:
    """Whether the process has ended; a zombie has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.slow
def test_the_folder_of_a_run_is_private(waiting, temporary):
    waiting()

    [folder] = left(temporary)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.slow
def test_sigterm_ends_a_run_as_ctrl_c_does(suite, waiting, temporary):
    run = waiting()

    run.send_signal(signal.SIGTERM)
    out, _ = run.communicate(timeout=60)

    assert run.returncode == INTERRUPTED
    assert "gates not evaluated: the run stopped early" in out
    assert "KeyboardInterrupt" in out
    assert left(temporary) == []
    until(lambda: all(map(gone, at_work(suite))))


@pytest.mark.slow
def test_a_second_sigterm_ends_it_on_the_spot(waiting, suite):
    suite.file(
        "conftest.py",
        (suite.folder / "conftest.py").read_text() + "import time\n"
        "def pytest_keyboard_interrupt():\n"
        "    open('ending', 'w').close()\n"
        "    time.sleep(60)\n",
    )
    run = waiting()

    run.send_signal(signal.SIGTERM)
    until((suite.folder / "ending").exists)
    run.send_signal(signal.SIGTERM)

    assert run.wait(timeout=50) == -signal.SIGTERM


@pytest.mark.slow
def test_what_a_killed_run_leaves_is_removed_by_the_next(suite, waiting, temporary):
    run = waiting()
    run.kill()
    run.communicate()
    [folder] = left(temporary)
    (suite.folder / "go-on").touch()
    until(lambda: all(map(gone, at_work(suite))))

    result = suite.run("--asr-gate=off")

    assert result.ret == OK
    assert not folder.exists()
    assert left(temporary) == []


@pytest.mark.slow
def test_the_folder_of_a_run_that_goes_on_stays(suite, waiting, temporary):
    run = waiting()

    other = subprocess.run(
        [sys.executable, "-m", "pytest", *suite.plugins(), "--asr-provider=recorded",
         "--asr-gate=off", "-k", "c01"],
        cwd=suite.folder, check=False, capture_output=True,
    )  # fmt: skip
    (suite.folder / "go-on").touch()
    out, _ = run.communicate(timeout=60)

    assert other.returncode == OK
    assert "4 of 4 clips" in out
    assert left(temporary) == []


@pytest.mark.slow
def test_a_worker_that_outlives_its_controller_keeps_the_folder(temporary):
    folder, remove = run_folder.make()
    worker = subprocess.Popen(
        [sys.executable, "-c",
         "import sys; from pathlib import Path; from pytest_asrbench.plugin import run_folder\n"
         "held = run_folder.alive(Path(sys.argv[1])); print('alive', flush=True); input()",
         str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert worker.stdout.readline() == "alive\n"
    (folder / f"alive-{os.getpid()}.lock").unlink()  # as if this process were dead

    second, remove_second = run_folder.make()
    kept = folder.exists()
    worker.communicate("\n")
    _, remove_third = run_folder.make()

    assert kept
    assert not folder.exists()
    assert second.exists()
    remove()
    remove_second()
    remove_third()
    assert left(temporary) == []


def test_what_is_not_surely_a_dead_run_of_ours_is_not_touched(temporary, tmp_path):
    others = tmp_path / "others"
    others.mkdir(mode=0o700)
    (others / "alive-1.lock").touch()
    (temporary / "asrbench-run-link").symlink_to(others, target_is_directory=True)
    (temporary / "asrbench-run-file").touch()
    (temporary / "asrbench-run-fresh").mkdir(mode=0o700)  # its lock is made in a moment
    public = temporary / "asrbench-run-public"
    public.mkdir()
    public.chmod(0o777)
    (public / "alive-1.lock").touch()
    dead = temporary / "asrbench-run-dead"
    dead.mkdir(mode=0o700)
    (dead / "alive-1.lock").touch()
    (dead / "link").symlink_to(others, target_is_directory=True)
    old = temporary / "asrbench-run-old"
    old.mkdir(mode=0o700)
    os.utime(old, (0, 0))
    before = {path.name for path in left(temporary)}

    folder, remove = run_folder.make()
    remove()

    assert before - {path.name for path in left(temporary)} == {dead.name, old.name}
    assert (others / "alive-1.lock").exists()
    assert not folder.exists()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs root")
def test_folders_of_other_users_are_not_touched(temporary):
    other = temporary / "asrbench-run-other"
    other.mkdir(mode=0o700)
    (other / "alive-1.lock").touch()
    os.chown(other, 12345, 12345)

    _, remove = run_folder.make()
    remove()

    assert (other / "alive-1.lock").exists()


@pytest.mark.slow
def test_runs_that_start_at_once_do_not_remove_each_others_folders(temporary):
    """Each of eight processes makes and removes folders, and looks whether its own are there."""
    code = (
        "from pytest_asrbench.plugin import run_folder\n"
        "for _ in range(40):\n"
        "    folder, remove = run_folder.make()\n"
        "    file = folder / 'results' / 'x'\n"
        "    file.parent.mkdir()\n"
        "    file.write_text('x')\n"
        "    assert folder.stat().st_mode & 0o777 == 0o700\n"
        "    assert file.read_text() == 'x'\n"
        "    remove()\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    errors = [run.communicate(timeout=120)[1] for run in runs]

    assert [run.returncode for run in runs] == [0] * 8, errors
    assert left(temporary) == []


def test_whoever_handles_sigterm_keeps_it():
    def theirs(number, frame):
        """Somebody else's."""

    before = signal.signal(signal.SIGTERM, theirs)
    try:
        restore = termination.as_interrupt()
        kept = signal.getsignal(signal.SIGTERM)
        restore()
        assert kept is signal.getsignal(signal.SIGTERM) is theirs
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.slow
def test_a_run_in_this_process_restores_the_default(suite, temporary):
    suite.many(2)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL

    result = suite.run("--asr-gate=off")

    assert result.ret == OK
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.slow
@pytest.mark.parametrize("thread", [False, True], ids=["main thread", "another thread"])
def test_a_fork_that_a_test_makes_dies_of_sigterm(suite, temporary, thread):
    """However soon it comes; in another thread, once the fork is on its way."""
    suite.many(2)
    suite.tests = f"""
import os, signal, threading, time

def forked(ready):
    child = os.fork()
    if child == 0:
        os.write(ready, b"x")
        for _ in range(6000): time.sleep(0.01)  # handlers run between two calls
        os._exit(0)
    return child

def check():
    for _ in range(20):
        reader, writer = os.pipe()
        child = forked(writer)
        if {thread}:
            os.read(reader, 1)
        os.kill(child, signal.SIGTERM)
        ended.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        os.close(reader)
        os.close(writer)

ended = []

def test_clip(asr_result):
    if {thread}:
        checking = threading.Thread(target=check)
        checking.start()
        checking.join()
    else:
        check()
    assert set(ended) == {{-signal.SIGTERM}}
    handler = signal.getsignal(signal.SIGTERM)
    assert callable(handler)
"""

    result = suite.run("--asr-gate=off", "-W", "ignore::DeprecationWarning", own_process=True)

    assert result.ret == OK
    assert result.parseoutcomes()["passed"] == 2
