"""Patterns for separators, written or spoken, and for the words between them (rules 1, 7, 36)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.numbers import Numbers
from pytest_asrbench.verifiers.rules.pattern import NONE, Ends, Pattern, merge, sequence
from pytest_asrbench.verifiers.rules.sequences import Digits
from pytest_asrbench.verifiers.rules.tape import Tape

PARTS = re.compile(r"\s+|[^\W\d_]+|[0-9]+|->|=>|(.)\1*", re.DOTALL)


def flat_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.replace(" ", "") for name in names)


def named(tape: Tape, i: int, names: Iterable[str]) -> Iterable[int]:
    """Ends of those names that stand at i as whole words."""
    if i not in tape.runs:
        return
    for name in names:
        end = i + len(name)
        if tape.flat.startswith(name, i) and tape.edge(end):
            yield end


def unhyphened(tape: Tape, i: int) -> int:
    """Past a hyphen that only joins spoken words: "ten-dot-five"."""
    if tape.char(i) == "-" and tape.glued(i) and tape.glued(i + 1) and i + 1 in tape.runs:
        return i + 1
    return i


class Skip(Pattern):
    """Fillers and the commas of a speaker who reads out part by part (rule 33)."""

    nullable = True

    def __init__(self, pack: Pack) -> None:
        self.fillers = pack.fillers

    def ends(self, tape: Tape, i: int) -> Ends:
        found = {i: 0}
        while i < len(tape):
            run = tape.runs.get(i)
            if run in self.fillers and run is not None:
                i += len(run)
            elif tape.flat[i] == "," and tape.gaps[i + 1]:
                i += 1
            else:
                break
            found[i] = 0
        return found

    def starts(self, tape: Tape) -> Iterable[int]:
        return ()


class Sign(Pattern):
    """One separator, as often as the value has it: "--", "dash dash", "double dash" (rule 7)."""

    def __init__(self, sign: str, count: int, pack: Pack) -> None:
        self.sign = sign
        self.count = count
        self.names = flat_names(pack.separators.get(sign, ()))
        plurals = pack.plural_separators.get(sign, ())
        self.counted = {
            number: flat_names(
                f"{word} {name}"
                for word in words
                for name in (*pack.separators.get(sign, ()), *plurals)
            )
            for number, words in pack.counted.items()
        }
        self.described = set(flat_names(plurals))
        self.then = ("then", "and", "andthen")

    def ends(self, tape: Tape, i: int) -> Ends:
        reached = {(i, 0): 0}
        todo = [(i, 0)]
        found: Ends = {}
        while todo:
            place, n = state = todo.pop()
            doubts = reached[state]
            if n == self.count:
                merge(found, place, doubts)
                continue
            for end, taken, more in self._steps(tape, place):
                if n + taken <= self.count and (end, n + taken) not in reached:
                    reached[end, n + taken] = doubts | more
                    todo.append((end, n + taken))
        return found

    def _steps(self, tape: Tape, i: int) -> Iterable[tuple[int, int, int]]:
        if tape.flat.startswith(self.sign, i):
            yield i + len(self.sign), 1, 0
        if self.sign == '"' and tape.flat.startswith("''", i):
            yield i + 2, 1, 0
        place = unhyphened(tape, i)
        if tape.char(place) == "," and tape.gaps[place + 1]:
            place += 1
        for end in named(tape, place, self.names):
            yield unhyphened(tape, end), 1, 0
        for number, names in self.counted.items():
            for name in names:
                for end in named(tape, place, (name,)):
                    yield from self._counted(tape, end, number, name)
        if tape.runs.get(place) in ("double", "triple"):
            yield from self._hyphened(tape, place)

    def _counted(
        self, tape: Tape, end: int, number: int, name: str
    ) -> Iterable[tuple[int, int, int]]:
        plural = any(name.endswith(word) for word in self.described)
        doubts = d.DESCRIBED if plural else 0
        yield unhyphened(tape, end), number, doubts
        if plural:
            stop = end + 1 if tape.char(end) == "," else end
            for later in named(tape, stop, self.then):
                yield later, number, doubts

    def _hyphened(self, tape: Tape, i: int) -> Iterable[tuple[int, int, int]]:
        """double-dash."""
        end = i + len(tape.runs[i])
        place = unhyphened(tape, end)
        if place > end:
            for stop in named(tape, place, self.names):
                yield unhyphened(tape, stop), 2 if tape.runs[i] == "double" else 3, 0

    def starts(self, tape: Tape) -> Iterable[int]:
        index = tape.index
        found = list(tape.all(self.sign))
        firsts = {name for name in self.names}
        for word in firsts:
            found += index.get(word, ())
        for word in ("forward", "back", "double", "triple", "two", "three", "2", "3", "open",
                     "close", "question", "greater", "less", "under", "right", "left", "dollar",
                     "exclamation", "single", "end", "quotation", "semi", "vertical", "full"):  # fmt: skip
            found += index.get(word, ())
        return found


class Spelled(Pattern):
    """A word's letters: whole, split (rule 37), spelled out, "triple w", "capital B"."""

    def __init__(self, word: str, pack: Pack) -> None:
        self.word = word
        self.pack = pack
        self.capital = flat_names((*pack.capital, *pack.lower))

    def ends(self, tape: Tape, i: int) -> Ends:
        if tape.runs.get(i) is None:
            return NONE
        if tape.flat.startswith(self.word, i):
            return {i + len(self.word): 0}
        found: Ends = {}
        todo = [(i, 0)]
        seen = set(todo)
        while todo:
            place, k = todo.pop()
            if k == len(self.word):
                found[place] = 0
                continue
            for step in self._steps(tape, place, k):
                if step not in seen:
                    seen.add(step)
                    todo.append(step)
        return found

    def _steps(self, tape: Tape, i: int, k: int) -> Iterable[tuple[int, int]]:
        wanted = self.word[k]
        if tape.char(i) == wanted:
            yield i + 1, k + 1
        run = tape.runs.get(i, "")
        end = i + len(run)
        count = self.pack.repeats.get(run, 0)
        if count and self.word.startswith(wanted * count, k) and tape.runs.get(end) == wanted:
            yield end + 1, k + count
        if k and tape.char(i) == "," and tape.gaps[i + 1] and tape.runs.get(i - 1):
            if len(tape.runs.get(i + 1, "")) == 1:
                yield i + 1, k
        if run in self.pack.fillers and k:
            yield end, k
        for stop in named(tape, i, self.capital):
            if tape.runs.get(stop) == wanted:
                yield stop + 1, k + 1

    def starts(self, tape: Tape) -> Iterable[int]:
        found = [i for i in tape.all(self.word) if tape.edge(i)]
        found += [i for i in tape.index.get(self.word[0], ())]
        for word in (*self.pack.repeats, *self.capital):
            found += tape.index.get(word, ())
        return found


