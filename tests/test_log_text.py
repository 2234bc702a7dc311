"""Whatever is printed went through the one function that makes it fit for a log."""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pytest_asrbench
from pytest_asrbench.cli import main
from pytest_asrbench.errors import InputError, ProviderError
from pytest_asrbench.loglines import LONGEST, fault_line, log_text

PACKAGE = Path(pytest_asrbench.__file__).parent
PRINTS = {"print", "write_line", "write_sep", "section", "UsageError", "fail", "skip", "exit",
          "xfail", "warn", "warning", "info", "debug", "error"}  # fmt: skip
OF_MODULES = {"pytest", "warnings", "logging", "terminalreporter", "reporter", "tw", "writer",
              "Exception"}  # fmt: skip
MAKES_SAFE = {"log_text", "printable", "miss_line"}
STREAMS = {"stdout", "stderr"}
# Places that print what is safe already: why.
ALLOWED = {
    "commands/console.py": "the place itself",
    "engine/user_code.py": "passes on what the user's own code prints",
    "providers/isolated.py": "what the user's own code printed, in a process of its own",
    "plugin/activation.py UsageError": "an error of ours: its class made it log text",
    "plugin/session.py Exception": "an error of ours, likewise",
    "plugin/controller.py UsageError": "faults of ours, sent by workers as text",
    "plugin/output.py UsageError": "errors of ours",
    "plugin/output.py write_line": "reports.github, whose commands the runner shall obey",
    "plugin/gate_reports.py line": "made log text where the report is made",
    "plugin/recorder.py fail": "joined from miss_line()",
}


def name_of(function: ast.expr) -> tuple[str, str]:
    """`reporter.write_line` as ("reporter", "write_line")."""
    if isinstance(function, ast.Attribute):
        whole = function.value
        owner = whole.attr if isinstance(whole, ast.Attribute) else getattr(whole, "id", "")
        return owner, function.attr
    return "", getattr(function, "id", "")


def prints(call: ast.Call) -> bool:
    owner, name = name_of(call.func)
    if name == "print" and not owner:
        return True
    if name in ("write", "writelines"):
        return owner in STREAMS or owner == "buffer"
    if name == "line":
        return owner in ("tw", "writer") and bool(call.args)
    if owner == "parser":
        return name in ("error", "exit")
    return name in PRINTS | {"Exception"} and owner in OF_MODULES | {"fail", "exit"}


def is_safe(value: ast.expr) -> bool:
    """Whether an argument can only hold our own words, or went through the function."""
    if isinstance(value, ast.Constant):
        return True
    if isinstance(value, ast.Name):
        return value.id.isupper()
    if isinstance(value, ast.Call):
        return name_of(value.func)[1] in MAKES_SAFE
    if isinstance(value, ast.JoinedStr):
        return all(map(is_safe, value.values))
    if isinstance(value, ast.FormattedValue):
        return is_safe(value.value)
    return False


def safe_names(function: ast.AST) -> set[str]:
    """Variables that hold what the function returned."""
    return {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and is_safe(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def unsafe(path: Path) -> Iterator[tuple[str, int]]:
    """(place, row) of each call that prints something else."""
    tree = ast.parse(path.read_text("utf-8"))
    known = safe_names(tree)
    place = path.relative_to(PACKAGE).as_posix()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not prints(node):
            continue
        given = [value for value in node.args if not isinstance(value, ast.Starred)]
        starred = len(given) < len(node.args)
        good = all(is_safe(v) or all(n in known for n in names_in(v)) for v in given)
        if starred or not good:
            yield f"{place} {name_of(node.func)[1]}", node.lineno


def names_in(value: ast.expr) -> list[str]:
    found = [each.id for each in ast.walk(value) if isinstance(each, ast.Name)]
    return found or ["?"]


@pytest.mark.slow
def test_every_printing_place_uses_the_function():
    found = {place: row for path in PACKAGE.rglob("*.py") for place, row in unsafe(path)}
    strange = {
        place: row
        for place, row in found.items()
        if place not in ALLOWED and place.partition(" ")[0] not in ALLOWED
    }

    assert strange == {}, "use commands.console, or log_text() around what is printed"
    used = set(found) | {place.partition(" ")[0] for place in found}
    assert set(ALLOWED) - used <= {"commands/console.py"}, "no longer needed"


@pytest.mark.parametrize(
    "source",
    ["print(x)", "sys.stdout.write(f'{x}')", "reporter.write_line(text)", "warnings.warn(x)",
     "pytest.UsageError(str(error))", "pytest.fail(text, pytrace=False)", "tw.line(text)"],
)  # fmt: skip
def test_the_test_sees_a_place(source):
    (call,) = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)][:1]

    assert prints(call)
    assert not all(map(is_safe, call.args))


