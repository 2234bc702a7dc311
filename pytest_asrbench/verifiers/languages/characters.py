"""
Values made of letters, figures and signs: phones, codes, e-mails, URLs, versions, spelled words.

A value is walked character by character while the line is read piece by piece: figures, number
words, words, letter names, names of signs. In identifiers signs are formatting (rule 8); in
addresses of machines they count (rule 7).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pytest_asrbench.verifiers.languages.line import Line, bare, kind
from pytest_asrbench.verifiers.languages.numbers import Numbers
from pytest_asrbench.verifiers.languages.tables import Tables
from pytest_asrbench.verifiers.languages.walks import Step, Walk, ends
from pytest_asrbench.verifiers.packs.grammar import walk
from pytest_asrbench.verifiers.rules.ambiguity import Doubt

_FREE: Final = "-./,:()#_'\"~–"
_MAX: Final = 4000
"""Steps of one walk: far more than any value takes."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The way in which a kind of value is walked."""

    exact: bool = False
    """Signs count."""
    alphabet: bool = False
    """A word of a spelling alphabet alone is its letter."""
    names: bool = True
    """Names of letters are letters."""
    words: bool = True
    """Letters may stand together."""
    marked: bool = False
    """A letter with a mark is another letter: ç is no c."""


@dataclass(frozen=True, slots=True)
class CharacterMatch:
    """A place where a value was walked to its end."""

    start: int
    end: int
    doubts: int


