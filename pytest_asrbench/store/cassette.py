"""
A cassette: stored transcripts and verdicts as one JSONL file that a team reviews and commits, so
that runs without keys replay them.

    {"schema": 1, "cassette": "voice-agent", "providers": {"nova3": {"use": "deepgram", …}},
     "verifiers": {"llm": {"id": "llm", "version": "1", "digest": "sha256:…"}}}
    {"clip": "refund_03", "provider": "nova3", "language": "en", "repeat": 1, "text": "…",
     "recorded_at": "…", "audio_sha256": "…", …}
    {"judged": "…", "verifier": "llm", "language": "en", "targets": […], "verdicts": […], …}

The header holds what would else stand in each line. Audio is named by its hash, as in the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Generic, Literal, TypeVar

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import dump_json, read_jsonl, write_atomic
from pytest_asrbench.providers.base import Description
from pytest_asrbench.store.entries import (
    SCHEMA,
    DamagedError,
    Entry,
    VerdictKey,
    check_schema,
    description_to_json,
    entry_to_json,
    judgement_from_json,
    judgement_to_json,
    read,
    read_entry,
)
from pytest_asrbench.verifiers.base import Identity, Judgement

SUFFIX = ".jsonl"

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Cassette:
    """The content of a cassette."""

    name: str
    entries: Sequence[Entry]
    judgements: Sequence[tuple[VerdictKey, Judgement]] = ()


def write_cassette(cassette: Cassette, path: Path) -> None:
    """Raises InputError where the file can't be written."""
    names = _Names()
    lines = [_entry_line(entry, names) for entry in cassette.entries]
    lines += [_judgement_line(key, judgement, names) for key, judgement in cassette.judgements]
    header = {
        "schema": SCHEMA,
        "cassette": cassette.name,
        "providers": names.providers,
        "verifiers": names.verifiers,
    }
    written = (dump_json(line, default=str) for line in [header, *lines])
    write_atomic(path, "".join(f"{line}\n" for line in written))


def read_cassette(path: Path) -> Cassette:
    """Each key once. Raises InputError, naming the row."""
    rows = read_jsonl(path)
    row, line = next(rows, (None, {}))
    if "cassette" not in line:
        raise InputError.at(
            path, row, "no cassette, as `asrbench cache export` writes; name another file"
        )
    with _naming(path, row):
        check_schema(line)
        header = _read_header(line)
    entries = _Once[Entry](path, "clip, provider and repeat")
    judgements = _Once[tuple[VerdictKey, Judgement]](path, "transcript, values and verifier")
    for row, line in rows:
        with _naming(path, row):
            if "judged" in line:
                judged = _read_judgement(line, header)
                judgements.add(row, judged[0].digest, judged, judged[1])
            else:
                entry = _read_entry(line, header)
                entries.add(row, entry.key.digest, entry, replace(entry, clip=None))
    return Cassette(header.cassette, entries.values, judgements.values)


@contextmanager
def _naming(path: Path, row: int | None) -> Iterator[None]:
    """Name file and row of what is wrong: the InputError of a DamagedError."""
    try:
        yield
    except DamagedError as why:
        raise InputError.at(
            path, row, f"{why}; correct it, or remove the file and export anew"
        ) from None


class _Once(Generic[Value]):
    """The values of lines, by key. Two that differ are two answers to one question, as a merge of
    branches leaves them; equal ones are a recording that a dataset has under two ids."""

    def __init__(self, path: Path, same: str) -> None:
        self.values: list[Value] = []
        self._path = path
        self._same = same
        self._rows: dict[str, tuple[int, object]] = {}

    def add(self, row: int, key: str, value: Value, says: object) -> None:
        """Raises InputError where an earlier row of that key says something else."""
        first, said = self._rows.setdefault(key, (row, says))
        if first == row:
            self.values.append(value)
        elif said != says:
            what = f"the same {self._same} as row {first}; keep one"
            raise InputError.at(self._path, row, what)


class CassetteReader:
    """A cassette in place of a store's folder, only to be read. Raises InputError when made."""

    def __init__(self, path: Path) -> None:
        self._values = dict(_values(read_cassette(path)))

    def get(self, kind: str, digest: str) -> dict[str, Any] | None:
        """The stored object, None where there is none."""
        return self._values.get((kind, digest))


