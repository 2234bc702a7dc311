"""
Clock times of a transcript, each read whole (rules 16, 28, 39, 44).

A reading holds what was said: hour, minute, second, half of the day, zone. "ten past eleven pm" is
one, so the bare hour in it is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import Phrases
from pytest_asrbench.verifiers.rules.readings.dates import dates
from pytest_asrbench.verifiers.rules.readings.links import Atom, Link, chain
from pytest_asrbench.verifiers.rules.readings.names import begins_own, counted
from pytest_asrbench.verifiers.rules.readings.names import named as units_at
from pytest_asrbench.verifiers.rules.readings.whole import Span, wholes
from pytest_asrbench.verifiers.rules.tokens import Tokens

SAID, FIGURES, WORDS, MARKED, POINTED, HOUR, RELATIVE, NAMED = (
    "said", "figures", "words", "marked", "pointed", "hour", "relative", "named"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clock:
    """One clock time as it was said; `half` is "am", "pm" or ""."""

    start: int
    end: int
    hour: int
    minute: int
    second: str = ""
    half: str = ""
    zones: tuple[tuple[str, int], ...] = ()
    """Names of the zone behind it, and where each ends."""
    style: str = MARKED
    exact: bool = False
    """O'clock or hours stands behind it."""
    told: int = -1
    """Where the word in front starts that makes a bare figure a time; -1 where none does."""
    doubts: int = 0

    @property
    def evidence(self) -> int:
        """The start of the evidence: at the word without which the figure would be none."""
        alone = not self.half and not self.exact and self.style in (HOUR, FIGURES, POINTED)
        return self.told if alone and self.told >= 0 else self.start

    @property
    def hour24(self) -> int:
        if not self.half:
            return self.hour
        return self.hour % 12 + (12 if self.half == "pm" else 0)


def clocks(tokens: Tokens, numbers: NumberReader) -> list[Clock]:
    """Every clock time, refused ones included; made once a transcript."""
    clocks: list[Clock] = tokens.once(
        ("clocks", numbers.key), lambda: list(_Reader(tokens, numbers).clocks())
    )
    return clocks


@dataclass(frozen=True)
class _Words:
    """The clock words of a pack, ready to be looked for."""

    exact: Phrases
    hours: Phrases
    past: Phrases
    to: Phrases
    minutes: Phrases
    quarter: Phrases
    half: Phrases
    noon: Phrases
    midnight: Phrases
    am: Phrases
    pm: Phrases
    nights: Phrases
    days: Phrases
    months: frozenset[str]


@lru_cache(maxsize=8)
def _words(language: str) -> _Words:
    pack = load_pack(language)
    clock = pack.clock
    days = [form for forms in pack.weekdays for form in forms]
    return _Words(
        Phrases(clock.exact), Phrases(clock.military), Phrases(clock.past), Phrases(clock.to),
        Phrases(clock.minutes), Phrases(clock.quarter), Phrases(clock.half), Phrases(clock.noon),
        Phrases(clock.midnight), Phrases((*pack.am, *pack.morning)),
        Phrases((*pack.pm, *pack.evening)), Phrases(pack.nights),
        Phrases((*days, *clock.yesterday)), frozenset(f for forms in pack.months for f in forms),
    )  # fmt: skip


