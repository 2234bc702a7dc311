"""
A verifier of the user's own, or a benchmark's shipped matcher: `module:attr` or `path.py:attr`.

    def matches(entity, transcript): -> bool or Verdict         asked for each value
    def judge(entities, transcript): -> one of those for each   asked for each clip

A third parameter `language` is optional. A first parameter annotated `str`, or called anything but
`entity` or `entities`, gets the canonical text. A class or object with `identity` and `judge` is
taken as it is. Where the module has a self-test (`self_test`, `selftest`), it runs first: a matcher
that fails its own cases judges nothing.

Its name stands beside every figure, with `version` of the function, else `__version__` or
`VERSION` of its module, else the digest of its source.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from pytest_asrbench.errors import InputError, VerifierError, one_line
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.base import Identity

SELF_TESTS = ("self_test", "selftest", "run_self_test", "run_self_tests", "_self_test", "_selftest")
WHOLE_CLIP = "entities"
SETTINGS = ("types", "policy", "verifiers", "votes", "packs", "languages")
"""Arguments that a function which makes a verifier may take."""


def is_path(name: str) -> bool:
    """True if a verifier's name is a file's path, not a module's."""
    return name.partition(":")[0].endswith(".py")


def resolve(name: str) -> Any:
    """The object that `module:attr` or `path.py:attr` names, its module's self-test passed.

    Raises InputError.
    """
    place, _, attribute = name.partition(":")
    if not attribute:
        raise InputError(f"verifier {name!r}: name the function in it, {place}:FUNCTION")
    module = _from_file(place) if is_path(name) else _from_module(name, place)
    _self_test(name, module)
    named: Any = module
    for part in attribute.split("."):
        if not hasattr(named, part):
            raise InputError(f"verifier {name!r}: {place} has no {attribute!r}; correct the name")
        named = getattr(named, part)
    return named


def is_matcher(candidate: Any) -> bool:
    """True if it is asked with a value and a transcript; else it makes or is a verifier."""
    if inspect.isclass(candidate) or not callable(candidate) or hasattr(candidate, "judge"):
        return False
    return any(p.name not in SETTINGS for p in inspect.signature(candidate).parameters.values())


@dataclass(frozen=True)
class External:
    """A function as a verifier. It answers for sure: it says no more than yes or no."""

    function: Callable[..., Any]
    identity: Identity
    whole: bool
    text: bool
    language: bool

    @classmethod
    def of(cls, name: str, function: Callable[..., Any]) -> External:
        """Raises InputError where the function can't take a value and a transcript."""
        if inspect.iscoroutinefunction(function):
            raise InputError(f"verifier {name!r} is async; give a class with identity and judge()")
        parameters = _parameters(name, function)
        first = parameters[0]
        return cls(
            function,
            _identity(name, function),
            whole=first.name == WHOLE_CLIP,
            text=first.annotation in (str, "str") or first.name not in ("entity", WHOLE_CLIP),
            language=any(p.name == "language" for p in parameters[2:]),
        )

    def judge(
        self, entities: Sequence[Entity], transcript: str, language: str
    ) -> Sequence[Verdict]:
        """Raises VerifierError where the function raises, or answers with something else."""
        extra = {"language": language} if self.language else {}
        if self.whole:
            answers = self._call(list(entities), transcript, extra)
            if not isinstance(answers, Sequence) or len(answers) != len(entities):
                raise VerifierError(f"{self.identity.id}: give one answer for each entity")
        else:
            values = [entity.canonical if self.text else entity for entity in entities]
            answers = [self._call(value, transcript, extra) for value in values]
        return [self._verdict(answer) for answer in answers]

    def _call(self, value: object, transcript: str, extra: dict[str, str]) -> Any:
        try:
            return self.function(value, transcript, **extra)
        except Exception as error:  # the user's code may raise anything
            raise VerifierError(f"{self.identity.id} raised {one_line(error)}") from error

    def _verdict(self, answer: object) -> Verdict:
        if isinstance(answer, Verdict):
            return answer
        if type(answer).__name__ in ("bool", "bool_"):  # numpy's too
            said = "present" if answer else "absent"
            return Verdict(bool(answer), True, f"{self.identity.id} says {said}")
        raise VerifierError(
            f"{self.identity.id} answered {answer!r}; give True, False or a Verdict"
        )


def _parameters(name: str, function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    given = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    more = [p for p in parameters[2:] if p.default is p.empty and p.name != "language"]
    if len(given) < 2 or any(p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in more):
        raise InputError(
            f"verifier {name!r} must take (entity, transcript) or (entities, transcript)"
        )
    return parameters


def _identity(name: str, function: Callable[..., Any]) -> Identity:
    module = sys.modules.get(getattr(function, "__module__", ""))
    source = _source(function)
    stated = getattr(function, "version", None) or next(
        (getattr(module, key) for key in ("__version__", "VERSION") if hasattr(module, key)), None
    )
    called = str(getattr(function, "name", None) or name.rpartition("/")[2])
    digest = hashlib.sha256(f"{called}\n{stated}\n".encode() + source).hexdigest()
    return Identity(called, str(stated or digest[:12]), f"sha256:{digest}")


def _source(function: Callable[..., Any]) -> bytes:
    """The whole file: what a matcher does is also in the functions that it calls."""
    try:
        return Path(inspect.getfile(function)).read_bytes()
    except (OSError, TypeError):
        return b""


def _from_file(place: str) -> ModuleType:
    path = Path(place)
    if not path.is_file():
        raise InputError(f"verifier {place}: no such file; correct the path")
    spec = importlib.util.spec_from_file_location(f"asrbench_external_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError(f"verifier {place} is no Python file; correct the path")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    with _importing(place), _first_on_path(path.resolve().parent):
        spec.loader.exec_module(module)
    return module


def _from_module(name: str, place: str) -> ModuleType:
    with _importing(name), _first_on_path(Path.cwd()):  # as `python -m` does
        return importlib.import_module(place)


@contextmanager
def _importing(name: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # the module's own code may raise anything
        raise InputError(
            f"verifier {name!r} can't be imported: {one_line(error)}; correct it"
        ) from error


@contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _self_test(name: str, module: ModuleType) -> None:
    test = next((getattr(module, key) for key in SELF_TESTS if hasattr(module, key)), None)
    if test is None:
        return
    try:
        failed = test() is False
    except SystemExit as leaving:
        failed = leaving.code not in (0, None)
    except Exception as error:  # a failed assertion, as a rule
        raise InputError(f"verifier {name!r} fails its own self-test: {one_line(error)}") from error
    if failed:
        raise InputError(f"verifier {name!r} fails its own self-test; it can't judge")
