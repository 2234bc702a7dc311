"""A run that did not measure what it should never ends with exit code 0."""

from __future__ import annotations

from importlib import import_module
from unittest.mock import Mock

import pytest
from helpers.plugin_suite import PER_ENTITY, TEST_CLIP

OK, FAILED, USAGE = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.USAGE_ERROR
INTERRUPTED = pytest.ExitCode.INTERRUPTED

XUNIT1 = ("--junitxml=j.xml", "-o", "junit_family=xunit1")  # the default has no record_property


@pytest.fixture
def four(suite):
    """Four clips, all recovered: a run that is complete holds its gates."""
    suite.many(4)
    suite.thresholds(ctem={"min": 1.0})
    return suite


@pytest.mark.slow
@pytest.mark.parametrize("gate", ["auto", "on"])
def test_a_killed_worker_fails_the_run(four, gate):
    four.tests = TEST_CLIP + (
        "import os\ndef test_z_last(asr_result):\n    if asr_result.clip == 'c03': os._exit(9)\n"
    )

    result = four.run("-n2", f"--asr-gate={gate}")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*worker 'gw?' crashed while running*"])


@pytest.mark.slow
def test_killed_workers_that_are_not_replaced_fail_completeness(four):
    four.tests = "import os\ndef test_clip(asr_result): os._exit(9)\n"

    result = four.run("-n2", "--max-worker-restart=0")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?complete?*4 clips without a result*"])


@pytest.mark.slow
def test_a_keyboard_interrupt_is_no_pass(four, workers):
    four.tests = (
        "def test_clip(asr_result):\n    if asr_result.clip == 'c03': raise KeyboardInterrupt\n"
    )

    result = four.run(*workers, own_process=True)

    assert result.ret == INTERRUPTED
    result.stdout.fnmatch_lines(["*gates not evaluated: the run stopped early, ? of 4 clips*"])
    result.stdout.no_fnmatch_line("*gate[[]ctem*")


@pytest.mark.slow
@pytest.mark.parametrize(
    "value",
    ["__import__('pathlib').Path('x')", "__import__('numpy').float64(0.5)", "object()"],
    ids=["path", "numpy", "object"],
)
def test_a_value_that_cannot_be_sent_arrives_as_text(four, value):
    four.tests = (
        "def test_clip(asr_result, record_property):\n"
        f"    if asr_result.clip == 'c03': record_property('x', {value})\n"
    )

    result = four.run("-n2", *XUNIT1)

    assert result.ret == OK
    assert result.parseoutcomes() == {"passed": 7}
    assert len(four.junit().findall(".//property[@name='x']")) == 1


@pytest.mark.slow
def test_a_worker_that_fails_to_send_fails_the_run(four):
    # Another plugin breaks the report after ours made it sendable.
    four.provider(
        "import pytest\n"
        "@pytest.hookimpl(wrapper=True, tryfirst=True)\n"
        "def pytest_report_to_serializable(report):\n"
        "    data = yield\n"
        "    if 'c03' in report.nodeid and report.when == 'teardown': data['x'] = object()\n"
        "    return data\n"
    )

    result = four.run("-n2")

    assert result.ret != OK
    # Where pytest-xdist still waits for the test, it ends at once, and no summary is printed.
    ended = result.ret == pytest.ExitCode.INTERNAL_ERROR
    said = "INTERNALERROR>*" if ended else "*internal error in pytest or a plugin*"
    result.stdout.fnmatch_lines([said])


@pytest.mark.slow
@pytest.mark.parametrize("passes", [True, False])
def test_a_lone_surrogate_in_the_very_last_test_kills_nothing(suite, workers, passes):
    suite.many(3)
    suite.clip("z", heard="so 9 it is \udcff", plain_number="9")
    suite.thresholds(ctem={"min": 1.0})
    suite.tests = (
        "def test_clip(asr_result, asr_transcript, record_property):\n"
        "    record_property('heard', asr_transcript)\n"
        "    print(asr_transcript)\n"
        f"    assert asr_result.clip != 'z' or {passes}, asr_transcript\n"
    )

    result = suite.run(*workers, *XUNIT1, "--asr-json=run.json", "-rA")

    assert result.ret == (OK if passes else FAILED)
    assert result.parseoutcomes()["passed"] == (7 if passes else 6)
    assert suite.run_file()["records"][-1]["transcript"] == "so 9 it is \udcff"


