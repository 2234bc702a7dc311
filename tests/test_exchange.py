"""The benchmarks' own files, in and out; a round trip changes nothing."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_asrbench import cli
from pytest_asrbench import run as runs
from pytest_asrbench.datasets.hypotheses import read_hypotheses
from pytest_asrbench.verifiers.rules import VERSION

SAID = {"001": "mail a at b dot com", "002": "port eight zero eight zero"}
HEARD = {"001": "Mail a@b.com.", "002": "Port 8081."}
ENTITY = {"001": ("email_address", "a@b.com"), "002": ("port_number", "8080")}


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, content: object) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    rows = content if isinstance(content, list) else [content]
    Path(path).write_text("\n".join(json.dumps(row) for row in rows))


def voicecodebench() -> None:
    rows = [
        {
            "file_name": f"audio/{name}.wav",
            "audio_id": name,
            "language": "en",
            "domain": "it",
            "transcripts": {"acoustic": text},
            "entities": [{"id": "e01", "type": ENTITY[name][0], "canonical": ENTITY[name][1]}],
        }
        for name, text in SAID.items()
    ]
    write("vcb/data/metadata.jsonl", rows)
    write("h.jsonl", [{"audio_id": name, "pred_text": text} for name, text in HEARD.items()])


def score(data: str, hypotheses: str, *more: str) -> runs.Run:
    arguments = ["score", "--data", data, "--hypotheses", hypotheses, "--json", "run.json", "-q"]
    assert cli.main([*arguments, *more]) == 0
    return runs.read(Path("run.json"))


def read(path: str) -> Any:
    return json.loads(Path(path).read_text())


def verdicts(run: runs.Run) -> list[tuple[str, bool, str | None]]:
    return [
        (record.clip, judged.verdict.present, judged.verdict.evidence)
        for record in run.records
        for judged in record.entities
        if judged.verdict
    ]


def test_voicecodebench_predictions_come_back_as_they_went(work: Path) -> None:
    voicecodebench()
    before = score("vcb", "h.jsonl")

    assert cli.main(["export", "voicecodebench", "run.json", "--out", "p.json"]) == 0
    assert cli.main(["import", "voicecodebench", "p.json", "--data", "vcb", "--out", "b.json"]) == 0
    assert cli.main(["export", "voicecodebench", "b.json", "--out", "again.json"]) == 0

    after = runs.read(Path("b.json"))
    assert verdicts(after) == verdicts(before) == [("001", True, "a@b.com"), ("002", False, None)]
    assert (after.verifier.id, after.verifier.digest) == ("rules", before.verifier.digest)
    assert after.metrics.all.ctem == before.metrics.all.ctem
    assert after.metrics.all.wer == before.metrics.all.wer
    assert read("again.json")["items"] == read("p.json")["items"]


def test_a_leaderboard_manifest_comes_back_as_it_went(work: Path) -> None:
    voicecodebench()
    score("vcb", "h.jsonl")

    assert cli.main(["export", "voicecodebench", "run.json", "--out", "m.jsonl"]) == 0
    assert (
        cli.main(["import", "voicecodebench", "m.jsonl", "--data", "vcb", "--out", "r.jsonl"]) == 0
    )

    for name in ("m.jsonl", "r.jsonl"):
        found = read_hypotheses(Path(name))
        assert {clip: heard.text for clip, heard in found.items()} == HEARD


DECISIONS = [
    ({"run_metadata": {}}, "entity_verifier with id and config_digest is missing"),
    ({"entity_matches": None}, "001: entity_matches is missing"),
    ({"entity_matches": []}, "001: target 0: no decision"),
    ({"target_index": 7}, "target_index 7 is no target"),
    ({"canonical": "a@c.com"}, "target 0: type and canonical are not those of e01"),
    ({"present": "yes"}, "target 0: present must be true or false"),
    ({"audio_id": "002"}, "002 has a transcript already"),
    ({"audio_id": "009"}, "009 is no clip of the dataset"),
    ({"model_transcript": None}, "001: no transcript"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("change", "expected"), DECISIONS, ids=[e for _, e in DECISIONS])
def test_decisions_count_only_with_provenance_and_as_a_whole(
    work: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], expected: str
) -> None:
    voicecodebench()
    score("vcb", "h.jsonl")
    assert cli.main(["export", "voicecodebench", "run.json", "--out", "p.json"]) == 0
    data = read("p.json")
    item = data["items"][0]
    for place in (data, item, item["entity_matches"][0]):
        place.update({key: value for key, value in change.items() if key in place})
    write("p.json", data)

    assert cli.main(["import", "voicecodebench", "p.json", "--data", "vcb", "--out", "b.json"]) == 2

    assert expected in capsys.readouterr().err
    assert not Path("b.json").exists()


def test_full_coverage_is_required_unless_partial_is_asked_for(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    voicecodebench()
    write("h.jsonl", {"audio_id": "001", "pred_text": "x"})
    score("vcb", "h.jsonl", "--partial")
    export = ["export", "voicecodebench", "run.json", "--out", "p.json"]
    take = ["import", "voicecodebench", "p.json", "--data", "vcb", "--out", "b.json"]

    assert cli.main(export) == 2
    assert "1 of 2 clips have no transcript" in capsys.readouterr().err
    assert cli.main([*export, "--partial"]) == 0
    assert cli.main(take) == 2
    assert "no transcript for 1 clips (002)" in capsys.readouterr().err
    assert cli.main([*take, "--partial"]) == 0


def test_a_run_with_vendor_parameters_is_not_exported_unseen(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    voicecodebench()
    score("vcb", "h.jsonl")
    data = read("run.json")
    data["provider"]["protocol"] = "custom"
    write("run.json", data)
    export = ["export", "voicecodebench", "run.json", "--out", "p.json"]

    assert cli.main(export) == 2
    assert "protocol: custom" in capsys.readouterr().err
    assert cli.main([*export, "--custom"]) == 0


def mubench(*, latency: bool = True) -> None:
    texts = {
        "en-US/conv-0-turn-0": ("my code is b h seven", "My code is BH7\n"),
        "en-US/conv-0-turn-1": ("", "uh huh"),
        "zh-CN/conv-0-turn-0": ("你好吗", "你好"),
        "zh-CN/conv-0-turn-1": ("<unintelligible>", "x y z"),
    }
    utterances = [
        {
            "id": key.split("/")[1],
            "locale": key.split("/")[0],
            "transcript": reference,
            "audio_path": f"audio/{key}.wav",
        }
        for key, (reference, _) in texts.items()
    ]
    write("mu/manifest.json", {"locales": ["en-US", "zh-CN"], "utterances": utterances})
    for key, (_, heard) in texts.items():
        Path(f"sub/{key}.txt").parent.mkdir(parents=True, exist_ok=True)
        Path(f"sub/{key}.txt").write_text(heard)
    if latency:
        times = {key: {"roundTripMs": 100.0 + n} for n, key in enumerate(texts)}
        write("sub/latency.json", {"meta": {"protocol": "batch"}, "measurements": times})


EXPORT = ["export", "mu-bench", "run.json", "--out", "out/acme", "--organization", "Acme"]
EXPORT_EAST = [*EXPORT, "--region", "us-east-1"]


def test_a_mu_bench_submission_comes_back_as_it_went(work: Path) -> None:
    mubench()
    score("mu", "sub")

    assert cli.main([*EXPORT_EAST, "--concurrency", "1"]) == 0

    texts = sorted(path.relative_to("sub") for path in Path("sub").rglob("*.txt"))
    assert sorted(path.relative_to("out/acme") for path in Path("out/acme").rglob("*.txt")) == texts
    assert all(Path("out/acme", t).read_bytes() == Path("sub", t).read_bytes() for t in texts)
    latency = read("out/acme/latency.json")
    assert latency["measurements"] == read("sub/latency.json")["measurements"]
    assert (latency["meta"]["protocol"], latency["meta"]["region"]) == ("batch", "us-east-1")
    metadata = yaml.safe_load(Path("out/acme/metadata.yaml").read_text())
    assert {"model", "organization", "version", "date"} <= set(metadata)
    assert set(metadata["config"].values()) == {"default"}
    assert len(metadata["config"]) == 6


def test_disclosed_configuration_gets_its_override_note(work: Path) -> None:
    mubench()
    score("mu", "sub")

    assert cli.main([*EXPORT_EAST, "--config", "customVocabulary=enabled: 42 terms"]) == 0

    metadata = yaml.safe_load(Path("out/acme/metadata.yaml").read_text())
    assert metadata["config"]["customVocabulary"] == "enabled: 42 terms"
    assert metadata["notes"].startswith("override: customVocabulary because")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "latency", "expected"),
    [
        (EXPORT, True, "give --region"),
        ([*EXPORT, "--region", "mars-1"], True, "region 'mars-1' is not known"),
        ([*EXPORT_EAST, "--config", "beam=4"], True, "config 'beam' is not known"),
        ([*EXPORT_EAST, "--config", "beamSize"], True, "write KEY=VALUE"),
        (EXPORT_EAST, False, "en-US/conv-0-turn-0: no latency"),
    ],
)
def test_a_submission_that_would_be_refused_is_not_written(
    work: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    latency: bool,
    expected: str,
) -> None:
    mubench(latency=latency)
    score("mu", "sub")

    assert cli.main(arguments) == 2

    assert expected in capsys.readouterr().err
    assert not Path("out").exists()


def test_a_partial_submission_has_whole_locales_only(work: Path) -> None:
    mubench()
    Path("sub/zh-CN/conv-0-turn-1.txt").unlink()
    score("mu", "sub", "--partial")

    assert cli.main(EXPORT_EAST) == 2
    assert cli.main([*EXPORT_EAST, "--partial"]) == 0

    assert [path.name for path in Path("out/acme").iterdir() if path.is_dir()] == ["en-US"]
    assert set(read("out/acme/latency.json")["measurements"]) == {
        "en-US/conv-0-turn-0",
        "en-US/conv-0-turn-1",
    }


def test_a_submission_is_scored_without_audio_by_locale(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mubench()
    arguments = ["score", "--data", "mu", "--hypotheses", "sub"]

    assert cli.main(arguments) == 0

    shown = capsys.readouterr().out
    # "uh huh" against silence counts twice above and below the line; <unintelligible> is left out
    assert "WER en-US 0.6250 (5 edits in 8 tokens, plain)" in shown
    assert "WER zh-CN 0.3333 (1 edit in 3 tokens, plain)" in shown
    assert "WER 0.4791, unweighted mean of 2 locales (plain)" in shown
    assert "1 with <unintelligible> left out" in shown
    assert "no entities.jsonl: CTEM, TSR and the input-collection slice are" in shown


def etb() -> None:
    rows = [
        {
            "id": name,
            "audio": f"{name}.wav",
            "transcript": "smith met jones",
            "subset": subset,
            "entities": ["smith", "jones"],
            "entity_types": ["PERSON", "PERSON"],
            "entity_tiers": ["A", "B"],
            "entity_offsets": [],
        }
        for name, subset in [
            ("a", "MLCommons_TestPortion"),
            ("b", "MLCommons_TestPortion"),
            ("c", "Belebele_Fleurs_TestPortion"),
        ]
    ]
    write("etb/metadata.jsonl", rows)
    heard = {"a": "Smith met Jones.", "b": "Smyth met Jones.", "c": "Smith met nobody, really"}
    with Path("h.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "hypothesis"), *heard.items()])


def test_etb_is_reported_as_its_headline_with_interval_scorer_and_version(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    etb()

    assert cli.main(["score", "--data", "etb", "--hypotheses", "h.csv"]) == 0

    shown = " ".join(capsys.readouterr().out.split())
    assert "entity accuracy, MLCommons, tier A, n=2: 50.0% (1 of 2, 95% interval 9.5 to 90" in shown
    assert f"scorer rules {VERSION}, dataset version sha256:" in shown
    assert "entity accuracy, MLCommons, tiers A+B, n=4: 75.0% (3 of 4" in shown
    assert "MLCommons less Belebele/FLEURS, tier A: -50.0 points" in shown


def test_etb_hypotheses_come_back_as_they_went(work: Path) -> None:
    etb()
    score("etb", "h.csv")

    assert cli.main(["export", "etb", "run.json", "--out", "out.csv"]) == 0
    assert cli.main(["import", "etb", "out.csv", "--data", "etb", "--out", "r.jsonl"]) == 0

    texts = [
        {clip: heard.text for clip, heard in read_hypotheses(Path(name)).items()}
        for name in ("h.csv", "out.csv", "r.jsonl")
    ]
    assert texts[0] == texts[1] == texts[2]


def test_a_shipped_matcher_is_named_beside_the_figure(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    etb()
    Path("matcher_v5.py").write_text(
        "VERSION = '5'\n"
        "def self_test():\n    assert matches('smith', 'SMITH')\n"
        "def matches(span, hypothesis):\n    return span in hypothesis.lower()\n"
    )
    arguments = ["score", "--data", "etb", "--hypotheses", "h.csv"]

    assert cli.main([*arguments, "--verifier", "matcher_v5.py:matches"]) == 0

    shown = " ".join(capsys.readouterr().out.split())
    assert "scorer matcher_v5.py:matches 5," in shown


@pytest.mark.parametrize("benchmark", ["mu-bench", "etb"])
def test_a_run_of_another_benchmark_is_refused(
    work: Path, capsys: pytest.CaptureFixture[str], benchmark: str
) -> None:
    voicecodebench()
    score("vcb", "h.jsonl")
    more = ["--organization", "A", "--region", "us"]

    assert cli.main(["export", benchmark, "run.json", "--out", "out", *more]) == 2
    assert f"voicecodebench dataset, not {benchmark}" in capsys.readouterr().err
    assert cli.main(["import", benchmark, "h.jsonl", "--data", "vcb", "--out", "x.jsonl"]) == 2
    assert f"is voicecodebench, not {benchmark}" in capsys.readouterr().err
