"""What holds for every type, on values made at random."""

from __future__ import annotations

import gc
import math
import time
import unicodedata
from random import Random

import pytest
from helpers.spoken_values import MAKERS, ORDINARY, Value, sentence
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.packs import pack
from pytest_asrbench.verifiers.rules import Rules

RULES = Rules()
TYPES = st.sampled_from(sorted(MAKERS))
RANDOMS = st.integers(0, 2**32).map(Random)

# Signs of rule 7 by type: dropping or changing one changes the value.
BEARING = {
    "email_address": "@._-+", "url": ":/.", "ip_address": ".", "command": "-.", "cli_flag": "-",
    "file_path": "/.", "environment_variable": "_", "version": ".",
}  # fmt: skip
ONLY_DIGITS = {"measurement", "time", "date", "currency_amount", "percentage", "plain_number"}
OTHER_SIGN = {".": "-_", "-": "_.", "_": "-.", "/": "-.", "@": ".", "+": "-", ":": "."}


def judge(value: Value, transcript: str, *, acoustic: bool = True) -> Verdict:
    spoken = value.spoken[0] if acoustic else None
    entity = Entity("x", value.type, value.canonical, spoken)
    return RULES.judge([entity], transcript, "en")[0]


@pytest.mark.slow
@given(TYPES, RANDOMS, st.booleans())
def test_every_form_of_a_value_among_ordinary_words_is_present(
    kind: str, random: Random, acoustic: bool
) -> None:
    value = MAKERS[kind](random)
    for form in value.forms:
        verdict = judge(value, sentence(random, form), acoustic=acoustic)
        assert verdict.present, (value.canonical, form, verdict.reason)
        assert verdict.sure


@pytest.mark.slow
@given(TYPES, RANDOMS)
def test_evidence_is_a_span_of_the_transcript_that_carries_the_value_alone(
    kind: str, random: Random
) -> None:
    value = MAKERS[kind](random)
    text = sentence(random, random.choice(value.forms))
    verdict = judge(value, text)
    assert verdict.evidence == text[verdict.start : verdict.end]
    assert verdict.evidence is not None
    assert judge(value, verdict.evidence).present


def mutations(random: Random, value: Value) -> list[str]:
    """The written form with one character that counts dropped, doubled, changed or swapped."""
    text, signs = value.canonical, BEARING.get(value.type, "")
    digits = value.type in ONLY_DIGITS
    places = [
        k for k, c in enumerate(text) if c.isdigit() or c in signs or (c.isalpha() and not digits)
    ]
    if value.type == "postal_address":  # "Street" without its last letters is an abbreviation
        places = [k for k, c in enumerate(text) if c.isdigit()]
    k = random.choice(places)
    c = text[k]
    found = [text[:k] + text[k + 1 :], text[:k] + c + text[k:]]
    if not c.isalnum():
        return [*found, text[:k] + random.choice(OTHER_SIGN[c]) + text[k + 1 :]]
    alphabet = "0123456789" if c.isdigit() else "abcdefghijklmnopqrstuvwxyz"
    new = random.choice([a for a in alphabet if a != c.lower()])
    found.append(text[:k] + (new.upper() if c.isupper() else new) + text[k + 1 :])
    after = text[k + 1 : k + 2]
    if after.isalnum() and after.lower() != c.lower():
        found.append(text[:k] + after + c + text[k + 2 :])
    return found


def same_amount(one: str, two: str) -> bool:
    """Zeros at the end of decimals and in front are formatting (rule 12)."""

    def plain(text: str) -> str:
        figure = "".join(c for c in text if c.isdigit() or c == ".")
        figure = figure.rstrip("0").rstrip(".") if "." in figure else figure
        return figure.lstrip("0")

    return plain(one) == plain(two)


@pytest.mark.slow
@given(TYPES, RANDOMS, st.booleans())
@settings(max_examples=400)
def test_one_changed_dropped_doubled_or_swapped_character_makes_it_absent(
    kind: str, random: Random, acoustic: bool
) -> None:
    value = MAKERS[kind](random)
    for changed in mutations(random, value):
        amount = kind in ("currency_amount", "percentage", "plain_number", "measurement")
        if amount and same_amount(changed, value.canonical):
            continue
        verdict = judge(value, sentence(random, changed), acoustic=acoustic)
        assert not verdict.present, (value.canonical, changed, verdict.evidence)


@pytest.mark.slow
@given(TYPES, RANDOMS, st.sampled_from("7q"))
def test_a_letter_or_digit_joined_to_the_value_makes_it_absent(
    kind: str, random: Random, joined: str
) -> None:
    value = MAKERS[kind](random)
    written = value.canonical
    if written[-1].isalnum():
        assert not judge(value, f"they said {written}{joined} yesterday").present
    if written[0].isalnum():
        assert not judge(value, f"they said {joined}{written} yesterday").present


