"""People check a sample of verdicts: drawn, written, filled in, read back."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.audit import decisions, findings, sample, sheet
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity, Nearest, Verdict
from pytest_asrbench.verifiers.overrides import read_decisions, transcript_hash


def row(number: int, *, type: str = "time", present: bool = True, system: str = "a") -> sample.Row:
    heard = f"at nine {number}"
    return sample.Row(
        id=f"{system}|clip_{number}/e1#1",
        system=system,
        entity=Entity("e1", type, "9:30 AM", "nine thirty a m", ("half past nine",)),
        language="en",
        transcript=heard,
        transcript_sha256=transcript_hash(heard),
        verdict=Verdict(present, True, "why", heard if present else None),
        verifier="rules 1 sha256:x",
    )


def checked(each: sample.Row, human: str | None, note: str = "") -> sheet.Checked:
    return sheet.Checked(each, human, note)


def test_every_stratum_is_served_in_turn():
    common = [row(n) for n in range(90)]
    rare = [row(n, type="command", present=False) for n in range(90, 93)]

    drawn = sample.draw([*common, *rare], size=8)

    assert sum(each.entity.type == "command" for each in drawn) == 3
    assert sum(each.entity.type == "time" for each in drawn) == 5


def test_the_draw_depends_on_the_seed_and_not_on_the_order_of_rows():
    rows = [row(n) for n in range(50)]

    assert sample.draw(rows, 10) == sample.draw(rows[::-1], 10)
    assert sample.draw(rows, 10) != sample.draw(rows, 10, seed=1)


def test_a_small_run_is_drawn_whole():
    assert len(sample.draw([row(1), row(2)], size=200)) == 2


def fill(path: Path, *answers: tuple[str, str]) -> None:
    """As a person does in a spreadsheet."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for found, (human, note) in zip(rows, answers, strict=True):
        found.update(human=human, note=note)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, sheet.COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def test_a_filled_sheet_reads_back(tmp_path):
    path = tmp_path / "sheet.csv"
    rows = [row(n) for n in range(4)]
    sheet.write(rows, path)
    fill(path, ("present", ""), ("A", "misheard"), (" unsure ", ""), ("", ""))

    found = sheet.read(path)

    assert [each.human for each in found] == ["present", "absent", "unsure", None]
    assert [each.present for each in found] == [True, False, None, None]
    assert found[1].note == "misheard"
    assert found[0].row.entity == replace(rows[0].entity, id=rows[0].id)
    assert found[0].row.transcript_sha256 == rows[0].transcript_sha256


@pytest.mark.slow
@given(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00\r")))
def test_any_text_survives_the_sheet(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("sheet") / "sheet.csv"
    one = replace(row(1), transcript=text)
    sheet.write([one], path)

    assert sheet.read(path)[0].row.transcript == text


def test_half_a_character_is_shown_as_one_and_the_digest_stays(tmp_path):
    path = tmp_path / "sheet.csv"
    heard = "caf\ud83d nine"
    sheet.write([replace(row(1), transcript=heard, transcript_sha256=transcript_hash(heard))], path)

    found = sheet.read(path)[0].row
    assert found.transcript == "caf\ufffd nine"
    assert found.transcript_sha256 == transcript_hash(heard)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace("nine 1", "nine, 1"), "put texts with a comma in quotes"),
        (lambda text: text.rstrip().rpartition(",")[0], "put texts with a comma in quotes"),
        (lambda text: text.replace("at nine 1", '"at "nine" 1"'), "not CSV"),
    ],
)
def test_a_row_that_came_apart_is_refused(tmp_path, change, says):
    path = tmp_path / "sheet.csv"
    sheet.write([row(1)], path)
    path.write_text(change(path.read_text()))

    with pytest.raises(InputError, match=rf"sheet\.csv:2: .*{says}"):
        sheet.read(path)


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-rf", "@a", "\tx", "'=x"])
def test_no_cell_is_a_formula(tmp_path, text):
    path = tmp_path / "sheet.csv"
    sheet.write([replace(row(1), transcript=text)], path)

    with path.open(newline="") as file:
        (written,) = list(csv.DictReader(file))
    assert not written["transcript"].startswith(("=", "+", "-", "@", "\t"))
    assert sheet.read(path)[0].row.transcript == text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("id,human", "id,person", "no audit sheet: column 'human' is missing"),
        ("1/e1#1,,", "1/e1#1,maybe,", "human 'maybe': write present, absent or unsure"),
        (",present,yes", ",perhaps,yes", "verdict 'perhaps'"),
    ],
)
def test_a_damaged_sheet_is_refused_with_its_row(tmp_path, old, new, message):
    path = tmp_path / "sheet.csv"
    sheet.write([row(1)], path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))

    with pytest.raises(InputError, match=message) as refused:
        sheet.read(path)

    assert str(refused.value).startswith(str(path))


