"""
The report for a terminal or a CI log: gates, types, misses, figures, and at the end what failed.

Only the plugin and the command line write; this yields (style, text) pairs. Nothing here says
"passed": pytest counts tests, and a failed gate must not be read past.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_asrbench.counts import plural, results, some
from pytest_asrbench.gates.conditions import parted
from pytest_asrbench.model import Outcome
from pytest_asrbench.reports import condition_lines, miss_lines, wording
from pytest_asrbench.reports.causes import causes
from pytest_asrbench.reports.styles import Line, Style
from pytest_asrbench.reports.table import lay_out
from pytest_asrbench.reports.text import cut, printable, unobeyed, wrap
from pytest_asrbench.reports.view_model import OUTAGES, SliceFact, TypeFact, ViewModel

CAUSES = 5
CLIPS = 10  # of each
LINES = 5  # of one message
ROOMY = 100  # columns from which intervals are shown

_STYLES: dict[str, Style] = {
    "failed": "bad",
    "inconclusive": "warn",
    "not_evaluated": "warn",
    "passed": "plain",
    "ungated": "muted",
}


def lines(view: ViewModel, *, width: int = 80, verbosity: int = 0) -> Iterator[Line]:
    """The whole report. Verbosity as pytest's: -1 brief, 1 all misses, 2 word alignment too."""
    for style, text in _sections(view, width, verbosity):
        yield style, unobeyed(text)


def _sections(view: ViewModel, width: int, verbosity: int) -> Iterator[Line]:
    for line in wrap(printable(view.opening), width):
        yield "heading", line
    yield from _notices(view, width)
    if verbosity >= 0:
        for line in wrap(wording.unit_of_counts(view.run.repeats), width):
            yield "muted", line
        yield from _gates(view.listed, width, verbosity)
        yield from _types(view.types, width)
        yield from miss_lines.grouped(view, width, verbosity)
        yield from _slices(view.slices, width)
        yield from condition_lines.lines(view.conditions, width, verbosity)
        if verbosity > 0:
            yield from _pairs("advice for the agent, by 95% interval", view.advice, width)
        yield from _pairs("figures", view.figures, width)
        yield from _pairs("processing used", view.processing, width)
    else:
        yield from miss_lines.brief(view, width)
    yield from _errors(view, width, verbosity)
    yield from closing(view, width)


def _notices(view: ViewModel, width: int) -> Iterator[Line]:
    for notice in view.notices:
        for line in wrap(printable(notice), width):
            yield "warn", line


def _gates(gates: Sequence[Outcome], width: int, verbosity: int) -> Iterator[Line]:
    if not gates:
        return
    counted = [gate for gate in gates if gate.measured is not None]
    shown = [gate for gate in counted if verbosity > 0 or not _told_by_types(gate)]
    head = ("gate", "measured", "n", "threshold", "verdict")
    yield from _table(head, list(map(_gate, shown)), "lrrrl", width, list(map(_style, shown)))
    for line in wrap(wording.spelled(shown), width):
        yield "muted", line
    if len(shown) < len(counted):
        rest = plural(len(counted) - len(shown), "more type")
        yield "muted", f"{rest} below, none failed; -v lists their gates"
    for gate in gates:
        if gate.measured is None and (verbosity > 0 or not _as_raw(gate)):
            yield from _uncounted(gate, width)


def _as_raw(gate: Outcome) -> bool:
    """A gate about a condition's run that has nothing to say: that of the raw clips stands
    there."""
    return parted(gate.name)[0] is not None and gate.status == "passed"


def _told_by_types(gate: Outcome) -> bool:
    """A gate on a type that did not fail: its line in the table of types says all of it."""
    return parted(gate.name)[1].startswith("recovery:") and gate.status != "failed"


def _uncounted(gate: Outcome, width: int) -> Iterator[Line]:
    """A gate about the run itself, or one that found nothing to count: its reason in words."""
    text = f"{gate.name}: {wording.STATUS[gate.status]}, {gate.detail}"
    first, *more = wrap(printable(text), width - 2) or [""]
    yield _style(gate), first
    yield from ((_style(gate), f"  {line}") for line in more)


