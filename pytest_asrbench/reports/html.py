"""
The report as one HTML file that needs no network (`--asr-html`, extra `html`).

Clips travel as data and are drawn by the page's script as they are scrolled to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pytest_asrbench import files
from pytest_asrbench.model import Outcome
from pytest_asrbench.reports import html_clips, html_conditions, wording
from pytest_asrbench.reports.html_audio import Hear, Sound
from pytest_asrbench.reports.misses import Miss
from pytest_asrbench.reports.page import environment, page
from pytest_asrbench.reports.text import printable
from pytest_asrbench.reports.view_model import SliceFact, TypeFact, ViewModel

MISSES = 500  # in the table above; the rest is among the clips


def write(
    view: ViewModel,
    path: Path,
    *,
    folder: Path | None = None,
    embed: bool = False,
    redacted: bool = False,
    hear: Hear | None = None,
) -> None:
    """Write the report. Raises InputError without jinja2 or where the file can't be written.

    `folder` is what audio paths are relative to (default: that of the run's dataset). A redacted
    report has no player: a voice says the value. `hear` makes the sound of a record under its
    condition again.
    """
    listed = Path(view.run.dataset.path)
    folder = folder or (listed if listed.is_dir() else listed.parent)
    sound = Sound(
        None if redacted else folder, path.resolve().parent, embed, None if redacted else hear
    )
    files.write_atomic(path, render(view, sound, redacted=redacted))


def require() -> None:
    """Raises InputError where jinja2 is not installed: better before the run than after it."""
    environment()


def render(view: ViewModel, sound: Sound, *, redacted: bool = False) -> str:
    """The page's text."""
    clips = html_clips.clips(view, sound)
    counted = "clips" if view.run.repeats == 1 else "transcriptions"
    conditions = html_conditions.shown(view, sound)
    notices = [*view.notices, *sound.notices()]
    return page(
        "report",
        script="report.js",
        data={"redacted": redacted, "clips": clips, "counted": counted},
        title="ASR gate report",
        subtitle=_subtitle(view),
        state=view.state,
        headline=printable(view.headline),
        spelled=wording.spelled(view.listed),
        opening=printable(view.opening),
        links=[(printable(text), address) for text, address in view.run.links.items()],
        misses=[_miss(miss) for miss in view.misses[:MISSES]],
        misses_left=max(0, len(view.misses) - MISSES),
        glossary=list(wording.GLOSSARY.items()),
        failed=[_printable(asdict(gate)) for gate in view.failed],
        notices=list(map(printable, notices)),
        command=view.command and printable(view.command),
        gates=list(map(_gate, view.listed)),
        types=list(map(_type, view.types)),
        advice=_pairs(view.advice),
        slices=list(map(_slice, view.slices)),
        conditions=conditions,
        figures=_pairs(view.figures),
        processing=_pairs(view.processing),
    )


def _miss(miss: Miss) -> Mapping[str, Any]:
    return {
        "clip": miss.record.clip,
        "key": printable(miss.key),
        "type": printable(miss.entity.type),
        "wanted": printable(miss.entity.canonical),
        "heard": None if miss.heard is None else printable(miss.heard),
        "instead": miss.instead,
        "difference": printable(miss.difference),
        "new": miss.new,
        "exempt": miss.exempt and printable(miss.exempt),
        "repeats": f"{miss.absent} of {miss.judged} repeats" if miss.absent < miss.judged else None,
    }


def _subtitle(view: ViewModel) -> str:
    run = view.run
    return printable(f"{run.provider.name} on {run.dataset.name}, {view.coverage}, {run.started}")


def _gate(gate: Outcome) -> Mapping[str, Any]:
    measured, counts, limit = wording.cells(gate)
    return {
        "name": printable(gate.name),
        "status": gate.status,
        "verdict": wording.STATUS[gate.status],
        "measured": measured,
        "counts": counts,
        "limit": limit,
        "detail": printable(gate.detail),
    }


def _type(fact: TypeFact) -> Mapping[str, Any]:
    limit = fact.outcome.limit if fact.outcome and fact.outcome.kind == "min" else None
    counts, rate, interval, share, baseline, change = fact.cells
    return {
        "name": printable(fact.name),
        "status": fact.status,
        "verdict": wording.STATUS[fact.status],
        "counts": counts,
        "rate": rate,
        "percent": _percent(fact.rate.value),
        "interval": interval,
        "low": _percent(fact.interval and fact.interval[0]),
        "high": _percent(fact.interval and fact.interval[1]),
        "floor": None if limit is None else _percent(limit),
        "share": share,
        "baseline": baseline,
        "change": change,
        "spoken": _spoken(fact, limit),
    }


def _spoken(fact: TypeFact, limit: float | None) -> str:
    told = f"{fact.name}: {wording.counts(fact.rate)} recovered, {wording.figure(fact.rate)}"
    told += f", 95% interval {wording.interval(fact.interval)}" if fact.interval else ""
    return told + (f", threshold {limit:.2f}" if limit is not None else "")


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0):.1f}"


def _slice(part: SliceFact) -> Mapping[str, str]:
    counts, rate, interval = part.cells
    return {
        "dimension": printable(part.dimension),
        "name": printable(part.name),
        "counts": counts,
        "rate": rate,
        "interval": interval,
    }


def _pairs(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(label, printable(value)) for label, value in pairs]


def _printable(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: printable(v) if isinstance(v, str) else v for name, v in fields.items()}
