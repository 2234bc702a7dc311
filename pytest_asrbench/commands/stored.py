"""What lies in a store: listed by configuration, and removed by age."""

from __future__ import annotations

import shutil
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pytest_asrbench.counts import plural
from pytest_asrbench.errors import InputError
from pytest_asrbench.reports.table import lay_out
from pytest_asrbench.store import Entry, Store
from pytest_asrbench.store.store import age_s

HOUR_S, DAY_S = 3600, 86400
Group = tuple[str, str, str, str]


def show(store: Store) -> int:
    """Print what is stored, a line for each configuration and verifier."""
    groups: defaultdict[Group, list[Entry]] = defaultdict(list)
    size = transcripts = 0
    for file, entry in store.entries():
        groups[_group(entry)].append(entry)
        size, transcripts = size + file.stat().st_size, transcripts + 1
    verifiers: defaultdict[str, int] = defaultdict(int)
    for file, (key, _) in store.judgements():
        verifiers[f"{key.verifier.id} {key.verifier.version}"] += 1
        size += file.stat().st_size
    verdicts = plural(sum(verifiers.values()), "verdict")
    print(f"{store.path}: {plural(transcripts, 'transcript')}, {verdicts}, {size / 1e6:.1f} MB")
    rows = [_row(group, entries) for group, entries in sorted(groups.items())]
    for line in lay_out(rows, "llrl", shutil.get_terminal_size().columns):
        print(line)
    for verifier, count in sorted(verifiers.items()):
        print(f"verifier {verifier}: verdicts on {plural(count, 'transcript')}")
    return 0


def prune(store: Store, older_than_s: float, provider: str | None, *, dry: bool) -> int:
    """Remove old entries, and damaged files and unused locks with them. Raises InputError."""
    files = [
        *_old_transcripts(store, older_than_s, provider),
        *([] if provider else _old_files(store.path / "verdicts", older_than_s)),
        *([] if provider else _old_files(store.path / "damaged", older_than_s)),
        *([] if provider else _old_files(store.path / "locks", older_than_s)),
    ]
    size = sum(file.stat().st_size for file in files)
    if not dry:
        _remove(files)
    kinds = dict.fromkeys(("transcripts", "verdicts", "damaged"), 0)
    for file in files:
        kind = file.relative_to(store.path).parts[0]
        kinds[kind] = kinds.get(kind, 0) + 1
    told = f"{kinds['transcripts']} transcripts, {kinds['verdicts']} verdicts"
    told += f", {kinds['damaged']} damaged" if kinds["damaged"] else ""
    print(f"{store.path}: {'would remove' if dry else 'removed'} {told} ({size / 1e6:.1f} MB)")
    return 0


def _group(entry: Entry) -> Group:
    provider = entry.key.provider
    system = " ".join(filter(None, (provider.use, provider.model)))
    return entry.name or provider.use, system, entry.key.mode, str(provider.settings)


def _row(group: Group, entries: Sequence[Entry]) -> list[str]:
    name, system, mode, _ = group
    clips = len({entry.key.audio_sha256 for entry in entries})
    ages = [age for entry in entries if (age := age_s(entry.recorded_at)) is not None]
    span = sorted({_age(age) for age in (min(ages), max(ages))}, key=len) if ages else ["unknown"]
    repeats = max(entry.key.repeat for entry in entries)
    count = plural(clips, "clip") + (f" x {repeats}" if repeats > 1 else "")
    return [name, f"{system}, {mode}", count, f"{' to '.join(span)} old"]


def _age(seconds: float) -> str:
    if seconds < 2 * HOUR_S:
        return f"{max(0, seconds) / 60:.0f} min"
    return f"{seconds / HOUR_S:.0f} h" if seconds < 2 * DAY_S else f"{seconds / DAY_S:.0f} d"


def _old_transcripts(store: Store, older_than_s: float, provider: str | None) -> Iterator[Path]:
    for file, entry in store.entries():
        age = age_s(entry.recorded_at)
        if provider in (None, entry.name) and (age is None or age > older_than_s):
            yield file


def _old_files(folder: Path, older_than_s: float) -> Iterator[Path]:
    before = time.time() - older_than_s
    return (f for f in folder.rglob("*") if f.is_file() and f.stat().st_mtime < before)


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
