"""
Any program that prints a transcript.

argv    `whisper-cli -m model.bin -np -nt {wav}`, as a list or as one line; never through a shell
{audio}  the recording as it is, under a neutral name
{wav}    the same as mono 16 kHz 16-bit PCM WAV
text     standard output, less one line ending at its end; at most 16 MiB
failure  a non-zero exit; the message is the last line of standard error

Files that argv names, a model say, are told by their content and not by their place.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError, ProviderError, TransientError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import local
from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.secrets import scrub

RATE = 16_000  # what local recognisers expect
LARGEST_OUTPUT = 16 << 20  # bytes, as a reply of a server
_CHUNK = 1 << 16  # bytes
RE_PLACEHOLDER = re.compile(r"\{(audio|wav)\}")


class Command:
    """Runs in the folder of the settings. Raises InputError for a command that can't start."""

    embedded = True

    def __init__(
        self,
        *,
        argv: Sequence[str] | str,
        version: str | None = None,
        model: str | None = None,
        timeout_s: float | None = None,
        folder: Path = Path(),
    ) -> None:
        self.argv = _words(argv)
        _check(self.argv, folder)
        self.version = version
        self.model = model
        self.timeout_s = None if timeout_s is None else float(timeout_s)  # None: the engine's
        self.folder = folder

    def describe(self) -> Description:
        settings = {"argv": local.known_by_content(self.argv, self.folder)}
        return Description(
            "command", self.model, settings, self.version, reusable=self.version is not None
        )

    async def transcribe(self, audio: Audio) -> Transcript:
        with tempfile.TemporaryDirectory(prefix="asrbench-") as folder:
            files = {"audio": audio.path, "wav": Path(folder, "audio.wav")}
            if any("{wav}" in word for word in self.argv):
                files["wav"].write_bytes(audio.wav_at(RATE))
            argv = [RE_PLACEHOLDER.sub(lambda m: str(files[m[1]]), word) for word in self.argv]
            return Transcript(await self._run(argv))

    async def _run(self, argv: Sequence[str]) -> str:
        process = await self._start(argv)
        try:
            async with asyncio.timeout(self.timeout_s):
                out, err = await asyncio.gather(_output(process), _end(process.stderr))
                await process.wait()
        except TimeoutError:
            says = f"{argv[0]}: no answer within {self.timeout_s:g} s"
            raise TransientError(says, kind="timeout") from None
        finally:
            # A time-out or an interrupt must not leave the program running.
            if process.returncode is None:
                process.kill()
                await process.wait()
        if len(out) > LARGEST_OUTPUT:
            raise ProviderError(
                f"{argv[0]}: more than {LARGEST_OUTPUT >> 20} MiB on standard output; let it print "
                "the transcript alone"
            )
        if process.returncode:
            raise ProviderError(f"{argv[0]}: exit {process.returncode}: {_last_line(err)}")
        return _text(out, argv[0])

    async def _start(self, argv: Sequence[str]) -> asyncio.subprocess.Process:
        try:
            return await asyncio.create_subprocess_exec(
                *argv,
                cwd=self.folder,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise ProviderError(f"{argv[0]}: can't be started: {error.strerror}") from None


async def _output(process: asyncio.subprocess.Process) -> bytes:
    """Standard output; a program that prints more than a reply may hold is ended."""
    kept = bytearray()
    while process.stdout and (chunk := await process.stdout.read(_CHUNK)):
        kept += chunk
        if len(kept) > LARGEST_OUTPUT:
            process.kill()
            break
    return bytes(kept)


async def _end(stream: asyncio.StreamReader | None) -> bytes:
    """The last of what is printed there."""
    kept = b""
    while stream and (chunk := await stream.read(_CHUNK)):
        kept = (kept + chunk)[-_CHUNK:]
    return kept


def _words(argv: Sequence[str] | str) -> list[str]:
    try:
        return shlex.split(argv) if isinstance(argv, str) else [str(word) for word in argv]
    except ValueError as error:
        raise InputError(
            f"provider command: argv can't be split into words ({error}); write it as a list"
        ) from None


def _check(argv: Sequence[str], folder: Path) -> None:
    if not argv:
        raise InputError("provider command: argv is empty; give the program and its arguments")
    if not any(RE_PLACEHOLDER.search(word) for word in argv):
        raise InputError("provider command: argv needs {audio} or {wav} where the file goes")
    # A name is looked up in PATH, a path is relative to the folder that the command runs in.
    if not shutil.which(str(folder / argv[0]) if os.sep in argv[0] else argv[0]):
        raise InputError(f"provider command: no program {argv[0]!r}; install it or correct argv")


def _text(out: bytes, program: str) -> str:
    try:
        text = out.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProviderError(f"{program}: its output is not UTF-8 ({error.reason})") from None
    return re.sub(r"\r?\n\Z", "", text)


def _last_line(err: bytes) -> str:
    lines = err.decode("utf-8", "replace").strip().splitlines()
    return scrub(lines[-1]) if lines else "nothing on standard error"
