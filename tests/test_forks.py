"""What a fork's pull request is judged by is the base branch's, and the report says what is not."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
import yaml
from helpers.small_runs import build, record_of

from pytest_asrbench import cli
from pytest_asrbench.run import change
from pytest_asrbench.store.cassette import SUFFIX

GIT = {
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
}  # fmt: skip
ROWS = [
    {"schema": 1, "cassette": "speech"},
    {"clip": "refund_03", "text": "call 415 555 0133"},
    {"clip": "ship_02", "text": "it ships on monday"},
]


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **GIT}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The team's repository, its cassette and thresholds committed."""
    repo = tmp_path / "team"
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main")
    git(repo, "config", "uploadpack.allowAnySHA1InWant", "true")
    write(repo / "speech/cassette.jsonl", ROWS)
    (repo / "speech/thresholds").mkdir()
    (repo / "speech/thresholds/nova3.yaml").write_text("gates: {ctem: {min: 0.9}}\n")
    (repo / "speech/thresholds/of two words.yaml").write_text("schema: 1\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "base")
    return repo


@pytest.fixture
def fork(base: Path, tmp_path: Path) -> Path:
    """A shallow checkout of a pull request that helps itself."""
    git(base, "checkout", "-q", "-b", "pull")
    edited = [ROWS[0], {"clip": "refund_03", "text": "call 415 555 0132"}, ROWS[2]]
    write(base / "speech/cassette.jsonl", edited)
    (base / "speech/thresholds/nova3.yaml").write_text("gates: {ctem: {min: 0.1}}\n")
    git(base, "commit", "-qam", "help myself")
    git(base, "commit", "-qm", "and more", "--allow-empty")
    repo = tmp_path / "checkout"
    git(tmp_path, "clone", "-q", "--depth=1", "--branch=pull", f"file://{base}", str(repo))
    return repo


def recipe(ci: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The shell that `asrbench init` writes for a fork."""
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    assert cli.main(["init", "--provider", "nova3", "--ci", ci]) == 0
    if ci == "github":
        workflow = yaml.safe_load((folder / ".github/workflows/speech.yml").read_text())
        assert "pull_request_target" not in workflow[True]  # YAML's `on`
        steps = workflow["jobs"]["gate"]["steps"]
        (step,) = [each for each in steps if "replay" in each.get("run", "")]
        assert "head.repo.full_name != github.repository" in step["if"]
        assert step["env"] == {"BASE": "${{ github.event.pull_request.base.sha }}"}
        return str(step["run"])
    job = yaml.safe_load((folder / ".gitlab/speech.yml").read_text())["speech"]
    (lines,) = [each for each in job["script"] if "replay" in each]
    return f"{lines}\nenv | grep ^ASRBENCH"


@pytest.mark.slow
@pytest.mark.parametrize("ci", ["github", "gitlab"])
def test_a_fork_is_judged_by_the_base_commit(ci, base, fork, tmp_path, monkeypatch):
    commit = git(base, "rev-parse", "main")
    script = recipe(ci, tmp_path / "own", monkeypatch)
    temporary = tmp_path / "runner"
    temporary.mkdir()
    github_env = tmp_path / "env"
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    done = subprocess.run(
        shell,
        cwd=fork,
        capture_output=True,
        text=True,
        env={
            "PATH": os.environ["PATH"],
            **GIT,
            "RUNNER_TEMP": str(temporary),
            "TMPDIR": str(temporary),
            "GITHUB_ENV": str(github_env),
            "BASE": commit,
            "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "8",
            "CI_MERGE_REQUEST_PROJECT_ID": "7",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": commit,
        },
    )
    assert done.returncode == 0, done.stderr
    said = github_env.read_text() if ci == "github" else done.stdout
    chosen = dict(line.split("=", 1) for line in said.splitlines())

    assert chosen["ASRBENCH_CACHE_MODE"] == "replay"
    cassette, thresholds = (Path(chosen[f"ASRBENCH_{n}"]) for n in ("CACHE", "THRESHOLDS"))
    assert cassette.suffix == SUFFIX
    assert not cassette.is_relative_to(fork)
    assert cassette.read_text() == git(base, "show", "main:speech/cassette.jsonl") + "\n"
    assert sorted(p.name for p in thresholds.iterdir()) == ["nova3.yaml", "of two words.yaml"]
    assert "0.9" in (thresholds / "nova3.yaml").read_text()


def run_of(*, source: str = "cache"):
    records = [record_of(clip, "time+", source=source) for clip in ("refund_03", "ship_02")]
    return build(records)


def told(repo: Path, base: str | None, *, source: str = "cache") -> list[str]:
    return change.notices(
        run_of(source=source),
        base,
        repo,
        transcripts=repo / "speech/cassette.jsonl",
        others=[repo / "speech/thresholds/nova3.yaml", repo / "speech/verdicts.yaml"],
    )


@pytest.mark.slow
def test_the_report_says_which_transcripts_the_change_itself_wrote(base, fork):
    commit = git(base, "rev-parse", "main")
    assert told(fork, commit) == [
        f"what this change itself touches can't be told: commit {commit[:12]} is not fetched"
    ]

    git(fork, "fetch", "-q", "--depth=1", "origin", commit)

    assert told(fork, commit) == [
        "2 of 2 transcripts come from speech/cassette.jsonl, which this change itself touches: "
        "1 row new or other (refund_03)",
        "this change itself touches what judges it: speech/thresholds/nova3.yaml",
    ]
    assert told(fork, commit, source="live") == []
    assert told(fork, None) == []
    assert told(fork, git(fork, "rev-parse", "HEAD")) == []


@pytest.mark.slow
def test_score_and_an_import_say_it_too(base, fork, monkeypatch, capsys):
    commit = git(base, "rev-parse", "main")
    git(fork, "fetch", "-q", "--depth=1", "origin", commit)
    monkeypatch.chdir(fork)
    monkeypatch.setenv("ASRBENCH_BASE", commit)
    clip = {"id": "refund_03", "audio": "a.wav", "reference": "at nine", "entities": []}
    header = {"schema": 1, "name": "s", "language": "en", "clips": [clip]}
    (fork / "speech/clips.yaml").write_text(json.dumps(header))
    cassette = "speech/cassette.jsonl"
    rows = [{"audio_id": "refund_03", "pred_text": "at nine"}]
    write(fork / "speech/heard.jsonl", rows)

    cli.main(["score", "--data", "speech/clips.yaml", "--hypotheses", "speech/heard.jsonl"])
    scored = capsys.readouterr().out
    (line,) = change.imported(Path(cassette), commit)

    assert "1 of 1 transcripts come from speech/heard.jsonl, which this change itself" in scored
    assert line == f"{cassette}: this change itself touches it: 1 row new or other (refund_03)"
    assert change.imported(Path(cassette), None) == []


def test_a_new_file_and_a_committed_store_are_told_too(base):
    commit = git(base, "rev-parse", "main")
    write(base / "speech/new.jsonl", ROWS[1:])
    (base / "store/transcripts/a").mkdir(parents=True)
    (base / "store/transcripts/a/aa.json").write_text("{}")

    def of(name):
        return change.notices(
            run_of(), commit, base, transcripts=base / name, others=[base.parent / "elsewhere"]
        )

    assert of("store") == []
    git(base, "add", "-f", "store")
    assert of("store") == [
        "2 of 2 transcripts come from store, which this change itself touches: 1 committed file "
        "in it"
    ]
    (line,) = of("speech/new.jsonl")
    assert f"({commit[:12]} has no such file)" in line


def test_the_base_commit_is_what_ci_says(tmp_path):
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"base": {"sha": "abc"}}}))
    github = {"GITHUB_EVENT_PATH": str(event)}

    assert change.base_commit(github) == "abc"
    assert change.base_commit({**github, "ASRBENCH_BASE": "mine"}) == "mine"
    assert change.base_commit({"CI_MERGE_REQUEST_DIFF_BASE_SHA": "d1"}) == "d1"
    assert change.base_commit({}) is None
    for damaged in ("[1]", '{"pull_request": 5}', "[" * 100_000, "no"):
        event.write_text(damaged)
        assert change.base_commit(github) is None


def test_no_option_of_git_comes_from_a_base(base):
    assert told(base, "--output=/tmp/x") == []
