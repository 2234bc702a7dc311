"""Names, terms and postal addresses: every word spelled right (rules 17, 18, 29, 31, 37)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import WORDS
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.boundaries import Check, WordBoundaries
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, family
from pytest_asrbench.verifiers.rules.pattern import (
    LetterPattern,
    Many,
    Pattern,
    Phrases,
    choice,
    maybe,
    phrases,
    sequence,
)
from pytest_asrbench.verifiers.rules.saying import Corrected, Respelled, contradicted
from pytest_asrbench.verifiers.rules.separators import Sign, Skip, Spelled
from pytest_asrbench.verifiers.rules.sequences import Digits
from pytest_asrbench.verifiers.rules.tokens import Tokens

_TOKENS = re.compile(r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:'[^\W\d_]+)*|[&+#@%$]+")
_SIGNS = "&+#@%$"
_INITIALS = re.compile(r"(?<![\w'])(?:[^\W\d_]\.\s?)+[^\W\d_]\.")
"""J. P. and J.P.: each letter has its stop."""


def _ordinal_words(value: int, pack: Pack) -> list[str]:
    """Twenty-first and 21st."""
    tail = "th" if value // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    ordinal_words = [f"{value}{tail}"]
    names = {v: w for w, v in pack.ordinals.items()}
    tens = {v: w for w, v in pack.tens.items()}
    units = {v: w for w, v in pack.digits.items()}
    if value in names:
        ordinal_words.append(names[value])
    elif value < 100 and value % 10 and value // 10 * 10 in tens:
        ordinal_words.append(f"{tens[value // 10 * 10]} {names[value % 10]}")
    elif 100 < value < 1000 and value % 100 in names:
        head = units[value // 100]
        rest = names[value % 100]
        ordinal_words += [f"{head} {rest}", f"{head} hundred {rest}", f"{head} hundred and {rest}"]
        if value % 100 < 10:
            ordinal_words.append(f"{head} oh {rest}")
    elif 120 < value < 1000 and value % 10 and value % 100 // 10 * 10 in tens:
        head = f"{tens[value % 100 // 10 * 10]} {names[value % 10]}"
        ordinal_words += [f"{units[value // 100]} {head}", f"{units[value // 100]} hundred {head}"]
    return ordinal_words


class Ordinal(Pattern):
    """21st, twenty-first, "twenty first" (rule 18)."""

    def __init__(self, value: int, pack: Pack) -> None:
        words = _ordinal_words(value, pack)
        self.phrases = Phrases([*words, *(word.replace(" ", "-", 1) for word in words)])

    def ends(self, tokens: Tokens, i: int) -> dict[int, int]:
        return self.phrases.ends(tokens, i)

    def starts(self, tokens: Tokens) -> list[int]:
        return list(self.phrases.starts(tokens))


def word(token: str, case: FamilyCase, equal: tuple[tuple[str, ...], ...]) -> Pattern:
    if re.fullmatch(r"\d+(st|nd|rd|th)", token):
        return Ordinal(int(re.sub(r"\D", "", token)), case.pack)
    if token.isdecimal():
        return Digits(token, case.numbers, grouped=True)
    if token[0] in _SIGNS:
        return _sign(token, case.pack)
    plain = token.replace("'", "")
    forms = {token, *(w for group in equal if plain in group for w in group)}
    options: list[Pattern] = [_spelling(token, case)]
    others = sorted(forms - {token})
    if others:
        options.append(Phrases([*others, *(w + "." for w in others)]))
    if plain in case.pack.ands:
        options.append(phrases("&"))
    number = {"zero": 0, **case.pack.digits, **case.pack.teens, **case.pack.tens}.get(plain)
    if number is not None:
        options.append(phrases(str(number)))
    if plain in case.pack.ordinals:
        options.append(Ordinal(case.pack.ordinals[plain], case.pack))
    return choice(options)


def _sign(token: str, pack: Pack) -> Pattern:
    shown = Sign(token[0], len(token), pack)
    return shown | phrases("sharp") if token == "#" else shown


def _spelling(token: str, case: FamilyCase) -> Pattern:
    """The word's letters; apostrophes are free (rule 17)."""
    bits = token.split("'")
    if len(bits) > 1:
        return Spelled("".join(bits), case.pack, hyphens=True) | _apostrophes(bits, case)
    initials = len(token) > 2 or token.upper() in re.findall(r"\w+", case.text)
    return Spelled(token, case.pack, hyphens=True, initials=initials)