def _values(cassette: Cassette) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    for entry in cassette.entries:
        yield ("transcripts", entry.key.digest), entry_to_json(entry)
    for key, judgement in cassette.judgements:
        yield ("verdicts", key.digest), judgement_to_json(key, judgement)


@dataclass(slots=True)
class _Names:
    """Names for what the header describes: a second description of one name is `nova3#2`."""

    providers: dict[str, dict[str, Any]] = field(default_factory=dict)
    verifiers: dict[str, dict[str, Any]] = field(default_factory=dict)

    def provider(self, entry: Entry) -> str:
        value = {**description_to_json(entry.key.provider), "mode": entry.key.mode}
        return _named(self.providers, entry.name or entry.key.provider.use, value)

    def verifier(self, identity: Identity) -> str:
        return _named(self.verifiers, identity.id, asdict(identity))


def _named(known: dict[str, dict[str, Any]], name: str, value: dict[str, Any]) -> str:
    candidates = [name, *(f"{name}#{n}" for n in range(2, len(known) + 2))]
    free = next(c for c in candidates if known.get(c, value) == value)
    known[free] = value
    return free


def _entry_line(entry: Entry, names: _Names) -> dict[str, Any]:
    heard = {name: value for name, value in asdict(entry.transcript).items() if value is not None}
    return {
        "clip": entry.clip,
        "provider": names.provider(entry),
        "language": entry.key.language,
        "repeat": entry.key.repeat,
        "text": heard.pop("text"),
        "recorded_at": entry.recorded_at,
        "attempts": entry.attempts,
        "duration_s": entry.duration_s,
        "audio_sha256": entry.key.audio_sha256,
        **heard,
    }


@dataclass(frozen=True, slots=True)
class _System:
    """A provider as the header describes it."""

    provider: Description
    mode: Literal["batch", "stream"]


@dataclass(frozen=True, slots=True)
class _Header:
    cassette: str
    providers: Mapping[str, _System]
    verifiers: Mapping[str, Identity]


def _read_header(line: Mapping[str, Any]) -> _Header:
    providers = line.get("providers")
    if isinstance(providers, dict):
        providers = {
            name: {**value, "provider": value} if isinstance(value, dict) else value
            for name, value in providers.items()
        }
    return read(_Header, {**line, "providers": providers})


def _described(header: Mapping[str, Value], line: Mapping[str, Any], kind: str) -> Value:
    name = line.get(kind)
    if not isinstance(name, str) or name not in header:
        raise DamagedError(f"{kind} {shortened(name)} is not in the header")
    return header[name]


def _read_entry(line: Mapping[str, Any], header: _Header) -> Entry:
    system = _described(header.providers, line, "provider")
    key = {**line, "provider": system.provider, "mode": system.mode}
    name = line["provider"].partition("#")[0]
    return read_entry({**line, "key": key, "transcript": line, "name": name, "imported": False})


def _judgement_line(key: VerdictKey, judgement: Judgement, names: _Names) -> dict[str, Any]:
    stored = judgement_to_json(key, judgement)
    return {
        "judged": key.transcript,
        "verifier": names.verifier(key.verifier),
        "language": key.language,
        "targets": stored["targets"],
        "verdicts": stored["verdicts"],
        "judging": stored["judging"],
    }


def _read_judgement(line: Mapping[str, Any], header: _Header) -> tuple[VerdictKey, Judgement]:
    verifier = _described(header.verifiers, line, "verifier")
    return judgement_from_json(
        {**line, "schema": SCHEMA, "transcript": line["judged"], "verifier": verifier}
    )


def matching_judgements(
    judgements: Iterable[tuple[VerdictKey, Judgement]], entries: Iterable[Entry]
) -> Iterator[tuple[VerdictKey, Judgement]]:
    """Judgements on the entries' transcripts."""
    texts = {(entry.transcript.text, entry.key.language) for entry in entries}
    return (
        (key, judgement) for key, judgement in judgements if (key.transcript, key.language) in texts
    )
