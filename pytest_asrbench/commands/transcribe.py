"""
`asrbench transcribe FILE… --provider NAME`: what a provider makes of recordings.

    asrbench transcribe call.wav --provider pocketsphinx
    asrbench transcribe --data clips.yaml --provider nova3 --out recordings/nova3.jsonl

With --data alone the recordings are a dataset's; beside recordings it says whose settings hold.
--out writes a cassette, or adds to the one that lies there, as `asrbench cache export` does;
`recorded` reads it by clip id. NAME is a configuration of `asrbench.yaml`, a built-in system or one
that a conftest.py registers. A transcript that was stored before is marked `(stored)`.
Exit code: 0 fine, 2 unreadable input, 3 a call failed (the other recordings are transcribed).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_asrbench import datasets
from pytest_asrbench.clock import now, utc_now
from pytest_asrbench.commands import console
from pytest_asrbench.commands.chosen import chosen
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.engine import Engine, run_all
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Clip, ClipRecord, Entity, Transcript, Verdict
from pytest_asrbench.providers import conftests, facts, registry
from pytest_asrbench.providers.base import AnyProvider, Configuration, Description
from pytest_asrbench.providers.entries import configuration
from pytest_asrbench.providers.prices import own_prices
from pytest_asrbench.settings.config import BY_DATA, Settings, resolve
from pytest_asrbench.settings.options import BY_NAME
from pytest_asrbench.store import Entry, Store, TranscriptKey
from pytest_asrbench.store.cassette_update import existing, updated
from pytest_asrbench.verifiers.base import Identity

SHARED = ("mode", "concurrency", "budget", "prices", "cache", "cache_mode")  # as pytest's


class NoTargets:
    """A verifier for clips without entities."""

    identity = Identity("none", "1", "sha256:none")

    def judge(
        self, entities: Sequence[Entity], transcript: str, language: str
    ) -> Sequence[Verdict]:
        return ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--provider", required=True, metavar="NAME", help="or module:attr")
    parser.add_argument(
        "--data",
        metavar="[LAYOUT:]PATH",
        help="the recordings of a dataset; beside FILE alone its settings",
    )
    parser.add_argument("--language", default="en", help="of the files; default: en")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the cassette to write or add to")
    for name in SHARED:
        option = BY_NAME[name]
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            metavar=option.metavar,
            choices=option.choices or None,
            help=option.help,
        )


def run(args: argparse.Namespace) -> ExitCode:
    clips = _clips(args)
    option = {name: getattr(args, name) for name in SHARED}
    settings = settings_for(args.provider, option, args.data)
    records, notes = transcribed(clips, settings, args.provider, out=args.out)
    for record in records:
        if record.error:
            console.err(told(record.clip, record.error.message))
        else:
            stored = ["(stored)"] if record.source == "cache" else []
            console.row(record.clip, record.transcript, *stored)
    for note in notes:
        console.err(note)
    return ExitCode.CALL if any(record.error for record in records) else ExitCode.OK


def settings_for(provider: str, option: Mapping[str, Any], data: str | None) -> Settings:
    """Settings that pytest would go by: beside the dataset that is named, else found from here."""
    here = Path.cwd()
    target = chosen(data) if data else None
    return resolve(
        option={**option, "provider": provider},
        start=target.path.parent.resolve() if target else here,
        invocation=here,
        rootdir=here,
        which=BY_DATA,
    )


def told(clip: str, message: str) -> str:
    """The clip's name and the fault; a fault of the file itself names it already."""
    return message if message.startswith(f"{clip}:") else f"{clip}: {message}"


def _clips(args: argparse.Namespace) -> list[Clip]:
    if not args.files and not args.data:
        raise InputError("asrbench transcribe: give recordings, or --data for those of a dataset")
    if not args.files:
        target = chosen(args.data)
        dataset = datasets.load(target.spec, target.base, target.types)
        datasets.check_audio(dataset)
        return [replace(clip, entities=()) for clip in dataset.clips]
    if missing := [file for file in args.files if not file.is_file()]:
        raise InputError("\n".join(f"{file}: no such file" for file in missing))
    return [Clip(str(file), file, "", args.language) for file in args.files]


def transcribed(
    clips: Sequence[Clip], settings: Settings, name: str, *, out: Path | None = None
) -> tuple[list[ClipRecord], Sequence[str]]:
    """The provider's records of the clips' recordings, and lines for the reader; `out` is the
    cassette to write. Raises InputError."""
    chosen = configuration(settings, name)
    before = existing(out) if out else None
    conftests.load_for(chosen.use, settings.folder)
    store = Store(settings.cache, mode=settings.cache_mode, max_age_s=settings.cache_max_age_s)
    replay = settings.cache_mode == "replay"
    provider = registry.create(chosen, settings.providers, replay=replay)
    with TemporaryDirectory(prefix="asrbench-") as scratch:
        engine = Engine(
            clips=clips,
            dataset_folder=Path(),
            provider=provider,
            configuration=chosen,
            verifier=NoTargets(),
            store=store,
            run_store=Path(scratch),
            concurrency=settings.concurrency,
            budget=settings.budget,
            prices=own_prices(settings.prices) if settings.prices else None,
        )
        records = run_all(engine)
        notes = [*engine.notes, *_news(records, chosen, provider)]
    if out and before:
        update = updated(before, out.stem, _entries(records, chosen, engine.description))
        update.write(out)
        notes += update.notes
    return records, notes


def _news(
    records: Sequence[ClipRecord], chosen: Configuration, provider: AnyProvider
) -> Iterator[str]:
    """Says how to record that a vendor's adapter works, where it just did."""
    if any(record.source == "live" and not record.error for record in records):
        today = datetime.fromtimestamp(now(), UTC).date()
        if line := facts.how_to_record(chosen.use, chosen.mode, provider, today):
            yield line


def _entries(
    records: Sequence[ClipRecord], chosen: Configuration, description: Description
) -> list[Entry]:
    """Clips that failed have none, so that nobody takes them for silence."""
    return [
        Entry(
            TranscriptKey(
                record.audio_sha256 or "", description, chosen.mode, record.language, record.repeat
            ),
            Transcript(
                record.transcript or "",
                record.reported_model,
                record.request_id,
                record.billed_s,
                record.latency_ms,
                record.first_text_ms,
                record.after_speech_ms,
            ),
            record.recorded_at or utc_now(),
            record.attempts,
            chosen.name,
            record.clip,
            record.duration_s,
        )
        for record in records
        if not record.error
    ]
