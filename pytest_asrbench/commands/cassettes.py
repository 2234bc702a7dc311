"""From a store to a cassette and back."""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from shlex import quote

from pytest_asrbench import datasets
from pytest_asrbench.commands import console
from pytest_asrbench.commands.chosen import chosen
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.systems import System, settings_for, systems
from pytest_asrbench.counts import plural, some
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Dataset
from pytest_asrbench.run import change
from pytest_asrbench.store import Entry, Store, VerdictKey
from pytest_asrbench.store.cassette import read_cassette
from pytest_asrbench.store.cassette_update import LISTED, existing, updated
from pytest_asrbench.verifiers.base import Judgement


def export(store: Store, args: argparse.Namespace) -> ExitCode:
    """Write the cassette; a transcript that lacks fails, unless a part is asked for. What a
    cassette of that name holds of others stays in it."""
    before = existing(args.file)
    dataset = _dataset(args.data) if args.data else None
    stored = [entry for _, entry in store.entries()]
    settings = settings_for(dataset.folder if dataset else Path.cwd())
    recorded = systems(stored, settings, args.provider)
    if not recorded:
        raise _nothing(store, args.provider, systems(stored, settings, None))
    notes: list[str] = []
    if dataset is not None:
        recorded = [replace(each, entries=of_dataset(each.entries, dataset)) for each in recorded]
        lacking = [*_lacking(store, recorded, dataset, args)]
        if lacking and not args.partial:
            console.out("\n".join(lacking))
            return ExitCode.FAILED
        if not args.partial:
            recorded, notes = _whole(recorded, dataset)
    notes += _told_apart(recorded)
    entries = [entry for each in recorded for entry in each.entries]
    if not entries:
        raise InputError.at(store.path, None, "no transcripts of this dataset to export; run first")
    name = dataset.name if dataset else before.name or store.path.name
    update = updated(before, name, entries, (judgement for _, judgement in store.judgements()))
    update.write(args.file)
    others = f", {update.kept:,} of others kept" if update.kept else ""
    counts = _counts(len(entries), update.cassette.judgements)
    console.out("\n".join([*notes, *update.notes, f"{args.file}: {counts}{others}"]))
    return ExitCode.OK


def read(store: Store, file: Path) -> ExitCode:
    """Put a cassette's content into the store, where that has nothing newer. Raises InputError."""
    cassette = read_cassette(file)
    imported = newer = 0
    try:
        for entry in cassette.entries:
            known = store.stored(entry.key)
            if known is None or known.recorded_at < entry.recorded_at:
                store.put(replace(entry, imported=True))
                imported += 1
            else:
                newer += known.recorded_at > entry.recorded_at
        for key, judgement in cassette.judgements:
            store.put_judgement(key, judgement)
    except OSError as error:
        what = f"can't be written ({error.strerror}), {plural(imported, 'transcript')} imported"
        raise InputError.at(
            store.path, None, f"{what}; make room or give another --cache"
        ) from None
    there = len(cassette.entries) - imported - newer
    told = f", {there:,} there already" if there else ""
    told += f", {newer:,} left as the store has them newer" if newer else ""
    console.out(f"{store.path}: {_counts(imported, cassette.judgements)} imported{told}")
    for line in change.imported(file, change.base_commit(os.environ)):
        console.out(line)
    return ExitCode.OK  # what its notes tell to be damaged has been written anew


def _nothing(store: Store, name: str | None, recorded: Sequence[System]) -> InputError:
    if not name or not recorded:
        return InputError.at(store.path, None, "no transcripts to export; run first")
    known = "; ".join(f"{each.name} ({each.label})" for each in recorded)
    what = f"no transcripts of provider {name!r} to export; stored are {known}"
    remedy = f"export one of these, or run {name!r} first (code without version= is never stored)"
    return InputError.at(store.path, None, f"{what}; {remedy}")


