"""Misses for a terminal: what was wanted above what was heard, the broken types first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from pytest_asrbench.counts import plural
from pytest_asrbench.reports import wording
from pytest_asrbench.reports.misses import Miss
from pytest_asrbench.reports.styles import Line, Style
from pytest_asrbench.reports.text import columns, cut, printable, wrap
from pytest_asrbench.reports.view_model import TypeFact, ViewModel

SHOWN = 24  # altogether: a CI log is read on one screen
SHOWN_OF_FAILED_TYPE = 6
SHOWN_OF_OTHER_TYPE = 2
_LONGEST_BESIDE = 20
_LABEL = len("wanted ")


def grouped(view: ViewModel, width: int, verbosity: int) -> Iterator[Line]:
    """All misses by type; below verbosity 1 the first few, with a count of the rest."""
    if not view.misses:
        return
    count = plural(len(view.misses), "miss", "misses")
    new = sum(bool(miss.new) for miss in view.misses)
    yield "plain", ""
    yield "heading", f"{count} by type" + (f", {new} new since the baseline" if new else "")
    for line in wrap(wording.unit_of_misses(view.run.repeats), width):
        yield "muted", line
    shown = list(view.misses) if verbosity > 0 else capped(view)
    # A clip with several misses is aligned once, at its first.
    firsts = {miss.record.clip: miss.key for miss in reversed(shown)} if verbosity > 1 else {}
    for fact in view.types:
        own = [miss for miss in shown if miss.entity.type == fact.name]
        yield from _group(fact, own, view, width, set(firsts.values()))
    hidden = len(view.misses) - len(shown)
    if hidden:
        yield "muted", f"{hidden} of {count} not shown; -v shows all"


def brief(view: ViewModel, width: int) -> Iterator[Line]:
    """The first values that failed gates are about: of a brief log what can't be left out."""
    behind = view.behind
    if not behind:
        return
    yield "heading", f"{plural(len(behind), 'missed value')} behind failed gates"
    for miss in behind[:SHOWN]:
        yield from lines(miss, width)
    if len(behind) > SHOWN:
        yield "muted", f"  … {len(behind) - SHOWN} more"


def capped(view: ViewModel) -> list[Miss]:
    """The first few of each type, more where its gate failed, and few altogether."""
    most = {
        fact.name: SHOWN_OF_FAILED_TYPE if fact.status == "failed" else SHOWN_OF_OTHER_TYPE
        for fact in view.types
    }
    seen: Counter[str] = Counter()
    kept: list[Miss] = []
    for miss in view.misses:
        seen[miss.entity.type] += 1
        if seen[miss.entity.type] <= most[miss.entity.type]:
            kept.append(miss)
    return kept[:SHOWN]


def _group(
    fact: TypeFact, shown: Sequence[Miss], view: ViewModel, width: int, aligned: Collection[str]
) -> Iterator[Line]:
    if not shown:
        return
    every = [miss for miss in view.misses if miss.entity.type == fact.name]
    new = sum(bool(miss.new) for miss in every)
    style: Style = "bad" if fact.status == "failed" else "heading"
    name = printable(fact.name)
    yield style, f"{name}: {len(every)} missed" + (f", {new} new" if new else "")
    for miss in shown:
        yield from lines(miss, width, aligned=miss.key in aligned)
    if len(every) > len(shown):
        yield "muted", f"  … {len(every) - len(shown)} more of {name}"


def lines(miss: Miss, width: int, *, aligned: bool = False) -> Iterator[Line]:
    """Clip, canonical value, nearest thing heard and the difference; one line where that fits."""
    name, wanted, heard, difference = _name(miss), *map(printable, _said(miss))
    one = f"  {name}  wanted {wanted}  heard {heard}" + (difference and f"  {difference}")
    if columns(one) <= width:
        yield "plain", one
    else:
        for line in _stacked(name, wanted, heard, difference, width):
            yield "plain", line
    if aligned and miss.record.transcript is not None:
        yield from _aligned(miss.record.reference, miss.record.transcript, width)


def _name(miss: Miss) -> str:
    marks = ["new"] if miss.new else []
    marks += [f"{miss.absent} of {miss.judged} repeats"] if miss.absent < miss.judged else []
    marks += [] if miss.verdict.sure else ["not sure"]
    marks += [miss.exempt.partition(":")[0]] if miss.exempt else []
    return printable(miss.key) + (f" ({', '.join(marks)})" if marks else "")


def _said(miss: Miss) -> tuple[str, str, str]:
    """The value wanted, what was heard, and the difference."""
    canonical = miss.entity.canonical
    if miss.heard is None:
        return canonical, miss.instead, miss.difference
    return canonical, f'"{miss.heard}"', miss.difference


def _stacked(name: str, wanted: str, heard: str, difference: str, width: int) -> Iterator[str]:
    """`wanted` straight above `heard`, so that the eye finds where they part."""
    beside = columns(name) <= _LONGEST_BESIDE
    indent = " " * (columns(name) + 4 if beside else 4)
    first, *more = _labelled("wanted", wanted, width, indent)
    if beside:
        yield f"  {name}  {first.lstrip()}"
    else:
        yield cut(f"  {name}", width)
        yield first
    yield from more
    joined = f"{indent}heard  {heard}  {difference}".rstrip()
    if columns(joined) <= width:
        yield joined
        return
    yield from _labelled("heard", heard, width, indent)
    yield from wrap(difference, width, indent + " " * _LABEL)


def _labelled(label: str, text: str, width: int, indent: str) -> list[str]:
    first, *more = wrap(text, width, indent + " " * _LABEL) or [""]
    return [f"{indent}{label:<{_LABEL}}{first.lstrip()}", *more]


def _aligned(reference: str, transcript: str, width: int) -> Iterator[Line]:
    from pytest_asrbench.reports import alignment  # here, as only -vv shows it

    for rows in alignment.lines(reference, transcript, width - 11):
        for label, row in zip(("said ", "heard", "     "), rows, strict=True):
            if row.strip():
                yield "muted", f"    {label}  {row}"