HOSTILE = (
    "\x1b[2J", "\x9b31m", "\x07", "\x00", "\x7f", "\u202e", "\ud83d", "\u2028",
    "\n::error::x", "\n  ::set-output name=a::b", "##vso[task.complete]", "##[error]", "\r::stop",
)  # fmt: skip


def check(shown: str, *, tabs: bool = False) -> None:
    """Nothing in it acts, nothing hides."""
    for line in shown.split("\n"):
        assert not line.lstrip().startswith("::"), line
        assert not re.search(r"##(\[|vso\[|teamcity\[)", line), line
        assert line.replace("\t" if tabs else "", "").isprintable(), ascii(line)


@given(st.text() | st.sampled_from(HOSTILE).flatmap(lambda h: st.text().map(lambda t: t + h + t)))
def test_log_text_is_fit_for_a_log_and_stays_so(text):
    shown = log_text(text)

    assert shown.count("\n") == text.count("\n")
    assert log_text(shown) == shown
    for line in shown.split("\n"):
        assert not line.lstrip().startswith("::")
        assert not re.search(r"##(\[|vso\[|teamcity\[)", line)
        assert all(c.isprintable() or c in "\u200c\u200d" or ord(c) > 0x7F for c in line)


@given(st.text(), st.text())
def test_a_fault_is_one_line_that_ends_with_its_remedy(path, value):
    line = fault_line(path, f"value {value * 40!r} is wrong; correct it")

    assert "\n" not in line
    assert line.endswith("; correct it")
    assert len(line) <= LONGEST or len(path) > 10


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_error_of_ours_carries_it(hostile):
    for error in (
        InputError(f"a{hostile}b"),
        InputError.at(f"p{hostile}", 3, f"a{hostile}b"),
        ProviderError(f"a{hostile}b"),
    ):
        check(str(error))
    assert "\n" not in str(ProviderError(f"a{hostile}b"))


def manifest(folder: Path, hostile: str) -> Path:
    """One whose name, values and faults hold it."""
    path = folder / "clips.yaml"
    content = {
        "schema": "1",
        "name": f"set {hostile}",
        "language": "en",
        "clips": [
            {
                "id": f"a{hostile}",
                "audio": f"{hostile}.wav",
                "reference": hostile,
                "domain": hostile,
                "entities": [{"type": f"t{hostile}", "canonical": hostile}],
                hostile: 1,
            }
        ],
    }
    path.write_text(json.dumps(content))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_command_prints_it(hostile, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = str(manifest(tmp_path, hostile))
    text = f"a {hostile} b"
    case = {"id": text, "type": "time", "canonical": "9:30", "transcript": text, "language": "en"}
    (tmp_path / "cases.jsonl").write_text(json.dumps(case) + "\n")
    (tmp_path / "heard.jsonl").write_text(json.dumps({"clip": text, "text": text}) + "\n")
    (tmp_path / "run.json").write_text(json.dumps({"schema": text}))
    monkeypatch.setattr("sys.stdin", io.StringIO(text))

    for command in (
        ["lint", data],
        ["verify", "cases.jsonl"],
        ["explain", "--type", "time", "--canonical", "9:30", "--transcript", "-"],
        ["score", "--data", data, "--hypotheses", "heard.jsonl"],
        ["transcribe", "--provider", text, "--data", data],
        ["merge", "run.json"],
        ["compare", "run.json", "run.json"],
        ["thresholds", "check", "run.json"],
        ["providers"],
        [text],
    ):
        with suppress(SystemExit):  # argparse's own
            main(command)
        shown = capsys.readouterr()
        check(shown.out)
        check(shown.err)


def test_a_transcribed_text_stays_on_its_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    heard = "".join(HOSTILE)
    (tmp_path / "ear.py").write_text(
        "import json\n\nimport pytest_asrbench\n\n"
        f"heard = json.loads({json.dumps(heard)!r})\n\n\n"
        "def hear(audio):\n    return heard\n"
    )
    import soundfile

    soundfile.write(tmp_path / "a.wav", [0.0] * 800, 8_000)

    assert main(["transcribe", "--provider", "ear:hear", "--cache-mode", "off", "a.wav"]) == 0

    (line,) = capsys.readouterr().out.splitlines()
    check(line, tabs=True)
    assert line.startswith("a.wav\t")
    assert line.count("\t") == 1
