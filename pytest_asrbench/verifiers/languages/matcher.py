"""Judges entities in a language that has a pack, and says why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from pytest_asrbench.datasets.types import TypeKind, of_kind
from pytest_asrbench.model import Difference, Verdict
from pytest_asrbench.verifiers import reasons
from pytest_asrbench.verifiers.languages.amounts import Amounts
from pytest_asrbench.verifiers.languages.characters import CharacterMatch, Characters, Shape
from pytest_asrbench.verifiers.languages.line import Line, bare, fold, line
from pytest_asrbench.verifiers.languages.moments import Moments, SpokenDate, Time
from pytest_asrbench.verifiers.languages.numbers import Numbers
from pytest_asrbench.verifiers.languages.phones import forms as phone_forms
from pytest_asrbench.verifiers.languages.readings import Reach, Reading
from pytest_asrbench.verifiers.languages.stated import NOTHING, cased
from pytest_asrbench.verifiers.languages.tables import Tables
from pytest_asrbench.verifiers.languages.walks import Walk
from pytest_asrbench.verifiers.languages.words import Words
from pytest_asrbench.verifiers.packs.pack import Pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt, texts
from pytest_asrbench.verifiers.rules.rule_options import RuleOptions

FREE: Final = Shape()
EXACT: Final = Shape(exact=True)
VERSION: Final = Shape(exact=True, words=False)
LETTERS: Final = Shape(marked=True)
IDENTIFIERS: Final = of_kind(TypeKind.CHARACTERS)
MACHINE: Final = of_kind(TypeKind.SYMBOLS)
WORDED: Final = of_kind(TypeKind.WORDS)
SPELLING: Final = frozenset({"spelled_sequence", "acronym_or_initialism"})
VALUES: Final = of_kind(TypeKind.QUANTITY)
NEEDS: Final = {
    "date": ("calendar",), "time": ("clock",), "currency_amount": ("currencies",),
    "percentage": ("units",), "measurement": ("units",), "version": ("signs",),
    **dict.fromkeys(MACHINE, ("signs",)),
}  # fmt: skip
"""Type -> the parts of a pack without which it can't be judged."""
_CASING: Final = "casing"
TYPES: Final = IDENTIFIERS | MACHINE | WORDED | VALUES | {"version"}


@dataclass(frozen=True, slots=True)
class Value:
    """The value that is looked for."""

    type: str
    text: str
    acoustic: str | None


@dataclass(frozen=True, slots=True)
class Match:
    """A place where a value was found, and how."""

    start: int
    end: int
    doubts: int
    name: str


