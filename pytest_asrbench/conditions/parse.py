"""From names and settings to conditions. Raises InputError, one line with the place and the
remedy."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pytest_asrbench.conditions.condition import SEED, Condition, Step
from pytest_asrbench.conditions.steps import CHAINS, CLIPS, FUNCTION, STEPS, Knob
from pytest_asrbench.errors import InputError
from pytest_asrbench.settings.file import ConditionEntry

ALL = "all"
RE_OWN = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
DEEPEST = 8  # of conditions named in conditions


class Conditions:
    """The conditions that can be asked for by name: ready ones, and those of the settings.

    `own` are the entries of `conditions:`, paths in them relative to `folder`.
    """

    def __init__(self, own: Mapping[str, ConditionEntry] | None = None) -> None:
        self._own = own or {}

    def asked(self, names: Sequence[str]) -> tuple[Condition, ...]:
        """Each of them, once; `all` stands for those of the settings."""
        chosen: dict[str, Condition] = {}
        for name in names:
            if name == ALL and not self._own:
                raise InputError(
                    f"condition all: the settings have no `conditions:`; known: {self._known()}"
                )
            for each in self._own if name == ALL else (name,):
                chosen.setdefault(each, self.named(each))
        return tuple(chosen.values())

    def check(self) -> None:
        """Raises InputError for a faulty entry of the settings."""
        for name in self._own:
            self.named(name)

    def named(self, name: str) -> Condition:
        """A name, or several joined by +, with a value behind a colon where one is taken."""
        chain = [self._part(part, 0) for part in name.split("+")]
        seeds = {each.seed for each in chain} - {SEED}
        if len(seeds) > 1:
            raise InputError(f"condition {name}: its parts have several seeds; join them as steps")
        steps = tuple(step for each in chain for step in each.steps)
        return Condition(name, steps, *seeds)

    def _part(self, text: str, depth: int) -> Condition:
        entry = self._own.get(text)
        if entry is not None and entry.value not in (None, {}, ""):
            return self._of_entry(text, entry, depth)
        where = entry.where if entry else f"condition {text}"
        return Condition(text, tuple(self._ready(text, where)))

    def _ready(self, text: str, where: str) -> Iterator[Step]:
        """`phone`, `noise:10`."""
        name, colon, value = text.partition(":")
        if name in CHAINS and not colon:
            for part in CHAINS[name]:
                yield from self._ready(part, where)
        elif name in STEPS:
            kind = STEPS[name]
            if colon and kind.first is None:
                raise InputError(f"{where}: {name} takes no value; leave out :{value}")
            yield _step(name, {kind.first or "": value} if colon else {}, where, Path())
        else:
            near = get_close_matches(name, [*STEPS, *CHAINS, *self._own], n=1)
            hint = f"did you mean {near[0]}?" if near else f"known: {self._known()}"
            raise InputError(f"{where}: no condition {text!r}; {hint}")

    def _known(self) -> str:
        return ", ".join([*self._own, *CHAINS, *(name for name in STEPS if name not in self._own)])

    def _of_entry(self, name: str, entry: ConditionEntry, depth: int) -> Condition:
        base = name.partition(":")[0]
        if base in STEPS or base in CHAINS:
            raise InputError(f"{entry.where}: {base} is a ready condition; give yours another name")
        if not RE_OWN.fullmatch(name) or name == ALL:
            raise InputError(f"{entry.where}: a name of letters, digits, . _ and -, not {name!r}")
        value: Any = entry.value
        if isinstance(value, str):
            value = {"steps": value.split("+")}
        if isinstance(value, Mapping) and FUNCTION in value:
            value = {"steps": [{k: v for k, v in value.items() if k != "seed"}], **_seed(value)}
        if not isinstance(value, Mapping) or not isinstance(value.get("steps"), list):
            raise InputError(f"{entry.where}: write {{steps: [phone, ...]}} or {{function: ...}}")
        if unknown := [key for key in value if key not in ("steps", "seed")]:
            raise InputError(f"{entry.where}: unknown key {unknown[0]!r}; known: steps, seed")
        seed = value.get("seed", SEED)
        if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
            raise InputError(f"{entry.where}: seed must be a whole number, not {seed!r}")
        steps = [step for each in value["steps"] for step in self._steps(each, entry, depth)]
        if not steps:
            raise InputError(f"{entry.where}: no steps; a condition without any is the raw clip")
        return Condition(name, tuple(steps), seed)

    def _steps(self, given: Any, entry: ConditionEntry, depth: int) -> Iterator[Step]:
        """Of one item of `steps`: a text as `noise:10`, or `{noise: {snr: 10, from: [...]}}`."""
        where = entry.where
        if isinstance(given, str):
            if depth >= DEEPEST:
                raise InputError(f"{where}: conditions name each other in a circle; break it")
            if given in self._own and self._own[given].value:
                yield from self._of_entry(given, self._own[given], depth + 1).steps
            else:
                yield from self._ready(given, where)
        elif isinstance(given, Mapping) and FUNCTION in given:
            yield _own_function(given, where, entry.folder)
        elif isinstance(given, Mapping) and len(given) == 1:
            ((name, value),) = given.items()
            if name not in STEPS:
                raise InputError(f"{where}: no step {name!r}; known: {', '.join(STEPS)}, function")
            first = STEPS[name].first
            knobs = value if isinstance(value, Mapping) else {first or "": value}
            yield _step(name, {} if value is None else knobs, where, entry.folder)
        else:
            raise InputError(f"{where}: a step is a name, like noise:10, or {{noise: {{snr: 10}}}}")


def _seed(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"seed": value["seed"]} if "seed" in value else {}


def _step(name: str, given: Mapping[str, Any], where: str, folder: Path) -> Step:
    """With each knob's value, the defaults among them."""
    known = STEPS[name].knobs
    if unknown := [key for key in given if key not in known]:
        takes = ", ".join(known) or "nothing"
        raise InputError(f"{where}: {name} takes {takes}, not {unknown[0] or given['']!r}")
    knobs = {
        key: _value(knob, given[key], f"{where}: {name}: {key}", folder)
        for key, knob in known.items()
        if key in given
    }
    for key, knob in known.items():
        if key not in knobs and knob.default is None:
            raise InputError(f"{where}: {name} needs {key}; write {name}:VALUE")
        knobs.setdefault(key, knob.default)
    step = Step(name, knobs)
    files = [Path(file) for file in knobs.get("from", ()) if file != CLIPS]
    return replace(step, content=tuple(_sha256(file, where) for file in files))