def _gate(gate: Outcome) -> tuple[str, ...]:
    return gate.name, *wording.cells(gate), wording.STATUS[gate.status]


def _style(gate: Outcome) -> Style:
    return _STYLES[gate.status]


def _types(types: Sequence[TypeFact], width: int) -> Iterator[Line]:
    if not types:
        return
    head = ["type", "recovered", "rate", "95% interval", "of all misses", "baseline", "change"]
    head, align = [*head, "verdict"], "lrrrrrrl"
    rows = [[fact.name, *fact.cells, wording.STATUS[fact.status]] for fact in types]
    if width < ROOMY:
        head, align = head[:3] + head[5:], "lrrrrl"
        rows = [row[:3] + row[5:] for row in rows]
    yield "plain", ""
    yield from _table(head, rows, align, width, [_STYLES[fact.status] for fact in types])


def _table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    align: str,
    width: int,
    styles: Sequence[Style],
) -> Iterator[Line]:
    shown = lay_out([head, *([printable(cell) for cell in row] for row in rows)], align, width)
    yield from zip(("heading", *styles), shown, strict=True)


def _slices(slices: Sequence[SliceFact], width: int) -> Iterator[Line]:
    if not slices:
        return
    rows = []
    for before, part in zip([None, *slices], slices, strict=False):
        same = before is not None and before.dimension == part.dimension
        rows.append(("" if same else part.dimension, part.name, *part.cells))
    yield "plain", ""
    head = ("slice", "", "recovered", "rate", "95% interval")
    yield from _table(head, rows, "llrrr", width, ["plain"] * len(rows))


def _pairs(title: str, pairs: Sequence[tuple[str, str]], width: int) -> Iterator[Line]:
    if not pairs:
        return
    yield "plain", ""
    yield "heading", title
    label_width = max(len(label) for label, _ in pairs)
    for label, value in pairs:
        indent = " " * (label_width + 4)
        body = wrap(printable(value), width, indent) or [""]
        yield "plain", f"  {label:<{label_width}}  {body[0].strip()}"
        yield from (("plain", line) for line in body[1:])


def _errors(view: ViewModel, width: int, verbosity: int) -> Iterator[Line]:
    """Each cause once, with the clips that it cost."""
    if not view.errors:
        return
    yield "plain", ""
    yield "heading", view.without_result
    all_causes = causes(view.errors)
    shown = all_causes if verbosity > 0 else all_causes[:CAUSES]
    for cause in shown:
        first, *more = wrap(cut(printable(cause.text), LINES * width), width - 2)
        yield "bad", f"  {first}"
        yield from (("bad", f"    {line}") for line in more)
        clips = some(cause.clips, len(cause.clips) if verbosity > 0 else CLIPS)
        for line in wrap(printable(clips), width, "    "):
            yield "plain", line
    if len(all_causes) > len(shown):
        left = sum(len(cause.clips) for cause in all_causes[len(shown) :])
        yield "muted", f"  … {results(left, view.run.repeats)} more; -v shows all"


def closing(view: ViewModel, width: int = 80) -> Iterator[Line]:
    """The last lines: failed gates, how to reproduce one clip, and whose failure it is."""
    if view.state == "not gated":
        return
    yield "plain", ""
    for gate in view.failed:
        first, *more = wrap(printable(f"FAILED gate[{gate.name}] {gate.detail}"), width - 2)
        yield "bad", first
        yield from (("bad", f"  {line}") for line in more)
    if view.command:
        yield "plain", f"reproduce one clip: {printable(view.command)}"
    for line in wrap(printable(view.headline), width):
        yield _CLOSING.get(view.state, "warn"), line


_CLOSING: dict[str, Style] = {"held": "good", "failed": "bad", **dict.fromkeys(OUTAGES, "bad")}
