"""Values made of figures alone: phones, extensions, ports, account numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from .family import Family, Said
from .numbers import DIGITS, cardinal

TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


@dataclass(frozen=True, slots=True)
class Run:
    """Figures in the groups in which they are given, with pauses between them or without."""

    groups: tuple[str, ...]
    paused: bool = True

    @property
    def digits(self) -> str:
        return "".join(self.groups)


def grouped(random: Random, digits: str) -> Run:
    """`digits` as one group, or in groups of two to four."""
    if len(digits) < 5 or random.random() < 0.4:
        return Run((digits,))
    groups, rest = [], digits
    while rest:
        size = random.randint(2, 4)
        size = len(rest) if len(rest) - size < 2 else size
        groups.append(rest[:size])
        rest = rest[size:]
    return Run(tuple(groups))


def spoken_digits(random: Random, text: str, *, doubles: bool = True) -> str:
    """Digit by digit; zero as "zero" or "oh", equal neighbours now and then as "double five"."""
    zero = random.choice(("zero", "zero", "oh"))
    words, at = [], 0
    while at < len(text):
        digit = text[at]
        word = zero if digit == "0" else DIGITS[int(digit)]
        run = len(text[at:]) - len(text[at:].lstrip(digit))
        if doubles and run in (2, 3) and random.random() < 0.4:
            words.append(f"{'double' if run == 2 else 'triple'} {word}")
            at += run
        else:
            words.append(word)
            at += 1
    return " ".join(words)


def pairs(random: Random, text: str) -> str | None:
    """ "forty eight twenty one"; None where a pair would begin with a zero."""
    parts = [text[at : at + 2] for at in range(0, len(text), 2)]
    if len(text) % 2 or any(part[0] == "0" for part in parts):
        return None
    return " ".join(cardinal(random, int(part)) for part in parts)


def _spaced(random: Random, run: Run) -> str:
    return " ".join(run.digits) if random.random() < 0.5 else " ".join(run.groups)


def _joined(random: Random, run: Run) -> str:
    return run.digits


def _separated(random: Random, run: Run) -> str | None:
    return random.choice(("-", ".", " - ")).join(run.groups) if len(run.groups) > 1 else None


def _spoken(random: Random, run: Run) -> str:
    joint = random.choice((" ", " ", ", ")) if run.paused else " "
    return joint.join(spoken_digits(random, group) for group in run.groups)


def _in_pairs(random: Random, run: Run) -> str | None:
    said = [pairs(random, group) for group in run.groups]
    joint = random.choice((" ", ", ")) if run.paused else " "
    return joint.join(map(str, said)) if all(said) else None


def as_cardinal(random: Random, run: Run) -> str | None:
    """ "eight thousand eighty"."""
    return cardinal(random, int(run.digits)) if run.digits[0] != "0" else None


FORMS = {
    "written: joined": _joined,
    "spaced": _spaced,
    "spoken: digits": _spoken,
    "spoken: pairs": _in_pairs,
}


def _edited(edit: Callable[[Random, str], str | None]) -> Any:
    """The run with other figures, given in the groups that they fall into."""

    def changed(random: Random, run: Run) -> Run | None:
        digits = edit(random, run.digits)
        return grouped(random, digits) if digits and digits != run.digits else None

    return changed


def _changed(random: Random, text: str) -> str:
    at = random.randrange(len(text))
    return f"{text[:at]}{random.choice('0123456789')}{text[at + 1 :]}"


def _swapped(random: Random, text: str) -> str | None:
    at = random.randrange(len(text) - 1) if len(text) > 1 else 0
    return text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]


def _inside(random: Random, text: str) -> str | None:
    at = random.randrange(1, len(text)) if len(text) > 1 else 1
    return text[:at] + random.choice("0123456789") + text[at:]


def _zero_lost(random: Random, text: str) -> str | None:
    at = text.find("0")
    return text[:at] + text[at + 1 :] if at >= 0 and len(text) > 1 else None


def _teen_or_ty(random: Random, text: str) -> str | None:
    """16 -> 60 and back, at any place."""
    at = random.randrange(len(text) - 1) if len(text) > 1 else 0
    two = text[at : at + 2]
    if len(two) == 2 and two[0] == "1" and two[1] > "2":
        return f"{text[:at]}{two[1]}0{text[at + 2 :]}"
    if len(two) == 2 and two[0] > "2" and two[1] == "0":
        return f"{text[:at]}1{two[0]}{text[at + 2 :]}"
    return None


def _of_groups(change: Callable[[Random, tuple[str, ...]], tuple[str, ...] | None]) -> Any:
    """The same groups, one of them changed.

    Beside a value in one group there is no pause: "eighty, eighty-eight" may be two ports.
    """

    def changed(random: Random, run: Run) -> Run | None:
        groups = change(random, run.groups)
        return Run(groups, paused=len(run.groups) > 1) if groups else None

    return changed


def _tail(front: str) -> Any:
    """A figure said behind or before the run in another way than the run."""

    def said(random: Random, run: Run) -> Said:
        more = random.choice("0123456789")
        way = random.choice((_joined, _spaced, _spoken))
        other = random.choice((more, spoken_digits(random, more)))
        parts = (other, way(random, run)) if front else (way(random, run), other)
        return Said(" ".join(parts))

    return said


CHANGES: dict[str, Any] = {
    "a figure more behind": _edited(lambda r, text: text + r.choice("0123456789")),
    "a figure more in front": _edited(lambda r, text: r.choice("023456789") + text),
    "zero in front": _edited(lambda r, text: "0" + text),
    "zero behind": _edited(lambda r, text: text + "0"),
    "the last figure again": _edited(lambda r, text: text + text[-1]),
    "a figure more inside": _edited(_inside),
    "a figure less behind": _edited(lambda r, text: text[:-1]),
    "a figure less in front": _edited(lambda r, text: text[1:]),
    "a figure changed": _edited(_changed),
    "figures swapped": _edited(_swapped),
    "a zero lost": _edited(_zero_lost),
    "teen or ty": _edited(_teen_or_ty),
    "a group more behind": _of_groups(lambda r, g: (*g, str(r.randint(10, 99)))),
    "a group more in front": _of_groups(lambda r, g: (str(r.randint(20, 99)), *g)),
    "the last group again": _of_groups(lambda r, g: (*g, g[-1]) if len(g) > 1 else None),
    "a group lost": _of_groups(lambda r, g: r.choice((g[1:], g[:-1])) if len(g) > 1 else None),
    "a figure behind, written otherwise": _tail(""),
}


OF_SEVERAL_GROUPS = ("the last group again", "a group lost")


def mistakable(run: Run, said: str) -> bool:
    """Whether "twenty five" in `said` may also be read as 205, which the run has."""
    tens = {word: str(n) for n, word in enumerate(TENS, 2)}
    words = said.replace("-", " ").replace(",", " ").split()
    figures = {word: str(n) for n, word in enumerate(DIGITS)} | {"oh": "0"}
    readings = {""}
    for at, word in enumerate(words):
        if word in tens:
            behind = words[at + 1 : at + 2]
            ends = ("", "0") if behind and behind[0] in DIGITS[1:] else ("0",)
            readings = {text + tens[word] + end for text in readings for end in ends}
        elif word in figures:
            readings = {text + figures[word] for text in readings}
    return len(readings) > 1 and run.digits in readings


def _phone(random: Random) -> Run:
    area, exchange = random.randint(201, 989), random.randint(200, 999)
    return Run((str(area), str(exchange), f"{random.randint(0, 9999):04}"))


def _paren(random: Random, run: Run) -> str | None:
    if tuple(map(len, run.groups)) != (3, 3, 4):
        return None
    area, exchange, line = run.groups
    return f"({area}) {exchange}-{line}"


def _not_plus_one(change: Any) -> Any:
    """Without the numbers that only add the country's 1, which policy rule 19 lets pass."""

    def changed(random: Random, run: Run) -> Run | Said | None:
        other = change(random, run)
        if isinstance(other, Run) and other.digits == "1" + run.digits:
            return None
        return other

    return changed


