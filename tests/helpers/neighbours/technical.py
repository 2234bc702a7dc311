"""What is typed into machines: words, figures and signs, and how they are read out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from .digits import pairs, spoken_digits
from .family import Family

SIGNS = {
    ".": ("dot",), "@": ("at",), "_": ("underscore",), "-": ("dash", "hyphen"), "/": ("slash",),
    ":": ("colon",), "+": ("plus",), "=": ("equals",),
}  # fmt: skip
OTHER_SIGN = {".": "-_", "-": "_.", "_": "-.", "/": ".-", "@": ".", ":": ".", "=": "-", "+": "-"}
WORDS = (
    "build", "deploy", "report", "header", "vector", "cache", "signal", "render", "packet",
    "filter", "ledger", "worker", "token", "client", "server", "folder", "record", "status",
    "ticket", "branch",
)  # fmt: skip
PEOPLE = ("dana", "marisol", "tobin", "reyes", "oswin", "harlan", "bexley", "quinn", "mike", "nora")


@dataclass(frozen=True, slots=True)
class Typed:
    """Words, figures and signs as they are typed, one after another; " " is itself."""

    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(self.parts)


def is_word(part: str) -> bool:
    return part.isalnum()


def written(random: Random, t: Typed) -> str:
    return t.text


def part_said(random: Random, part: str) -> str:
    if part.isdigit():
        told = pairs(random, part) if random.random() < 0.3 else None
        return told or spoken_digits(random, part)
    if part in SIGNS:
        return random.choice(SIGNS[part])
    if len(part) > 1 and set(part) == {"-"}:
        return " ".join(random.choice(("dash dash", "double dash")).split())
    if random.random() < 0.08:
        return " ".join(part)
    return part.strip()


def _spoken(random: Random, t: Typed) -> str:
    said = [part_said(random, part) for part in t.parts]
    return " ".join(word for word in said if word)


def _half_spoken(random: Random, t: Typed) -> str | None:
    """The signs in words, the rest as typed."""
    said = [random.choice(SIGNS[part]) if part in SIGNS else part.strip() for part in t.parts]
    return " ".join(word for word in said if word)


FORMS: dict[str, Any] = {
    "written: typed": written,
    "spoken: signs and words": _spoken,
    "spoken: signs": _half_spoken,
}


def part(choose: Callable[[str], bool], edit: Callable[[Random, str], str | None]) -> Any:
    """One of the parts that `choose` lets through, edited."""

    def changed(random: Random, t: Typed) -> Typed | None:
        places = [at for at, part in enumerate(t.parts) if choose(part)]
        if not places:
            return None
        at = random.choice(places)
        part = edit(random, t.parts[at])
        return None if part is None else Typed((*t.parts[:at], part, *t.parts[at + 1 :]))

    return changed


def _word(part: str) -> bool:
    return part.isalpha() and len(part) > 2


def _letter_changed(random: Random, word: str) -> str | None:
    at = random.randrange(len(word))
    return word[:at] + random.choice("bdeklmnoprst") + word[at + 1 :]


def _letter_lost(random: Random, word: str) -> str:
    at = random.randrange(len(word))
    return word[:at] + word[at + 1 :]


def _letter_more(random: Random, word: str) -> str:
    return random.choice((word + "s", word + "x", "x" + word, word + word[-1]))


def _figures_changed(random: Random, figures: str) -> str:
    at = random.randrange(len(figures))
    return random.choice((
        figures[:at] + random.choice("0123456789") + figures[at + 1 :],
        figures + random.choice("0123456789"),
        random.choice("123456789") + figures,
        figures[:-1] or "99",
    ))  # fmt: skip


def _tens_before(random: Random, figures: str) -> str | None:
    return random.choice("23456789") + figures if len(figures) == 1 and figures != "0" else None


def _sign(part: str) -> bool:
    return part in SIGNS


def _sign_lost(random: Random, t: Typed) -> Typed | None:
    """A sign less, its neighbours written apart (glued they might still be read)."""
    places = [at for at, part in enumerate(t.parts) if part in SIGNS]
    if not places:
        return None
    at = random.choice(places)
    return Typed((*t.parts[:at], " ", *t.parts[at + 1 :]))


def _sign_glued(random: Random, t: Typed) -> Typed | None:
    places = [at for at, part in enumerate(t.parts) if part in SIGNS]
    if not places:
        return None
    at = random.choice(places)
    return Typed((*t.parts[:at], *t.parts[at + 1 :]))


CHANGES: dict[str, Any] = {
    "a letter changed": part(_word, _letter_changed),
    "a letter lost": part(_word, _letter_lost),
    "a letter more": part(_word, _letter_more),
    "another word": part(_word, lambda r, word: r.choice(WORDS)),
    "figures changed": part(str.isdigit, _figures_changed),
    "tens before a figure": part(str.isdigit, _tens_before),
    "another sign": part(_sign, lambda r, sign: r.choice(OTHER_SIGN[sign])),
    "a sign lost": _sign_lost,
    "a sign glued": _sign_glued,
}


LETTERS = ("a letter changed", "a letter lost", "a letter more", "another word")
FIGURES = ("figures changed", "tens before a figure")


def behind(*parts: tuple[str, ...]) -> Any:
    return lambda random, t: Typed((*t.parts, *random.choice(parts)))


def before(*parts: tuple[str, ...]) -> Any:
    return lambda random, t: Typed((*random.choice(parts), *t.parts))


def inside(sign: str) -> Any:
    """A part more before one of the signs."""

    def changed(random: Random, t: Typed) -> Typed | None:
        places = [at for at, part in enumerate(t.parts) if part == sign]
        if not places:
            return None
        at = random.choice(places)
        return Typed((*t.parts[:at], sign, random.choice(WORDS), *t.parts[at:]))

    return changed


def joined(
    random: Random, sign: str, low: int, high: int, words: tuple[str, ...] = WORDS
) -> tuple[str, ...]:
    """Words with `sign` between them."""
    parts: list[str] = []
    for word in random.sample(words, random.randint(low, high)):
        parts += [sign, word] if parts else [word]
    return tuple(parts)


SENTENCES = ("{}", "please use {} now", "it says {} there", "um {} thanks")


def family(
    type: str, value: Callable[[Random], Typed], changes: dict[str, Any], **more: Any
) -> Family[Typed]:
    without = more.pop("without", ())
    return Family[Typed](
        type=type,
        value=value,
        canonical=lambda t: t.text,
        forms=more.pop("forms", FORMS),
        changes={**{k: v for k, v in CHANGES.items() if k not in without}, **changes},
        sentences=more.pop("sentences", SENTENCES),
        same=lambda a, b: a.text.lower() == b.text.lower(),
        **more,
    )