def test_an_id_that_stands_twice_is_refused(tmp_path):
    path = tmp_path / "sheet.csv"
    sheet.write([row(1), row(1)], path)

    with pytest.raises(InputError, match="stands twice"):
        sheet.read(path)


def test_findings_count_wrong_verdicts_by_what_the_verifier_said():
    rows = [
        checked(row(1), "present"),
        checked(row(2), "absent"),
        checked(row(3, present=False), "present"),
        checked(row(4, present=False), "absent"),
        checked(row(5, present=False), "absent"),
        checked(row(6), "unsure"),
        checked(row(7), None),
    ]

    found = findings.findings(rows)

    assert (found.rows, found.unsure, found.unchecked) == (7, 1, 1)
    assert (found.false_accepts.hits, found.false_accepts.total) == (1, 2)
    assert (found.misses.hits, found.misses.total) == (1, 3)
    assert (found.agreement.rate.hits, found.agreement.rate.total) == (3, 5)


def test_a_small_sample_says_that_it_is_too_small():
    few = list(findings.lines(findings.findings([checked(row(1), "present")]), "rules 1"))
    enough = [checked(row(n), "present") for n in range(20)]
    enough += [checked(row(n, present=False), "absent") for n in range(20, 40)]
    many = list(findings.lines(findings.findings(enough), "rules 1"))

    assert any("too few to say" in line for line in few)
    assert not any("too few to say" in line for line in many)


def test_two_verifiers_are_compared_on_the_same_rows():
    rows = [checked(row(n), "present") for n in range(8)]
    worse = [each.judged(Verdict(False, True, "no")) for each in rows[:6]] + rows[6:]

    text = "\n".join(findings.versus(("one", "two"), *map(findings.scored, (rows, worse))))

    assert "one: agrees in 8/8" in text
    assert "two: agrees in 2/8" in text
    assert "only one is right in 6 rows, only two in 0: p = 0.031" in text


def test_what_people_overruled_becomes_decisions_and_comments_stay(tmp_path):
    path = tmp_path / "verdicts.yaml"
    path.write_text("# ours\nschema: 1\nverdicts: []\n")
    rows = [
        checked(row(1), "absent", "it says ninety"),
        checked(row(2), "present"),
        checked(row(3), "unsure"),
    ]

    added = decisions.add(decisions.decided(rows), path)
    again = decisions.add(decisions.decided(rows), path)

    assert (added, again) == (1, 0)
    assert path.read_text().startswith("# ours\n")
    (decision,) = read_decisions(path).values()
    assert (decision.present, decision.reason) == (False, "it says ninety")
    assert decision.transcript == rows[0].row.transcript_sha256


def test_a_decision_that_contradicts_a_standing_one_is_refused(tmp_path):
    path = tmp_path / "verdicts.yaml"
    decisions.add(decisions.decided([checked(row(1), "absent")]), path)

    with pytest.raises(InputError, match="decided the other way"):
        decisions.add(decisions.decided([checked(row(1, present=False), "present")]), path)


def test_a_sheet_that_decides_both_ways_is_refused():
    rows = [checked(row(1), "absent"), checked(row(1, present=False, system="b"), "present")]

    with pytest.raises(InputError, match="decided both ways"):
        decisions.decided(rows)


def test_the_nearest_thing_is_in_the_sheet():
    verdict = Verdict(False, True, "no", nearest=Nearest("9:13", 3, 7, "13 for 30"))

    assert "9:13 (13 for 30)" in sheet.cells(replace(row(1), verdict=verdict))
