"""Phones, account numbers and ids of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from helpers.neighbours import codes, digits
from helpers.neighbours.digits import Run, grouped
from helpers.neighbours.family import Family

from .words import Tongue


def _spoken_digits(tongue: Tongue, text: str) -> str | None:
    if text[-1] in tongue.unclear:
        return None
    return tongue.joint.join(tongue.digits[int(digit)] for digit in text)


def _pairs(tongue: Tongue, random: Random, text: str) -> str | None:
    """Two by two, with a pause between so that no two make one number."""
    parts = [text[at : at + 2] for at in range(0, len(text), 2)]
    if not tongue.dozens or len(text) % 2 or any(part[0] == "0" for part in parts):
        return None
    said = [tongue.say(int(part)) for part in parts]
    return ", ".join(map(str, said)) if all(said) else None


RUN_CHANGES = (
    "a figure more behind", "a figure more in front", "zero in front", "the last figure again",
    "a figure less behind", "a figure less in front", "a figure changed", "figures swapped",
    "a zero lost", "a group more behind",
)  # fmt: skip


def phone(tongue: Tongue) -> Family[Run]:
    def value(random: Random) -> Run:
        first, *rest = tongue.phone
        groups = [f"{tongue.phone_first}{random.randint(10 ** (first - 2), 10 ** (first - 1) - 1)}"]
        groups += [f"{random.randint(0, 10**n - 1):0{n}}" for n in rest]
        return Run(tuple(groups))

    return Family[Run](
        type="phone_number",
        language=tongue.code,
        value=value,
        canonical=lambda run: " ".join(run.groups),
        forms={
            "grouped": lambda r, run: r.choice((" ", "-")).join(run.groups),
            "joined": lambda r, run: run.digits,
            "digits": lambda r, run: (
                None
                if run.digits[-1] in tongue.unclear
                else r.choice((", ", tongue.joint)).join(
                    tongue.joint.join(tongue.digits[int(digit)] for digit in group)
                    for group in run.groups
                )
            ),
        },
        changes={name: digits.CHANGES[name] for name in RUN_CHANGES if name != "zero in front"},
        sentences=tongue.sentences,
    )


def account(tongue: Tongue) -> Family[Run]:
    def value(random: Random) -> Run:
        text = "".join(random.choice("0123456789") for _ in range(random.randint(5, 9)))
        return grouped(random, text)

    forms: dict[str, Any] = {
        "joined": lambda r, run: run.digits,
        "spaced": lambda r, run: " ".join(run.digits),
        "digits": lambda r, run: _spoken_digits(tongue, run.digits),
    }
    if tongue.dozens:
        forms["pairs"] = lambda r, run: _pairs(tongue, r, run.digits)
    return Family[Run](
        type="account_or_record_number",
        language=tongue.code,
        value=value,
        canonical=lambda run: run.digits,
        forms=forms,
        changes={name: digits.CHANGES[name] for name in RUN_CHANGES},
        sentences=tongue.sentences,
        same=lambda a, b: a.digits == b.digits,
    )


PLAIN_LETTERS = "BDFGKMNPRT"
"""No letter that is a word, a unit or another language's digit where these run."""


def _edited(edit: Callable[[Random, str], str | None]) -> Any:
    def changed(random: Random, c: codes.Code) -> codes.Code | None:
        text = edit(random, c.text)
        return codes.Code(codes.regrouped(text)) if text and text != c.text else None

    return changed


ID_CHANGES: Mapping[str, Any] = {
    "a letter more behind": _edited(lambda r, text: text + r.choice(PLAIN_LETTERS)),
    "a letter more in front": _edited(lambda r, text: r.choice(PLAIN_LETTERS) + text),
    **{
        name: codes.CHANGES[name]
        for name in (
            "a figure more behind",
            "the last again",
            "one less behind",
            "one less in front",
            "a figure changed",
            "two swapped",
        )
    },
}


def _named(tongue: Tongue, text: str) -> list[str] | None:
    """Letters and figures by their names; None where the last is also another word ("un")."""
    names = dict(zip(PLAIN_LETTERS, tongue.letters.split(), strict=True))
    if text[-1] in f"01{tongue.unclear}":
        return None
    return [tongue.digits[int(c)] if c.isdigit() else names[c] for c in text]


def spelled(tongue: Tongue) -> Family[codes.Code]:
    """Letters and figures mixed, each by its name."""

    def value(random: Random) -> codes.Code:
        text = random.sample(PLAIN_LETTERS, 3) + random.sample("23456789", 2)
        random.shuffle(text)
        return codes.Code(codes.regrouped("".join(text)))

    def named(random: Random, c: codes.Code) -> str | None:
        names = _named(tongue, c.text)
        return names and random.choice((" ", ", ")).join(names)

    return Family[codes.Code](
        type="spelled_sequence",
        language=tongue.code,
        value=value,
        canonical=lambda c: c.text,
        forms={"one by one": lambda r, c: "-".join(c.text)}
        | ({"named": named} if tongue.letters else {}),
        changes=ID_CHANGES,
        sentences=tongue.sentences,
        same=lambda a, b: a.text == b.text,
    )


def reference(tongue: Tongue) -> Family[codes.Code]:
    def value(random: Random) -> codes.Code:
        letters = "".join(random.choice(PLAIN_LETTERS) for _ in range(random.randint(2, 3)))
        return codes.Code((letters, codes.figures(random, 3, 5)))

    def spoken(random: Random, c: codes.Code) -> str | None:
        said = [_spoken_digits(tongue, g) if g.isdigit() else " ".join(g) for g in c.groups]
        return " ".join(map(str, said)) if all(said) else None

    return Family[codes.Code](
        type="reference_id",
        language=tongue.code,
        value=value,
        canonical=lambda c: "-".join(c.groups),
        forms={
            "with a dash": lambda r, c: "-".join(c.groups),
            "joined": lambda r, c: r.choice((c.text, c.text.lower())),
            "one by one": lambda r, c: " ".join(c.text),
            "letters and digits": spoken,
        },
        changes=ID_CHANGES,
        sentences=tongue.sentences,
        same=lambda a, b: a.text == b.text,
    )
