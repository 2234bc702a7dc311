"""The command by which pytest runs one clip again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from pytest_asrbench.run import Run

RE_WORD = re.compile(r"[\w:+.\[\]/-]+")  # of pytest's -k; an id may hold more than that
OPERATORS = frozenset({"and", "or", "not"})


def command(run: Run, clip: str) -> str:
    """For a run of which only the run file is known."""
    asked = ["pytest", f"--asr-provider={run.provider.name}", *measured_as(run)]
    return shlex.join([*asked, "-k", keywords(clip)])


def measured_as(run: Run) -> Sequence[str]:
    """The options without which the clip would be transcribed another way, and the one without
    which its misses would not fail a run that is too small for the gates."""
    mode = ["--asr-mode=stream"] if run.provider.mode == "stream" else []
    repeats = [f"--asr-repeat={run.repeats}"] if run.repeats > 1 else []
    names = [part.condition.name for part in run.conditions if part.condition]
    conditions = [f"--asr-condition={','.join(names)}"] if names else []
    return [*mode, *repeats, *conditions, "--asr-strict"]


def by_module(test: str, modules: Iterable[str]) -> str:
    """`path::name` as `module::name`, where one of these modules is the file, or a package that
    holds it: a path into site-packages would be of this machine only."""
    path, _, name = test.partition("::")
    file = Path(path).resolve()
    for module in modules:
        try:
            spec = find_spec(module)
        except (ImportError, ValueError):  # a path among them
            continue
        if spec and spec.origin and Path(spec.origin).resolve() == file:
            return f"{module}::{name}"
        for folder in (spec and spec.submodule_search_locations) or ():
            if file.is_relative_to(Path(folder).resolve()):
                inner = file.relative_to(Path(folder).resolve()).with_suffix("").parts
                return f"{'.'.join([module, *inner])}::{name}"
    return test


def keywords(clip: str) -> str:
    """An expression for -k that selects the clip's tests, and no others whose names have its id in
    them: `[refund_03] or [refund_03/`. Of an id with letters that -k does not take, the other parts
    are asked for, which a similar id may have too."""
    tests = (" and ".join(_words(f"[{clip}{end}")) for end in "]/")
    return " or ".join(tests)


def _words(text: str) -> Sequence[str]:
    return [word for word in RE_WORD.findall(text) if word.lower() not in OPERATORS]
