"""Where the recordings of added clips go, and their conversion where it was asked for."""

from __future__ import annotations

import io
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pytest_asrbench import audio
from pytest_asrbench.commands.drafts import Draft
from pytest_asrbench.errors import AudioError, InputError
from pytest_asrbench.files import write_atomic

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
