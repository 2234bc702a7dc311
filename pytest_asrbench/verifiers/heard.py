"""
Values in a text, whoever said them: the precision side of recoverability.

Only kinds of values whose form gives them away can be found: mail and web addresses, IP addresses,
telephone numbers, amounts, percentages, dates, clock times, and other numbers. Names, terms,
commands and codes can't, and are not counted.

Written forms are found by their signs, spoken ones by the number words of the language pack. Each
find but a date or a time is then put to the rules verifier: the family of its type must recover
it from the same text, so finder and verifier never disagree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.packs import Pack, pack
from pytest_asrbench.verifiers.rules import Rules
from pytest_asrbench.verifiers.rules.numbers import NumberReader, after
from pytest_asrbench.verifiers.rules.pattern import Pattern, Phrases
from pytest_asrbench.verifiers.rules.tokens import Tokens, tokenise
from pytest_asrbench.verifiers.rules.view import decimal

TOP_DOMAINS = "com|org|net|edu|gov|io|dev|ai|app|co|us|uk|de|info|biz|example|test"
RE_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
RE_SPOKEN_MAIL = re.compile(
    rf"\b\w+(?: (?:dot|underscore|dash|hyphen|plus) \w+)* at \w+"
    rf"(?: (?:dash|hyphen|dot) \w+)* dot (?:{TOP_DOMAINS})\b",
    re.IGNORECASE,
)
RE_WEB = re.compile(
    rf"https?://\S+|\b(?:[\w-]+\.)+(?:{TOP_DOMAINS})\b(?:/\S*)?"
    rf"|\b\w+(?: (?:dash|hyphen|dot) \w+)* dot (?:{TOP_DOMAINS})\b",
    re.IGNORECASE,
)
RE_IP = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)")
RE_PHONE = re.compile(r"(?<![\w.])\+?\(?\d(?:[ ().-]{0,2}\d){6,14}(?!\w)")
RE_TIME = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?![\d:])(?:\s*[ap]\.?\s?m\b\.?)?", re.IGNORECASE)
RE_ISO_DATE = re.compile(r"(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])|(?<![\d/])\d{1,2}/\d{1,2}/\d{2,4}\b")
RE_SAID = re.compile(r" (dot|underscore|dash|hyphen|plus|at) ", re.IGNORECASE)
SIGNS = {"dot": ".", "underscore": "_", "dash": "-", "hyphen": "-", "plus": "+", "at": "@"}
UNCONFIRMED = frozenset({"date", "time"})
"""Kinds whose evidence is a phrase; their canonical form would have to be guessed."""
READ_WHOLE = {
    "currency_amount": "currencies", "percentage": "units", "measurement": "units",
    "date": "calendar", "time": "clock",
}  # fmt: skip
"""Types found in a language that its pack alone describes -> the part that is needed."""
MIN_PHONE_WORDS = 7
PRONOUNS = frozenset({"one"})


@dataclass(frozen=True, slots=True)
class Heard:
    """One value: its type, its canonical form, and its characters in the text."""

    type: str
    canonical: str
    start: int
    end: int


class Finder:
    """Finds values by the words of a language and the families of the rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def find(self, text: str, language: str) -> list[Heard]:
        """Values in the order of the text, none inside another.

        Raises VerifierError for a language without a pack.
        """
        words = pack(language, self.rules.packs)
        if not words.families:
            return self._by_words(text, language, words)
        tokens = tokenise(text)
        values: list[Heard] = []
        for kind, candidates in FINDERS.items():
            for start, end, canonical in candidates(text, tokens, words):
                taken = any(start < other.end and other.start < end for other in values)
                if not taken and self._confirmed(kind, canonical, text, language):
                    values.append(Heard(kind, canonical, start, end))
        return sorted(values, key=lambda heard: heard.start)

    def _by_words(self, text: str, language: str, words: Pack) -> list[Heard]:
        """Values that are read whole, and e-mails as they are written; each as it was said."""
        reader = self.rules.matcher.by_words(words, language).reader
        at = reader.line(text)
        values = [Heard("email_address", m[0], *m.span()) for m in RE_MAIL.finditer(text)]
        for kind in FINDERS:
            if kind not in READ_WHOLE or not words.has(READ_WHOLE[kind]):
                continue
            for reading in reader.readings(kind, at):
                start, end = at.span(reading.start, reading.end)
                taken = any(start < other.end and other.start < end for other in values)
                if not reading.doubts and not taken:
                    values.append(Heard(kind, text[start:end], start, end))
        return sorted(values, key=lambda heard: heard.start)

    def carried(self, heard: Heard, text: str, language: str) -> bool:
        """True if the value is recoverable from another text."""
        (verdict,) = self.rules.judge([_entity(heard.type, heard.canonical)], text, language)
        return verdict.present

    def _confirmed(self, kind: str, canonical: str, text: str, language: str) -> bool:
        if kind in UNCONFIRMED:
            return True
        (verdict,) = self.rules.judge([_entity(kind, canonical)], text, language)
        return verdict.present


