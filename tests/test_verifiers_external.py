"""Verifiers of the user's own, and a benchmark's shipped matcher by its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_asrbench import cli
from pytest_asrbench.errors import InputError, VerifierError
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers import registry
from pytest_asrbench.verifiers.base import Verifier

ENTITIES = [Entity("e01", "code", "BH7"), Entity("e02", "code", "XX9")]
TEXT = "my code is BH7"

PER_ENTITY = "def matches(entity, transcript):\n    return entity.canonical in transcript\n"
PER_TEXT = "def matches(span: str, transcript: str) -> bool:\n    return span in transcript\n"
ANNOTATED = "def matches(entity: str, transcript: str):\n    return entity in transcript\n"
WHOLE = """\
from pytest_asrbench.model import Verdict

def matches(entities, transcript, language):
    assert language == "en"
    return [Verdict(e.canonical in transcript, False, "looked") for e in entities]
"""
OBJECT = """\
from pytest_asrbench.model import Verdict
from pytest_asrbench.verifiers.base import Identity

class Mine:
    identity = Identity("mine", "3", "sha256:0")

    def __init__(self, types):
        self.types = types

    def judge(self, entities, transcript, language):
        return [Verdict(e.canonical in transcript, True, "seen") for e in entities]

matches = Mine
"""


def make(folder: Path, source: str, name: str = "matcher.py") -> Verifier:
    path = folder / name
    path.write_text(source, encoding="utf-8")
    return registry.create(f"{path}:matches", types={"code": "reference_id"})


def presence(verifier: Verifier) -> list[bool]:
    verdicts = verifier.judge(ENTITIES, TEXT, "en")
    assert isinstance(verdicts, list)
    return [verdict.present for verdict in verdicts]


@pytest.mark.parametrize("source", [PER_ENTITY, PER_TEXT, ANNOTATED, WHOLE, OBJECT])
def test_each_form_of_a_matcher_judges(tmp_path: Path, source: str) -> None:
    assert presence(make(tmp_path, source)) == [True, False]


def test_a_module_is_found_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_matcher_module.py").write_text(PER_ENTITY)
    monkeypatch.chdir(tmp_path)

    assert presence(registry.create("own_matcher_module:matches")) == [True, False]


def test_name_and_version_stand_beside_the_figures(tmp_path: Path) -> None:
    stated = make(tmp_path, f"VERSION = '5'\n{PER_ENTITY}").identity
    named = make(tmp_path, f"{PER_ENTITY}matches.name = 'm'\nmatches.version = 7\n").identity
    hashed = make(tmp_path, PER_ENTITY).identity

    assert (stated.id, stated.version) == ("matcher.py:matches", "5")
    assert (named.id, named.version) == ("m", "7")
    assert hashed.digest == f"sha256:{hashed.digest.removeprefix('sha256:')}"
    assert hashed.digest.removeprefix("sha256:").startswith(hashed.version)


def test_the_same_file_is_the_same_verifier_by_any_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absolute = make(tmp_path, PER_ENTITY).identity
    monkeypatch.chdir(tmp_path)

    assert registry.create("./matcher.py:matches").identity == absolute
    assert registry.create("matcher.py:matches").identity == absolute


def test_a_function_that_makes_a_verifier_is_called(tmp_path: Path) -> None:
    source = OBJECT.replace("matches = Mine", "def matches(types):\n    return Mine(types)")

    assert presence(make(tmp_path, source)) == [True, False]


@pytest.mark.slow
def test_a_path_in_the_settings_is_relative_to_their_file(pytester: pytest.Pytester) -> None:
    assert cli.main(["init", str(pytester.path / "speech"), "--ci", "none"]) == 0
    settings = pytester.path / "speech/asrbench.yaml"
    settings.write_text(f"verifier: scoring/m.py:matches\n{settings.read_text()}")
    (pytester.path / "speech/scoring").mkdir()
    (pytester.path / "speech/scoring/m.py").write_text(
        "def matches(entity, transcript):\n    return entity.canonical in transcript\n"
    )

    result = pytester.runpytest_subprocess(
        "speech", "--asr-provider=recorded", "--asr-gate=off", "-v", "-p", "no:cacheprovider"
    )

    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*m.py:matches*"])


def test_a_changed_source_is_another_verifier(tmp_path: Path) -> None:
    before = make(tmp_path, PER_ENTITY).identity.digest

    assert make(tmp_path, PER_ENTITY + "# changed\n").identity.digest != before


def test_verdicts_of_its_own_are_kept(tmp_path: Path) -> None:
    assert make(tmp_path, WHOLE).judge(ENTITIES[:1], TEXT, "en") == [Verdict(True, False, "looked")]


FAILING = [
    (
        "def self_test():\n    assert 1 == 2, 'row 7'\n",
        "fails its own self-test: AssertionError: r",
    ),
    ("def selftest():\n    return False\n", "fails its own self-test; it can't judge"),
    ("def self_test():\n    raise SystemExit(1)\n", "fails its own self-test; it can't judge"),
]


@pytest.mark.parametrize(("test", "expected"), FAILING)
def test_a_failing_self_test_stops_everything(tmp_path: Path, test: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        make(tmp_path, test + PER_ENTITY)


@pytest.mark.parametrize("leaving", ["return None", "return True", "raise SystemExit(0)"])
def test_a_passing_self_test_runs_first(tmp_path: Path, leaving: str) -> None:
    test = f"RAN = []\ndef self_test():\n    RAN.append(1)\n    {leaving}\n"
    source = "def matches(entity, transcript):\n    return bool(RAN)\n"

    assert presence(make(tmp_path, test + source)) == [True, True]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def matches(entity, transcript):\n    return 1 / 0\n", "raised ZeroDivisionError: div"),
        ("def matches(entity, transcript):\n    return 'yes'\n", "answered 'yes'; give True"),
        ("def matches(entity, transcript):\n    return None\n", "answered None; give True"),
        ("def matches(entities, transcript):\n    return [True]\n", "one answer for each entity"),
    ],
)
def test_an_answer_that_is_none_is_an_error_and_no_miss(
    tmp_path: Path, source: str, expected: str
) -> None:
    with pytest.raises(VerifierError, match=expected):
        make(tmp_path, source).judge(ENTITIES, TEXT, "en")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def other(): ...\n", "has no 'matches'; correct the name"),
        ("def matches(entity): ...\n", "must take"),
        ("def matches(entity, transcript, mood): ...\n", "must take"),
        ("async def matches(entity, transcript): ...\n", "is async"),
        ("import no_such_module\n", "can't be imported: ModuleNotFoundError"),
        ("matches = 5\n", "has no identity and judge"),
    ],
)
def test_what_can_not_judge_is_refused_at_once(tmp_path: Path, source: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        make(tmp_path, source)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gone.py:matches", "no such file"),
        ("gone.py:", "name the function in it"),
        ("no_such_package.x:y", "can't be imported"),
    ],
)
def test_a_wrong_name_says_so(name: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        registry.create(name)
