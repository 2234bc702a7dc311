"""Tables: columns of text that fit a terminal, and the same in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_asrbench.reports.text import columns, cut, pad

GAP = "  "
NARROWEST = 8


def lay_out(rows: Sequence[Sequence[str]], align: str, width: int | None = None) -> Iterator[str]:
    """Rows as lines; `align` has `l` or `r` a column. A first column that is too wide is cut."""
    if not rows:
        return
    widths = [max(columns(row[i]) for row in rows) for i in range(len(align))]
    if width is not None:
        over = sum(widths) + len(GAP) * (len(widths) - 1) - width
        widths[0] = max(min(widths[0], NARROWEST), widths[0] - max(over, 0))
    for row in rows:
        cells = (
            pad(cut(cell, wide), wide, right=side == "r")
            for cell, wide, side in zip(row, widths, align, strict=True)
        )
        yield GAP.join(cells).rstrip()


def markdown(head: Sequence[str], rows: Iterable[Iterable[str]], align: str) -> Iterator[str]:
    """Lines; the cells are Markdown already."""
    yield f"| {' | '.join(head)} |"
    yield "|" + "|".join("---:" if side == "r" else "---" for side in align) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"