@dataclass(slots=True)
class _Reader:
    tokens: Tokens
    numbers: NumberReader
    used: dict[int, int] = field(default_factory=dict)
    """Starts of hours that minutes in front have taken -> where those start."""

    @property
    def pack(self) -> Pack:
        return self.numbers.pack

    @property
    def words(self) -> _Words:
        return _words(self.numbers.pack.language)

    def clocks(self) -> Iterator[Clock]:
        spans = wholes(self.tokens, self.numbers).spans
        cores = [*self._written(), *self._said(spans), *self._listed(spans), *self._named()]
        relative = list(self._relative(spans, cores))
        for one in relative:
            yield from self._ended(one)
        for one in cores:
            before = self.used.get(one.start)
            ended = list(self._ended(one))
            if before is not None:
                ranged = self._ranged(before)
                more = Doubt.SHARED if ranged else Doubt.REFUSED
                ended = [replace(end, doubts=end.doubts | more) for end in ended]
                if ranged:
                    yield from self._low(before, cores, ended)
            yield from ended

    # --- hour and minute -----------------------------------------------------------------------

    def _written(self) -> Iterator[Clock]:
        """9:30, 9.30, 10-45, 9h30, 5: 05, 11:15:30."""
        atom_chain = chain(self.tokens, self.numbers)
        atoms, links = atom_chain.atoms, atom_chain.links
        for k, atom in enumerate(atoms):
            link = links[k]
            if atom.kind != "figure" or len(atom.text) > 2 or self._inside(link):
                continue
            if k + 1 == len(atoms):
                break
            mark = links[k + 1]
            style = {Link.COLON: MARKED, Link.DOT: POINTED, Link.DASH: POINTED}.get(mark) if (
                mark is not None
            ) else None  # fmt: skip
            if mark is None and self._lettered(atom, atoms[k + 1]):
                style = MARKED
            minute = atoms[k + 1]
            if style is None or len(minute.text) != 2 or minute.kind != "figure":
                continue
            second, last = "", k + 1
            if mark is Link.COLON and k + 2 < len(atoms) and links[k + 2] is Link.COLON:
                second, last = atoms[k + 2].text, k + 2
            if last + 1 < len(atoms) and self._goes_on(links[last + 1], mark, atoms[last + 1]):
                continue
            if self.tokens.glued(atom.start) and self.tokens.flat[atom.start - 1].isalpha():
                continue
            yield from _valid(
                Clock(atom.start, atoms[last].end, int(atom.text), int(minute.text), second,
                      style=style)
            )  # fmt: skip

    def _inside(self, link: Link | None) -> bool:
        return link not in (None, Link.LIST, Link.STOP, Link.DASH, Link.SPACE)

    def _lettered(self, atom: Atom, minute: Atom) -> bool:
        between = self.tokens.flat[atom.end : minute.start]
        return (
            between == "h" and not self.tokens.gaps[atom.end] and not self.tokens.gaps[minute.start]
        )

    def _goes_on(self, link: Link | None, mark: Link | None, after: Atom) -> bool:
        if link is Link.SPACE:
            own = begins_own(self.tokens, self.numbers, after.start)
            return after.kind == "big" or (after.kind == "figure" and not own)
        if link is Link.DASH:
            return mark is Link.DASH
        return link not in (None, Link.LIST, Link.STOP)

    def _said(self, spans: list[Span]) -> Iterator[Clock]:
        """930, nine thirty, nine oh five, oh seven hundred; and bare hours."""
        for span in spans:
            if self.tokens.glued(span.start) and self.tokens.flat[span.start - 1].isalnum():
                continue
            for digits in span.strings:
                base = Clock(span.start, span.end, 0, 0, doubts=span.doubts)
                if len(digits) <= 2:
                    yield from _valid(replace(base, hour=int(digits), style=HOUR))
                elif len(digits) <= 4:
                    yearly = len(digits) == 4 and digits[:2] > "12" and digits[0] != "0"
                    style = FIGURES if span.figures or yearly else WORDS
                    if digits.endswith("00") and not span.figures:
                        style = FIGURES  # "nine hundred" needs hours or a word in front
                    yield from _valid(
                        replace(base, hour=int(digits[:-2]), minute=int(digits[-2:]), style=style)
                    )

    def _listed(self, spans: list[Span]) -> Iterator[Clock]:
        """Six, forty five."""
        starts = {span.start: span for span in spans}
        for span in spans:
            if (
                span.figures
                or self.tokens.char(span.end) != ","
                or not self.tokens.gaps[span.end + 1]
            ):
                continue
            two = starts.get(span.end + 1)
            if two is None or two.figures:
                continue
            for hour, minute in ((a, b) for a in span.strings for b in two.strings):
                if len(minute) == 2 and len(hour) <= 2:
                    one = Clock(span.start, two.end, int(hour), int(minute), style=FIGURES)
                    if list(self._halves(two.end)):
                        self.used.setdefault(two.start, -1)
                        yield from _valid(one)

    def _named(self) -> Iterator[Clock]:
        """Noon and midnight."""
        for half, names in (("pm", self.words.noon), ("am", self.words.midnight)):
            for i in names.starts(self.tokens):
                for e in names.ends(self.tokens, i):
                    yield Clock(i, e, 12, 0, half=half, style=NAMED, exact=True)

    # --- minutes before and after an hour ------------------------------------------------------

    def _relative(self, spans: list[Span], cores: list[Clock]) -> Iterator[Clock]:
        """Half past two, ten after ten, quarter to nine, five to noon."""
        starts: dict[int, list[Clock]] = {}
        for one in cores:
            starts.setdefault(one.start, []).append(one)
        for start, minute, e, exact in self._amounts(spans):
            for place, before in self._links(e):
                hours = starts.get(place, [])
                if self.tokens.runs.get(e) == "of" and not exact:
                    hours = [one for one in hours if list(self._halves(one.end))]
                fits = [
                    one for one in hours if not one.minute and one.style in (HOUR, NAMED, MARKED)
                ]
                for one in hours:
                    self.used[one.start] = start
                for one in fits:
                    yield from self._told_minutes(start, minute, before, one)

    def _told_minutes(self, start: int, minute: int, before: bool, one: Clock) -> Iterator[Clock]:
        if one.hour > 12 or (minute == 30 and before):
            return
        half = one.half
        if before:
            hour = (one.hour - 2) % 12 + 1
            if half and one.hour == 12:
                half = "am" if half == "pm" else "pm"
            minute = 60 - minute
        else:
            hour = one.hour
        yield replace(
            one, start=start, hour=hour, minute=minute, half=half, style=RELATIVE, exact=True
        )

    def _amounts(self, spans: list[Span]) -> Iterator[tuple[int, int, int, bool]]:
        """Minutes in front of "past" or "to": start, how many, end, and whether surely minutes."""
        for span in spans:
            ends = list(self.words.minutes.ends(self.tokens, span.end))
            if not ends and not any(self._links(span.end)):
                continue
            for digits in span.strings:
                if len(digits) <= 2 and 0 < int(digits) < 60:
                    yield span.start, int(digits), *((ends[0], True) if ends else (span.end, False))
        for minute, names in ((15, self.words.quarter), (30, self.words.half)):
            for i in names.starts(self.tokens):
                for e in names.ends(self.tokens, i):
                    yield i, minute, e, True

    def _links(self, e: int) -> Iterator[tuple[int, bool]]:
        if self.tokens.char(e) == "-" and self.tokens.glued(e):
            e += 1  # "half-past"
        for stop in self.words.past.ends(self.tokens, e):
            yield stop, False
        for stop in self.words.to.ends(self.tokens, e):
            yield stop, True

    def _ranged(self, start: int) -> bool:
        """From nine to five: both are times."""
        before = self.tokens.runs.get(self.tokens.ends.get(start, -1))
        return before in self.pack.clock.between

    def _low(self, start: int, cores: list[Clock], highs: list[Clock]) -> Iterator[Clock]:
        """The lower end of a range shares the upper one's half of the day, not surely."""
        halves = {one.half for one in highs if one.half}
        for one in cores:
            if one.start == start and not one.half:
                for half in halves:
                    yield replace(one, half=half, doubts=one.doubts | Doubt.SHARED)

    # --- what stands around it -----------------------------------------------------------------

    def _ended(self, one: Clock) -> Iterator[Clock]:
        """The time with o'clock, half of the day and zone, and how far it is one at all."""
        end, exact = one.end, one.exact
        for names in (self.words.exact, self.words.hours, self.words.exact):
            for stop in names.ends(self.tokens, end):
                end, exact = stop, True
        one = replace(one, end=end, exact=exact, told=self._told(one.start))
        if one.half:
            yield from self._zoned(one)
            return
        for half, stop, doubts in self._halves(end):
            doubts |= one.doubts | (Doubt.REFUSED if self._goes_past(stop) else 0)
            yield from self._zoned(replace(one, half=half, end=stop, doubts=doubts))
        if not list(self._halves(end)):
            yield from self._zoned(replace(one, doubts=one.doubts | self._alone(one)))

    def _halves(self, e: int) -> Iterator[tuple[str, int, int]]:
        """am, p.m., in the evening, on Friday afternoon, tonight: the half, its end, doubts."""
        tokens = self.tokens
        places = [e]
        if tokens.char(e) in (",", "-") and e < len(tokens):
            places.append(e + 1)
        for place in places:
            for half, pattern in (("am", self.words.am), ("pm", self.words.pm)):
                for stop in pattern.ends(tokens, place):
                    yield half, stop, 0
            for stop in self.words.nights.ends(tokens, place):
                yield "pm", stop, Doubt.DAYTIME
            yield from self._days(place)

    def _goes_past(self, e: int) -> bool:
        """Minutes are added behind the half of the day: "9 am and 30 minutes" (rule 42)."""
        tokens = self.tokens
        e += tokens.char(e) == "."
        word = tokens.runs.get(e, "")
        if word not in self.pack.ands:
            return False
        place = e + len(word)
        article = tokens.runs.get(place, "")
        if article in self.pack.one:
            fraction = tokens.runs.get(place + len(article), "")
            of_its_own = units_at(tokens, self.numbers, place + len(article + fraction))
            return fraction in self.pack.fractions and not of_its_own  # "and a half hour break"
        return any(
            tokens.runs.get(stop) not in self.pack.clock.later
            for whole in wholes(tokens, self.numbers).by_start.get(place, ())
            for stop in self.words.minutes.ends(tokens, whole.end)
        )

    def _days(self, e: int) -> Iterator[tuple[str, int, int]]:
        """Monday morning, on Friday afternoon."""
        on = e + 2 if self.tokens.runs.get(e) == "on" else e
        for stop in self.words.days.ends(self.tokens, on):
            for half, parts in self.pack.clock.day_parts.items():
                run = self.tokens.runs.get(stop, "")
                if run in parts:
                    yield half, stop + len(run), Doubt.DAYTIME

    def _alone(self, one: Clock) -> int:
        """Doubts of a time that has no half of the day (rule 44)."""
        if one.exact or one.style in (MARKED, RELATIVE, NAMED):
            return Doubt.REFUSED if self._unit(one) else 0
        if self._other_kind(one):
            return Doubt.REFUSED
        if one.told >= 0 or one.style == WORDS:
            return 0
        return Doubt.KIND

    def _told(self, i: int) -> int:
        tokens = self.tokens
        before = tokens.ends.get(i, -1)
        run = tokens.runs.get(before)
        if run == "s" and tokens.char(before - 1) == "'":
            return tokens.ends.get(before - 1, before) if "is" in self.pack.clock.telling else -1
        return before if run in self.pack.clock.telling else -1

    def _unit(self, one: Clock) -> bool:
        """A currency or unit behind it: "$9:30" is none, "10:30 dollars" neither."""
        tokens = self.tokens
        if tokens.glued(one.start) and tokens.flat[one.start - 1] in "$€£%":
            return True
        return any(
            unit.end - one.end > 1 for unit, part in units_at(tokens, self.numbers, one.end)
            if not part
        )  # fmt: skip

    def _other_kind(self, one: Clock) -> bool:
        tokens = self.tokens
        before = tokens.runs.get(tokens.ends.get(one.start, -1), "")
        after = tokens.runs.get(one.end, "")
        if before in self.pack.clock.not_telling or before in self.words.months:
            return True
        if after in self.words.months or counted(tokens, self.numbers, one.end):
            return True
        if one.start in _dated(tokens, self.numbers):
            return True
        return self._unit(one)

    # --- zones ---------------------------------------------------------------------------------

    def _zoned(self, one: Clock) -> Iterator[Clock]:
        e = one.end
        tokens = self.tokens
        if tokens.char(e) == "," and tokens.gaps[e + 1]:
            e += 1
        if tokens.runs.get(e) == "in" or tokens.char(e) == "(":
            e += len(tokens.runs.get(e, "("))
        zones = []
        for name, pattern in _zones(self.pack.language):
            for stop in pattern.ends(tokens, e):
                zones.append((name, stop))
        yield replace(one, zones=tuple(zones))


def _dated(tokens: Tokens, numbers: NumberReader) -> frozenset[int]:
    """Every place inside a date; made once a transcript."""
    inside_dates: frozenset[int] = tokens.once(
        ("dated", numbers.key),
        lambda: frozenset(
            k
            for one in dates(tokens, numbers)
            if one.month and not one.doubts & Doubt.REFUSED
            for k in range(one.start, one.end)
        ),
    )
    return inside_dates


@lru_cache(maxsize=8)
def _zones(language: str) -> tuple[tuple[str, Phrases], ...]:
    """Every zone with all its names, "time" behind it or not."""
    pack = load_pack(language)
    zones = []
    for key, names in pack.zones.items():
        dotted = ".".join(key)
        plain = [key, dotted, dotted + ".", *names]
        zones.append((key, Phrases([*plain, *(f"{name} time" for name in plain)])))
    return tuple(zones)


def _valid(one: Clock) -> Iterator[Clock]:
    if one.hour <= 24 and one.minute < 60 and (one.hour < 24 or not one.minute):
        yield one
