"""Reading a thresholds file strictly: a typing error must not switch a gate off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, NoReturn

from pytest_asrbench import files
from pytest_asrbench.errors import InputError
from pytest_asrbench.gates import contradictions
from pytest_asrbench.gates.measures import MEASURES, Measure, Name
from pytest_asrbench.gates.remedies import PYTEST, Remedies
from pytest_asrbench.gates.thresholds import (
    ALPHA,
    READABLE,
    SCHEMA,
    Baseline,
    Exemption,
    Policy,
    Thresholds,
)
from pytest_asrbench.kinds import LARGEST
from pytest_asrbench.model import ErrorRate, Rate
from pytest_asrbench.parsing import RE_COUNT
from pytest_asrbench.verifiers.base import Identity

At = tuple[str | int, ...]

PLACES = 20  # decimal places of a limit: more than any count needs to be told from the next

_KEYS = (
    "schema", "provider", "dataset", "verifier", "recorded", "normaliser", "alpha", "gates",
    "baseline", "quarantine", "expected_misses",
)  # fmt: skip


def read(path: Path, name: str | None = None, remedies: Remedies = PYTEST) -> Thresholds:
    """The thresholds in this file.

    Raises InputError where it can't be read, is of another schema, holds something unknown, or was
    written for another provider configuration than `name`.
    """
    data, rows = files.load_yaml_rows(path)
    parser = _Parser(path, rows)
    thresholds = parser.thresholds(parser.mapping(data, (), None))
    if thresholds.baseline:
        for at, what in contradictions.of_baseline(thresholds.baseline, thresholds.clips):
            remedy = f"restore the file, or take its baseline out and run {remedies.update}"
            parser.fail(at, f"the baseline contradicts itself: {what}; {remedy}")
    if name is not None and thresholds.name not in (None, name):
        parser.fail(
            ("provider", "name"),
            f"written for configuration {thresholds.name!r}, this run is {name!r}; "
            f"give the right file with {remedies.thresholds}",
        )
    return thresholds


@dataclass(frozen=True, slots=True)
class _Clip:
    """What the list of clips says of one."""

    digest: str
    recovered: Rate | None = None
    words: ErrorRate | None = None


class _Parser:
    """Knows the file's name and rows, for messages."""

    def __init__(self, path: Path, rows: files.Rows) -> None:
        self.path = path
        self.rows = rows

    def fail(self, at: At, what: str) -> NoReturn:
        while at and at not in self.rows:
            at = at[:-1]
        raise InputError.at(self.path, self.rows.get(at), what)

    def mapping(self, data: Any, at: At, known: Collection[str] | None) -> Mapping[str, Any]:
        """The mapping, empty for nothing; with `known`, other keys are refused."""
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.fail(at, f"{_label(at)} must be a mapping")
        for key in data:
            if known is not None and key not in known:
                self.fail((*at, key), f"unknown key {key!r}; known: {', '.join(known)}")
        return data

    def entries(self, data: Any, at: At) -> list[Any]:
        if data is None:
            return []
        if not isinstance(data, list):
            self.fail(at, f"{_label(at)} must be a list")
        return data

    def text(self, data: Any, at: At) -> str:
        if not isinstance(data, str):
            self.fail(at, f"{_label(at)} must be text")
        return data

    def number(self, data: Any, at: At) -> Decimal:
        try:
            value = Decimal(data)
        except (InvalidOperation, TypeError, ValueError):
            self.fail(at, f"{_label(at)}: {data!r} is no number; write it like 0.80")
        if not value.is_finite() or value < 0:
            self.fail(at, f"{_label(at)}: {data} must be 0 or more")
        if value > LARGEST or -int(value.as_tuple().exponent) > PLACES:
            says = f"{shortened(data)} has more digits than make sense; write it shorter"
            self.fail(at, f"{_label(at)}: {says}")
        return value

    def whole(self, data: Any, at: At) -> int:
        if not (isinstance(data, str) and RE_COUNT.fullmatch(data)):
            self.fail(at, f"{_label(at)}: {shortened(data)} is no whole number")
        return int(data)

    def day(self, data: Any, at: At) -> date:
        try:
            return date.fromisoformat(data)
        except (TypeError, ValueError):
            self.fail(at, f"{_label(at)}: {data!r} is no day; write it like 2027-01-31")

    def flag(self, data: Any, at: At) -> bool:
        if data not in ("true", "false"):
            self.fail(at, f"{_label(at)}: {data!r} is neither true nor false")
        return bool(data == "true")

    def thresholds(self, data: Mapping[str, Any]) -> Thresholds:
        if data.get("schema") not in READABLE:
            self.fail(
                ("schema",),
                f"schema {data.get('schema')!r}, this version reads 1 to {SCHEMA}; "
                "upgrade pytest-asrbench or correct the file",
            )
        self.mapping(data, (), _KEYS)
        dataset = self.mapping(data.get("dataset"), ("dataset",), ("name", "digest", "clips"))
        provider = self.mapping(data.get("provider"), ("provider",), ("name", "use", "model"))
        listed = self.mapping(dataset.get("clips"), ("dataset", "clips"), None)
        clips = {clip: self.clip(each, ("dataset", "clips", clip)) for clip, each in listed.items()}
        return Thresholds(
            gates=dict(self.gates(data.get("gates"), ("gates",), None)),
            provider={k: self.text(v, ("provider", k)) for k, v in provider.items() if v},
            dataset=dataset.get("name"),
            digest=dataset.get("digest"),
            clips={clip: each.digest for clip, each in clips.items()},
            verifier=self.verifier(data.get("verifier")),
            recorded=self.optional(data, "recorded", self.day),
            normaliser=data.get("normaliser"),
            alpha=self.optional(data, "alpha", self.alpha) or ALPHA,
            baseline=self.baseline(data.get("baseline"), clips),
            quarantine=self.exemptions(data, "quarantine"),
            expected_misses=self.exemptions(data, "expected_misses"),
            path=self.path,
        )

    def optional(self, data: Mapping[str, Any], key: str, read: Callable[[Any, At], Any]) -> Any:
        return read(data[key], (key,)) if data.get(key) is not None else None

    def alpha(self, data: Any, at: At) -> Decimal:
        value = self.number(data, at)
        if not 0 < value < 1:
            self.fail(at, f"{_label(at)}: {data} must lie between 0 and 1")
        return value

    def verifier(self, data: Any) -> Identity | None:
        known = ("id", "version", "digest")
        given = self.mapping(data, ("verifier",), known)
        if not given:
            return None
        return Identity(*(self.text(given.get(key), ("verifier", key)) for key in known))

    def gates(self, data: Any, at: At, slice_: str | None) -> Iterator[tuple[str, Policy]]:
        """(gate name, policy) for each gate, those of slices with their slice in the name."""
        known = [*MEASURES, *(() if slice_ else ("slices",))]
        for key, value in self.mapping(data, at, known).items():
            here = (*at, key)
            if key == "slices":
                for name, gates in self.mapping(value, here, None).items():
                    if not all(name.partition("=")):
                        self.fail((*here, name), f"slice {name!r}; write it like domain=finance")
                    yield from self.gates(gates, (*here, name), name)
            elif key == "recovery":
                for type_, policy in self.mapping(value, here, None).items():
                    name = str(Name(key, type_, slice_))
                    yield name, self.policy(policy, (*here, type_), MEASURES[key])
            else:
                yield str(Name(key, None, slice_)), self.policy(value, here, MEASURES[key])

    def policy(self, data: Any, at: At, measure: Measure) -> Policy:
        given = self.mapping(data, at, allowed(measure))
        policy = Policy(
            **{key: self.condition(key, given[key], (*at, key), measure) for key in given}
        )
        if not policy.conditions:
            self.fail(at, f"{_label(at)} has no condition; give one of {_conditions(measure)}")
        return policy

    def condition(self, key: str, data: Any, at: At, measure: Measure) -> Any:
        if key == "paired":
            return self.flag(data, at)
        if key == "alpha":
            return self.alpha(data, at)
        if key in ("max_new_misses", "min_n"):
            return self.whole(data, at)
        value = self.number(data, at)
        if key == "min" and value > 1:
            self.fail(at, f"{_label(at)}: {data} is more than everything; write 80% as 0.80")
        return value

    def clip(self, data: Any, at: At) -> _Clip:
        """A line of the list of clips; schema 1 has the digest alone."""
        if isinstance(data, str):
            return _Clip(data)
        given = self.mapping(data, at, ("digest", "recovered", "words"))
        recovered, words = given.get("recovered"), given.get("words")
        return _Clip(
            digest=self.text(given.get("digest"), (*at, "digest")),
            recovered=None if recovered is None else self.rate(recovered, (*at, "recovered")),
            words=None if words is None else ErrorRate(*self.counts(words, (*at, "words"))),
        )

    def baseline(self, data: Any, clips: Mapping[str, _Clip]) -> Baseline | None:
        at: At = ("baseline",)
        known = ("repeats", "ctem", "tsr", "recovery", "wer", "cer", "misses", "unstable")
        given = self.mapping(data, at, known)
        if "misses" not in given:
            return None
        unstable = self.mapping(given.get("unstable"), (*at, "unstable"), None)
        return Baseline(
            misses=frozenset(self.texts(given["misses"], (*at, "misses"))),
            unstable={
                key: tuple(
                    self.whole(each, (*at, "unstable", key))
                    for each in self.entries(repeats, (*at, "unstable", key))
                )
                for key, repeats in unstable.items()
            },
            repeats=self.whole(given["repeats"], (*at, "repeats")) if "repeats" in given else 1,
            rates=dict(self.rates(given)),
            errors={
                key: ErrorRate(*self.counts(given[key], (*at, key)))
                for key in ("wer", "cer")
                if key in given
            },
            recovered={clip: each.recovered for clip, each in clips.items() if each.recovered},
            words={clip: each.words for clip, each in clips.items() if each.words},
        )

    def rates(self, given: Mapping[str, Any]) -> Iterator[tuple[str, Rate]]:
        at: At = ("baseline",)
        for key in ("ctem", "tsr"):
            if key in given:
                yield key, self.rate(given[key], (*at, key))
        for type_, value in self.mapping(given.get("recovery"), (*at, "recovery"), None).items():
            yield f"recovery:{type_}", self.rate(value, (*at, "recovery", type_))

    def rate(self, data: Any, at: At) -> Rate:
        hits, total = self.counts(data, at)
        if hits > total:
            self.fail(at, f"{_label(at)}: {hits} of {total}")
        return Rate(hits, total)

    def counts(self, data: Any, at: At) -> tuple[int, int]:
        pair = self.entries(data, at)
        if len(pair) != 2:
            self.fail(at, f"{_label(at)} must be two counts, like [60, 96]")
        return self.whole(pair[0], at), self.whole(pair[1], at)

    def texts(self, data: Any, at: At) -> list[str]:
        return [self.text(each, (*at, i)) for i, each in enumerate(self.entries(data, at))]

    def exemptions(self, data: Mapping[str, Any], key: str) -> tuple[Exemption, ...]:
        return tuple(
            self.exemption(each, (key, i))
            for i, each in enumerate(self.entries(data.get(key), (key,)))
        )

    def exemption(self, data: Any, at: At) -> Exemption:
        given = self.mapping(data, at, ("clip", "entity", "reason", "until"))
        which = [key for key in ("clip", "entity") if key in given]
        if len(which) != 1:
            self.fail(at, "give either clip: ID or entity: CLIP/ENTITY")
        for key in ("reason", "until"):
            if not given.get(key):
                self.fail(at, f"{key} is missing; nothing is exempt without reason and last day")
        return Exemption(
            self.text(given[which[0]], at), given["reason"], self.day(given["until"], at)
        )


def _label(at: At) -> str:
    return ".".join(str(part) for part in at) or "the file"


def _conditions(measure: Measure) -> str:
    return ", ".join(key for key in allowed(measure) if key not in ("min_n", "alpha"))


def allowed(measure: Measure) -> tuple[str, ...]:
    """The conditions that fit a measure, and what may stand beside them."""
    if measure.outcomes:
        return "min", "max_drop", "paired", "max_new_misses", "alpha", "min_n"
    if measure.unit == "rate":
        return "max", "max_rise", "min_n"
    return ("max",)
