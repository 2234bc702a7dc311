"""The same facts read back out of each format of a report."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from pytest_asrbench.reports import html as html_report
from pytest_asrbench.reports import markdown, terminal, wording
from pytest_asrbench.reports.html_audio import Sound
from pytest_asrbench.reports.view_model import ViewModel
from pytest_asrbench.run import from_json
from pytest_asrbench.run.file import to_chunks


@dataclass
class Told:
    """Gates as (measured, counts, threshold, verdict); types as (counts, rate, verdict); misses as
    (clip/entity, wanted, heard)."""

    gates: dict[str, tuple[str, ...]] = field(default_factory=dict)
    types: dict[str, tuple[str, ...]] = field(default_factory=dict)
    misses: set[tuple[str, str, str]] = field(default_factory=set)
    processing: dict[str, str] = field(default_factory=dict)


MISS = re.compile(
    r"""(\S+)(?:\ \([^)]*\))? \ \ wanted\ (.+?)
        \ \ heard\ (?:"(.+?)"\ \ .*|(nothing\ like\ it|no\ speech)(?:\ \ in\ ".*)?)$""",
    re.VERBOSE,
)


def expected(facts: ViewModel) -> Told:
    """Straight from the run and its outcomes."""
    told = Told()
    for gate in facts.gates:
        if gate.measured is not None and (gate.kind or gate.status != "ungated"):
            told.gates[gate.name] = (
                wording.measured(gate),
                wording.counts(gate.measured),
                wording.threshold(gate),
                wording.STATUS[gate.status],
            )
    statuses = {gate.name: gate.status for gate in facts.gates}
    for name, rate in facts.run.metrics.all.recovery.items():
        status = statuses[f"recovery:{name}"]
        told.types[name] = (
            f"{rate.hits} of {rate.total}",
            f"{rate.value:.2f}",
            wording.STATUS[status],
        )
    for record in facts.run.records:
        for miss in record.misses:
            assert miss.verdict
            near = miss.verdict.nearest
            heard = near.text if near else instead(record.transcript)
            told.misses.add((f"{record.clip}/{miss.entity.id}", miss.entity.canonical, heard))
    told.processing = {
        "model": "nova-3, reported as nova-3-general",
        "normaliser": "whisper-en",
        "protocol": "custom, smart_format=true",
        "measured": counted(facts, facts.measured),
        "started": "2026-11-29T12:00:00Z, commit 4bdcece0c0ff",
    }
    return told


def instead(transcript: str | None) -> str:
    """What a report says of a value that nothing heard is like."""
    return "nothing like it" if transcript else "no speech"


def counted(facts: ViewModel, part: int) -> str:
    """So many of the run's clips, or of its transcriptions where clips were repeated."""
    total, clips = len(facts.run.records), len({record.clip for record in facts.run.records})
    if facts.run.repeats == 1:
        return f"{part} of {clips} clips"
    return f"{part} of {total} transcriptions ({clips} clips x {facts.run.repeats} repeats)"


def from_terminal(facts: ViewModel) -> Told:
    told = Told()
    lines = [line for _, line in terminal.lines(facts, width=400, verbosity=1)]
    section = "gates"
    for line in lines:
        cells = re.split(r" {2,}", line.strip())
        if cells[0] in {"gate", "type", "slice", "processing used", "figures"}:
            section = cells[0]
        elif " by type" in line:
            section = "misses"
        elif section == "gate" and len(cells) >= 4 and ": " not in cells[0]:
            name, measured, counts, *bound, verdict = cells
            told.gates[name] = (measured, counts, bound[0] if bound else "", verdict)
        elif section == "type" and len(cells) == 8:
            told.types[cells[0]] = (cells[1], cells[2], cells[7])
        elif section == "misses" and (found := MISS.match(line.strip())):
            told.misses.add((found[1], found[2], found[3] or found[4]))
        elif section == "processing used" and len(cells) == 2:
            told.processing[cells[0]] = cells[1]
    return told


def from_markdown(facts: ViewModel) -> Told:
    told = Told()
    head: list[str] = []
    for line in markdown.report(facts).splitlines():
        if not line.startswith("|"):
            head = []
            continue
        cells = [_plain(cell) for cell in re.split(r" ?\| ?", line.strip("|").strip(" "))]
        if not head:
            head = cells
        elif set(cells[0]) <= set("-:"):
            continue
        elif head[0] == "gate" and cells[1] != "-":
            told.gates[cells[0]] = tuple(cells[1:])
        elif head[0] == "type":
            told.types[cells[0]] = (cells[1], cells[2], cells[7])
        elif head[0] == "clip/entity":
            told.misses.add((cells[0].split()[0], cells[1], cells[2]))
        elif len(cells) == 2 and head[0] == "":
            told.processing[cells[0]] = cells[1]
    return told


def _plain(cell: str) -> str:
    text = re.sub(r"</?code>|`|\*\*|\b_|_\b", "", cell)
    return html.unescape(text).strip()


class _Tables(HTMLParser):
    """Rows of cells by section id, definition lists, and the embedded data."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self.pairs: dict[str, str] = {}
        self.data = ""
        self._section = ""
        self._tag = ""
        self._label = ""
        self._row: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = dict(attributes)
        if tag in {"section", "details"}:
            self._section = names.get("id") or ""
        elif tag == "tr":
            self._row = []
        elif tag in {"td", "th"}:
            self._row.append("")
        self._tag = tag if tag != "script" else f"script:{names.get('type')}"

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr":
            self.rows.setdefault(self._section, []).append([cell.strip() for cell in self._row])
        if tag in {"title", "svg", "script", "td", "dd"}:
            self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag == "script:application/json":
            self.data += data
        elif self._tag == "dt" and data.strip():
            self._label = data
        elif self._tag == "dd":
            self.pairs[self._label] = data
        elif self._row and self._tag != "title":
            self._row[-1] += data


def from_html(facts: ViewModel) -> Told:
    page = _Tables()
    page.feed(html_report.render(facts, Sound(None, Path())))
    told = Told(processing=page.pairs)
    for name, *cells in page.rows["gates"][1:]:
        if len(cells) == 4:
            told.gates[name] = tuple(cells)
    for row in page.rows["types"][1:]:
        told.types[row[0]] = (row[1], row[2], row[-1])
    for clip in json.loads(page.data)["clips"]:
        for entity in clip["entities"]:
            if entity["present"] is False:
                near = entity["nearest"]
                heard = near["text"] if near else instead(clip["transcript"])
                told.misses.add((f"{clip['id']}/{entity['id']}", entity["canonical"], heard))
    return told


def from_run_file(facts: ViewModel) -> Told:
    """The run file holds numbers, so they are put in words here."""
    data: Mapping[str, Any] = json.loads("".join(to_chunks(facts.run)))
    told = expected(replace(facts, run=from_json(data)))
    for name, rate in data["metrics"]["recovery"].items():
        hits, total = rate["hits"], rate["total"]
        told.types[name] = (f"{hits} of {total}", f"{rate['value']:.2f}", told.types[name][2])
    told.misses = {
        (f"{record['clip']}/{entity['id']}", entity["canonical"],
         entity["nearest"]["text"] if entity["nearest"] else instead(record["transcript"]))
        for record in data["records"]
        for entity in record["entities"]
        if entity["present"] is False
    }  # fmt: skip
    for gate in data["gates"]:
        if gate["name"] in told.gates:
            measured, _, bound, _ = told.gates[gate["name"]]
            verdict = wording.STATUS[gate["outcome"]]
            told.gates[gate["name"]] = (measured, _counted(gate["measured"]), bound, verdict)
    provider = data["provider"]
    told.processing["model"] = f"{provider['model']}, reported as {provider['reported_model']}"
    told.processing["normaliser"] = data["metrics"]["wer"]["normaliser"]
    return told


def _counted(measured: Mapping[str, Any]) -> str:
    if "hits" in measured:
        return f"{measured['hits']} of {measured['total']}"
    return f"{measured['edits']} of {measured['reference']}"