WITHOUT_PAIRS = {name: form for name, form in FORMS.items() if name != "spoken: pairs"}
PHONE = Family[Run](
    type="phone_number",
    value=_phone,
    canonical=lambda run: "-".join(run.groups),
    forms={**WITHOUT_PAIRS, "written: separated": _separated, "written: parentheses": _paren},
    changes={name: _not_plus_one(change) for name, change in CHANGES.items()},
    sentences=(
        "{}",
        "my number is {}",
        "call {} please",
        "it's {}, thanks",
        "you can reach us under {} okay",
        "So the number is {}.",
    ),
    beside=("call {} 2 pm", "{} 3 times", "call {} 2 days later"),
    mistakable=mistakable,
)


def _number(low: int, high: int, *, zero: bool) -> Callable[[Random], Run]:
    def value(random: Random) -> Run:
        length = random.randint(low, high)
        first = random.choice("0123456789" if zero else "123456789")
        return Run((first + "".join(random.choice("0123456789") for _ in range(length - 1)),))

    return value


def _family(type: str, low: int, high: int, sentences: tuple[str, ...], **more: Any) -> Family[Run]:
    forms: dict[str, Any] = {**FORMS, **more.pop("forms", {})}
    return Family[Run](
        type=type,
        value=_number(low, high, zero=more.pop("zero", True)),
        canonical=lambda run: run.digits,
        forms=forms,
        changes={n: c for n, c in CHANGES.items() if n not in OF_SEVERAL_GROUPS},
        sentences=sentences,
        mistakable=mistakable,
        **more,
    )


def _port(random: Random) -> Run:
    return Run(
        (str(random.choice((80, 443, 5000, 5432, 8080, 8000, random.randint(1000, 65535)))),)
    )


EXTENSION = _family(
    "phone_extension",
    2,
    5,
    ("extension {}", "extension {} please", "the extension is {}.", "ext. {}"),
    also={"cardinal": as_cardinal},
)
PORT = replace(
    _family("port_number", 2, 5, ("port {}", "it listens on port {}", "the port is {}, thanks"),
            forms={"spoken: cardinal": as_cardinal}, zero=False),
    value=_port,
)  # fmt: skip
ACCOUNT = _family(
    "account_or_record_number",
    4,
    10,
    ("{}", "account {}", "my account number is {}", "it's {}, thanks", "The record is {}."),
    beside=("account {} 2 days ago", "account {} 3 times"),
)

FAMILIES: tuple[Family[Any], ...] = (PHONE, EXTENSION, PORT, ACCOUNT)
