"""
What is wrong with a pack, before any transcript is judged by it.

    from pytest_asrbench.verifiers.languages.proof import faults

    def test_the_pack_holds():
        assert faults(SWAHILI) == []
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pytest_asrbench.verifiers.languages.line import fold
from pytest_asrbench.verifiers.languages.matcher import Reader, Value, reader
from pytest_asrbench.verifiers.languages.saying import _Sayer
from pytest_asrbench.verifiers.languages.templates import compiled
from pytest_asrbench.verifiers.packs.grammar import Grammar
from pytest_asrbench.verifiers.packs.pack import Pack

_NUMBERS: Final = (*range(2000), 2026, 9999, 10_000, 21_000, 100_001, 345_678, 10**6, 12_345_678)
_MOST: Final = 5
"""Numbers that are told: one missing word makes thousands of them."""
_VALUES: Final = {"calendar": ("date", "2026-03-05"), "clock": ("time", "19:30")}


def faults(pack: Pack) -> list[str]:
    """One line for each fault, none for a sound pack; parts that it lacks are not asked for."""
    made = reader(pack, pack.region)
    return [*_numbers(made), *_series(pack), *_templates(made), *_proposals(made)]


def _numbers(made: Reader) -> Iterator[str]:
    """What is said is read as that number, and as no other."""
    if not made.pack.has("numbers") or made.pack.numbers.grammar is None:
        return
    grammar = made.pack.numbers.grammar
    most = max([*grammar.words.values(), *(p.value * (p.most + 1) - 1 for p in grammar.places)])
    told = 0
    for number in (n for n in _NUMBERS if n <= most):
        said = _said(grammar, number)
        heard = "no words" if said is None else _heard(made, said, number)
        if heard and told < _MOST:
            told += 1
            yield f"numbers: {number}: {heard}"


def _said(grammar: Grammar, number: int) -> str | None:
    try:
        return grammar.say(number)
    except StopIteration:  # no place holds it
        return None


def _heard(made: Reader, said: str, number: int) -> str:
    flat = fold(said, made.pack)
    values = {value for value, end in made.tables.grammar.read(flat, 0) if end == len(flat)}
    if values == {number}:
        return ""
    heard = " and ".join(map(str, sorted(values))) or "nothing"
    return f"said {said!r}, which is read as {heard}"


def _series(pack: Pack) -> Iterator[str]:
    if pack.has("calendar"):
        for name, count in (("months", 12), ("weekdays", 7)):
            held = len(getattr(pack.calendar, name))
            if held not in (0, count):
                yield f"calendar: {held} {name}, not {count}"


def _templates(made: Reader) -> Iterator[str]:
    orders = made.tables.pack.calendar.orders.values()
    texts = [*(text for order in orders for text in order), *made.tables.pack.clock.templates]
    known = made.moments.slots
    for text in texts:
        for slot in (element.slot for element in compiled(text, made.tables).elements):
            if slot and slot not in known:
                listed = ", ".join(f"{{{name}}}" for name in sorted(known))
                yield f"template {text!r}: no slot {{{slot}}}; known: {listed}"


def _proposals(made: Reader) -> Iterator[str]:
    """A date and a time as the pack says them are read back."""
    for part, (kind, canonical) in _VALUES.items():
        if not made.pack.has(part) or not getattr(made.pack, part).said:
            continue
        said = _Sayer(made)._of(kind, canonical)
        if not made.verdict(Value(kind, canonical, None), made.line(said)).present:
            yield f"{part}: {canonical} is said {said!r}, which is not read as that {kind}"
