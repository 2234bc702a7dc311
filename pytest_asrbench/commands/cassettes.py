"""From a store to a cassette and back."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path

from pytest_asrbench import datasets
from pytest_asrbench.commands.chosen import chosen
from pytest_asrbench.counts import plural
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Dataset
from pytest_asrbench.store import Entry, Store
from pytest_asrbench.store.cassette import (
    Cassette,
    matching_judgements,
    read_cassette,
    write_cassette,
)

FAILED = 1
LISTED = 5


def export(store: Store, args: argparse.Namespace) -> int:
    """Write the cassette; a transcript that lacks fails, unless a part is asked for."""
    dataset = _dataset(args.data) if args.data else None
    entries = newest(entry for _, entry in store.entries() if args.provider in (None, entry.name))
    if dataset is not None:
        entries = of_dataset(entries, dataset)
        lacking = [*_lacking(store, entries, dataset, args.provider or "NAME")]
        if lacking and not args.partial:
            print("\n".join(lacking))
            return FAILED
    if not entries:
        asked = f" of provider {args.provider!r}" if args.provider else ""
        raise InputError.at(store.path, None, f"no transcripts{asked} to export; run first")
    judgements = [*matching_judgements((j for _, j in store.judgements()), entries)]
    name = dataset.name if dataset else store.path.name
    write_cassette(Cassette(name, entries, judgements), args.file)
    print(f"{args.file}: {_counts(len(entries), len(judgements))}")
    return 0


def read(store: Store, file: Path) -> int:
    """Put a cassette's content into the store, where that has nothing newer."""
    cassette = read_cassette(file)
    kept = 0
    for entry in cassette.entries:
        known = store.stored(entry.key)
        if known is None or known.recorded_at < entry.recorded_at:
            store.keep(entry)
            kept += 1
    for key, judgement in cassette.judgements:
        store.keep_judgement(key, judgement)
    older = len(cassette.entries) - kept
    told = f", {older} left as the store has them newer" if older else ""
    print(f"{store.path}: {_counts(kept, len(cassette.judgements))} imported{told}")
    return FAILED if store.notes else 0


def newest(entries: Iterable[Entry]) -> list[Entry]:
    """Of each configuration the transcripts by its latest description: model and settings change,
    and a cassette must not mix them."""

    def configuration(entry: Entry) -> tuple[str, str]:
        return entry.name or entry.key.provider.use, entry.key.mode

    chosen: list[Entry] = []
    for _, group in groupby(sorted(entries, key=configuration), key=configuration):
        every = list(group)
        latest = max(every, key=lambda entry: entry.recorded_at).key.provider
        chosen += [entry for entry in every if entry.key.provider == latest]
    return sorted(chosen, key=lambda e: (configuration(e), e.clip or "", e.key.repeat))


def of_dataset(entries: Sequence[Entry], dataset: Dataset) -> list[Entry]:
    """The entries of its clips, in its order and under its ids."""
    by_audio: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        by_audio.setdefault((entry.key.audio_sha256, entry.key.language), []).append(entry)
    found = [
        replace(entry, clip=clip.id)
        for clip in dataset.clips
        for entry in by_audio.get((_sha256(clip.path), clip.language), [])
    ]
    order = {name: n for n, name in enumerate(dict.fromkeys(e.name for e in found))}
    return sorted(found, key=lambda entry: order[entry.name])


def _dataset(spec: str) -> Dataset:
    target = chosen(spec)
    return datasets.load(target.spec, target.base, target.types)


def _sha256(path: Path) -> str:
    """Raises InputError: without the audio nobody can tell whose transcript it is."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError.at(path, None, f"can't be read: {error.strerror}") from None


def _lacking(
    store: Store, entries: Sequence[Entry], dataset: Dataset, provider: str
) -> Iterator[str]:
    """A line for each system that has not transcribed every clip equally often: a replay of it
    would fail. Where there is none yet, that is `provider`."""
    for mode, heard in _systems(entries) or [("batch", [])]:
        name = max(heard, key=lambda entry: entry.recorded_at).name if heard else None
        repeats = max((entry.key.repeat for entry in heard), default=1)
        stored = {(entry.clip, entry.key.repeat) for entry in heard}
        wanted = len(dataset.clips) * repeats
        if count := wanted - len(stored):
            lacking = (
                f"{clip.id}#{n}" if repeats > 1 else clip.id
                for clip in dataset.clips
                for n in range(1, repeats + 1)
                if (clip.id, n) not in stored
            )
            command = store.recorded_by(name or provider, mode, repeats)
            yield (
                f"nothing written: {count} of {plural(wanted, 'transcript')} by "
                f"{name or provider} not stored ({_listed(lacking, count)}); "
                f"record with {command}, or export with --partial"
            )


def _systems(entries: Iterable[Entry]) -> list[tuple[str, list[Entry]]]:
    """(mode, transcripts) of each; configurations that describe the same system share them."""
    systems: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        systems.setdefault((entry.key.mode, str(entry.key.provider)), []).append(entry)
    return [(mode, heard) for (mode, _), heard in systems.items()]


def _listed(names: Iterator[str], count: int) -> str:
    more = f" and {count - LISTED} more" if count > LISTED else ""
    return ", ".join(islice(names, LISTED)) + more


def _counts(transcripts: int, judged: int) -> str:
    told = plural(transcripts, "transcript")
    return f"{told}, verdicts on {judged}" if judged else told
