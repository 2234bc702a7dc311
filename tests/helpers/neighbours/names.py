"""Names and terms: every word as it is spelled."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from .family import Family, Said

HOMOPHONES = {
    "John": "Jon", "Smith": "Smyth", "Allen": "Alan", "Brown": "Browne", "Ashley": "Ashleigh",
    "Steven": "Stephen", "Catherine": "Katherine", "Clark": "Clarke", "Reed": "Reid",
    "Sara": "Sarah", "Philip": "Phillip", "Meyer": "Mayer", "Green": "Greene", "Erik": "Eric",
    "Marc": "Mark",
    "Nicholas": "Nicolas", "Lewis": "Louis", "Stewart": "Stuart", "Cole": "Kohl", "Gail": "Gale",
}  # fmt: skip
FIRST = (
    "John",
    "Ashley",
    "Steven",
    "Catherine",
    "Sara",
    "Philip",
    "Erik",
    "Marc",
    "Nicholas",
    "Gail",
)
LAST = ("Smith", "Allen", "Brown", "Clark", "Reed", "Meyer", "Green", "Lewis", "Stewart", "Cole")
MIDDLE = ("Marie", "Lee", "James", "Rose", "Paul")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a name or term, in order."""

    words: tuple[str, ...]


def _written(random: Random, w: Words) -> str:
    return " ".join(w.words)


def _lower(random: Random, w: Words) -> str:
    return " ".join(w.words).lower()


def _at(edit: Any) -> Any:
    """One word of several changed by `edit(random, word)`."""

    def changed(random: Random, w: Words) -> Words | None:
        at = random.randrange(len(w.words))
        word = edit(random, w.words[at])
        return Words((*w.words[:at], word, *w.words[at + 1 :])) if word else None

    return changed


def _letter_changed(random: Random, word: str) -> str | None:
    at = random.randrange(1, len(word))
    other = random.choice("aeioulnrt")
    return word[:at] + other + word[at + 1 :] if other != word[at] else None


def _letter_lost(random: Random, word: str) -> str | None:
    at = random.randrange(1, len(word)) if len(word) > 3 else 0
    return word[:at] + word[at + 1 :] if at else None


def _letter_more(random: Random, word: str) -> str:
    at = random.randrange(1, len(word))
    return word[:at] + random.choice("aeioulnrt") + word[at:]


def _goes_on(random: Random, word: str) -> str:
    return word + random.choice(("er", "ton", "son", "man", "field"))


def _word_lost(random: Random, w: Words) -> Words | None:
    at = random.randrange(len(w.words))
    return Words((*w.words[:at], *w.words[at + 1 :])) if len(w.words) > 1 else None


def _order(random: Random, w: Words) -> Words | None:
    return Words(tuple(reversed(w.words))) if len(w.words) > 1 else None


WORD_CHANGES: dict[str, Any] = {
    "a letter changed": _at(_letter_changed),
    "a letter lost": _at(_letter_lost),
    "a letter more": _at(_letter_more),
    "a word that goes on": _at(_goes_on),
    "a word lost": _word_lost,
    "another order": _order,
}


def _name(random: Random) -> Words:
    return Words((random.choice(FIRST), random.choice(LAST)))


def _middle(random: Random, w: Words) -> Words:
    return Words((w.words[0], random.choice(MIDDLE), w.words[1]))


def _joined_name(random: Random, w: Words) -> Said:
    return Said(f"{w.words[0]} {w.words[1]}-{random.choice([n for n in LAST if n != w.words[1]])}")


PERSON = Family[Words](
    type="person_or_team_name",
    value=_name,
    canonical=lambda w: " ".join(w.words),
    forms={
        "written: name": _written,
        "written: lower case": _lower,
        "written: possessive": lambda random, w: " ".join(w.words) + "'s",
    },
    changes={
        **WORD_CHANGES,
        "a homophone": _at(lambda random, word: HOMOPHONES.get(word)),
        "another first name": lambda r, w: Words((r.choice(FIRST), w.words[1])),
        "another last name": lambda r, w: Words((w.words[0], r.choice(LAST))),
        "a middle name": _middle,
        "a double name": _joined_name,
    },
    sentences=("{}", "please ask {} about it", "the ticket belongs to {} now", "That was {}."),
)

# A term and what is heard instead.
TERMS = {
    "hydroxyzine": ("hydralazine", "hydroxyurea"),
    "metoprolol succinate": ("metoprolol tartrate", "metoprolol and succinate"),
    "type 2 diabetes": ("type 1 diabetes", "type 20 diabetes", "type to diabetes"),
    "insulin glargine": ("insulin aspart", "insulin glargines"),
    "left atrium": ("right atrium", "left atria", "left atrial", "cleft atrium"),
    "bill of lading": ("bills of lading", "bill of landing"),
    "celecoxib": ("citalopram", "celecoxibs"),
    "force majeure": ("force measure", "forced majeure"),
    "escrow account": ("escrow accounts", "escort account"),
    "service level agreement": ("service level agreements", "service agreement"),
    "hypertension": ("hypotension", "hypertensive"),
    "systolic": ("diastolic", "systole"),
    "Route 66": ("Route 166", "route one sixty-six", "route six", "Route 660"),
    "ileum": ("ilium",),
    "dysphagia": ("dysphasia",),
}


def _confused(random: Random, w: Words) -> Said:
    return Said(random.choice(TERMS[" ".join(w.words)]))


TERM = Family[Words](
    type="domain_term",
    value=lambda random: Words(tuple(random.choice(tuple(TERMS)).split())),
    canonical=lambda w: " ".join(w.words),
    forms={"written: term": _written, "written: lower case": _lower},
    changes={
        "another term": _confused,
        **{name: WORD_CHANGES[name] for name in ("a word lost", "another order")},
        "a word that goes on": _at(lambda r, word: word + r.choice(("ic", "al", "ine", "oid"))),
    },
    sentences=("{}", "please note the {} here", "we talked about {} today", "It was {}."),
)

FAMILIES: tuple[Family[Any], ...] = (PERSON, TERM)
