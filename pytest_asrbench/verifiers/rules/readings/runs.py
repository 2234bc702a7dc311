"""
Spelled runs: letters and figures in order, in whatever way they are written (rules 46 and 57).

A run goes on as long as letters and figures follow: "B H 7 4 2 1 Y", "bravo hotel seven", "K as in
king, S as in sugar". What stands right in front of a place and right behind it tells whether a run
goes over it.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.names import Table, named, table
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import Phrases
from pytest_asrbench.verifiers.rules.readings.links import SAID, Atom, Link, chain
from pytest_asrbench.verifiers.rules.readings.names import begins_own
from pytest_asrbench.verifiers.rules.tokens import Tokens


@dataclass(frozen=True)
class _Words:
    spelling: Table
    spelling_ends: frozenset[str]
    cues: frozenset[str]
    as_in: Table
    as_in_ends: frozenset[str]
    clock: Phrases
    months: frozenset[str]


@lru_cache(maxsize=8)
def _words(language: str) -> _Words:
    pack = load_pack(language)
    names = [name for group in pack.spelling.values() for name in group]
    cues = (*pack.capital, *pack.lower)
    return _Words(
        table(names),
        frozenset(name.split()[-1].split("-")[-1] for name in names),
        frozenset(cue for cue in cues if " " not in cue and "-" not in cue),
        table(pack.as_in),
        frozenset(name.split()[-1] for name in pack.as_in),
        Phrases((*pack.am, *pack.pm)),
        frozenset(form for forms in pack.months for form in forms),
    )


ARTICLES = frozenset("ai")
"""Words of one letter that continue no run in running text (rule 46)."""


def letter(tokens: Tokens, i: int) -> str:
    """The lone letter that starts at i; "" where none does."""
    run = tokens.runs.get(i, "")
    return run if len(run) == 1 and run.isalpha() else ""


def letter_before(tokens: Tokens, i: int) -> str:
    return letter(tokens, tokens.ends.get(i, -1))


class Runs:
    """Spelled runs of a transcript: does one go over a place?"""

    def __init__(self, tokens: Tokens, numbers: NumberReader) -> None:
        self.tokens, self.numbers = tokens, numbers
        self.words = _words(numbers.pack.language)
        self.chain = chain(tokens, numbers)

    # --- behind --------------------------------------------------------------------------------

    def after(self, i: int, e: int, *, spelled: bool, written: bool = False) -> int:
        """Doubts of a run that stands from i to e and ends there.

        `spelled`: spelling words were used in it, so that another one continues it; `written`: it
        is a code, which a figure behind it continues however it is written.
        """
        style = self.tokens.flat[i:e]
        code = written and any(c.isdigit() for c in style)
        doubts = self._letter_after(e, spelled, style, code=code)
        return doubts | self._number_after(e, style, written)

    def _letter_after(self, e: int, spelled: bool, style: str, *, code: bool) -> int:
        tokens = self.tokens
        last = tokens.ends.get(e, -1)
        lone, digit = bool(letter(tokens, last)), tokens.flat[e - 1].isdigit()
        worded = last in self.chain.starts
        digit = digit or (code and not lone)
        if not (lone or digit or worded or spelled):
            return 0
        whole = lone and any(stop > e for stop in named(tokens, last, self.words.spelling))
        if whole or self._spelled_out(e, lone):
            return Doubt.REFUSED  # the x of "x-ray"
        place, mark = self._onward(e)
        following = letter(tokens, place)
        if not following:
            return Doubt.REFUSED if spelled and self._spelling_word(place) else 0
        if digit or worded:
            return self._letter_after_digits(place, mark, style)
        if mark == "," and not self._spells_on(place) and not (lone and spelled):
            return 0
        if mark in ("", "-", ".", ",") and not self._article(place, following):
            return Doubt.REFUSED
        return 0

    def _letter_after_digits(self, place: int, mark: str, style: str) -> int:
        following = letter(self.tokens, place)
        if mark == "," or self._article(place, following):
            return Doubt.REFUSED if mark == "," and self._spells_on(place) else 0
        if self.words.clock.ends(self.tokens, place):
            return Doubt.NEIGHBOUR  # "8080 p m"
        if mark == "." and self.tokens.gaps[place] and mark not in style:
            return 0
        return Doubt.REFUSED

    def _spelled_out(self, e: int, lone: bool) -> bool:
        """The letter's own word follows: "K" of "K as in king" is not the end."""
        if not lone:
            return False
        at = self.tokens.flat[e - 1]
        place = e + 1 if self.tokens.char(e) == "," else e
        if self.tokens.char(e) == "," and not self.tokens.gaps[e + 1]:
            return False
        return any(
            (self.tokens.flat.startswith(at, stop) and stop + 1 not in self.tokens.ends)
            or (self.tokens.flat.startswith(f"{at}-", stop))
            for stop in named(self.tokens, place, self.words.as_in)
        )

    def _spells_on(self, place: int) -> bool:
        """A letter with its word: "S as in sugar"."""
        at = letter(self.tokens, place)
        return any(
            self.tokens.runs.get(stop, "").startswith(at)
            for stop in named(self.tokens, place + 1, self.words.as_in)
        )

    def _onward(self, e: int) -> tuple[int, str]:
        """The place where the next letter or figure would start, and the sign between."""
        tokens, sign = self.tokens, self.tokens.char(e)
        if sign in ("-", ",", ".") and not tokens.gaps[e]:
            if sign == "-" and tokens.gaps[e + 1]:
                return e, ""
            return e + 1, sign
        run = tokens.runs.get(e, "")
        if run in self.words.cues and letter(tokens, e + len(run)):
            return e + len(run), ""
        if run in self.numbers.pack.ands and self._spells_on(e + len(run)):
            return e + len(run), ""  # "J as in John and K as in king"
        return e, ""

    def _article(self, place: int, following: str) -> bool:
        """A lone "a" or "I" before ordinary words."""
        if following not in ARTICLES or (following == "a" and self._no_article(place)):
            return False
        after = self.tokens.runs.get(place + 1, "")
        return not (
            (letter(self.tokens, place + 1) and after not in ARTICLES) or after == following
        )

    def _no_article(self, place: int) -> bool:
        """Nothing follows that it could be the article of, or it is a capital amid a sentence."""
        tokens = self.tokens
        after = tokens.runs.get(place + 1)
        if after is None:
            return True
        amid = place > 0 and tokens.flat[place - 1].isalnum()
        shouted = tokens.raw(place + 1, place + 1 + len(after)).isupper()
        return amid and tokens.raw(place, place + 1).isupper() and not shouted

    def _spelling_word(self, place: int) -> bool:
        return any(True for _ in named(self.tokens, place, self.words.spelling))

    def _number_after(self, e: int, style: str, written: bool) -> int:
        tokens = self.tokens
        k = self.chain.starts.get(e)
        if k is None:
            return self._number_past_sign(e, style)
        link = self.chain.links[k]
        last = self.chain.ends.get(e)
        if last is None:
            if not written and not self._ends_spelled(e):
                return 0
            return Doubt.NEIGHBOUR if self._own(e) else Doubt.REFUSED
        one, two = self.chain.atoms[last], self.chain.atoms[k]
        if link is None and two.kind in ("ordinal", "fraction"):
            return Doubt.NEIGHBOUR if tokens.gaps[e] else Doubt.REFUSED
        if link is Link.SPACE and self._parted(one, two) and self._own(e):
            return Doubt.NEIGHBOUR
        if two.kind == "zero" and len(two.text) == 1 and tokens.char(e + 1) == "'":
            return Doubt.REFUSED | Doubt.LONGER  # "606 O's" is no 6060
        return Doubt.REFUSED if link in SAID else 0

    def _number_past_sign(self, e: int, style: str) -> int:
        """A figure past the comma, stop or dash that parts the letters and figures before it."""
        tokens, sign = self.tokens, self.tokens.char(e)
        place = e + 1
        if sign not in (",", ".", "-") or not sign or place not in self.chain.starts:
            return 0
        if sign == "-" and tokens.gaps[e] != tokens.gaps[place]:
            return 0
        if self._own(place) or not (e in self.chain.ends or self._ends_spelled(e)):
            return 0
        if self.chain.atoms[self.chain.starts[place]].kind in ("ordinal", "fraction"):
            return 0
        if tokens.flat.startswith(style, place) and sign != "-":
            return Doubt.NEIGHBOUR  # said twice (rule 55)
        if sign in style:
            return Doubt.REFUSED
        return Doubt.REFUSED | Doubt.LONGER if sign == "," and tokens.gaps[place] else 0

    def _ends_spelled(self, e: int) -> bool:
        last = self.tokens.ends.get(e, -1)
        run = self.tokens.runs.get(last, "")
        spelled = run in self.words.spelling_ends or self._explains(last)
        return bool(letter(self.tokens, last)) or spelled

    def _parted(self, one: Atom, two: Atom) -> bool:
        """Figures after words, or two runs of figures that are not read out one by one."""
        if two.kind != "figure":
            return one.kind == "figure" and len(one.text) > 1
        attached = one.start > 0 and not self.tokens.gaps[one.start]
        return one.kind != "figure" or attached or max(len(one.text), len(two.text)) > 1

    def _own(self, e: int) -> bool:
        return begins_own(self.tokens, self.numbers, e)

    # --- in front ------------------------------------------------------------------------------

    def before(self, i: int, *, spelled: bool, written: bool = False) -> int:
        """Doubts of a run that starts at i."""
        tokens = self.tokens
        if self._explains(i) or self._clipped(i):
            return Doubt.REFUSED  # the word of "N as in Nancy", the s of "it's"
        place, mark = self._backward(i)
        start = tokens.ends.get(place, -1)
        run = tokens.runs.get(start, "")
        if run in self.numbers.pack.ands and self._spells_on(i):
            start = tokens.ends.get(start, -1)
            return Doubt.REFUSED if self._explains(start) else 0
        first = bool(letter(tokens, i)) or i in self.chain.starts
        if not run or not (first or spelled or written):
            return 0
        if self._explains(start):
            return Doubt.REFUSED if mark != "." else 0
        if spelled and run in self.words.spelling_ends and self._is_spelling(place):
            return Doubt.REFUSED
        if letter(tokens, start) and start not in self.chain.starts:
            return self._letter_before(i, start, mark, written=written)
        return 0

    def _clipped(self, i: int) -> bool:
        """A letter that an apostrophe joins to a word in front; a quote joins nothing."""
        tokens = self.tokens
        if not letter(tokens, i) or tokens.char(i - 1) != "'" or not tokens.glued(i):
            return False
        return tokens.glued(i - 1) and tokens.flat[i - 2].isalnum()

    def _letter_before(self, i: int, start: int, mark: str, *, written: bool) -> int:
        tokens, run = self.tokens, self.tokens.runs[start]
        if tokens.char(start - 1) == "'" or (mark in (",", ".") and i in self.chain.starts):
            return 0
        if mark == "," and not letter(tokens, i):
            return 0
        if mark == "," and run in ARTICLES:
            return 0
        spelled = written and run == "a" and letter(tokens, i) and mark == ""
        if run in ARTICLES and not letter_before(tokens, start) and not spelled:
            return Doubt.NEIGHBOUR
        if run == "m" and letter_before(tokens, start) in ("a", "p"):
            return Doubt.NEIGHBOUR  # "at 5 p m 7421"
        return Doubt.REFUSED

    def _backward(self, i: int) -> tuple[int, str]:
        tokens = self.tokens
        sign = tokens.char(i - 1) if i else ""
        if sign in ("-", ",", ".") and sign:
            if sign != "-" and not tokens.gaps[i] and sign == ",":
                return i, ""
            if not tokens.gaps[i - 1]:
                return i - 1, sign
        return i, ""

    def _explains(self, start: int) -> bool:
        """The word of "N as in Nancy" stands there."""
        tokens = self.tokens
        if start > 1 and tokens.char(start - 1) == "-" and tokens.glued(start - 1):
            start -= 2  # "x-ray"
        before = tokens.ends.get(start, -1)
        if start < 0 or tokens.runs.get(before) not in self.words.as_in_ends:
            return False
        places = [before, tokens.ends.get(before, -1)]
        return any(
            letter(tokens, tokens.ends.get(place, -1)) == tokens.flat[start]
            and start in named(tokens, place, self.words.as_in)
            for place in places
        )

    def _is_spelling(self, e: int) -> bool:
        tokens = self.tokens
        last = tokens.ends.get(e, -1)
        return any(
            e in named(tokens, place, self.words.spelling)
            for place in (last, tokens.ends.get(last, -1), tokens.ends.get(last - 1, -1))
            if place >= 0
        )

    def number_before(self, i: int, style: str, *, written: bool) -> int:
        """A number right in front of the letters or digits at i; `written`: also of a code."""
        k = self.chain.starts.get(i)
        if k is None:
            return self._number_before_letters(i, style, written)
        if not k:
            return 0
        one, link = self.chain.atoms[k - 1], self.chain.links[k]
        if link is Link.LIST and one.kind == "zero" and len(one.text) < 3:
            return Doubt.NEIGHBOUR  # "oh, five four one": a sigh
        if link in SAID:
            return Doubt.REFUSED
        if link is Link.LIST:
            if self.tokens.flat.endswith(style, 0, one.end):
                return Doubt.NEIGHBOUR
            return Doubt.REFUSED if "," in style else self._listed_before(one)
        if link is None and self.tokens.char(i - 1) == "-" and one.end == i - 1:
            return Doubt.REFUSED if "-" in style else 0
        return 0

    def _listed_before(self, one: Atom) -> int:
        """A number with a comma behind it: a group of the run, if it is no date or amount."""
        before = self.tokens.ends.get(one.start, -1)
        month = self.tokens.runs.get(before, "") in self.words.months
        return 0 if month or one.kind == "ordinal" else Doubt.REFUSED | Doubt.LONGER

    def _number_before_letters(self, i: int, style: str, written: bool) -> int:
        place, mark = self._backward(i)
        k = self.chain.ends.get(place)
        lone = letter(self.tokens, i) or self._spelling_word(i)
        if k is None or not (lone or written) or self.chain.atoms[k].kind == "ordinal":
            return 0
        if mark == "":
            return Doubt.REFUSED
        return Doubt.REFUSED if mark in style or (mark == "-" and self.tokens.glued(i)) else 0

    def spells(self, i: int, e: int) -> bool:
        """Spelling words stand between i and e."""
        tokens = self.tokens
        if self._explains(tokens.ends.get(e, -1)):
            return True
        places = self.spelled
        k = bisect_left(places, i)
        return k < len(places) and places[k] < e

    @cached_property
    def spelled(self) -> list[int]:
        """Starts of words of a spelling alphabet."""
        index = self.tokens.index
        words = self.words.spelling.keys() & index.keys()
        return sorted(i for word in words for i in index[word])


def runs(tokens: Tokens, numbers: NumberReader) -> Runs:
    """The spelled runs of a transcript; made once."""
    runs: Runs = tokens.once(("runs", numbers.key), lambda: Runs(tokens, numbers))
    return runs
