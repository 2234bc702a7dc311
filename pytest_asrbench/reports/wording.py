"""How figures read, the same in every format: a rate is never shown without its counts."""

from __future__ import annotations

from pytest_asrbench.model import ErrorRate, Measured, Rate

# Short, and never "passed": pytest alone says that.
STATUS = {
    "passed": "ok",
    "failed": "FAILED",
    "inconclusive": "inconclusive",
    "ungated": "ungated",
    "not_evaluated": "not evaluated",
}

_LIMITS = {
    "min": ">= {}",
    "max": "<= {}",
    "max_drop": "drop <= {} points",
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
    for digits in (2, 3, 4):
        text = f"{value:.{digits}f}"
        if limit is None or value == limit or text != f"{limit:.{digits}f}":
            break
    return text


def counts(measured: Measured) -> str:
    """`15 of 21`, or "" where no counts stand behind the figure."""
    if isinstance(measured, Rate):
        return f"{measured.hits} of {measured.total}"
    if isinstance(measured, ErrorRate):
        return f"{measured.edits} of {measured.reference}"
    return ""


def limit(kind: str | None, bound: float | None) -> str:
    """The threshold as a condition: `>= 0.80`."""
    if kind is None:
        return ""
    shown = "" if bound is None else f"{bound:.2f}" if isinstance(bound, float) else str(bound)
    return _LIMITS.get(kind, kind + " {}").format(shown).rstrip()


def interval(bounds: tuple[float, float] | None) -> str:
    """`0.50-0.86`."""
    return f"{bounds[0]:.2f}-{bounds[1]:.2f}" if bounds else "-"


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


def plural(count: int, noun: str, plural_noun: str | None = None) -> str:
    """`1 gate`, `2 gates`."""
    return f"{count:,} {noun if count == 1 else plural_noun or noun + 's'}"


def milliseconds(value: float | None) -> str:
    """`412 ms`, `1.92 s`."""
    if value is None:
        return "-"
    return f"{value:.0f} ms" if value < 1000 else f"{value / 1000:.2f} s"