@dataclass(frozen=True, slots=True, eq=False)
class Characters:
    """Walks values in one language."""

    tables: Tables
    numbers: Numbers

    def find(self, line: Line, value: str, shape: Shape, reached: Walk) -> Iterator[CharacterMatch]:
        """Every place where the value stands, surroundings not yet asked."""
        if not value:
            return
        for i in self._starts(line):
            for end, doubts in self._ends(line, i, value, shape, reached):
                yield CharacterMatch(i, end, doubts)

    def _starts(self, line: Line) -> list[int]:
        starts: list[int] = line.once("starts of pieces", lambda: [
            i for i in range(len(line.flat))
            if line.flat[i] != " " and (self.numbers.opens(line, i) or not line.flat[i].isalnum())
        ])  # fmt: skip
        return starts

    def _ends(
        self, line: Line, i: int, value: str, shape: Shape, reached: Walk
    ) -> Iterator[tuple[int, int]]:
        def steps(place: int, k: int) -> Iterator[Step]:
            yield from self._steps(line, place, value, k, shape)
            if k:
                yield from ((end, 0, 0) for end in self._skips(line, place, value, k, shape))

        return ends(i, len(value), steps, reached, _MAX)

    # --- what one piece of the line says ---------------------------------------------------------

    def _steps(
        self, line: Line, i: int, value: str, k: int, shape: Shape
    ) -> Iterator[tuple[int, int, int]]:
        """(end, characters of the value that were heard, doubts)."""
        flat = line.flat
        if i >= len(flat):
            return
        if not value[k].isalnum():
            if flat[i] == value[k]:
                yield i + 1, 1, 0
            yield from self._signs(line, i, value, k)
            return
        if flat[i] == " ":
            return
        for digits, end, doubts in self.numbers.digits(line, i):
            worded = not flat[i].isdigit()
            if value.startswith(digits, k) and self._whole_digits(value, k, digits, shape, worded):
                yield end, len(digits), doubts
        yield from self._letters(line, i, value, k, shape)
        yield from self._signs(line, i, value, k)  # triple w

    def _whole_digits(self, value: str, k: int, digits: str, shape: Shape, worded: bool) -> bool:
        """In a version a number is one part, never half of it."""
        end = k + len(digits)
        if len(digits) == 1 and worded:
            return True  # read out figure by figure
        return not (shape.exact and not shape.words) or not value[end : end + 1].isdigit()

    def _signs(self, line: Line, i: int, value: str, k: int) -> Iterator[tuple[int, int, int]]:
        for sign, end in self.tables.at(self.tables.signs, line, i):
            if value.startswith(sign, k):
                yield end, len(sign), 0
        for times, end in self.tables.at(self.tables.repeats, line, i):
            for sign, stop in self.tables.at(self.tables.signs, line, line.next(end)):
                if value.startswith(sign * times, k):
                    yield stop, len(sign) * times, 0

    def _letters(
        self, line: Line, i: int, value: str, k: int, shape: Shape
    ) -> Iterator[tuple[int, int, int]]:
        flat, tables = line.flat, self.tables
        opens = line.edge(i) or i in tables.cuts(line) or (k > 0 and not line.edge(i))
        end = line.run(i)
        run = flat[i:end]
        if run and kind(run[0]) in ("letter", "nagari", "han", "hiragana", "katakana"):
            yield from self._run(run, i, value, k, shape)
        if not opens:
            return
        if shape.names:
            for name, e in tables.at(tables.letters, line, i):
                for letter in self._forms(name, shape):
                    if value.startswith(letter, k):
                        yield e, len(letter), 0
        for times, e in tables.at(tables.doubles, line, i):
            yield from self._repeated(line, line.next(e), times, value, k)
        if shape.alphabet or tables.pack.letters.alphabet_alone:
            for letter, e in tables.at(tables.alphabet, line, i):
                if value.startswith(letter, k):
                    yield e, len(letter), 0
        yield from self._given(line, i, value, k)

    def _forms(self, written: str, shape: Shape) -> tuple[str, ...]:
        """As it is written, and as machines write it."""
        if shape.marked:
            return (written,)
        return tuple(dict.fromkeys((written, bare(written, self.tables.pack))))

    def _run(
        self, run: str, i: int, value: str, k: int, shape: Shape
    ) -> Iterator[tuple[int, int, int]]:
        """A word as it is written; letters of other alphabets as machines write them."""
        for form in self._forms(run, shape):
            if value.startswith(form, k):
                yield i + len(run), len(form), 0
        ending = self.tables.endings
        e = len(value) - k
        whole = e < len(run) and value.endswith(run[:e])
        if whole and any(end == len(run) for _, end in walk(ending, run, e)):
            yield i + e, e, 0

    def _repeated(
        self, line: Line, i: int, times: int, value: str, k: int
    ) -> Iterator[tuple[int, int, int]]:
        """Double f, zwei f, doble erre."""
        if line.char(i) == "-":
            i += 1
        if line.run(i) == i + 1 and value.startswith(line.flat[i] * times, k):
            yield i + 1, times, 0
        for letter, e in walk(self.tables.letters, line.flat, i):
            plural = line.flat.startswith("s", e) and line.edge(e + 1)
            if (plural or line.edge(e)) and value.startswith(letter * times, k):
                yield e + plural, len(letter) * times, 0

    def _given(self, line: Line, i: int, value: str, k: int) -> Iterator[tuple[int, int, int]]:
        """苹果的A, Adana'nın A'sı: a word in front that gives the letter."""
        end = line.run(i)
        if end <= i or not self.tables.behind or k >= len(value):
            return
        limit = min(len(line.flat), i + 16)
        for stop in range(i + 1, limit):
            if line.flat[stop - 1] in ".,":
                return
            for _, e in self.tables.at(self.tables.behind, line, stop):
                place = line.next(e)
                if line.run(place) == place + 1 and line.flat[place] == value[k]:
                    yield place + 1, 1, 0

    # --- what may stand between ------------------------------------------------------------------

    def _skips(self, line: Line, i: int, value: str, k: int, shape: Shape) -> Iterator[int]:
        flat, tables = line.flat, self.tables
        char = line.char(i)
        if char == " ":
            yield i + 1
            return
        yield from self._glosses(line, i, value[k - 1])
        for _, end in tables.at(tables.fillers, line, i):
            yield end
        if char == "," and flat[i + 1 : i + 2] == " ":
            yield i + 1
        if shape.exact:
            spelled = char in "-.," and value[k].isalnum() and value[k - 1].isalnum()
            if spelled and self._between_letters(line, i):
                yield i + 1
            return
        if char and char in _FREE:
            yield i + 1
        for sign, end in tables.at(tables.signs, line, i):
            if sign in ("-", ".", "/", ":", "_", "#", ","):
                yield end

    def _between_letters(self, line: Line, i: int) -> bool:
        """A-S-H-L-E-Y: hyphens or stops between spelled letters."""
        left, right = line.back(i) - 1, line.next(i + 1)
        return (
            line.run(left) == left + 1
            and line.run(right) == right + 1
            and (line.edge(left) and kind(line.char(left)) == "letter")
        )

    def _glosses(self, line: Line, i: int, letter: str) -> Iterator[int]:
        """ "de Barcelona" behind a B; "accent aigu" behind an E."""
        tables = self.tables
        place = line.next(i + 1) if line.char(i) == "," else i
        for _, end in tables.at(tables.as_in, line, place):
            word = line.next(end)
            stop = line.run(word)
            if (stop > word and bare(line.flat[word], tables.pack)[:1] == letter[:1]) or any(
                a[:1] == letter for a, _ in tables.at(tables.alphabet, line, word)
            ):
                yield stop
        for given, end in tables.at(tables.alphabet, line, place):
            if given == letter:
                yield end
        for _, end in tables.at(tables.glosses, line, place):
            yield end

    # --- surroundings ----------------------------------------------------------------------------

    def around(self, line: Line, match: CharacterMatch, value: str, *, exact: bool) -> int:
        """Whether letters or figures beside the value go on with it (rules 4, 46)."""
        goes_on = self.numbers.goes_on
        if goes_on(line, match.start) or goes_on(line, match.end):
            # A number is one thing from its first word to its last (rule 41).
            return Doubt.REFUSED | Doubt.OTHERWISE
        return self._left(line, match, value, exact) | self._right(line, match, value, exact)

    def _left(self, line: Line, match: CharacterMatch, value: str, exact: bool) -> int:
        flat, i = line.flat, match.start
        if i == 0:
            return 0
        if flat[i - 1] != " " and kind(flat[i - 1]) and not self._parts(line, i, value[0]):
            labelled = self._label(line, i) and exact and value[0].isdigit()
            return 0 if labelled else Doubt.REFUSED
        if flat[i - 1] in "-_./@+:\\" and flat[i - 2 : i - 1].isalnum():
            worded = self._run_start(line, i - 1) < i - 2  # no letter of a spelling
            labelled = not exact and flat[i - 1] == "-" and len(value) > 3 and worded
            labelled &= not self._inside_a_name(line, i)
            labelled = labelled or flat[i - 1] == ":"
            return 0 if labelled and flat[i - 2].isalpha() else Doubt.REFUSED
        if exact and flat[i - 1] in "-_@/+":
            return Doubt.REFUSED
        before = line.back(i)
        paused = flat[before - 1 : before] in (",", ".", ";")
        starts_digit = value[0].isdigit()
        if before in self.numbers.number_ends(line) and (starts_digit or not exact):
            return Doubt.REFUSED
        if starts_digit and not exact and not flat[i].isdigit() and self._soft_before(line, before):
            return Doubt.REFUSED
        listed = paused and not exact and ", " in flat[match.start : match.end]
        if listed and before - 1 in self.numbers.number_ends(line):
            return Doubt.REFUSED
        if exact and self._apart(line, before, i) and self._sign_before(line, before):
            return Doubt.REFUSED
        return self._letter_in_front(line, match, value, before - (paused and listed))

    def _inside_a_name(self, line: Line, i: int) -> bool:
        """A letter's name goes over i: the "nờ" of "en-nờ" is no letter of its own."""
        return any(
            end > i for k in range(max(0, i - 14), i) for end, _ in self._letters_at(line, k)
        )

    def _apart(self, line: Line, e: int, i: int) -> bool:
        """White space stands between, or nothing where words need none."""
        return i > e or self.tables.pack.script.unspaced

    def _letter_in_front(self, line: Line, match: CharacterMatch, value: str, before: int) -> int:
        """A letter right in front of what is spelled belongs to it (rule 46); one that is also a
        word only behind another letter."""
        i = match.start
        worded = not line.flat[i].isdigit() and any(map(str.isalpha, value))
        if not (self._spelled(line, i) or any(self._letters_at(line, i)) or worded):
            return 0
        doubts = 0
        for start, ordinary in self._letters_to(line, before):
            more = self._letters_to(line, line.back(start)) if ordinary else ()
            paused = before < line.back(i)  # no word of a phrase
            if not ordinary or paused or any(not one for _, one in more):
                return Doubt.REFUSED
            if before - start > 1:
                doubts = Doubt.NEIGHBOUR
        return doubts

    def _letters_at(self, line: Line, i: int) -> Iterator[tuple[int, bool]]:
        """(end, whether it is also a word) of letters at i, written or named."""
        letters, articles = self.tables.pack.letters, self.tables.pack.script.articles
        if any(self.tables.at(self.tables.fillers, line, i)):
            return
        if line.edge(i) and self._spelled(line, i):
            yield i + 1, line.flat[i] in articles
        for _, end in self.tables.at(self.tables.letters, line, i):
            if end - i > 1 or not self._spelled(line, i):
                yield end, line.flat[i:end] in letters.ordinary

    def _letters_to(self, line: Line, e: int) -> Iterator[tuple[int, bool]]:
        """(start, whether it is also a word) of letters that end at e, the longest first."""
        for i in range(max(0, e - 14), e):
            for end, ordinary in self._letters_at(line, i):
                if end == e:
                    yield i, ordinary

    def _soft_before(self, line: Line, before: int) -> bool:
        """A word right in front that is a digit beside others."""
        start = self._run_start(line, before)
        if not start < before < len(line.flat) or line.flat[before] != " ":
            return False
        return line.flat[start:before] in self.tables.soft_words

    def _label(self, line: Line, i: int) -> bool:
        """The v of a version."""
        return line.flat[i - 1] == "v" and line.edge(i - 1)

    def _sign_before(self, line: Line, before: int) -> bool:
        """A sign's name right in front, itself behind something: "ana guion bajo | perez"."""
        for i in range(max(0, before - 16), before):
            for sign, end in self.tables.at(self.tables.signs, line, i):
                if end == before and sign in ("-", "_", ".", "@") and i > 0:
                    return True
        return False

    def _run_start(self, line: Line, e: int) -> int:
        i = e
        while i > 0 and kind(line.flat[i - 1]) and kind(line.flat[i - 1]) == kind(line.flat[e - 1]):
            i -= 1
        return i

    def _parts(self, line: Line, i: int, first: str) -> bool:
        """The border between two scripts, or a cut in a joined run."""
        left, right = kind(line.flat[i - 1]), kind(line.flat[i])
        if i in self.tables.cuts(line):
            return self._after_particle(line, i)
        foreign = {"han", "hiragana", "katakana", "nagari"}
        return (
            (left != right and (left in foreign or right in foreign))
            or (left == right == "han" and not first.isdigit())
            or (left == "han" and right == "han" and i - 1 not in self._number_spots(line))
        )

    def _after_particle(self, line: Line, i: int) -> bool:
        """True if what stands before a cut is no part of a value: は of はまるまる."""
        return any(
            end == i and (line.edge(k) or k in self.tables.cuts(line))
            for k in range(max(0, i - 6), i)
            for _, end in walk(self.tables.endings, line.flat, k)
        )

    def _number_spots(self, line: Line) -> frozenset[int]:
        number_spots: frozenset[int] = line.once("spots", lambda: frozenset(
            k for i, e in self.numbers.spans(line) for k in range(i, e)
        ))  # fmt: skip
        return number_spots

    def _spelled(self, line: Line, i: int) -> bool:
        return line.run(i) == i + 1 and kind(line.char(i)) == "letter"

    def _right(self, line: Line, match: CharacterMatch, value: str, exact: bool) -> int:
        flat, e = line.flat, match.end
        if e >= len(flat):
            return 0
        tables = self.tables
        if not line.edge(e) and e not in tables.cuts(line):
            return 0 if self._ended(line, e) else Doubt.REFUSED
        glued = flat[e] != " "
        if glued and kind(flat[e]) and not self._ended(line, e):
            foreign = {"han", "hiragana", "katakana", "nagari"}
            left, right = kind(flat[e - 1]), kind(flat[e])
            apart = left != right and (left in foreign or right in foreign)
            han = left == right == "han"
            number = e in self.numbers.number_starts(line)
            if not (apart or han) or number or e in tables.cuts(line):
                return Doubt.REFUSED
        if flat[e] == "'" and flat[e + 1 : e + 2].isalpha():
            return 0 if tables.pack.script.apostrophe_endings else Doubt.NEIGHBOUR
        follows = kind(line.char(e + 1))
        if flat[e] in "-_./@+:\\" and (follows if exact else follows in ("letter", "figure")):
            return Doubt.REFUSED
        place = line.next(e)
        if exact and self._apart(line, e, place):
            more = place in self.numbers.number_starts(line) and value[-1].isdigit()
            if more and not flat[e - 1].isdigit() and not flat[place].isdigit():
                return Doubt.REFUSED  # read out figure by figure, it goes on
            return self._sign_after(line, place, value)
        return self._goes_on(line, match, place, value) if not exact else 0

    def _ended(self, line: Line, e: int) -> bool:
        """A particle or postposition is glued to it."""
        return any(line.edge(end) for _, end in walk(self.tables.endings, line.flat, e))

    def _sign_after(self, line: Line, i: int, value: str) -> int:
        """A sign that is said behind it goes on with it, where something follows."""
        for sign, end in self.tables.at(self.tables.signs, line, i):
            word = line.next(end)
            if sign in (".", "-", "_", "/", "@") and line.run(word) > word:
                follows = word in self.numbers.number_starts(line) or value[-1].isalpha()
                return Doubt.REFUSED if follows else Doubt.LONGER
        return 0

    def _goes_on(self, line: Line, match: CharacterMatch, i: int, value: str) -> int:
        """Letters or figures behind: the run goes on (rule 46), unless they are a reading of
        their own (rule 57)."""
        flat = line.flat
        for end in self._glosses(line, i, value[-1]):
            i = line.next(end)
        inside = flat[match.start : match.end]
        if flat.startswith((", ", ". "), i):
            if flat[i : i + 2] not in inside:
                return 0
            i = line.next(i + 1)
        elif flat.startswith("- ", i) or flat.startswith(("- ", "/ "), i):
            i = line.next(i + 1)
        digits = self.numbers.digits(line, i) if i < len(flat) else []
        hard = i in self.numbers.number_starts(line)
        if hard:
            return Doubt.NEIGHBOUR if self._own(line, i) else Doubt.REFUSED
        worded = value[-1].isdigit() and not flat[match.end - 1].isdigit()
        if digits and value[-1].isdigit():
            if not self._soft_word(line, i, digits, worded):
                return Doubt.REFUSED
            if worded:
                return Doubt.NEIGHBOUR
        return self.named_on(line, match, i)

    def named_on(self, line: Line, match: CharacterMatch, i: int) -> int:
        """A letter behind what is spelled goes on with it (rule 46); one that is also a word only
        where nothing stands behind it that it could belong to."""
        flat = line.flat
        spelled = any(self._letters_to(line, match.end)) or not flat[match.end - 1].isdigit()
        doubts = 0
        for end, ordinary in self._letters_at(line, i):
            more = self._letters_at(line, line.next(end))
            closes = end >= len(flat) or flat[end] in ".;!?" or any(not one for _, one in more)
            if not ordinary or (spelled and closes):
                return Doubt.REFUSED
            doubts = Doubt.NEIGHBOUR if spelled else 0
        return doubts

    def _soft_word(
        self, line: Line, i: int, digits: list[tuple[str, int, int]], worded: bool
    ) -> bool:
        """An article, a negation: a digit only where the run plainly goes on."""
        if worded and not self._asked(line, i):
            return False
        end = max(e for _, e, _ in digits)
        after = line.next(end)
        if after in self.numbers.number_starts(line):
            return False
        tables = self.tables
        return any(
            True for words in (tables.soft, tables.only_digits) for _ in tables.at(words, line, i)
        )

    def _asked(self, line: Line, i: int) -> bool:
        """The word at i ends a question."""
        frame = line.flat[max(0, i - 80) : i + 16]
        if not any(phrase in frame for phrase in self.tables.questions):
            return False
        return any(True for _ in self.tables.at(self.tables.tags, line, i))

    def _own(self, line: Line, i: int) -> bool:
        """A number that counts, measures or tells the time by itself."""
        tables = self.tables
        for q in self.numbers.quantities(line).get(i, ()):
            place = line.next(q.end)
            if line.flat[place : line.run(place)] in tables.soft_words:
                continue  # a unit that is also a digit (năm)
            if tables.counted_at(line, place):
                return True
        return False
