"""
`asrbench init [FOLDER]`: a working folder, with a manifest and a sample clip,
tests, settings, recorded transcripts, thresholds and a CI file. No file that is
there already is touched.
"""

from __future__ import annotations

import argparse
import io
import shlex
from collections.abc import Mapping
from contextlib import redirect_stdout
from importlib.resources import files
from pathlib import Path
from string import Template

from pytest_asrbench.commands import score
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.datasets import checks
from pytest_asrbench.datasets.fields import Faults, Fields
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import write_atomic

TEMPLATES = files("pytest_asrbench") / "templates"
FOLDER: Mapping[str, str] = {
    "asrbench.yaml": "init/settings.yaml",
    "clips.yaml": "init/clips.yaml",
    "clips/discount.flac": "init/discount.flac",
    "recordings/sample.jsonl": "init/sample.jsonl",
    "test_speech.py": "init/test_speech.py.txt",
}
"""File of the new folder -> its template."""
CI: Mapping[str, tuple[str, str]] = {
    "github": (".github/workflows/speech.yml", "github.yml"),
    "gitlab": (".gitlab/speech.yml", "gitlab.yml"),
}
"""CI system -> the file it reads, from the repository's root, and its template."""
AS_IT_IS = (".flac", ".jsonl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, default=Path("speech"), metavar="FOLDER")
    parser.add_argument("--name", help="the dataset's name; default: the folder's")
    parser.add_argument("--language", default="en", help="the clips' language tag")
    parser.add_argument("--provider", default="recorded", help="what CI measures")
    parser.add_argument("--ci", choices=[*CI, "none"], default="github")
    parser.add_argument("--ci-only", action="store_true", help="write the CI file alone")


def run(args: argparse.Namespace) -> ExitCode:
    contents = _contents(args)
    there = [str(path) for path in contents if path.exists()]
    if there:
        raise InputError("\n".join(f"{path}: is there already; {_remedy(path)}" for path in there))
    made: list[Path] = []
    try:
        for path, content in contents.items():
            write_atomic(path, content)
            made.append(path)
        if not args.ci_only:
            made.append(_thresholds(args.folder))
    except BaseException:
        for path in made:
            path.unlink(missing_ok=True)
        raise
    for path in made:
        print(f"wrote {path}")
    if args.ci_only:
        return ExitCode.OK
    print(f"\nnow:  pytest {args.folder} --asr-provider=recorded")
    print(f"then: asrbench add CALL.wav --data {args.folder} --entity TYPE=VALUE --reference TEXT")
    return ExitCode.OK


def _remedy(path: str) -> str:
    """A second folder of clips needs no second CI file."""
    ours = [name for name, _ in CI.values()]
    return "move it away, or keep it with --ci none" if path in ours else "move it away"


def _contents(args: argparse.Namespace) -> dict[Path, str | bytes]:
    values = _values(args)
    found: dict[Path, str | bytes] = {}
    if not args.ci_only:
        found |= {
            args.folder / name: _filled(template, values) for name, template in FOLDER.items()
        }
    if args.ci != "none":
        name, template = CI[args.ci]
        found[Path(name)] = _filled(template, {**values, "path": name})
    return found


def _values(args: argparse.Namespace) -> dict[str, str]:
    faults = Faults(args.folder)
    name = args.name or args.folder.resolve().name
    fields = Fields({"id": name}, faults, {})
    checks.clip_id(fields, "id", {})  # the name has an id's characters
    checks.check_language(fields, args.language)
    faults.check()
    return {
        "name": name,
        "language": args.language,
        "folder": shlex.quote(args.folder.as_posix()),
        "provider": shlex.quote(args.provider),
    }


def _filled(template: str, values: Mapping[str, str]) -> str | bytes:
    source = TEMPLATES / template
    if template.endswith(AS_IT_IS):
        return source.read_bytes()
    return Template(source.read_text(encoding="utf-8")).substitute(values)


def _thresholds(folder: Path) -> Path:
    """Those that `asrbench score --update` writes for the sample."""
    path = folder / "thresholds" / "recorded.yaml"
    parser = argparse.ArgumentParser()
    score.add_arguments(parser)
    sample = str(folder / "recordings/sample.jsonl")
    asked = ["--data", str(folder), "--hypotheses", sample, "--name", "recorded"]
    asked += ["--thresholds", str(path), "--update", "-q"]
    with redirect_stdout(io.StringIO()):  # a report of the sample tells nobody anything
        score.run(parser.parse_args(asked))
    return path
