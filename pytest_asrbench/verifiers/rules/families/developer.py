"""Commands, flags, paths, variables, symbols, versions: separators count (rules 7, 9, 22, 23)."""

from __future__ import annotations

import re

from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import CODE
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.boundaries import Check, Code
from pytest_asrbench.verifiers.rules.casing import bearing, readings
from pytest_asrbench.verifiers.rules.described import dashes_in_front, signs_between
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, family
from pytest_asrbench.verifiers.rules.pattern import Pattern, maybe, phrases
from pytest_asrbench.verifiers.rules.readings.names import PERCENT, named, prefixes
from pytest_asrbench.verifiers.rules.separators import code
from pytest_asrbench.verifiers.rules.tokens import Tokens

_JOINTS = frozenset(
    {"dot", "dash", "hyphen", "underscore", "slash", "backslash", "minus", "forward"}
)


def _cased(case: FamilyCase, boundaries: Code, *rules: int) -> list[FamilyReading]:
    strict = bearing(case)
    ways = [
        FamilyReading("read out or written", readings(case, strict=strict), boundaries, (7, *rules))
    ]
    if strict and case.acoustic is None and case.options.case == "cue":
        plain = code(case.folded, case.numbers)
        ways.append(
            FamilyReading(
                "casing aside", plain, boundaries, (9,), doubts=Doubt.REFUSED | Doubt.CASE
            )
        )
    if case.acoustic is None and not strict and case.text.isupper() and case.options.case == "cue":
        # Nobody knows whether the capitals were cued: lower case counts, with a doubt.
        shown = FamilyReading(
            "capitals shown", readings(case, strict=True), boundaries, (7, *rules)
        )
        return [
            shown,
            FamilyReading(
                "casing aside", readings(case, strict=False), boundaries, (9,), Doubt.CASE
            ),
        ]
    return ways


def _described(pattern: Pattern | None, boundaries: Code) -> list[FamilyReading]:
    return [] if pattern is None else [FamilyReading("described", pattern, boundaries, (35,))]


@family("command", aligned=CODE)
def command(case: FamilyCase) -> list[FamilyReading]:
    """Tokens in order with flags and separators; white space is a boundary (rule 22)."""
    boundaries = Code(case.numbers, "-_./=:@", _JOINTS)
    follows = FamilyReading("command", readings(case, strict=bearing(case)), boundaries, (7, 9, 22))

    def confirm(tokens: Tokens, i: int, e: int) -> int:
        """A flag behind it makes it another command (rule 38)."""
        return (
            Doubt.DISPUTED
            if tokens.char(e) == "-" and tokens.char(e + 1) and not tokens.gaps[e + 1]
            else 0
        )

    ways = [follows.only(confirm)]
    bare = re.sub(r"[\"']", "", case.folded)
    if bare != case.folded:
        plain = code(bare, case.numbers)
        ways.append(
            FamilyReading(
                "quotes aside", plain, boundaries, (7,), doubts=Doubt.REFUSED | Doubt.QUOTES
            )
        )
    return ways


@family("cli_flag", aligned=CODE)
def flag(case: FamilyCase) -> list[FamilyReading]:
    """Leading dashes counted; two flags side by side are told apart where that is clear."""
    boundaries = Code(case.numbers, "-_=./:", _JOINTS - {"dash", "hyphen", "minus"})
    short = re.fullmatch(r"-[a-z0-9]", case.folded) is not None

    def confirm(tokens: Tokens, i: int, e: int) -> int:
        before = tokens.runs.get(tokens.ends.get(i, -1), "")
        dashes = case.pack.separators["-"]
        if tokens.glued(i) and before and tokens.char(i) == "-":
            return Doubt.REFUSED | Doubt.GLUED  # "deploy--dry-run"
        if tokens.char(i - 1) == "-" or before in dashes or before in ("double", "triple"):
            return Doubt.REFUSED
        run = tokens.runs.get(e, "")
        if run not in dashes:
            return 0
        follower = tokens.runs.get(e + len(run), "")
        if follower in dashes:
            return 0
        return Doubt.NEIGHBOUR if short else Doubt.REFUSED

    ways = [reading.only(confirm) for reading in _cased(case, boundaries, 9)]
    return [*ways, *_described(dashes_in_front(case), boundaries)]