@pytest.mark.slow
@pytest.mark.parametrize("option", ["-x", "--maxfail=1"])
def test_a_run_that_stops_early_is_not_evaluated(four, workers, option):
    four.tests = "def test_clip(asr_result): assert asr_result.clip != 'c01'\n"

    result = four.run(*workers, option, "--asr-json=run.json")

    assert result.ret in (FAILED, INTERRUPTED)
    result.stdout.fnmatch_lines(["*gates not evaluated: the run stopped early, ? of 4 clips*"])
    result.stdout.no_fnmatch_line("*gate[[]ctem*")
    assert four.run_file()["records"]


REPORTING = (
    "def pytest_runtest_logreport(report):\n"
    "    if 'gate[ctem]' in report.nodeid: raise RuntimeError('out of paper')\n"
)


@pytest.mark.slow
def test_an_exception_at_the_gates_loses_no_record(four, workers):
    four.file("conftest.py", REPORTING)

    result = four.run(*workers, "--asr-json=run.json", "--asr-md=run.md")

    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    assert "RuntimeError: out of paper" in result.stdout.str() + result.stderr.str()
    notice = "gates not evaluated: RuntimeError: out of paper, 4 of 4 clips measured"
    assert notice in (four.folder / "run.md").read_text().replace("&#58;", ":")
    assert len(four.run_file()["records"]) == 4
    assert four.run_file()["gates"] == []


@pytest.mark.slow
@pytest.mark.parametrize("broken", [["evaluate"], ["evaluate", "of_clips"]])
def test_of_two_exceptions_at_the_gates_the_first_is_told(four, workers, monkeypatch, broken):
    judging = import_module("pytest_asrbench.plugin.gate_runner")  # an earlier run's was unloaded
    for name in broken:
        monkeypatch.setattr(judging, name, Mock(side_effect=RuntimeError(f"{name} is broken")))

    result = four.run(*workers, "--asr-json=run.json")

    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    told = result.stdout.str() + result.stderr.str()
    assert "RuntimeError: evaluate is broken" in told
    assert (four.folder / "run.json").exists() == ("of_clips" not in broken)


@pytest.mark.slow
def test_an_exception_in_a_report_loses_no_record(four, workers, monkeypatch):
    from pytest_asrbench.reports import view_model

    monkeypatch.setattr(view_model, "gather", Mock(side_effect=RuntimeError("out of words")))

    result = four.run(*workers, "--asr-json=run.json")

    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    assert "RuntimeError: out of words" in result.stdout.str() + result.stderr.str()
    assert {gate["outcome"] for gate in four.run_file()["gates"]} == {"passed", "ungated"}


@pytest.mark.slow
def test_a_gate_that_fails_under_x_still_shows_all_gates(four, workers):
    four.thresholds(ctem={"min": 1.0}, wer={"max": 0.0})
    four.heard["c00"] = "so 4100 is it"

    result = four.run(*workers, "-x")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines_random(["*gate?wer?*"])
    assert result.parseoutcomes()["passed"] == 7


@pytest.mark.slow
def test_errors_during_collection_are_no_pass(four, workers):
    four.file("test_broken.py", "import nothing_of_that_name\n")

    result = four.run(*workers)

    assert result.ret in (INTERRUPTED, FAILED)
    result.stdout.no_fnmatch_line("*gate[[]ctem*")


@pytest.mark.slow
def test_a_rerun_does_not_become_the_best_of_several(four, workers):
    four.extra_plugins = ["pytest_rerunfailures"]
    four.tests = (
        "seen = []\n"
        "def test_clip(asr_result):\n"
        "    seen.append(asr_result.clip)\n"
        "    assert seen.count('c03') != 1 or asr_result.clip != 'c03'\n"
    )
    four.heard["c03"] = "nothing"

    result = four.run(*workers, "--reruns=2", "--asr-json=run.json")

    assert result.ret == FAILED
    assert result.parseoutcomes()["rerun"] == 1
    result.stdout.fnmatch_lines(["*gate?ctem? 0.75 < 1.00*(3 of 4)*"])
    assert len(four.run_file()["records"]) == 4


