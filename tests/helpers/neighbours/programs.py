"""Versions, flags, commands, paths, variables and names in code."""

from __future__ import annotations

from random import Random
from typing import Any

from .family import Family, Said
from .numbers import cardinal
from .technical import (
    FIGURES,
    LETTERS,
    WORDS,
    Typed,
    before,
    behind,
    family,
    inside,
    joined,
    part,
    part_said,
    written,
)


def _version(random: Random) -> Typed:
    numbers = [
        str(random.choice((0, 1, 2, 3, 5, random.randint(4, 30))))
        for _ in range(random.choice((2, 3)))
    ]
    return Typed(tuple(part for number in numbers for part in (number, "."))[:-1])


def _version_spoken(random: Random, t: Typed) -> str:
    sign = random.choice(("dot", "point"))
    said = (sign if p == "." else cardinal(random, int(p)) if p.isdigit() else part_said(random, p)
            for p in t.parts)  # fmt: skip
    return " ".join(word for word in said if word)


VERSION = family(
    "version",
    _version,
    {
        "one part more": behind((".", "1"), (".", "4")),
        "one part more in front": before(("3", "."), ("12", ".")),
        "one part less": lambda r, t: (
            Typed(t.parts[:-2]) if len(t.parts) > 3 else Typed(t.parts[:1])
        ),
        "parts swapped": lambda r, t: Typed((t.parts[2], ".", t.parts[0], *t.parts[3:])),
        "another kind: money": lambda r, t: Said(f"${t.text}") if len(t.parts) == 3 else None,
    },
    forms={"written: typed": written, "spoken: parts": _version_spoken},
    sentences=("version {}", "we run version {} now", "upgrade to version {} please"),
    neutral=("{}", "it costs {} now"),
    without=(*LETTERS, "a sign glued"),
)


def _flag(random: Random) -> Typed:
    return Typed(("--", *joined(random, "-", 1, 3)))


FLAG = family(
    "cli_flag",
    _flag,
    {
        "one dash less": lambda r, t: Typed(("-", *t.parts[1:])),
        "no dashes": lambda r, t: Typed(t.parts[1:]),
        "a word more behind": behind(("-", "all"), ("-", "lease")),
        "a word more in front": lambda r, t: Typed(("--", "no", "-", *t.parts[1:])),
        "a word lost": lambda r, t: Typed(t.parts[:-2]) if len(t.parts) > 2 else None,
    },
    without=FIGURES,
)


def _command(random: Random) -> Typed:
    tool, verb = random.choice(
        (("git", "push"), ("docker", "run"), ("npm", "install"), ("terraform", "plan"))
    )
    flag = random.choice(((), ("--", random.choice(WORDS), " "), ("-", random.choice("dvxf"), " ")))
    return Typed((tool, " ", verb, " ", *flag, random.choice(WORDS)))


def _word_inside(random: Random, t: Typed) -> Typed | None:
    word = random.choice(WORDS)
    return Typed((*t.parts[:4], word, " ", *t.parts[4:])) if word != t.parts[-1] else None


COMMAND = family(
    "command",
    _command,
    {
        "a word lost": lambda r, t: Typed((*t.parts[:2], *t.parts[4:])),
        "another tool": lambda r, t: Typed((r.choice(("svn", "podman", "yarn")), *t.parts[1:])),
        "a word more inside": _word_inside,
        "dashes lost": part(lambda part: part in ("-", "--"), lambda r, part: " "),
        "one dash more": part(
            lambda part: part in ("-", "--"), lambda r, part: "--" if part == "-" else "-"
        ),
        "the order": lambda r, t: Typed((t.parts[2], " ", t.parts[0], *t.parts[3:])),
    },
    without=(*FIGURES, "a sign glued", "a sign lost", "another sign"),
)


def _path(random: Random) -> Typed:
    root = random.choice((("/", "var"), ("/", "etc"), ("/", "home"), ("/", "srv")))
    middle = [p for word in random.sample(WORDS, random.randint(0, 2)) for p in ("/", word)]
    name = joined(random, random.choice("-_"), 1, 2)
    ending = random.choice(((), (".", "txt"), (".", "yaml"), ("/", str(random.randint(1, 9)))))
    return Typed((*root, *middle, "/", *name, *ending))


PATH = family(
    "file_path",
    _path,
    {
        "a longer path": behind(("/", "old"), (".", "bak"), ("_", "copy"), (".", "1")),
        "a folder in front": before(("/", "usr"), ("/", "opt")),
        "the first slash lost": lambda r, t: Typed(t.parts[1:]),
        "a folder inside": inside("/"),
        "the last part lost": lambda r, t: Typed(t.parts[:-2]),
    },
)


def _upper(random: Random) -> Typed:
    return Typed(tuple(part.upper() for part in joined(random, "_", 2, 3)))


VARIABLE = family(
    "environment_variable",
    _upper,
    {
        "a word more in front": before(("MY", "_"), ("APP", "_")),
        "a word more behind": behind(("_", "URL"), ("_", "2")),
        "a word lost": lambda r, t: Typed(t.parts[2:] if r.random() < 0.5 else t.parts[:-2]),
    },
    without=FIGURES,
)


def _symbol(random: Random) -> Typed:
    if random.random() < 0.3:
        return Typed(("self", ".", *joined(random, "_", 1, 2)))
    return Typed(joined(random, "_", 2, 3))


SYMBOL = family(
    "code_symbol",
    _symbol,
    {
        "a word more in front": before(("get", "_"), ("is", "_")),
        "a word more behind": behind(("_", "count"), (".", "close")),
        "a word lost": lambda r, t: Typed(t.parts[2:] if r.random() < 0.5 else t.parts[:-2]),
    },
    without=FIGURES,
)

FAMILIES: tuple[Family[Any], ...] = (VERSION, FLAG, COMMAND, PATH, VARIABLE, SYMBOL)
