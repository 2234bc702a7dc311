"""
The usual spoken form of a value in a language with a pack: a proposal that a person approves.

What is proposed is read again: a form that does not carry its value is not proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pytest_asrbench.verifiers.languages.matcher import (
    IDENTIFIERS,
    MACHINE,
    VALUES,
    Reader,
    Value,
    reader,
)
from pytest_asrbench.verifiers.languages.moments import SpokenDate, Time
from pytest_asrbench.verifiers.packs import Pack, pack, subtags
from pytest_asrbench.verifiers.packs.common import SIGNS_OF_UNITS

_LONG_DIGITS: Final = 5
"""Figures of so many digits are said one by one."""


def proposed(kind: str, canonical: str, language: str, own: Mapping[str, Pack]) -> str:
    """A spoken form of a value of a known type; its own words where nothing better is known.

    Raises VerifierError where the language has no pack, or its pack not what the type needs.
    """
    words = pack(language, own)
    _, region = subtags(language)
    return _Sayer(reader(words, region or words.region)).form(kind, canonical)


@dataclass(frozen=True, eq=False)
class _Sayer:
    reader: Reader

    @property
    def pack(self) -> Pack:
        return self.reader.pack

    def form(self, kind: str, canonical: str) -> str:
        for made in (self._of(kind, canonical), self._words(canonical)):
            if made and self._carries(kind, canonical, made):
                return made
        return canonical

    def _carries(self, kind: str, canonical: str, made: str) -> bool:
        at = self.reader.line(made)
        return self.reader.verdict(Value(kind, canonical, None), at).present

    def _of(self, kind: str, canonical: str) -> str:
        if kind in IDENTIFIERS:
            return self._joined(self._character(c) for c in canonical.lower() if c.isalnum())
        if kind in MACHINE or kind == "version":
            return self._signs(canonical)
        if kind in VALUES:
            return self._value(kind, canonical)
        return self._words(canonical)

    def _joined(self, parts: Iterable[str]) -> str:
        return " ".join(part for part in parts if part)

    def _run(self, *parts: str) -> str:
        """One phrase, as the script writes it."""
        return ("" if self.pack.script.unspaced else " ").join(part for part in parts if part)

    def say(self, number: int) -> str:
        grammar = self.pack.numbers.grammar
        return grammar.say(number) if grammar is not None else str(number)

    def _character(self, char: str) -> str:
        return self.say(int(char)) if char.isdecimal() else char

    def _signs(self, canonical: str) -> str:
        parts = re.findall(r"\d+|[^\W\d_]+|[\W_]", canonical)
        return self._joined(map(self._piece, parts))

    def _piece(self, part: str) -> str:
        if part.isdecimal():
            whole = len(part) < 3 and part[0] != "0"
            return self.say(int(part)) if whole else self._joined(map(self._character, part))
        if part.isalpha():
            return part.lower()
        return next(iter(self.pack.signs.names.get(part, ())), part.strip())

    def _words(self, canonical: str) -> str:
        parts = re.findall(r"\d+|[^\W\d_]+", canonical)
        return self._joined(
            self._figure(part) if part.isdecimal() else part.lower() for part in parts
        )

    def _figure(self, part: str) -> str:
        if len(part) >= _LONG_DIGITS or part[0] == "0":
            return self._joined(map(self._character, part))
        return self.say(int(part))

    # --- values ----------------------------------------------------------------------------------

    def _value(self, kind: str, canonical: str) -> str:
        read = self.reader.wanted(kind, canonical)
        if read is None:
            return ""
        key = read.key
        if isinstance(key, SpokenDate):
            return self._date(key)
        if isinstance(key, Time):
            return self._time(key)
        if isinstance(key, Fraction):
            said = self._number(key)
            return self._percent(said) if kind == "percentage" else said
        return self._counted(kind, key)

    def _counted(self, kind: str, key: object) -> str:
        if not (isinstance(key, tuple) and isinstance(key[0], Fraction)):
            return ""
        value, name = key
        if kind == "currency_amount":
            currency = self.reader.tables.currencies[name]
            whole, part = divmod(value, 1)
            said = self._run(self._number(Fraction(whole)), currency.words[0])
            if not part:
                return said
            if not currency.minor or (part * 100).denominator != 1 or currency.tenth:
                return self._run(self._number(value), currency.words[0])
            link = next(iter(self.pack.currencies.links), "")
            return self._run(said, link, self.say(int(part * 100)), currency.minor[0])
        forms = self.pack.units.names.get(name, ())
        signs = SIGNS_OF_UNITS.get(name, ())
        worded = next((form for form in forms if form not in signs), forms[0])
        return self._run(self._number(value), worded)

    def _number(self, value: Fraction) -> str:
        whole, part = divmod(abs(value), 1)
        said = self.say(int(whole))
        if part:
            digits = f"{float(part):.10f}"[2:].rstrip("0")
            point = next(iter(self.pack.numbers.points), ".")
            said = self._run(said, point, *map(self._character, digits))
        return self._run(next(iter(self.pack.numbers.minus), "-"), said) if value < 0 else said

    def _percent(self, said: str) -> str:
        units = self.pack.units
        if units.percent_before:
            return self._run(units.percent_before[0], said)
        return self._run(said, next(iter(units.percent), "%"))

    def _date(self, date: SpokenDate) -> str:
        calendar = self.pack.calendar
        if not (calendar.said and date.year and date.month and date.day):
            return ""
        day = self.say(date.day)
        if date.day == 1 or calendar.ordinal_days:
            named = (word for word, value in calendar.days.items() if value == date.day)
            day = next(named, day)
        said = calendar.said.format(
            d=day, mon=calendar.months[date.month - 1][0], mn=self.say(date.month),
            y=self.say(date.year),
        )  # fmt: skip
        return f"{calendar.weekdays[date.weekday - 1][0]} {said}" if date.weekday else said

    def _time(self, time: Time) -> str:
        clock = self.pack.clock
        if time.half or not clock.said:
            return ""
        hour, minute = divmod(time.minutes, 60)
        template = clock.said if minute else clock.said_whole
        return template.format(h=self.say(hour), m=self.say(minute))
