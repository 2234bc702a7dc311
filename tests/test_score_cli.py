"""`asrbench` without pytest: exit codes first, then what a reader sees and what is written."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from helpers.chat_server import answering, bodies, chat

from pytest_asrbench import cli
from pytest_asrbench import run as runs
from pytest_asrbench.model import Rate

CLIPS = """\
schema: 1
name: calls
language: en
clips:
  - id: refund
    audio: refund.wav
    reference: call me at four one five five five five zero one three two
    entities: [{type: phone_number, canonical: 415-555-0132}]
  - id: port
    audio: port.wav
    reference: the port is eighty eighty
    domain: it
    entities: [{type: port_number, canonical: "8080"}]
  - id: hello
    audio: hello.wav
    reference: hello there
"""
HEARD = {"refund": "call me at 415-555-0132", "port": "the port is 8080", "hello": "hello there"}


class Folder:
    """A dataset with transcripts in a folder, and `asrbench` run in it."""

    def __init__(self, path, capsys):
        self.path = path
        self.capsys = capsys
        (path / "clips.yaml").write_text(CLIPS)
        self.heard("good", HEARD)

    def heard(self, name, transcripts):
        rows = [json.dumps({"audio_id": k, "pred_text": v}) for k, v in transcripts.items()]
        (self.path / f"{name}.jsonl").write_text("\n".join(rows))

    def score(self, name="good", *options):
        given = ["--data", "clips.yaml", "--hypotheses", f"{name}.jsonl", "--name", "p"]
        return self("score", *given, *options)

    def __call__(self, *arguments):
        self.capsys.readouterr()
        code = cli.main([str(each) for each in arguments])
        self.out, self.err = self.capsys.readouterr()
        return code


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)  # else annotations are printed too
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path, capsys)


def test_a_score_without_thresholds_reports_and_gates_nothing(folder):
    assert folder.score("good", "--json", "run.json") == 0

    assert "phone_number" in folder.out
    assert "CTEM  1.00 (2 of 2)" in folder.out
    run = runs.read(folder.path / "run.json")
    assert run.metrics.all.ctem == Rate(2, 2)
    assert run.metrics.all.tsr == Rate(2, 2)
    assert run.provider.use == "recorded"
    assert [record.source for record in run.records] == ["recorded"] * 3


@pytest.mark.slow
def test_thresholds_are_written_hold_and_catch_a_loss(folder):
    assert folder.score("good", "--thresholds", "p.yaml") == 1
    assert "no thresholds at p.yaml" in folder.out
    assert folder.score("good", "--thresholds", "p.yaml", "--update") == 0
    assert folder.score("good", "--thresholds", "p.yaml") == 0

    folder.heard("worse", {**HEARD, "port": "the port is 8081"})
    assert folder.score("worse", "--thresholds", "p.yaml", "--json", "run.json") == 1
    assert "FAILED gate[recovery:port_number] 0.00 < 1.00 min (0 of 1)" in folder.out
    assert "passed" not in folder.out
    gates = json.loads((folder.path / "run.json").read_text())["gates"]
    failed = {gate["name"] for gate in gates if gate["outcome"] == "failed"}
    assert failed == {"ctem", "tsr", "recovery:port_number", "wer"}

    before = (folder.path / "p.yaml").read_text()
    assert folder.score("worse", "--thresholds", "p.yaml", "--update") == 1
    assert (folder.path / "p.yaml").read_text().count("min: 1.00") == before.count("min: 1.00")
    assert folder.score("worse", "--thresholds", "p.yaml", "--update-lower") == 0
    assert "p.yaml: ctem min 1.00 -> 0.50" in folder.out


def test_the_reproducing_command_scores_that_clip(folder):
    folder.score("good", "--thresholds", "p.yaml", "--update")
    folder.heard("worse", {**HEARD, "port": "the port is 8081"})
    folder.score("worse", "--thresholds", "p.yaml")
    line = next(line for line in folder.out.splitlines() if line.startswith("reproduce one clip: "))
    command = line.removeprefix("reproduce one clip: asrbench ").split()

    assert folder(*command) == 0
    assert "not gated: 1 of 3 clips scored" in folder.out
    assert "wanted 8080" in folder.out


def test_a_missing_transcript_is_refused_unless_partial_is_asked_for(folder):
    folder.heard("some", {"refund": HEARD["refund"]})

    assert folder.score("some") == 2
    assert "no transcript for 2 clips (port, hello)" in folder.err
    assert folder.score("some", "--partial") == 0
    assert "not gated: 1 of 3 clips scored" in folder.out
    assert folder.score("some", "--partial", "--thresholds", "p.yaml", "--update") == 1
    assert not (folder.path / "p.yaml").exists()


def test_an_empty_transcript_is_scored_and_its_values_are_misses(folder):
    folder.heard("silent", dict.fromkeys(HEARD, ""))

    assert folder.score("silent", "--json", "run.json") == 0
    found = runs.read(folder.path / "run.json").metrics.all
    assert (found.ctem, found.empty_rate) == (Rate(0, 2), Rate(3, 3))


def test_stored_transcripts_are_judged_again_without_any_call(folder):
    (folder.path / "strict.py").write_text(
        "from pytest_asrbench import Identity, Verdict\n"
        "class Never:\n"
        "    identity = Identity('never', '1', 'sha256:0')\n"
        "    def judge(self, entities, transcript, language):\n"
        "        return [Verdict(False, True, 'never') for _ in entities]\n"
    )
    folder.score("good", "--json", "run.json")
    code = folder("score", "--run", "run.json", "--verifier", "strict:Never", "--json", "new.json")

    assert code == 0
    again = runs.read(folder.path / "new.json")
    assert again.verifier.id == "never"
    assert again.metrics.all.ctem == Rate(0, 2)
    assert [r.transcript for r in again.records] == list(HEARD.values())
    assert "2 verdicts of 2 moved, rules 4 -> never 1" in folder.out
    assert "present -> absent" in folder.out
    assert "asrbench thresholds update RUN.json, with --lower for worse values" in folder.out

    assert folder("score", "--run", "new.json", "--verifier", "strict:Never") == 0
    assert "0 verdicts of 2 moved, never 1 -> never 1" in folder.out


ASKED = """\
from pytest_asrbench import Identity, Verdict
from pytest_asrbench.model import VerifierUsage
from pytest_asrbench.verifiers.base import Judgement

