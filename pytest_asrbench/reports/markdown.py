"""
The report in Markdown: a step summary, or a comment on a pull request (`--asr-md`).

One collapsible section a type. Whatever a clip says stays text: values stand in code spans, where
nothing is markup, a mention or a link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_asrbench.counts import plural
from pytest_asrbench.model import Outcome
from pytest_asrbench.reports import table, wording
from pytest_asrbench.reports.conditions import ConditionFacts, MatrixCell
from pytest_asrbench.reports.misses import Miss
from pytest_asrbench.reports.text import code, link, prose
from pytest_asrbench.reports.view_model import TypeFact, ViewModel
from pytest_asrbench.run.build import record_key

COMMENT_LIMIT = 65_000  # bytes; GitHub takes 65,536 characters in a comment
SUMMARY_LIMIT = 1_000_000  # bytes; GitHub drops a step summary above 1 MiB

FIRST = 10  # misses that are read without a click

_TYPE_HEAD = (
    "type", "recovered", "rate", "95% interval", "of all misses", "baseline", "change", "verdict",
)  # fmt: skip
_MISS_HEAD = ("clip/entity", "wanted", "heard", "difference")
_SLICE_HEAD = ("slice", "", "recovered", "rate", "95% interval")

_ROWS = (None, 200, 50, 20, 8, 3, 1, 0)
_MARKS = {
    "held": "✅",
    "failed": "❌",
    "provider failure": "⚠️",
    "verifier failure": "⚠️",
    "inconclusive": "⚠️",
    "not gated": "ℹ️",
    "not evaluated": "⚠️",
}


def report(view: ViewModel, limit: int = COMMENT_LIMIT) -> str:
    """At most `limit` bytes: rows of misses are left out, evenly over the types, and said so."""
    for rows in _ROWS:
        text = "\n".join(_sections(view, rows)) + "\n"
        if len(text.encode()) <= limit:
            return text
    return _hard_cut(text, limit)


def _hard_cut(text: str, limit: int) -> str:
    note = "\n\n_Cut: the report is too large for this place; the run file holds all of it._\n"
    kept = text.encode()[: limit - len(note.encode())].decode(errors="ignore")
    return kept.rpartition("\n")[0] + note


def _sections(view: ViewModel, rows: int | None) -> Iterator[str]:
    yield f"## {_MARKS[view.state]} ASR gate: {prose(view.headline)}"
    yield ""
    yield prose(view.opening)
    yield ""
    name, dataset = code(view.run.provider.name), code(view.run.dataset.name)
    yield f"{name} on {dataset}, {view.coverage}"
    if view.run.links:
        yield "\n" + ", ".join(link(text, url) for text, url in view.run.links.items())
    for notice in view.notices:
        yield f"\n> {prose(notice)}"
    if view.command:
        yield f"\nReproduce one clip: {code(view.command)}"
    if unit := wording.unit_of_counts(view.run.repeats):
        yield f"\n{unit}; {wording.unit_of_misses(view.run.repeats)}"
    yield from _lost(view.misses, FIRST if rows is None else min(rows, FIRST))
    yield from _gates(view)
    yield from _errors(view)
    yield from _types(view.types)
    for fact in view.types:
        own = [miss for miss in view.misses if miss.entity.type == fact.name]
        if own:
            yield from _misses(fact, own, rows)
    yield from _slices(view)
    yield from _conditions(view.conditions, rows)
    if view.advice:
        yield from _details("Advice for the agent, by 95% interval", _pairs(view.advice))
    yield from _details("Figures and processing used", _pairs([*view.figures, *view.processing]))
    yield from _details("Glossary", _pairs([*wording.GLOSSARY.items()]))


def _lost(misses: Sequence[Miss], rows: int) -> Iterator[str]:
    """The misses that people look for first, in one table: all misses where they are few, else the
    new."""
    new = [miss for miss in misses if miss.new]
    told = sorted(misses, key=lambda miss: not miss.new) if len(misses) <= FIRST else new
    if not told or not rows:
        return
    yield "\n### What was lost\n"
    yield from table.markdown(_MISS_HEAD, map(_row, told[:rows]), "llll")
    if len(misses) > len(told[:rows]):
        yield f"\n{len(misses) - len(told[:rows])} more below, by type"


def _details(summary: str, body: Iterable[str], *, is_open: bool = False) -> Iterator[str]:
    yield f"\n<details{' open' if is_open else ''}><summary>{summary}</summary>\n"
    yield from body
    yield "\n</details>"


def _verdict(status: str) -> str:
    return "**FAILED**" if status == "failed" else wording.STATUS[status]


def _gates(view: ViewModel) -> Iterator[str]:
    counted = [gate for gate in view.listed if gate.measured is not None]
    failed = [gate for gate in counted if gate.status == "failed"]
    others = [gate for gate in counted if gate.status != "failed"]
    if failed:
        yield ""
        yield from _gate_table(failed)
    if spelled := wording.spelled(counted):
        yield f"\n{spelled}"
    yield ""
    for gate in view.listed:
        if gate.measured is None:
            yield f"* {code(gate.name)}: {_verdict(gate.status)}, {prose(gate.detail)}"
    if others:
        title = plural(len(others), "other gate" if failed else "gate")
        yield from _details(title, _gate_table(others))


def _gate_table(gates: Sequence[Outcome]) -> Iterator[str]:
    rows = [
        (code(gate.name), *map(prose, wording.cells(gate)), _verdict(gate.status)) for gate in gates
    ]
    return table.markdown(("gate", "measured", "n", "threshold", "verdict"), rows, "lrrrl")


def _errors(view: ViewModel) -> Iterator[str]:
    if not view.errors:
        return
    rows = [
        (
            code(record_key(record.key, record.repeat)),
            prose(record.error.kind),
            prose(record.error.message),
        )
        for record in view.errors[:20]
        if record.error
    ]
    body = [*table.markdown(("clip", "kind", "message"), rows, "lll")]
    if len(view.errors) > len(rows):
        body.append(f"\n{len(view.errors) - len(rows)} more")
    yield from _details(view.without_result, body, is_open=True)


def _types(types: Sequence[TypeFact]) -> Iterator[str]:
    if not types:
        return
    rows = [(code(fact.name), *fact.cells, _verdict(fact.status)) for fact in types]
    yield "\n### Types, worst first\n"
    yield from table.markdown(_TYPE_HEAD, rows, "lrrrrrrl")


def _misses(fact: TypeFact, own: Sequence[Miss], rows: int | None) -> Iterator[str]:
    new = sum(bool(miss.new) for miss in own)
    title = f"<code>{prose(fact.name)}</code>: {len(own)} missed" + (f", {new} new" if new else "")
    shown = own if rows is None else own[:rows]
    body = [*table.markdown(_MISS_HEAD, map(_row, shown), "llll")]
    if len(own) > len(shown):
        body.append(f"\n{len(own) - len(shown)} more, left out to keep this report short")
    yield from _details(title, body, is_open=fact.status == "failed")


def _row(miss: Miss) -> tuple[str, str, str, str]:
    heard = f"_{miss.instead}_" if miss.heard is None else code(miss.heard)
    key = code(miss.key) + (" **new**" if miss.new else "")
    if miss.exempt:
        key += f" ({prose(miss.exempt)})"
    if miss.absent < miss.judged:
        key += f" ({miss.absent} of {miss.judged} repeats)"
    return key, code(miss.entity.canonical), heard, prose(miss.difference)


def _slices(view: ViewModel) -> Iterator[str]:
    if not view.slices:
        return
    rows = [(prose(part.dimension), prose(part.name), *part.cells) for part in view.slices]
    yield from _details("Slices", table.markdown(_SLICE_HEAD, rows, "llrrr"))


def _conditions(view: ConditionFacts, rows: int | None) -> Iterator[str]:
    """The matrix, and what broke under each."""
    if not view:
        return
    yield "\n### Recovery under conditions\n"
    table_rows = [(code(row.name), *map(_cell, row.cells)) for row in view.rows]
    head = ("", *(code(name) for name in view.head))
    yield from table.markdown(head, table_rows, "l" + "r" * len(view.head))
    for each in view.each:
        yield f"\n{code(each.name)}: {prose(each.drop)}"
        if each.broken and rows != 0:
            shown = each.broken if rows is None else each.broken[:rows]
            body = [*table.markdown(_MISS_HEAD, map(_row, shown), "llll")]
            if len(each.broken) > len(shown):
                body.append(f"\n{len(each.broken) - len(shown)} more, left out")
            count = plural(len(each.broken), "value")
            title = f"broke under <code>{prose(each.name)}</code>: {count} that the raw clips gave"
            yield from _details(title, body)


def _cell(cell: MatrixCell) -> str:
    return f"**{cell.text}** ❌" if cell.failed else cell.text


def _pairs(pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    return table.markdown(("", ""), (map(prose, pair) for pair in pairs), "ll")
