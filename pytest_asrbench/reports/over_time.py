"""A trend as terminal lines and Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pytest_asrbench.comparison.trend import Point
from pytest_asrbench.reports import table, wording
from pytest_asrbench.reports.styles import Line
from pytest_asrbench.reports.text import printable, prose, unobeyed

_HEAD = ("date", "commit", "measured", "CTEM", "change", "TSR", "WER", "p95", "cost", "")
_ALIGN = "llrrrrrrrl"


def lines(trend: Mapping[str, Sequence[Point]], width: int = 80) -> Iterator[Line]:
    """One table for each provider configuration, oldest first."""
    for n, (name, points) in enumerate(trend.items()):
        if n:
            yield "plain", ""
        yield "heading", unobeyed(printable(name))
        rows = [_HEAD, *map(_row, points)]
        for m, text in enumerate(table.lay_out(rows, _ALIGN, width)):
            yield "heading" if m == 0 else "plain", unobeyed(text)


def _row(point: Point) -> tuple[str, ...]:
    figures = point.figures
    return (
        point.started[:10],
        (point.commit or "-")[:8],
        f"{figures.measured}/{figures.total}",
        wording.figure(figures.ctem),
        wording.signed(point.ctem_change),
        wording.figure(figures.tsr),
        wording.figure(figures.wer),
        wording.milliseconds(figures.latency_ms.p95 if figures.latency_ms else None),
        "-" if figures.cost is None else f"{figures.cost:.2f}",
        printable(f"new: {', '.join(point.changed)}") if point.changed else "",
    )


def markdown(trend: Mapping[str, Sequence[Point]]) -> str:
    """The same as a Markdown page."""
    parts = ["# ASR trend"]
    for name, points in trend.items():
        rows = (map(prose, _row(point)) for point in points)
        parts += ["", f"## {prose(name)}", "", *table.markdown(_HEAD, rows, _ALIGN)]
    return "\n".join(parts) + "\n"
