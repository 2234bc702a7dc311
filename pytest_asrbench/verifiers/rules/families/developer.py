"""Commands, flags, paths, variables, symbols, versions: separators count (rules 7, 9, 22, 23)."""

from __future__ import annotations

import re

from pytest_asrbench.verifiers.rules import ambiguity as d
from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import CODE
from pytest_asrbench.verifiers.rules.boundaries import REFUSED, UNSURE, Check, Code
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


def _cased(case: FamilyCase, edges: Code, *rules: int) -> list[FamilyReading]:
    strict = bearing(case)
    ways = [FamilyReading("read out or written", readings(case, strict=strict), edges, (7, *rules))]
    if strict and case.acoustic is None and case.knobs.case == "cue":
        plain = code(case.folded, case.numbers)
        ways.append(FamilyReading("casing aside", plain, edges, (9,), doubts=REFUSED | d.CASE))
    if case.acoustic is None and not strict and case.text.isupper() and case.knobs.case == "cue":
        # Nobody knows whether the capitals were cued: lower case counts, with a doubt.
        shown = FamilyReading("capitals shown", readings(case, strict=True), edges, (7, *rules))
        return [
            shown,
            FamilyReading("casing aside", readings(case, strict=False), edges, (9,), d.CASE),
        ]
    return ways


def _described(pattern: Pattern | None, edges: Code) -> list[FamilyReading]:
    return [] if pattern is None else [FamilyReading("described", pattern, edges, (35,))]


@family("command", aligned=CODE)
def command(case: FamilyCase) -> list[FamilyReading]:
    """Tokens in order with flags and separators; white space is a boundary (rule 22)."""
    edges = Code(case.numbers, "-_./=:@", _JOINTS)
    follows = FamilyReading("command", readings(case, strict=bearing(case)), edges, (7, 9, 22))

    def confirm(tape: Tokens, i: int, e: int) -> int:
        """A flag behind it makes it another command (rule 38)."""
        return UNSURE if tape.char(e) == "-" and tape.char(e + 1) and not tape.gaps[e + 1] else 0

    ways = [follows.only(confirm)]
    bare = re.sub(r"[\"']", "", case.folded)
    if bare != case.folded:
        plain = code(bare, case.numbers)
        ways.append(FamilyReading("quotes aside", plain, edges, (7,), doubts=REFUSED | d.QUOTES))
    return ways


@family("cli_flag", aligned=CODE)
def flag(case: FamilyCase) -> list[FamilyReading]:
    """Leading dashes counted; two flags side by side are told apart where that is clear."""
    edges = Code(case.numbers, "-_=./:", _JOINTS - {"dash", "hyphen", "minus"})
    short = re.fullmatch(r"-[a-z0-9]", case.folded) is not None

    def confirm(tape: Tokens, i: int, e: int) -> int:
        before = tape.runs.get(tape.ends.get(i, -1), "")
        dashes = case.pack.separators["-"]
        if tape.glued(i) and before and tape.char(i) == "-":
            return d.REFUSED | d.GLUED  # "deploy--dry-run"
        if tape.char(i - 1) == "-" or before in dashes or before in ("double", "triple"):
            return REFUSED
        run = tape.runs.get(e, "")
        if run not in dashes:
            return 0
        follower = tape.runs.get(e + len(run), "")
        if follower in dashes:
            return 0
        return d.NEIGHBOUR if short else REFUSED

    ways = [reading.only(confirm) for reading in _cased(case, edges, 9)]
    return [*ways, *_described(dashes_in_front(case), edges)]


@family("file_path", aligned=CODE)
def path(case: FamilyCase) -> list[FamilyReading]:
    edges = Code(case.numbers, "-_./\\~:", _JOINTS)
    return _cased(case, edges, 9)


@family("environment_variable", aligned=CODE)
def variable(case: FamilyCase) -> list[FamilyReading]:
    edges = Code(case.numbers, "-_.", _JOINTS)
    cueless = case.acoustic is None and case.folded == case.text and case.knobs.case == "cue"

    def raised(tape: Tokens, i: int, e: int) -> int:
        """HTTP_PROXY for http_proxy: nobody knows whether small letters were cued."""
        return d.CASE if cueless and tape.raw(i, e).isupper() else 0

    ways = [reading.only(raised) for reading in _cased(case, edges, 9)]
    return [*ways, *_described(signs_between(case), edges)]


@family("code_symbol", aligned=CODE)
def symbol(case: FamilyCase) -> list[FamilyReading]:
    edges = Code(case.numbers, "-_.:>", _JOINTS | {"arrow"})
    ways = [reading.only(_unspaced(case)) for reading in _cased(case, edges, 9)]
    ways += _described(signs_between(case), edges)
    dunder = re.fullmatch(r"__(\w+?)__", case.folded)
    if dunder:
        short = phrases("dunder") + code(dunder[1], case.numbers)
        ways.append(FamilyReading("dunder", short, edges, (1, 7)))
    return ways


def _unspaced(case: FamilyCase) -> Check:
    """Capitals that mark the words of one name, written apart and not read out (rule 7)."""
    humps = len(re.findall("[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+", case.text))
    plain = humps > 1 and case.text.isalnum()

    def check(tape: Tokens, i: int, e: int) -> int:
        if not plain or not bearing(case) or len(case.folded) != e - i:
            return 0
        parted = any(tape.gaps[k] for k in range(i + 1, e))
        return d.REFUSED | d.SPACED if parted and tape.raw(i, e) == case.text else 0

    return check


@family("version", aligned=CODE, written=said.machine("."))
def version(case: FamilyCase) -> list[FamilyReading]:
    """Parts as numbers, every dot shown; a leading v is formatting (rules 12, 23)."""
    text = re.sub(r"^v(?:ersion|er\.?)?\s*(?=\d)", "", case.folded)
    lead = maybe(phrases("v", "version", "ver", "v."))
    edges = Code(case.numbers, "-_.+:/", _JOINTS | {"point", "plus"}, frozenset({"-", "/"}))
    reading = FamilyReading("version", lead + code(text, case.numbers), edges, (7, 12, 23))
    return [reading.only(_other_number(case))]


def _other_number(case: FamilyCase) -> Check:
    """An amount, a share or a measure is no version (rule 3)."""

    def check(tape: Tokens, i: int, e: int) -> int:
        money = tape.glued(i) and tape.char(i - 1) in prefixes(case.pack.language)
        scaled = tape.runs.get(e) in case.pack.scales
        unit = any(one.end - e > 1 or one.name.key == PERCENT
                   for one, part in named(tape, case.numbers, e) if not part)  # fmt: skip
        return REFUSED | d.KIND if money or scaled or unit else 0

    return check
