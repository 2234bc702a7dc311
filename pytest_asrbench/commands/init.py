"""
`asrbench init [FOLDER]`: a working folder, with a manifest and a sample clip,
tests, settings, recorded transcripts, thresholds and a CI file at the root of
the git repository.

    asrbench init speech --provider deepgram
    asrbench init speech --provider nightly --use openai-compatible
    asrbench init speech --provider myasr        a function of yours, in conftest.py
    asrbench init speech --ci-only --provider deepgram    CI measures this one now

No file that is there already is touched, but a CI file that is still as init
wrote it.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from importlib.resources import files
from pathlib import Path
from string import Template

from pytest_asrbench.commands import ci_files, console, samples, score, starting
from pytest_asrbench.commands.ci_files import CIFile
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.starting import SAMPLE, StartingSystem
from pytest_asrbench.datasets import checks
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import write_atomic
from pytest_asrbench.files.fields import Faults, Fields
from pytest_asrbench.providers import conftests, registry
from pytest_asrbench.settings.config import walk
from pytest_asrbench.settings.file import FILE_NAME, read_settings_file
from pytest_asrbench.verifiers import packs

TEMPLATES = files("pytest_asrbench") / "templates"
FOLDER: Mapping[str, str] = {
    FILE_NAME: "init/settings.yaml",
    "clips.yaml": "init/clips.yaml",
    "clips/discount.flac": "init/discount.flac",
    "recordings/sample.jsonl": "init/sample.jsonl",
}
"""File of the new folder -> its template."""
TESTS, CONFTEST = "init/test_speech.py.txt", "init/conftest.py.txt"
AS_IT_IS = (".flac", ".jsonl")
GITLAB_ROOT = ".gitlab-ci.yml"
NO_SYSTEM = "# nova3: {use: deepgram, model: nova-3, concurrency: 8, timeout_s: 60}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, default=Path("speech"), metavar="FOLDER")
    parser.add_argument("--name", help="the dataset's name; default: the folder's")
    parser.add_argument("--language", default="en", help="the clips' language tag")
    parser.add_argument(
        "--provider",
        default=SAMPLE,
        metavar="NAME",
        help="what CI measures: a built-in system, or a name for a configuration or for a "
        "function of yours; default: recorded, the sample's transcripts",
    )
    parser.add_argument("--use", metavar="SYSTEM", help="the built-in system that NAME configures")
    parser.add_argument("--ci", choices=[*ci_files.PLACES, "none"], default="github")
    parser.add_argument("--ci-only", action="store_true", help="write the CI file alone")


def run(args: argparse.Namespace) -> ExitCode:
    values = _values(args)
    if args.ci_only:
        system = _known_as(args.folder, args.provider)
        contents: dict[Path, str | bytes] = {}
    else:
        system = starting.new(
            args.provider,
            args.use,
            language=values["language"],
            registered=lambda: _registered(args.folder),
        )
        contents = _contents(args.folder, values, system)
    ci = _ci_file(args, system)
    if ci:
        contents |= _ci_contents(ci, args.ci)
    there = [path for path in contents if path.exists() and not (ci and ci.path == path)]
    if there:
        raise InputError("\n".join(f"{path}: is there already; move it away" for path in there))
    made = _write(contents, ci, None if args.ci_only else args.folder)
    for path in made:
        console.out(f"wrote {_shown(path)}")
    console.out()
    for line in _next_steps(args, system, ci):
        console.out(line)
    return ExitCode.OK


def _write(
    contents: Mapping[Path, str | bytes], ci: CIFile | None, folder: Path | None
) -> list[Path]:
    """All or nothing. Thresholds are stored for a folder's sample."""
    made: list[Path] = []
    before = ci.path.read_text(encoding="utf-8") if ci and ci.replaces else None
    try:
        for path, content in contents.items():
            write_atomic(path, content)
            made.append(path)
        if folder:
            made.append(_thresholds(folder))
    except BaseException:
        for path in made:
            path.unlink(missing_ok=True)
        if ci and before is not None:
            write_atomic(ci.path, before)
        raise
    return made


def _contents(
    folder: Path, values: Mapping[str, str], system: StartingSystem
) -> dict[Path, str | bytes]:
    lines = {"system": NO_SYSTEM if system.use == SAMPLE else _entry(system)}
    language = values["language"]
    values = {
        **values,
        **lines,
        **samples.values(language),
        "provider": system.name,
        "function": system.function or "",
    }
    templates = {**samples.templates(language, FOLDER), _free_name(folder): TESTS}
    if system.function:
        templates["conftest.py"] = CONFTEST
    return {folder / name: _filled(template, values) for name, template in templates.items()}


def _entry(system: StartingSystem) -> str:
    if system.own:
        place = "conftest.py" if system.function else "the module of that name"
        place = "a conftest.py above or a package" if system.there else place
        return f"# {system.name} is a function of yours, in {place}."
    comment = f"  # change {' and '.join(system.to_fill_in)} to yours" if system.to_fill_in else ""
    return f"{system.line}{comment}"


