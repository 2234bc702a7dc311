"""The dataset that a command is about: the one named, else that of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_asrbench.commands.settings import settings_beside
from pytest_asrbench.datasets.load import locate
from pytest_asrbench.settings.config import BY_DATA, resolve


@dataclass(frozen=True, slots=True)
class Chosen:
    """`spec` is `[LAYOUT:]PATH` relative to `base`; `path` is the file that lists the clips."""

    spec: str
    base: Path
    layout: str
    path: Path
    types: Mapping[str, str] = field(default_factory=dict)
    policy: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    packs: Mapping[str, str] = field(default_factory=dict)


def chosen(data: str | None, which: str = BY_DATA) -> Chosen:
    """The dataset `data`, or where that is None the settings' one. Raises InputError; `which` is
    the remedy where there are several."""
    here = Path.cwd()
    if data is None:
        settings = resolve(option={}, start=here, invocation=here, rootdir=here, which=which)
        spec, base = settings.data, settings.data_base
    else:
        spec, base = data, Path()  # messages name the file as the user does
    layout, path = locate(spec, base)
    rules = settings_beside(path)
    return Chosen(spec, base, layout, path, rules.types, rules.policy, rules.packs)
