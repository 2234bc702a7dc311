"""Names, mail addresses, ids and postal addresses given in parts, with spellings between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from . import addresses, codes
from .addresses import CITIES, Address
from .codes import AS_IN, Code
from .digits import spoken_digits
from .family import Family, Said
from .hosts import EMAIL
from .names import HOMOPHONES, PERSON, Words
from .technical import Typed, part_said

SAID_SO = ("that's ", "spelled ", "", "it's spelled ")


def spelling(random: Random, word: str) -> str:
    """ "A-S-H-L-E-Y", "a s h l e y"."""
    joint = random.choice(("-", "-", " "))
    return joint.join(random.choice((word.upper(), word.lower())))


def _misspelled(random: Random, word: str) -> str:
    """The spelling of a word that is nearly `word`."""
    at = random.randrange(1, len(word))
    letter = random.choice("bdeghklmnprst".replace(word[at].lower(), ""))
    other = random.choice((word[:at] + letter + word[at + 1 :], word + letter, word[:-1]))
    return spelling(random, other)


# names


def _announced(random: Random, w: Words) -> str:
    first, last = w.words
    return random.choice(
        (
            f"{first}, last name {last}",
            f"first name {first}, surname {last}",
            f"my first name is {first}, last name is {last}",
            f"first name {first}, last name {last}",
            f"{first}, and the last name is {last}",
        )
    )


def _with_spelling(random: Random, w: Words) -> str:
    first, last = w.words
    return random.choice(
        (
            f"{first}, {random.choice(SAID_SO)}{spelling(random, first)}, {last}",
            f"{first} {last}, {random.choice(SAID_SO)}{spelling(random, last)}",
            f"{first}, last name {last}, {spelling(random, last)}",
            f"{first}, {spelling(random, first)}, last name {last}, {spelling(random, last)}",
        )
    )


def _misheard_but_spelled(random: Random, w: Words) -> str | None:
    """ "the last name is Allan, spelled A-L-L-E-N" carries Allen."""
    first, last = w.words
    other = HOMOPHONES.get(last)
    return other and f"{first}, and the last name is {other}, spelled {spelling(random, last)}"


def _another_spelling(random: Random, w: Words) -> Said:
    """The word is right, its spelling is not: the spelling is the evidence."""
    first, last = w.words
    return Said(
        random.choice(
            (
                f"{first}, {random.choice(SAID_SO)}{_misspelled(random, first)}, {last}",
                f"{first}, last name {last}, {_misspelled(random, last)}",
                f"{first} {last}, spelled {_misspelled(random, last)}",
            )
        )
    )


def _one_part(random: Random, w: Words) -> Said:
    first, last = w.words
    said = (
        f"the last name is {last}",
        f"my first name is {first}",
        f"{last}, {spelling(random, last)}",
    )
    return Said(random.choice(said))


def _another_announced(random: Random, w: Words) -> Said | None:
    first, last = w.words
    other = HOMOPHONES.get(last)
    return Said(_announced(random, Words((first, other)))) if other else None


NAME = replace(
    PERSON,
    prefix="in parts: ",
    forms={
        "announced": _announced,
        "with a spelling": _with_spelling,
        "misheard but spelled": _misheard_but_spelled,
    },
    changes={
        **{name: PERSON.changes[name] for name in ("another first name", "another last name")},
        "another spelling": _another_spelling,
        "one part alone": _one_part,
        "a homophone": _another_announced,
    },
    sentences=("{}", "Sure, {}.", "yeah it's {}, thanks"),
)


# mail addresses


def _part_and_spelling(random: Random, part: str, *, wrong: bool = False) -> str:
    if not part.isalpha() or len(part) < 3:
        return part_said(random, part)
    spelled = _misspelled(random, part) if wrong else spelling(random, part)
    return f"{part}, {random.choice(('', '', 'that is '))}{spelled},"


def _mail_with_spellings(random: Random, t: Typed) -> str:
    said = [
        _part_and_spelling(random, part)
        if part.isalpha() and random.random() < 0.6 and part not in ("com", "org", "net", "io")
        else part_said(random, part)
        for part in t.parts
    ]
    return " ".join(said).rstrip(",")


def _mail_spelled_otherwise(random: Random, t: Typed) -> Said:
    places = [at for at, part in enumerate(t.parts[:-1]) if part.isalpha() and len(part) > 2]
    wrong = random.choice(places)
    said = [
        _part_and_spelling(random, part, wrong=True) if at == wrong else part_said(random, part)
        for at, part in enumerate(t.parts)
    ]
    return Said(" ".join(said).rstrip(","))


MAIL = replace(
    EMAIL,
    prefix="in parts: ",
    forms={"with spellings": _mail_with_spellings},
    changes={
        "another spelling": _mail_spelled_otherwise,
        **{
            name: EMAIL.changes[name]
            for name in ("a letter more", "a longer host", "another sign", "a part more in front")
        },
    },
)


# ids


def _linked(random: Random, c: Code) -> str:
    """ "C as in cat and N as in nancy 6226206"."""
    said: list[str] = []
    for group in c.groups:
        if group.isdigit():
            said.append(random.choice((group, spoken_digits(random, group))))
        else:
            said.append(" and ".join(f"{char} as in {AS_IN[char]}" for char in group))
    return " ".join(said)


LINKED = replace(
    codes.REFERENCE,
    prefix="in parts: ",
    value=lambda random: Code(codes.REFERENCE.value(random).groups, nato=True),
    forms={"with and": _linked},
    also={},
    beside=(),
    changes={
        name: codes.CHANGES[name]
        for name in (
            "a letter more behind",
            "a letter more in front",
            "a figure more behind",
            "one less behind",
            "one less in front",
            "a near letter",
            "two swapped",
        )
    },
)


# addresses


def _in_parts(random: Random, a: Address) -> str:
    city, state, code = CITIES[a.city]
    street = addresses.street(random, a)
    place = random.choice(
        (f"{city} {state}", f"in {city}, {state}", f"{city}, {code}", f"city {city}, state {state}")
    )
    figures = random.choice((a.zip, spoken_digits(random, a.zip, doubles=False)))
    joint = random.choice(
        (
            ", and the zip code is ",
            ", zip code ",
            ", and it's ",
            ", the zip code is ",
            ". Zip code: ",
        )
    )
    return f"{street}, {place}{joint}{figures}" if a.zip else f"{street}, {place}"


ADDRESS = replace(
    addresses.ADDRESS,
    prefix="in parts: ",
    forms={"announced": _in_parts},
    changes={
        name: addresses.ADDRESS.changes[name]
        for name in (
            "tens before the number",
            "another ZIP",
            "ZIP lost",
            "another city",
            "another kind of street",
        )
    },
)


@dataclass(frozen=True, slots=True)
class British:
    number: int
    street: str
    city: str
    postcode: tuple[str, str]


def _british(random: Random) -> British:
    area = "".join(random.choice("BDEGHLMNRST") for _ in range(random.choice((1, 2))))
    inward = f"{random.randint(1, 9)}{random.choice('BDFGHJLN')}{random.choice('ABDEFGHJZ')}"
    return British(
        random.randint(1, 99),
        random.choice(("High Street", "Park Avenue", "Mill Lane", "Station Road", "Church Road")),
        random.choice(("London", "Leeds", "York", "Bristol")),
        (f"{area}{random.randint(1, 20)}", inward),
    )


def _british_said(random: Random, b: British) -> str:
    postcode = "".join(b.postcode)
    said = random.choice(
        (
            " ".join(b.postcode),
            postcode,
            " ".join(postcode),
            " ".join("zed" if char == "Z" else char for char in postcode),
        )
    )
    joint = random.choice((", ", ", and it's ", ", postcode ", ", and the postcode is "))
    return f"{b.number} {b.street}, {random.choice(('', 'in '))}{b.city}{joint}{said}"


def _postcode_changed(random: Random, b: British) -> British:
    first, second = b.postcode
    other = random.choice(
        (
            (first, second[:-1]),
            (first, second[:-1] + random.choice("PTKW")),
            (first + str(random.randint(1, 9)), second),
            (first[:-1] or "W1", second) if first[-2:-1].isdigit() else (first, "9" + second[1:]),
        )
    )
    return replace(b, postcode=other)


POSTCODE = Family[British](
    type="postal_address",
    prefix="postcode: ",
    value=_british,
    canonical=lambda b: f"{b.number} {b.street}, {b.city} {' '.join(b.postcode)}",
    forms={"announced": _british_said},
    changes={
        "another postcode": _postcode_changed,
        "another number": lambda r, b: replace(b, number=b.number + r.choice((1, 10, 100))),
        "another city": lambda r, b: replace(b, city=r.choice(("London", "Leeds", "York"))),
        "another kind of street": lambda r, b: replace(b, street=f"{b.street.split()[0]} Close"),
    },
    sentences=("{}", "it's {}", "The address is {}."),
)

FAMILIES: tuple[Family[Any], ...] = (NAME, MAIL, LINKED, ADDRESS, POSTCODE)
