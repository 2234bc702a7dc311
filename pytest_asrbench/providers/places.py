"""Python code by its place, `module:attr`: a provider, or what one is to use."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import AsrBenchError, InputError, one_line


def load_beside(place: str, use: str, folder: Path) -> Any:
    """The same of a module that may lie in a folder, which never hides an installed one."""
    if (path := str(folder.resolve())) not in sys.path:
        sys.path.append(path)
    return load(place, use)


def load(place: str, use: str) -> Any:
    """What stands at `module:attr`. Raises InputError in one line."""
    module, _, attribute = place.partition(":")
    try:
        target: Any = import_module(module)
    except ModuleNotFoundError as error:
        raise InputError(
            f"provider {use!r}: no module {error.name!r}; install it or correct the name"
        ) from error
    except AsrBenchError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(
            f"provider {use!r}: importing {module} raised {one_line(error)}"
        ) from error
    for part in attribute.split("."):
        if not hasattr(target, part):
            raise InputError(f"provider {use!r}: {module} has no {attribute!r}; correct the name")
        target = getattr(target, part)
    return target
