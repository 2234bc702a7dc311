"""
The parts of a language pack. Each is optional: what a language lacks is an error for the types
that need it, and for those alone.

All words are lower case; a phrase may hold spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Names = Mapping[str, tuple[str, ...]]
"""Something -> all its names, the usual one first."""
Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Currency:
    """One currency: how it is written before or after an amount, and its hundredth part."""

    code: str
    signs: tuple[str, ...]
    words: tuple[str, ...]
    minor: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """Number words, and what stands around them."""

    digits: Mapping[str, int]
    """Words for 1 to 9."""
    teens: Mapping[str, int]
    tens: Mapping[str, int]
    hundreds: frozenset[str]
    scales: Mapping[str, int]
    zeros: frozenset[str]
    zero_letters: frozenset[str] = frozenset()
    """Words for 0 that need other figures beside them ("oh")."""
    repeats: Mapping[str, int] = field(default_factory=dict)
    """double, triple."""
    homophones: Mapping[str, int] = field(default_factory=dict)
    """Ordinary words that sound like a digit: rejected unless a knob allows them (rule 11)."""
    one: frozenset[str] = frozenset()
    """Articles that stand for 1 before hundred, a fraction or a unit."""
    ands: frozenset[str] = frozenset()
    points: tuple[str, ...] = ()
    ordinals: Mapping[str, int] = field(default_factory=dict)
    ordinal_tails: frozenset[str] = frozenset()
    fractions: Mapping[str, int] = field(default_factory=dict)
    """half, third … -> denominator."""
    minus: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    """Words between the two ends of a range."""
    shorts: Mapping[str, int] = field(default_factory=dict)
    """Letters behind a figure that scale it: k, bn."""
    pointing: frozenset[str] = frozenset()
    """Words before "point" that make it an ordinary word: "at this point"."""
    counted: frozenset[str] = frozenset()
    """Nouns that are counted and have no plural ending: people."""
    plurals: tuple[str, ...] = ()
    """Endings of nouns that are counted."""
    uncounted: frozenset[str] = frozenset()
    """Words with such an ending that count nothing: is, was."""

    of_whole: frozenset[str] = frozenset()
    """Words behind half that say of what: it is no part of the number before it."""

    def counts(self, word: str) -> bool:
        """Whether a number before this word counts it: "530 people"."""
        if word in self.counted:
            return True
        long = len(word) > 3 and word.isalpha() and word not in self.uncounted
        return long and word.endswith(self.plurals) and not word.endswith("ss")


@dataclass(frozen=True, kw_only=True)
class Signs:
    """How signs are said."""

    names: Names
    """Sign -> its spoken names."""
    plurals: Names = field(default_factory=dict)
    counted: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """2 -> two, double."""
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Letters:
    """Names of letters, spelling alphabets, and words for casing."""

    names: Names = field(default_factory=dict)
    spelling: Names = field(default_factory=dict)
    """Letter -> its words in spelling alphabets."""
    as_in: tuple[str, ...] = ()
    capital: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    all_caps: tuple[str, ...] = ()
    case_styles: Names = field(default_factory=dict)
    everyday: frozenset[str] = frozenset()
    """Lower-case words that are also acronyms (it, us): too common to be sure of."""


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """Months and weekdays in order, January and Monday first; the usual name before others."""

    months: Groups
    weekdays: Groups
    of: tuple[str, ...] = ()
    """What may stand between a month and its year."""
    joints: frozenset[str] = frozenset()
    """Words between the day and its month."""
    dating: frozenset[str] = frozenset()
    """Words in front that make "3-5" a date (rule 45)."""
    not_dating: frozenset[str] = frozenset()
    """Words in front that make a figure none: version."""


@dataclass(frozen=True, kw_only=True)
class Clock:
    """Halves of the day and time zones."""

    morning: tuple[str, ...] = ()
    evening: tuple[str, ...] = ()
    nights: tuple[str, ...] = ()
    """Words that put a clock time into the evening, though not everybody says so."""
    am: tuple[str, ...] = ()
    pm: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    """Words that say the hour is full: o'clock, sharp."""
    hours: tuple[str, ...] = ()
    """Words behind a 24-hour figure."""
    past: tuple[str, ...] = ()
    """Words between minutes and the hour they follow …"""
    to: tuple[str, ...] = ()
    """… and the hour they precede."""
    minutes: tuple[str, ...] = ()
    quarter: tuple[str, ...] = ()
    half: tuple[str, ...] = ()
    noon: tuple[str, ...] = ()
    midnight: tuple[str, ...] = ()
    telling: frozenset[str] = frozenset()
    """Words in front that make a bare figure a clock time (rule 44)."""
    between: frozenset[str] = frozenset()
    """Words in front that make "nine to five" a range."""
    until: tuple[str, ...] = ()
    """Words between the two ends of a range of times."""
    not_telling: frozenset[str] = frozenset()
    """Words in front that make a bare figure a year."""
    yesterday: tuple[str, ...] = ()
    day_parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """am, pm -> names of the part of the day, behind a weekday."""
    zones: Names = field(default_factory=dict)
    near_zones: Names = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Units:
    """Percent and the units of measure."""

    percent: tuple[str, ...]
    names: Names
    """Unit -> all its forms: sign first, then words (singular and plural)."""
    loose: Names = field(default_factory=dict)
    """Unit -> short names for it that not everybody takes as exact."""
    metric: Names = field(default_factory=dict)
    """Unit that takes prefixes -> its words."""
    prefixes: Names = field(default_factory=dict)
    per: tuple[str, ...] = ()
    powers: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    below: frozenset[str] = frozenset()
    """Words behind a unit that put it under zero."""


@dataclass(frozen=True, kw_only=True)
class Currencies:
    """Names and signs of money."""

    known: tuple[Currency, ...]
    others: tuple[str, ...] = ()
    """Words beside a sign that name another currency ("$5 canadian")."""
    slang: Mapping[str, int] = field(default_factory=dict)
    """Words that scale an amount, its currency left unsaid: grand …"""
    slang_codes: tuple[str, ...] = ()
    """… and the currencies that they may mean."""

    def __iter__(self) -> Iterator[Currency]:
        return iter(self.known)


@dataclass(frozen=True, kw_only=True)
class Addresses:
    """Words that are one in names and in addresses (Dr. = doctor, street = st)."""

    equal: Groups = ()
    words: Groups = ()
    regions: Mapping[str, str] = field(default_factory=dict)
    """Postal code of a state -> its name."""


NEEDED: Mapping[str, str] = {
    "numbers": "number words; figures said in words",
    "signs": "names of signs; addresses of machines and code",
    "letters": "letter names; spelled values",
    "calendar": "months and weekdays; dates",
    "clock": "clock words; times",
    "units": "units; percentages and measures",
    "currencies": "currencies; amounts",
    "addresses": "address words; postal addresses and names",
}
"""Part -> what it holds and what can't be judged without it."""
