"""
`asrbench add CLIP.wav --entity TYPE=VALUE`: a recording becomes a checked clip.

    asrbench add call.wav --entity phone_number=415-555-0132
    asrbench add call.wav --entity time=9:30 --acoustic "half past nine"
    asrbench add call.m4a --convert --provider myasr --entity date="May 1"
    asrbench add recordings/ --from calls.csv --yes

`--from` takes a log of calls (JSON, JSONL) or a table (CSV, TSV), one recording
a row; beside a folder the recordings are that folder's. `--acoustic`,
`--accept` and `--entity-id` belong to the `--entity` before them. Spoken forms
and a reference that nobody wrote are proposed and shown; --yes approves them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_asrbench.audio import foreign
from pytest_asrbench.commands import call_logs, console, drafts, recordings, transcribe
from pytest_asrbench.commands.arguments import positive
from pytest_asrbench.commands.call_logs import Log
from pytest_asrbench.commands.chosen import Chosen, chosen
from pytest_asrbench.commands.drafts import Draft
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.sayings import say_in
from pytest_asrbench.counts import plural
from pytest_asrbench.datasets import editing, native
from pytest_asrbench.errors import InputError
from pytest_asrbench.lint import Finding, check_clip
from pytest_asrbench.lint.sound import sound
from pytest_asrbench.model import Clip, Dataset
from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import Rules


class _Entity(argparse.Action):
    """`--entity TYPE=VALUE` starts an entity; the options after it add to it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        entities: list[dict[str, Any]] = namespace.entities
        if self.dest == "entity":
            kind, equals, value = str(values).partition("=")
            if not (kind and equals and value):
                raise argparse.ArgumentError(self, f"write TYPE=VALUE, not {values!r}")
            namespace.entities = [*entities, {"type": kind, "canonical": value}]
        elif not entities:
            raise argparse.ArgumentError(self, "belongs to an --entity; write that first")
        elif self.dest == "accept":
            entities[-1].setdefault("accept", []).append(values)
        else:
            entities[-1]["id" if self.dest == "entity_id" else self.dest] = values


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(entities=[])
    parser.add_argument(
        "audio", nargs="?", type=Path, metavar="CLIP.wav", help="or with --from a folder of them"
    )
    parser.add_argument("--entity", action=_Entity, metavar="TYPE=VALUE", help="a target value")
    parser.add_argument("--acoustic", action=_Entity, metavar="TEXT", help="its spoken form")
    parser.add_argument(
        "--accept", action=_Entity, metavar="TEXT", help="a written form that counts"
    )
    parser.add_argument("--entity-id", action=_Entity, metavar="ID")
    parser.add_argument("--reference", metavar="TEXT", help="all that is said, word for word")
    parser.add_argument("--id", help="the clip's id; default: the file's stem")
    for name in ("language", "domain", "difficulty"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--tags", metavar="A,B", help="named subsets, comma-separated")
    parser.add_argument(
        "--from",
        "--from-json",
        dest="log",
        type=Path,
        metavar="FILE",
        help="many: what is said in which recording, as JSON, JSONL, CSV or TSV",
    )
    parser.add_argument(
        "--provider", metavar="NAME", help="propose what it hears as reference, where there is none"
    )
    parser.add_argument(
        "--data", metavar="PATH", help="the manifest; default: that of the settings"
    )
    parser.add_argument(
        "--convert",
        action="store_true",
        help="save as mono 16-bit FLAC; m4a, mp4, webm and the like by ffmpeg",
    )
    parser.add_argument(
        "--raw",
        type=_raw,
        metavar="CODEC[@HZ]",
        help="no header: mulaw, alaw (8000 Hz) or s16le; implies --convert",
    )
    parser.add_argument(
        "--rate", type=positive, metavar="HZ", help="and resample; implies --convert"
    )
    parser.add_argument("--yes", action="store_true", help="approve what is proposed")


def run(args: argparse.Namespace) -> ExitCode:
    target = chosen(args.data)
    if target.layout != "native":
        raise InputError.at(target.path, None, f"add writes native manifests, not {target.layout}")
    before = native.read(target.path, target.types)
    args.convert = args.convert or args.rate is not None or args.raw is not None
    with TemporaryDirectory(prefix="asrbench-add-") as scratch:
        wanted = _wanted(args, before, target, Path(scratch))
        return _add(wanted, before, target, args) if wanted else ExitCode.OK


def _wanted(
    args: argparse.Namespace, before: Dataset, target: Chosen, scratch: Path
) -> Sequence[Draft]:
    """The clips that were asked for, their recordings readable. Of a log, less those whose
    recording is a clip already: it may be added again when it has grown."""
    folder = target.path.parent
    log = _log(args, before)
    for note in log.notes:
        console.out(note)
    packs = Rules(packs=target.packs).packs
    wanted = _complete(log.calls, before, folder, scratch, args, packs)
    recordings.check(wanted, folder)
    twins = recordings.same(wanted, before.clips, args.rate)
    there = {clip.id for clip in before.clips}
    left_out = [new for new, twin in twins.items() if args.log and twin in there]
    for new, twin in twins.items():
        what = "left out" if new in left_out else f"asrbench remove {twin} removes that one"
        console.out(f"{new}: the same recording as {twin}; {what}")
    wanted = [draft for draft in wanted if draft.row["id"] not in left_out]
    if not wanted:
        console.out("nothing is new")
    return wanted


def _add(
    wanted: Sequence[Draft], before: Dataset, target: Chosen, args: argparse.Namespace
) -> ExitCode:
    rows = [draft.row for draft in wanted]
    after = editing.preview(target.path, rows, target.types)
    console.out(editing.rendered(rows), end="")
    findings = list(_findings(wanted, after, target))
    for finding in findings:
        console.out(replace(finding, row=None).line(target.path))  # the file has no such row yet
    if any(finding.level == "error" for finding in findings):
        console.err("nothing was written; correct the errors above")
        return ExitCode.FAILED
    if not _approved(wanted, yes=args.yes):
        console.err("nothing was written")
        return ExitCode.FAILED
    _write(wanted, target.path, args)
    for clip in after.clips[len(before.clips) :]:
        values = plural(len(clip.entities), "value")
        console.out(f"{target.path}:{clip.row}: added {clip.id}, {values}")
    console.out("in no gate yet: pytest --asr-provider=NAME --asr-update takes new clips in")
    return ExitCode.OK


def _log(args: argparse.Namespace, before: Dataset) -> Log:
    if args.log is None:
        if args.audio is not None and args.audio.is_dir():
            raise InputError(
                f"asrbench add: {args.audio} is a folder; say what is said in its recordings with "
                "--from FILE (CSV, TSV, JSON or JSONL)"
            )
        return Log([_asked(args)])
    if args.audio is not None and not args.audio.is_dir():
        raise InputError(f"asrbench add: beside --from give a folder of recordings, {args.audio}")
    return call_logs.read(args.log, args.audio, before.types)


def _raw(text: str) -> str:
    codec, _, rate = text.partition("@")
    if codec not in foreign.SUBTYPES or (rate and not (rate.isdecimal() and int(rate))):
        known = ", ".join(foreign.SUBTYPES)
        raise argparse.ArgumentTypeError(f"write one of {known}, with @HZ where it isn't 8000")
    return text


def _asked(args: argparse.Namespace) -> tuple[Path, dict[str, Any]]:
    if args.audio is None:
        raise InputError("asrbench add: give a recording, or --from FILE")
    if not args.entities and args.reference is None and args.provider is None:
        raise InputError('asrbench add: give --entity or --reference TEXT ("" for silence)')
    tags = [tag.strip() for tag in (args.tags or "").split(",") if tag.strip()]
    row = {
        "id": args.id,
        "reference": args.reference,
        "language": args.language,
        "domain": args.domain,
        "difficulty": args.difficulty,
        "tags": tags or None,
        "entities": args.entities,
    }
    return args.audio, {key: value for key, value in row.items() if value is not None}


def _complete(
    asked: Sequence[tuple[Path, Mapping[str, Any]]],
    before: Dataset,
    folder: Path,
    scratch: Path,
    args: argparse.Namespace,
    packs: Mapping[str, Pack],
) -> list[Draft]:
    files = [source for source, _ in asked]
    if args.convert:
        files = recordings.readable(files, scratch, args.raw)
    heard = _heard(files, [row for _, row in asked], before, args)
    taken = {clip.id for clip in before.clips}
    wanted = []
    for (source, row), file, text in zip(asked, files, heard, strict=True):
        language = row.get("language") or _usual(before)
        draft = drafts.complete(source, row, taken, before.types, text, say_in(language, packs))
        taken.add(draft.row["id"])
        planned = recordings.planned(draft, folder, convert=args.convert)
        wanted.append(replace(planned, source=file))
    return wanted


def _usual(before: Dataset) -> str:
    """The language of a clip that names none."""
    return before.clips[-1].language if before.clips else "en"


def _heard(
    files: Sequence[Path],
    rows: Sequence[Mapping[str, Any]],
    before: Dataset,
    args: argparse.Namespace,
) -> Sequence[str | None]:
    """Transcripts of recordings without a reference, by the provider that was named. InputError."""
    usual = _usual(before)
    clips = [
        Clip(str(file), file, "", row.get("language") or usual)
        for file, row in zip(files, rows, strict=True)
        if args.provider and "reference" not in row
    ]
    if not clips:
        return [None] * len(files)
    settings = transcribe.settings_for(args.provider, {}, args.data)
    records, notes = transcribe.transcribed(clips, settings, args.provider)
    for note in notes:
        console.out(note)
    if faults := [transcribe.told(r.clip, r.error.message) for r in records if r.error]:
        raise InputError("\n".join(faults))
    transcripts = {record.clip: record.transcript for record in records}
    return [transcripts.get(str(file)) for file in files]


def _approved(wanted: Sequence[Draft], *, yes: bool) -> bool:
    proposed = [line for draft in wanted for line in draft.proposed]
    for line in proposed:
        console.out(f"proposed {line}")
    if yes or not proposed:
        return True
    if not sys.stdin.isatty():
        raise InputError("asrbench add: --yes approves this; or give --acoustic and --reference")
    return input("Add it like this? [y/N] ").strip().lower() in ("y", "yes")


def _write(wanted: Sequence[Draft], manifest: Path, args: argparse.Namespace) -> None:
    """Audio first, then the manifest; where one fails, the audio made so far is removed."""
    made: list[Path | None] = []
    try:
        for draft in wanted:
            made.append(recordings.place(draft, manifest.parent, rate=args.rate))
        editing.append(manifest, [draft.row for draft in wanted])
    except BaseException:
        for path in filter(None, made):
            path.unlink(missing_ok=True)
        raise


def _findings(wanted: Sequence[Draft], after: Dataset, target: Chosen) -> Iterator[Finding]:
    rules = Rules(types=after.types, policy=target.policy, packs=target.packs)
    for draft, clip in zip(wanted, after.clips[-len(wanted) :], strict=True):
        yield from check_clip(clip, after, rules)
        yield from sound(replace(clip, path=draft.source))  # as it is before conversion
