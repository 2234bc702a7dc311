"""From a setting's text to its value. Every error names the place and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pytest_asrbench.errors import InputError
from pytest_asrbench.settings.options import Kind, Option

TRUE: Final = frozenset({"1", "on", "true", "yes"})
FALSE: Final = frozenset({"0", "off", "false", "no"})
SECONDS: Final = {"s": 1, "min": 60, "h": 3600, "d": 86400}
RE_AMOUNT: Final = re.compile(r"(?P<amount>[0-9]{1,15}(?:\.[0-9]+)?)\s*(?P<unit>[a-z]*)")
RE_COUNT: Final = re.compile(r"[0-9]{1,18}")  # not isdigit(), which takes superscripts
RE_SHARD: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")
RE_NAME: Final = re.compile(r"[\w.-]+(?::[\w.]+)?")  # names the thresholds file too
RE_CONDITION: Final = re.compile(r"[\w.-]+(:[\w.#*-]+)?(\+[\w.-]+(:[\w.#*-]+)?)*")
RE_TAG: Final = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Budget:
    """The amount that a run may spend: money in the price table's currency, or seconds of audio."""

    money: float | None = None
    audio_s: float | None = None


def parse(option: Option, text: str, where: str, base: Path) -> Any:
    """The value of a setting; `base` is what a relative path is relative to. Raises InputError."""
    try:
        return PARSERS[option.kind](option, text.strip(), base)
    except ValueError as error:
        raise InputError(f"{where}: expected {error}, not {text!r}") from None


def _name(option: Option, text: str, base: Path) -> str:
    if not RE_NAME.fullmatch(text):
        raise ValueError("a name of letters, digits, . _ and -, or module:attr")
    return text


def _verifier(option: Option, text: str, base: Path) -> str:
    """A name or module:attr as it is; the path of path.py:attr absolute."""
    place, _, attribute = text.partition(":")
    if not place:
        raise ValueError("a name, module:attr or path.py:attr")
    return f"{_path(option, place, base)}:{attribute}" if place.endswith(".py") else text


def _path(option: Option, text: str, base: Path) -> Path:
    if not text:
        raise ValueError("a path")
    return (base / Path(text).expanduser()).resolve()


def _data(option: Option, text: str, base: Path) -> str:
    if not text:
        raise ValueError("[LAYOUT:]PATH")
    return text


def _choice(option: Option, text: str, base: Path) -> str:
    if text not in option.choices:
        *others, last = option.choices
        raise ValueError(f"{', '.join(others)} or {last}")
    return text


def _flag(option: Option, text: str, base: Path) -> bool:
    if text.lower() not in TRUE | FALSE:
        raise ValueError("true or false")
    return text.lower() in TRUE


def _count(option: Option, text: str, base: Path) -> int:
    if not RE_COUNT.fullmatch(text) or int(text) < option.least:
        raise ValueError(f"a whole number from {option.least}")
    return int(text)


def _odd(option: Option, text: str, base: Path) -> int:
    if not RE_COUNT.fullmatch(text) or int(text) % 2 == 0:
        raise ValueError("an odd number")
    return int(text)


def _shard(option: Option, text: str, base: Path) -> tuple[int, int]:
    match = RE_SHARD.fullmatch(text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError("K/N with K from 1 to N, such as 2/4")
    return int(match[1]), int(match[2])


def _tags(option: Option, text: str, base: Path) -> tuple[str, ...]:
    tags = [tag.strip() for tag in text.split(",")]
    if not all(RE_TAG.fullmatch(tag) for tag in tags):
        raise ValueError("tags of letters, digits, _ and -, separated by commas")
    return tuple(sorted(set(tags)))


def _conditions(option: Option, text: str, base: Path) -> tuple[str, ...]:
    names = [name.strip() for name in text.split(",")]
    if not all(RE_CONDITION.fullmatch(name) for name in names):
        raise ValueError("conditions such as phone or noise:10+phone, separated by commas")
    return tuple(dict.fromkeys(names))


def _budget(option: Option, text: str, base: Path) -> Budget:
    match = RE_AMOUNT.fullmatch(text)
    if match and not match["unit"]:
        return Budget(money=float(match["amount"]))
    if match and match["unit"] in SECONDS:
        return Budget(audio_s=float(match["amount"]) * SECONDS[match["unit"]])
    raise ValueError("money such as 2.50, or audio such as 90min")


def _duration(option: Option, text: str, base: Path) -> float:
    return duration(text)


def duration(text: str) -> float:
    """Seconds of `30d`. Raises ValueError with what is expected."""
    match = RE_AMOUNT.fullmatch(text)
    if not match or match["unit"] not in SECONDS:
        raise ValueError("a time such as 90s, 30min, 12h or 7d")
    return float(match["amount"]) * SECONDS[match["unit"]]


def _reports(option: Option, text: str, base: Path) -> dict[str, Path]:
    """`tap=run.tap,sarif=run.sarif`"""
    pairs = [part.strip().partition("=") for part in text.split(",")]
    if not all(RE_TAG.fullmatch(name) and file for name, _, file in pairs):
        raise ValueError("FORMAT=FILE, several separated by commas")
    return {name: _path(option, file, base) for name, _, file in pairs}


PARSERS: Final[dict[Kind, Callable[[Option, str, Path], Any]]] = {
    "name": _name,
    "verifier": _verifier,
    "path": _path,
    "data": _data,
    "choice": _choice,
    "flag": _flag,
    "count": _count,
    "odd": _odd,
    "shard": _shard,
    "tags": _tags,
    "conditions": _conditions,
    "budget": _budget,
    "duration": _duration,
    "reports": _reports,
}
