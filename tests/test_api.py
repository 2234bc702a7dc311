"""What is public: the names, the hook, and what other packages may add."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import pytest_asrbench
from pytest_asrbench.cli import main
from pytest_asrbench.errors import InputError, VerifierError
from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers import registry

DOCS = Path(__file__).parent.parent / "docs" / "api.md"


def test_the_page_lists_the_public_names_and_no_others():
    listed = re.findall(r"^\| `(\w+)` \|", DOCS.read_text(), re.MULTILINE)

    assert listed == sorted(pytest_asrbench.__all__)


def test_the_page_s_code_runs():
    codes = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)

    for code in codes:
        exec(code, {})
    assert len(codes) == 2


class TestJudge:
    def test_entities_and_values_by_type_are_judged_alike(self):
        heard = "it is forty one hundred on march third"
        entities = [Entity("a", "plain_number", "4100"), Entity("b", "date", "March 4")]

        by_entity = pytest_asrbench.judge(entities, heard)
        by_type = pytest_asrbench.judge({"plain_number": "4100", "date": "March 4"}, heard)

        assert [verdict.present for verdict in by_entity] == [True, False]
        assert by_type == by_entity

    def test_a_verifier_may_be_an_object_that_is_async(self):
        class Never:
            identity = pytest_asrbench.Identity("never", "1", "sha256:0")

            async def judge(self, entities, transcript, language):
                return [pytest_asrbench.Verdict(False, True, language) for _ in entities]

        [verdict] = pytest_asrbench.judge({"date": "x"}, "x", language="de", verifier=Never())

        assert (verdict.present, verdict.reason) == (False, "de")

    @pytest.mark.parametrize(
        ("values", "options", "error", "says"),
        [
            ({"dat": "x"}, {}, InputError, "unknown type 'dat'; did you mean date?"),
            ({"date": "x"}, {"verifier": "ruls"}, InputError, "unknown verifier 'ruls'; known: "),
            ({"date": "x"}, {"language": "tlh"}, VerifierError, "no language pack for 'tlh'"),
        ],
    )
    def test_what_can_not_be_judged_is_told(self, values, options, error, says):
        with pytest.raises(error, match=re.escape(says)):
            pytest_asrbench.judge(values, "x", **options)

    def test_custom_types_are_given_with_it(self):
        [verdict] = pytest_asrbench.judge(
            {"ticket": "BH-74"}, "it is b h seven four", types={"ticket": "reference_id"}
        )

        assert verdict.present


HOOK = """
import json

def pytest_asrbench_finish(run, outcomes):
    told = {"clips": [r.clip for r in run.records], "gates": [o.name for o in outcomes]}
    with open("told.jsonl", "a") as file:
        print(json.dumps(told), file=file)
"""


@pytest.mark.parametrize(
    "options", [[], pytest.param(["-n2"], marks=pytest.mark.slow)], ids=["serial", "xdist"]
)
def test_the_hook_is_called_once_with_run_and_outcomes(suite, options):
    suite.many(3, missed=1)
    suite.thresholds(ctem={"min": 0.1})
    suite.file("conftest.py", HOOK)

    result = suite.run(*options)

    assert result.ret == pytest.ExitCode.OK
    [line] = (suite.folder / "told.jsonl").read_text().splitlines()
    told = json.loads(line)
    assert sorted(told["clips"]) == ["c00", "c01", "c02"]
    assert {"ctem", "complete", "thresholds"} <= {*told["gates"]}


def test_a_fault_of_a_hook_is_no_silent_pass(suite):
    suite.many(1)
    suite.file("conftest.py", "def pytest_asrbench_finish(run): raise ValueError('mine')")

    result = suite.run("--asr-gate=off", "--asr-json=run.json")

    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    assert (suite.folder / "run.json").exists()
    assert "ValueError: mine" in result.stdout.str() + result.stderr.str()


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Another package that is installed, with entry points of every kind."""
    folder = tmp_path / "site"
    info = folder / "others-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[pytest_asrbench.verifiers]\nnever = others:Never\n"
        "[pytest_asrbench.entity_types]\nticket = reference_id\nunused = date\n"
        "[pytest_asrbench.layouts]\nlines = others:read\n"
        "[pytest_asrbench.report_formats]\ncount = others:count\n"
    )
    (folder / "others.py").write_text(
        "from pytest_asrbench import Clip, Dataset, Entity, Identity, Verdict\n"
        "class Never:\n"
        "    identity = Identity('never', '1', 'sha256:0')\n"
        "    def judge(self, entities, transcript, language):\n"
        "        return [Verdict(False, True, 'never') for _ in entities]\n"
        "def read(path, types):\n"
        "    entities = (Entity('e1', 'ticket', 'BH-74'),)\n"
        "    names = path.read_text().split()\n"
        "    clips = [Clip(n, path.parent / f'{n}.wav', n, 'en', entities) for n in names]\n"
        "    return Dataset('lines', path, tuple(clips), 'lines', types=types)\n"
    )
    with open(folder / "others.py", "a") as file:
        file.write(
            "def count(report, path):\n"
            "    path.write_text(f'{len(report.run.records)} {len(report.shown.misses)}')\n"
        )
    monkeypatch.syspath_prepend(str(folder))
    return folder


class TestInstalled:
    def test_a_verifier_is_known_by_its_name(self, installed):
        assert "never" in registry.known()

        [verdict] = pytest_asrbench.judge({"date": "x"}, "x", verifier="never")

        assert verdict.reason == "never"

    def test_a_layout_reads_what_its_name_goes_before(self, installed, tmp_path):
        (tmp_path / "clips.txt").write_text("a b")

        dataset = pytest_asrbench.load("lines:clips.txt", tmp_path)

        assert [clip.id for clip in dataset.clips] == ["a", "b"]
        assert dataset.types == {"ticket": "reference_id"}

    def test_a_type_counts_where_it_is_used(self, installed, tmp_path):
        header = "schema: 1\nname: x\nlanguage: en\nclips:\n  - {id: a, audio: a.wav, reference: a,"
        (tmp_path / "a.wav").touch()
        (tmp_path / "with.yaml").write_text(
            header + " entities: [{type: ticket, canonical: BH-74}]}\n"
        )
        (tmp_path / "without.yaml").write_text(
            header + " entities: [{type: date, canonical: May 1}]}\n"
        )

        used = pytest_asrbench.load("with.yaml", tmp_path)
        unused = pytest_asrbench.load("without.yaml", tmp_path)

        assert used.types == {"ticket": "reference_id"}
        assert unused.types == {}

    @pytest.mark.slow
    def test_a_report_format_is_written_by_plugin_and_command(self, installed, suite, capsys):
        suite.many(2, missed=1)

        result = suite.run("--asr-gate=off", "--asr-report=count=count.txt", "--asr-json=run.json")

        assert result.ret == pytest.ExitCode.OK
        assert (suite.folder / "count.txt").read_text() == "2 1"
        assert main(["merge", "run.json", "--report", "count=merged.txt"]) == 0
        assert (suite.folder / "merged.txt").read_text() == "2 1"

    @pytest.mark.parametrize(
        ("asked", "says"),
        [
            (
                "tap=x.tap",
                "*unknown report format 'tap'; known: json, html, md, csv, junit, c*",
            ),
            ("count", "*--asr-report: expected FORMAT=FILE, several separated by commas*"),
        ],
    )
    def test_a_format_that_is_not_there_is_told_before_the_run(self, installed, suite, asked, says):
        suite.many(1)

        result = suite.run("--asr-gate=off", f"--asr-report={asked}")

        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([says])
