"""
A step of the user's own: `def far(samples, rate, random): ...`.

It gets float64 samples (full scale is -1..1), their rate, a seeded `numpy.random.RandomState` and
what stands beside `function:` in the settings; it returns samples, or (samples, rate).
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_asrbench.conditions.waveform import Waveform
from pytest_asrbench.errors import InputError, one_line

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Random


def load(target: str, where: str, folder: Path | None = None) -> Callable[..., Any]:
    """The function that `module:attr` or an absolute `path.py:attr` names. Raises InputError."""
    place, _, attribute = target.rpartition(":")
    try:
        module = _from_file(Path(place)) if place.endswith(".py") else _module(place, folder)
    except (Exception, SystemExit) as error:  # the user's code may raise anything
        raise InputError(f"{where}: importing {place} raised {one_line(error)}") from error
    function = getattr(module, attribute, None)
    if not callable(function):
        raise InputError(f"{where}: {place} has no function {attribute!r}; correct the name")
    checked: Callable[..., Any] = function
    return checked


def digest(target: str) -> str:
    """SHA-256 (hex) of the function's file: a changed function is another condition."""
    place = target.rpartition(":")[0]
    file = place if place.endswith(".py") else inspect.getsourcefile(sys.modules[place])
    return hashlib.sha256(Path(file or "").read_bytes()).hexdigest() if file else place


def applied(sound: Waveform, random: Random, knobs: Mapping[str, Any]) -> Waveform:
    """Raises InputError where the function raises, or returns no samples."""
    import numpy as np

    target = knobs["function"]
    given = {key: value for key, value in knobs.items() if key != "function"}
    try:
        heard = load(target, "conditions")(sound.samples.copy(), sound.rate, random, **given)
        samples, rate = heard if isinstance(heard, tuple) else (heard, sound.rate)
        changed = Waveform(np.asarray(samples, dtype=np.float64), int(rate))
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"condition's function {target}: {one_line(error)}") from error
    if (
        changed.samples.ndim != 1
        or not len(changed.samples)
        or not np.isfinite(changed.samples).all()
    ):
        raise InputError(f"condition's function {target}: return finite samples in one dimension")
    return changed


def _from_file(path: Path) -> Any:
    name = f"asrbench_condition_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        spec = spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} is no Python file")
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def _module(name: str, folder: Path | None) -> Any:
    if folder is not None and str(folder) not in sys.path:
        sys.path.append(str(folder))  # never hides an installed module
    return import_module(name)
