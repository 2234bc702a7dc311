"""`asrbench init` and `add`: from nothing to a gated clip; nothing is written by halves."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
import soundfile
import yaml

from pytest_asrbench import cli
from pytest_asrbench.commands.drafts import complete
from pytest_asrbench.commands.sayings import say_in
from pytest_asrbench.datasets import editing, load
from pytest_asrbench.datasets.spoken import spoken
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import Rules

MANIFEST = """\
# ours
schema: 1
name: calls
language: en   # all of them

clips:
    - id: first     # keep this
      audio: clips/first.wav
      reference: hello

# the end
types: {code: {like: reference_id}}
"""
SAID = "call me at four one five five five five zero one three two"
PHONE = ["--entity", "phone_number=415-555-0132"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a manifest and, outside of the dataset, a recording."""
    (tmp_path / "speech").mkdir()
    (tmp_path / "speech/clips.yaml").write_text(MANIFEST)
    time = np.linspace(0, 4, 4 * 16_000)
    soundfile.write(tmp_path / "call 7.wav", 0.3 * np.sin(2_000 * time), 16_000)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add(*arguments: str) -> int:
    return cli.main(["add", "call 7.wav", "--data", "speech", *arguments])


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_recording_becomes_a_clip_and_the_rest_of_the_file_stays(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add(*PHONE, "--reference", SAID, "--domain", "support", "--tags", "a, b", "--yes") == 0

    text = (project / "speech/clips.yaml").read_text()
    first, added = load("speech", project).clips
    assert (
        text.replace(text[text.index("    - id: call_7") : text.index("\n# the end")], "")
        == MANIFEST
    )
    assert (added.id, added.reference, added.tags) == ("call_7", SAID, ("a", "b"))
    assert added.slices == {"domain": "support"}
    assert added.entities == (
        Entity("e01", "phone_number", "415-555-0132", SAID.removeprefix("call me at ")),
    )
    assert added.path.read_bytes() == (project / "call 7.wav").read_bytes()
    assert "speech/clips.yaml:10: added call_7, 1 value" in capsys.readouterr().out
    assert first.id == "first"


def test_what_nobody_wrote_is_shown_and_needs_approval(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    before = files(project)

    assert add(*PHONE) == 2

    shown = capsys.readouterr()
    assert "proposed spoken form of 415-555-0132: four one five five" in shown.out
    assert "--yes approves this" in shown.err
    assert files(project) == before
    assert add(*PHONE, "--yes") == 0


class Person(io.StringIO):
    """Somebody at a terminal who types this."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
def test_a_person_approves_at_the_prompt(
    project: Path, monkeypatch: pytest.MonkeyPatch, typed: str, code: int
) -> None:
    monkeypatch.setattr("sys.stdin", Person(typed))
    before = files(project)

    assert add(*PHONE) == code
    assert (files(project) == before) == bool(code)


def test_nothing_is_asked_where_all_was_given(project: Path) -> None:
    acoustic = SAID.removeprefix("call me at ")

    assert add(*PHONE, "--acoustic", acoustic, "--accept", "4155550132", "--reference", SAID) == 0

    assert load("speech", project).clips[1].entities[0].accept == ("4155550132",)


REFUSED = [
    (["--entity", "phone_number=415-555-0133", "--reference", SAID, "--yes"], 1, "not recoverable"),
    (["--entity", "phone_numbr=1", "--reference", SAID, "--yes"], 2, "did you mean phone_number?"),
    ([*PHONE, "--id", "first", "--yes"], 2, "id 'first' is taken"),
    ([*PHONE, "--id", "a b", "--yes"], 2, "id 'a b'"),
    ([*PHONE, "--language", "xyz1", "--yes"], 2, "no language tag"),
    ([], 2, "give --entity or --reference"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), REFUSED, ids=[r[2] for r in REFUSED])
def test_a_refused_clip_leaves_no_trace(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    before = files(project)

    assert add(*arguments) == code

    told = capsys.readouterr()
    assert message in told.out + told.err
    assert files(project) == before


def test_a_recording_that_is_not_readable_leaves_no_trace(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "call 7.wav").write_bytes(b"not audio")
    before = files(project)

    assert add(*PHONE, "--yes") == 2
    assert "not readable as audio" in capsys.readouterr().err
    assert files(project) == before


@pytest.mark.parametrize("arguments", [["--entity", "time"], ["--acoustic", "x"]])
def test_a_misplaced_option_says_so(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as leaving:
        add(*arguments)

    assert leaving.value.code == 2
    assert "write TYPE=VALUE" in (err := capsys.readouterr().err) or "write that first" in err


def test_audio_is_converted_where_asked(project: Path) -> None:
    assert add(*PHONE, "--yes", "--rate", "8000") == 0

    path = load("speech", project).clips[1].path
    assert (path.suffix, soundfile.info(path).samplerate) == (".flac", 8_000)
    assert soundfile.info(path).frames == 4 * 8_000


def test_audio_in_the_folder_is_used_where_it_lies(project: Path) -> None:
    (project / "call 7.wav").rename(project / "speech/call 7.wav")

    assert cli.main(["add", "speech/call 7.wav", "--data", "speech", *PHONE, "--yes"]) == 0
    assert load("speech", project).clips[1].path == project / "speech/call 7.wav"
    assert not (project / "speech/clips").exists()


def test_the_same_recording_twice_gets_another_id(project: Path) -> None:
    assert [add(*PHONE, "--yes"), add(*PHONE, "--yes")] == [0, 0]
    assert [clip.id for clip in load("speech", project).clips] == ["first", "call_7", "call_7-2"]


def test_a_call_log_is_added_as_a_whole_or_not_at_all(project: Path) -> None:
    good = {
        "audio": "call 7.wav",
        "id": "one",
        "transcript": SAID,
        "entities": {"phone_number": "415-555-0132"},
    }
    log = project / "calls.json"
    arguments = ["add", "--from-json", str(log), "--data", "speech", "--yes"]
    log.write_text(json.dumps([good, {**good, "id": "two", "transcript": "hello there"}]))
    before = files(project / "speech")

    assert cli.main(arguments) == 1
    assert files(project / "speech") == before

    log.write_text(json.dumps([good, {**good, "id": "two"}]))
    assert cli.main(arguments) == 0
    assert [clip.id for clip in load("speech", project).clips] == ["first", "one", "two"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ([], "no calls in it"),
        ([5], "call 1: expected an object"),
        ([{"entities": {}}], "audio is missing"),
        ([{"audio": "call 7.wav", "entities": {"time": 5}}], "values as text"),
        ([{"audio": "gone.wav", "reference": "x"}], "no such file"),
    ],
)
def test_a_faulty_call_log_says_what_is_missing(
    project: Path, capsys: pytest.CaptureFixture[str], call: object, message: str
) -> None:
    (project / "calls.json").write_text(json.dumps(call))

    assert cli.main(["add", "--from-json", "calls.json", "--data", "speech", "--yes"]) == 2
    assert message in capsys.readouterr().err


ROW = {"id": "new", "audio": "new.wav", "reference": 'a "b": c # d', "tags": ["x"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "schema: 1\nname: n\nlanguage: en\nclips: []\n",
        "schema: 1\nname: n\nlanguage: en\nclips: []  # none yet\ntypes: {}\n",
        "schema: 1\nname: n\nlanguage: en\n",
        "schema: 1\nname: n\nlanguage: en\nclips:\n- {id: a, audio: a, reference: x}",
        "schema: 1\nclips:\n  - id: a\n    audio: a\n    reference: x\nname: n\nlanguage: en\n",
        "---\nschema: 1\nname: n\nlanguage: en\nclips:\n  - {id: a, audio: a, reference: x}\n...\n",
        "schema: 1\nname: n\nlanguage: en\nclips:\n- id: a\n  audio: a\n  reference: |\n    x\n\n    # y\n\n",  # noqa: E501 # one manifest
        "\ufeffschema: 1\r\nname: n\r\nlanguage: en\r\nclips:\r\n  - {id: a, audio: a, reference: x}\r\n",  # noqa: E501 # one manifest
        MANIFEST,
    ],
)
def test_a_clip_is_appended_wherever_the_list_stands(tmp_path: Path, text: str) -> None:
    path = tmp_path / "clips.yaml"
    path.write_bytes(text.encode())
    before = yaml.safe_load(text)

    planned = editing.preview(path, [ROW], {})
    editing.append(path, [ROW])

    written = path.read_bytes().decode()
    assert set(text.splitlines(keepends=True)) - set(written.splitlines(keepends=True)) <= {
        *(line for line in text.splitlines(keepends=True) if "clips: []" in line),
        text.splitlines(keepends=True)[-1],
    }
    assert ("\r\n" in text) == ("\r\n" in written)
    after = yaml.safe_load(written)
    assert after.pop("clips")[:-1] == (before.pop("clips", None) or [])
    assert {**after, "types": None} == {**before, "types": None}
    assert load(str(path), Path()).digest == planned.digest
    assert load(str(path), Path()).clips[-1].reference == ROW["reference"]


def test_a_clip_is_appended_to_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "clips.jsonl"
    path.write_text('{"schema": 1, "name": "n", "language": "en"}')

    editing.append(path, [ROW])

    assert load(str(path), Path()).clips[0].reference == ROW["reference"]


def test_a_spoken_form_is_proposed_where_its_words_were_said() -> None:
    row = {"entities": [{"type": "date", "canonical": "July 13"}]}

    for reference, has in (("on july thirteen", True), ("on july thirteenth", False)):
        made = complete(Path("a.wav"), {**row, "reference": reference}, (), {})
        assert ("acoustic" in made.row["entities"][0]) is has


def test_a_fault_of_a_new_clip_has_no_row_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["init", "--ci", "none"]) == 0
    asked = ["add", "speech/clips/discount.flac", "--data", "speech", "--id", "new"]
    asked += ["--reference", "on May the first", "--entity"]

    assert cli.main([*asked, "colour=red"]) == 2
    assert "speech/clips.yaml: new: entity 1: unknown type 'colour'" in capsys.readouterr().err
    assert cli.main([*asked, "date=May 99"]) == 1
    assert "speech/clips.yaml: error: new/e01: " in capsys.readouterr().out


def test_a_list_that_can_not_take_a_clip_is_named(tmp_path: Path) -> None:
    path = tmp_path / "clips.yaml"
    path.write_text("schema: 1\nclips: [{id: a, audio: a, reference: x}]\n")

    with pytest.raises(InputError, match=r"clips.yaml:2: write clips as a list"):
        editing.preview(path, [ROW], {})


VALUES = {
    "email_address": ["j.ramirez_2@example.com", "a+b@mail.example.org"],
    "phone_number": ["415-555-0132", "+1 (312) 555-0109"],
    "phone_extension": ["6612"],
    "person_or_team_name": ["Priya Nadarajan", "Ann O'Neil"],
    "postal_address": ["42 Juniper Lane, Suite 300, Springfield, IL 62701"],
    "url": ["https://example.com/a/b", "status.example.org"],
    "ip_address": ["10.0.0.7"],
    "port_number": ["8080"],
    "command": ["git push origin main"],
    "cli_flag": ["--dry-run"],
    "file_path": ["/etc/hosts", "src/app.py"],
    "environment_variable": ["MAX_RETRIES"],
    "code_symbol": ["getUserName", "parse_row"],
    "version": ["v2.14.3"],
    "reference_id": ["BH-7421"],
    "product_code": ["XK-90"],
    "account_or_record_number": ["0048213"],
    "currency_amount": ["$1,243.50", "$96", "£3.05", "$0.99"],
    "percentage": ["12.5%", "30%"],
    "measurement": ["12.5 mg", "3 km"],
    "plain_number": ["56,789", "0.25"],
    "date": ["2026-03-05", "March 22, 1999", "2005-12-31", "2000-01-01"],
    "time": ["9:30 AM", "12:05 PM", "21:30"],
    "acronym_or_initialism": ["API"],
    "spelled_sequence": ["Q7X"],
    "domain_term": ["late fee"],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "value"), [(kind, value) for kind, values in VALUES.items() for value in values]
)
def test_a_proposed_spoken_form_carries_its_value(kind: str, value: str) -> None:
    (verdict,) = Rules(types={}, policy={}).judge(
        [Entity("e", kind, value)], spoken(kind, value), "en"
    )

    assert verdict.present, f"{spoken(kind, value)}: {verdict.reason}"


def test_a_name_too_long_for_a_file_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cli.main(["init"])
    clip = tmp_path / "call.flac"
    clip.write_bytes((tmp_path / "speech/clips/discount.flac").read_bytes())
    capsys.readouterr()

    asked = ["add", str(clip), "--data", "speech", "--entity", "date=May 1", "--yes"]
    assert cli.main([*asked, "--id", "x" * 300]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("File name too long")


@pytest.mark.parametrize(
    ("canonical", "said"),
    [
        ("+44 20 7946 0958", "zero two zero seven nine four six zero nine five eight"),
        ("+14155550132", "four one five five five five zero one three two"),
        ("415-555-0132", "four one five five five five zero one three two"),
    ],
)
def test_an_international_number_is_proposed_as_its_own_country_says_it(canonical, said):
    assert say_in("en", {})("phone_number", canonical) == said
