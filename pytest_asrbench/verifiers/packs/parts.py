"""
The parts of a language pack. Each is optional: what a language lacks is an error for the types
that need it, and for those alone.

All words are lower case; a phrase may hold spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_asrbench.verifiers.packs.grammar import Grammar

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
    tenth: tuple[str, ...] = ()
    """Its tenth part, where there is one (角)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Script:
    """The script: how text of the language is folded, and where its words end."""

    keep: str = ""
    """Letters that keep their marks (ñ); "*": all do."""
    swaps: Mapping[str, str] = field(default_factory=dict)
    """A character -> what it is folded to (ß -> ss)."""
    rules: tuple[tuple[str, str], ...] = ()
    """Regular expressions and what replaces what they match."""
    machine: Mapping[str, str] = field(default_factory=dict)
    """How letters are written in addresses of machines (ä -> ae)."""
    marks_in_names: bool = True
    """Marks that are kept also count in names."""
    unspaced: bool = False
    """Words are written without white space between them."""
    joined: bool = False
    """Names of letters and digits are also written without white space between them."""
    endings: tuple[str, ...] = ()
    """What may be glued to the end of a value (postpositions, particles)."""
    word_endings: tuple[str, ...] = ()
    """What may be glued to the pack's own words (case endings), never to a value's."""
    apostrophe_endings: bool = False
    """An ending may follow any value after an apostrophe."""
    articles: frozenset[str] = frozenset()
    """Single letters that are words."""
    follow: str = ""
    """Characters that end a person's name where a script has no spaces."""


