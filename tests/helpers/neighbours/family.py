"""
What a family of values is: how one is made, written down, said, and turned into its neighbours.

A family knows nothing of the verifier. Its forms come from templates and num2words, so that a
reading which the verifier lacks, or has too much, shows as a difference between two makers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Generic, TypeVar

V = TypeVar("V")
Form = Callable[[Random, V], str | None]
"""One way to write or say a value; None where this value can't be said so."""
Change = Callable[[Random, V], "V | Said | None"]
"""A neighbour of a value, or words that say one; None where this value has no such neighbour."""

WHITE = ("\t", "\n", "\u00a0", "  ", " \n ")
ODD_WHITE = 0.06
CAPITAL = 0.2


@dataclass(frozen=True, slots=True)
class Said:
    """Words for something that is no value of the family: another kind, a part, a ratio."""

    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """A target value and a transcript, with what the policy says of the two.

    `kind` names the family of the fault ("ten times") or of the form ("own: half past").
    """

    type: str
    kind: str
    canonical: str
    transcript: str
    present: bool
    acoustic: str | None = None
    language: str = "en"

    def __str__(self) -> str:
        sign = "+" if self.present else "-"
        return f"{sign} {self.type} [{self.kind}] {self.canonical!r} in {self.transcript!r}"


@dataclass(frozen=True)
class Family(Generic[V]):
    """Values of one entity type.

    `forms` carry the value by the policy's own words; `also` are ways to say it that the policy
    leaves open, so they say only other values; `shared` ones name other values as well (a range has
    two ends), so they say only their own. `changes` are the kinds of neighbours. `beside` are
    sentences in which another reading follows or leads (rule 57), for the forms named `written…`.
    """

    type: str
    value: Callable[[Random], V]
    canonical: Callable[[V], str]
    forms: Mapping[str, Form[V]]
    changes: Mapping[str, Change[V]]
    sentences: tuple[str, ...]
    also: Mapping[str, Form[V]] = field(default_factory=dict)
    shared: Mapping[str, Form[V]] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    acoustic: Callable[[V], str] | None = None
    same: Callable[[V, V], bool] = lambda a, b: a == b
    language: str = "en"
    prefix: str = ""
    """Before the names of the kinds, where a type has families that must be told apart."""
    neutral: tuple[str, ...] = ()
    """Sentences for what is said of another kind; without them as the rest."""
    mistakable: Callable[[V, str], bool] = lambda value, text: False
    """Whether the words of another value may also be read as this one."""

    def kinds(self) -> Iterator[str]:
        yield from (f"own: {self.prefix}{name}" for name in (*self.forms, *self.shared))
        if self.beside:
            yield f"own: {self.prefix}beside another reading"
        yield from (f"{self.prefix}{name}" for name in self.changes)

    def example(self, kind: str, random: Random) -> Example | None:
        """One of `kind`; None where the value that was drawn has none."""
        value = self.value(random)
        if kind.startswith("own: "):
            return self._own(kind.removeprefix(f"own: {self.prefix}"), value, random)
        return self._neighbour(kind.removeprefix(self.prefix), value, random)

    def _own(self, name: str, value: V, random: Random) -> Example | None:
        if form := self.forms.get(name) or self.shared.get(name):
            sentences = self.sentences
        else:
            written = [form for key, form in self.forms.items() if key.startswith("written")]
            form, sentences = random.choice(written), self.beside
        said = form(random, value)
        return said and self._shown(
            f"own: {self.prefix}{name}", value, said, random, sentences, present=True
        )

    def _neighbour(self, kind: str, value: V, random: Random) -> Example | None:
        other = self.changes[kind](random, value)
        sentences = self.sentences
        if other is None:
            return None
        if isinstance(other, Said):
            said, sentences = other.text, self.neutral or self.sentences
        elif self.same(other, value):
            return None
        else:
            said = self.say(random, other)
        if said is None or self.mistakable(value, said):
            return None
        return self._shown(f"{self.prefix}{kind}", value, said, random, sentences, present=False)

    def say(self, random: Random, value: V) -> str | None:
        """`value` in any of the ways in which it can be said."""
        ways = [*self.forms.values(), *self.also.values()]
        for _ in range(8):
            if said := random.choice(ways)(random, value):
                return said
        return None

    def _shown(
        self,
        kind: str,
        value: V,
        said: str,
        random: Random,
        sentences: tuple[str, ...],
        *,
        present: bool,
    ) -> Example:
        text = random.choice(sentences).format(said).replace("..", ".")
        if random.random() < CAPITAL:
            text = text[0].upper() + text[1:]
        if random.random() < ODD_WHITE:
            text = text.replace(" ", random.choice(WHITE))
        acoustic = self.acoustic(value) if self.acoustic else None
        canonical = self.canonical(value)
        return Example(self.type, kind, canonical, text, present, acoustic, self.language)