Candidate = tuple[int, int, str]
"""Start and end in characters, and the canonical form."""


def _entity(kind: str, canonical: str) -> Entity:
    return Entity("heard", kind, canonical)


def _mails(text: str, tokens: Tokens, words: Pack) -> Iterator[Candidate]:
    yield from _written(RE_MAIL, text)
    for mail in RE_SPOKEN_MAIL.finditer(text):
        yield mail.start(), mail.end(), _signs(mail[0])


def _sites(text: str, tokens: Tokens, words: Pack) -> Iterator[Candidate]:
    for site in RE_WEB.finditer(text):
        value = site[0].rstrip(".,;:!?")
        yield site.start(), site.start() + len(value), _signs(value)


def _signs(said: str) -> str:
    return RE_SAID.sub(lambda sign: SIGNS[sign[1].lower()], said)


def _addresses(text: str, tokens: Tokens, words: Pack) -> Iterator[Candidate]:
    yield from _written(RE_IP, text)


def _phones(text: str, tokens: Tokens, words: Pack) -> Iterator[Candidate]:
    yield from _written(RE_PHONE, text)
    numbers = NumberReader(words)
    until = 0
    for start in sorted(tokens.runs):
        if start < until:
            continue
        digits, until = _digits(tokens, numbers, start)
        if len(digits) >= MIN_PHONE_WORDS:
            yield (*tokens.span(start, until), digits)


def _digits(tokens: Tokens, numbers: NumberReader, start: int) -> tuple[str, int]:
    """Digits said one after the other from a place on, and where they end."""
    said, i = "", start
    while True:
        one = [(digits, end) for digits, end in numbers.chunks(tokens, i) if len(digits) == 1]
        if not one:
            return said, i
        said, i = said + one[0][0], one[0][1]
        i += tokens.char(i) == ","


def _written(pattern: re.Pattern[str], text: str) -> Iterator[Candidate]:
    return ((match.start(), match.end(), match[0]) for match in pattern.finditer(text))


def _amounts(text: str, tokens: Tokens, words: Pack) -> Iterator[Candidate]:
    for i, e, value in _quantities(tokens, words):
        for currency in words.currencies:
            sign = currency.signs[0]
            stop = _after(Phrases(currency.words), tokens, e)
            if tokens.char(i - 1) in currency.signs and tokens.glued(i):
                yield (*tokens.span(i - 1, e), f"{sign}{decimal(value)}")
            elif stop is not None:
                minor, end = _minor(tokens, words, currency.minor, stop)
                yield (*tokens.span(i, end), f"{sign}{decimal(value + minor)}")