@pytest.mark.slow
def test_an_error_that_a_rerun_mends_is_mended(suite, workers):
    suite.extra_plugins = ["pytest_rerunfailures"]
    suite.many(2)
    suite.thresholds(ctem={"min": 1.0})
    suite.tests = (
        "import pytest\n"
        "tries = []\n"
        "@pytest.fixture\n"
        "def flaky():\n"
        "    tries.append(1)\n"
        "    assert len(tries) > 1\n"
        "def test_clip(flaky, asr_result): pass\n"
    )

    result = suite.run(*workers, "--reruns=2")

    assert result.ret == OK
    assert result.parseoutcomes()["rerun"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("dist", ["each", "loadgroup", "worksteal", "loadfile"])
def test_every_way_to_distribute_measures_all(four, dist):
    four.tests = TEST_CLIP + PER_ENTITY

    result = four.run("-n2", "--dist", dist, "--asr-gate=on", "--asr-json=run.json")

    assert result.ret == OK
    assert [record["clip"] for record in four.run_file()["records"]] == ["c00", "c01", "c02", "c03"]
    four.heard["c03"] = "nothing"
    if dist == "each":
        assert four.run("-n2", "--dist", dist, "--asr-gate=on").ret == FAILED


@pytest.mark.slow
def test_it_works_without_xdist(four):
    four.heard["c03"] = "nothing"

    result = four.run("-p", "no:xdist")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?ctem?*"])


@pytest.mark.slow
def test_it_works_without_a_terminal(four, workers):
    assert four.run(*workers, "-p", "no:terminal").ret == OK
    four.heard["c03"] = "nothing"

    result = four.run(*workers, "-p", "no:terminal", "--junitxml=j.xml")

    assert result.ret == FAILED
    assert four.junit().find(".//testcase[@name='gate[ctem]']/failure") is not None


@pytest.mark.slow
def test_it_works_without_the_cache(four):
    assert four.run("-p", "no:cacheprovider").ret == OK


@pytest.mark.slow
def test_collect_only_calls_and_gates_nothing(four, workers):
    four.heard["c03"] = None

    result = four.run(*workers, "--collect-only")

    assert result.ret == OK
    result.stdout.fnmatch_lines(["*test_clip[[]c03[]]*"])
    result.stdout.no_fnmatch_line("*gate[[]*")
    result.stdout.fnmatch_lines(["*not gated: --collect-only*"])


def test_an_empty_dataset_is_a_usage_error(suite, workers):
    result = suite.run(*workers)

    assert result.ret == USAGE
    result.stderr.fnmatch_lines(["ERROR: *clips.yaml: no clips;*"])


@pytest.mark.slow
@pytest.mark.parametrize("gate", ["auto", "on"])
def test_a_clip_without_a_transcript_fails_completeness(four, workers, gate):
    four.heard["c02"] = None

    result = four.run(*workers, f"--asr-gate={gate}")

    assert result.ret == FAILED
    outcomes = result.parseoutcomes()
    assert (outcomes["errors"], outcomes["failed"]) == (1, 1)
    assert outcomes["skipped"] == 1  # gate[ctem] is inconclusive
    result.stdout.fnmatch_lines(["*gate?complete? 1 of 4 clips failed*"])


@pytest.mark.slow
def test_a_raising_provider_is_an_error_and_never_an_empty_transcript(four, workers):
    four.provider(
        "import pytest_asrbench\n"
        "@pytest_asrbench.provider('recorded2')\n"
        "def asr(audio): raise RuntimeError('the recogniser is gone')\n"
    )

    result = four.run(*workers, "--asr-json=run.json", provider="recorded2")

    assert result.ret == FAILED
    assert result.parseoutcomes()["errors"] == 4
    result.stdout.fnmatch_lines(
        ["*the recogniser is gone*", "*gate?complete? 4 of 4 clips failed*"]
    )
    assert all(r["transcript"] is None and r["error"] for r in four.run_file()["records"])


WRONG = {
    "depgram": "unknown provider 'depgram'; known: *recorded*",
    "mine": "unknown provider 'depgram'; known: *mine*recorded*",
    "no.mod:attr": "provider 'no.mod:attr': no module *",
    "json:nope": "provider 'json:nope': json has no 'nope'*",
    "leaves.py": "unknown provider 'leaves.py'*",
    "leaves:Asr": "provider 'leaves:Asr': making it raised SystemExit: 3",
    "ends:Asr": "provider 'ends:Asr': importing ends raised SystemExit: no licence",
}


@pytest.mark.slow
@pytest.mark.parametrize("provider", WRONG)
def test_a_wrong_provider_is_one_usage_error(four, workers, provider):
    four.provider("")
    four.settings["providers"] = {"mine": {"use": "depgram"}}
    four.file("leaves.py", "class Asr:\n    def __init__(self): raise SystemExit(3)\n")
    four.file("ends.py", "raise SystemExit('no licence')\n")

    result = four.run(*workers, "--asr-json=run.json", provider=provider)

    assert result.ret == USAGE
    said = [line for line in result.errlines if line.startswith("ERROR: ")]
    assert len(said) == 1
    result.stderr.fnmatch_lines([f"ERROR: {WRONG[provider]}"])
    for unsaid in (
        "*provider failure*",
        "*Traceback*",
        "*gate[[]*",
        "*INTERNALERROR*",
        "*crashed*",
    ):
        result.stdout.no_fnmatch_line(unsaid)
    assert not (four.folder / "run.json").exists()


@pytest.mark.slow
def test_a_budget_that_nothing_could_count_is_one_usage_error(four, workers):
    four.provider(
        "import pytest_asrbench\n"
        "@pytest_asrbench.provider('mine')\n"
        "def mine(audio): open('called', 'w')\n"
    )

    result = four.run(*workers, "--asr-budget=2", provider="mine")

    assert result.ret == USAGE
    result.stderr.fnmatch_lines(["ERROR: --asr-budget: no price known for provider 'mine'; *"])
    result.stdout.no_fnmatch_line("*provider failure*")
    assert not (four.folder / "called").exists()


@pytest.mark.slow
def test_a_conftest_beside_the_tests_may_register_the_provider(four, workers):
    four.audio()
    code = "import pytest_asrbench\n@pytest_asrbench.provider('mine')\ndef mine(audio): return ''\n"
    four.file("below/conftest.py", code)
    four.file("below/test_it.py", TEST_CLIP)

    result = four.run(*workers, "--asr-gate=off", provider="mine")

    assert result.ret == OK
    assert result.parseoutcomes()["missed"] == 8


@pytest.mark.slow
def test_an_overriding_fixture_makes_a_name_that_nobody_knows_do(four, workers):
    four.provider(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def asr_provider(): return lambda audio: 'nothing'\n"
    )

    result = four.run(*workers, "--asr-gate=off", provider="depgram")

    assert result.ret == OK


@pytest.mark.slow
def test_a_test_that_is_skipped_leaves_its_clip_unmeasured(four, workers):
    four.tests = (
        "import pytest\n"
        "@pytest.fixture\n"
        "def chosen(asr_clip):\n"
        "    if asr_clip.id == 'c01': pytest.skip('not today')\n"
        "def test_clip(chosen, asr_result): pass\n"
    )

    result = four.run(*workers)

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?complete? 1 clip without a result: c01*"])


@pytest.mark.slow
def test_a_record_travels_where_a_later_fixture_skips(four, workers):
    four.tests = (
        "import pytest\n"
        "@pytest.fixture\n"
        "def later(asr_result): pytest.skip('enough')\n"
        "def test_clip(later): pass\n"
    )

    result = four.run(*workers)

    assert result.ret == OK
    assert result.parseoutcomes() == {"skipped": 4, "passed": 3}


@pytest.mark.slow
@pytest.mark.parametrize("why", ["fixture", "missing"])
def test_what_is_not_the_providers_is_no_provider_failure(four, workers, why):
    four.tests = {
        "fixture": "import pytest\n"
        "@pytest.fixture(autouse=True)\n"
        "def broken(): raise RuntimeError('no database')\n"
        "def test_clip(asr_result): pass\n",
        "missing": "import pytest\n"
        "@pytest.fixture\n"
        "def chosen(asr_clip):\n"
        "    if asr_clip.id == 'c01': pytest.skip('not today')\n"
        "def test_clip(chosen, asr_result): pass\n",
    }[why]
    if why == "missing":
        four.heard["c02"] = None

    result = four.run(*workers, "--asr-max-errors=1")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["1 of 3 gates failed"])
    result.stdout.no_fnmatch_line("*provider failure*")


