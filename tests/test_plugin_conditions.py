"""A condition is a dimension of a run: records, gates, thresholds, shards and workers know it."""

from __future__ import annotations

import json

import jsonschema
import pytest
import yaml

from pytest_asrbench import cli
from pytest_asrbench.reports.schema import run_schema

LISTENER = """
import hashlib, json, os
import numpy as np
import pytest_asrbench

@pytest_asrbench.provider("listener", version="1")
def listener(audio):
    name = hashlib.sha256(audio.data).hexdigest()
    with open("heard.txt", "a") as file:
        file.write(json.dumps([audio.rate, name, os.path.basename(audio.path)]) + chr(10))
    return "so 4100 it is" if audio.rate > 8000 else "nothing"
"""


def ten(suite, lost: int) -> None:
    """Ten clips, all recovered raw; of the last `lost` nothing is left under `phone`."""
    suite.many(10)
    for n, (name, text) in enumerate([*suite.heard.items()]):
        suite.heard[f"{name}@phone"] = text if n < 10 - lost else "something else"


def test_gates_are_green_raw_and_red_under_the_phone(suite):
    ten(suite, lost=0)
    suite.audio()
    asked = ("--asr-condition=phone", "--asr-json=run.json", "--asr-gate=on")
    reports = ("--asr-html=run.html", "--asr-md=run.md", "--junitxml=j.xml")
    first = suite.run(*asked, "--asr-update")
    assert first.ret == 0
    stored = yaml.safe_load((suite.folder / "thresholds/recorded.yaml").read_text())
    assert stored["gates"]["ctem"] == {"min": 1.0}
    assert stored["conditions"]["phone"]["gates"]["ctem"] == {"min": 1.0}
    assert stored["conditions"]["phone"]["baseline"]["ctem"] == [10, 10]

    stored["conditions"]["phone"]["drop"] = {"max_drop": 15}
    (suite.folder / "thresholds/recorded.yaml").write_text(yaml.safe_dump(stored))
    suite.heard = {**suite.heard, "c09@phone": "so long", "c08@phone": "so long"}
    result = suite.run(*asked, *reports, "-v")

    assert result.ret == 1
    result.stdout.fnmatch_lines([
        "*raw and under phone: 2 calls a clip, 20 in all*",
        "*test_clip[[]c09] PASSED*",
        "*test_clip[[]c09@phone] MISSED*",
        "*gate[[]ctem] PASSED*",
        "*gate[[]condition=phone/ctem] FAILED*",
        "*raw *phone*",
        "CTEM (10) * 1.00 * 0.80 !",
        "phone: drop 20.00 > 15.00 points (8 of 10); 0.80 < 1.00 raw, within noise: p *",
        "broke under phone: 2 values that the raw clips gave",
        "*c08/e1@phone  wanted 4108*",
        "reproduce one clip: *c08@phone* --asr-condition=phone *",
    ])  # fmt: skip
    markdown = (suite.folder / "run.md").read_text("utf-8")
    assert "were recovered. Of those recovered, phone broke 2." in markdown
    assert "| `CTEM` | 1.00 | **0.80** ❌ |" in markdown
    assert "broke under <code>phone</code>: 2 values" in markdown
    html = (suite.folder / "run.html").read_text("utf-8")
    assert html.count('src="data:audio/wav;base64,') == 2
    assert html.count('src="c08.wav"') == 1
    assert 'class="num heat h1 fell"' in html
    properties = [each.attrib for each in suite.junit().iter("property")]
    assert {"name": "asr_missed", "value": "c08/e1@phone"} in properties
    file = suite.run_file()
    assert file["metrics"]["ctem"]["hits"] == 10
    (phone,) = file["conditions"]
    assert phone["metrics"]["ctem"]["hits"] == 8
    assert len(file["records"]) == 20
    assert [r["clip"] for r in file["records"] if r.get("condition") == "phone"] == [
        f"c{n:02}" for n in range(10)
    ]
    jsonschema.validate(file, run_schema())
    outcomes = {gate["name"]: gate for gate in file["gates"]}
    assert outcomes["ctem"]["outcome"] == "passed"
    assert outcomes["condition=phone/ctem"]["outcome"] == "failed"
    assert outcomes["condition=phone/complete"]["outcome"] == "passed"
    assert outcomes["condition=phone/drop"]["outcome"] == "failed"
    assert outcomes["condition=phone/drop"]["baseline"]["hits"] == 10

    # Raw alone: the gates of the condition are named as not measured, and the file stays.
    raw = suite.run("--asr-gate=on", "--asr-update")
    assert raw.ret == 0
    again = yaml.safe_load((suite.folder / "thresholds/recorded.yaml").read_text())
    assert again == stored
    left = suite.run("--asr-gate=on")
    left.stdout.fnmatch_lines(["*not measured*condition phone*"])


