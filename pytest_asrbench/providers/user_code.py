"""
Python code of the user as a provider: a function, a class or an object.

    @pytest_asrbench.provider("myasr")
    def myasr(audio):               # sync or async
        return my_client.transcribe(audio.wav)

A class needs `transcribe(audio)` or `async stream(frames)`, and may have `describe()`, `aclose()`
and the attributes `version`, `concurrency` and `deterministic`. Options of the configuration become
keyword arguments.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pytest_asrbench.errors import (
    AsrBenchError,
    InputError,
    ProviderError,
    TransientError,
    one_line,
)
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import local, methods
from pytest_asrbench.providers.base import AnyProvider, Configuration, Description, RecordedProvider
from pytest_asrbench.providers.secrets import scrub

PLAIN_OPTIONS = {"model", "language"}  # anything beyond is a protocol of the user's own
WISHES = (
    "host",
    "embedded",
    "stream_rate",
    "frame_ms",
    "realtime",
)  # what the engine may read of a provider


@dataclass(frozen=True, slots=True)
class Registration:
    """A target with what its decorator said of it."""

    target: Any
    version: str | None = None
    concurrency: int | None = None
    deterministic: bool = False


class UserProvider:
    """Wraps user code: checks what it returns, and names it in what it raises. It has the methods
    that the code has. `use` is what to call it in messages."""

    def __init__(self, target: Any, description: Description, concurrency: int | None) -> None:
        self.target = target
        self.description = description
        self.use = description.use
        self.concurrency = concurrency
        if transcribe := methods.called(target, "transcribe"):
            self.transcribe = _checked(transcribe, description.use)
        if stream := methods.called(target, "stream"):
            self.stream = _checked_async(stream, description.use)
        for name in WISHES:
            if hasattr(target, name):
                setattr(self, name, getattr(target, name))

    def describe(self) -> Description:
        return self.description

    async def aclose(self) -> None:
        closing = getattr(self.target, "aclose", None)
        if closing is not None:
            await closing()


def build(registration: Registration, configuration: Configuration) -> AnyProvider:
    """The provider that a function, class or object stands for. Raises InputError."""
    target = _made(registration.target, configuration)
    if isinstance(target, RecordedProvider):
        return target
    methods.check(target, configuration.mode, _who(configuration))
    return UserProvider(
        target,
        _description(registration, target, configuration),
        registration.concurrency or getattr(target, "concurrency", None),
    )


def check(target: Any, configuration: Configuration) -> None:
    """Raises InputError for what can be told of a function, class or object before it is made."""
    if inspect.isclass(target):
        check_options(target, configuration.options, configuration.name)
        methods.check_class(target, configuration.mode, _who(configuration))
    elif not isinstance(made := _made(target, configuration), RecordedProvider):
        methods.check(made, configuration.mode, _who(configuration))


def check_options(target: Callable[..., Any], options: Mapping[str, Any], name: str) -> None:
    """Raises InputError where a configuration's options don't fit the signature."""
    try:
        signature = inspect.signature(target)
    except ValueError:  # compiled code shows none
        return
    parameters = {p.name: p for p in signature.parameters.values() if p.name != "folder"}
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return
    if unknown := [key for key in options if key not in {*parameters, "folder"}]:
        listed = ", ".join(parameters) or "none"
        raise InputError(f"provider {name!r}: unknown option {unknown[0]!r}; known: {listed}")
    for key, parameter in parameters.items():
        variadic = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if parameter.default is parameter.empty and not variadic and key not in options:
            raise InputError(
                f"provider {name!r}: needs {key!r}; add it to its entry under providers: "
                "in asrbench.yaml"
            )


def _made(target: Any, configuration: Configuration) -> Any:
    """Give the options to whatever takes them: a class when made, a function when called."""
    options = dict(configuration.options)
    if inspect.isclass(target):
        check_options(target, options, configuration.name)
        return _instance(target, options, configuration.name)
    if inspect.isroutine(target):
        check_options(functools.partial(target, None), options, configuration.name)
        return functools.partial(target, **options) if options else target
    if options:
        raise InputError(
            f"provider {configuration.name!r}: {configuration.use} is an object and takes no "
            "options; give its class instead"
        )
    return target


def _who(configuration: Configuration) -> str:
    return f"provider {configuration.name!r}: {configuration.use}"


def _instance(target: Callable[..., Any], options: Mapping[str, Any], name: str) -> Any:
    try:
        return target(**options)
    except AsrBenchError:
        raise
    except (Exception, SystemExit) as error:  # libraries exit where a licence is missing, say
        raise InputError(f"provider {name!r}: making it raised {one_line(error)}") from error


def _description(
    registration: Registration, target: Any, configuration: Configuration
) -> Description:
    described = getattr(target, "describe", None)
    if described is not None:
        description = described()
        if not isinstance(description, Description):
            raise InputError(
                f"provider {configuration.name!r}: describe() must return a "
                "pytest_asrbench.Description"
            )
        return description
    version = registration.version or getattr(target, "version", None)
    options = local.known_by_content(configuration.options, configuration.folder)
    if model := configuration.options.get("model"):
        options["model"] = local.known_by_content(model, configuration.folder, folders=True)
    return Description(
        use=configuration.use,
        model=options.get("model"),
        settings=options,
        version=str(version) if version is not None else None,
        reusable=version is not None,
        custom=not PLAIN_OPTIONS.issuperset(options),
        deterministic=registration.deterministic or getattr(target, "deterministic", False) is True,
    )


def _checked(call: Callable[..., Any], use: str) -> Callable[..., Any]:
    """`call`, which then returns a Transcript and raises ProviderError; async stays async."""
    return _checked_async(call, use) if methods.is_async(call) else _checked_sync(call, use)


def _checked_sync(call: Callable[..., Any], use: str) -> Callable[..., Any]:
    async def finish(result: Awaitable[Any]) -> Transcript:
        with _named(use):
            return _transcript(await result, use)

    def synchronous(argument: Any) -> Transcript | Awaitable[Transcript]:
        with _named(use):
            result = call(argument)
        return finish(result) if inspect.isawaitable(result) else _transcript(result, use)

    return synchronous


def _checked_async(call: Callable[..., Any], use: str) -> Callable[..., Awaitable[Transcript]]:
    async def asynchronous(argument: Any) -> Transcript:
        with _named(use):
            result = call(argument)
            return _transcript(await result if inspect.isawaitable(result) else result, use)

    return asynchronous


@contextmanager
def _named(use: str) -> Iterator[None]:
    """Turns what user code raises into a ProviderError that names it."""
    try:
        yield
    except AsrBenchError:
        raise
    except Exception as error:
        raise _foreign(error, use) from error


def _transcript(result: object, use: str) -> Transcript:
    if isinstance(result, Transcript):
        return result
    if isinstance(result, str):
        return Transcript(result)
    raise ProviderError(f"{use} returned {type(result).__name__}, not a str or Transcript")


def _foreign(error: Exception, use: str) -> ProviderError:
    # Python's own time-outs and broken connections are worth another try; the rest is a bug.
    said = scrub(f"{use} raised {one_line(error)}")
    if isinstance(error, TimeoutError | ConnectionError):
        kind = "timeout" if isinstance(error, TimeoutError) else "network"
        return TransientError(said, kind=kind)
    return ProviderError(said)
