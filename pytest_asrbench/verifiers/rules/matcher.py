"""Compiles entities once, reads each transcript once, and says why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Final

from pytest_asrbench.errors import VerifierError, one_line
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers import reasons
from pytest_asrbench.verifiers.packs import NONE, Pack, pack, subtags
from pytest_asrbench.verifiers.rules import possible, spoken
from pytest_asrbench.verifiers.rules.alignment import ADDRESS, CODE, WORDS
from pytest_asrbench.verifiers.rules.ambiguity import Doubt, texts
from pytest_asrbench.verifiers.rules.difference import Target
from pytest_asrbench.verifiers.rules.family import Family, FamilyCase, FamilyMatch, families
from pytest_asrbench.verifiers.rules.fillers import without_fillers
from pytest_asrbench.verifiers.rules.nearest import doubtful, nearest
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.rule_options import RuleOptions
from pytest_asrbench.verifiers.rules.said import said_as
from pytest_asrbench.verifiers.rules.search import Compiled, search
from pytest_asrbench.verifiers.rules.tokens import Tokens, fold, tokenise

if TYPE_CHECKING:  # imported when a clip in such a language is judged
    from pytest_asrbench.verifiers.languages.verdicts import ByWords

DEFAULTS: Final = RuleOptions()
NOTHING: Final[Mapping[str, Mapping[str, str]]] = {}
_FAULTS: Final = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""Errors that a fault of the rules may raise on a value that nobody thought of."""


