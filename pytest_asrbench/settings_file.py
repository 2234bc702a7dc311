"""
`asrbench.yaml`: settings, named provider configurations, own types and policy knobs.

    data: clips.yaml
    providers:
      nova3: {use: deepgram, model: nova-3, params: {smart_format: true}, timeout_s: 60}
    verifiers: {llm: {model: gpt-6-luna, params: {reasoning_effort: none}}}
    types: {confirmation_code: {like: reference_id}}
    policy: {date: {date_order: day-first}}

Scalars are text, typed by the settings' table; inside `params`, true, false and numbers are what
they look like, unless quoted.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Final

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import load_yaml_quoted
from pytest_asrbench.options import OPTIONS

FILE_NAME: Final = "asrbench.yaml"
SECTIONS: Final = ("providers", "verifiers", "types", "policy")
KEYS: Final = tuple(o.name for o in OPTIONS if "file" in o.places)
# JSON's numbers: 0132 stays text, as everywhere in our files.
RE_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
LIMITS: Final[Mapping[str, type]] = {
    "concurrency": int,
    "requests_per_minute": float,
    "timeout_s": float,
    "loading_s": float,
    "attempts": int,
    "backoff_s": float,
    "price_per_minute": float,
}

VERIFIER: Final = ("model", "base_url", "api_key_env", "timeout_s", "votes", "params", "price")
VERIFIERS: Final = {"llm": VERIFIER, "cascade": (*VERIFIER, "fallback")}
VERIFIER_NUMBERS: Final[Mapping[str, type]] = {"timeout_s": float, "votes": int}


@dataclass(frozen=True)
class SettingsFile:
    """The file's content; `rows` are for messages."""

    path: Path
    values: Mapping[str, str]
    providers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    verifiers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    policy: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rows: Mapping[str, int] = field(default_factory=dict)

    def where(self, key: str) -> str:
        return f"{self.path}:{self.rows.get(key, 1)}: {key}"


def read_settings_file(path: Path) -> SettingsFile:
    """Read and check the whole file. Raises InputError with file, row and remedy."""
    data, rows, quoted = load_yaml_quoted(path)
    reader = _Reader(path, rows, quoted)
    content = reader.mapping(data, ())
    reader.known(content, (*KEYS, *SECTIONS))
    return SettingsFile(
        path=path,
        values={k: reader.text(v, (k,)) for k, v in content.items() if k in KEYS and v is not None},
        providers=reader.section(content, "providers", reader.provider),
        verifiers=reader.section(content, "verifiers", reader.verifier),
        types=reader.section(content, "types", reader.own_type),
        policy=reader.section(content, "policy", reader.knobs),
        rows={str(at[0]): row for at, row in rows.items() if len(at) == 1},
    )


