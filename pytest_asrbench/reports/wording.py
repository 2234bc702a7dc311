"""How figures read, the same in every format: a rate is never shown without its counts."""

from __future__ import annotations

from pytest_asrbench.counts import of_clips, plural
from pytest_asrbench.gates.measures import MEASURES, Name
from pytest_asrbench.model import ErrorRate, Measured, Outcome, Rate
from pytest_asrbench.run import Run

# Short, and never "passed": pytest alone says that.
STATUS = {
    "passed": "ok",
    "failed": "FAILED",
    "inconclusive": "inconclusive",
    "ungated": "ungated",
    "not_evaluated": "not evaluated",
}

_VALUES = {"min", "max"}
_LIMITS = {
    "min": ">= {}",
    "max": "<= {}",
    "max_drop": "drop <= {} points",
    "max_rise": "rise <= {} points",
    "max_new_misses": "new misses <= {}",
    "paired": "paired, alpha {}",
}


def value_of(measured: Measured) -> float | None:
    """The number itself; None where nothing was measured."""
    return measured.value if isinstance(measured, Rate | ErrorRate) else measured


def figure(measured: Measured, limit: float | None = None) -> str:
    """`0.71`; with more digits where two would make it look equal to a limit that it is not."""
    value = value_of(measured)
    if value is None:
        return "-"
    if not isinstance(measured, Rate | ErrorRate) and abs(value) >= 10:
        return f"{value:.0f}"
    least = 2 if limit is None else _decimals(limit)
    for digits in (least, least + 1, least + 2):
        text = f"{value:.{digits}f}"
        if limit is None or value == limit or text != f"{limit:.{digits}f}":  # 0.7996 < 0.80
            break
    return text


def counts(measured: Measured) -> str:
    """`15 of 21`, or "" where no counts stand behind the figure."""
    if isinstance(measured, Rate):
        return f"{measured.hits} of {measured.total}"
    if isinstance(measured, ErrorRate):
        return f"{measured.edits} of {measured.reference}"
    return ""


def edits(rate: ErrorRate, unit: str) -> str:
    """`1,594 edits in 7,331 tokens`."""
    return f"{plural(rate.edits, 'edit')} in {plural(rate.reference, unit)}"


def unit_of_counts(repeats: int) -> str:
    """What `12 of 18` counts where each clip is transcribed several times; else nothing."""
    return f"counts n of m are over all {repeats} repeats" if repeats > 1 else ""


def unit_of_misses(repeats: int) -> str:
    """What `3 misses` counts then."""
    return f"a value missed in any of {repeats} repeats is one" if repeats > 1 else ""


def of_run(run: Run, part: int) -> str:
    """`9 of 10 clips`: so much of what the run has records of."""
    return of_clips(part, len({record.clip for record in run.records}), run.repeats)


def measured(gate: Outcome) -> str:
    """What the gate saw, in the digits that set it apart from its limit."""
    if gate.measured is None:
        return "-"
    if unit(gate) == "ms":
        return milliseconds(value_of(gate.measured))
    return figure(gate.measured, gate.limit if gate.kind in _VALUES else None)


def threshold(gate: Outcome) -> str:
    """The threshold as a condition: `>= 0.80`."""
    if gate.kind is None or gate.limit is None:
        return gate.kind or ""
    if gate.name == "complete":
        return f"errors <= {gate.limit:g}"
    shown = _bound(gate.limit) if gate.kind in _VALUES else f"{gate.limit:g}"
    if gate.kind in _VALUES and unit(gate) == "ms":
        shown = milliseconds(gate.limit)
    return _LIMITS.get(gate.kind, gate.kind + " {}").format(shown)


def _bound(limit: float) -> str:
    """As written in the thresholds, with two decimals at least."""
    return f"{limit:.{_decimals(limit)}f}"


def _decimals(limit: float) -> int:
    return max(2, len(f"{limit:.12g}".partition(".")[2]))


def cells(gate: Outcome) -> tuple[str, str, str]:
    """Measured, n and threshold, in words."""
    return measured(gate), counts(gate.measured), threshold(gate)


def unit(gate: Outcome) -> str | None:
    """`rate`, `ms`, …; None for a gate about the run itself."""
    measure = MEASURES.get(Name.parse(gate.name).measure)
    return measure.unit if measure else None


def interval(bounds: tuple[float, float] | None) -> str:
    """`0.50-0.86`."""
    return f"{bounds[0]:.2f}-{bounds[1]:.2f}" if bounds else "-"


def share(rate: Rate | None) -> str:
    """`12%`, of all misses; nothing where there are none."""
    return "-" if rate is None or rate.value is None else f"{rate.value:.0%}"


def change(now: Rate, before: Rate | None) -> float | None:
    """Points gained or lost against the baseline, as a difference of rates."""
    if before is None or now.value is None or before.value is None:
        return None
    return now.value - before.value


def signed(points: float | None) -> str:
    """`-0.14`; `=` where nothing changed."""
    if points is None:
        return "-"
    return "=" if points == 0 else f"{points:+.2f}"


def milliseconds(value: float | None) -> str:
    """`412 ms`, `1.92 s`."""
    if value is None:
        return "-"
    return f"{value:.0f} ms" if value < 1000 else f"{value / 1000:.2f} s"