@dataclass(frozen=True, eq=False)
class Reader:
    """All readers of one language and region."""

    pack: Pack
    region: str
    stated: RuleOptions = NOTHING

    @cached_property
    def tables(self) -> Tables:
        return Tables(self.pack.filled(), self.region, self.stated)

    @cached_property
    def numbers(self) -> Numbers:
        return Numbers(self.tables)

    @cached_property
    def amounts(self) -> Amounts:
        return Amounts(self.tables, self.numbers)

    @cached_property
    def moments(self) -> Moments:
        return Moments(self.tables, self.numbers)

    @cached_property
    def characters(self) -> Characters:
        return Characters(self.tables, self.numbers)

    @cached_property
    def words(self) -> Words:
        return Words(self.tables, self.numbers, self.characters)

    def line(self, text: str) -> Line:
        return line(text, self.pack)

    # --- verdicts --------------------------------------------------------------------------------

    def verdict(self, value: Value, at: Line) -> Verdict:
        """The verdict on whether the line carries the value."""
        match, refused, near = self.search(value, at)
        if match is not None:
            return _present(at.text, at, match)
        for other, doubts in self._otherwise(at, refused):
            match, _, _ = self.search(value, other)
            if match is not None:
                return _present(at.text, other, replace(match, doubts=match.doubts | doubts))
        return _absent(at, value, refused, near)

    def _otherwise(self, at: Line, refused: Match | None) -> Iterator[tuple[Line, int]]:
        """The line as else it may be read, and what is to doubt then: without its hesitations,
        and where number words that a space splits are one (rule 37)."""
        fluent = self.fluent(at)
        if fluent is not None:
            yield fluent, 0
        joined: Line | None = at.once("joined", lambda: self._joined(at))
        if joined is not None and refused is None:
            yield joined, Doubt.SPACED

    def _joined(self, at: Line) -> Line | None:
        """The line without spaces that split a number word: "dieci sette"."""
        words = self.tables.grammar.words
        flat, split = at.flat, set[int]()
        for match in re.finditer(r"(?<!\S)([^\W\d_]{2,}) ([^\W\d_]{2,})(?!\S)", flat):
            one, two = match[1], match[2]
            if one + two in words and not {one, two} <= words.keys():
                split.add(match.start(2) - 1)
        if not split:
            return None
        kept = [k for k in range(len(flat)) if k not in split]
        spans = [at.start[k] for k in kept], [at.stop[k] for k in kept]
        return Line(at.text, "".join(flat[k] for k in kept), *spans)

    def fluent(self, at: Line) -> Line | None:
        """The line without its hesitations (rule 33), every character at its old place."""
        if not self.pack.fillers:
            return None
        made: Line | None = at.once("fluent", lambda: self._fluent(at))
        return made

    def _fluent(self, at: Line) -> Line | None:
        blanked = list(at.text)
        hits = False
        for i in range(len(at.flat)):
            for _, e in self.tables.at(self.tables.fillers, at, i):
                before = at.back(i)
                comma = at.flat[before - 1 : before] == ","
                if i == 0 or not (comma or at.flat[i - 1] == " "):
                    continue
                start, stop = at.span(i, e)
                if comma:
                    start = at.span(before - 1, before)[0]
                if at.flat[e : e + 1] == ",":
                    stop = at.span(e, e + 1)[1]
                blanked[start:stop] = " " * (stop - start)
                hits = True
        return self.line("".join(blanked)) if hits else None

    def search(self, value: Value, at: Line) -> tuple[Match | None, Match | None, Match | None]:
        """The best match that stands, the best that is refused, and the nearest miss."""
        best: Match | None = None
        refused: Match | None = None
        near: list[Match] = []
        for match in self._matches(value, at, near):
            if match.doubts & Doubt.REFUSED:
                refused = _better(refused, match)
            elif not match.doubts:
                return match, None, None
            else:
                best = _better(best, match)
        return best, refused, near[0] if near else None

    def _matches(self, value: Value, at: Line, near: list[Match]) -> Iterator[Match]:
        for match in (*self._of_type(value, at, near), *self._word_for_word(value, at)):
            start, stop = at.span(match.start, match.end)
            if self.stated.case == "exact" and not cased(value.text, at.text[start:stop]):
                yield replace(match, doubts=match.doubts | Doubt.REFUSED, name=_CASING)
            else:
                yield match

    def _of_type(self, value: Value, at: Line, near: list[Match]) -> Iterator[Match]:
        for part in ("numbers", *NEEDS.get(value.type, ())):
            self.pack.need(part)
        if value.type in self._formatted:
            yield from self._identifier(value, at, near)
        elif value.type in {*IDENTIFIERS, *MACHINE, "version"}:
            yield from self._machine(value, at, near)
        elif value.type in WORDED:
            yield from self._worded(value, at, near)
        else:
            wanted = self.wanted(value.type, value.text)
            if wanted is None:
                yield from self._worded(value, at, near)
                return
            for reading in self.readings(value.type, at):
                match = Match(reading.start, reading.end, reading.doubts, reading.name)
                if _equal(wanted.key, reading.key, bare=self.stated.clock == "24-hour"):
                    yield match
                else:
                    near.append(match)

    @property
    def _formatted(self) -> frozenset[str]:
        """Types whose separators are formatting (rules 7 and 8), or as it is stated."""
        stated = {"exact": frozenset[str](), "free": IDENTIFIERS | MACHINE}
        return stated.get(self.stated.separators, IDENTIFIERS)

    def readings(self, kind: str, at: Line) -> list[Reading]:
        """All values of a type that the line holds."""
        reader: Callable[[Line], list[Reading]] = {
            "plain_number": self.amounts.plain,
            "percentage": self.amounts.percents,
            "measurement": self.amounts.measures,
            "currency_amount": self.amounts.money,
            "date": self.moments.dates,
            "time": self.moments.times,
        }[kind]
        return reader(at)

    @lru_cache(maxsize=4096)  # noqa: B019 - readers live as long as the process
    def wanted(self, kind: str, text: str) -> Reading | None:
        """The canonical, read by the same reader; None where it is nothing of its type."""
        at = self.line(text.strip())
        readings = [
            r for r in self.readings(kind, at) if not r.start and r.end >= len(at.flat.rstrip(". "))
        ]
        readings = [r for r in readings if not r.doubts & Doubt.REFUSED]
        return min(readings, key=lambda r: r.doubts.bit_count()) if readings else None

    # --- characters ------------------------------------------------------------------------------

    def _identifier(self, value: Value, at: Line, near: list[Match]) -> Iterator[Match]:
        plain = self._plain(value.text, spelled=value.type in SPELLING)
        shape = LETTERS if value.type in SPELLING else FREE
        shape = replace(shape, alphabet=self._alphabet(value))
        forms = [(plain, 0)]
        if value.type == "phone_number":
            forms = phone_forms(value.text, self.tables.pack, self.region)
        for text, doubts in forms:
            reached = Walk()
            for match in self.characters.find(at, text, shape, reached):
                around = self.characters.around(at, match, text, exact=False)
                yield Match(match.start, match.end, match.doubts | around | doubts, "characters")
            near.extend(_near(reached, text))

    def _plain(self, text: str, *, spelled: bool) -> str:
        folded = fold(text, self.pack)
        if not spelled:  # in identifiers marks are formatting
            folded = bare(folded, self.pack)
        return "".join(c for c in folded if c.isalnum())

    def _alphabet(self, value: Value) -> bool:
        """The spoken form says words of a spelling alphabet."""
        if not value.acoustic:
            return False
        at = self.line(value.acoustic)
        return any(
            True for i in range(len(at.flat)) for _ in self.tables.at(self.tables.alphabet, at, i)
        )

    def _machine(self, value: Value, at: Line, near: list[Match]) -> Iterator[Match]:
        text = bare(fold(value.text, self.pack), self.pack)
        shape = EXACT
        if value.type == "version":
            text, shape = text.removeprefix("v").strip(), VERSION
        reached = Walk()
        for match in self.characters.find(at, text.replace(" ", ""), shape, reached):
            around = self.characters.around(at, match, text, exact=True)
            yield Match(match.start, match.end, match.doubts | around, "characters and signs")
        near.extend(_near(reached, text))

    # --- words -----------------------------------------------------------------------------------

    def _worded(self, value: Value, at: Line, near: list[Match]) -> Iterator[Match]:
        address = value.type == "postal_address"
        tokens = self.words.tokens(value.text)
        reached = Walk()
        person = value.type == "person_or_team_name"
        for place in self.words.find(at, tokens, reached, address=address, person=person):
            yield Match(place.start, place.end, place.doubts, place.name)
        if address:
            for place in self.words.parts(at, value.text, reached):
                yield Match(place.start, place.end, place.doubts, place.name)
        near.extend(_near(reached, "".join(tokens)))

    def _word_for_word(self, value: Value, at: Line) -> Iterator[Match]:
        """The spoken form itself is evidence (rule 32)."""
        if not value.acoustic:
            return
        tokens = self.words.tokens(value.acoustic)
        if not tokens or (len(tokens) == 1 and tokens[0] in self.tables.soft_words):
            return
        if value.type in WORDED and tokens == self.words.tokens(value.text):
            return
        pattern = r"[\s,.;:'\"-]*".join(map(re.escape, tokens))
        for match in re.finditer(pattern, at.flat):
            said = CharacterMatch(match.start(), match.end(), 0)
            if not (at.edge(said.start) and at.edge(said.end)):
                continue
            ends = (at.back(said.start) in self.numbers.number_ends(at), said.start)
            if ends[0] and said.start in self.numbers.number_starts(at):
                continue
            cut = at.next(said.end) in self.numbers.number_starts(at)
            if cut and said.end in self.numbers.number_ends(at):
                continue
            if value.type in VALUES and self._part(value, at, said):
                continue
            yield Match(said.start, said.end, 0, "spoken form, word for word")

    def _part(self, value: Value, at: Line, said: CharacterMatch) -> bool:
        """A longer reading holds it."""
        reach: Reach = at.once(("reach", value.type), lambda: Reach(self.readings(value.type, at)))
        return reach.holds(said.start, said.end)


