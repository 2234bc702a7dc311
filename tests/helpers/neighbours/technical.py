"""What is typed into machines: mail and web addresses, commands, paths, names in code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from .digits import pairs, spoken_digits
from .family import Family, Said
from .numbers import cardinal

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


def _written(random: Random, t: Typed) -> str:
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
    "written: typed": _written,
    "spoken: signs and words": _spoken,
    "spoken: signs": _half_spoken,
}


def _part(choose: Callable[[str], bool], edit: Callable[[Random, str], str | None]) -> Any:
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
    "a letter changed": _part(_word, _letter_changed),
    "a letter lost": _part(_word, _letter_lost),
    "a letter more": _part(_word, _letter_more),
    "another word": _part(_word, lambda r, word: r.choice(WORDS)),
    "figures changed": _part(str.isdigit, _figures_changed),
    "tens before a figure": _part(str.isdigit, _tens_before),
    "another sign": _part(_sign, lambda r, sign: r.choice(OTHER_SIGN[sign])),
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


def _family(
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


def host(random: Random) -> tuple[str, ...]:
    return (random.choice(("example", *WORDS)), ".", random.choice(("com", "org", "net", "io")))


def _mail(random: Random) -> Typed:
    local = joined(random, random.choice("._-"), 1, 2, PEOPLE)
    figures = (str(random.randint(1, 99)),) if random.random() < 0.3 else ()
    return Typed((*local, *figures, "@", *host(random)))


EMAIL = _family(
    "email_address",
    _mail,
    {
        "a longer host": behind((".", "au"), (".", "uk")),
        "a part more in front": before(("nora", "."), ("el", "."), ("x", "_")),
        "a host in front": inside("@"),
        "another ending": lambda r, t: Typed(
            (*t.parts[:-1], r.choice(("co", "comm", "org", "net")))
        ),
        "a name glued in front": lambda r, t: Typed((f"jor{t.parts[0]}", *t.parts[1:])),
    },
    sentences=("{}", "my email is {}", "it's {} thanks", "please write to {} today", "That is {}."),
)


def _url(random: Random) -> Typed:
    scheme = random.choice(((), (), ("https", ":", "/", "/"), ("http", ":", "/", "/")))
    sub = random.choice(((), ("www", "."), ("docs", ".")))
    path = random.choice((("/", random.choice(WORDS)), ("/", *joined(random, "-", 2, 2))))
    figures = ("/", str(random.randint(1, 99))) if random.random() < 0.4 else ()
    return Typed((*scheme, *sub, *host(random), *path, *figures))


URL = _family(
    "url",
    _url,
    {
        "a longer path": behind(("/", "index"), ("/", "edit"), ("-", "old")),
        "a host in front": lambda r, t: (
            Typed((r.choice(WORDS), ".", *t.parts)) if ":" not in t.parts else None
        ),
        "a name glued in front": lambda r, t: (
            Typed((f"my{t.parts[0]}", *t.parts[1:])) if ":" not in t.parts else None
        ),
        "another scheme": lambda r, t: Typed(("ftp", *t.parts[1:])) if ":" in t.parts else None,
        "the path lost": lambda r, t: Typed(
            t.parts[: max(at for at, p in enumerate(t.parts) if p == "/")]
        ),
    },
)


def _ip(random: Random) -> Typed:
    octets = [
        str(random.choice((0, 1, 7, 10, 127, 168, 192, 255, random.randint(0, 255))))
        for _ in "1234"
    ]
    return Typed(tuple(part for octet in octets for part in (octet, "."))[:-1])


def _ip_spoken(random: Random, t: Typed) -> str:
    def said(part: str) -> str:
        if part == ".":
            return random.choice(("dot", "dot", "point"))
        if not part.isdigit():
            return part_said(random, part)
        way = random.randrange(3)
        if way == 0 or len(part) == 1:
            return spoken_digits(random, part, doubles=False)
        if way == 1 and len(part) == 3 and part[1] != "0":
            return f"{cardinal(random, int(part[0]))} {cardinal(random, int(part[1:]))}"
        return cardinal(random, int(part))

    return " ".join(word for word in map(said, t.parts) if word)


IP = _family(
    "ip_address",
    _ip,
    {
        "one octet more": behind((".", "1"), (".", "7")),
        "one octet less": lambda r, t: Typed(t.parts[2:] if r.random() < 0.5 else t.parts[:-2]),
        "tens before the first": lambda r, t: (
            Typed((r.choice("23456789") + t.parts[0], *t.parts[1:]))
            if len(t.parts[0]) == 1
            else None
        ),
        "octets swapped": lambda r, t: Typed((t.parts[2], ".", t.parts[0], *t.parts[3:])),
    },
    forms={"written: typed": _written, "spoken: octets": _ip_spoken},
    without=(*LETTERS, "a sign glued"),
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


VERSION = _family(
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
    forms={"written: typed": _written, "spoken: parts": _version_spoken},
    sentences=("version {}", "we run version {} now", "upgrade to version {} please"),
    neutral=("{}", "it costs {} now"),
    without=(*LETTERS, "a sign glued"),
)


def _flag(random: Random) -> Typed:
    return Typed(("--", *joined(random, "-", 1, 3)))


FLAG = _family(
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


COMMAND = _family(
    "command",
    _command,
    {
        "a word lost": lambda r, t: Typed((*t.parts[:2], *t.parts[4:])),
        "another tool": lambda r, t: Typed((r.choice(("svn", "podman", "yarn")), *t.parts[1:])),
        "a word more inside": lambda r, t: Typed(
            (*t.parts[:4], r.choice(WORDS), " ", *t.parts[4:])
        ),
        "dashes lost": _part(lambda part: part in ("-", "--"), lambda r, part: " "),
        "one dash more": _part(
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


PATH = _family(
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


VARIABLE = _family(
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


SYMBOL = _family(
    "code_symbol",
    _symbol,
    {
        "a word more in front": before(("get", "_"), ("is", "_")),
        "a word more behind": behind(("_", "count"), (".", "close")),
        "a word lost": lambda r, t: Typed(t.parts[2:] if r.random() < 0.5 else t.parts[:-2]),
    },
    without=FIGURES,
)

FAMILIES: tuple[Family[Any], ...] = (
    EMAIL, URL, IP, VERSION, FLAG, COMMAND, PATH, VARIABLE, SYMBOL,
)  # fmt: skip
