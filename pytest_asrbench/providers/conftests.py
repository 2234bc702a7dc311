"""
Providers that a project's conftest.py registers, for commands that run without pytest.

The files are those that pytest would load for a test in the folder, from the top down, and they are
imported as pytest does by default: under the name `conftest`, their folder first on the path.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from pytest_asrbench.errors import InputError, one_line
from pytest_asrbench.providers import registry

NAME = "conftest"
_loaded: set[Path] = set()  # a second import would register its names a second time


def load(folder: Path) -> None:
    """Import the conftest.py files of a folder and of those above it in its repository.

    Raises InputError, in one line that names the file.
    """
    for path in _files(folder.resolve()):
        if path not in _loaded:
            _import(path)
            _loaded.add(path)


def load_for(name: str, folder: Path) -> None:
    """The same, where `name` is not known without: others' code runs only where it is asked for."""
    if name not in registry.known() and ":" not in name:
        load(folder)


def names(folder: Path) -> list[str]:
    """The providers that are known in a folder and neither built in nor another package's."""
    load(folder)
    return registry.registered()


def unseen(name: str, folder: Path) -> Path | None:
    """The conftest.py of a folder or above it that has this name in it and was not imported, as
    pytest reads none above its rootdir."""
    imported = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
    for path in _files(folder.resolve()):
        if str(path) not in imported and name in path.read_text(encoding="utf-8", errors="replace"):
            return path
    return None


def _files(folder: Path) -> Iterator[Path]:
    """From the repository's root, or where there is none from the folder of the call, downwards."""
    above = [folder, *folder.parents]
    top = next((at for at in above if (at / ".git").exists()), None)
    top = top or (Path.cwd() if Path.cwd() in above else folder)
    for at in reversed(above[: above.index(top) + 1]):
        if (path := at / f"{NAME}.py").is_file():
            yield path


def _import(path: Path) -> None:
    sys.path.insert(0, str(path.parent))
    spec = spec_from_file_location(NAME, path)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules[NAME] = module
    try:
        spec.loader.exec_module(module)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError.at(path, None, f"importing it raised {one_line(error)}") from error
