"""Which tests there are, what fixtures hold, and how tests ask for them."""

from __future__ import annotations

import pytest
from helpers.plugin_suite import PER_ENTITY, TEST_CLIP

OK, FAILED, USAGE = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.USAGE_ERROR


@pytest.fixture
def two(suite):
    """A clip with two values, one without any, both recorded."""
    suite.clip("en-US/turn-1", "so 4100 and 7% it is", plain_number="4100", percentage="7%")
    suite.clip("thanks", "so it is")
    suite.thresholds(ctem={"min": 1.0})
    return suite


def collected(result):
    return [line.strip() for line in result.outlines if "<Function" in line]


@pytest.mark.slow
def test_per_clip_and_per_entity_tests_are_parametrised(two):
    two.tests = TEST_CLIP + PER_ENTITY + "\ndef test_both(asr_clip, asr_entity): pass\n"

    result = two.run("--collect-only")

    assert result.ret == OK
    assert collected(result) == [
        "<Function test_clip[en-US/turn-1]>",
        "<Function test_clip[thanks]>",
        "<Function test_value[en-US/turn-1/e1]>",
        "<Function test_value[en-US/turn-1/e2]>",
        "<Function test_both[en-US/turn-1/e1]>",
        "<Function test_both[en-US/turn-1/e2]>",
    ]


@pytest.mark.slow
def test_the_fixtures_hold_the_clip_its_transcript_and_its_verdicts(two, workers):
    two.tests = """
def test_clip(asr_clip, asr_transcript, asr_result):
    assert asr_result.clip == asr_clip.id
    assert asr_result.transcript == asr_transcript == {
        "en-US/turn-1": "so 4100 and 7% it is", "thanks": "so it is"}[asr_clip.id]
    assert len(asr_result.entities) == len(asr_clip.entities)

def test_value(asr_entity, asr_verdict, asr_result, asr_provider, asr_verifier):
    assert asr_verdict.present
    assert asr_verdict.evidence == asr_entity.canonical
    assert asr_provider.describe().use == "recorded"
    assert asr_verifier.identity.id == "rules"

class TestInAClass:
    def test_method(self, asr_verdict):
        assert asr_verdict.present
"""

    result = two.run(*workers)

    assert result.ret == OK
    assert result.parseoutcomes()["passed"] == 9


@pytest.mark.slow
def test_a_users_own_fixture_may_build_on_ours(two):
    two.tests = """
import pytest

@pytest.fixture
def words(asr_transcript):
    return asr_transcript.split()

@pytest.mark.parametrize("least", [1, 2])
def test_words(words, least):
    assert len(words) > least
"""

    result = two.run()

    assert result.ret == OK
    assert result.parseoutcomes() == {"passed": 7}


@pytest.mark.slow
def test_a_single_test_can_be_named(two):
    node = "test_suite.py::test_clip[en-US/turn-1]"

    result = two.run(node)

    assert result.ret == OK
    assert result.parseoutcomes() == {"passed": 1}
    result.stdout.fnmatch_lines(["not gated: 1 of 2 clips selected"])


@pytest.mark.slow
def test_the_ready_suite_runs_without_a_test_of_ones_own(two, workers):
    two.tests = ""

    result = two.run(*workers, "--pyargs", "pytest_asrbench.suite")

    assert result.ret == OK
    assert result.parseoutcomes()["passed"] >= 6


@pytest.mark.slow
@pytest.mark.parametrize("ask", ["asr_result", "asr_entity", "asr_provider", "asr_verifier"])
def test_without_a_provider_a_test_is_one_skip(two, workers, ask):
    two.tests = f"def test_it({ask}): pass\ndef test_other(): pass\n"

    result = two.run(*(workers if ask == "asr_result" else []), "-rs", provider=None)

    assert result.ret == OK
    assert result.parseoutcomes() == {"passed": 1, "skipped": 1}
    result.stdout.fnmatch_lines(["SKIPPED*needs --asr-provider"])


