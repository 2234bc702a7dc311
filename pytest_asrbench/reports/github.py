"""
GitHub: annotations for failed gates, and the step summary.

Annotation: `::error file=F,line=N,title=T::MESSAGE` on standard output; `%`, CR and LF are escaped,
in properties `:` and `,` too. A step shows 10 annotations, so no more are made.
Summary: Markdown appended to the file that $GITHUB_STEP_SUMMARY names, at most 1 MiB a step.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_asrbench.gates.conditions import parted
from pytest_asrbench.model import Outcome
from pytest_asrbench.reports.causes import causes
from pytest_asrbench.reports.text import printable
from pytest_asrbench.reports.view_model import OUTAGES, ViewModel

MOST_ANNOTATIONS = 10
MOST_BYTES = 1 << 20  # of a step's summary; GitHub drops all of a larger one
_LEAST = 4096  # bytes; room for the verdict, where that much is left
_TOO_LITTLE = 1024  # bytes; not even the verdict


def active(environment: Mapping[str, str]) -> bool:
    """True if a GitHub runner reads our output."""
    return environment.get("GITHUB_ACTIONS") == "true"


def lines(view: ViewModel, environment: Mapping[str, str]) -> Iterator[str]:
    """One line a failed gate, on the dataset's row of its worst clip; none for tests or misses."""
    root = Path(environment.get("GITHUB_WORKSPACE") or ".")
    failed = view.failed
    if view.state in OUTAGES:
        yield _annotation({"title": f"ASR {view.state}"}, _outage(view))
        return
    shown = failed if len(failed) <= MOST_ANNOTATIONS else failed[: MOST_ANNOTATIONS - 1]
    for gate in shown:
        yield _annotation(_place(gate, view, root), _message(gate, view))
    if len(shown) < len(failed):
        names = ", ".join(gate.name for gate in failed[len(shown) :])
        title = f"{len(failed) - len(shown)} more ASR gates failed"
        yield _annotation({"title": title}, names)


def write_summary(view: ViewModel, environment: Mapping[str, str]) -> str | None:
    """Append the Markdown report to the step's summary, where the runner named a file for it.

    Returns a line to print where that failed: the gates' verdict must not be lost to a full disk.
    """
    path = environment.get("GITHUB_STEP_SUMMARY")
    if not path:
        return None
    from pytest_asrbench.reports import markdown  # here, as the plugin asks active() in every run

    try:
        with open(path, "ab") as summary:
            held = summary.tell()  # what the step has written before
            room = min(max(markdown.SUMMARY_LIMIT - held, _LEAST), MOST_BYTES - held)
            if room < _TOO_LITTLE:
                return f"{path}: no step summary, it holds {held:,} bytes, and GitHub takes 1 MiB"
            summary.write(markdown.report(view, room).encode("utf-8", "replace"))
    except OSError as error:
        return f"{path}: no step summary, it can't be written: {error.strerror}"
    return None


def _place(gate: Outcome, view: ViewModel, root: Path) -> dict[str, str]:
    place = {"title": f"ASR gate {gate.name}"}
    record = view.worst(gate)
    if record and record.row:
        file = os.path.relpath(view.run.dataset.path, root)
        place = {"file": Path(file).as_posix(), "line": str(record.row), **place}
    return place


def _outage(view: ViewModel) -> str:
    """Whose failure it is, and the causes with a clip each, the commonest first."""
    return "\n".join(
        map(printable, [view.headline, *(cause.told() for cause in causes(view.errors)[:3])])
    )


def _message(gate: Outcome, view: ViewModel) -> str:
    lines = [gate.detail]
    record = view.worst(gate)
    if record:
        own = [miss for miss in view.about(gate)[1] if miss.record.clip == record.clip]
        name = parted(gate.name)[1]
        kind = name.split(":")[1] if name.startswith("recovery:") else None
        for miss in own[:3]:
            if kind in (None, miss.entity.type):
                near = f"{miss.instead} {miss.difference}".rstrip()
                heard = near if miss.heard is None else f'"{miss.heard}"'
                lines.append(f"{miss.key} wanted {miss.entity.canonical}, heard {heard}")
        lines.append(view.reproduce(record.key))
    return "\n".join(map(printable, lines))


def _annotation(properties: Mapping[str, str], message: str) -> str:
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::error {told}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
