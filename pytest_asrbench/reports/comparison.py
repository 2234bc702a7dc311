"""A comparison of runs as terminal lines, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_asrbench.comparison.compare import Comparison, Contender
from pytest_asrbench.counts import plural, some
from pytest_asrbench.gates.wording import chance
from pytest_asrbench.metrics.latency import Percentiles
from pytest_asrbench.reports import table, wording
from pytest_asrbench.reports.page import page
from pytest_asrbench.reports.styles import Line
from pytest_asrbench.reports.text import code, printable, prose, unobeyed, wrap

SHOWN = 5  # entities named for each contender
LOST = 12  # values of which a terminal shows what was heard

_HEAD = ("", "CTEM", "95%", "TSR", "WER", "empty", "p50", "p95", "cost")
_ALIGN = "lrrrrrrrr"
_STREAM_HEAD = ("", "last frame p50", "p95", "after speech p50", "p95", "first text p50", "p95")
_STREAM_ALIGN = "lrrrrrr"
_PAIR_HEAD = ("pair", "CTEM", "p", "TSR", "p", "only a", "only b", "texts differ")
_PAIR_ALIGN = "lrrrrrrr"


def lines(comparison: Comparison, width: int = 80) -> Iterator[Line]:
    """Legend, figures, types, pairs, and what only one recovers."""
    for style, text in _sections(comparison, width):
        yield style, unobeyed(text)


def _sections(comparison: Comparison, width: int) -> Iterator[Line]:
    for notice in comparison.notices:
        yield from (("warn", line) for line in wrap(printable(notice), width))
    yield "heading", scope(comparison)
    for letter, contender in lettered(comparison):
        yield "plain", f"  {letter}  {_described(contender)}"
    yield from _table(_HEAD, figures(comparison), _ALIGN, width)
    yield from _table(_STREAM_HEAD, streams(comparison), _STREAM_ALIGN, width)
    yield from _table(*types(comparison), width)
    yield from _table(_PAIR_HEAD, pairs(comparison), _PAIR_ALIGN, width)
    for text in correlations(comparison):
        yield "plain", text
    yield from _lost(comparison, width)
    for letter, contender in lettered(comparison):
        if contender.only:
            yield "plain", ""
            count = plural(len(contender.only), "entity", "entities")
            yield "heading", f"{count} only {letter} recovers"
            yield "plain", "  " + printable(some(contender.only, SHOWN))


def _lost(comparison: Comparison, width: int) -> Iterator[Line]:
    """The values that not all recovered, as each heard them, one above the other."""
    if not comparison.lost:
        return
    yield "plain", ""
    yield "heading", lost_title(comparison)
    for each in comparison.lost[:LOST]:
        yield "plain", printable(f"  {each.key}  wanted {each.canonical}")
        for (letter, _), heard in zip(lettered(comparison), each.heard, strict=True):
            mark = "ok  " if heard.present else "lost"
            text = "nothing like it" if heard.text is None else f'"{heard.text}"'
            first, *more = wrap(printable(text), width, " " * 13) or [""]
            yield "plain", f"    {letter}  {mark}   {first.strip()}"
            yield from (("plain", line) for line in more)
    if len(comparison.lost) > LOST:
        yield "muted", f"  … {len(comparison.lost) - LOST} more; --md and --html show all"


def lost_title(comparison: Comparison) -> str:
    """The number of lost values, and of those that tell the runs apart."""
    apart = sum(each.apart for each in comparison.lost)
    count = plural(len(comparison.lost), "value")
    return f"{count} not recovered by all, {apart} of them by some"


def lost(comparison: Comparison) -> tuple[list[str], list[list[tuple[str, bool | None]]]]:
    """Head and rows; a cell is its text and, of what a run heard, whether that is the value."""
    head = ["value", "wanted", *(f"{letter} heard" for letter, _ in lettered(comparison))]
    rows: list[list[tuple[str, bool | None]]] = [
        [
            (printable(each.key), None),
            (printable(each.canonical), None),
            *(
                ("nothing like it" if h.text is None else printable(h.text), h.present)
                for h in each.heard
            ),
        ]
        for each in comparison.lost
    ]
    return head, rows


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], align: str, width: int
) -> Iterator[Line]:
    if not rows:
        return
    yield "plain", ""
    for n, text in enumerate(table.lay_out([head, *rows], align, width)):
        yield "heading" if n == 0 else "plain", text


def lettered(comparison: Comparison) -> list[tuple[str, Contender]]:
    """A, B, C, … so that tables stay narrow."""
    return [(_letter(n), each) for n, each in enumerate(comparison.contenders)]


def _letter(n: int) -> str:
    return chr(ord("A") + n) if n < 26 else f"R{n + 1}"


def scope(comparison: Comparison) -> str:
    """The clips that were compared, and the normaliser."""
    clips = plural(comparison.clips, "clip")
    entities = plural(comparison.entities, "entity", "entities")
    return (
        f"{len(comparison.contenders)} runs over {clips}, {entities}; WER {comparison.normaliser}"
    )


def _described(contender: Contender) -> str:
    provider = contender.run.provider
    model = provider.reported_model or provider.model
    view = [contender.label, model or "", provider.mode, contender.run.started[:10]]
    if provider.protocol == "custom":
        view.append("custom protocol")
    return printable(", ".join(filter(None, view)))


def figures(comparison: Comparison) -> list[tuple[str, ...]]:
    """One row a run."""
    return [
        (
            letter,
            wording.figure(figures.ctem),
            wording.interval(figures.intervals.get("ctem")),
            wording.figure(figures.tsr),
            wording.figure(figures.wer),
            wording.figure(figures.empty_rate),
            *_p50_p95(figures.latency_ms),
            "-" if figures.cost is None else f"{figures.cost:.2f}",
        )
        for letter, each in lettered(comparison)
        for figures in [each.figures]
    ]


def streams(comparison: Comparison) -> list[tuple[str, ...]]:
    """One row a run that was streamed: its latencies, by what they count from or to."""
    return [
        (letter, *_p50_p95(figures.latency_ms), *_p50_p95(spoken), *_p50_p95(figures.first_text_ms))
        for letter, each in lettered(comparison)
        for figures in [each.figures]
        if (spoken := figures.after_speech_ms)
    ]


def _p50_p95(times: Percentiles | None) -> tuple[str, str]:
    return (
        wording.milliseconds(times.p50 if times else None),
        wording.milliseconds(times.p95 if times else None),
    )


def types(comparison: Comparison) -> tuple[list[str], list[list[str]], str]:
    """Head, rows and alignment: recovery of each type, the widest spread first."""
    rows = []
    for type_ in comparison.types:
        rates = [each.figures.recovery.get(type_) for each in comparison.contenders]
        values = [rate.value for rate in rates if rate and rate.value is not None]
        n = max(rate.total for rate in rates if rate)
        spread = max(values) - min(values) if values else 0.0
        rows.append((spread, [type_, str(n), *(wording.figure(rate) for rate in rates)]))
    rows.sort(key=lambda row: (-row[0], row[1]))
    head = ["recovery", "n", *(letter for letter, _ in lettered(comparison))]
    return head, [row for _, row in rows], "l" + "r" * (len(head) - 1)


def pairs(comparison: Comparison) -> list[tuple[str, ...]]:
    """One row a pair: what changes from the first to the second, and how surely."""
    letters = {each.label: letter for letter, each in lettered(comparison)}
    pairs = {each.label: each.figures for each in comparison.contenders}
    return [
        (
            f"{letters[pair.a]} -> {letters[pair.b]}",
            wording.signed(wording.change(pairs[pair.b].ctem, pairs[pair.a].ctem)),
            chance(pair.p_ctem),
            wording.signed(wording.change(pairs[pair.b].tsr, pairs[pair.a].tsr)),
            chance(pair.p_tsr),
            str(len(pair.only_a)),
            str(len(pair.only_b)),
            wording.counts(pair.differ),
        )
        for pair in comparison.pairs
    ]


def correlations(comparison: Comparison) -> list[str]:
    """Rank correlations: how far WER ranks the systems as recovery does."""
    shown = [
        f"WER with {name.upper()} {rho:+.2f}" for name, rho in sorted(comparison.spearman.items())
    ]
    return [f"Spearman: {', '.join(shown)} (n={len(comparison.contenders)})"] if shown else []


def markdown(comparison: Comparison) -> str:
    """The same as a Markdown page."""
    parts = ["# ASR comparison", "", prose(scope(comparison))]
    parts += [f"\n> {prose(notice)}" for notice in comparison.notices]
    parts += ["", *(f"* **{a}** {prose(_described(c))}" for a, c in lettered(comparison))]
    for head, rows, align in (
        (_HEAD, figures(comparison), _ALIGN),
        (_STREAM_HEAD, streams(comparison), _STREAM_ALIGN),
        types(comparison),
        (_PAIR_HEAD, pairs(comparison), _PAIR_ALIGN),
    ):
        if rows:
            parts += ["", *table.markdown(head, (map(prose, row) for row in rows), align)]
    parts += ["", *map(prose, correlations(comparison))]
    if comparison.lost:
        titles, values = lost(comparison)
        shown = [[_cell(*cell) for cell in row] for row in values]
        parts += ["", f"## {prose(lost_title(comparison))}", ""]
        parts += table.markdown(titles, shown, "l" * len(titles))
    for letter, contender in lettered(comparison):
        if contender.only:
            parts += ["", f"Only **{letter}** recovers: {', '.join(map(code, contender.only))}"]
    return "\n".join(parts).rstrip() + "\n"


def _cell(text: str, present: bool | None) -> str:
    mark = {True: " ✅", False: " ❌", None: ""}[present]
    return f"{code(text)}{mark}"


def html(comparison: Comparison) -> str:
    """One self-contained page with a scatter of WER against CTEM.

    Raises InputError without jinja2.
    """
    return page(
        "comparison",
        scope=scope(comparison),
        notices=list(map(printable, comparison.notices)),
        contenders=[(letter, _described(each)) for letter, each in lettered(comparison)],
        points=points(comparison),
        right=f"{_right(comparison):.2f}",
        tables=[
            ("Figures", _HEAD, figures(comparison)),
            *([("Streams", _STREAM_HEAD, streamed)] if (streamed := streams(comparison)) else []),
            ("Recovery by type", *types(comparison)[:2]),
            ("Pairs", _PAIR_HEAD, pairs(comparison)),
        ],
        correlations=correlations(comparison),
        lost_title=lost_title(comparison),
        lost=lost(comparison),
        only=[(letter, list(map(printable, each.only))) for letter, each in lettered(comparison)],
    )


def points(comparison: Comparison) -> list[dict[str, Any]]:
    """Each run's place in a square of 100: WER to the right, CTEM upwards."""
    known = [
        (letter, each.label, each.figures.wer.value, each.figures.ctem.value)
        for letter, each in lettered(comparison)
        if each.figures.wer.value is not None and each.figures.ctem.value is not None
    ]
    right = _right(comparison)
    return [
        {
            "letter": letter,
            "label": printable(label),
            "wer": wording.figure(wer),
            "ctem": wording.figure(ctem),
            "x": round(100 * (wer or 0.0) / right, 2),
            "y": round(100 - 100 * (ctem or 0.0), 2),
        }
        for letter, label, wer, ctem in known
    ]


def _right(comparison: Comparison) -> float:
    """The WER at the right edge: 1, or the highest above it."""
    return max([1.0, *(each.figures.wer.value or 0.0 for each in comparison.contenders)])
