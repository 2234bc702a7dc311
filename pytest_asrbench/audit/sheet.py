"""
The audit sheet: a CSV that people fill in, with a spreadsheet or with the page.

    id,human,note,type,canonical,acoustic,transcript,verdict,sure,evidence,…
    whisper|refund_03/e01#1,present,,phone_number,415-555-0132,…

`human` takes present, absent or unsure (or the first letter), empty is not checked yet. A cell that
a spreadsheet would take for a formula is written with an apostrophe before it, and read without.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pytest_asrbench.audit.sample import Row
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_text, write_atomic
from pytest_asrbench.files.csv_lines import csv_line
from pytest_asrbench.files.fields import RE_SURROGATE
from pytest_asrbench.model import Entity, Verdict

COLUMNS: Final = (
    "id", "human", "note", "type", "canonical", "acoustic", "transcript", "verdict", "sure",
    "evidence", "reason", "nearest", "accept", "language", "system", "verifier", "audio",
    "transcript_sha256",
)  # fmt: skip
ANSWERS: Final[Mapping[str, bool | None]] = {"present": True, "absent": False, "unsure": None}
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "'")
ACCEPT_MARK: Final = "\n"  # between several accepted forms: no value holds a line break


@dataclass(frozen=True, slots=True)
class Checked:
    """A row with what a person said: present, absent, unsure, or None where nobody looked yet."""

    row: Row
    human: str | None
    note: str = ""

    @property
    def present(self) -> bool | None:
        """The person's verdict; None where there is none."""
        return ANSWERS[self.human] if self.human else None

    def judged(self, verdict: Verdict) -> Checked:
        """The same row as another verifier judges it."""
        return replace(self, row=replace(self.row, verdict=verdict))


def write(rows: Iterable[Row], path: Path) -> None:
    """Write a sheet to be filled in. Raises InputError where it can't be written."""
    write_atomic(path, "".join(text(rows)))


def text(rows: Iterable[Row]) -> Iterator[str]:
    """The sheet's text, row by row."""
    yield _line(COLUMNS)
    for row in rows:
        yield _line(cells(row))


def cells(row: Row) -> list[str]:
    """The row's cells in the order of COLUMNS, none of them a formula."""
    return [_guarded(cell) for cell in _plain_cells(row)]


def _plain_cells(row: Row) -> list[str]:
    verdict, entity = row.verdict, row.entity
    nearest = verdict.nearest
    return [
        row.id, "", "", entity.type, entity.canonical, entity.acoustic or "", row.transcript,
        "present" if verdict.present else "absent", "yes" if verdict.sure else "no",
        verdict.evidence or "", verdict.reason,
        f"{nearest.text} ({nearest.difference})" if nearest else "",
        ACCEPT_MARK.join(entity.accept), row.language, row.system, row.verifier,
        row.audio.as_posix() if row.audio else "", row.transcript_sha256,
    ]  # fmt: skip


def _line(row: Sequence[str]) -> str:
    return csv_line(_storable(cell) for cell in row)


def _storable(cell: str) -> str:
    """Without what no CSV file in UTF-8 holds; `transcript_sha256` is that of the whole text."""
    return RE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", cell.replace("\x00", ""))


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def read(path: Path) -> list[Checked]:
    """The sheet's rows with people's verdicts. Raises InputError with file, row and remedy."""
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
    checked: dict[str, Checked] = {}
    try:
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            what = f"no audit sheet: column {missing[0]!r} is missing; draw one with asrbench audit"
            raise InputError.at(path, 1, what)
        for fields in reader:
            one = _checked(path, reader.line_num, fields)
            if one.row.id in checked:
                what = f"id {one.row.id!r} stands twice; drop one"
                raise InputError.at(path, reader.line_num, what)
            checked[one.row.id] = one
    except csv.Error as error:
        raise InputError.at(path, reader.reader.line_num, f"not CSV: {error}") from None
    return list(checked.values())


def _checked(path: Path, line: int, fields: Mapping[Any, Any]) -> Checked:
    if None in fields or None in fields.values():
        what = "not as many fields as columns; put texts with a comma in quotes"
        raise InputError.at(path, line, what)
    cell = {name: _unguarded(fields[name] or "") for name in COLUMNS}
    if cell["verdict"] not in ("present", "absent"):
        raise InputError.at(path, line, f"verdict {cell['verdict']!r}: must be present or absent")
    human = _answer(path, line, cell["human"])
    accept = tuple(filter(None, cell["accept"].split(ACCEPT_MARK)))
    entity = Entity(cell["id"], cell["type"], cell["canonical"], cell["acoustic"] or None, accept)
    verdict = Verdict(
        present=cell["verdict"] == "present",
        sure=cell["sure"] != "no",
        reason=cell["reason"],
        evidence=cell["evidence"] or None,
    )
    row = Row(
        cell["id"], cell["system"], entity, cell["language"], cell["transcript"],
        cell["transcript_sha256"], verdict, cell["verifier"],
    )  # fmt: skip
    return Checked(row, human, cell["note"].strip())


def _answer(path: Path, line: int, cell: str) -> str | None:
    word = cell.strip().lower()
    if not word:
        return None
    for answer in ANSWERS:
        if word in (answer, answer[0]):
            return answer
    raise InputError.at(path, line, f"human {cell!r}: write present, absent or unsure")
