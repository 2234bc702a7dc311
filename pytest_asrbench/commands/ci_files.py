"""
The CI file of a folder of clips: where it goes, what stands in it, when it may be replaced.

It lies at the root of the git repository, where alone CI systems read it, and names paths from
there.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template

from pytest_asrbench.commands.starting import StartingSystem
from pytest_asrbench.errors import InputError

TEMPLATES = files("pytest_asrbench") / "templates"
PLACES: Mapping[str, str] = {
    "github": ".github/workflows/speech{}.yml",
    "gitlab": ".gitlab/speech{}.yml",
}
"""CI system -> the file it reads, from the repository's root."""
EMBEDDED = ("pocketsphinx", "faster-whisper")  # they run without keys, in a fork as well
RE_PROVIDER = re.compile(r"--asr-provider=(\S+)")
RE_VERSION = re.compile(r"'pytest-asrbench\[[^]]*\]==([^']+)'")


@dataclass(frozen=True, slots=True)
class CIFile:
    """`replaces`: one that init wrote before, for another provider, stands there."""

    path: Path
    content: str
    replaces: bool = False


def root_of(folder: Path) -> Path | None:
    """The git repository that a folder lies in, or will lie in."""
    here = folder.resolve()
    return next((at for at in (here, *here.parents) if (at / ".git").exists()), None)


def plan(
    ci: str, folder: Path, system: StartingSystem, known_as: Callable[[str], StartingSystem]
) -> CIFile:
    """The CI file of the set of clips in `folder`; that of a second set is named by its folder.

    `known_as` gives the system of a name that init may have written. Raises InputError where this
    folder's file was changed by somebody since.
    """
    root = root_of(folder) or Path.cwd()
    inside = folder.resolve()
    inside = inside.relative_to(root) if inside.is_relative_to(root) else inside
    for suffix in ("", f"-{'-'.join(inside.parts)}"):
        path = root / PLACES[ci].format(suffix)
        content = text(ci, inside, system, suffix=suffix)
        if not path.is_file():
            return CIFile(path, content)
        there = path.read_text(encoding="utf-8")
        if f"pytest {_quoted(inside)} " in there:
            if there != _as_written(there, ci, inside, suffix, known_as):
                break
            return CIFile(path, content, replaces=True)
    raise InputError(
        f"{path}: is there already, and not as init writes it; name {system.name} and its key in "
        "it, move it away, or keep it with --ci none"
    )


def text(
    ci: str, folder: Path, system: StartingSystem, *, suffix: str = "", plugin: str | None = None
) -> str:
    """The file's text; `folder` is relative to the repository's root, `plugin` our version."""
    extras = ",".join(["html", *system.extras])
    return _template(ci).substitute(
        folder=_quoted(folder),
        in_quotes=folder.as_posix().replace("'", "''"),
        provider=shlex.quote(system.name),
        mode=" --asr-mode=stream" if system.mode == "stream" else "",
        suffix=suffix,
        path=PLACES[ci].format(suffix),
        install=f"pytest-asrbench[{extras}]=={plugin or version('pytest-asrbench')}",
        environment=_environment(ci, system),
        keys=_keys(system),
        replayed=_replayed(ci, folder, system),
    )


def _environment(ci: str, system: StartingSystem) -> str:
    """GitHub's `env` of the step: a secret reaches it by name alone."""
    lines = [f"{name}: ${{{{ secrets.{name} }}}}" for name in system.secrets]
    if system.own:
        lines.append("# MY_KEY: ${{ secrets.MY_KEY }} # what your provider reads")
    inner = "".join(f"          {line}\n" for line in lines)
    return f"        env:\n{inner}" if inner else ""


def _replayed(ci: str, folder: Path, system: StartingSystem) -> str:
    """Settings that keep a run without keys from calling, and from judging by its own files."""
    if system.use in EMBEDDED:
        return ""
    return _template(f"{ci}-replay").substitute(folder=_quoted(folder))


def _keys(system: StartingSystem) -> str:
    named = ", ".join(system.secrets)
    return f" # needs the masked CI/CD variable {named}" if named else ""


def _as_written(
    there: str, ci: str, folder: Path, suffix: str, known_as: Callable[[str], StartingSystem]
) -> str | None:
    """The text that init of that version wrote for that file's provider."""
    provider, plugin = RE_PROVIDER.search(there), RE_VERSION.search(there)
    if not (provider and plugin):
        return None
    (name,) = shlex.split(provider[1]) or [""]
    return text(ci, folder, known_as(name), suffix=suffix, plugin=plugin[1])


def _template(ci: str) -> Template:
    return Template(_read(f"{ci}.yml"))


def _read(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _quoted(folder: Path) -> str:
    return shlex.quote(folder.as_posix())
