"""A bug in the user's own provider is found at once: where it raised, with what, for which clip."""

from __future__ import annotations

import re
import sys

import pytest

FAILED = pytest.ExitCode.TESTS_FAILED
BUG = """
import asyncio, logging, os, time
import pytest_asrbench
from pytest_asrbench import ProviderError

def decode(samples, beam):
    key = os.environ["MY_API_KEY"]
    raise KeyError(f"no beam {beam} with {key}")

@pytest_asrbench.provider("bug", version="1", concurrency=4)
def bug(audio):
    samples_seen = len(audio.samples)
    print(f"heard {samples_seen} samples")
    logging.getLogger("mine").warning("%d samples were long", samples_seen)
    if samples_seen == 803:
        return decode(samples_seen, beam=5)
    time.sleep(0.01)
    return "so 4100 4101 4102 it is"

@pytest_asrbench.provider("abug", version="1")
async def abug(audio):
    await asyncio.sleep(0)
    return bug(audio)

@pytest_asrbench.provider("told", version="1")
def told(audio):
    raise ProviderError("model b12 is not loaded")
"""


@pytest.fixture
def buggy(suite, monkeypatch):
    """Four clips; the last one's call raises."""
    monkeypatch.setenv("MY_API_KEY", "sk-0123456789abcdef")
    suite.many(4)
    suite.provider(BUG)
    suite.thresholds(ctem={"min": 0.1})
    return suite


@pytest.mark.slow
def test_the_traceback_is_that_of_the_users_code(buggy):
    result = buggy.run("--showlocals", "--asr-json=run.json", provider="bug")

    assert result.ret == FAILED
    text = result.stdout.str()
    result.stdout.fnmatch_lines(
        [
            "*ERROR at setup of test_clip?c03?*",
            "*return decode(samples_seen, beam=5)*",
            "samples_seen = 803",
            "conftest.py:16: ",
            '*raise KeyError(f"no beam {beam} with {key}")*',
            "E   *KeyError: 'no beam 5 with *'",
            "beam *= 5",
            "conftest.py:8: KeyError",
            "*Captured in the call for c03*",
            "heard 803 samples",
            "WARNING  mine:conftest.py:14 803 samples were long",
        ]
    )
    assert "sk-0123456789abcdef" not in text
    assert "heard 800 samples" not in text  # another clip's, and that clip was fine
    assert (
        "pytest_asrbench/"
        not in text.partition("short test summary")[0]
        .partition("ERRORS")[2]
        .partition("= asrbench =")[0]
    )
    (record,) = [each for each in buggy.run_file()["records"] if each["error"]]
    assert record["error"]["trace"][-1].startswith("KeyError: 'no beam 5 with ")
    assert any("conftest.py" in line and "in decode" in line for line in record["error"]["trace"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("style", "shown"),
    [
        ("short", "conftest.py:8: in decode"),
        ("line", "*conftest.py:8: KeyError: *"),
        ("native", '  File "*conftest.py", line 8, in decode'),
        ("long", "conftest.py:8: KeyError"),
        ("auto", "conftest.py:8: KeyError"),
    ],
)
def test_every_style_shows_where(buggy, style, shown):
    result = buggy.run(f"--tb={style}", provider="abug")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines([shown])
    result.stdout.no_fnmatch_line("*pytest_asrbench/engine*")
    result.stdout.no_fnmatch_line("*pytest_asrbench/providers*")
    result.stdout.no_fnmatch_line("*sk-0123456789abcdef*")


@pytest.mark.slow
def test_workers_show_it_too(buggy):
    result = buggy.run("-n2", provider="bug")

    assert result.ret == FAILED
    text = result.stdout.str()
    assert re.search(r'conftest\.py(:8: KeyError|", line 8, in decode)', text), text


@pytest.mark.slow
def test_an_error_that_the_code_words_itself_has_no_traceback(buggy):
    result = buggy.run(provider="told")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["4 clips without a result", "  provider: model b12 is not loaded"])
    result.stdout.no_fnmatch_line("*raise ProviderError*")


@pytest.mark.slow
def test_redacted_it_is_one_line(buggy):
    result = buggy.run("--asr-redact", "--showlocals", provider="bug")

    assert result.ret == FAILED
    result.stdout.no_fnmatch_line("*samples_seen = *")
    result.stdout.fnmatch_lines(["*bug raised KeyError*"])


@pytest.mark.slow
def test_without_capture_what_is_printed_is_seen_at_once(buggy):
    result = buggy.run("-s", provider="bug")

    result.stdout.fnmatch_lines(["*heard 800 samples*"])
    result.stdout.no_fnmatch_line("*Captured in the call*")
    assert not hasattr(sys.stdout, "_asrbench_write")


@pytest.mark.slow
def test_the_debugger_opens_at_the_raise(buggy):
    buggy.write()
    child = buggy.pytester.spawn_pytest(
        f"{' '.join(buggy.plugins())} --asr-provider=bug --pdb -k c03"
    )
    child.expect(r"\(Pdb\)")
    child.sendline("p beam * 100")
    child.expect("500")
    child.sendline("up")
    child.sendline("p samples_seen * 10")
    child.expect("8030")
    child.sendline("q")
    child.expect(pytest.importorskip("pexpect").EOF)
