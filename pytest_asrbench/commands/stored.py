"""The contents of a store: listed by configuration, and removed by age."""

from __future__ import annotations

import math
import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from pytest_asrbench.clock import now
from pytest_asrbench.commands import console
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.systems import name_of, use_and_model
from pytest_asrbench.counts import plural
from pytest_asrbench.errors import InputError
from pytest_asrbench.reports.table import lay_out
from pytest_asrbench.store import Entry, Store
from pytest_asrbench.store.folder import StoreFolder
from pytest_asrbench.store.store import age_s

HOUR_S, DAY_S = 3600, 86400
OLD_S = 30 * DAY_S  # what goes if no age is given


def show(store: Store) -> ExitCode:
    """Print what is stored, a line for each description of a configuration, and each verifier."""
    groups: defaultdict[tuple[str, str, str], list[Entry]] = defaultdict(list)
    size = transcripts = verdicts = 0
    for file, entry in store.entries():
        groups[name_of(entry), entry.key.mode, entry.key.system].append(entry)
        size, transcripts = size + file.stat().st_size, transcripts + 1
    judged: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for file, (key, _) in store.judgements():
        judged[f"{key.verifier.id} {key.verifier.version}"].add((key.transcript, key.language))
        size, verdicts = size + file.stat().st_size, verdicts + 1
    told = f"{plural(transcripts, 'transcript')}, {plural(verdicts, 'verdict')}"
    console.out(f"{store.path}: {told}, {size / 1e6:.1f} MB")
    rows = [
        row
        for _, same in groupby(sorted(groups), key=itemgetter(0, 1))
        for row in _rows([groups[group] for group in same])
    ]
    for line in lay_out(rows, "llrl", shutil.get_terminal_size().columns):
        console.out(line)
    for verifier, texts in sorted(judged.items()):
        console.out(f"verifier {verifier}: verdicts on {plural(len(texts), 'transcript')}")
    return ExitCode.OK


def prune(
    store: Store, older_than_s: float | None, provider: str | None, *, imported: bool, dry: bool
) -> ExitCode:
    """Remove old entries, and damaged files and unused locks with them; of `imported` ones however
    old they are, if no age is given. Raises InputError."""
    age = older_than_s if older_than_s is not None else -math.inf if imported else OLD_S
    files = [*_old_transcripts(store, age, provider, imported=imported)]
    if not provider and not imported:
        for kind in ("verdicts", "damaged", "locks"):
            files += _old_files(store.path, kind, age)
    size = sum(file.stat().st_size for file in files)
    if not dry:
        _remove(files)
    kinds = dict.fromkeys(("transcripts", "verdicts", "damaged"), 0)
    for file in files:
        kind = file.relative_to(store.path).parts[0]
        kinds[kind] = kinds.get(kind, 0) + 1
    told = f"{plural(kinds['transcripts'], 'transcript')}, {plural(kinds['verdicts'], 'verdict')}"
    told += f", {kinds['damaged']:,} damaged" if kinds["damaged"] else ""
    console.out(
        f"{store.path}: {'would remove' if dry else 'removed'} {told} ({size / 1e6:.1f} MB)"
    )
    return ExitCode.OK


def _rows(groups: Sequence[Sequence[Entry]]) -> Iterator[list[str]]:
    """A configuration's in one mode, with what tells its descriptions apart."""
    descriptions = [entries[0].key.provider for entries in groups]
    versions = len({each.version for each in descriptions}) > 1
    settings = Counter((k, str(v)) for each in descriptions for k, v in each.settings.items())
    for provider, entries in zip(descriptions, groups, strict=True):
        parts = [
            use_and_model(provider),
            f"version {provider.version}" if versions and provider.version else "",
            entries[0].key.mode,
            *(
                f"{name}={value}"
                for name, value in provider.settings.items()
                if settings[name, str(value)] < len(groups)
            ),
        ]
        yield [name_of(entries[0]), ", ".join(filter(None, parts)), _count(entries), _span(entries)]


def _count(entries: Sequence[Entry]) -> str:
    """`6 clips x 3`, `8 transcripts of 6 clips`."""
    clips = len({(entry.key.audio_sha256, entry.key.language) for entry in entries})
    repeats = max(entry.key.repeat for entry in entries)
    if len(entries) != clips * repeats:
        return f"{plural(len(entries), 'transcript')} of {plural(clips, 'clip')}"
    return plural(clips, "clip") + (f" x {repeats}" if repeats > 1 else "")


def _span(entries: Sequence[Entry]) -> str:
    ages = [age_s(entry.recorded_at) for entry in entries]
    span = dict.fromkeys(map(_age, (min(ages), max(ages))))
    return f"{' to '.join(span)} old"


def _age(seconds: float) -> str:
    if seconds < 2 * HOUR_S:
        return f"{max(0, seconds) / 60:.0f} min"
    return f"{seconds / HOUR_S:.0f} h" if seconds < 2 * DAY_S else f"{seconds / DAY_S:.0f} d"


def _old_transcripts(
    store: Store, older_than_s: float, provider: str | None, *, imported: bool
) -> Iterator[Path]:
    for file, entry in store.entries():
        meant = provider in (None, entry.name) and (entry.imported or not imported)
        if meant and age_s(entry.recorded_at) > older_than_s:
            yield file


def _old_files(path: Path, kind: str, older_than_s: float) -> Iterator[Path]:
    """Raises InputError for a folder that can't be listed, which rglob() would take for empty, and
    for a link, behind which are another's files."""
    before = now() - older_than_s
    try:
        folder = StoreFolder(path).own(kind)
    except OSError as error:
        raise InputError.at(str(error.filename), None, str(error.strerror)) from None
    for here, _, names in os.walk(folder, onerror=_refuse):
        files = (Path(here, name) for name in names)
        yield from (f for f in files if f.is_file() and f.stat().st_mtime < before)


def _refuse(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise InputError.at(str(error.filename), None, f"can't be read: {error.strerror}") from None


def _remove(files: Sequence[Path]) -> None:
    try:
        for file in files:
            file.unlink(missing_ok=True)
            with suppress(OSError):  # others lie in the same folder
                file.parent.rmdir()
    except OSError as error:
        raise InputError.at(
            str(error.filename), None, f"can't be removed: {error.strerror}"
        ) from None
