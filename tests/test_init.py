"""`asrbench init`: a working folder, whose CI file lies where CI reads it and measures the system
in use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers.plugin_suite import Suite

from pytest_asrbench import cli
from pytest_asrbench.commands import starting
from pytest_asrbench.datasets import load
from pytest_asrbench.providers import conftests, registry
from pytest_asrbench.settings.file import read_settings_file

GITHUB = ".github/workflows/speech.yml"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty git repository, the folder of the call."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(conftests, "_loaded", set())
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def gate(path: Path) -> tuple[str, dict[str, str], str]:
    """Command, environment and packages of GitHub's one pytest step."""
    steps: list[dict[str, Any]] = yaml.safe_load(path.read_text())["jobs"]["gate"]["steps"]
    (step,) = (each for each in steps if "--asr-provider" in each.get("run", ""))
    (packages,) = (each["run"] for each in steps if "pip install" in each.get("run", ""))
    return step["run"], step.get("env", {}), packages


def configured(folder: Path) -> dict[str, Any]:
    return {name: dict(entry) for name, entry in read_settings_file(folder).providers.items()}


def test_init_leaves_what_the_provider_needs(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["init", "voice", "--provider", "nova3"]) == 0

    assert set(files(repo)) == {
        GITHUB,
        "voice/asrbench.yaml",
        "voice/clips.yaml",
        "voice/clips/discount.flac",
        "voice/recordings/sample.jsonl",
        "voice/test_voice.py",
        "voice/thresholds/recorded.yaml",
    }
    assert load("voice", repo).name == "voice"
    assert cli.main(["lint", "voice"]) == 0
    command, environment, packages = gate(repo / GITHUB)
    assert "pytest voice --asr-provider=nova3 --asr-gate=on" in command
    assert "--asr-html-audio" in command
    assert environment["DEEPGRAM_API_KEY"] == "${{ secrets.DEEPGRAM_API_KEY }}"
    assert "ASRBENCH_CACHE_MODE" not in environment  # see test_forks
    assert "[html]==" in packages  # a verifier of another version makes thresholds stale
    assert configured(repo / "voice/asrbench.yaml")["nova3"] == {
        "use": "deepgram",
        "model": "nova-3",
    }
    steps = capsys.readouterr().out
    assert "set DEEPGRAM_API_KEY here, and as a secret of the repository" in steps
    assert "pytest voice --asr-provider=nova3 --asr-update" in steps


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "entry", "in_ci"),
    [
        (["deepgram"], {"use": "deepgram", "model": "nova-3"}, "DEEPGRAM_API_KEY:"),
        (["deepgram-flux"], {"use": "deepgram-flux", "model": "flux-general-en"}, "=stream"),
        (["pocketsphinx"], {"use": "pocketsphinx"}, "[html,pocketsphinx]=="),
        (["google"], {"use": "google", "model": "chirp_3"}, "[html,google]=="),
        (
            ["nightly", "--use", "openai-compatible"],
            {
                "use": "openai-compatible",
                "base_url": "http://localhost:8000/v1",
                "model": "whisper-1",
            },
            "--asr-provider=nightly",
        ),
        (["whisper.cpp"], {"use": "whisper.cpp"}, "--asr-provider=whisper.cpp"),
    ],
)
def test_a_configuration_of_that_name_is_really_there(
    repo: Path, asked: list[str], entry: dict[str, str], in_ci: str
) -> None:
    assert cli.main(["init", "--provider", *asked]) == 0

    assert configured(repo / "speech/asrbench.yaml")[asked[0]] == entry
    assert in_ci in (repo / GITHUB).read_text()


def test_every_built_in_system_can_be_set_up() -> None:
    entries = {use: starting.new("x", use).entry for use in registry.BUILTIN}

    assert entries["livekit"] == {"stt": "agent:build_stt"}
    assert entries["sherpa-onnx"]["kind"] == "transducer"
    assert entries["vosk"] == {"model": "vosk-model-small-en-us-0.15"}


