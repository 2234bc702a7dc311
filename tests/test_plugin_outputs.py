"""What a run leaves behind: JUnit, run file, Markdown, annotations, and what --lf takes up."""

from __future__ import annotations

import json
import re

import pytest
from helpers.http_server import error, in_turn, serving
from helpers.plugin_suite import PER_ENTITY, TEST_CLIP

from pytest_asrbench import cli

OK, FAILED, USAGE = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.USAGE_ERROR


@pytest.fixture
def missing(suite):
    """Three clips, the last one misheard, and a gate that fails."""
    suite.many(3, missed=1)
    suite.thresholds(ctem={"min": 0.9})
    return suite


def properties(case):
    return [(p.get("name"), p.get("value")) for p in case.findall("./properties/property")]


@pytest.mark.slow
def test_junit_shows_clips_misses_and_gates(missing, workers):
    missing.tests = TEST_CLIP + PER_ENTITY

    result = missing.run(*workers, "--junitxml=j.xml")

    assert result.ret == FAILED
    cases = {case.get("name"): case for case in missing.junit().iter("testcase")}
    assert len(cases) == 9
    assert properties(cases["test_clip[c00]"]) == [("asr_clip", "c00")]
    assert properties(cases["test_value[c02/e1]"]) == [
        ("asr_clip", "c02"),
        ("asr_missed", "c02/e1"),
    ]
    failure = cases["gate[ctem]"].find("failure")
    assert failure.get("message").startswith("gate[ctem] 0.67 < 0.90")
    assert cases["gate[complete]"].find("failure") is None
    suite = missing.junit().find("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("9", "1")


@pytest.mark.slow
def test_an_inconclusive_gate_is_skipped_with_its_reason(missing):
    missing.heard["c00"] = None

    result = missing.run("--junitxml=j.xml", "-rs")

    assert result.ret == FAILED
    case = missing.junit().find(".//testcase[@name='gate[ctem]']/skipped")
    assert "the run is not complete" in case.get("message")
    result.stdout.fnmatch_lines(["SKIPPED*gate?ctem? the run is not complete*"])


@pytest.mark.slow
def test_junit_properties_may_tell_more(missing):
    result = missing.run("--junitxml=j.xml", "--asr-junit-properties")

    assert result.ret == FAILED
    found = dict(properties(missing.junit().find(".//testcase[@name='test_clip[c02]']")))
    assert found["asr_canonical"] == "4102"
    assert "asr_nearest" in found


@pytest.mark.slow
def test_reruns_do_not_repeat_properties(missing):
    missing.extra_plugins = ["pytest_rerunfailures"]
    missing.tests = "def test_clip(asr_result): assert not asr_result.misses\n"

    result = missing.run("--junitxml=j.xml", "--reruns=2")

    assert result.ret == FAILED
    case = missing.junit().find(".//testcase[@name='test_clip[c02]']")
    assert properties(case) == [("asr_clip", "c02"), ("asr_missed", "c02/e1")]


@pytest.mark.slow
def test_the_run_file_holds_records_gates_and_provenance(missing):
    result = missing.run("--asr-json=run.json")

    assert result.ret == FAILED
    run = missing.run_file()
    assert run["schema"] == 1
    assert run["selection"] == "full"
    assert run["provider"]["name"] == run["provider"]["use"] == "recorded"
    assert run["dataset"]["clips"] == 3
    assert run["metrics"]["ctem"]["hits"] == 2
    gates = {gate["name"]: gate["outcome"] for gate in run["gates"]}
    assert gates["ctem"] == "failed"
    assert [record["clip"] for record in run["records"]] == ["c00", "c01", "c02"]
    assert run["records"][2]["entities"][0]["present"] is False


@pytest.mark.slow
def test_serial_and_distributed_runs_write_the_same_run_file(missing):
    files = []
    for options in ([], ["-n2"], ["-n2", "--dist=worksteal"]):
        missing.run(*options, "--asr-json=run.json")
        run = missing.run_file()
        del run["started"]
        files.append(json.dumps(run, sort_keys=True))

    assert files[0] == files[1] == files[2]


@pytest.mark.slow
def test_markdown_and_html_are_written(missing):
    result = missing.run("--asr-md=out/report.md", "--asr-html=out/report.html")

    assert result.ret == FAILED
    assert "ctem" in (missing.folder / "out/report.md").read_text("utf-8")
    assert "c02" in (missing.folder / "out/report.html").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--asr-json", "--asr-md", "--asr-html"])
@pytest.mark.parametrize("path", ["a_folder", "a_file/x", "a_file/deeper/x"])
def test_a_report_that_cannot_be_written_is_told_before_any_call(missing, workers, option, path):
    missing.file("a_file", "")
    (missing.folder / "a_folder").mkdir()
    missing.tests = "def test_clip(asr_result): open('ran', 'w')\n"
    missing.write()
    before = sorted(missing.folder.rglob("*"))

    result = missing.run(*workers, f"{option}={path}")

    assert result.ret == USAGE
    assert len([line for line in result.errlines if line]) == 1
    result.stderr.fnmatch_lines([f"ERROR: *{path}: can't be written: *"])
    assert [
        each for each in sorted(missing.folder.rglob("*")) if "xdist" not in str(each)
    ] == before


@pytest.mark.slow
def test_a_report_that_cannot_be_written_is_one_line_and_the_others_are_written(missing):
    # It could, when the run began.
    missing.tests += "\ndef test_z_takes_its_place(): open('taken', 'w')\n"

    result = missing.run("--asr-json=taken/run.json", "--asr-md=report.md")

    assert result.ret == USAGE
    result.stderr.fnmatch_lines(["ERROR: *taken/run.json: can't be written*"])
    result.stdout.fnmatch_lines(["*FAILED gate?ctem?*"])
    assert (missing.folder / "report.md").exists()


@pytest.mark.slow
def test_github_gets_annotations_for_gates_and_a_step_summary(missing, monkeypatch):
    summary = missing.file("summary.md", "")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(missing.folder))

    result = missing.run()

    assert result.ret == FAILED
    annotations = [line for line in result.outlines if line.startswith("::error")]
    assert len(annotations) == 1
    assert "file=clips.yaml" in annotations[0]
    assert "ctem" in summary.read_text("utf-8")


