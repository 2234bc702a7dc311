"""
Settings, resolved in one place: option > environment > `asrbench.yaml` > ini > default.

Each layer gives text; the table in `options.py` says what the text must be. A relative path is
relative to whoever named it: the folder of the call for options and environment, the file's folder
for `asrbench.yaml` and ini.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from pytest_asrbench.errors import InputError
from pytest_asrbench.settings.file import (
    FILE_NAME,
    ConditionEntry,
    SettingsFile,
    read_settings_file,
)
from pytest_asrbench.settings.options import FORMATS, OPTIONS, Option
from pytest_asrbench.settings.parsing import Budget, parse

# Folders that pytest does not collect from either: copies, environments, build output.
SKIPPED_FOLDERS = frozenset({"build", "CVS", "dist", "node_modules", "venv"})

BY_ARGUMENT: Final = "name the folder of one as pytest's first argument, or call from there"
BY_DATA: Final = "name the folder of one with --data, or call from there"
"""How a run, and a command, is told which of several sets of clips is meant."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run. Paths are absolute.

    `folder` is where `clips.yaml` and `thresholds/` are expected: beside `asrbench.yaml`, else
    the folder where the search for it began.
    """

    folder: Path
    rootdir: Path
    thresholds: Path
    cache: Path
    data: str = "clips.yaml"
    """`[LAYOUT:]PATH`, relative to `data_base`."""
    data_base: Path = Path()
    file: Path | None = None
    provider: str | None = None
    verifier: str = "rules"
    gate: Literal["auto", "on", "off"] = "auto"
    update: bool = False
    update_lower: bool = False
    strict: bool = False
    cache_mode: Literal["fill", "replay", "refresh", "off"] = "fill"
    cache_max_age_s: float = 12 * 3600.0
    concurrency: int | None = None
    """None: the configuration's, else 8 (see `engine.live`)."""
    max_errors: int = 0
    mode: Literal["batch", "stream"] = "batch"
    repeat: int = 1
    shard: tuple[int, int] = (1, 1)
    tags: tuple[str, ...] = ()
    budget: Budget | None = None
    prices: Path | None = None
    """A price table of the user's own."""
    redact: bool = False
    files: Mapping[str, Path] = field(default_factory=dict)
    """Format -> the file to write, the run file first."""
    html_audio: bool = False
    junit_properties: bool = False
    verifier_votes: int | None = None
    verifiers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What `llm` and `cascade` are set up with."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Own entity type -> the built-in one that it is like."""
    policy: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Entity type -> the verifier's options for it."""
    packs: Mapping[str, str] = field(default_factory=dict)
    """Language -> a pack of the user's own ("module:attr")."""
    condition: tuple[str, ...] = ()
    """Names of the conditions to measure beside the raw clips."""
    conditions: Mapping[str, ConditionEntry] = field(default_factory=dict)
    """The settings' own ones as written; see `conditions.parse`."""
    providers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Named configurations as written, scalars typed; see `providers.entries`."""

    def thresholds_file(self) -> Path:
        """`thresholds` itself where it names a file, else `<name>[.stream][.<tags>].yaml` in it."""
        if self.thresholds.suffix in (".yaml", ".yml"):
            return self.thresholds
        parts = [(self.provider or "").replace(":", "_")]
        parts += ["stream"] if self.mode == "stream" else []
        parts += ["+".join(self.tags)] if self.tags else []
        return self.thresholds / f"{'.'.join(parts)}.yaml"

    @property
    def sharded(self) -> bool:
        return self.shard != (1, 1)


@dataclass(frozen=True, slots=True)
class GivenOptions:
    """The text of one setting, where it stands (for messages), and its paths' base."""

    text: str
    where: str
    base: Path