@pytest.mark.slow
def test_the_same_sound_reaches_the_provider_in_one_process_and_two(suite, capsys, monkeypatch):
    suite.many(4)
    suite.provider(LISTENER)
    _speak(suite)
    names = "--asr-condition=phone,noise:10"
    seen = []
    for options in (("--asr-cache-mode=refresh",), ("--asr-cache-mode=refresh", "-n2")):
        (suite.folder / "heard.txt").unlink(missing_ok=True)
        result = suite.run(
            names, "--asr-gate=off", "--asr-json=run.json", *options, provider="listener"
        )
        assert result.ret == 0
        lines = map(json.loads, (suite.folder / "heard.txt").read_text().splitlines())
        seen.append(sorted(lines))
    assert len(seen[0]) == 12
    assert [line[:2] for line in seen[0]] == [line[:2] for line in seen[1]]
    told = "".join(line[2] for line in seen[0])
    assert not any(word in told for word in ("phone", "noise", "c0"))
    records = suite.run_file()["records"]
    assert {record["audio_sha256"] for record in records} == {line[1] for line in seen[0]}
    # What is stored is of a clip under a condition: nothing is called again.
    (suite.folder / "heard.txt").unlink()
    assert suite.run(names, "--asr-gate=off", provider="listener").ret == 0
    assert not (suite.folder / "heard.txt").exists()


def _speak(suite) -> None:
    import numpy as np
    import soundfile

    for n, clip in enumerate(suite.clips):
        samples = 0.1 * np.random.RandomState(n).standard_normal(4_000)
        soundfile.write(suite.folder / clip["audio"], samples, 16_000)


@pytest.mark.slow
def test_shards_are_merged_and_gated_with_their_conditions(suite, monkeypatch, capsys):
    ten(suite, lost=2)
    suite.run("--asr-condition=phone", "--asr-update")
    for part in ("1/2", "2/2"):
        file = f"--asr-json=part{part[0]}.json"
        assert suite.run("--asr-condition=phone", f"--asr-shard={part}", file).ret == 0
    monkeypatch.chdir(suite.folder)

    merge = ["merge", "part1.json", "part2.json", "--json", "run.json", "--gate"]
    assert cli.main([*merge, "--thresholds", "thresholds/recorded.yaml"]) == 0

    assert "condition=phone/ctem" in capsys.readouterr().out
    (phone,) = suite.run_file()["conditions"]
    assert phone["drop"]["p"] == 0.25  # two of ten clips lost: the chance of two heads
    assert cli.main(["score", "--run", "run.json", "--json", "again.json"]) == 0
    again = json.loads((suite.folder / "again.json").read_text("utf-8"))
    assert again["conditions"][0]["metrics"]["ctem"]["hits"] == 8
    compare = ["compare", "run.json", "again.json", "--condition"]
    assert cli.main([*compare, "phone"]) == 0
    assert "8 of 10" in capsys.readouterr().out
    assert cli.main([*compare, "gsm"]) == 2
    assert "nothing was measured under 'gsm'; it has phone" in capsys.readouterr().err
    assert phone["metrics"]["ctem"] == {**phone["metrics"]["ctem"], "hits": 8, "total": 10}
    assert suite.run("--asr-condition=phone", "--asr-shard=1/2", "--asr-json=part1.json").ret == 0
    assert suite.run("--asr-shard=2/2", "--asr-json=part2.json").ret == 0
    assert cli.main(merge) == 2
    assert "conditions" in capsys.readouterr().err


def test_a_run_of_some_clips_or_conditions_is_not_gated(suite):
    ten(suite, lost=0)
    suite.thresholds(ctem={"min": 1.0})

    result = suite.run("--asr-condition=phone", "-k", "not phone")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*not gated: 10 of 20 clips*"])
    unstored = suite.run("--asr-condition=phone")
    assert unstored.ret == 1
    told = "*FAILED*condition=phone/thresholds*no thresholds of this condition*"
    unstored.stdout.fnmatch_lines([told])
    wrong = suite.run("--asr-condition=phnoe")
    assert wrong.ret == 4
    wrong.stderr.fnmatch_lines(["*no condition 'phnoe'; did you mean phone?"])