def _apostrophes(bits: list[str], case: FamilyCase) -> Pattern:
    apostrophe = maybe(phrases("'"))
    return sequence([p for bit in bits for p in (apostrophe, Spelled(bit, case.pack))][1:])


def between(pack: Pack) -> Pattern:
    """Punctuation between words, written or spoken, and fillers (rules 2, 33)."""
    separators = Phrases(["-", ".", ",", "/", ":", "'", "(", ")", "_"])
    return Many(separators) + Skip(pack) + Many(separators)


def _spoken_signs(text: str, pack: Pack) -> Pattern:
    names = [name for sign in ".-/_:" if sign in text for name in pack.separators[sign]]
    return maybe(Phrases(names)) if names else between(pack)


def initials(text: str) -> dict[str, str]:
    """Each J. P. of a value -> how it is written together."""
    return {initials: re.sub(r"\W", "", initials) for initials in _INITIALS.findall(text)}


def together(text: str, joined: Mapping[str, str]) -> str:
    """The value with these of its initials written together."""
    for apart, letters in joined.items():
        text = text.replace(apart, letters)
    return text


def words(case: FamilyCase, text: str, equal: tuple[tuple[str, ...], ...]) -> Pattern:
    """The words of a term in order; what stands between them is formatting, also in initials."""
    joined = initials(text)
    forms = dict.fromkeys((text, together(text, joined)))
    return choice(_in_order(case, form, equal) for form in forms)


def _in_order(case: FamilyCase, text: str, equal: tuple[tuple[str, ...], ...]) -> Pattern:
    link = between(case.pack)
    parts: list[Pattern] = []
    place = 0
    for token in _TOKENS.finditer(text):
        gap = text[place : token.start()].strip()
        if parts:
            parts += [link, _spoken_signs(gap, case.pack), link] if gap else [link]
        # "The third" is a number of its own unless it follows a name.
        known = equal if parts else tuple(g for g in equal if not any(" " in w for w in g))
        parts.append(word(token[0], case, known))
        place = token.end()
    return sequence(parts) if parts else LetterPattern(text)


def _whole_words(case: FamilyCase) -> Check:
    """A run may not hold the end of one word and the start of the next: "payment score"."""
    sizes = [sum(c.isalnum() for c in word) for word in case.folded.split()]
    total = sum(sizes)
    bounds = sorted({sum(sizes[: k + 1]) for k in range(len(sizes))} - {0})

    def check(tokens: Tokens, i: int, e: int) -> int:
        letters = [k for k in range(i, e) if tokens.flat[k].isalnum()]
        if len(letters) != total:
            return 0
        doubts = 0
        for bound in bounds:
            if bound >= total:
                break
            k = letters[bound]
            if k in tokens.runs or not tokens.flat[k - 1].isalnum():
                continue
            doubts |= _straddles(tokens, k, bound, bounds, letters)
        return doubts

    return check


def _straddles(tokens: Tokens, k: int, bound: int, bounds: list[int], letters: list[int]) -> int:
    """Words written together count, words cut elsewhere do not (rule 37)."""
    start = max(s for s in range(k, -1, -1) if s in tokens.runs)
    end = start + len(tokens.runs[start])
    boundaries = {letters[0], *(letters[b] for b in bounds[:-1]), letters[-1] + 1}
    stops = {letters[b - 1] + 1 for b in bounds}
    return Doubt.GLUED if start in boundaries and end in stops else Doubt.DISPUTED


def _accents(case: FamilyCase) -> Check:
    """An accent that differs is formatting, but readers dispute it (rule 29)."""
    wanted = [c.lower() for c in case.text if c.isalnum()]

    def check(tokens: Tokens, i: int, e: int) -> int:
        if tokens.text.isascii() and case.text.isascii():
            return 0
        shown = [c.lower() for c in tokens.raw(i, e) if c.isalnum()]
        if len(shown) != len(wanted):
            return 0
        return Doubt.ACCENT if shown != wanted else 0

    return check


