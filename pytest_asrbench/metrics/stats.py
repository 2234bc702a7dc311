"""
Statistics that the gates rest on. Seeded where random, exact where they can be.

Entities of one clip fail together, so wherever it matters the clip is the unit.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_asrbench.model import Rate

if TYPE_CHECKING:  # imported where it is used: numpy takes longer to load than a small run
    import numpy as np
    from numpy.typing import NDArray

SEED = 20261129
RESAMPLES = 2000
LEVEL = 0.95  # of all intervals
_Z = 1.959963984540054  # LEVEL of a normal distribution lies within so many deviations

Interval = tuple[float, float]


def wilson(rate: Rate) -> Interval | None:
    """Wilson score interval (Wilson 1927); None where nothing was counted."""
    if not rate.total:
        return None
    low, high = _score(rate.hits / rate.total, rate.total)
    return (0.0 if not rate.hits else low, 1.0 if rate.hits == rate.total else high)


def _score(share: float, n: int) -> Interval:
    z = _Z
    centre = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return (centre - spread) / scale, (centre + spread) / scale


def bootstrap(clips: Sequence[tuple[int, int]]) -> Interval | None:
    """Percentile interval of sum(a)/sum(b) when clips (a, b) are drawn again with replacement.

    Clips with b = 0 tell nothing of a ratio's denominator but may carry edits, so they stay.
    None where the ratio is undefined. Clips that are all alike, as where all is recovered, show no
    spread to draw from: then it is Wilson's with clips as the count.
    """
    import numpy as np

    ratios = resampled_ratios(clips)
    if ratios.size == 0:
        return None
    tail = (1 - LEVEL) / 2
    low, high = map(float, np.quantile(ratios, [tail, 1 - tail]))
    if low == high <= 1:
        below, above = _score(low, sum(b > 0 for _, b in clips))
        return (max(below, 0.0) if low else 0.0), (min(above, 1.0) if high < 1 else 1.0)
    return low, high


def resampled_ratios(clips: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """The ratio in each of RESAMPLES bootstrap draws of the clips; empty where undefined.

    Equal clips are drawn as one group, so the cost follows the distinct pairs and not the clips.
    """
    import numpy as np

    if not sum(b for _, b in clips):
        return np.empty(0)
    groups = sorted(Counter(clips).items())
    pairs = np.array([pair for pair, _ in groups], dtype=np.float64)
    shares = np.array([count for _, count in groups], dtype=np.float64) / len(clips)
    draws = np.random.default_rng(SEED).multinomial(len(clips), shares, size=RESAMPLES)
    sums = draws @ pairs
    defined = sums[:, 1] > 0
    return np.asarray(sums[defined, 0] / sums[defined, 1])


def mcnemar(lost: int, gained: int) -> float:
    """Exact one-sided McNemar test: how likely at least `lost` of the discordant pairs are losses.

    Pairs that agree say nothing. 1.0 where none disagrees.
    """
    n = lost + gained
    return sum(math.comb(n, k) for k in range(lost, n + 1)) / (1 << n)


Draw = tuple[tuple[int, ...], tuple[int, ...]]
"""One clip's counts of recovered entities: in the baseline's repeats, in this run's repeats."""

Chances = tuple[tuple[int, float], ...]
"""(difference, probability), by rising difference."""


def permutation_drop(clips: Iterable[Draw]) -> float:
    """Exact one-sided p-value that this run recovers less than the baseline.

    Under "nothing changed" the repeats of a clip may be dealt to baseline and run in any way, clip
    by clip. With one repeat on each side this is the sign-flip test of the clips' differences, and
    on successes of whole clips the exact McNemar test. The distribution of the sum is computed and
    not sampled, so the p-value has no noise of its own.
    """
    deals: Counter[Chances] = Counter()
    observed = 0
    for (before, now), count in Counter(clips).items():
        observed += count * (sum(now) * len(before) - sum(before) * len(now))
        chances = _deals(before, now)
        if len(chances) > 1:
            deals[chances] += count
    return _tail(deals, observed)