@pytest.mark.slow
def test_lf_runs_missed_tests_again_and_no_gates(missing, workers):
    assert missing.run(*workers).ret == FAILED

    again = missing.run(*workers, "--lf")

    assert again.ret == FAILED  # the gate is judged over all clips, but what broke it is broken
    assert again.parseoutcomes()["failed"] == 1
    assert "passed" not in again.parseoutcomes()
    again.stdout.fnmatch_lines(["not gated: 1 of 3 clips selected"])
    missing.heard["c02"] = "so 4102 it is"
    assert missing.run("--lf").parseoutcomes()["passed"] == 1
    result = missing.run("--lf")  # nothing is left, so all run
    assert result.parseoutcomes() == {"passed": 6}


@pytest.mark.slow
def test_redacted_output_holds_no_value(suite, workers):
    suite.clip("call", "so 415 555 0137 it is", phone_number="415-555-0132")
    suite.thresholds(ctem={"min": 1.0})

    result = suite.run(
        *workers,
        "-vv",
        "--asr-redact",
        "--asr-strict",
        "--asr-junit-properties",
        "--junitxml=j.xml",
        "--asr-md=r.md",
        "--asr-html=r.html",
        "--asr-json=run.json",
    )

    assert result.ret == FAILED
    texts = {
        "terminal": result.stdout.str(),
        **{name: (suite.folder / name).read_text("utf-8") for name in ("j.xml", "r.md", "r.html")},
    }
    for name, text in texts.items():
        for secret in ("0132", "0137", "415 555", "415-555"):
            assert secret not in text, (name, secret)
    assert suite.run_file()["records"][0]["transcript"] == "so 415 555 0137 it is"


SECRET = "S3cretPassw0rd"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", {"params": {"api_key": SECRET, "headers": {"Authorization": f"Token {SECRET}"}}}),
        (f"?api_key={SECRET}", {}),
    ],
    ids=["params", "query"],
)
def test_a_key_among_the_settings_reaches_no_file(suite, workers, query, options):
    suite.many(3)
    suite.audio()
    echo = in_turn([error(400, f"no such key: {SECRET}")])

    with serving(echo) as server:
        url = f"{server.url}/v1{query}"
        ours = {"use": "openai-compatible", "base_url": url, "model": "m", **options}
        suite.settings["providers"] = {"ours": ours}
        result = suite.run(
            *workers,
            "-vv",
            "--junitxml=j.xml",
            "--asr-md=r.md",
            "--asr-html=r.html",
            "--asr-json=run.json",
            provider="ours",
        )

    assert result.ret == FAILED
    assert "no such key: ***" in result.stdout.str()
    assert cli.main(["cache", "export", "cassette.jsonl", "--partial"]) == 0
    files = [f for f in suite.folder.rglob("*") if f.is_file() and f.name != "asrbench.yaml"]
    assert {"cassette.jsonl", "run.json", "r.md", "r.html", "j.xml"} <= {f.name for f in files}
    assert [str(file) for file in files if SECRET.encode() in file.read_bytes()] == []
    assert SECRET not in result.stdout.str() + result.stderr.str()
    assert "***" in json.dumps(suite.run_file()["provider"]["settings"])