class Break(Pattern):
    """The white space of a command: a token boundary (rule 22)."""

    nullable = True

    def ends(self, tape: Tape, i: int) -> Ends:
        if i >= len(tape) or tape.gaps[i]:
            return {i: 0}
        left, right = tape.char(i - 1), tape.char(i)
        if not left.isalnum() or not right.isalnum():
            return {i: 0}
        return {i: d.GLUED} if left.isdigit() != right.isdigit() else NONE

    def starts(self, tape: Tape) -> Iterable[int]:
        return ()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a written value: word, digits, separators or white space."""

    kind: str
    text: str


def parts(text: str) -> list[Part]:
    """Pieces of a value in order; separators of one kind that stand together are one piece."""
    found: list[Part] = []
    for piece in PARTS.finditer(text):
        value = piece[0]
        if value.isspace():
            found.append(Part("space", value))
        elif value.isdecimal():
            found.append(Part("digits", value))
        elif value[0].isalpha():
            found.append(Part("word", value))
        else:
            found.append(Part("sign", value))
    return found


def code(text: str, numbers: Numbers) -> Pattern:
    """A value in which separators count: every one must be there, written or spoken (rule 7)."""
    return joined([piece(part, numbers) for part in parts(text)], numbers.pack)


def piece(part: Part, numbers: Numbers) -> Pattern:
    if part.kind == "word":
        return Spelled(part.text, numbers.pack)
    if part.kind == "digits":
        return Digits(part.text, numbers)
    if part.kind == "space":
        return Break()
    return sign(part.text, numbers.pack)


def sign(text: str, pack: Pack) -> Pattern:
    if text in ("->", "=>"):
        return Sign(text, 1, pack)
    return Sign(text[0], len(text), pack)


def joined(pieces: list[Pattern], pack: Pack) -> Pattern:
    """Pieces with fillers and read-out commas allowed between them (rule 33)."""
    found: list[Pattern] = []
    for one in pieces:
        if found:
            found.append(Skip(pack))
        found.append(one)
    return sequence(found)