@lru_cache(maxsize=4096)
def _deals(before: tuple[int, ...], now: tuple[int, ...]) -> Chances:
    """Each way to deal a clip's repeats to the two sides.

    The difference of the sides' means, times the product of their repeats, is a whole number.
    """
    pool = sorted(before + now)
    ways = _subset_sums(tuple(pool), len(now))
    total, everything = sum(pool), math.comb(len(pool), len(now))
    return tuple(
        (part * len(before) - (total - part) * len(now), count / everything) for part, count in ways
    )


def _subset_sums(pool: tuple[int, ...], size: int) -> tuple[tuple[int, int], ...]:
    """(sum, number of subsets) over the subsets of that size."""
    table: list[Counter[int]] = [Counter({0: 1})] + [Counter() for _ in range(size)]
    for value in pool:
        for chosen in range(size, 0, -1):
            for part, count in table[chosen - 1].items():
                table[chosen][part + value] += count
    return tuple(sorted(table[size].items()))


def _tail(deals: Mapping[Chances, int], observed: int) -> float:
    """P(sum <= observed) over independent clips, as a product of discrete transforms."""
    if not deals:
        return 1.0
    import numpy as np

    low = sum(chances[0][0] * count for chances, count in deals.items())
    high = sum(chances[-1][0] * count for chances, count in deals.items())
    size = 1 << (high - low + 1).bit_length()
    spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
    for chances, count in deals.items():
        one = np.zeros(size)
        for difference, chance in chances:
            one[difference - chances[0][0]] += chance
        spectrum *= np.fft.rfft(one) ** count
    mass = np.fft.irfft(spectrum, size)[: observed - low + 1]
    # Rounding leaves some 1e-15 either side; a p-value below that is no claim we make.
    return float(min(1.0, max(mass.sum(), 1e-15)))


def least_drop_p(clips: Iterable[Draw]) -> float:
    """The smallest p-value of :func:`permutation_drop` for any deal of these repeats.

    Clips without a difference can't be dealt otherwise, so few differences leave it large.
    """
    return math.prod(_deals(before, now)[0][1] for before, now in clips)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjusted p-values (Holm 1979): any below alpha at most alpha of the time in a family."""
    adjusted: dict[str, float] = {}
    worst = 0.0
    for rank, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        worst = max(worst, min(1.0, p_values[name] * (len(p_values) - rank)))
        adjusted[name] = worst
    return adjusted


def tarone(
    p_values: Mapping[str, float], least: Mapping[str, float], alpha: float
) -> dict[str, float]:
    """Holm's correction among the tests that can fail at all (Tarone 1990, step-down).

    `least` are the smallest p-values that the tests could give on this data. A test that could not
    reach its share of alpha takes no share, so the many gates that nothing moved cost no power. To
    be compared with `alpha`.
    """
    adjusted: dict[str, float] = {}
    worst = 0.0
    ordered = sorted(p_values, key=lambda name: p_values[name])
    for rank, name in enumerate(ordered):
        factor = _shares([least[each] for each in ordered[rank:]], alpha)
        worst = max(worst, min(1.0, p_values[name] * factor))
        adjusted[name] = worst
    return adjusted


def _shares(least: Sequence[float], alpha: float) -> int:
    """The fewest shares of alpha that are enough for the tests that could reach one."""
    ordered = sorted(least)
    ks = range(1, len(least) + 1)
    return ks[bisect_left(ks, True, key=lambda k: bisect_right(ordered, alpha / k) <= k)]


def two_sided(clips: Sequence[Draw]) -> float:
    """The permutation test in both directions: how likely a difference this large is by chance."""
    turned = [(now, before) for before, now in clips]
    return min(1.0, 2 * min(permutation_drop(clips), permutation_drop(turned)))


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Rank correlation, ties sharing their mean rank; None under three values or without spread."""
    if len(a) < 3:
        return None
    import numpy as np

    x, y = _ranks(a), _ranks(b)
    if not x.std() or not y.std():
        return None
    return float(np.corrcoef(x, y)[0, 1])


def _ranks(values: Sequence[float]) -> NDArray[np.float64]:
    import numpy as np

    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place], dtype=np.float64)
