"""
The nearest thing heard for a miss, and what is wrong with it at a glance: "one 5 missing",
"mg -> mcg", "no AM/PM", "heard 'cats' for 'caps'".
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel, Levenshtein

from pytest_asrbench.model import Difference, Nearest
from pytest_asrbench.verifiers import reasons
from pytest_asrbench.verifiers.rules import alignment
from pytest_asrbench.verifiers.rules import view as v
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.boundaries import clock_spans, date_spans, quantity_spans
from pytest_asrbench.verifiers.rules.difference import Target, differences, plain_tokens, shared
from pytest_asrbench.verifiers.rules.family import FamilyMatch
from pytest_asrbench.verifiers.rules.readings.whole import wholes
from pytest_asrbench.verifiers.rules.tokens import Tokens, tokenise
from pytest_asrbench.verifiers.rules.view import View, view

LIKE = 50
"""Likeness (0 to 100, RapidFuzz partial ratio) under which nothing counts as heard."""
_LIKE_SHORT = 60
"""The same for values of four characters or fewer."""
_MAX_MOVES = 12


def nearest(tokens: Tokens, target: Target, refused: FamilyMatch | None) -> Nearest | None:
    """The span most like the value, None where nothing is."""
    if refused is not None:
        return _refused(tokens, target, refused)
    heard = view(tokens, target.case.numbers, target.kind)
    cored = _cored(tokens, target, heard) or _part(tokens, target)
    if cored is not None:
        return cored
    place = _figure_alike(target, heard) or _alike(target, heard)
    if place is None:
        return None
    first, last = _whole(tokens, heard, *place)
    return _nearest(tokens, heard, first, last, target) if first < last else None


def _alike(target: Target, heard: View) -> tuple[int, int] | None:
    """The tokens most like the value or, where clearly more so, like its spoken form."""
    place, wanted = _aligned(target.view.text, heard), target.view
    spoken = _aligned(target.spoken.text, heard) if target.case.acoustic else None
    if spoken is not None and (place is None or spoken[0] > place[0] + 10):
        place, wanted = (
            spoken,
            target.view if target.kind == alignment.CHARACTERS else target.spoken,
        )
    if place is None:
        return None
    return _fitted(target, wanted, heard, heard.window(place[1], place[2]))


def _figure_alike(target: Target, heard: View) -> tuple[int, int] | None:
    """The figure most like a quantity's, its unit near: the first digits count most."""
    if target.kind not in (alignment.QUANTITY, alignment.MONEY):
        return None
    figures = [text for text in target.view.texts if text[0].isdigit()]
    if len(figures) != 1:
        return None
    wanted = figures[0]
    units = set(target.view.texts) - {wanted}

    def apart(k: int) -> float:
        text = heard.texts[k]
        alone = bool(units) and units.isdisjoint(heard.texts[max(0, k - 1) : k + 3])
        return Levenshtein.distance(wanted, text) - 0.6 * shared(wanted, text) + 2 * alone

    nearby = [k for k, text in enumerate(heard.texts) if text[0].isdigit()]
    best = min(nearby, key=apart, default=None)
    if best is None or apart(best) > max(1, len(wanted) // 2):
        return None
    return _fitted(target, target.view, heard, (best, best + 1))


def _whole(tokens: Tokens, heard: View, first: int, last: int) -> tuple[int, int]:
    """With what is joined to the tokens: the "th" of "9th", the "6:" of "6:15"."""
    while 0 < last < len(heard.texts) and _goes_on(tokens, heard.starts[last]):
        last += 1
    while 0 < first < last and _goes_on(tokens, heard.starts[first]):
        first -= 1
    return first, last


def _goes_on(tokens: Tokens, i: int) -> bool:
    """A figure goes on at i: with a letter ("9th"), or past a sign ("6:15")."""
    if not tokens.glued(i):
        return False
    left, right = tokens.flat[i - 1], tokens.flat[i]
    if left.isalnum() and right.isalnum():
        return left.isdigit() or right.isdigit()
    if right in _MARKS:
        return left.isdigit() and tokens.glued(i + 1) and tokens.flat[i + 1].isdigit()
    return left in _MARKS and right.isdigit() and i > 1 and tokens.flat[i - 2].isdigit()


_MARKS = frozenset(".,:/")


def _fitted(target: Target, like: View, heard: View, window: tuple[int, int]) -> tuple[int, int]:
    """The window moved token by token to where it differs least, signs at its ends dropped."""
    tokens = plain_tokens(like.texts, target)
    wanted = "".join(tokens)
    figures = _figures(tokens)

    def apart(first: int, last: int) -> tuple[float, ...]:
        if not 0 <= first < last <= len(heard.texts):
            return (math.inf,)
        heard_tokens = plain_tokens(heard.texts[first:last], target)
        text, size = "".join(heard_tokens), abs(len(heard_tokens) - len(tokens))
        if target.kind in _BY_PART:
            lost = abs(_figures(heard_tokens) - figures)
            return Levenshtein.distance(wanted, text), lost, Indel.distance(wanted, text), size
        return Levenshtein.distance(wanted, text), size, Indel.distance(wanted, text)

    first, last = window
    best = apart(first, last)
    for _ in range(_MAX_MOVES):
        moves = [(first + 1, last), (first, last - 1), (first - 1, last), (first, last + 1)]
        options = [(apart(*move), k) for k, move in enumerate(moves)]
        least, k = min(options)
        if least >= best:
            break
        best, (first, last) = least, moves[k]
    return _trimmed(like, heard, first, last)


_BY_PART = frozenset({alignment.QUANTITY, alignment.MONEY, alignment.CALENDAR})
"""Kinds in which another word is no worse heard than none, but a figure counts."""


def _figures(tokens: Sequence[str]) -> int:
    return sum(token[0].isdigit() for token in tokens)


def _trimmed(like: View, heard: View, first: int, last: int) -> tuple[int, int]:
    while first < last and _idle(heard.texts[last - 1], like):
        last -= 1
    while first < last and _idle(heard.texts[first], like):
        first += 1
    return first, last


def _idle(text: str, like: View) -> bool:
    return text not in like.texts and not any(c.isalnum() for c in text)


def _cored(tokens: Tokens, target: Target, heard: View) -> Nearest | None:
    """The figure itself was heard: what misses is its unit or sign."""
    if target.core is None:
        return None
    for i, e in target.core.places(tokens):
        first, last = bisect_left(heard.starts, i), bisect_left(heard.starts, e)
        if first < last:
            first, last = _with_unit(target, heard, first, last)
            return _nearest(tokens, heard, first, last, target)
    return None


def _part(tokens: Tokens, target: Target) -> Nearest | None:
    """The figure was heard as the tail or head of another number (rule 41)."""
    if target.core is None:
        return None
    for i, e, start, end in target.core.parts(tokens):
        start, end = _around(tokens, target, start, end)
        left, right = tokens.spaced(start, i).strip(), tokens.spaced(e, end).strip()
        unit = end > e and not left
        begin, stop = tokens.span(start, end)
        what = [_continued(left, "" if left else right)] if not unit or right else []
        return reasons.nearest(tokens.text[begin:stop], begin, stop, *what)
    return None


def _around(tokens: Tokens, target: Target, i: int, e: int) -> tuple[int, int]:
    """The shortest whole reading of the value's kind that holds this place; else the place."""
    spans = _spans(tokens, target)
    held = [(s, t) for s, t in spans if s <= i and e <= t and (s, t) != (i, e)]
    return min(held, key=_length, default=(i, e))


def _spans(tokens: Tokens, target: Target) -> list[tuple[int, int]]:
    """Spans of whole readings of the value's kind."""
    numbers = target.case.numbers
    if target.kind in (alignment.QUANTITY, alignment.MONEY):
        alone = ((one.start, one.end) for one in wholes(tokens, numbers).all)
        return [*quantity_spans(tokens, numbers), *alone]
    if target.kind == alignment.CALENDAR:
        return [*clock_spans(tokens, numbers), *date_spans(tokens, numbers)]
    return []


def _length(span: tuple[int, int]) -> int:
    return span[1] - span[0]


def _with_unit(target: Target, heard: View, first: int, last: int) -> tuple[int, int]:
    """The figure with another sign or unit beside it."""
    units = v.unit_names(target.case.pack.language, target.kind)
    if heard.texts[last : last + 1] and heard.texts[last] in units:
        return first, last + 1
    return (first - 1, last) if first and heard.texts[first - 1] in units else (first, last)


def _aligned(wanted: str, heard: View) -> tuple[float, int, int] | None:
    if not wanted or not heard.text:
        return None
    cutoff = LIKE if len(wanted) > 4 else _LIKE_SHORT
    likeness = fuzz.partial_ratio_alignment(wanted, heard.text, score_cutoff=cutoff)
    if likeness is None:
        return None
    if len(wanted) > len(heard.text):
        return likeness.score, 0, len(heard.text)
    return likeness.score, likeness.dest_start, likeness.dest_end


def _nearest(tokens: Tokens, heard: View, first: int, last: int, target: Target) -> Nearest:
    start, stop = tokens.span(heard.starts[first], heard.ends[last - 1])
    texts = heard.texts[first:last]
    likes = [target.view]
    if target.case.acoustic and target.kind != alignment.CHARACTERS:
        likes.append(target.spoken)
    wanted = min(likes, key=lambda like: _distance(like, texts, target))
    what = differences(wanted.texts, texts, target)
    return reasons.nearest(tokens.text[start:stop], start, stop, *what)


def _distance(like: View, texts: Sequence[str], target: Target) -> tuple[int, int]:
    one, two = plain_tokens(like.texts, target), plain_tokens(texts, target)
    return Levenshtein.distance(one, two), Levenshtein.distance("".join(one), "".join(two))


_INNER = {
    Doubt.CASE: "casing",
    Doubt.GLUED: "joined",
    Doubt.SPACED: "split",
    Doubt.QUOTES: "no_quotes",
}


def _refused(tokens: Tokens, target: Target, match: FamilyMatch) -> Nearest:
    """The value is there, but what stands in or around it makes it another."""
    i, e = match.start, match.end
    inner = next((kind for doubt, kind in _INNER.items() if match.doubts & doubt), None)
    if inner is not None:
        start, stop = tokens.span(i, e)
        return reasons.nearest(tokens.text[start:stop], start, stop, Difference(inner))
    i, e = _around(tokens, target, i, e)
    while i > 0 and (not tokens.gaps[i] or (tokens.gaps[i] and not tokens.boundary(i))):
        i -= 1
    while e < len(tokens) and (not tokens.gaps[e]):
        e += 1
    if (i, e) == (match.start, match.end):
        i, e = _neighbour(tokens, target, i, e)
    start, stop = tokens.span(i, e)
    left = tokens.spaced(i, match.start)
    right = tokens.spaced(match.end, e)
    left, right = left.strip(), right.strip().removeprefix(",").strip()
    return reasons.nearest(tokens.text[start:stop], start, stop, _continued(left, right))


def _neighbour(tokens: Tokens, target: Target, i: int, e: int) -> tuple[int, int]:
    """One run more on the side where a number, letter or separator goes on."""
    after = tokens.runs.get(e)
    before = tokens.ends.get(i)
    numbers = target.case.numbers
    ands = numbers.pack.ands
    if after in ands and numbers.is_number(tokens.runs.get(e + len(after or ""))):
        e += len(after or "")
        return i, e + len(tokens.runs[e])  # "and 15 cents"
    if before is not None and tokens.runs.get(before) in ands:
        return tokens.ends.get(before, before), e
    if after is not None and (numbers.after(tokens, e) or len(after) == 1 or before is None):
        return i, e + len(after)
    if before is not None:
        return before, e
    if e < len(tokens):
        return i, min(len(tokens), e + 1 + len(tokens.runs.get(e + 1, "")))
    return max(0, i - 1), e


def _continued(left: str, right: str) -> Difference:
    if left and right:
        return Difference("inside", heard=left, behind=right)
    if right:
        return Difference("goes_on", heard=right)
    return Difference("in_front", heard=left) if left else Difference("parted")


# --- how sure a miss is ---------------------------------------------------------------------------


def _read_otherwise(tokens: Tokens, close: Nearest, target: Target) -> bool:
    """The same words are another value's: a whole reading of the kind stands there (rule 41)."""
    spans = (tokens.span(*one) for one in _spans(tokens, target))
    return any(start < close.end and close.start < stop for start, stop in spans)


_VARIANTS = (("ise", "ize"), ("isa", "iza"), ("isi", "izi"), ("our", "or"), ("yse", "yze"),
             ("tre", "ter"), ("ogue", "og"), ("ae", "e"), ("ence", "ense"), ("ll", "l"),
             ("isl", "izl"), ("mme", "m"), ("gre", "gra"))  # fmt: skip
"""British and American spellings (rule 29)."""


def doubtful(tokens: Tokens, close: Nearest, target: Target) -> int:
    """Doubts by which two careful readers could dispute that this miss is one."""
    if [each.kind for each in close.differences] == [reasons.OTHERWISE]:
        return 0 if _read_otherwise(tokens, close, target) else Doubt.OTHERWISE
    if target.kind != alignment.WORDS:
        return 0
    wanted, heard = target.case.folded.split(), tokenise(close.text)
    words = [heard.runs[i] for i in sorted(heard.runs)]
    if len(words) != len(wanted):
        return 0
    pairs = [(one, two) for one, two in zip(wanted, words, strict=True) if one != two]
    if len(pairs) != 1:
        return 0
    one, two = pairs[0]
    if one + "s" == two or two + "s" == one:
        return Doubt.PLURAL
    return Doubt.VARIANT if any(_respelled(one, two, *pair) for pair in _VARIANTS) else 0


def _respelled(one: str, two: str, british: str, american: str) -> bool:
    return one.replace(british, american) == two.replace(british, american)
