"""The recordings of added clips: where they go, and their conversion where it was asked for."""

from __future__ import annotations

import hashlib
import io
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pytest_asrbench import audio
from pytest_asrbench.audio import foreign
from pytest_asrbench.commands.drafts import Draft
from pytest_asrbench.errors import AudioError, InputError
from pytest_asrbench.files import write_atomic
from pytest_asrbench.model import Clip

FOLDER = "clips"


def planned(draft: Draft, folder: Path, *, convert: bool) -> Draft:
    """The draft with its `audio`: in place where it lies in the dataset's folder, else a copy."""
    source = draft.source.resolve()
    inside = source.is_relative_to(folder.resolve())
    if inside and not convert:
        name = source.relative_to(folder.resolve()).as_posix()
    else:
        suffix = ".flac" if convert else draft.source.suffix
        name = f"{FOLDER}/{draft.row['id']}{suffix}"
    row = {"id": draft.row["id"], "audio": name, **draft.row}
    return replace(draft, row={**row, "audio": name}, convert=convert)


def readable(files: Sequence[Path], scratch: Path, raw: str | None) -> list[Path]:
    """The same files; of one that libsndfile does not read a WAV in `scratch` instead.

    Raises InputError that lists each recording which can't be converted.
    """
    faults, paths = [], []
    for number, file in enumerate(files):
        path = file
        try:
            if file.is_file() and (raw or _foreign(file)):
                path = scratch / f"{number}.wav"
                path.write_bytes(foreign.converted(file, raw))
        except AudioError as error:
            faults.append(str(error))
        paths.append(path)
    if faults:
        raise InputError("\n".join(faults))
    return paths


def _foreign(path: Path) -> bool:
    with path.open("rb") as file:
        return foreign.kind(file.read(16), path) is not None


def check(drafts: Sequence[Draft], folder: Path) -> None:
    """Raises InputError that lists each recording that can't be read or would replace a file."""
    faults = []
    for draft in drafts:
        target = folder / draft.row["audio"]
        if target.exists() and target.resolve() != draft.source.resolve():
            faults.append(f"{target}: is there already; give the clip another --id")
        try:
            audio.read(draft.source, "und")
        except AudioError as error:
            faults.append(str(error))
    if faults:
        raise InputError("\n".join(faults))


def same(drafts: Sequence[Draft], clips: Sequence[Clip], rate: int | None) -> Mapping[str, str]:
    """Draft's id -> the clip that has the same recording, byte for byte as it will lie there."""
    known = _Recordings(clips)
    twins = {}
    for draft in drafts:
        content = flac(draft.source, rate) if draft.convert else draft.source.read_bytes()
        if (twin := known.twin(content)) is not None:
            twins[draft.row["id"]] = twin
        known.add(content, draft.row["id"])
    return twins


class _Recordings:
    """By size, for few files have the same: only those are read."""

    def __init__(self, clips: Sequence[Clip]) -> None:
        self._files: dict[int, list[tuple[str, Path]]] = {}
        self._added: dict[bytes, str] = {}
        for clip in clips:
            with suppress(OSError):  # a missing recording is lint's to tell
                self._files.setdefault(clip.path.stat().st_size, []).append((clip.id, clip.path))

    def twin(self, content: bytes) -> str | None:
        for clip, path in self._files.get(len(content), ()):
            with suppress(OSError):
                if path.read_bytes() == content:
                    return clip
        return self._added.get(_digest(content))

    def add(self, content: bytes, clip: str) -> None:
        self._added.setdefault(_digest(content), clip)


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def place(draft: Draft, folder: Path, *, rate: int | None) -> Path | None:
    """Write the clip's audio; the path that was made, None where it lay there. InputError."""
    target = folder / str(draft.row["audio"])
    if target.exists():
        return None
    if draft.convert:
        write_atomic(target, flac(draft.source, rate))
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(draft.source, target)
    except OSError as error:
        raise InputError.at(target, None, f"can't be written: {error.strerror}") from None
    return target


def flac(source: Path, rate: int | None) -> bytes:
    """The recording as mono 16-bit FLAC at `rate` samples a second (None: its own)."""
    import soundfile

    recording = audio.read(source, "und")
    wanted = rate or recording.rate
    samples = soundfile.read(io.BytesIO(recording.wav_at(wanted)), dtype="int16")[0]
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, wanted, format="FLAC", subtype="PCM_16")
    return buffer.getvalue()