def test_a_verdict_that_could_not_be_reached_is_the_verifiers_failure(four):
    four.file(
        "judges.py",
        "from pytest_asrbench.errors import VerifierError\n"
        "from pytest_asrbench.verifiers.rules import Rules\n"
        "class Broken(Rules):\n"
        "    def judge(self, entities, transcript, language):\n"
        "        raise VerifierError(f'entity {entities[0].id}: IndexError: 7')\n",
    )

    result = four.run("--asr-verifier=judges:Broken")

    assert result.ret == FAILED
    said = " ".join(line.strip() for line in result.outlines)
    assert "verifier failure, not a regression: 4 of 4 clips without a result (4 verifier)" in said
    assert "entity e1: IndexError: 7" in said
    assert "provider failure" not in said


# An overridden fixture


OVERRIDE = """
import pytest
class Asr:
    def __init__(self, name): self.name = name
    def describe(self):
        from pytest_asrbench import Description
        return Description("mine", self.name)
    def transcribe(self, audio): return "so nothing it is"
"""


@pytest.mark.slow
def test_an_overridden_provider_is_what_is_measured_and_described(four, workers):
    four.provider(
        OVERRIDE + "@pytest.fixture(scope='session')\ndef asr_provider(): return Asr('v7')\n"
    )

    result = four.run(*workers, "--asr-json=run.json")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?ctem? 0.00 < 1.00*(0 of 4)*"])
    described = four.run_file()["provider"]
    assert (described["name"], described["use"], described["model"]) == ("recorded", "mine", "v7")