def _everyday(case: FamilyCase) -> Check:
    """Initials written together are no everyday word: "us team" need not be U.S. Team."""
    common = case.pack.everyday.intersection(initials(case.folded).values())

    def check(tokens: Tokens, i: int, e: int) -> int:
        places = (k for word in common for k in tokens.index.get(word, ()) if i <= k < e)
        shown = (tokens.raw(k, k + len(tokens.runs[k])) for k in places)
        return Doubt.REFUSED | Doubt.COMMON_WORD if any(map(str.islower, shown)) else 0

    return check


def term(case: FamilyCase, *, joined: int = Doubt.NEIGHBOUR) -> list[FamilyReading]:
    """A term as words in order; what any value falls back to that its family cannot parse."""
    pattern = words(case, case.folded, case.pack.equal_words)
    if re.fullmatch(r"[^\W\d_]+([ -][^\W\d_]+)+", case.folded):
        pattern = pattern | LetterPattern(case.folded.replace("-", ""))  # written together: rule 37
    boundaries = WordBoundaries(case.numbers, joined=joined)
    reading = FamilyReading("words", pattern, boundaries, (2, 17, 29, 31, 37))
    checks = (_whole_words(case), _accents(case), _everyday(case))
    for check in checks:
        reading = reading.only(check)
    return [reading]


@family("person_or_team_name", aligned=WORDS)
def name(case: FamilyCase) -> list[FamilyReading]:
    """Every word spelled right; casing, hyphens and possessives are free (rule 17).

    The parts may be announced, each with its spelling, which must agree (rules 48 and 49).
    """
    parts = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", case.folded)
    readings = term(case, joined=Doubt.REFUSED)
    if not parts or len(parts) > _MOST_PARTS:
        return readings
    plain = [token.replace("'", "") for token in parts]
    boundaries = WordBoundaries(case.numbers, joined=Doubt.REFUSED)
    in_parts = FamilyReading("in parts", _in_parts(parts, plain, case), boundaries, (17, 48, 49))
    whole = "".join(plain)

    def disputed(tokens: Tokens, i: int, e: int) -> int:
        return contradicted(tokens, e, plain[-1], whole, case.numbers)

    in_parts = in_parts.only(_accents(case)).only(_barely_joined(case))
    return [reading.only(disputed) for reading in [*readings, in_parts]]


_MOST_PARTS = 5


def _barely_joined(case: FamilyCase) -> Check:
    """ "John and Smith" are two people; with a part announced or spelled it is one name."""
    letters = case.pack.letters
    named = {*letters.first_part, *letters.last_part}
    bare = {words.split("'")[0] for words in letters.announcing if " " not in words} - named
    said = {part.split()[-1] for part in named} - bare

    def check(tokens: Tokens, i: int, e: int) -> int:
        runs = [
            run for k in range(i, e) if (run := tokens.runs.get(k)) and tokens.char(k - 1) != "'"
        ]
        if not bare.intersection(runs) or said.intersection(runs):
            return 0
        return 0 if any(len(run) == 1 and run.isalpha() for run in runs) else Doubt.REFUSED

    return check


def _in_parts(tokens: list[str], plain: list[str], case: FamilyCase) -> Pattern:
    """Ashley, that's A-S-H-L-E-Y, last name Brown."""
    letters = case.pack.letters
    parts = [
        (word(token, case, case.pack.equal_words) | Corrected(flat, case.numbers))
        + Respelled(flat, "".join(plain), case.numbers)
        for token, flat in zip(tokens, plain, strict=True)
    ]
    gap = between(case.pack)
    link = gap + maybe(Phrases(letters.announcing)) + gap
    in_parts = sequence([p for part in parts for p in (link, part)][1:])
    if len(parts) != 2:
        return in_parts
    turned = maybe(Phrases(letters.last_part)) + gap + parts[1] + gap
    return in_parts | (turned + Phrases(letters.first_part) + gap + parts[0])


@family("domain_term", aligned=WORDS, written=said.words)
def domain_term(case: FamilyCase) -> list[FamilyReading]:
    return term(case)
