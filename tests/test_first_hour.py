"""
The first hour of somebody who never saw this: a fresh repository, the built wheel, the README.

One long scenario, as one state leads to the next; each step has its exit code and what a person has
to read. `pytest tests/test_first_hour.py -s` prints the seconds of each.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
CALLS = ROOT / "example_project" / "clips"
GREEN, RED, USAGE = 0, 1, 4

PROVIDER = """
import json
from pathlib import Path

import pytest_asrbench

HEARD = Path(__file__).with_name("model.json")


def spoken(seconds):
    model = json.loads(HEARD.read_text())
    return model["words"][f"{seconds:.2f}"]


@pytest_asrbench.provider("myasr", version=HEARD.read_text())
def myasr(audio):
    return spoken(audio.duration_s)
"""


class Stranger:
    """A person at a prompt: runs commands in a folder, and takes the time."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self.times: list[tuple[str, float]] = []
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ASRBENCH", "PYTEST"))}
        kept = {k: v for k, v in kept.items() if not k.startswith(("GITHUB", "CI", "VIRTUAL_ENV"))}
        self.environment = {**kept, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        self.environment |= {"COLUMNS": "100", "NO_COLOR": "1"}

    def types(self, command: str, code: int = GREEN, where: str = ".") -> str:
        started = time.monotonic()
        done = subprocess.run(
            shlex.split(command),
            cwd=self.folder / where,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        self.times.append((command, time.monotonic() - started))
        said = done.stdout + done.stderr
        assert done.returncode == code, f"{command}: {done.returncode}\n{said}"
        return said

    def writes(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment into which the built wheel was installed."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel = os.environ.get("ASRBENCH_WHEEL") or _built(folder)
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    target = [programs / "python", "-m", "pip", "-q", "--disable-pip-version-check", "install"]
    # What runs is compiled when it first does; most of what is installed never does.
    subprocess.run([*target, "--no-compile", f"{wheel}[html]"], check=True, capture_output=True)
    return programs


def _built(folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture
def stranger(tmp_path: Path, installed: Path) -> Stranger:
    """In a fresh git repository with tests of its own, and recordings beside it."""
    folder = tmp_path / "repo"
    folder.mkdir()
    person = Stranger(folder, installed)
    person.types("git init -q")
    person.writes("tests/test_unit.py", "def test_unit():\n    assert True\n")
    person.writes("pytest.ini", "[pytest]\n")
    for name in ("refund_amount", "late_fee", "charged_twice", "account_balance", "interest"):
        (tmp_path / "calls").mkdir(exist_ok=True)
        shutil.copy(CALLS / f"{name}.flac", tmp_path / "calls" / f"{name}.flac")
    return person


def model(stranger: Stranger, **words: str) -> None:
    """What the stranger's recogniser makes of each recording, told by its length."""
    import json

    import soundfile

    clips = {path.stem: path for path in (stranger.folder.parent / "calls").iterdir()}
    clips["discount"] = stranger.folder / "speech/clips/discount.flac"
    known = {f"{soundfile.info(clips[name]).duration:.2f}": text for name, text in words.items()}
    assert len(known) == len(words)
    stranger.writes("speech/model.json", json.dumps({"words": known}))


SAID = {
    "discount": "Your discount is 12%, so the new total is $96.",
    "refund_amount": "Please refund $42.50 for order number 8153.",
    "late_fee": "the late fee is fifteen dollars",
    "charged_twice": "I was charged twice, $29 and $31",
    "account_balance": "the balance is three hundred dollars",
}
# A provider that promises no equal text is held, with so few clips, to half of what it recovered.
WORSE = {
    **SAID,
    "refund_amount": "Please refund $42.15 for order number 8153.",
    "late_fee": "the late fee is fifty dollars",
    "charged_twice": "I was charged twice, $20 and $31",
}
CLIPS = {
    "refund_amount": ("currency_amount=$42.50", SAID["refund_amount"]),
    "late_fee": ("currency_amount=$15", SAID["late_fee"]),
    "charged_twice": ("currency_amount=$29", SAID["charged_twice"]),
}


@pytest.mark.slow
def test_the_first_hour(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    it = stranger

    # begin: as the README says, and with a recogniser of one's own
    assert "1 passed" in it.types("pytest")
    begun = it.types("asrbench init speech --provider myasr")
    assert "write the call of your recogniser into speech/conftest.py" in begun
    assert "gates held" in it.types("pytest speech --asr-provider=recorded --asr-gate=on")
    assert "1 passed" in it.types("pytest")  # plain pytest is unharmed

    # add: a stranger's recordings
    for name, (value, said) in CLIPS.items():
        call = f"asrbench add ../calls/{name}.flac --data speech --entity '{value}' --yes"
        assert f"added {name}, 1 value" in it.types(f"{call} --reference '{said}'")
    twice = it.types(f"{call} --reference '{said}' --id twice")
    assert "the same recording as charged_twice" in twice
    it.types("asrbench remove twice --data speech")
    assert " 0 errors" in it.types("asrbench lint speech")

    # a provider with a bug: found at its line
    it.writes("speech/conftest.py", PROVIDER.replace('model["words"]', 'model["wrods"]'))
    model(it, **SAID)
    bug = it.types("pytest speech --asr-provider=myasr --showlocals", RED)
    assert re.search(r"conftest\.py:1[0-9]: KeyError", bug)
    assert "seconds    = " in bug
    assert bug.count("KeyError: 'wrods'") < 8  # four clips and two tests each
    assert "provider failure" in bug
    listed = it.types("asrbench providers myasr")
    assert "myasr, a provider of yours (speech/conftest.py)" in listed

    # look, then store
    it.writes("speech/conftest.py", PROVIDER)
    looked = it.types("pytest speech --asr-provider=myasr", RED)
    assert "no thresholds at speech/thresholds/myasr.yaml; write them with --asr-update" in looked
    it.types("pytest speech --asr-provider=myasr --asr-update")
    held = it.types("pytest speech --asr-provider=myasr --asr-gate=on -n 2")
    assert "All 5 values that callers said were recovered." in held
    assert "(stored)" in it.types("asrbench transcribe --data speech --provider myasr")

    # worse code: red, and the log says what and how
    model(it, **WORSE)
    asked = "pytest speech --asr-provider=myasr --asr-gate=on -q"
    reports = "--asr-html=r.html --asr-md=r.md --asr-csv=r.csv --asr-json=r.json"
    red = it.types(f"{asked} {reports}", RED)
    assert "3 of 5 values that callers said were lost; 3 are new since" in red
    assert 'wanted $42.50  heard "$42.15"' in red
    (hint,) = re.findall(r"^reproduce one clip: (.*)$", red, re.MULTILINE)
    assert re.search(
        r"^(refund_amount|late_fee|charged_twice)/e01 missed", it.types(hint, RED), re.MULTILINE
    )
    it.types("pytest speech --asr-provider=myasr --lf", RED)
    for name in ("r.html", "r.md", "r.csv"):
        assert "$42.15" in (it.folder / name).read_text(encoding="utf-8")

    # mend: green
    model(it, **SAID)
    it.types(hint)
    it.types(f"{asked} --asr-json=s.json")
    assert 'lost   "$42.15"' in it.types("asrbench compare r.json s.json")

    # a failed call becomes a clip, and nobody's build turns red for it
    it.types(
        "asrbench add ../calls/account_balance.flac --data speech --yes "
        f"--entity 'currency_amount=$310' --reference '{SAID['account_balance']}0'".replace(
            "three hundred dollars0", "three hundred ten dollars"
        )
    )
    grown = it.types(asked)
    assert "1 new clip: 0 of 1 recovered" in grown
    it.types("pytest speech --asr-provider=myasr --asr-update")
    it.types(asked)

    # a monorepo: CI runs from the root, one set a call
    it.types("mkdir -p packages/agent")
    it.types("asrbench init speech", where="packages/agent")
    it.types("pytest")
    both = it.types("pytest --asr-provider=recorded", USAGE)
    assert "pytest packages/agent/speech --asr-provider=recorded" in both
    workflow = it.folder / ".github/workflows/speech-packages-agent-speech.yml"
    steps = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]["gate"]["steps"]
    (command,) = [step["run"] for step in steps if "--asr-gate=on" in step.get("run", "")]
    it.types(command)
    assert (it.folder / "asr-report.html").is_file()

    with capsys.disabled():
        for command, seconds in it.times:
            print(f"{seconds:5.1f} s  {command[:90]}")


@pytest.mark.slow
def test_the_page_on_pypi_leads_somewhere(installed: Path) -> None:
    asked = "from importlib.metadata import metadata; m = metadata('pytest-asrbench'); "
    asked += "print(m.get_all('Project-URL')); print(m.get_payload() or m['Description'])"
    done = subprocess.run(
        [installed / "python", "-c", asked], capture_output=True, text=True, check=True
    )

    urls, _, page = done.stdout.partition("\n")
    assert "Homepage" in urls
    assert re.findall(r"\]\((?!https://)[^)]*\)", page) == []
    assert "pip install pytest-asrbench && asrbench init speech" in page
