"""
`asrbench condition CLIP --condition NAME --out FILE.wav`: a clip as it sounds under a condition.

    asrbench condition refund_03 --condition phone --out phone.wav
    asrbench condition call.wav --condition noise:10,phone --out kitchen.wav
    asrbench condition --list

CLIP is a recording, or the id of a clip of the dataset. Several conditions, joined by a comma or
by +, follow one another on the way: noise around the caller, then the telephone. The file is what
`pytest --asr-condition` sends, sample by sample.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from pytest_asrbench import audio, datasets
from pytest_asrbench.commands import console
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.conditions import Conditions, Sounds, versions
from pytest_asrbench.conditions.steps import CHAINS, STEPS
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import check_writable, write_atomic
from pytest_asrbench.model import Clip, Dataset
from pytest_asrbench.settings.config import Settings, resolve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("clip", nargs="?", metavar="CLIP", help="a recording, or a clip's id")
    parser.add_argument("--condition", metavar="NAME[,NAME]", help="what it goes through, in order")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the WAV file to write")
    parser.add_argument("--data", metavar="[LAYOUT:]PATH", help="the dataset; default: settings'")
    parser.add_argument("--list", action="store_true", help="show the conditions there are")


def run(args: argparse.Namespace) -> ExitCode:
    here = Path.cwd()
    settings = resolve(option={"data": args.data}, start=here, invocation=here, rootdir=here)
    conditions = Conditions(settings.conditions)
    if args.list:
        for name, about in _known(settings):
            console.out(f"{name:<16} {about}")
        return ExitCode.OK
    if not (args.clip and args.condition and args.out):
        raise InputError("asrbench condition: give CLIP, --condition and --out, or --list")
    check_writable(args.out)
    condition = conditions.named(args.condition.replace(",", "+"))
    clip, dataset = _clip(args.clip, args.data, settings)
    sounds = Sounds([condition], dataset.clips if dataset else ())
    heard = sounds.under(condition, clip, audio.read(clip.path, clip.language))
    write_atomic(args.out, heard.data)
    console.out(f"{args.out}: {condition.name}, {heard.duration_s:.2f} s at {heard.rate} Hz")
    made_by = ", ".join(f"{name} {version}" for name, version in versions().items())
    console.out(f"PCM sha256:{heard.pcm_sha256[:12]}, {made_by}")
    return ExitCode.OK


def _clip(name: str, data: str | None, settings: Settings) -> tuple[Clip, Dataset | None]:
    """The dataset's clip of that id, else the file; with the dataset where there is one."""
    path = Path(name)
    file = Clip(name, path, "", "en")
    if path.is_file() and data is None and not (settings.data_base / settings.data).exists():
        return file, None
    dataset = datasets.load(settings.data, settings.data_base, settings.types)
    same = (clip for clip in dataset.clips if clip.path.resolve() == path.resolve())
    clip = dataset.by_id.get(name) or next(same, None) or (file if path.is_file() else None)
    if clip is None:
        raise InputError(f"{name}: neither a file nor a clip of {dataset.path}")
    return clip, dataset


def _known(settings: Settings) -> Iterator[tuple[str, str]]:
    """Each condition with what it does: those of the settings first."""
    conditions = Conditions(settings.conditions)
    for name in settings.conditions:
        yield name, ", ".join(step.name for step in conditions.named(name).steps)
    for name, steps in CHAINS.items():
        yield name, ", ".join(steps)
    for name, kind in STEPS.items():
        yield name + (f":{kind.first.upper()}" if kind.first else ""), kind.about
