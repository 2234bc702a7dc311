"""Options per type, set under `policy:` in asrbench.yaml. The defaults are the written policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Final

from pytest_asrbench.errors import InputError

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "case": ("cue", "exact", "ignore"),
    "separators": ("policy", "exact", "free"),
    "homophones": ("reject", "accept"),
    "date_order": ("month-first", "day-first"),
    "clock": ("12-hour", "24-hour"),
    "decimal_mark": ("point", "comma"),
}


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """Options that a team may loosen or tighten; the first choice of each is the policy."""

    case: str = "cue"
    """cue: casing counts where the spoken form cues it (rule 9); exact: always; ignore: never."""
    separators: str = "policy"
    """policy: rules 7 and 8; exact: they count in every type; free: in none."""
    homophones: str = "reject"
    """accept: "for", "to", "won", "ate" count as digits (against rule 11)."""
    date_order: str = "month-first"
    """day-first: 3/5 is the third of May (against rule 15)."""
    clock: str = "12-hour"
    """24-hour: a bare 09:30 carries 9:30 AM (against rule 28)."""
    decimal_mark: str = "point"
    """comma: 3,14 is a decimal and 12.000 twelve thousand (against rule 26)."""


NAMES: Final = tuple(field.name for field in fields(RuleOptions))


def options_by_type(
    policy: Mapping[str, Mapping[str, str]], types: Iterable[str]
) -> dict[str, RuleOptions]:
    """Options by type; a type without any has the defaults.

    Raises InputError for a type, option or choice that is not known, listing those that are.
    """
    known = sorted(types)
    return {kind: _of(kind, chosen, known) for kind, chosen in policy.items()}


def _of(kind: str, chosen: Mapping[str, str], known: list[str]) -> RuleOptions:
    if kind not in known:
        raise InputError(f"policy: unknown type {kind!r}; known: {', '.join(known)}")
    for name, value in chosen.items():
        if name not in CHOICES:
            raise InputError(f"policy.{kind}: unknown option {name!r}; known: {', '.join(NAMES)}")
        if value not in CHOICES[name]:
            choices = ", ".join(CHOICES[name])
            raise InputError(f"policy.{kind}.{name}: {value!r} is no choice; choose {choices}")
    return RuleOptions(**chosen)