def test_a_recogniser_that_needs_no_key_runs_in_a_fork_too(repo: Path) -> None:
    assert cli.main(["init", "--provider", "pocketsphinx"]) == 0

    assert gate(repo / GITHUB)[1] == {}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["depgram"], "did you mean deepgram?"),
        (["my asr"], "write letters, digits"),
        (["x", "--use", "mine"], "--use mine: no built-in system; known: assemblyai,"),
    ],
)
def test_a_name_that_can_not_be_set_up_writes_nothing(
    repo: Path, capsys: pytest.CaptureFixture[str], asked: list[str], said: str
) -> None:
    assert cli.main(["init", "--provider", *asked]) == 2

    assert said in capsys.readouterr().err
    assert files(repo) == {}


def test_a_function_of_ones_own_is_begun_and_known(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["init", "--provider", "my-asr"]) == 0
    assert "write the call of your recogniser into speech/conftest.py" in capsys.readouterr().out
    assert "def my_asr(audio):" in (repo / "speech/conftest.py").read_text()
    before = (repo / GITHUB).read_text()

    assert cli.main(["init", "--ci-only", "--provider", "my-asr"]) == 0
    assert (repo / GITHUB).read_text() == before
    assert cli.main(["init", "--ci-only", "--provider", "yours"]) == 2
    assert "unknown provider 'yours'; known: assemblyai," in capsys.readouterr().err


