"""
`asrbench remove CLIP…`: clips leave the dataset, and their recordings with them.

    asrbench remove call_7 --data speech

A recording goes where it lies in the dataset's `clips/` and no other clip uses
it; --keep-audio leaves it. The rest of the manifest stays as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from pytest_asrbench.commands import console
from pytest_asrbench.commands.chosen import chosen
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.recordings import FOLDER
from pytest_asrbench.datasets import editing, native
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import write_atomic
from pytest_asrbench.model import Clip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("clips", nargs="+", metavar="CLIP", help="the id of a clip")
    parser.add_argument(
        "--data", metavar="PATH", help="the manifest; default: that of the settings"
    )
    parser.add_argument("--keep-audio", action="store_true", help="leave the recordings")


def run(args: argparse.Namespace) -> ExitCode:
    target = chosen(args.data)
    if target.layout != "native":
        raise InputError.at(
            target.path, None, f"remove edits native manifests, not {target.layout}"
        )
    before = native.read(target.path, target.types).clips
    gone = [clip for clip in before if clip.id in args.clips]
    text = editing.without(target.path, args.clips, target.types)
    write_atomic(target.path, text)
    for clip in gone:
        console.out(f"{target.path}:{clip.row}: removed {clip.id}")
    left = {clip.path.resolve() for clip in before if clip not in gone}
    own = (target.path.parent / FOLDER).resolve()
    for path in [] if args.keep_audio else _recordings(gone, own):
        if path.resolve() in left:
            console.out(f"{path}: left, another clip uses it")
        else:
            path.unlink()
            console.out(f"{path}: removed")
    console.out(
        "gate[thresholds] fails until the thresholds are renewed: run pytest with --asr-update"
    )
    return ExitCode.OK


def _recordings(clips: list[Clip], folder: Path) -> Iterator[Path]:
    """Each once, of those that lie in the folder where `asrbench add` puts them."""
    for path in dict.fromkeys(clip.path for clip in clips):
        if path.is_file() and path.resolve().is_relative_to(folder):
            yield path