def _free_name(folder: Path) -> str:
    """A name that no other test module of the repository has: pytest imports both under it."""
    root = ci_files.root_of(folder) or Path.cwd()
    taken = {name for here, names in walk(root) if here != folder.resolve() for name in names}
    parts = [re.sub(r"\W", "_", part) for part in folder.resolve().parts[1:]]
    for count in range(1, len(parts) + 1):
        name = f"test_{'_'.join(parts[-count:])}.py"
        if name not in taken:
            return name
    return name


def _ci_file(args: argparse.Namespace, system: StartingSystem) -> CIFile | None:
    if args.ci == "none":
        return None
    return ci_files.plan(
        args.ci, args.folder, system, lambda each: _known_as(args.folder, each, guess=True)
    )


def _ci_contents(ci: CIFile, which: str) -> dict[Path, str | bytes]:
    """The file, and for GitLab the one that includes it, where there is none yet."""
    contents: dict[Path, str | bytes] = {ci.path: ci.content}
    root = _gitlab_root(ci)
    if which == "gitlab" and not root.exists():
        contents[root] = f"include:\n  - local: {ci.path.relative_to(root.parent).as_posix()}\n"
    return contents


def _gitlab_root(ci: CIFile) -> Path:
    return ci.path.parent.parent / GITLAB_ROOT


def _known_as(folder: Path, name: str, *, guess: bool = False) -> StartingSystem:
    """The system of that name in a folder that is there; `guess`: else one as init would set up."""
    file = folder / FILE_NAME
    entries = read_settings_file(file).providers if file.is_file() else {}
    try:
        return starting.configured(name, entries, conftests.names(folder))
    except InputError:
        if guess or not file.is_file():
            return starting.new(name)
        raise


def _registered(folder: Path) -> Collection[str]:
    """What the repository's own code and packages register for a folder, as far as that can be
    imported here."""
    with suppress(InputError):
        conftests.load(folder)
    return registry.known()


def _next_steps(
    args: argparse.Namespace, system: StartingSystem, ci: CIFile | None
) -> Iterator[str]:
    folder = shlex.quote(str(args.folder))
    steps = []
    if not args.ci_only:
        yield f"now:  pytest {folder} --asr-provider={SAMPLE}"
        steps.append(f"asrbench add CALL.wav --data {folder} --entity TYPE=VALUE --reference TEXT")
    if system.function and not args.ci_only:
        steps.append(f"write the call of your recogniser into {args.folder / 'conftest.py'}")
    if system.to_fill_in and not args.ci_only:
        steps.append(f"change {' and '.join(system.to_fill_in)} in {args.folder / FILE_NAME}")
    if system.secrets:
        steps.append(f"set {', '.join(system.secrets)} here, and as a secret of the repository")
    if system.use != SAMPLE:
        mode = " --asr-mode=stream" if system.mode == "stream" else ""
        asked = f"--asr-provider={shlex.quote(system.name)}{mode}"
        steps.append(f"pytest {folder} {asked} --asr-update   # the thresholds that CI gates by")
    elif ci and not args.ci_only:
        which = "" if args.ci == "github" else f" --ci {args.ci}"
        steps.append(
            f"asrbench init {folder} --ci-only{which} --provider NAME   # until then CI measures "
            "the sample's transcripts"
        )
    if args.ci == "gitlab" and ci and _gitlab_root(ci).exists():
        local = ci.path.relative_to(_gitlab_root(ci).parent).as_posix()
        if local not in _gitlab_root(ci).read_text(encoding="utf-8"):
            steps.append(f"add to {_shown(_gitlab_root(ci))}: include: [{{local: {local}}}]")
    for number, step in enumerate(steps):
        yield f"{'then: ' if number == 0 else '      '}{step}"
    if ci and not ci_files.root_of(args.folder):
        yield f"no git repository here: {_shown(ci.path)} belongs to its root"


def _values(args: argparse.Namespace) -> dict[str, str]:
    faults = Faults(args.folder)
    name = args.name or args.folder.resolve().name
    fields = Fields({"id": name}, faults, {})
    checks.clip_id(fields, "id", {})  # the name has an id's characters
    checks.check_language(fields, args.language)
    faults.check()
    if not packs.known(args.language):
        raise InputError(
            f"asrbench init: --language {args.language}: no language pack; known: "
            f"{packs.listed()}; an installed pack counts too (docs/languages.md)"
        )
    return {"name": name, "language": args.language}


def _filled(template: str, values: Mapping[str, str]) -> str | bytes:
    source = TEMPLATES / template
    if template.endswith(AS_IT_IS):
        return source.read_bytes()
    return Template(source.read_text(encoding="utf-8")).substitute(values)


def _thresholds(folder: Path) -> Path:
    """The thresholds that `asrbench score --update` writes for the sample."""
    path = folder / "thresholds" / f"{SAMPLE}.yaml"
    parser = argparse.ArgumentParser()
    score.add_arguments(parser)
    sample = str(folder / "recordings/sample.jsonl")
    asked = ["--data", str(folder), "--hypotheses", sample, "--name", SAMPLE]
    asked += ["--thresholds", str(path), "--update", "-q"]
    with redirect_stdout(io.StringIO()):  # a report of the sample tells nobody anything
        score.run(parser.parse_args(asked))
    return path


def _shown(path: Path) -> str:
    """As a reader in this folder would write it."""
    return os.path.relpath(path) if path.is_absolute() else str(path)