@pytest.mark.slow
def test_an_overriding_function_is_a_provider_too(four, workers):
    four.provider(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def asr_provider(): return lambda audio: 'nothing'\n"
    )

    result = four.run(*workers)

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?ctem? 0.00 < 1.00*"])


@pytest.mark.slow
def test_an_overriding_fixture_that_raises_fails_completeness(four, workers):
    four.provider(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def asr_provider(): raise RuntimeError('no licence')\n"
    )

    result = four.run(*workers)

    assert result.ret == FAILED
    assert result.parseoutcomes()["errors"] == 4
    result.stdout.fnmatch_lines(["*gate?complete? 4 of 4 clips failed*"])


@pytest.mark.slow
def test_two_providers_in_one_run_fail_completeness(four, workers):
    four.audio()
    override = OVERRIDE + "@pytest.fixture(scope='session')\ndef asr_provider(): return Asr('{}')\n"
    for name in ("one", "two"):
        four.file(f"{name}/conftest.py", override.format(name))
        four.file(f"{name}/test_{name}.py", TEST_CLIP)

    result = four.run(*workers, "--dist=loadfile", "one", "two")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?complete?*"])
    assert "two providers" in result.stdout.str() or "2 providers" in result.stdout.str()


@pytest.mark.slow
def test_values_that_say_nothing_of_themselves_are_told_apart(four, workers):
    """Both have one name, so the second would be taken for the first."""
    four.provider(
        "import pytest\n"
        "@pytest.fixture(scope='session', params=['so 4100 4101 4102 4103 it is', 'nothing'])\n"
        "def asr_provider(request):\n"
        "    def hear(audio): return request.param\n"
        "    return hear\n"
    )

    result = four.run(*workers)

    assert result.ret == FAILED
    assert result.parseoutcomes()["errors"] == 4
    assert "hear (another)" in " ".join(result.stdout.str().split())


