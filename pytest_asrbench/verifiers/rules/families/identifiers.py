"""Ids, codes, phones, ports, spelled sequences, acronyms: separators are formatting (rule 8)."""

from __future__ import annotations

import re

from pytest_asrbench.verifiers.phones import national
from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import CHARACTERS
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.boundaries import Check, Identifier, WordBoundaries
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, family
from pytest_asrbench.verifiers.rules.pattern import Pattern, choice, maybe, phrases, sequence
from pytest_asrbench.verifiers.rules.separators import Skip, code
from pytest_asrbench.verifiers.rules.sequences import CharacterSequence
from pytest_asrbench.verifiers.rules.tokens import Tokens, tokenise

_POINTS = re.compile(r"(?<=\d)\.(?=\d)")
"""One of them in a code is a decimal point, several are separators (rules 8, 39)."""
_LABELLED = re.compile(r"(?<![a-z])(extension|ext|x)\W*(\d+)$")
"""An extension with its label, alone or behind a number."""
_LABELS = phrases("x", "ext", "ext.")


def _bare(folded: str, keep: str = "") -> str:
    """Letters, digits and the separators that must be shown."""
    return "".join(c for c in tokenise(folded).flat if c.isalnum() or c in keep)


def _separators(folded: str) -> str:
    return "".join(sorted({c for c in folded if not c.isalnum() and not c.isspace()}))


def _nato(case: FamilyCase) -> int:
    """Spelling words are undisputed where the spoken form uses them, or is not known."""
    words = set(case.spoken.replace(",", " ").split())
    used = any(words & set(names) for names in case.pack.spelling.values())
    return 0 if used or not case.spoken else Doubt.NATO


def characters(case: FamilyCase, text: str | None = None, keep: str = "") -> Pattern:
    """The value's letters and digits in order."""
    folded = case.folded if text is None else text
    if case.options.separators == "exact":
        return code(folded, case.numbers)
    return CharacterSequence(
        _bare(folded, keep), case.numbers, separators=_separators(folded), nato=_nato(case)
    )


@family(
    "reference_id",
    "product_code",
    "account_or_record_number",
    "spelled_sequence",
    aligned=CHARACTERS,
    written=said.characters,
)
def identifier(case: FamilyCase) -> list[FamilyReading]:
    """Letters and digits in order (rules 8, 12, 24)."""
    keep = "." if len(_POINTS.findall(case.folded)) == 1 else ""
    value = characters(case, keep=keep)
    boundaries = Identifier(case.numbers, opens_after="#", value=value)
    return [FamilyReading("letters and digits", value, boundaries, (8, 10, 12, 24, 46, 55, 57))]


@family("phone_extension", aligned=CHARACTERS, written=said.characters)
def extension(case: FamilyCase) -> list[FamilyReading]:
    """Its digits; "x", "ext." and "extension" are one label, which the value may have or not."""
    labelled = _LABELLED.search(case.folded)
    if labelled and _bare(case.folded[: labelled.start()]):
        return phone(case)
    digits = characters(case, _LABELLED.sub(r"\2", case.folded))
    boundaries = Identifier(case.numbers, opens_after="#", words_before=True, value=digits)
    return [FamilyReading("digits", maybe(_LABELS) + digits, boundaries, (8, 10, 12, 46, 55, 57))]


@family("port_number", aligned=CHARACTERS, written=said.characters)
def port(case: FamilyCase) -> list[FamilyReading]:
    """A port may follow its host's colon; "4k" is disputable."""
    text = re.sub(r"^port\W+", "", case.folded)
    digits = characters(case, text)
    boundaries = Identifier(case.numbers, opens_after="#:", words_before=True, value=digits)
    ways = [FamilyReading("digits", digits, boundaries, (8, 10, 46, 55, 57))]
    if text.endswith("000"):
        short = phrases(text[:-3] + "k")
        ways.append(FamilyReading("thousands as K", short, boundaries, (30,), doubts=Doubt.SCALED))
    return ways


@family("phone_number", aligned=CHARACTERS, written=said.characters)
def phone(case: FamilyCase) -> list[FamilyReading]:
    """All digits in order; +1 may be added where the value has no country code (rule 19)."""
    plus = maybe(phrases("+", "plus"))
    text = _bare(_LABELLED.sub(r"\2", case.folded))
    digits = maybe(phrases("(")) + characters(case, text)
    boundaries = Identifier(case.numbers, opens_after="(", value=digits)
    ways = [
        FamilyReading(
            "digits", plus + characters(case, text), boundaries, (8, 10, 12, 19, 46, 55, 57)
        )
    ]
    if len(text) == 10 and "+" not in case.folded:
        longer = plus + characters(case, "1" + text)
        ways.append(FamilyReading("digits with +1", longer, boundaries, (19,)).only(_lone_one))
    abroad = national(text) if case.folded.startswith("+") else None
    if abroad is not None:
        inside = characters(case, abroad)
        dialled = plus + choice([characters(case, before + text) for before in _DIALLED])
        ways.append(
            FamilyReading("dialled", dialled, boundaries, (8, 10, 51), doubts=Doubt.OTHERWISE)
        )
        form = FamilyReading(
            "national form", inside, boundaries, (8, 10, 51), doubts=Doubt.NATIONAL
        )
        ways.append(form.only(_own_country(case, text)))
    labelled = _LABELLED.search(case.folded)
    if labelled:
        number = _bare(case.folded[: labelled.start()])
        label = _LABELS | phrases("extension")
        parts = [plus, characters(case, number), Skip(case.pack), label, Skip(case.pack)]
        both = sequence([*parts, characters(case, labelled[2])])
        ways.append(FamilyReading("number and extension", both, boundaries, (8, 10, 12, 19)))
    return ways


_DIALLED = ("00", "011")
"""In front of a country code, in Europe and in North America (ITU-T E.164)."""


def _own_country(case: FamilyCase, digits: str) -> Check:
    """No other country's code stands in front: "+49 (0)20 …" is no British number (rule 51)."""

    def check(tokens: Tokens, i: int, e: int) -> int:
        place = i - 1 if tokens.char(i - 1) == "(" and i else i
        start = tokens.ends.get(place, -1)
        before = tokens.runs.get(start, "")
        if not case.numbers.is_number(before):
            return 0
        return 0 if before.isdigit() and digits.startswith(before) else Doubt.REFUSED

    return check


def _lone_one(tokens: Tokens, i: int, e: int) -> int:
    """The country code is a word or figure of its own: "seventeen two six" adds no 1."""
    place = next(k for k in range(i, e) if k in tokens.runs and tokens.runs[k] != "plus")
    run = tokens.runs[place]
    return 0 if run == "one" or run.isdigit() else Doubt.REFUSED


@family("acronym_or_initialism", aligned=CHARACTERS)
def acronym(case: FamilyCase) -> list[FamilyReading]:
    """A P I = A.P.I. = api (rule 24); "&" must be heard (rule 29)."""
    pattern = characters(case, keep="&+#")
    bare = _bare(case.folded)
    spelled = WordBoundaries(case.numbers, plural=True)

    def everyday(tokens: Tokens, i: int, e: int) -> int:
        shown = tokens.raw(i, e)
        return Doubt.COMMON_WORD if bare in case.pack.everyday and shown == shown.lower() else 0

    return [FamilyReading("letters", pattern, spelled, (8, 24, 29)).only(everyday)]