@pytest.mark.slow
@given(TYPES, RANDOMS, st.integers(0, 40), st.integers(0, 40))
def test_other_words_around_a_value_never_change_the_verdict(
    kind: str, random: Random, before: int, after: int
) -> None:
    value, other = MAKERS[kind](random), MAKERS[kind](random)
    for form in (value.canonical, other.canonical):
        words = [random.choice(ORDINARY) for _ in range(before)]
        rest = [random.choice(ORDINARY) for _ in range(after)]
        alone, among = judge(value, form), judge(value, " ".join([*words, form, *rest]))
        assert (alone.present, alone.sure) == (among.present, among.sure)


@pytest.mark.slow
@given(TYPES, RANDOMS, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_nothing_depends_on_the_unicode_form_or_on_runs_of_white_space(
    kind: str, random: Random, form: str
) -> None:
    value = MAKERS[kind](random)
    text = sentence(random, random.choice(value.forms))
    same = unicodedata.normalize(form, text).replace(
        " ", random.choice(["  ", "\t", "\n ", "\u00a0"])
    )
    one, two = judge(value, text), judge(value, same)
    assert (one.present, one.sure) == (two.present, two.sure)


@pytest.mark.slow
@given(RANDOMS)
def test_the_order_of_entities_does_not_matter(random: Random) -> None:
    values = [MAKERS[kind](random) for kind in random.sample(sorted(MAKERS), 5)]
    text = " ".join(sentence(random, random.choice(value.forms)) for value in values)
    entities = [Entity(v.canonical, v.type, v.canonical, v.spoken[0]) for v in values]
    forward = RULES.judge(entities, text, "en")
    assert forward == RULES.judge(entities[::-1], text, "en")[::-1]


@pytest.mark.slow
@given(TYPES, RANDOMS, st.text(st.characters(), max_size=60), st.text(max_size=30))
def test_no_transcript_and_no_value_raises(
    kind: str, random: Random, noise: str, canonical: str
) -> None:
    value = MAKERS[kind](random)
    text = noise[:30] + random.choice(value.forms) + noise[30:]
    entities = [
        Entity("a", kind, value.canonical, value.spoken[0]),
        Entity("b", kind, canonical, noise, (text,)),
    ]
    for verdict in RULES.judge(entities, text, "en"):
        assert verdict.present == (verdict.evidence is not None)
        if verdict.nearest:
            near = verdict.nearest
            assert text[near.start : near.end] == near.text


NOISE = st.lists(
    st.sampled_from(
        [*sorted(pack("en").separators), *sorted(pack("en").digits), *sorted(pack("en").scales),
         *sorted(pack("en").tens), *sorted(pack("en").fillers), *sorted(pack("en").repeats),
         "hundred", "point", "and", "a", "half", "oh", "dot", "dash", "7", "12", "345", "1,234",
         "½", "x", "b", "as in", "all caps", "\ud800", "\u202e", "\x00", "e\u0301", "ﬁ", "²", "'s"]
    ),
    max_size=60,
)  # fmt: skip


@pytest.mark.slow
@given(RANDOMS, NOISE, st.sampled_from(["", " ", "-", ", "]))
@settings(max_examples=150)
def test_no_mixture_of_number_words_signs_and_oddities_raises(
    random: Random, noise: list[str], joint: str
) -> None:
    values = [make(random) for make in MAKERS.values()]
    entities = [Entity(v.type, v.type, v.canonical, v.spoken[0]) for v in values]
    assert len(RULES.judge(entities, joint.join(noise), "en")) == len(entities)


LONG = {
    "ordinary words": "warehouse invoice ",
    "one run of digits": "7",
    "number words": "five hundred ",
    "fractions": "two and a half ",
    "separators": "dash dot / . ",
    "spelled letters": "b c d ",
    "thousands": "1,111,",
    "lone surrogates": "\ud800 ",
    "right to left": "\u202eشكرا ",
    "control characters": "a\x00\x1b",
}


@pytest.mark.slow
@pytest.mark.parametrize("piece", LONG.values(), ids=LONG)
def test_time_grows_with_the_length_of_the_transcript(piece: str) -> None:
    random = Random(5)
    values = [make(random) for make in MAKERS.values()]
    entities = [Entity(v.type, v.type, v.canonical, v.spoken[0]) for v in values]

    def seconds(characters: int) -> float:
        text = (piece * (characters // len(piece) + 1))[:characters]
        best = math.inf
        gc.disable()  # a collection walks the whole test process
        for _ in range(3):
            start = time.process_time()
            RULES.judge(entities, text, "en")
            best = min(best, time.process_time() - start)
        gc.enable()
        return best

    short, long = seconds(5_000), seconds(20_000)
    assert long < 10 * (short + 0.002)  # 4 for linear, 16 for quadratic