def of_dataset(entries: Sequence[Entry], dataset: Dataset) -> list[Entry]:
    """The entries of its clips, in its order and under its ids; behind each clip's own those that
    are stored for it under a condition."""
    by_audio: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        by_audio.setdefault((entry.key.audio_sha256, entry.key.language), []).append(entry)
    under: dict[str, list[Entry]] = {}
    for entry in entries:
        clip_id, _, condition = (entry.clip or "").rpartition("@")
        if condition:
            under.setdefault(clip_id, []).append(entry)
    in_order: list[Entry] = []
    for clip in dataset.clips:
        own = by_audio.get((_sha256(clip.path), clip.language), [])
        in_order += [replace(entry, clip=clip.id) for entry in own]
        in_order += under.get(clip.id, [])
    return in_order


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
    store: Store, recorded: Sequence[System], dataset: Dataset, args: argparse.Namespace
) -> Iterator[str]:
    """A line for each configuration and mode of which no system has transcribed every clip equally
    often: a replay would fail. Where nothing is of this dataset, that is the one asked for."""
    there = [each for each in recorded if each.entries] or recorded[:1]
    for _, group in groupby(there, key=lambda each: (each.name, each.mode)):
        latest = max(same := [*group], key=lambda each: each.latest)
        if all(_missing(each, dataset) for each in same):
            missing, repeats = _missing(latest, dataset), _repeats(latest)
            wanted = len(dataset.clips) * repeats
            ids = (f"{clip}#{n}" if repeats > 1 else clip for clip, n in missing)
            yield (
                f"nothing written: {len(missing):,} of {plural(wanted, 'transcript')} by "
                f"{latest.name} not stored ({some(ids, LISTED)}); record with "
                f"{_recording(store, latest, repeats, args.data)}, or export with --partial"
            )


def _recording(store: Store, system: System, repeats: int, data: str) -> str:
    """The command, whatever the settings say."""
    parts = [
        f"pytest --asr-provider={quote(system.name)}",
        f"--asr-data={quote(data)}",
        f"--asr-mode={system.mode}" if system.mode != "batch" else "",
        f"--asr-repeat={repeats}" if repeats > 1 else "",
        f"--asr-cache={quote(str(store.path))}",
        "--asr-cache-mode=fill",
    ]
    return " ".join(filter(None, parts))


def _whole(recorded: Sequence[System], dataset: Dataset) -> tuple[list[System], list[str]]:
    """Systems that can be replayed, and a line on each other: a description that was only tried, or
    has been replaced."""
    every = len(dataset.clips)
    notes = [
        f"left out: {each.name} ({each.label}), as {plural(len(lacking), 'transcript')} of "
        f"{every * _repeats(each):,} lack"
        for each in recorded
        if each.entries and (lacking := _missing(each, dataset))
    ]
    return [each for each in recorded if not _missing(each, dataset)], notes


def _told_apart(recorded: Sequence[System]) -> Iterator[str]:
    for (name, mode), group in groupby(recorded, key=lambda each: (each.name, each.mode)):
        if (count := len([*group])) > 1:
            yield (
                f"{name}, {mode}: transcripts by {count} descriptions of it, each replayed where "
                "it is configured; asrbench cache ls tells them apart"
            )


def _missing(system: System, dataset: Dataset) -> list[tuple[str, int]]:
    """(clip, repeat) of each that is not stored."""
    stored = {(entry.clip, entry.key.repeat) for entry in system.entries}
    repeats = range(1, _repeats(system) + 1)
    return [(c.id, n) for c in dataset.clips for n in repeats if (c.id, n) not in stored]


def _repeats(system: System) -> int:
    return max((entry.key.repeat for entry in system.entries), default=1)


def _counts(transcripts: int, judgements: Iterable[tuple[VerdictKey, Judgement]]) -> str:
    told = plural(transcripts, "transcript")
    judged = len({(key.transcript, key.language) for key, _ in judgements})
    return f"{told}, verdicts on {judged:,}" if judged else told
