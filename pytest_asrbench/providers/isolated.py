"""
A fresh process for each clip, for code that may hang or end its process: `isolate: process`.

    stdin    {"configuration": {…}, "origin": "conftest.py", "path": [sys.path], "audio": "….wav",
             "language": "en"}
    stdout   {"transcript": {…}} or {"error": {"message": …, "kind": …, …}}
    stderr   what the code prints

The process is ended with its clip's time-out; the code is imported and its model loaded anew each
time, which is part of the latency.
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
import os
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pytest_asrbench import audio as audio_files
from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import CallError, InputError, ProviderError, TransientError, one_line
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import AnyProvider, Configuration, Description
from pytest_asrbench.providers.secrets import scrub


class Isolated:
    """Stands for a provider that is made again in each process. `origin` is the file that registers
    it, None where its configuration says where it is."""

    embedded = True

    def __init__(
        self, provider: AnyProvider, configuration: Configuration, origin: str | None
    ) -> None:
        if configuration.mode == "stream" or not hasattr(provider, "transcribe"):
            raise InputError(
                f"provider {configuration.name!r}: isolate: process needs transcribe() and batch "
                "mode; remove isolate"
            )
        self.use = configuration.use
        self.description = provider.describe()
        declared = getattr(provider, "concurrency", None)
        self.concurrency = declared or (None if configuration.limits.concurrency else 1)
        self._request = {
            "configuration": _to_json(configuration),
            "origin": origin,
            "path": sys.path,
        }

    def describe(self) -> Description:
        return self.description

    async def transcribe(self, audio: Audio) -> Transcript:
        request = {**self._request, "audio": str(audio.path), "language": audio.language}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            __spec__.name,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            out, err = await process.communicate(json.dumps(request).encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        sys.stderr.write(err.decode("utf-8", "replace"))
        return self._answer(process.returncode or 0, out, err)

    def _answer(self, status: int, out: bytes, err: bytes) -> Transcript:
        try:
            reply = json.loads(out)
        except ValueError:
            *_, last = ["nothing on standard error", *err.decode("utf-8", "replace").splitlines()]
            says = f"{self.use}: its process ended with {status}: {scrub(last)}"
            raise ProviderError(says) from None
        if (error := reply.get("error")) is not None:
            raise _error(error)
        return Transcript(**reply["transcript"])


def _to_json(configuration: Configuration) -> dict[str, Any]:
    value = asdict(replace(configuration, isolate=False))
    return {**value, "folder": str(configuration.folder.resolve()), "limits": None}


def _error(value: dict[str, Any]) -> ProviderError:
    message, host, kind = value["message"], value["host"], value["kind"]
    if value["transient"]:
        return TransientError(message, host=host, kind=kind, retry_after=value["retry_after"])
    return ProviderError(message, host=host, kind=kind)


def main() -> None:
    """In the process of one clip."""
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    request = json.load(sys.stdin)
    sys.path[:] = request["path"]
    try:
        reply = {"transcript": asdict(asyncio.run(_transcript(request)))}
    except Exception as error:
        reply = {"error": _told(error)}
    with os.fdopen(answers, "w") as file:
        json.dump(reply, file)


def _told(error: Exception) -> dict[str, Any]:
    message = str(error) if isinstance(error, CallError | InputError) else one_line(error)
    return {
        "message": scrub(message),
        "kind": getattr(error, "kind", "provider"),
        "host": getattr(error, "host", None),
        "transient": isinstance(error, TransientError),
        "retry_after": getattr(error, "retry_after", None),
    }


async def _transcript(request: dict[str, Any]) -> Transcript:
    from pytest_asrbench.providers import registry

    if request["origin"]:
        _register(Path(request["origin"]))
    value = {k: v for k, v in request["configuration"].items() if k != "limits"}
    provider: Any = registry.create(Configuration(**{**value, "folder": Path(value["folder"])}))
    audio = audio_files.read(Path(request["audio"]), request["language"])
    result = provider.transcribe(audio)
    result = await result if inspect.isawaitable(result) else result
    return Transcript(result) if isinstance(result, str) else result


def _register(file: Path) -> None:
    """Import a file, as pytest imports a conftest, for the decorators in it."""
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)


if __name__ == "__main__":
    main()