class _Reader:
    """Checks one part of the file at a time; `at` is the path of keys that leads to it."""

    def __init__(
        self,
        path: Path,
        rows: Mapping[tuple[Any, ...], int],
        quoted: Collection[tuple[Any, ...]],
    ) -> None:
        self.path = path
        self.rows = rows
        self.quoted = quoted

    def fault(self, at: tuple[Any, ...], what: str) -> InputError:
        name = f"{'.'.join(map(str, at))}: " if at else ""
        return InputError.at(self.path, self.rows.get(at), name + what)

    def known(
        self, content: Mapping[str, Any], keys: Iterable[str], at: tuple[Any, ...] = ()
    ) -> None:
        for key in content:
            if key == "provider" and not at:
                raise self.fault(
                    (key,), "a provider is chosen by --asr-provider or ASRBENCH_PROVIDER, not here"
                )
            if key not in keys:
                close = get_close_matches(key, keys, n=1)
                hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(keys)}"
                raise self.fault((*at, key), f"unknown key; {hint}")

    def mapping(self, value: Any, at: tuple[Any, ...]) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.fault(at, "expected keys and values")
        return value

    def text(self, value: Any, at: tuple[Any, ...]) -> str:
        """A scalar; a list of scalars is a comma-separated text (tags)."""
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return ",".join(value)
        if not isinstance(value, str):
            raise self.fault(at, "expected one value")
        return value

    def section(self, content: Mapping[str, Any], name: str, read: Any) -> dict[str, Any]:
        entries = self.mapping(content.get(name), (name,))
        return {key: read(entry, (name, key)) for key, entry in entries.items()}

    def provider(self, value: Any, at: tuple[Any, ...]) -> dict[str, Any]:
        entry = self.mapping(value, at)
        if not entry.get("use"):
            raise self.fault(at, "add `use:`, the provider that this configures")
        return {
            "use": self.text(entry["use"], (*at, "use")),
            **{k: self.setting(v, (*at, k)) for k, v in entry.items() if k != "use"},
        }

    def setting(self, value: Any, at: tuple[Any, ...]) -> Any:
        """One key of a provider: a limit, the vendor's `params`, or text."""
        key = at[-1]
        if key == "params":
            return self.typed(self.mapping(value, at), at)
        if key == "isolate" and value != "process":
            raise self.fault(at, f"expected process, not {shortened(value)}")
        return self.number(value, at, LIMITS[key]) if key in LIMITS else value

    def number(self, value: Any, at: tuple[Any, ...], kind: type) -> int | float:
        text = self.text(value, at)
        number = float(text) if RE_NUMBER.fullmatch(text) else math.nan
        if text == "0" and at[-1] == "loading_s":
            return 0.0
        if not 0 < number < math.inf or kind(number) != number:
            wanted = "a whole number" if kind is int else "a number"
            raise self.fault(at, f"expected {wanted} above 0, not {shortened(text)}")
        exact: int | float = kind(number)
        return exact

    def verifier(self, value: Any, at: tuple[Any, ...]) -> dict[str, Any]:
        """What `llm` or `cascade` is asked with; other verifiers take no settings."""
        self.known({at[-1]: value}, VERIFIERS, at[:-1])
        entry = self.mapping(value, at)
        self.known(entry, VERIFIERS[at[-1]], at)
        return {key: self.asked_with(part, (*at, key)) for key, part in entry.items()}

    def asked_with(self, value: Any, at: tuple[Any, ...]) -> Any:
        key = at[-1]
        if key in ("params", "price"):
            return self.typed(self.mapping(value, at), at)
        if key in VERIFIER_NUMBERS:
            return self.number(value, at, VERIFIER_NUMBERS[key])
        text = self.text(value, at)
        if key != "fallback":
            return text
        if text not in ("true", "false"):
            raise self.fault(at, f"expected true or false, not {text!r}")
        return text == "true"

    def own_type(self, value: Any, at: tuple[Any, ...]) -> str:
        entry = self.mapping(value, at)
        if set(entry) != {"like"}:
            raise self.fault(at, "write {like: reference_id}, naming the type that it is like")
        return self.text(entry["like"], (*at, "like"))

    def knobs(self, value: Any, at: tuple[Any, ...]) -> dict[str, str]:
        return {k: self.text(v, (*at, k)) for k, v in self.mapping(value, at).items()}

    def typed(self, value: Any, at: tuple[Any, ...]) -> Any:
        """`params` as a vendor's API wants them: plain true, false and numbers are not text."""
        if isinstance(value, dict):
            return {key: self.typed(part, (*at, key)) for key, part in value.items()}
        if isinstance(value, list):
            return [self.typed(part, (*at, n)) for n, part in enumerate(value)]
        if not isinstance(value, str) or at in self.quoted:
            return value
        if RE_NUMBER.fullmatch(value) and not math.isfinite(float(value)):
            raise self.fault(
                at, f"{shortened(value)} is too large; correct it, or quote it as text"
            )
        literal = value in ("true", "false") or RE_NUMBER.fullmatch(value)
        return json.loads(value) if literal else value
