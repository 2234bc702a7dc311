"""Letters and figures in a row: ids, product codes, initials, spelled names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from .digits import Run, mistakable, pairs, spoken_digits
from .family import Family, Said
from .numbers import DIGITS

# A and I are also words, O is also a figure: a stranger's ear could take them for something else.
LETTERS = "BCDEFGHJKLMNPQRSTUVWXYZ"
NATO = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (
            "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india",
            "juliet", "kilo", "lima", "mike", "november", "oscar", "papa", "quebec", "romeo",
            "sierra", "tango", "uniform", "victor", "whiskey", "x-ray", "yankee", "zulu",
        ),
        strict=True,
    )
)  # fmt: skip
AS_IN = {
    **NATO, "B": "boy", "C": "cat", "D": "dog", "K": "king", "M": "mary", "N": "nancy",
    "P": "peter", "S": "sugar", "T": "tom", "Z": "zebra", "F": "frank", "V": "victor", "J": "john",
}  # fmt: skip
NEAR = {
    "B": "DPV", "D": "BTG", "P": "BT", "M": "N", "N": "M", "S": "FX", "F": "S", "T": "DP",
    "V": "BZ", "G": "JD", "J": "GK", "K": "JQ", "C": "ZT", "Z": "CV", "Q": "KU", "E": "B",
    "L": "R", "R": "L",
}  # fmt: skip
HOMOPHONES = {"B": "be", "C": "see", "T": "tea", "U": "you", "R": "are", "Y": "why", "P": "pea"}


@dataclass(frozen=True, slots=True)
class Code:
    """Letters and figures in their groups: BH-7421 is ("BH", "7421")."""

    groups: tuple[str, ...]
    nato: bool = False

    @property
    def text(self) -> str:
        return "".join(self.groups)


def letters(random: Random, low: int, high: int) -> str:
    return "".join(random.choice(LETTERS) for _ in range(random.randint(low, high)))


def figures(random: Random, low: int, high: int) -> str:
    return "".join(random.choice("0123456789") for _ in range(random.randint(low, high)))


def regrouped(text: str) -> tuple[str, ...]:
    """`text` cut where letters and figures meet."""
    groups: list[str] = []
    for char in text:
        if groups and groups[-1][-1].isdigit() == char.isdigit():
            groups[-1] += char
        else:
            groups.append(char)
    return tuple(groups)


def _dashed(random: Random, c: Code) -> str:
    return "-".join(c.groups)


def _joined(random: Random, c: Code) -> str:
    return random.choice((c.text, c.text.lower()))


def _spaced(random: Random, c: Code) -> str | None:
    return " ".join(c.groups) if len(c.groups) > 1 else None


def _single(random: Random, c: Code) -> str:
    text = " ".join(c.text)
    return random.choice((text, text.lower(), "-".join(c.text)))


def _dotted(random: Random, c: Code) -> str:
    return " ".join(f"{char}." for char in random.choice((c.text, c.text.lower())))


def _figures_said(random: Random, group: str) -> str:
    told = pairs(random, group) if random.random() < 0.3 else None
    return told or spoken_digits(random, group)


def _spoken(random: Random, c: Code) -> str:
    """ "B H seven four two one"."""
    said = (_figures_said(random, g) if g.isdigit() else " ".join(g) for g in c.groups)
    text = " ".join(said)
    return random.choice((text, text.lower()))


def _nato(random: Random, c: Code) -> str | None:
    """ "bravo hotel seven four two one": only where the value was said so (rule 24)."""
    if not c.nato:
        return None
    words = (
        _figures_said(random, g) if g.isdigit() else " ".join(NATO[char] for char in g)
        for g in c.groups
    )
    return " ".join(words)


def _as_in(random: Random, c: Code) -> str | None:
    """ "B as in boy, H as in hotel, 7421"."""
    if not c.nato:
        return None
    return _as_in_words(random, c)


def _as_in_words(random: Random, c: Code) -> str:
    said: list[str] = []
    for group in c.groups:
        if group.isdigit():
            said.append(random.choice((group, spoken_digits(random, group))))
        else:
            said.extend(f"{char} as in {AS_IN[char]}" for char in group)
    return random.choice((", ", " ")).join(said)


FORMS: dict[str, Any] = {
    "written: with a dash": _dashed,
    "written: joined": _joined,
    "spaced": _spaced,
    "one by one": _single,
    "with stops": _dotted,
    "spoken: letters and figures": _spoken,
    "spoken: NATO words": _nato,
    "spoken: as in": _as_in,
}


def _always_nato(random: Random, c: Code) -> str | None:
    return _nato(random, replace(c, nato=True))


ALSO: dict[str, Any] = {"NATO words": _always_nato, "as in": _as_in_words}


def _edited(edit: Callable[[Random, str], str | None]) -> Any:
    def changed(random: Random, c: Code) -> Code | None:
        text = edit(random, c.text)
        return replace(c, groups=regrouped(text)) if text and text != c.text else None

    return changed


def _swapped(random: Random, text: str) -> str | None:
    if len(text) < 2:
        return None
    at = random.randrange(len(text) - 1)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _letter_changed(random: Random, text: str) -> str | None:
    at = random.randrange(len(text))
    near = NEAR.get(text[at])
    return f"{text[:at]}{random.choice(near)}{text[at + 1 :]}" if near else None


def _figure_changed(random: Random, text: str) -> str | None:
    at = random.randrange(len(text))
    return (
        f"{text[:at]}{random.choice('0123456789')}{text[at + 1 :]}" if text[at].isdigit() else None
    )


def _inside(random: Random, text: str) -> str:
    at = random.randrange(1, len(text)) if len(text) > 1 else 1
    return text[:at] + random.choice(LETTERS) + text[at:]


def _zero_lost(random: Random, text: str) -> str | None:
    at = text.find("0")
    return text[:at] + text[at + 1 :] if at >= 0 else None


def _teen_or_ty(random: Random, text: str) -> str | None:
    for at in range(len(text) - 1):
        a, b = text[at : at + 2]
        if a == "1" and b in "3456789":
            return f"{text[:at]}{b}0{text[at + 2 :]}"
        if a in "3456789" and b == "0":
            return f"{text[:at]}1{a}{text[at + 2 :]}"
    return None


APART = (_single, _dotted, _spoken, _always_nato, _as_in_words)


def _more(random: Random, *, letter: bool, nato: bool) -> str:
    """One letter or figure in any of the ways in which it can be given."""
    if not letter:
        digit = random.choice("23456789")
        return random.choice((digit, spoken_digits(random, digit)))
    char = random.choice(LETTERS.replace("S", ""))
    ways = [char, char.lower(), f"{char}.", f"{char} as in {AS_IN[char]}"]
    return random.choice([*ways, NATO[char]] if nato else ways)


def _beside(*, front: bool, letter: bool) -> Any:
    """A letter or figure before or behind the run, given in another way than the run.

    What is joined to one word and has no figure may well be a word beside another ("GPT 4").
    """

    def said(random: Random, c: Code) -> Said:
        words = c.text.isalpha()
        way = random.choice(APART if words else (*APART, _joined))
        parts = [str(way(random, c)), _more(random, letter=letter, nato=way is _always_nato)]
        return Said(" ".join(reversed(parts) if front else parts))

    return said


def _tens(random: Random, c: Code) -> Said | None:
    """BH-5 in "B H twenty-five"."""
    last = c.groups[-1]
    if len(last) != 1 or last not in "123456789":
        return None
    tens = random.choice(("twenty", "thirty", "forty", "fifty", "ninety"))
    return Said(f"{' '.join(''.join(c.groups[:-1]))} {tens}-{spoken_digits(random, last)}".strip())


def _homophone(random: Random, c: Code) -> Said | None:
    """ "A be 1" for AB1."""
    at = next((i for i, char in enumerate(c.text) if char in HOMOPHONES), None)
    if at is None:
        return None
    said = [HOMOPHONES[char] if i == at else char for i, char in enumerate(c.text)]
    return Said(" ".join(said))


CHANGES: dict[str, Any] = {
    "a letter more behind": _edited(lambda r, text: text + r.choice(LETTERS.replace("S", ""))),
    "a letter more in front": _edited(lambda r, text: r.choice(LETTERS) + text),
    "a figure more behind": _edited(lambda r, text: text + r.choice("0123456789")),
    "a figure more in front": _edited(lambda r, text: r.choice("23456789") + text),
    "the last again": _edited(lambda r, text: text + text[-1]),
    "one more inside": _edited(_inside),
    "one less behind": _edited(lambda r, text: text[:-1]),
    "one less in front": _edited(lambda r, text: text[1:]),
    "a near letter": _edited(_letter_changed),
    "a figure changed": _edited(_figure_changed),
    "two swapped": _edited(_swapped),
    "a zero lost": _edited(_zero_lost),
    "teen or ty": _edited(_teen_or_ty),
    "a letter behind, given otherwise": _beside(front=False, letter=True),
    "a letter in front, given otherwise": _beside(front=True, letter=True),
    "a figure behind, given otherwise": _beside(front=False, letter=False),
    "tens before the figure": _tens,
    "a homophone": _homophone,
}


def acoustic(c: Code) -> str:
    """How the value was said in the recording."""
    return " ".join(
        DIGITS[int(char)] if char.isdigit() else NATO[char] if c.nato else char for char in c.text
    )


def _id(random: Random) -> Code:
    groups = [letters(random, 1, 3), figures(random, *random.choice(((3, 6), (4, 4), (1, 2))))]
    if random.random() < 0.15:
        groups.append(letters(random, 1, 1))
    return Code(tuple(groups), nato=random.random() < 0.3)


def _product(random: Random) -> Code:
    groups = (letters(random, 1, 3), figures(random, 1, 4), letters(random, 1, 2))
    return Code(groups[: random.choice((2, 3))], nato=random.random() < 0.3)


def _record(random: Random) -> Code:
    return Code((letters(random, 2, 2), figures(random, 2, 6)), nato=random.random() < 0.3)


def _sequence(random: Random) -> Code:
    return Code((letters(random, 3, 7),), nato=random.random() < 0.4)


def _initials(random: Random) -> Code:
    """Without an S, which behind others may make a plural."""
    return Code((letters(random, 3, 4).replace("S", "K"),))


ID_SENTENCES = (
    "{}",
    "order number {}",
    "the code is {} thanks",
    "um it's {}, please",
    "we looked up {} already",
    "So that is {}.",
)
BEHIND = ("order {} 2 days ago", "{} 3 times", "order {} 5 pm")


def _family(type: str, value: Callable[[Random], Code], **more: Any) -> Family[Code]:
    return Family[Code](
        type=type,
        value=value,
        canonical=more.pop("canonical", lambda c: "-".join(c.groups)),
        forms=more.pop("forms", FORMS),
        also=ALSO,
        changes=more.pop("changes", CHANGES),
        sentences=ID_SENTENCES,
        acoustic=acoustic,
        same=lambda a, b: a.text == b.text,
        mistakable=lambda c, said: any(
            mistakable(Run((g,)), said) for g in c.groups if g.isdigit()
        ),
        **more,
    )


LETTER_CHANGES = {
    name: change
    for name, change in CHANGES.items()
    if name not in ("a zero lost", "teen or ty", "tens before the figure", "a figure changed")
}
LETTER_FORMS = {name: f for name, f in FORMS.items() if name != "spaced"}

REFERENCE = _family("reference_id", _id, beside=BEHIND)
PRODUCT = _family("product_code", _product, canonical=lambda c: c.text)
RECORD = _family(
    "account_or_record_number",
    _record,
    canonical=lambda c: c.text,
    beside=BEHIND,
    changes={name: c for name, c in CHANGES.items() if name != "tens before the figure"},
)
SEQUENCE = _family(
    "spelled_sequence",
    _sequence,
    canonical=lambda c: "-".join(c.text),
    forms=LETTER_FORMS,
    changes=LETTER_CHANGES,
)
INITIALS = _family(
    "acronym_or_initialism",
    _initials,
    canonical=lambda c: c.text,
    forms={
        name: LETTER_FORMS[name]
        for name in (
            "written: joined",
            "one by one",
            "with stops",
            "spoken: letters and figures",
        )
    },
    changes=LETTER_CHANGES,
)

FAMILIES: tuple[Family[Any], ...] = (REFERENCE, PRODUCT, RECORD, SEQUENCE, INITIALS)