@pytest.mark.slow
def test_the_header_names_what_is_measured(missing):
    result = missing.run()

    result.stdout.fnmatch_lines(
        ["asrbench: recorded (recorded heard, batch), suite: 3 clips, verifier rules"]
    )


@pytest.mark.slow
def test_quiet_runs_still_say_what_failed_and_why_nothing_was_gated(missing):
    missing.run("-qq").stdout.fnmatch_lines(["FAILED gate?ctem?*"])
    missing.run("-qq", "-k", "c01").stdout.fnmatch_lines(["not gated: 1 of 3 clips selected"])


@pytest.mark.slow
def test_progress_is_printed_between_tests(missing, workers, monkeypatch):
    from pytest_asrbench.plugin import output

    monkeypatch.setattr(output, "PROGRESS_EVERY_S", 0)
    missing.provider(
        "import pytest_asrbench\n"
        "@pytest_asrbench.provider('mine')\n"
        "def mine(audio): return 'so it is'\n"
    )

    shown = missing.run(*workers, "--asr-gate=off", provider="mine")
    quiet = missing.run(*workers, "--asr-gate=off", "-q", provider="mine")

    assert shown.ret == quiet.ret == OK
    told = [line for line in shown.outlines if " in flight" in line]
    assert len(told) == 3
    assert all(re.match("asrbench: [0-3] of 3 clips, ", line) for line in told)  # on its own line
    quiet.stdout.no_fnmatch_line("asrbench: * in flight*")


@pytest.mark.slow
def test_progress_that_cannot_be_read_ends_no_run(missing, workers, tmp_path, monkeypatch):
    from pytest_asrbench.plugin import output

    monkeypatch.setattr(output, "PROGRESS_EVERY_S", 0)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    missing.tests += (
        "from pathlib import Path\n"
        "def test_a_folder_takes_the_place_of_a_file():\n"
        f"    run, = Path({str(tmp_path)!r}).glob('asrbench-run-*')\n"
        "    (run / 'selected' / 'x.json').mkdir(parents=True)\n"
    )

    result = missing.run("--asr-gate=off", *workers)

    assert result.ret == OK
    assert result.parseoutcomes() == {"missed": 1, "passed": 3}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "total"),
    [
        (["-k", "c01"], "1 clip"),
        (["test_suite.py::test_clip[c00]"], "1 clip"),
        (["--deselect=test_suite.py::test_clip[c01]"], "2 clips"),
        (["--asr-repeat=2", "-k", "not c00"], "4 transcriptions"),
        (["--lf"], "1 clip"),
    ],
    ids=["-k", "node id", "--deselect", "repeats", "--lf"],
)
def test_progress_counts_what_the_selected_tests_ask_for(
    missing, workers, monkeypatch, calls, options, total
):
    """And nothing else is called for."""
    from pytest_asrbench.plugin import output

    monkeypatch.setattr(output, "PROGRESS_EVERY_S", 0)
    missing.tests = "def test_clip(asr_result): assert asr_result.clip != 'c02'\n"
    missing.provider(
        "import pytest_asrbench\n"
        "@pytest_asrbench.provider('mine')\n"
        "def mine(audio):\n"
        f"    with open({str(calls)!r}, 'a') as log: log.write('x')\n"
        "    return 'so 4100, 4101, 4102 it is'\n"
    )
    missing.run("--asr-gate=off", provider="mine")  # for --lf
    calls.unlink()

    shown = missing.run("--asr-gate=off", *options, *workers, provider="mine")

    told = [line for line in shown.outlines if " in flight" in line]
    assert told
    assert {line.partition(" of ")[2].partition(",")[0] for line in told} == {total}
    assert len(calls.read_text()) == int(total.split()[0])


@pytest.mark.slow
@pytest.mark.parametrize("options", [["-p", "no:cacheprovider"], ["--cache-clear"]])
def test_a_run_without_or_with_an_empty_cache_ends_as_any_other(missing, options):
    assert missing.run(*options).ret == FAILED


@pytest.mark.slow
def test_temporary_files_are_removed(missing, workers, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    missing.run(*workers)

    assert list(tmp_path.glob("asrbench-*")) == []
