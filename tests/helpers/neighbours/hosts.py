"""Mail and web addresses, and addresses of machines."""

from __future__ import annotations

from random import Random
from typing import Any

from .digits import spoken_digits
from .family import Family
from .numbers import cardinal
from .technical import (
    LETTERS,
    PEOPLE,
    WORDS,
    Typed,
    before,
    behind,
    family,
    inside,
    joined,
    part_said,
    written,
)


def host(random: Random) -> tuple[str, ...]:
    return (random.choice(("example", *WORDS)), ".", random.choice(("com", "org", "net", "io")))


def _mail(random: Random) -> Typed:
    local = joined(random, random.choice("._-"), 1, 2, PEOPLE)
    figures = (str(random.randint(1, 99)),) if random.random() < 0.3 else ()
    return Typed((*local, *figures, "@", *host(random)))


EMAIL = family(
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


URL = family(
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


IP = family(
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
    forms={"written: typed": written, "spoken: octets": _ip_spoken},
    without=(*LETTERS, "a sign glued"),
)

FAMILIES: tuple[Family[Any], ...] = (EMAIL, URL, IP)
