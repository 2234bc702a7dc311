"""The statistics that gates rest on, against plain slow versions and known values."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrbench.metrics import stats
from pytest_asrbench.model import Rate

COUNTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=9)


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [  # Newcombe 1998, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_gives_the_published_intervals(hits, total, low, high):
    found = stats.wilson(Rate(hits, total))

    assert found == pytest.approx((low, high), abs=5e-5)


def test_an_interval_of_nothing_is_none():
    assert stats.wilson(Rate(0, 0)) is None
    assert stats.bootstrap([]) is None
    assert stats.bootstrap([(3, 0)]) is None


def test_the_bootstrap_is_seeded_and_ignores_the_order_of_clips():
    clips = [(n % 4, 4) for n in range(60)]
    shuffled = random.Random(1).sample(clips, len(clips))

    assert stats.bootstrap(clips) == stats.bootstrap(shuffled)


def test_clustered_clips_have_a_wider_interval_than_their_entities_alone():
    together = [(5, 5)] * 30 + [(0, 5)] * 30
    low, high = stats.bootstrap(together)
    wilson_low, wilson_high = stats.wilson(Rate(150, 300))

    assert high - low > 1.8 * (wilson_high - wilson_low)


@pytest.mark.parametrize(
    ("clips", "interval"),
    [
        ([(1, 1)] * 12, (0.7575, 1.0)),
        ([(2, 2)] * 6 + [(0, 0)], (0.6097, 1.0)),
        ([(0, 9)] * 12, (0.0, 0.2425)),
        ([(1, 2)] * 12, (0.2538, 0.7462)),
    ],
)
def test_clips_that_are_all_alike_do_not_make_a_rate_certain(clips, interval):
    assert stats.bootstrap(clips) == pytest.approx(interval, abs=5e-5)


@given(st.integers(0, 12), st.integers(0, 12))
def test_mcnemar_is_the_binomial_tail(lost, gained):
    n = lost + gained
    tail = sum(math.comb(n, k) * 0.5**n for k in range(lost, n + 1))

    assert stats.mcnemar(lost, gained) == pytest.approx(tail)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 9))
def test_on_whole_clips_the_permutation_test_is_mcnemars(lost, gained, same):
    clips = [((1,), (0,))] * lost + [((0,), (1,))] * gained + [((1,), (1,))] * same

    assert stats.permutation_drop(clips) == pytest.approx(stats.mcnemar(lost, gained))


def flipped(differences):
    """The sign-flip test by trying every flip."""
    observed = sum(differences)
    sums = [
        sum(sign * d for sign, d in zip(signs, differences, strict=True))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return sum(each <= observed for each in sums) / len(sums)


@pytest.mark.slow
@given(COUNTS)
@settings(max_examples=60)
def test_with_one_repeat_the_permutation_test_is_the_sign_flip_test(counts):
    clips = [((before,), (now,)) for before, now in counts]
    differences = [now - before for before, now in counts]

    assert stats.permutation_drop(clips) == pytest.approx(flipped(differences))


REPEATS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 3), min_size=2, max_size=2).map(tuple),
        st.lists(st.integers(0, 3), min_size=3, max_size=3).map(tuple),
    ),
    max_size=4,
)


def dealt(clips):
    """Every way to deal each clip's repeats to two and three, by brute force."""

    def difference(before, now):
        return sum(now) * len(before) - sum(before) * len(now)

    observed = sum(difference(*clip) for clip in clips)
    choices = []
    for before, now in clips:
        pool = before + now
        parts = itertools.combinations(range(len(pool)), len(now))
        choices.append(
            [
                difference(
                    [pool[i] for i in range(len(pool)) if i not in part], [pool[i] for i in part]
                )
                for part in parts
            ]
        )
    sums = [sum(each) for each in itertools.product(*choices)]
    return sum(each <= observed for each in sums) / len(sums)


@given(REPEATS)
@settings(max_examples=40)
def test_unequal_repeats_are_dealt_anew_in_every_way(clips):
    assert stats.permutation_drop(clips) == pytest.approx(dealt(clips))


def test_a_large_drop_over_many_clips_has_a_tiny_p_and_no_change_has_one():
    drop = [((3,), (2,))] * 400
    same = [((3,), (3,))] * 400

    assert stats.permutation_drop(drop) <= 1e-12
    assert stats.permutation_drop(same) == 1.0


def test_holm_gives_the_textbook_adjustment_and_keeps_names():
    raw = {"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005}

    adjusted = stats.holm(raw)

    assert adjusted == pytest.approx({"d": 0.02, "a": 0.03, "c": 0.06, "b": 0.06})


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=8))
def test_holm_never_makes_a_p_value_smaller_nor_swaps_two(raw):
    adjusted = stats.holm(raw)

    assert all(raw[name] <= adjusted[name] <= 1 for name in raw)
    order = sorted(raw, key=raw.__getitem__)
    assert all(adjusted[a] <= adjusted[b] for a, b in itertools.pairwise(order))


def test_tests_that_could_not_fail_take_no_share_of_alpha():
    p = {"moved": 0.02, "still": 1.0, "hardly": 0.25}

    assert stats.holm(p)["moved"] == pytest.approx(0.06)
    least = {"moved": 0.01, "still": 1.0, "hardly": 0.25}
    assert stats.tarone(p, least, 0.05)["moved"] == 0.02


@pytest.mark.slow
@given(
    st.dictionaries(
        st.text(max_size=3), st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8
    )
)
def test_the_correction_never_asks_more_than_holms_nor_less_than_none(tests):
    p = {name: max(pair) for name, pair in tests.items()}
    least = {name: min(pair) for name, pair in tests.items()}
    found, plain = stats.tarone(p, least, 0.05), stats.holm(p)

    assert all(p[name] <= found[name] <= plain[name] + 1e-12 for name in p)


@given(COUNTS)
@settings(max_examples=40)
def test_the_least_p_is_that_of_all_differences_turned_to_losses(counts):
    clips = [((a,), (b,)) for a, b in counts]
    turned = [((max(a, b),), (min(a, b),)) for a, b in counts]

    assert stats.least_drop_p(clips) == pytest.approx(stats.permutation_drop(turned))