def _value(knob: Knob, given: Any, where: str, folder: Path) -> Any:
    if knob.paths:
        listed = given if isinstance(given, list) else [given]
        if not listed or not all(isinstance(each, str) and each for each in listed):
            raise InputError(f"{where} must be {CLIPS}, or a list of recordings, not {given!r}")
        if CLIPS in listed:
            return (CLIPS,)
        return tuple(str((folder / each).resolve()) for each in listed)
    if knob.alphabet:
        if not given or set(str(given)) - set(knob.alphabet):
            raise InputError(f"{where} must be of {knob.alphabet}, not {given!r}")
        return str(given)
    if knob.choices:
        chosen = next((each for each in knob.choices if str(each) == str(given)), None)
        if chosen is None:
            known = ", ".join(map(str, knob.choices))
            raise InputError(f"{where} must be one of {known}, not {given!r}")
        return chosen
    return _number(knob, given, where)


def _number(knob: Knob, given: Any, where: str) -> float | int:
    try:
        number = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError):
        number = math.nan
    if not knob.least <= number <= knob.most or (knob.whole and number != int(number)):
        kind = "a whole number" if knob.whole else "a number"
        raise InputError(
            f"{where} must be {kind} from {knob.least:g} to {knob.most:g}, not {given!r}"
        )
    return int(number) if number == int(number) else number


def _own_function(given: Mapping[str, Any], where: str, folder: Path) -> Step:
    """A function of the user's own; the digest of its file stands for what it does."""
    from pytest_asrbench.conditions import own_code

    name = given[FUNCTION]
    if not isinstance(name, str) or not all(name.partition(":")):
        raise InputError(f"{where}: function must be module:attr or path.py:attr, not {name!r}")
    place, _, attribute = name.partition(":")
    target = f"{(folder / place).resolve()}:{attribute}" if place.endswith(".py") else name
    own_code.load(target, where, folder)
    knobs = {key: value for key, value in given.items() if key != FUNCTION}
    return Step(FUNCTION, {FUNCTION: target, **knobs}, (own_code.digest(target),))


def _sha256(file: Path, where: str) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{where}: {file}: can't be read ({error.strerror})") from None