@pytest.mark.slow
def test_the_environment_or_the_ini_file_makes_it_active(two, monkeypatch):
    two.file("pytest.ini", "[pytest]\nasr_provider = recorded\n")
    assert two.run(provider=None).parseoutcomes() == {"passed": 5}
    two.file("pytest.ini", "[pytest]\n")
    monkeypatch.setenv("ASRBENCH_PROVIDER", "recorded")
    assert two.run(provider=None).parseoutcomes() == {"passed": 5}


@pytest.mark.slow
def test_fixtures_and_options_are_listed(two):
    result = two.run("--fixtures", provider=None)
    for name in ("asr_clip", "asr_entity", "asr_transcript", "asr_result", "asr_verdict"):
        result.stdout.fnmatch_lines([f"{name} *"])
    shown = two.run("--help", provider="nonsense/name")
    assert shown.ret == OK
    shown.stdout.fnmatch_lines(["*--asr-provider=NAME*"])


# Bad input


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--asr-gate=maybe"], "ERROR: --asr-gate: expected auto, on or off, not 'maybe'"),
        (["--asr-shard=3/2"], "ERROR: --asr-shard: expected K/N*"),
        (
            ["--asr-data=nowhere"],
            "ERROR: *nowhere: no such file or folder; give the dataset's path",
        ),
        (["--asr-verifier=nobody"], "ERROR: unknown verifier 'nobody'; known: *"),
        (["--asr-tags=nothing"], "ERROR: *clips.yaml: no clip has tag nothing; *"),
        (["--asr-provider=a/b"], "ERROR: --asr-provider: expected a name*"),
    ],
)
def test_bad_settings_are_one_line_and_no_traceback(two, workers, options, line):
    two.gates = None

    result = two.run(*workers, *options)

    assert result.ret == USAGE
    result.stderr.fnmatch_lines([line])
    assert len([line for line in result.errlines if line]) == 1


@pytest.mark.slow
def test_missing_audio_files_are_all_listed_at_once(suite, workers):
    suite.many(3)
    suite.provider(
        "import pytest_asrbench\n"
        "@pytest_asrbench.provider('mine')\n"
        "def mine(audio): return 'so it is'\n"
    )
    for name in ("c00", "c02"):
        (suite.folder / f"{name}.wav").unlink()

    result = suite.run(*workers, provider="mine")

    assert result.ret == USAGE
    assert [line for line in result.errlines if line] == [
        line for line in result.errlines if ".wav" in line
    ]
    result.stderr.fnmatch_lines(["*c00*c00.wav*", "*c02*c02.wav*"])


@pytest.mark.slow
def test_a_verifier_of_ones_own_judges(two, workers):
    two.file(
        "judges.py",
        """
from pytest_asrbench import Identity, Verdict

class Never:
    identity = Identity("never", "1", "sha256:1")

    def judge(self, entities, transcript, language):
        return [Verdict(False, True, "never") for _ in entities]
""",
    )
    two.pytester.syspathinsert(two.folder)

    result = two.run(
        *workers, "--asr-verifier=judges:Never", "--asr-json=run.json", "--asr-gate=off"
    )

    assert result.ret == OK
    assert two.run_file()["verifier"]["id"] == "never"
    assert two.run_file()["metrics"]["ctem"]["hits"] == 0


@pytest.mark.slow
def test_human_decisions_win_and_are_counted(suite, workers):
    from pytest_asrbench.verifiers.overrides import transcript_hash

    suite.many(2, missed=1)
    heard = suite.heard["c01"]
    suite.file(
        "verdicts.yaml",
        "schema: 1\nverdicts:\n  - type: plain_number\n    canonical: 4101\n"
        f"    transcript: {transcript_hash(heard)}\n    present: true\n    reason: heard by ear\n",
    )
    suite.thresholds(ctem={"min": 1.0})

    result = suite.run(*workers, "--asr-json=run.json")

    assert result.ret == OK
    assert suite.run_file()["verifier"]["overridden"] == 1