@dataclass(frozen=True, kw_only=True)
class NumberWords:
    """Number words, and what stands around them."""

    digits: Mapping[str, int] = field(default_factory=dict)
    """Words for 1 to 9."""
    teens: Mapping[str, int] = field(default_factory=dict)
    tens: Mapping[str, int] = field(default_factory=dict)
    hundreds: frozenset[str] = frozenset()
    scales: Mapping[str, int] = field(default_factory=dict)
    """Words that multiply a figure (mil, millones, Mio.)."""
    zeros: frozenset[str] = frozenset()
    zero_letters: frozenset[str] = frozenset()
    """Words for 0 that need other figures beside them ("oh")."""
    repeats: Mapping[str, int] = field(default_factory=dict)
    """double, triple."""
    homophones: Mapping[str, int] = field(default_factory=dict)
    """Ordinary words that sound like a digit: rejected unless a option allows them (rule 11)."""
    one: frozenset[str] = frozenset()
    """Articles that stand for 1 before hundred, a fraction or a unit."""
    ands: frozenset[str] = frozenset()
    points: tuple[str, ...] = ()
    ordinals: Mapping[str, int] = field(default_factory=dict)
    ordinal_tails: frozenset[str] = frozenset()
    """Endings that make a number an ordinal."""
    fractions: Mapping[str, int] = field(default_factory=dict)
    """half, third … -> denominator."""
    minus: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    """Words between the two ends of a range."""
    between: tuple[str, ...] = ()
    """Words in front of a range that the linking word parts ("entre 5 y 10")."""
    grammar: Grammar | None = None
    soft: Mapping[str, int] = field(default_factory=dict)
    """Words that are a number beside other figures alone (un, meia)."""
    soft_ones: tuple[str, ...] = ()
    """Those that are also one straight before a unit, a currency or a percent word."""
    tags: tuple[str, ...] = ()
    """Those that stand beside a run of digits without being one (a question's không)."""
    questions: tuple[str, ...] = ()
    """What frames a question in which such a word is no digit (có phải … ạ)."""
    only_digits: Mapping[str, int] = field(default_factory=dict)
    """Words for a digit inside a digit run, never in a quantity (幺, tư)."""
    plural_digits: Mapping[str, int] = field(default_factory=dict)
    """ "zeros" of "two zeros" -> 0, where so many of a digit are named."""
    times: tuple[str, ...] = ()
    """Words between a count and the digit that is repeated ("zweimal die", 个)."""
    marks: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Region ("" for all others) -> decimal mark, thousands marks."""
    halves: Mapping[str, Fraction] = field(default_factory=dict)
    """What is added behind a number, a scale word or a unit ("y medio")."""
    parts: Mapping[str, Fraction] = field(default_factory=dict)
    """Parts of one, said before a unit ("medio", "un cuarto de"), or a scale word."""
    shifts: Mapping[str, Fraction] = field(default_factory=dict)
    """Said before a number: what is added to it, in its last place (सवा, साढ़े)."""
    never: tuple[str, ...] = ()
    """Phrases that begin with a number word and are none (十分, 一下)."""
    inexact: tuple[str, ...] = ()
    """Words that make a number inexact, behind it (多) or before it (mấy)."""
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
    shares: frozenset[str] = frozenset()
    """Words between a number and the whole it is a share of: "a tenth of a dollar"."""

    def counts(self, word: str) -> bool:
        """True if a number before this word counts it: "530 people"."""
        if word in self.counted:
            return True
        long = len(word) > 3 and word.isalpha() and word not in self.uncounted
        return long and word.endswith(self.plurals) and not word.endswith("ss")


@dataclass(frozen=True, kw_only=True)
class Signs:
    """Spoken names of signs."""

    names: Names = field(default_factory=dict)
    """Sign -> its spoken names."""
    plurals: Names = field(default_factory=dict)
    counted: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """2 -> two, double."""
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LetterNames:
    """Names of letters, spelling alphabets, and words for casing."""

    names: Names = field(default_factory=dict)
    spelling: Names = field(default_factory=dict)
    """Letter -> its words in spelling alphabets."""
    as_in: tuple[str, ...] = ()
    spelled: tuple[str, ...] = ()
    """Words between a word and its own spelling: "spelled", "that's"."""
    announcing: tuple[str, ...] = ()
    """Words between the parts of a name that say which comes: "last name is"."""
    first_part: tuple[str, ...] = ()
    last_part: tuple[str, ...] = ()
    capital: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    all_caps: tuple[str, ...] = ()
    case_styles: Names = field(default_factory=dict)
    doubles: Mapping[str, int] = field(default_factory=dict)
    """Words before a letter's name that say it so often (doble, zwei)."""
    ordinary: frozenset[str] = frozenset()
    """Letter names that are also everyday words: they don't continue a run by themselves."""
    glosses: tuple[str, ...] = ()
    """Words that only describe the letter before (accent aigu)."""
    alphabet_alone: bool = False
    """A word of the spelling alphabet is its letter even where the spoken form has none."""
    described: tuple[str, str] = ("", "")
    """Regular expressions of a name that is described character by character: what may stand in
    front of a character, and behind it ("{c}" is the character)."""
    behind: tuple[str, ...] = ()
    """Words between an example word and the letter that it gives (apple 的 A)."""
    everyday: frozenset[str] = frozenset()
    """Lower-case words that are also acronyms (it, us): too common to be sure of."""


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """Months and weekdays in order, January and Monday first; the usual name before others."""

    months: Groups = ()
    weekdays: Groups = ()
    day_first: frozenset[str] = frozenset()
    """Regions in which a date of figures begins with its day."""
    short: tuple[str, ...] = ()
    """Weekdays as single characters, read in brackets behind a date alone."""
    days: Mapping[str, int] = field(default_factory=dict)
    """Words for a day of the month that are no plain numbers (primero)."""
    ordinal_days: bool = False
    """Days are said as ordinals."""
    said: str = ""
    """How a date is usually said, for proposals ("{d} de {mon} de {y}")."""
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Region ("" for all others) -> templates in which dates are said and written."""
    of: tuple[str, ...] = ()
    """What may stand between a month and its year."""
    joints: frozenset[str] = frozenset()
    """Words between the day and its month."""
    dating: frozenset[str] = frozenset()
    """Words in front that make "3-5" a date (rule 45)."""
    quarter: tuple[str, ...] = ()
    not_dating: frozenset[str] = frozenset()
    """Words in front that make a figure none: version."""
    numbered: frozenset[str] = frozenset()
    """Nouns behind an ordinal that make it no day: century, floor."""


@dataclass(frozen=True, kw_only=True)
class ClockWords:
    """Halves of the day and time zones."""

    morning: tuple[str, ...] = ()
    evening: tuple[str, ...] = ()
    nights: tuple[str, ...] = ()
    """Words that put a clock time into the evening, though not everybody says so."""
    am: tuple[str, ...] = ()
    pm: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    """Words that say the hour is full: o'clock, sharp."""
    military: tuple[str, ...] = ()
    """Words behind a 24-hour figure: hours."""
    past: tuple[str, ...] = ()
    """Words between minutes and the hour they follow …"""
    to: tuple[str, ...] = ()
    """… and the hour they precede."""
    minutes: tuple[str, ...] = ()
    later: frozenset[str] = frozenset()
    """Words behind minutes that belong to no hour in front: "9 am and 30 minutes later"."""
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
    said: str = ""
    """How a time is usually said, for proposals ("{h} y {m}"), and a whole hour."""
    said_whole: str = ""
    templates: tuple[str, ...] = ()
    """How times are said and written ("{h} y media = +30")."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Part of the day -> am, pm, noon or night."""
    hours: Mapping[str, int] = field(default_factory=dict)
    """Words for hours that are no plain numbers (tr: üçe)."""


