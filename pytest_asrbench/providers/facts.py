"""Facts on how well the built-in providers' protocols are known: `data/providers.yaml`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import load_yaml
from pytest_asrbench.providers.base import AnyProvider
from pytest_asrbench.providers.needs import Need, needs
from pytest_asrbench.providers.registry import BUILTIN, reference
from pytest_asrbench.providers.terms import spelled_as

FILE = Path(str(files("pytest_asrbench") / "data" / "providers.yaml"))
OWN_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
RE_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]+")
MODES = ("batch", "stream")


@dataclass(frozen=True)
class Known:
    """One built-in provider in one mode."""

    use: str
    mode: str
    confidence: str
    facts: str
    checked_live: str

    @cached_property
    def target(self) -> Any:
        """Its class, which is imported now."""
        module, _, attribute = reference(self.use, self.mode).partition(":")
        return getattr(import_module(module), attribute)

    @property
    def model(self) -> str | None:
        """The model that is sent where none is configured."""
        model: str | None = getattr(self.target, "MODEL", None)
        return model

    @property
    def terms(self) -> str:
        """The vendor's field for `terms:`; empty where it takes none."""
        return spelled_as(getattr(self.target, "TERMS", None), self.model)

    @property
    def needs(self) -> list[Need]:
        return needs(self.target)

    @property
    def ready(self) -> bool:
        return all(need.met for need in self.needs)


def known() -> Iterator[Known]:
    """Every built-in provider and mode, by name. Raises InputError on a table with gaps."""
    table = load_yaml(FILE)
    for use in sorted(BUILTIN):
        if use not in table:
            raise InputError.at(FILE, None, f"add {use}, with the confidence of its facts")
        for mode in MODES:
            if mode in table[use]:
                yield Known(use, mode, **table[use][mode])


def known_as(use: str, mode: str) -> Known | None:
    """None for what is not built in."""
    return next((each for each in known() if (each.use, each.mode) == (use, mode)), None)


def variables(use: str, mode: str) -> dict[str, str]:
    """The environment variables that a built-in provider reads, as they are now; keys as KEY."""
    each = known_as(use, mode)
    names = [name for need in (each.needs if each else ()) for name in need.text.split(" or ")]
    key = getattr(each.target, "KEY", None) if each else None
    values = {name: os.environ.get(name, "") for name in names if RE_VARIABLE.fullmatch(name)}
    return {name: "KEY" if name == key else value for name, value in values.items() if value}


def how_to_record(use: str, mode: str, provider: AnyProvider, today: date) -> str | None:
    """The line to write down after a success with a real key; None where this was none."""
    each = known_as(use, mode)
    if each is None or getattr(each.target, "KEY", None) is None:
        return None
    host = getattr(provider, "host", "localhost")
    if host.partition(":")[0] in OWN_HOSTS or each.checked_live == today.isoformat():
        return None
    return (
        f"{use} ({mode}) works at {host} with a real key; to record that, write "
        f"`checked_live: {today}` for it into {FILE}"
    )
