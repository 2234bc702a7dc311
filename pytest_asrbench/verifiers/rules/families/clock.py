"""Clock times (rules 16, 28, 39, 44)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import CALENDAR
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.boundaries import QuantityBoundaries, clock_spans
from pytest_asrbench.verifiers.rules.families.lexical import term
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, family
from pytest_asrbench.verifiers.rules.pattern import Phrases
from pytest_asrbench.verifiers.rules.readings.clocks import HOUR, Clock, clocks
from pytest_asrbench.verifiers.rules.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Wanted:
    """A clock time as a value has it. `half` is "am", "pm" or ""; "" where there are no seconds."""

    hour: int
    minute: int
    second: str = ""
    half: str = ""
    zone: str = ""
    padded: bool = False
    """Written with a leading zero, as 24-hour times are."""

    @property
    def hour24(self) -> int:
        if not self.half:
            return self.hour
        return self.hour % 12 + (12 if self.half == "pm" else 0)


_CLOCK = re.compile(
    r"(\d{1,2})(?:[:.h](\d{2})(?::(\d{2}))?)?\s*(?:(a|p)\.?\s?m\b\.?)?\s*([a-z][a-z /]*)?"
)


_MILITARY = re.compile(r"^(\d{2})(\d{2})(?: ?(?:hours|hrs))?\b")


def parse_clock(folded: str) -> Wanted | None:
    """Parts of "9:30 AM", "16:20 CET", "07:00", "0700 hours", "noon"; None if it is no time."""
    folded = _MILITARY.sub(r"\1:\2", folded)
    if folded in ("noon", "12 noon", "midnight", "12 midnight"):
        return Wanted(12, 0, half="pm" if "noon" in folded else "am")
    match = _CLOCK.fullmatch(folded.strip())
    if match is None or int(match[1]) > 24 or int(match[2] or 0) > 59:
        return None
    if match[2] is None and match[4] is None:
        return None
    zone = (match[5] or "").removesuffix(" time").strip()
    half = match[4] + "m" if match[4] else ""
    return Wanted(
        int(match[1]), int(match[2] or 0), match[3] or "", half, zone, folded.startswith("0")
    )


@family("time", aligned=CALENDAR, written=said.time)
def time(case: FamilyCase) -> list[FamilyReading]:
    """Hour, minute, half of the day and zone, as far as the value has them (rules 16, 28, 39)."""
    ends = re.split(r"\s*(?:-|\bto\b|\buntil\b)\s*", case.folded)
    wanted = [parse_clock(part) for part in ends if part]
    rules = (16, 28, 39, 44)
    if len(wanted) == 2 and wanted[1] is not None:
        low = wanted[0] or _bare(ends[0], wanted[1])
        if low is not None:
            find = _pairs(low, wanted[1], case)
            return [
                FamilyReading(
                    "two clock times",
                    None,
                    QuantityBoundaries(case.numbers, clock_spans),
                    rules,
                    look=find,
                )
            ]
    one = wanted[0] if len(wanted) == 1 else None
    if one is None:
        return term(case)

    def look(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        for heard in clocks(tokens, case.numbers):
            for end, doubts in carried(one, heard, case, tokens):
                yield heard.evidence, end, heard.doubts | doubts

    return [
        FamilyReading(
            "clock", None, QuantityBoundaries(case.numbers, clock_spans), rules, look=look
        )
    ]


def _bare(text: str, upper: Wanted) -> Wanted | None:
    """The 2 of "2-4 PM"."""
    return (
        replace(upper, hour=int(text), minute=0, zone="") if re.fullmatch(r"1?\d", text) else None
    )


def _pairs(low: Wanted, high: Wanted, case: FamilyCase):  # type: ignore[no-untyped-def]
    link = Phrases(case.pack.clock.until)

    def look(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        heard = clocks(tokens, case.numbers)
        for two in heard:
            for end, more in carried(high, two, case, tokens):
                for one in heard:
                    if two.start not in link.ends(tokens, one.end):
                        continue
                    shared = one if one.half else replace(one, half=two.half)
                    for option in (one, shared):
                        for stop, doubts in carried(low, option, case, tokens):
                            if stop == one.end:
                                doubts |= one.doubts | two.doubts | more
                                yield (
                                    one.start,
                                    end,
                                    doubts & ~(Doubt.REFUSED | Doubt.KIND | Doubt.SHARED),
                                )

    return look


def carried(
    wanted: Wanted, heard: Clock, case: FamilyCase, tokens: Tokens
) -> Iterator[tuple[int, int]]:
    """The end of the time and its doubts, if it is the wanted one."""
    if heard.minute != wanted.minute:
        return
    doubts = _same_hour(wanted, heard, case)
    if doubts is None:
        return
    if wanted.second != heard.second:
        if wanted.second and not (int(wanted.second) == 0 and not heard.second):
            return
        doubts |= Doubt.REFUSED | Doubt.LONGER
    if not wanted.zone:
        yield heard.end, doubts
        return
    for end, more in _zoned(wanted.zone, heard, case, tokens):
        yield end, doubts | more


def _same_hour(wanted: Wanted, heard: Clock, case: FamilyCase) -> int | None:
    if heard.half:
        if wanted.half:
            return 0 if wanted.hour24 == heard.hour24 else None
        if wanted.hour > 12 or wanted.hour == 0 or (wanted.hour == 12 and heard.half == "pm"):
            return 0 if wanted.hour % 24 == heard.hour24 else None
        if wanted.hour % 12 != heard.hour % 12:
            return None
        if wanted.padded:
            return 0 if heard.half == "am" else None
        return Doubt.DAYTIME
    bare = heard.style == HOUR and not heard.exact
    if not wanted.half:
        if heard.hour % 24 != wanted.hour % 24:
            return None
        if not bare:
            return 0
        return Doubt.IMPLIED if heard.told >= 0 else None
    if heard.hour % 24 != wanted.hour24 or bare:
        return None
    clear = wanted.hour24 > 12 or wanted.hour24 == 0 or case.options.clock == "24-hour"
    if clear:
        return 0
    return Doubt.DAYTIME if heard.exact and heard.style != HOUR and heard.minute == 0 else None


def _zoned(zone: str, heard: Clock, case: FamilyCase, tokens: Tokens) -> Iterator[tuple[int, int]]:
    """ET = eastern time; EST for ET is disputable (rule 16)."""
    pack = case.pack
    key = zone if zone in pack.zones else next(
        (code for code, names in pack.zones.items() if zone in names), None
    )  # fmt: skip
    if key is None:
        plain = Phrases((zone, f"{zone} time"))
        yield from plain.ends(tokens, heard.end).items()
        return
    close = pack.near_zones.get(key, ())
    near = {*close, *(c for c, names in pack.zones.items()
                                       if set(names) & set(close))}  # fmt: skip
    longest = max((end for _, end in heard.zones), default=0)
    for name, end in heard.zones:
        if name == key:
            yield end, 0 if end == longest else Doubt.REFUSED
        elif name in near:
            yield end, Doubt.ZONE