def resolve(
    *,
    option: Mapping[str, str | bool | None],
    start: Path,
    invocation: Path,
    rootdir: Path,
    ini: Mapping[str, str | None] | None = None,
    ini_folder: Path | None = None,
    env: Mapping[str, str] = os.environ,
    which: str = BY_ARGUMENT,
) -> Settings:
    """All settings of a run. Raises InputError, one line that names the place and the remedy.

    `option` and `ini` map setting names to what was given; `start` is where the search for
    `asrbench.yaml` begins, `rootdir` where it ends; `which` the remedy where there are several.
    """
    path = find_settings_file(start, rootdir, which)
    file = read_settings_file(path) if path else None
    folder = path.parent if path else start
    values: dict[str, Any] = {"data_base": folder, "thresholds": folder / "thresholds"}
    values["cache"] = rootdir / ".asrbench"
    for setting in OPTIONS:
        given = next(
            _layers(setting, option, env, file, ini or {}, invocation, ini_folder or rootdir), None
        )
        if given is None:
            continue
        values[_attribute(setting)] = parse(setting, given.text, given.where, given.base)
        if setting.kind == "data":
            values["data_base"] = given.base
    files = {each.name: values.pop(each.name, None) for each in FORMATS}
    files |= values.pop("report", None) or {}
    values["update"] = bool(values.get("update") or values.get("update_lower"))
    return Settings(
        folder=folder,
        rootdir=rootdir,
        file=path,
        files={name: written for name, written in files.items() if written is not None},
        verifiers=file.verifiers if file else {},
        types=file.types if file else {},
        policy=file.policy if file else {},
        packs=file.packs if file else {},
        conditions=file.conditions if file else {},
        providers=file.providers if file else {},
        **values,
    )


def _attribute(setting: Option) -> str:
    return f"{setting.name}_s" if setting.kind == "duration" else setting.name


def _layers(
    setting: Option,
    option: Mapping[str, str | bool | None],
    env: Mapping[str, str],
    file: SettingsFile | None,
    ini: Mapping[str, str | None],
    invocation: Path,
    ini_folder: Path,
) -> Iterator[GivenOptions]:
    """The values given for a setting, the strongest first. An empty variable or ini key is
    unset."""
    asked = option.get(setting.name)
    if asked is not None and asked is not False:
        yield GivenOptions("true" if asked is True else asked, setting.flag, invocation)
    if "env" in setting.places and env.get(setting.env):
        yield GivenOptions(env[setting.env], setting.env, invocation)
    if file and (text := file.values.get(setting.name)) is not None:
        yield GivenOptions(text, file.where(setting.name), file.path.parent)
    if "ini" in setting.places and (text := ini.get(setting.name)):
        yield GivenOptions(text, setting.dest, ini_folder)


def find_settings_file(start: Path, rootdir: Path, which: str = BY_ARGUMENT) -> Path | None:
    """The one of :func:`settings_files`, if any.

    Raises InputError where there are several: which is meant can't be told; `which` is the remedy.
    """
    paths = settings_files(start, rootdir)
    if len(paths) > 1:
        top = start if all(path.is_relative_to(start) for path in paths) else rootdir
        names = ", ".join(str(path.relative_to(top)) for path in paths)
        raise InputError(f"more than one {FILE_NAME} below {top}: {names}; {which}")
    return paths[0] if paths else None


def settings_files(start: Path, rootdir: Path) -> list[Path]:
    """`asrbench.yaml` in `start` or above it up to `rootdir`, else those below `start`, else those
    below `rootdir`."""
    return own_settings_files(start, rootdir) or list(_below(rootdir))


def own_settings_files(start: Path, rootdir: Path) -> list[Path]:
    """The same without those that lie elsewhere below `rootdir`."""
    for folder in (start, *start.parents):
        if (path := folder / FILE_NAME).is_file():
            return [path]
        if folder == rootdir or not folder.is_relative_to(rootdir):
            break
    return list(_below(start))


def _below(folder: Path) -> Iterator[Path]:
    return (here / FILE_NAME for here, names in walk(folder) if FILE_NAME in names)


def walk(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Each folder that pytest might collect from, with the names of its files."""
    for here, folders, files in os.walk(folder):
        yield Path(here), files
        folders[:] = sorted(f for f in folders if not f.startswith(".") and _collected(here, f))


def _collected(here: str, name: str) -> bool:
    return name not in SKIPPED_FOLDERS and not Path(here, name, "pyvenv.cfg").exists()