class Matcher:
    """Judges under some custom types and options, which :class:`Rules` has checked."""

    def __init__(
        self,
        types: Mapping[str, str],
        options: Mapping[str, RuleOptions],
        packs: Mapping[str, Pack] = NONE,
        policy: Mapping[str, Mapping[str, str]] = NOTHING,
        usual: RuleOptions = DEFAULTS,
    ) -> None:
        self._types = types
        self._options = options
        self._packs = packs
        self._policy = policy
        self._usual = usual
        self.families = families()
        self._compile = lru_cache(maxsize=1024)(self._compiled)

    def verdicts(self, entities: Sequence[Entity], transcript: str, language: str) -> list[Verdict]:
        """One an entity, in order. Raises VerifierError."""
        words = pack(language, self._packs)
        if not words.families:
            return self.by_words(words, language).verdicts(entities, transcript)
        if self._usual is DEFAULTS and subtags(language)[1] in words.calendar.day_first:
            return self._day_first.verdicts(entities, transcript, language)
        tokens = tokenise(transcript)
        attempts = [self._attempt(entity, tokens, words) for entity in entities]
        failures = [one for one in attempts if isinstance(one, VerifierError)]
        if failures:
            verdicts = tuple(one if isinstance(one, Verdict) else None for one in attempts)
            raise VerifierError("; ".join(map(str, failures)), verdicts=verdicts)
        return [one for one in attempts if isinstance(one, Verdict)]

    @cached_property
    def _day_first(self) -> Matcher:
        """The matcher for regions where 3/5 is the third of May; options that are set still win."""
        usual = RuleOptions(date_order="day-first")
        return Matcher(self._types, self._options, self._packs, usual=usual)

    def _attempt(self, entity: Entity, tokens: Tokens, words: Pack) -> Verdict | VerifierError:
        """The verdict, or what hindered it: a fault of one value costs that value's verdict."""
        try:
            return self._verdict(entity, tokens, words)
        except VerifierError as error:
            return error
        except _FAULTS as error:  # of the rules themselves: a verdict is lost, no call failed
            value = f"{entity.type} {entity.canonical!r}"
            return VerifierError(f"entity {entity.id}, {value}: {one_line(error)}")

    def by_words(self, words: Pack, language: str) -> ByWords:
        """The judge of a language that has a pack and no families of its own."""
        from pytest_asrbench.verifiers.languages.verdicts import ByWords

        return ByWords.of(words, language, self._types, self._policy)

    def _verdict(self, entity: Entity, tokens: Tokens, words: Pack) -> Verdict:
        compiled = self.compiled(entity, words)
        match, refused = search(tokens, compiled)
        fluent = without_fillers(tokens, words.fillers)
        if fluent is None:
            if match is not None:
                return _present(tokens.text, tokens, match)
            return _absent(tokens, compiled[0], refused)
        again, longer = search(fluent, compiled)
        if match is not None and (again is not None or not _covers(longer, match)):
            return _present(tokens.text, tokens, match)
        if again is not None:
            return _present(tokens.text, fluent, again)
        if match is not None:  # "505, uh, 612, uh, 7108, uh, 70": a filler hid what goes on
            return _absent(fluent, compiled[0], longer)
        return _absent(tokens, compiled[0], refused)

    def doubted(self, entity: Entity, language: str) -> tuple[str | None, str | None]:
        """Reasons why the value can't be one of its type, or says little; None where not."""
        words = pack(language, self._packs)
        if not words.families or self._types.get(entity.type, entity.type) not in self.families:
            return None, None
        case, family = self._case(entity.type, entity.canonical, entity.acoustic, words)
        kind = self._types.get(entity.type, entity.type)
        return possible.fault(case, kind, family), possible.vacuous(case)

    def prepared(self, entity: Entity, words: Pack) -> None:
        """Compile ahead of the transcript; what goes wrong with one value is told when judging."""
        with suppress(*_FAULTS):
            self.compiled(entity, words)

    def compiled(self, entity: Entity, words: Pack) -> tuple[Compiled, ...]:
        """The entity made ready, once for each form that counts. Raises VerifierError."""
        forms = (entity.canonical, *entity.accept)
        return self._compile(entity.type, forms, entity.acoustic, words.language)

    def _compiled(
        self, kind: str, forms: tuple[str, ...], acoustic: str | None, language: str
    ) -> tuple[Compiled, ...]:
        """A value's readings, one set for the canonical and for each accepted form."""
        if self._types.get(kind, kind) not in self.families:
            known = ", ".join(sorted({*self.families, *self._types}))
            raise VerifierError(f"unknown entity type {kind!r}; known: {known}; or declare it")
        return tuple(
            one for form in forms for one in self._each(kind, form, acoustic, pack(language))
        )

    def _each(self, kind: str, text: str, acoustic: str | None, words: Pack) -> Iterator[Compiled]:
        """The value; where it is given in spoken form, what it says (rule 50)."""
        case, family = self._case(kind, text, acoustic, words)
        said = list(said_as(case, family.written)) if family.written else []
        for written in said:
            yield self._one(replace(case, text=written, folded=fold(written)), family)
        if not said or family.aligned in (WORDS, ADDRESS):
            yield self._one(case, family)

    def _case(
        self, kind: str, text: str, acoustic: str | None, words: Pack
    ) -> tuple[FamilyCase, Family]:
        chosen = self._options.get(kind, self._usual)
        numbers = _numbers(
            words.language, chosen.homophones == "accept", chosen.decimal_mark == "comma"
        )
        case = FamilyCase(text, acoustic, words, numbers, chosen, fold(text).strip())
        return case, self.families[self._types.get(kind, kind)]

    def _one(self, case: FamilyCase, family: Family) -> Compiled:
        maker = family.make
        if case.options.separators == "free" and family.aligned == CODE:
            maker = self.families["reference_id"].make  # in which separators are formatting
        readings = maker(case)
        last = partial(spoken.reading, case, readings[0])
        target = Target(case, family.aligned, readings[0].core)
        return Compiled(tuple(readings), target, last)


@cache
def _numbers(language: str, homophones: bool, comma_decimal: bool) -> NumberReader:
    """One set of number words for all values of a language under the same options."""
    return NumberReader(pack(language), homophones=homophones, comma_decimal=comma_decimal)


def _covers(longer: FamilyMatch | None, match: FamilyMatch) -> bool:
    """Without fillers the same place is refused: fewer characters stand before it, none more."""
    return longer is not None and longer.start <= match.start and longer.reading is match.reading


def _present(transcript: str, tokens: Tokens, match: FamilyMatch) -> Verdict:
    start, stop = tokens.span(match.start, match.end)
    return reasons.present(transcript, start, stop, texts(match.doubts))


def _absent(tokens: Tokens, compiled: Compiled, refused: FamilyMatch | None) -> Verdict:
    close = nearest(tokens, compiled.target, refused)
    ambiguous = refused.doubts & Doubt.OF_A_REFUSAL if refused is not None else 0
    if close is not None and refused is None:
        ambiguous = doubtful(tokens, close, compiled.target)
    return reasons.absent(close, texts(ambiguous))
