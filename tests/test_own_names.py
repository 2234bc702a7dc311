"""Names of the project's own code work in commands; a local model is known by its content."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_asrbench import cli
from pytest_asrbench.providers import conftests, registry
from pytest_asrbench.providers.base import Configuration
from pytest_asrbench.providers.local import known_by_content

CONFTEST = """
import pytest
import pytest_asrbench
from helper import TEXT

@pytest_asrbench.provider("myasr", version="1")
def myasr(audio, model=None):
    return TEXT
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as init writes it, with a recogniser in its conftest."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(conftests, "_loaded", set())
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    for name in ("conftest", "helper"):
        monkeypatch.delitem(__import__("sys").modules, name, raising=False)
    (tmp_path / ".git").mkdir()
    assert cli.main(["init"]) == 0
    (tmp_path / "speech/conftest.py").write_text(CONFTEST)
    (tmp_path / "speech/helper.py").write_text("TEXT = 'twelve percent'\n")
    return tmp_path


def test_a_conftest_that_nobody_read_is_named(project: Path) -> None:
    assert conftests.unseen("myasr", project / "speech") == project / "speech/conftest.py"
    assert conftests.unseen("yours", project / "speech") is None


@pytest.mark.slow
def test_a_provider_of_a_conftest_is_known_to_commands(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = "speech/clips/discount.flac"
    capsys.readouterr()
    assert cli.main(["providers"]) == 0
    assert "myasr  (speech/conftest.py)" in capsys.readouterr().out
    assert cli.main(["providers", "myasr"]) == 0
    assert "myasr, a provider of yours (speech/conftest.py)" in capsys.readouterr().out

    asked = ["transcribe", recording, "--provider", "myasr"]
    assert cli.main(asked) == 0
    assert capsys.readouterr().out == f"{recording}\ttwelve percent\n"
    assert cli.main(asked) == 0
    assert capsys.readouterr().out == f"{recording}\ttwelve percent\t(stored)\n"
    assert cli.main(["transcribe", "--data", "speech", "--provider", "myasr"]) == 0
    assert "discount\ttwelve percent" in capsys.readouterr().out

    asked = ["add", recording, "--data", "speech", "--provider", "myasr", "--id", "again"]
    assert cli.main([*asked, "--entity", "percentage=12%", "--yes"]) == 0
    out = capsys.readouterr().out
    assert "reference: twelve percent\n" in out
    assert "proposed reference: what was heard; correct it" in out


@pytest.mark.slow
def test_a_conftest_that_can_not_be_imported_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "speech/conftest.py").write_text("import nothing_of_that_name\n")
    capsys.readouterr()

    assert cli.main(["transcribe", "--data", "speech", "--provider", "myasr"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(
        "speech/conftest.py: importing it raised ModuleNotFoundError: No module named "
        "'nothing_of_that_name'"
    )
    assert cli.main(["transcribe", "--data", "speech", "--provider", "recorded"]) == 0
    capsys.readouterr()
    assert cli.main(["providers"]) == 0
    assert "importing it raised" in capsys.readouterr().out


def described(folder: Path, use: str, **options: object) -> tuple[str | None, str]:
    made = registry.create(Configuration("x", use, options, folder))
    found = made.describe()
    return found.model, str(dict(found.settings))


def test_a_local_model_is_known_by_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_registered", {})

    @registry.provider("mine")
    def mine(audio: object, model: str = "", beam: int = 1) -> str:
        return ""

    for place in ("here", "elsewhere/deep"):
        (tmp_path / place / "m").mkdir(parents=True)
        (tmp_path / place / "m/weights.bin").write_bytes(b"\1" * 5_000)
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "run.sh").chmod(0o755)

    def both(place: str) -> list[tuple[str | None, str]]:
        weights = str(tmp_path / place / "m/weights.bin")
        return [
            described(tmp_path, "mine", model=f"{place}/m", beam=5),
            described(tmp_path, "mine", model=weights),
            described(tmp_path, "command", argv=["./run.sh", f"--model={weights}", "{wav}"]),
        ]

    first, second = both("here"), both("elsewhere/deep")
    assert first == second
    assert str(tmp_path) not in str(first)
    assert first[0][0] is not None
    assert first[0][0].startswith("m@")

    (tmp_path / "here/m/weights.bin").write_bytes(b"\1" * 4_999 + b"\2")
    assert [a != b for a, b in zip(both("here"), second, strict=True)] == [True] * 3


def test_a_file_of_keys_leaves_no_digest(tmp_path: Path) -> None:
    (tmp_path / "k.json").write_text("secret")
    path = str(tmp_path / "k.json")

    told = known_by_content({"credentials": path, "argv": [f"--key-file={path}", path]}, tmp_path)

    assert told["credentials"] == "k.json"
    assert told["argv"][0] == "--key-file=k.json"
    assert told["argv"][1].startswith("k.json@")


@pytest.mark.parametrize(
    "value",
    ["nova-3", "", "Systran/faster-whisper-small", 5, None, ["a", {"b": 1.5}], "a=b", "x" * 999],
)
def test_what_is_no_path_stays(tmp_path: Path, value: object) -> None:
    assert known_by_content(value, tmp_path) == value
