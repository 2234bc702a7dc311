"""
Every error that the package raises on purpose.

    AsrBenchError
    ├── InputError            something a user wrote can be mended: file, row and remedy in one line
    ├── CallError             a call that failed; it has a kind and, where known, a host
    │   ├── ProviderError     the ASR system failed on this clip
    │   │   ├── AuthError     key refused; stops all calls of the run
    │   │   ├── QuotaError    no funds or quota left; stops all calls of the run
    │   │   ├── AudioError    this audio is not accepted; other clips may well be
    │   │   └── TransientError  worth another try (time-outs, 429, 5xx); may say when
    │   ├── VerifierError     no verdict could be reached
    │   ├── ReplayError       replay mode, and the store holds no transcript for this clip
    │   └── BudgetError       the run's budget is spent; no call was made

The plugin turns an InputError into pytest's UsageError (exit 4), the command line into exit 2;
a CallError becomes the error of its clip and never an empty transcript.
"""

from __future__ import annotations

import math
from pathlib import Path

from pytest_asrbench.loglines import fault_line, log_text, printable


class AsrBenchError(Exception):
    """Base of all errors raised on purpose; its message is fit for a log."""

    def __init__(self, message: object) -> None:
        super().__init__(log_text(message))


class InputError(AsrBenchError):
    """Bad input that the user can mend. The message is one line a fault: where, what, remedy."""

    @classmethod
    def at(cls, path: Path | str, row: int | None, what: str) -> InputError:
        """`clips.yaml:17: what`; row is counted from 1 as an editor does."""
        return cls(fault_line(f"{path}:{row}" if row else str(path), what))


class CallError(AsrBenchError):
    """A call to a provider or verifier that gave no result.

    `kind` is a word for tables ("auth", "timeout"); `host` names the other side, never a key.
    """

    kind: str = "call"

    def __init__(self, message: str, *, host: str | None = None, kind: str | None = None) -> None:
        super().__init__(printable(str(message)))
        self.host = host
        if kind is not None:
            self.kind = kind


class ProviderError(CallError):
    """The ASR system failed on this clip and another try would not help."""

    kind = "provider"


class AuthError(ProviderError):
    """The key is missing, wrong or not allowed to do this."""

    kind = "auth"


class QuotaError(ProviderError):
    """The account has no funds or quota left; waiting does not help."""

    kind = "quota"


class AudioError(ProviderError):
    """The system does not accept this audio (format, length, size)."""

    kind = "audio"


class TransientError(ProviderError):
    """Another try may succeed. `retry_after` is the wait in seconds that the server asked for; what
    is no such wait (text, NaN, a negative number) counts as None."""

    kind = "transient"

    def __init__(
        self,
        message: str,
        *,
        host: str | None = None,
        kind: str | None = None,
        retry_after: float | str | None = None,
    ) -> None:
        super().__init__(message, host=host, kind=kind)
        self.retry_after = seconds(retry_after)


class VerifierError(CallError):
    """The verifier reached no verdict. `verdicts` holds those that it reached for the clip's other
    entities, in order, with None for those that it lost; () where it tells of none."""

    kind = "verifier"

    def __init__(
        self,
        message: str,
        *,
        verdicts: tuple[object | None, ...] = (),
        host: str | None = None,
        kind: str | None = None,
    ) -> None:
        super().__init__(message, host=host, kind=kind)
        self.verdicts = verdicts


class ReplayError(CallError):
    """Replay mode found nothing stored; the message names the command that records it."""

    kind = "replay"


class BudgetError(CallError):
    """The run's budget is spent, so no call was made."""

    kind = "budget"


def seconds(value: object) -> float | None:
    """A wait that can be kept to: finite and not negative; `"7"` as headers have it is one too."""
    try:
        number = float(value)  # type: ignore[arg-type]  # whatever it is
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 <= number < math.inf else None


def one_line(error: BaseException) -> str:
    """`ValueError: what it says`, first line only: what foreign code raised, in our messages."""
    lines = str(error).strip().splitlines()
    return printable(f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__)
