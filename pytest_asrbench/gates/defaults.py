"""
The gates that a first `--asr-update` writes.

A system that gives equal text for equal audio is held to what it did: floors at the measured value,
and, where it promises equal text, no new misses and no more word edits. One that only showed it, by
three equal repeats, may waver yet. Any other is tested against its own noise: `paired` gates,
Holm-corrected together, so that a rerun without change fails at most alpha of the time. With too
few clips for such a test there is one floor, which a loss of half the recovered values breaks.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from pytest_asrbench.gates import wording
from pytest_asrbench.gates.measures import GateName, Views, measured
from pytest_asrbench.gates.thresholds import Policy, Thresholds
from pytest_asrbench.metrics import stats
from pytest_asrbench.metrics.summary import by_clip, word_edits
from pytest_asrbench.model import ClipRecord, ErrorRate, Rate
from pytest_asrbench.run import Run

PROOF = 3  # identical repeats that prove a system steady
TOGETHER = 3  # a type, CTEM and TSR fall together and share alpha
NOISE_ERRORS = 3  # standard errors of the bootstrap that a noisy WER may rise


def steady(run: Run) -> bool:
    """True if equal audio gives equal text: the provider says so, or three repeats showed it."""
    return run.provider.deterministic or (run.repeats >= PROOF and _identical(run.records))


def _identical(records: Sequence[ClipRecord]) -> bool:
    texts: dict[str, set[str | None]] = defaultdict(set)
    for record in records:
        texts[record.clip].add(record.transcript)
    return all(len(heard) == 1 for heard in texts.values())


def policies(run: Run, views: Views, alpha: Decimal) -> dict[str, Policy]:
    """Gate names with their policies. `views` are over the records that gates look at.

    Floors of 0 are left out, and so are types with too few clips for a test ever to fail, and a
    ceiling that wavering would break.
    """
    names = rates(views)
    chosen: dict[str, Policy | None]
    if steady(run):
        promised = run.provider.deterministic
        chosen = {str(name): floor(name, views, promised=promised) for name in names}
    else:
        testable = _testable(names, views, run.repeats, alpha)
        chosen = {str(name): Policy(paired=True) for name in testable}
        if not testable:
            chosen = {"ctem": half_floor(GateName("ctem"), views)}
    ceiling = error_ceiling(run)
    gates = {name: policy for name, policy in chosen.items() if policy}
    bounded = ceiling is not None and ceiling < 1
    return {**gates, **({"wer": Policy(max=ceiling)} if bounded else {})}


def rates(views: Views) -> list[GateName]:
    """The gates that count values."""
    return [
        GateName("ctem"),
        GateName("tsr"),
        *(GateName("recovery", each) for each in views.types(None)),
    ]


def of_new_types(run: Run, stored: Thresholds, views: Views) -> dict[str, Policy]:
    """Default gates of types that the baseline did not know, or never saw recovered."""
    if stored.baseline is None or "recovery:*" in stored.gates:
        return {}
    known = {name for name, rate in stored.baseline.rates.items() if rate.hits}
    return {
        name: policy
        for name, policy in policies(run, views, stored.alpha).items()
        if name.startswith("recovery:") and name not in known and name not in stored.gates
    }


def floor(name: GateName, views: Views, *, promised: bool) -> Policy | None:
    """A floor at the measured value; None where it would be 0 and so never fail. Where equal text
    is `promised`, a type may also have no new misses."""
    rate = measured(name, views.of(name))
    if not isinstance(rate, Rate) or not rate.hits:
        return None
    new_misses = 0 if promised and name.measure == "recovery" else None
    return Policy(min=wording.floor(rate), max_new_misses=new_misses)


def once_left_out(run: Run, stored: Thresholds, views: Views) -> dict[str, Policy]:
    """Default gates that an earlier update had too few clips for."""
    defaults = policies(run, views, stored.alpha)
    return {name: defaults[name] for name in stored.left_out if name in defaults}


def half_floor(name: GateName, views: Views) -> Policy | None:
    """A floor that wavering won't reach, and that the loss of half of what is recovered breaks."""
    rate = measured(name, views.of(name))
    if not isinstance(rate, Rate) or not rate.hits:
        return None
    left = Fraction(rate.hits // 2, rate.total)
    return Policy(min=wording.least_above(left, left + Fraction(1, rate.total)))


def _testable(
    names: Sequence[GateName], views: Views, repeats: int, alpha: Decimal
) -> list[GateName]:
    """The names whose test can fail where all their values are lost.

    None where CTEM's test would let half of the clips go.
    """
    if clips_with_hits(GateName("ctem"), views) < clips_for_ctem(repeats, alpha):
        return []
    return [name for name in names if clips_with_hits(name, views) >= clips_for(repeats, alpha)]


def clips_for(repeats: int, alpha: Decimal) -> int:
    """Clips with something recovered that a paired test needs, so often transcribed each."""
    return math.ceil(_needed(repeats, alpha))


def clips_for_ctem(repeats: int, alpha: Decimal) -> int:
    """The same for the test on CTEM to be the default."""
    return math.ceil(2 * _needed(repeats, alpha))


def _needed(repeats: int, alpha: Decimal) -> float:
    """Losing every value of n clips gives p = ways**-n, where ways is in how many a clip's repeats
    can be dealt to baseline and run."""
    return math.log(TOGETHER / alpha) / math.log(math.comb(2 * repeats, repeats))


def clips_with_hits(name: GateName, views: Views) -> int:
    """Clips of which something was recovered; all of it, for TSR."""
    whole = name.measure == "tsr"
    return len(
        {
            record.clip
            for record in views.of(name)
            if record.measured and record.entities and (record.whole if whole else record.recovered)
        }
    )


def error_ceiling(run: Run) -> Decimal | None:
    """The most that WER may be: as measured where equal text is promised, else some way above.

    That is three standard errors, by bootstrap over clips, which exceed the noise of a rerun: the
    clips are the same then. None where nothing was measured, and where no error tells of any noise.
    """
    rate = run.metrics.all.wer
    value = wording.exact(rate)
    if value is None or (not value and not steady(run)):
        return None
    if run.provider.deterministic:
        return wording.ceiling(value, one_worse(rate))
    draws = stats.resampled_ratios(by_clip(run.records, word_edits))
    bound = Fraction(float(value) + NOISE_ERRORS * float(draws.std())).limit_denominator(10**6)
    return wording.ceiling(bound, bound + Fraction(1, 100))


def one_worse(rate: ErrorRate) -> Fraction:
    """The rate with one edit more."""
    return Fraction(rate.edits + 1, rate.reference)
