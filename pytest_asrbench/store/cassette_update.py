"""Adds transcripts to a cassette: what a file of that name holds of others stays in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_asrbench.counts import plural, some
from pytest_asrbench.store.cassette import (
    Cassette,
    matching_judgements,
    read_cassette,
    write_cassette,
)
from pytest_asrbench.store.entries import Entry, VerdictKey
from pytest_asrbench.verifiers.base import Judgement

LISTED = 5


@dataclass(frozen=True, slots=True)
class CassetteUpdate:
    """A cassette to be written; `kept` entries were there before, `notes` tell what gave way."""

    cassette: Cassette
    kept: int
    notes: Sequence[str]

    def write(self, path: Path) -> None:
        """Raises InputError."""
        write_cassette(self.cassette, path)


def existing(path: Path) -> Cassette:
    """The cassette that lies there. Raises InputError for anything else, as it may be worth
    something."""
    if not path.is_file() or not path.stat().st_size:
        return Cassette("", ())
    return read_cassette(path)


def updated(
    before: Cassette,
    name: str,
    entries: Sequence[Entry],
    judgements: Iterable[tuple[VerdictKey, Judgement]] = (),
) -> CassetteUpdate:
    """The cassette with these transcripts, and those of `judgements` that belong to any."""
    kept = _kept(before.entries, entries)
    every = _placed(before, [*kept, *entries])
    by_digest = {key.digest: (key, each) for key, each in matching_judgements(judgements, every)}
    for key, each in matching_judgements(before.judgements, every):
        by_digest.setdefault(key.digest, (key, each))
    cassette = Cassette(name, every, [*by_digest.values()])
    return CassetteUpdate(cassette, len(kept), [*_replaced(before.entries, every, entries)])


def _kept(before: Iterable[Entry], entries: Iterable[Entry]) -> list[Entry]:
    """Entries that stay as they were: all for which there is no transcript now, nor a later one by
    the same configuration, as of a clip with new audio."""

    def place(entry: Entry) -> tuple[object, ...]:
        key = entry.key
        return (entry.name, key.mode, entry.clip or key.audio_sha256, key.language, key.repeat)

    keys, places = {e.key.digest for e in entries}, {place(e) for e in entries}
    return [e for e in before if e.key.digest not in keys and place(e) not in places]


def _replaced(
    before: Iterable[Entry], after: Iterable[Entry], added: Iterable[Entry]
) -> Iterator[str]:
    """A line on what gives way to transcripts of other audio under the same ids."""
    keys = {entry.key.digest for entry in after}
    heard = {entry.key.audio_sha256 for entry in added}
    gone = [e for e in before if e.key.digest not in keys and e.key.audio_sha256 not in heard]
    if gone:
        clips = dict.fromkeys(entry.clip or entry.key.audio_sha256 for entry in gone)
        yield (
            f"replaced: {plural(len(gone), 'transcript')} of other audio under the same ids "
            f"({some(clips, LISTED)}); if that is another dataset's, export each to a "
            "file of its own"
        )


def _placed(before: Cassette, entries: Sequence[Entry]) -> list[Entry]:
    """Configurations where they were, so that a review shows what changed."""
    every = [(e.name, e.key.mode) for e in (*before.entries, *entries)]
    order = {configuration: n for n, configuration in enumerate(dict.fromkeys(every))}
    return sorted(entries, key=lambda entry: order[entry.name, entry.key.mode])