@dataclass(frozen=True, kw_only=True)
class Units:
    """Percent and the units of measure."""

    percent: tuple[str, ...] = ()
    percent_before: tuple[str, ...] = ()
    """Percent words in front of the number (yüzde, 百分之)."""
    permille: tuple[str, ...] = ()
    names: Names = field(default_factory=dict)
    """Unit -> all its forms: sign first, then words (singular and plural)."""
    loose: Names = field(default_factory=dict)
    """Unit -> short names for it that not everybody takes as exact."""
    metric: Names = field(default_factory=dict)
    """Unit that takes prefixes -> its words."""
    of: tuple[str, ...] = ()
    """Words between a number and its unit or currency (de)."""
    prefixes: Names = field(default_factory=dict)
    per: tuple[str, ...] = ()
    powers: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    below: frozenset[str] = frozenset()
    """Words behind a unit that put it under zero."""


@dataclass(frozen=True, kw_only=True)
class Currencies:
    """Names and signs of money."""

    known: tuple[Currency, ...] = ()
    signs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Region -> sign -> the currency that it means there ($ in MX)."""
    links: tuple[str, ...] = ()
    """Words between the amount and its hundredths (con, und)."""
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
    suffixes: Groups = ()
    """Endings of words that are one (Hauptstraße, Hauptstr.)."""
    regions: Mapping[str, str] = field(default_factory=dict)
    """Postal code of a state -> its name."""
    linking: tuple[str, ...] = ()
    """What may stand between the parts of an address: "zip code is"."""
    short_titles: Mapping[str, str] = field(default_factory=dict)
    """Short form -> the word that it stands for right behind the house number: dr, doctor."""
    streets: frozenset[str] = frozenset()
    """Words for kinds of streets, and short forms: street, st."""
    directions: tuple[str, ...] = ()
    """What may follow them as a part of the street's name: west, nw."""
    free: tuple[str, ...] = ()
    """Words that may stand between the parts of an address or not (número)."""
    postal_prefixes: tuple[str, ...] = ()
    """What may stand before a postal code or not ("D-")."""
    titles: tuple[str, ...] = ()
    """Words beside a name that may be left out."""
    phones: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Region -> country code, trunk prefix."""


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