def test_a_function_that_is_registered_above_is_left_as_it_is(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    register = "import pytest_asrbench\n@pytest_asrbench.provider('above')\ndef f(a): return ''\n"
    (repo / "conftest.py").write_text(register)

    assert cli.main(["init", "--provider", "above"]) == 0

    assert not (repo / "speech/conftest.py").exists()
    assert "write the call" not in capsys.readouterr().out
    assert gate(repo / GITHUB)[0].count("--asr-provider=above")


def test_a_system_that_knows_english_only_is_no_system_for_other_clips(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["init", "--ci", "none", "--language", "es-MX", "--provider"]

    assert cli.main([*asked, "pocketsphinx"]) == 2
    assert "pocketsphinx knows English only, --language is es-MX" in capsys.readouterr().err
    assert files(repo) == {}
    assert cli.main([*asked, "deepgram-flux"]) == 0
    entry = configured(repo / "speech/asrbench.yaml")["deepgram-flux"]
    assert entry["model"] == "flux-general-multi"


def test_of_several_sets_a_command_is_told_which(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("a", "b"):
        assert cli.main(["init", folder, "--ci", "none"]) == 0
    recording = "a/clips/discount.flac"

    for asked in (["transcribe", recording, "--provider", "recorded"], ["add", recording]):
        assert cli.main(asked) == 2
        assert "name the folder of one with --data" in capsys.readouterr().err
    assert cli.main(["lint"]) == 2
    assert "name the folders to check" in capsys.readouterr().err
    assert cli.main(["lint", "a", "b"]) == 0
    cli.main(["transcribe", recording, "--data", "a", "--provider", "recorded"])
    assert "sample.jsonl has no row for clip 'a/clips/discount.flac'" in capsys.readouterr().err


@pytest.mark.slow
def test_the_ci_file_follows_the_provider_in_use(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["init"]) == 0
    assert "asrbench init speech --ci-only --provider NAME" in capsys.readouterr().out

    assert cli.main(["init", "--ci-only", "--provider", "deepgram"]) == 0
    command, environment, _ = gate(repo / GITHUB)
    assert "--asr-provider=deepgram" in command
    assert "DEEPGRAM_API_KEY" in environment

    (repo / GITHUB).write_text((repo / GITHUB).read_text().replace("3.12", "3.13"))
    before = files(repo)
    assert cli.main(["init", "--ci-only", "--provider", "openai"]) == 2
    assert "not as init writes it; name openai and its key in it" in capsys.readouterr().err
    assert files(repo) == before


def test_in_a_monorepo_the_ci_file_lies_at_the_root_and_runs_from_there(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package = repo / "packages/agent"
    package.mkdir(parents=True)
    monkeypatch.chdir(package)

    assert cli.main(["init", "--provider", "nova3"]) == 0

    command, _, _ = gate(repo / GITHUB)
    assert "pytest packages/agent/speech --asr-provider=nova3" in command
    assert "hashFiles('packages/agent/speech/cassette.jsonl')" in (repo / GITHUB).read_text()
    out = capsys.readouterr().out
    assert f"wrote ../../{GITHUB}" in out
    assert "pytest speech --asr-provider=recorded" in out


@pytest.mark.slow
def test_two_sets_in_one_repository(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    root = suite.folder
    (root / ".git").mkdir()
    suite.file("pytest.ini", "[pytest]\n")
    monkeypatch.chdir(root)
    for package in ("packages/a", "packages/b"):
        (root / package).mkdir(parents=True)
        assert cli.main(["init", f"{package}/speech"]) == 0
    assert (root / ".github/workflows/speech-packages-b-speech.yml").is_file()

    def run(*arguments: str) -> pytest.RunResult:
        return suite.pytester.runpytest_inprocess(*suite.plugins(), *arguments)

    plain = run()
    assert plain.ret == pytest.ExitCode.OK
    plain.assert_outcomes(skipped=4)
    held = run("packages/a", "--asr-provider=recorded", "--asr-gate=on")
    assert held.ret == pytest.ExitCode.OK
    held.stdout.fnmatch_lines(["ctem*1.00*2 of 2*ok*"])
    two = (
        "*2 sets of clips in one call; measure each by itself:",
        "  pytest packages/a{} *--asr-provider=recorded",
        "  pytest packages/b{} *--asr-provider=recorded",
    )
    for arguments, shown in (
        ([], "/speech"),
        (["packages"], "/speech"),
        (["packages/a", "packages/b"], ""),
    ):
        both = run(*arguments, "--asr-provider=recorded")
        assert both.ret == pytest.ExitCode.USAGE_ERROR
        both.stderr.fnmatch_lines([line.format(shown) for line in two])


@pytest.mark.slow
def test_gitlab_reads_the_file_through_its_own(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["init", "--ci", "gitlab", "--provider", "nova3"]) == 0

    job = yaml.safe_load((repo / ".gitlab/speech.yml").read_text())["speech"]
    script = "\n".join(job["script"])
    assert "--asr-gate=on" in script
    assert "CI_MERGE_REQUEST_PROJECT_ID" in script
    assert yaml.safe_load((repo / ".gitlab-ci.yml").read_text()) == {
        "include": [{"local": ".gitlab/speech.yml"}]
    }
    assert "DEEPGRAM_API_KEY" in (repo / ".gitlab/speech.yml").read_text()

    capsys.readouterr()
    assert cli.main(["init", "other", "--ci", "gitlab"]) == 0
    assert (
        "add to .gitlab-ci.yml: include: [{local: .gitlab/speech-other.yml}]"
        in capsys.readouterr().out
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "target", "mode"),
    [("7", "7", ""), ("8", "7", "replay"), ("", "", ""), ("", "7", "")],
)
def test_gitlab_replays_for_a_fork_alone(repo: Path, source: str, target: str, mode: str) -> None:
    import subprocess

    cli.main(["init", "--ci", "gitlab"])
    job = yaml.safe_load((repo / ".gitlab/speech.yml").read_text())["speech"]
    (line,) = (each for each in job["script"] if "ASRBENCH_CACHE_MODE" in each)
    names = {
        "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": source,
        "CI_MERGE_REQUEST_PROJECT_ID": target,
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": "1a2b3c",
    }

    done = subprocess.run(
        ["sh", "-euc", f'git() {{ :; }}\n{line}\necho "${{ASRBENCH_CACHE_MODE:-}}"'],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/bin:/usr/bin", **{name: value for name, value in names.items() if value}},
    )

    assert done.stdout.strip() == mode


def test_without_a_repository_the_place_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert cli.main(["init"]) == 0
    assert f"no git repository here: {GITHUB} belongs to its root" in capsys.readouterr().out


def test_init_touches_nothing_that_is_there(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repo / "speech").mkdir()
    (repo / "speech/clips.yaml").write_text("mine")

    assert cli.main(["init"]) == 2
    assert "speech/clips.yaml: is there already" in capsys.readouterr().err
    assert files(repo) == {"speech/clips.yaml": b"mine"}


@pytest.mark.parametrize("arguments", [["--name", "a b"], ["--language", "english"]])
def test_init_refuses_what_the_manifest_could_not_hold(repo: Path, arguments: list[str]) -> None:
    assert cli.main(["init", *arguments]) == 2
    assert files(repo) == {}
