"""The sentence that a report opens with, for people who were not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from pytest_asrbench.counts import plural, results
from pytest_asrbench.model import ClipRecord
from pytest_asrbench.reports.misses import Miss

NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
SHOUTED = {"url": "URL", "ip": "IP", "cli": "CLI", "id": "ID"}
NAMED = 3  # kinds of values that are named; a longer list tells nobody anything


def sentence(
    records: Iterable[ClipRecord], misses: Iterable[Miss], *, repeats: int, since: str | None
) -> str:
    """`3 of 11 values that callers said were lost; 3 are new since 2026-11-30: a phone number and
    two dates.` `since` is the day of the baseline that new ones are told by."""
    records, misses = list(records), list(misses)
    values = {(r.clip, j.entity.id) for r in records if r.measured for j in r.entities}
    silent = sum(not record.measured for record in records)
    left = f" {results(silent, repeats)} without a result." if silent else ""
    if not values:
        return f"No values were judged.{left}"
    said = f"{plural(len(values), 'value')} that callers said"
    if not misses:
        all_ = f"All {said} were" if len(values) > 1 else "The one value that callers said was"
        return f"{all_} recovered.{left}"
    was = "was" if len(misses) == 1 else "were"
    times = f" in one of {repeats} repeats at least" if repeats > 1 else ""
    return f"{len(misses):,} of {said} {was} lost{times}{_new(misses, since)}.{left}"


def under_conditions(broken: Mapping[str, int]) -> str:
    """` Of those recovered, phone broke 7 and noise:10 19.`; nothing where there are none."""
    if not broken:
        return ""
    *others, last = (f"{name} broke {count or 'none'}" for name, count in broken.items())
    told = f"{', '.join(others)} and {last}" if others else last
    return f" Of those recovered, {told}."


def _new(misses: Iterable[Miss], since: str | None) -> str:
    if since is None or all(miss.new is None for miss in misses):
        return ""
    new = [miss for miss in misses if miss.new]
    if not new:
        return f"; none is new since {since}"
    are = "is" if len(new) == 1 else "are"
    return f"; {len(new):,} {are} new since {since}: {kinds(miss.entity.type for miss in new)}"


def kinds(types: Iterable[str]) -> str:
    """`a phone number and two dates`, the most frequent first."""
    counted = Counter(types).most_common()
    parts = [_counted(type_, count) for type_, count in counted[:NAMED]]
    if rest := sum(count for _, count in counted[NAMED:]):
        parts.append(f"{_number(rest)} more")
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _counted(type_: str, count: int) -> str:
    words = [SHOUTED.get(word, word) for word in type_.replace("-", "_").split("_") if word]
    name = " ".join(words) or type_
    if count == 1:
        return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"
    return f"{_number(count)} {' or '.join(map(_many, name.split(' or ')))}"


def _many(name: str) -> str:
    if name.endswith(("s", "x", "ch", "sh")):
        return f"{name}es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"