class Asked:
    identity = Identity("asked", "1", "sha256:0")

    async def judge(self, entities, transcript, language):
        effort = VerifierUsage(calls=1, asked=len(entities), cost=0.5, models=("gpt",))
        return Judgement(tuple(Verdict(True, True, "said so") for _ in entities), effort)
"""


def test_judging_again_tells_what_it_took_now_and_not_before(folder):
    (folder.path / "asking.py").write_text(ASKED)
    folder.score("good", "--json", "rules.json")

    by_model = ["--verifier", "asking:Asked", "--json", "model.json"]
    assert folder("score", "--run", "rules.json", *by_model) == 0
    assert "2 of 2 entities asked of gpt in 2 calls" in folder.out
    assert folder("score", "--run", "model.json", "--json", "again.json") == 0
    assert "asked of" not in folder.out
    assert not any(record.judging for record in runs.read(folder.path / "again.json").records)


@pytest.mark.slow
def test_the_settings_say_which_model_judges_and_where(folder, monkeypatch):
    """Also where a run file comes from another machine, and its dataset is not on this one."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    with chat(answering({"present": False})) as server:
        setup = {"llm": {"base_url": f"{server.url}/v1", "model": "judge-9"}}
        (folder.path / "asrbench.yaml").write_text(json.dumps({"verifiers": setup}))

        assert folder.score("good", "--verifier", "llm", "--json", "run.json") == 0
        assert folder("score", "--run", "run.json", "--verifier", "llm") == 0
        moved = json.loads((folder.path / "run.json").read_text())
        moved["dataset"]["path"] = "/home/ci/speech/clips.yaml"
        (folder.path / "moved.json").write_text(json.dumps(moved))
        assert folder("score", "--run", "moved.json", "--verifier", "llm") == 0

    assert [body["model"] for body in bodies(server)] == ["judge-9"] * 6  # two clips have values


def test_a_verifier_that_fails_gives_exit_code_three_and_no_score(folder):
    (folder.path / "broken.py").write_text(
        "from pytest_asrbench import Identity, VerifierError\n"
        "class Broken:\n"
        "    identity = Identity('broken', '1', 'sha256:0')\n"
        "    def judge(self, entities, transcript, language):\n"
        "        raise VerifierError('out of order')\n"
    )

    assert folder.score("good", "--verifier", "broken:Broken") == 3
    assert "out of order" in folder.out
    assert folder.score("good", "--verifier", "broken:Broken", "--thresholds", "p.yaml") == 3


