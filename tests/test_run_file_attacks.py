"""A run file that contradicts itself is refused, whatever else it says."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest
from helpers.small_runs import STEADY, gates, run_of, stored

from pytest_asrbench import cli
from pytest_asrbench import run as runs
from pytest_asrbench.gates import write

LINES = {
    "a": ["time+ date+", "time+ date+"],
    "b": ["url+", "url+"],
    "c": ["time-", "time-"],
    "d#2": ["", ""],
}


def dropped(data):
    del data["records"][0:2]


def dropped_and_counted_down(data):
    del data["records"][0:2]
    data["coverage"]["expected"] = data["dataset"]["clips"] = 3
    data["dataset"]["entities"] = 2


def dropped_and_named(data):
    del data["records"][4:6]
    data["coverage"]["expected"] = 3


def doubled(data):
    data["records"].append(data["records"][0])


def replaced(data):
    data["records"][4:6] = copy.deepcopy(data["records"][0:2])


def without_repeat(data):
    del data["records"][5]


def fewer_repeats(data):
    data["records"] = [record for record in data["records"] if record["repeat"] == 1]


def repeat_beyond(data):
    data["records"][5]["repeat"] = 3


def emptied(data):
    for record in data["records"]:
        record["entities"] = [e for e in record["entities"] if e["present"]]


def emptied_once(data):
    data["records"][4]["entities"] = []


def renamed(data):
    for record in data["records"][4:6]:
        record["clip"] = "e"


def value_changed(data):
    for record in data["records"][4:6]:
        record["entities"][0]["canonical"] = "something else"
        record["entities"][0]["present"] = True


def reference_changed(data):
    for record in data["records"][4:6]:
        record["reference"] = record["transcript"]


def value_twice(data):
    for record in data["records"][0:2]:
        record["entities"][1]["id"] = record["entities"][0]["id"]


def named_missing(data):
    data["coverage"]["missing"] = ["a"]


def expecting_more(data):
    data["coverage"]["expected"] = 5


def expecting_none(data):
    data["records"], data["coverage"]["expected"] = [], 0


def of_no_clips(data):
    expecting_none(data)
    data["dataset"].update(clips=0, entities=0)


ATTACKS = [value for value in [*globals().values()] if getattr(value, "__module__", "") == __name__]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A run file with one value lost, and thresholds that it holds."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)
    run = run_of(LINES, providers=[STEADY])
    runs.write(run, tmp_path / "run.json")
    write(stored(run, gates=gates(ctem={"min": "0.75"})), tmp_path / "thresholds/p.yaml")
    return tmp_path


def test_an_honest_run_holds(folder):
    assert cli.main(["thresholds", "check", "run.json"]) == 0
    assert cli.main(["merge", "run.json", "--gate"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.__name__ for attack in ATTACKS])
def test_a_run_file_that_contradicts_itself_is_refused(folder, capsys, attack):
    data = json.loads((folder / "run.json").read_text())
    attack(data)
    (folder / "run.json").write_text(json.dumps(data))

    for command in (["thresholds", "check"], ["thresholds", "update"], ["merge", "--gate"]):
        capsys.readouterr()
        assert cli.main([*command, "run.json"]) == 2
        said = capsys.readouterr().err.strip()
        assert said.removeprefix("asrbench: ").startswith("run.json: "), said
        assert "\n" not in said
        assert "write it again" in said


def test_what_a_run_says_lacks_is_no_contradiction(folder):
    run = runs.read(folder / "run.json")
    coverage = replace(run.coverage, missing=("c", "c#2", "a#2"))
    kept = [r for r in run.records if r.clip != "c" and (r.clip, r.repeat) != ("a", 2)]
    runs.write(replace(run, records=tuple(kept), coverage=coverage), folder / "run.json")

    assert cli.main(["thresholds", "check", "run.json"]) == 1


def test_one_shard_decides_nothing(folder, capsys):
    data = json.loads((folder / "run.json").read_text())
    data["shard"] = "1/2"
    (folder / "run.json").write_text(json.dumps(data))

    assert cli.main(["thresholds", "check", "run.json"]) == 2
    assert "shard 1/2 decides nothing alone" in capsys.readouterr().err
    assert cli.main(["merge", "run.json", "--gate"]) == 2