@family("file_path", aligned=CODE)
def path(case: FamilyCase) -> list[FamilyReading]:
    boundaries = Code(case.numbers, "-_./\\~:", _JOINTS)
    return _cased(case, boundaries, 9)


@family("environment_variable", aligned=CODE)
def variable(case: FamilyCase) -> list[FamilyReading]:
    boundaries = Code(case.numbers, "-_.", _JOINTS)
    cueless = case.acoustic is None and case.folded == case.text and case.options.case == "cue"

    def raised(tokens: Tokens, i: int, e: int) -> int:
        """HTTP_PROXY for http_proxy: nobody knows whether small letters were cued."""
        return Doubt.CASE if cueless and tokens.raw(i, e).isupper() else 0

    ways = [reading.only(raised) for reading in _cased(case, boundaries, 9)]
    return [*ways, *_described(signs_between(case), boundaries)]


@family("code_symbol", aligned=CODE)
def symbol(case: FamilyCase) -> list[FamilyReading]:
    boundaries = Code(case.numbers, "-_.:>", _JOINTS | {"arrow"})
    ways = [reading.only(_unspaced(case)) for reading in _cased(case, boundaries, 9)]
    ways += _described(signs_between(case), boundaries)
    dunder = re.fullmatch(r"__(\w+?)__", case.folded)
    if dunder:
        short = phrases("dunder") + code(dunder[1], case.numbers)
        ways.append(FamilyReading("dunder", short, boundaries, (1, 7)))
    return ways


def _unspaced(case: FamilyCase) -> Check:
    """Capitals that mark the words of one name, written apart and not read out (rule 7)."""
    humps = len(re.findall("[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+", case.text))
    plain = humps > 1 and case.text.isalnum()

    def check(tokens: Tokens, i: int, e: int) -> int:
        if not plain or not bearing(case) or len(case.folded) != e - i:
            return 0
        parted = any(tokens.gaps[k] for k in range(i + 1, e))
        return Doubt.REFUSED | Doubt.SPACED if parted and tokens.raw(i, e) == case.text else 0

    return check


@family("version", aligned=CODE, written=said.machine("."))
def version(case: FamilyCase) -> list[FamilyReading]:
    """Parts as numbers, every dot shown; a leading v is formatting (rules 12, 23)."""
    text = re.sub(r"^v(?:ersion|er\.?)?\s*(?=\d)", "", case.folded)
    lead = maybe(phrases("v", "version", "ver", "v."))
    boundaries = Code(case.numbers, "-_.+:/", _JOINTS | {"point", "plus"}, frozenset({"-", "/"}))
    reading = FamilyReading("version", lead + code(text, case.numbers), boundaries, (7, 12, 23))
    return [reading.only(_other_number(case))]


def _other_number(case: FamilyCase) -> Check:
    """An amount, a share or a measure is no version (rule 3); three parts are no number."""
    number = case.folded.count(".") < 2

    def check(tokens: Tokens, i: int, e: int) -> int:
        money = tokens.glued(i) and tokens.char(i - 1) in prefixes(case.pack.language)
        scaled = tokens.runs.get(e) in case.pack.scales
        told = not tokens.flat[i].isdigit() and tokens.runs.get(i) not in case.numbers.words
        ordinary = tokens.runs.get(e) in case.pack.everyday  # "version 3.11 in production"
        unit = any(one.end - e > 1 or one.name.key == PERCENT
                   for one, part in named(tokens, case.numbers, e) if not part)  # fmt: skip
        measure = number and unit and not told and not ordinary
        return Doubt.REFUSED | Doubt.KIND if money or scaled or measure else 0

    return check