@pytest.mark.slow
def test_an_asr_provider_is_for_the_whole_run(four, workers):
    four.provider(OVERRIDE + "@pytest.fixture\ndef asr_provider(): return Asr('v7')\n")

    result = four.run(*workers)

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*function scoped fixture asr_provider with a session scoped*"])


@pytest.mark.slow
def test_what_a_fixture_closes_is_open_while_calls_last(suite):
    """The worker that tests the second clip calls for the third as well, for the other worker."""
    suite.many(3)
    suite.provider(
        """
import asyncio, pytest

class Client:
    version = "1"
    open = True
    async def transcribe(self, audio):
        clip = round(audio.duration_s * 8000) - 800
        await asyncio.sleep([2, 0.1, 3][clip])
        if not self.open:
            raise RuntimeError("closed")
        return str(4100 + clip)

@pytest.fixture(scope="session")
def asr_provider():
    client = Client()
    yield client
    client.open = False
"""
    )

    result = suite.run("-n2", "--asr-gate=off", "--asr-concurrency=2")

    assert result.ret == OK
    assert result.parseoutcomes()["passed"] == 3


@pytest.mark.slow
def test_a_run_that_stops_at_its_first_failure_does_not_wait_for_calls_in_flight(suite):
    suite.many(3)
    suite.tests = "def test_clip(asr_result): assert False"
    suite.provider(
        """
import asyncio, pytest_asrbench

@pytest_asrbench.provider("mine", version="1")
async def mine(audio):
    if audio.duration_s != 0.1:  # not the first clip
        await asyncio.sleep(600)
    return "so 4100 it is"
"""
    )

    result = suite.run("-x", "--asr-gate=off", provider="mine")

    assert result.ret == FAILED
    assert result.duration < 60


@pytest.mark.slow
def test_a_provider_is_what_it_said_before_its_first_call(four, workers):
    """One for each folder, equal by what they say of themselves until they have heard something."""
    four.audio()
    override = OVERRIDE.replace(
        'return "so nothing it is"', "self.name = 'heard'; return 'nothing'"
    )
    for name in ("one", "two"):
        fixture = "@pytest.fixture(scope='session')\ndef asr_provider(): return Asr('new')\n"
        four.file(f"{name}/conftest.py", override + fixture)
        four.file(f"{name}/test_{name}.py", TEST_CLIP)

    result = four.run(*workers, "--asr-gate=off", "--asr-json=run.json", "one", "two")

    assert result.ret == pytest.ExitCode.OK
    assert four.run_file()["provider"]["model"] == "new"


@pytest.mark.slow
def test_a_guard_against_sockets_is_told_in_one_line(four, workers):
    four.provider(
        """
import socket
import pytest_asrbench

class Guarded(socket.socket):
    def __new__(cls, *arguments, **options):
        raise RuntimeError("a test tried to use a socket")

def pytest_runtest_setup():
    socket.socket = Guarded

@pytest_asrbench.provider("mine", version="1")
async def mine(audio):
    return "so it is"
"""
    )

    result = four.run(*workers, provider="mine", own_process=True)

    assert result.ret == USAGE
    result.stderr.fnmatch_lines(["ERROR: no event loop can be made here*--allow-unix-socket"])


@pytest.mark.slow
def test_getting_a_fixture_by_name_at_run_time_is_refused(four, workers):
    four.tests = (
        "def test_clip(request, asr_clip): request.getfixturevalue('asr_result')\n"
        "def test_no_case(request): request.getfixturevalue('asr_result')\n"
    )

    result = four.run(*workers)

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*ask for asr fixtures by argument*"])


