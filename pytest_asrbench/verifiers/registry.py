"""
Verifiers by name. The table maps a name to "module:attr", as a user names one of their own, so
naming one imports one; theirs may also be "path.py:attr".
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from importlib.metadata import entry_points
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.providers.secrets import no_calls
from pytest_asrbench.verifiers import external
from pytest_asrbench.verifiers.base import Verifier

BUILTIN: Mapping[str, str] = {
    "rules": "pytest_asrbench.verifiers.rules:Rules",
    "llm": "pytest_asrbench.verifiers.llm:configured",
    "cascade": "pytest_asrbench.verifiers.cascade:configured",
}


GROUP = "pytest_asrbench.verifiers"
"""Entry points of other packages: name -> module:attr."""


def known() -> list[str]:
    """Names that need no module path."""
    return sorted({*BUILTIN, *entry_points(group=GROUP).names})


def create(
    name: str,
    *,
    types: Mapping[str, str] | None = None,
    policy: Mapping[str, Mapping[str, str]] | None = None,
    verifiers: Mapping[str, Mapping[str, Any]] | None = None,
    votes: int | None = None,
    packs: Mapping[str, str] | None = None,
    languages: Iterable[str] = (),
    replay: bool = False,
) -> Verifier:
    """The verifier called `name` (a built-in, or module:attr), set up.

    `types` maps a custom entity type to the known one it is like; `policy` holds options per type;
    `verifiers` what `llm` and `cascade` are set up with, and `votes` wins over theirs; `packs`
    names language packs of the user's own, and `languages` are those of the whole dataset, whose
    packs belong to the identity. Each reaches a verifier that takes an argument of its name.
    `replay` promises that no call will be made: keys
    may be missing.

    Raises InputError for an unknown name, a module that does not import, or wrong options.
    """
    installed = None if ":" in name else next(iter(entry_points(group=GROUP, name=name)), None)
    path = BUILTIN.get(name) or (installed.value if installed else name)
    if ":" not in path:
        listed = ", ".join(known())
        raise InputError(f"unknown verifier {name!r}; known: {listed}; or give module:attr")
    named = _built_in(path) if name in BUILTIN else external.resolve(path)
    if name not in BUILTIN and external.is_matcher(named):
        return external.External.of(path, named)
    if not callable(named):
        return _checked(path, named)
    offered = {
        "types": types or {},
        "policy": policy or {},
        "verifiers": verifiers or {},
        "votes": votes,
        "packs": packs or {},
        "languages": tuple(languages) or ("en",),
    }
    with no_calls() if replay else nullcontext():
        return _checked(path, named(**_accepted(named, offered)))


def _built_in(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _accepted(maker: Callable[..., Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    """The offered arguments that `maker` has a name for."""
    parameters = inspect.signature(maker).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return dict(offered)
    names = {p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)}
    return {name: value for name, value in offered.items() if name in names}


def _checked(path: str, verifier: Any) -> Verifier:
    if isinstance(verifier, Verifier):
        return verifier
    raise InputError(f"verifier {path!r} has no identity and judge(); see docs/verifier.md")
