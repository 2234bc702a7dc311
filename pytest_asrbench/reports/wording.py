"""The wording of figures, the same in every format: a rate is never shown without its counts."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from pytest_asrbench.counts import of_clips, plural
from pytest_asrbench.gates.conditions import parted
from pytest_asrbench.gates.measures import MEASURES, GateName, Unit
from pytest_asrbench.gates.wording import bound, exact, number, pair
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

SPELLED = {
    "ctem": "canonical token/entity match",
    "tsr": "task success rate",
    "wer": "word error rate",
    "cer": "character error rate",
}
"""Measure -> its name in full."""

GLOSSARY = {
    "CTEM": "canonical token/entity match: of all values that were said, how many can be read off "
    "the transcript exactly",
    "TSR": "task success rate: of all clips with values, in how many every one was recovered",
    "WER": "word error rate: words that are wrong, missing or too many, by words that were said",
    "recovery": "CTEM of one kind of value",
    "clip": "one recording, with what is said in it and the values that matter",
    "missed, lost": "a value that cannot be read off the transcript; not an error of the system "
    "that reports it",
    "error": "a clip without a transcript, because a call failed",
    "new": "recovered when the thresholds were stored, and lost now",
    "gate": "one measure against its stored threshold; a failed one fails the build",
    "baseline": "what was measured when the thresholds were stored",
    "condition": "what a clip went through before it was sent: a telephone, noise, a bad line; raw "
    "is the clip without any",
    "95% interval": "where the true rate lies, as far as so few clips can tell",
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


def figure(measured: Measured) -> str:
    """`0.71`, or `412` where no counts stand behind it."""
    value = exact(measured)
    if value is None:
        return "-"
    counted = isinstance(measured, Rate | ErrorRate)
    return number(value, 2 if counted or abs(value) < 10 else 0)


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
    """The unit that `12 of 18` counts where each clip is transcribed several times; else
    nothing."""
    return f"counts n of m are over all {repeats} repeats" if repeats > 1 else ""


def unit_of_misses(repeats: int) -> str:
    """The unit that `3 misses` counts then."""
    return f"a value missed in any of {repeats} repeats is one" if repeats > 1 else ""


def of_run(run: Run, part: int) -> str:
    """`9 of 10 clips`: so much of what the run has records of; a clip under a condition is one."""
    clips = sum(len({record.clip for record in each.records}) for each in run.parts)
    told = of_clips(part, clips, run.repeats)
    under = f", raw and under {plural(len(run.conditions), 'condition')}," if run.conditions else ""
    return told + under


def measured(gate: Outcome) -> str:
    """The measured figure, as the gate's line has it: in the digits that set it apart from its
    limit."""
    value = exact(gate.measured)
    if value is None:
        return "-"
    if gate.kind in _VALUES and gate.limit is not None:
        return pair(value, _decimal(gate.limit), unit(gate))[0]
    return milliseconds(float(value)) if unit(gate) == "ms" else figure(gate.measured)


def threshold(gate: Outcome) -> str:
    """The threshold as a condition: `>= 0.80`."""
    if gate.kind is None or gate.limit is None:
        return gate.kind or ""
    if parted(gate.name)[1] == "complete":
        return f"errors <= {gate.limit:g}"
    in_full = bound(_decimal(gate.limit), unit(gate))
    shown = in_full if gate.kind in _VALUES else f"{gate.limit:g}"
    return _LIMITS.get(gate.kind, gate.kind + " {}").format(shown)


def _decimal(limit: float) -> Decimal:
    """As it was written, but for noughts at its end."""
    return Decimal(str(limit)).normalize()


def cells(gate: Outcome) -> tuple[str, str, str]:
    """Measured, n and threshold, in words."""
    return measured(gate), counts(gate.measured), threshold(gate)


def unit(gate: Outcome) -> Unit:
    """`rate`, `ms`, …; a gate about the run itself measures nothing."""
    measure = MEASURES.get(GateName.parse(parted(gate.name)[1]).measure)
    return measure.unit if measure else "rate"


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


def spelled(gates: Iterable[Outcome]) -> str:
    """`ctem: canonical token/entity match; …`, of the measures that stand among these gates."""
    counted = (gate for gate in gates if gate.measured is not None)
    names = dict.fromkeys(parted(gate.name)[1].partition(":")[0] for gate in counted)
    return "; ".join(f"{name}: {SPELLED[name]}" for name in names if name in SPELLED)