USAGE = [
    (["score"], "give either --run RUN.json, or --data and --hypotheses"),
    (["score", "--hypotheses", "good.jsonl"], "--hypotheses needs --data"),
    (["score", "--data", "none.yaml", "--hypotheses", "good.jsonl"], "none.yaml"),
    (["score", "--data", "clips.yaml", "--hypotheses", "none.jsonl"], "none.jsonl: no such file"),
    (["score", "--run", "none.json"], "none.json: no such file"),
    (["score", "--run", "clips.yaml"], "clips.yaml:1: not JSON"),
    (
        ["score", "--data", "clips.yaml", "--hypotheses", "good.jsonl", "--verifier", "ruels"],
        "unknown verifier 'ruels'; known:",
    ),
    (["score", "--data", "clips.yaml", "--hypotheses", "good.jsonl", "--clip", "x"], "no clip 'x'"),
    (["scrore"], "unknown command 'scrore'; known: init, add"),
    (["merge", "none.json"], "none.json: no such file"),
    (["thresholds", "show", "good.jsonl"], "good.jsonl:2: not YAML"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_bad_input_is_exit_code_two_and_one_line(folder, arguments, message):
    assert folder(*arguments) == 2
    assert message in folder.err
    assert folder.err.count("\n") == 1
    assert "Traceback" not in folder.err


def test_transcripts_of_unknown_clips_are_refused(folder):
    folder.heard("strange", {**HEARD, "other": "x"})

    assert folder.score("strange") == 2
    assert "strange.jsonl:4: other is no clip of the dataset" in folder.err


def test_thresholds_of_another_configuration_are_refused(folder):
    folder.score("good", "--thresholds", "p.yaml", "--update")
    given = ["--data", "clips.yaml", "--hypotheses", "good.jsonl", "--name", "other"]

    assert folder("score", *given, "--thresholds", "p.yaml") == 2
    assert "written for configuration 'p', this run is 'other'" in folder.err


def test_thresholds_check_update_and_show_work_from_run_files(folder):
    folder.score("good", "--json", "run.json")

    assert folder("thresholds", "check", "run.json") == 1
    assert folder("thresholds", "update", "run.json") == 0
    assert folder("thresholds", "check", "run.json") == 0
    assert folder("thresholds", "show", "thresholds/p.yaml") == 0
    assert "recovery:port_number   min 1.00, max_new_misses 0" in folder.out
    assert "dataset   calls, 3 clips" in folder.out


def test_a_sharded_run_is_merged_gated_once_and_reported(folder):
    folder.score("good", "--json", "run.json")
    folder("thresholds", "update", "run.json")
    whole = runs.read(folder.path / "run.json")
    for k, own in ((1, whole.records[:1]), (2, whole.records[1:])):
        coverage = replace(whole.coverage, expected=len(own))
        part = replace(whole, records=own, shard=f"{k}/2", coverage=coverage)
        runs.write(part, folder.path / f"part{k}.json")
    reports = ["--json", "all.json", "--md", "all.md", "--junit", "all.xml", "--html", "all.html"]

    assert folder("merge", "part1.json", "part2.json", "--gate", *reports) == 0
    assert runs.read(folder.path / "all.json").metrics == whole.metrics
    assert (folder.path / "all.md").read_text().startswith("#")
    assert "<html" in (folder.path / "all.html").read_text()
    cases = {each.get("name") for each in ET.parse(folder.path / "all.xml").iter("testcase")}
    assert {"clip[port]", "gate[ctem]", "gate[complete]"} <= cases
    assert folder("merge", "part1.json", "--gate") == 2
    assert "shard 2/2 missing of calls" in folder.err


def test_failed_gates_and_failed_calls_are_in_the_junit_file(folder):
    folder.score("good", "--thresholds", "p.yaml", "--update")
    folder.heard("worse", {**HEARD, "port": "the port is 8081"})
    folder.score("worse", "--thresholds", "p.yaml", "--junit", "worse.xml")
    suite = ET.parse(folder.path / "worse.xml").find("testsuite")
    failed = {
        case.get("name"): case.find("failure").get("message")
        for case in suite.iter("testcase")
        if case.find("failure") is not None
    }

    assert suite.get("failures") == "4"
    assert failed["gate[ctem]"] == "0.50 < 1.00 min (1 of 2)"
    properties = [each.attrib for each in suite.iter("property")]
    assert {"name": "asr_missed", "value": "port/e01"} in properties


def test_without_a_command_the_commands_are_listed(folder):
    assert folder() == 2
    assert "judge transcripts offline" in folder.err


@pytest.mark.slow
def test_only_the_named_command_is_imported():
    code = (
        "import sys; from pytest_asrbench import cli; cli.main(['thresholds', 'show', 'x']); "
        "print([m for m in sys.modules if m.startswith('pytest_asrbench.commands.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "thresholds" in done.stdout
    assert "score" not in done.stdout
    assert "lint" not in done.stdout


def test_a_reader_that_stops_reading_is_no_traceback(folder):
    command = f"{sys.executable} -m pytest_asrbench.cli --help | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)

    assert "Traceback" not in done.stderr
    assert done.stdout.startswith("usage: asrbench")


@pytest.mark.parametrize(
    "options",
    [
        ["--max-errors", "-1"],
        ["--max-errors", "many"],
        ["--name", "../elsewhere"],
        ["--name", ""],
    ],
)
def test_a_value_that_an_option_does_not_take_is_refused(folder, options):
    with pytest.raises(SystemExit) as refused:
        folder.score("good", *options)

    assert refused.value.code == 2


def test_one_clip_of_a_run_is_judged_again_alone_and_not_gated(folder):
    folder.score("good", "--json", "run.json", "--thresholds", "t.yaml", "--update")

    again = ["score", "--run", "run.json", "--verifier", "rules", "--clip", "port"]
    assert folder(*again, "--thresholds", "t.yaml", "--json", "one.json") == 0
    assert [record.clip for record in runs.read(folder.path / "one.json").records] == ["port"]
    assert "not gated: 1 of 3 clips scored" in folder.out

    assert folder("score", "--run", "run.json", "--clip", "prot") == 2
    assert folder.err == "run.json: no clip 'prot'; correct --clip\n"


@pytest.mark.parametrize("option", [["--data", "clips.yaml"], ["--name", "p"], ["--partial"]])
def test_what_a_run_file_says_itself_is_not_asked_for(folder, option):
    folder.score("good", "--json", "run.json")

    assert folder("score", "--run", "run.json", *option) == 2
    assert folder.err.startswith(f"asrbench score: {option[0]} belongs to --hypotheses")


def advised(folder):
    """The one whole command that the output advises, with what it is run with."""
    flat = " ".join((folder.out + folder.err).split())
    found = [part for part in flat.split("`")[1::2] if part.startswith("asrbench ")]
    assert len({*found}) == 1, flat
    return found[0].split()[1:]


@pytest.mark.slow
def test_commands_advise_what_they_or_others_have(folder):
    assert folder.score("good", "--thresholds", "p.yaml") == 1
    assert "write them with --update, or explore without --thresholds" in " ".join(
        folder.out.split()
    )
    folder.score("good", "--json", "run.json")
    assert folder("thresholds", "check", "run.json", "--thresholds", "p.yaml") == 1
    assert "--asr-update" not in folder.out + folder.err
    flat = " ".join(folder.out.split())
    update, explore = [part.split()[1:] for part in flat.split("`")[1:4:2]]
    assert folder(*explore) == 0
    assert folder(*update) == 0
    assert folder("thresholds", "check", "run.json", "--thresholds", "p.yaml") == 0

    folder.heard("worse", {**HEARD, "port": "the port is 8081"})
    folder.score("worse", "--json", "worse.json")
    assert folder("thresholds", "update", "worse.json", "--thresholds", "p.yaml") == 1
    assert "--asr-update" not in folder.out + folder.err
    assert folder(*advised(folder)) == 0
    assert "ctem min 1.00 -> 0.50" in folder.out


@pytest.mark.slow
@pytest.mark.parametrize("given", [(), ("--json", "all.json")])
def test_a_merge_advises_commands_that_exist(folder, given):
    folder.score("good", "--json", "run.json")

    assert folder("merge", "run.json", "--gate", *given) == 1

    assert "--asr-update" not in folder.out + folder.err
    flat = " ".join(folder.out.split())
    assert "explore without --gate" in flat
    assert ("--json run.json, then `asrbench" in flat) is not bool(given)
    assert folder(*advised(folder)) == 0
    assert folder("merge", "run.json", "--gate") == 0