@pytest.mark.slow
def test_two_verifiers_in_one_run_fail_completeness(four, workers):
    override = (
        "import pytest\n"
        "from pytest_asrbench import Identity, Verdict\n"
        "class Lenient:\n"
        "    identity = Identity('{0}', '1', 'sha256:1')\n"
        "    def judge(self, entities, transcript, language):\n"
        "        return [Verdict(True, True, 'always') for _ in entities]\n"
        "@pytest.fixture(scope='session')\n"
        "def asr_verifier(): return Lenient()\n"
    )
    for name in ("one", "two"):
        four.file(f"{name}/conftest.py", override.format(name))
        four.file(f"{name}/test_{name}.py", TEST_CLIP)

    result = four.run(*workers, "--dist=loadfile", "one", "two")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?complete?*2 verifiers judged in one run*"])


@pytest.mark.slow
@pytest.mark.parametrize(("allowed", "status"), [(1, "passed"), (0, "failed")])
def test_errors_up_to_the_allowed_number_leave_the_run_complete(four, allowed, status):
    four.heard["c02"] = None

    result = four.run(f"--asr-max-errors={allowed}", "--asr-json=run.json")

    assert result.ret == FAILED  # the clip's own test has failed all the same
    gates = {gate["name"]: gate["outcome"] for gate in four.run_file()["gates"]}
    assert gates["complete"] == status


# Other plugins that meddle with the end

ZERO = {
    "exit": "def pytest_sessionfinish(session): pytest.exit('fine', returncode=0)",
    "exit first": "@pytest.hookimpl(tryfirst=True)\n"
    "def pytest_sessionfinish(session): pytest.exit('fine', returncode=0)",
    "status": "def pytest_sessionfinish(session): session.exitstatus = 0",
    "status late": "class Late:\n"
    "    @pytest.hookimpl(wrapper=True, tryfirst=True)\n"
    "    def pytest_sessionfinish(self, session):\n"
    "        yield\n"
    "        session.exitstatus = 0\n"
    "def pytest_sessionstart(session): session.config.pluginmanager.register(Late())",
    "unconfigure": "import sys\ndef pytest_unconfigure(config): sys.exit(0)",
    "forgetting": "def pytest_sessionfinish(session): session.exitstatus = session.testsfailed = 0",
}


@pytest.mark.slow
@pytest.mark.parametrize("code", ZERO.values(), ids=ZERO)
def test_no_other_plugin_turns_a_failed_gate_into_exit_code_0(four, workers, code):
    four.heard["c03"] = "so nothing it is"
    own = f"import pytest\n{code}"
    guarded = "import os\nif 'PYTEST_XDIST_WORKER' not in os.environ:\n"
    four.file("conftest.py", guarded + "".join(f"    {line}\n" for line in own.splitlines()))

    result = four.run(*workers, own_process=True)

    assert result.ret == FAILED
    result.stderr.fnmatch_lines(["asrbench: 1 gate failed (ctem), so the exit code is 1 and not 0"])


@pytest.mark.slow
def test_a_plugin_that_collects_by_itself_switches_no_gate_off(four, workers):
    four.heard["c03"] = "so nothing it is"
    four.file(
        "conftest.py",
        "import pytest\n"
        "class Late:\n"
        "    @pytest.hookimpl(tryfirst=True)\n"
        "    def pytest_collection(self, session):\n"
        "        session.perform_collect()\n"
        "        return True\n"
        "def pytest_sessionstart(session):\n"
        "    config = session.config\n"
        "    if not hasattr(config, 'workerinput') and config.option.dist == 'no':\n"
        "        config.pluginmanager.register(Late())\n",
    )

    result = four.run(*workers)

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?ctem? 0.75 < 1.00*"])


@pytest.mark.slow
def test_collecting_nothing_at_all_is_no_pass(four):
    four.file(
        "conftest.py",
        "import pytest\n"
        "class Late:\n"
        "    @pytest.hookimpl(tryfirst=True)\n"
        "    def pytest_collection(self, session):\n"
        "        session.items, session.testscollected = [], 1\n"
        "        return True\n"
        "def pytest_sessionstart(session): session.config.pluginmanager.register(Late())\n",
    )

    result = four.run()

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?complete? 4 clips without a result*"])
