"""A pack: the words of one language, in parts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Final

from pytest_asrbench.errors import VerifierError
from pytest_asrbench.verifiers.packs.parts import (
    NEEDED,
    Addresses,
    Calendar,
    ClockWords,
    Currencies,
    Groups,
    LetterNames,
    Names,
    NumberWords,
    Script,
    Signs,
    Units,
)

_LEFT_OUT: Final[Any] = None


DIGESTED: Final = ("language", "fillers", "script", "region", "rules")


class Missing:
    """Stands for a part that a pack lacks: whoever asks it for a word is told so."""

    __slots__ = ("_said",)

    def __init__(self, said: str) -> None:
        self._said = said

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise VerifierError(self._said)


@dataclass(frozen=True, kw_only=True, eq=False)
class Pack:
    """Words of one language. A part that is left out raises VerifierError when it is needed."""

    language: str
    numbers: NumberWords = _LEFT_OUT
    signs: Signs = _LEFT_OUT
    letters: LetterNames = _LEFT_OUT
    calendar: Calendar = _LEFT_OUT
    clock: ClockWords = _LEFT_OUT
    units: Units = _LEFT_OUT
    currencies: Currencies = _LEFT_OUT
    addresses: Addresses = _LEFT_OUT
    fillers: frozenset[str] = frozenset()
    """Hesitations, skipped between the parts of a value."""
    script: Script = field(default_factory=Script)
    region: str = ""
    """Where the language is spoken, if the tag does not say."""
    families: bool = False
    """Judged by families of readings of its own, in rules/; all others by their words alone."""
    rules: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Entity type -> the rules of the language's addendum that bear on it."""

    def __post_init__(self) -> None:
        for part, text in NEEDED.items():
            if getattr(self, part) is None:
                words, _, lost = text.partition("; ")
                said = f"{self.language}: no {words}; {lost} can't be judged"
                object.__setattr__(self, part, Missing(said))

    def has(self, part: str) -> bool:
        """True if the pack holds this part ("clock")."""
        return not isinstance(getattr(self, part), Missing)

    def need(self, part: str) -> None:
        """Raises VerifierError where the pack lacks the part."""
        if not self.has(part):
            getattr(self, part).words  # noqa: B018 - a missing part tells of itself

    def filled(self) -> Pack:
        """The same pack with empty parts for those it lacks: nothing in a transcript is one."""
        empty = {
            "numbers": NumberWords, "signs": Signs, "letters": LetterNames, "calendar": Calendar,
            "clock": ClockWords, "units": Units, "currencies": Currencies, "addresses": Addresses,
        }  # fmt: skip
        return replace(self, **{p: make() for p, make in empty.items() if not self.has(p)})

    def digest(self) -> str:
        """SHA-256 (hex) of all words; part of the verifier's identity."""
        parts = {name: getattr(self, name) for name in (*DIGESTED, *NEEDED)}
        content = {
            name: _plain(part)
            for name, part in parts.items()
            if part and not isinstance(part, Missing)
        }
        text = json.dumps(content, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    # Words by their older names, until nobody asks for them.

    @property
    def digits(self) -> Mapping[str, int]:
        return self.numbers.digits

    @property
    def teens(self) -> Mapping[str, int]:
        return self.numbers.teens

    @property
    def tens(self) -> Mapping[str, int]:
        return self.numbers.tens

    @property
    def hundreds(self) -> frozenset[str]:
        return self.numbers.hundreds

    @property
    def scales(self) -> Mapping[str, int]:
        return self.numbers.scales

    @property
    def zero_letters(self) -> frozenset[str]:
        return self.numbers.zero_letters

    @property
    def repeats(self) -> Mapping[str, int]:
        return self.numbers.repeats

    @property
    def homophones(self) -> Mapping[str, int]:
        return self.numbers.homophones

    @property
    def one(self) -> frozenset[str]:
        return self.numbers.one

    @property
    def ands(self) -> frozenset[str]:
        return self.numbers.ands

    @property
    def points(self) -> tuple[str, ...]:
        return self.numbers.points

    @property
    def ordinals(self) -> Mapping[str, int]:
        return self.numbers.ordinals

    @property
    def ordinal_tails(self) -> frozenset[str]:
        return self.numbers.ordinal_tails

    @property
    def fractions(self) -> Mapping[str, int]:
        return self.numbers.fractions

    @property
    def minus(self) -> tuple[str, ...]:
        return self.numbers.minus

    @property
    def range_words(self) -> tuple[str, ...]:
        return self.numbers.ranges

    @property
    def separators(self) -> Names:
        return self.signs.names

    @property
    def plural_separators(self) -> Names:
        return self.signs.plurals

    @property
    def counted(self) -> Mapping[int, tuple[str, ...]]:
        return self.signs.counted

    @property
    def quotes(self) -> tuple[str, ...]:
        return self.signs.quotes

    @property
    def letter_names(self) -> Names:
        return self.letters.names

    @property
    def spelling(self) -> Names:
        return self.letters.spelling

    @property
    def as_in(self) -> tuple[str, ...]:
        return self.letters.as_in

    @property
    def capital(self) -> tuple[str, ...]:
        return self.letters.capital

    @property
    def lower(self) -> tuple[str, ...]:
        return self.letters.lower

    @property
    def all_caps(self) -> tuple[str, ...]:
        return self.letters.all_caps

    @property
    def case_styles(self) -> Names:
        return self.letters.case_styles

    @property
    def everyday(self) -> frozenset[str]:
        return self.letters.everyday

    @property
    def months(self) -> Groups:
        return self.calendar.months

    @property
    def weekdays(self) -> Groups:
        return self.calendar.weekdays

    @property
    def morning(self) -> tuple[str, ...]:
        return self.clock.morning

    @property
    def evening(self) -> tuple[str, ...]:
        return self.clock.evening

    @property
    def nights(self) -> tuple[str, ...]:
        return self.clock.nights

    @property
    def am(self) -> tuple[str, ...]:
        return self.clock.am

    @property
    def pm(self) -> tuple[str, ...]:
        return self.clock.pm

    @property
    def zones(self) -> Names:
        return self.clock.zones

    @property
    def near_zones(self) -> Names:
        return self.clock.near_zones

    @property
    def percent(self) -> tuple[str, ...]:
        return self.units.percent

    @property
    def prefixes(self) -> Names:
        return self.units.prefixes

    @property
    def loose_units(self) -> Names:
        return self.units.loose

    @property
    def metric(self) -> Names:
        return self.units.metric

    @property
    def per(self) -> tuple[str, ...]:
        return self.units.per

    @property
    def powers(self) -> Mapping[int, tuple[str, ...]]:
        return self.units.powers

    @property
    def other_dollars(self) -> tuple[str, ...]:
        return self.currencies.others

    @property
    def equal_words(self) -> Groups:
        return self.addresses.equal

    @property
    def address_words(self) -> Groups:
        return self.addresses.words

    @property
    def regions(self) -> Mapping[str, str]:
        return self.addresses.regions


def _plain(value: Any) -> Any:
    """As JSON. What a part leaves at its default is left out: a new field changes no digest."""
    if is_dataclass(value) and not isinstance(value, type):
        held = {one.name: getattr(value, one.name) for one in fields(value)}
        return {name: _plain(one) for name, one in held.items() if one}
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int) else str(value)
