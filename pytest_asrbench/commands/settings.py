"""Settings that commands take from beside a dataset: how its values are judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_asrbench.conditions import Condition, Conditions
from pytest_asrbench.conditions.parse import ALL
from pytest_asrbench.settings.file import FILE_NAME, SettingsFile, read_settings_file
from pytest_asrbench.verifiers import registry
from pytest_asrbench.verifiers.base import Verifier


@dataclass(frozen=True, slots=True)
class VerifierSettings:
    """Custom type -> the known type it is like; entity type -> options; `llm`, `cascade` ->
    theirs."""

    types: Mapping[str, str] = field(default_factory=dict)
    policy: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    verifiers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    packs: Mapping[str, str] = field(default_factory=dict)

    def verifier(self, name: str, languages: Iterable[str] = ()) -> Verifier:
        """The verifier called `name`, set up by these for clips in these languages.

        Raises InputError.
        """
        return registry.create(
            name,
            types=self.types,
            policy=self.policy,
            verifiers=self.verifiers,
            packs=self.packs,
            languages=languages,
        )

    def with_types(self, types: Mapping[str, str]) -> VerifierSettings:
        """These with other custom types: a dataset or a run file declares its own."""
        return replace(self, types=types)


def settings_beside(path: Path) -> VerifierSettings:
    """Settings of `asrbench.yaml` in the dataset's folder or above, up to the working folder.

    `path` is the dataset's file or folder. Raises InputError on a faulty file.
    """
    settings = _file_beside(path)
    if settings is None:
        return VerifierSettings()
    return VerifierSettings(settings.types, settings.policy, settings.verifiers, settings.packs)


def conditions_beside(path: Path) -> tuple[Condition, ...]:
    """The conditions that the same file makes, and those that its `condition` asks for. Raises
    InputError."""
    settings = _file_beside(path)
    if settings is None:
        return ()
    names = [name for name in settings.values.get("condition", "").split(",") if name.strip()]
    asked = dict.fromkeys([*settings.conditions, *map(str.strip, names)])
    return Conditions(settings.conditions).asked([name for name in asked if name != ALL])


def _file_beside(path: Path) -> SettingsFile | None:
    start = (path if path.is_dir() else path.parent).resolve()
    here = Path.cwd()
    for folder in (start, *start.parents):
        if (file := folder / FILE_NAME).is_file():
            return read_settings_file(file)
        if folder == here or not folder.is_relative_to(here):
            break
    return None