def _equal(wanted: Any, heard: Any, *, bare: bool) -> bool:
    """Whether what was read carries what is wanted.

    `bare`: a time without its half of the day is one of 24 hours.
    """
    if isinstance(wanted, SpokenDate):
        return isinstance(heard, SpokenDate) and heard.holds(wanted)
    if isinstance(wanted, Time):
        return isinstance(heard, Time) and _same_time(wanted, heard, bare=bare)
    return bool(wanted == heard)


def _same_time(wanted: Time, heard: Time, *, bare: bool) -> bool:
    """A reading without its half of the day carries times up to 12:59 of 24 hours."""
    if wanted.second > 0 and heard.second != wanted.second:
        return False
    if wanted.half and bare and heard.day_minutes is None:
        return heard.minutes == wanted.day_minutes
    if wanted.half:
        return heard.day_minutes is not None and heard.day_minutes == wanted.day_minutes
    minutes = wanted.minutes % (24 * 60)
    if heard.day_minutes is not None:
        return heard.day_minutes == minutes
    before_one = heard.hour == 1 and heard.minutes < 60  # twenty to one is 12:40
    return minutes in (heard.minutes, heard.minutes + 12 * 60 if before_one else heard.minutes)


def _near(reached: Walk, text: str) -> list[Match]:
    if reached.best * 2 < len(text) or not reached.best:
        return []
    return [Match(reached.start, reached.end, 0, "")]


def _better(old: Match | None, new: Match) -> Match:
    if old is None or new.doubts.bit_count() < old.doubts.bit_count():
        return new
    return old


def _present(transcript: str, at: Line, match: Match) -> Verdict:
    start, stop = at.span(match.start, match.end)
    return reasons.present(transcript, start, stop, texts(match.doubts))


def _absent(at: Line, value: Value, refused: Match | None, near: Match | None) -> Verdict:
    shown = refused or near
    if shown is None:
        return reasons.absent(None)
    start, stop = at.span(shown.start, shown.end)
    heard = at.text[start:stop]
    if refused is None:
        misheard = Difference("misheard", value.text, heard)
        return reasons.absent(reasons.nearest(heard, start, stop, misheard))
    kind = "casing" if refused.name == _CASING else "belongs"
    longer = reasons.nearest(heard, start, stop, Difference(kind, heard=heard))
    return reasons.absent(longer, texts(refused.doubts))


@cache
def reader(pack: Pack, region: str, stated: RuleOptions = NOTHING) -> Reader:
    """One reader a pack, region and options, made once: it holds the pack's words ready."""
    return Reader(pack, region, stated)