def _minor(tokens: Tokens, words: Pack, names: tuple[str, ...], i: int) -> tuple[Fraction, int]:
    """`and fifty cents` after an amount."""
    j = i + len(tokens.runs[i]) if tokens.runs.get(i) in words.ands else i
    for value, end, _ in NumberReader(words).values(tokens, j):
        stop = _after(Phrases(names), tokens, end) if names else None
        if stop is not None and value < 100:
            return value / 100, stop
    return Fraction(0), i


def _percentages(text: str, tokens: Tokens, words: Pack) -> Iterator[Candidate]:
    sign = Phrases(words.percent)
    for i, e, value in _quantities(tokens, words):
        if (stop := _after(sign, tokens, e)) is not None:
            yield (*tokens.span(i, stop), f"{decimal(value)}%")


def _dates(text: str, tokens: Tokens, words: Pack) -> Iterator[Candidate]:
    yield from _written(RE_ISO_DATE, text)
    names = {name for month in words.months for name in month}
    for i, run in sorted(tokens.runs.items()):
        e = i + len(run)
        if run in names and (stop := _day(tokens, words, e)) is not None:
            start, end = tokens.span(i, stop)
            yield start, end, text[start:end]


def _day(tokens: Tokens, words: Pack, i: int) -> int | None:
    """The end of the day after a month: 5, 5th, fifth, twenty first."""
    run = tokens.runs.get(i, "")
    if run in words.ordinals:
        return i + len(run)
    for value, end, _ in NumberReader(words).values(tokens, i):
        tail = tokens.runs.get(end, "")
        if 1 <= value <= 31 and value.denominator == 1:
            joined = tail in words.ordinals or (tail in words.ordinal_tails and tokens.glued(end))
            return end + len(tail) if joined else end
        if tail in words.ordinals:
            return end + len(tail)
    return None


def _times(text: str, tokens: Tokens, words: Pack) -> Iterator[Candidate]:
    yield from _written(RE_TIME, text)
    half = Phrases((*words.am, *words.pm, "o'clock"))
    for i, e, value in _quantities(tokens, words):
        if value >= 100 or value.denominator != 1:
            continue
        for stop in {e, *_minutes(tokens, words, e)}:
            if (last := _after(half, tokens, stop)) is not None:
                start, end = tokens.span(i, last)
                yield start, end, text[start:end]


def _minutes(tokens: Tokens, words: Pack, e: int) -> Iterator[int]:
    j = e + len(tokens.runs[e]) if tokens.runs.get(e) in words.zero_letters else e
    return (end for value, end, _ in NumberReader(words).values(tokens, j) if value < 60)


def _plain(text: str, tokens: Tokens, words: Pack) -> Iterator[Candidate]:
    for i, e, value in _quantities(tokens, words):
        said, follower = tokens.flat[i:e], tokens.runs.get(after(tokens, e))
        doubtful = said in PRONOUNS | words.zero_letters or said in words.fractions
        if not doubtful and follower not in words.ordinals:
            yield (*tokens.span(i, e), decimal(value))


def _quantities(tokens: Tokens, words: Pack) -> Iterator[tuple[int, int, Fraction]]:
    """Every number's longest reading; none starts inside another."""
    numbers = NumberReader(words)
    until = 0
    for i in sorted(set(numbers.places(tokens))):
        if i < until:
            continue
        readings = [(end, value) for value, end, _ in numbers.values(tokens, i) if end > i]
        if readings:
            until, value = max(readings)
            yield i, until, value


def _after(pattern: Pattern, tokens: Tokens, e: int) -> int | None:
    """The end of the longest match behind a number."""
    ends = pattern.ends(tokens, after(tokens, e))
    return max(ends) if ends else None


FINDERS: Mapping[str, Callable[[str, Tokens, Pack], Iterator[Candidate]]] = {
    "email_address": _mails,
    "url": _sites,
    "ip_address": _addresses,
    "date": _dates,
    "phone_number": _phones,
    "currency_amount": _amounts,
    "percentage": _percentages,
    "time": _times,
    "plain_number": _plain,
}
"""Type -> what finds its candidates, the more telling form first."""
