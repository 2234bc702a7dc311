"""
Access tokens for Google Cloud: one that is given, or those of google-auth (an extra).

`gcloud auth print-access-token` prints one for an hour: GOOGLE_ACCESS_TOKEN takes it. google-auth
finds the application default credentials (GOOGLE_APPLICATION_CREDENTIALS, workload identity, those
of gcloud) and renews their tokens.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any, Protocol

from pytest_asrbench.errors import AuthError, InputError, TransientError
from pytest_asrbench.providers.http import short
from pytest_asrbench.providers.secrets import replaying, scrub

TOKEN = "GOOGLE_ACCESS_TOKEN"
PROJECT = "GOOGLE_CLOUD_PROJECT"
SCOPE = "https://www.googleapis.com/auth/cloud-platform"


class TokenSource(Protocol):
    """The source of tokens; `project` is the one that the credentials belong to, if they say."""

    project: str | None

    async def token(self) -> str: ...


class GivenToken:
    """One token for the whole run."""

    project: str | None = None

    def __init__(self, value: str) -> None:
        self._value = value

    async def token(self) -> str:
        return self._value


class DefaultCredentials:
    """Application default credentials. Raises InputError where google-auth finds none."""

    def __init__(self) -> None:
        import google.auth
        from google.auth import exceptions
        from google.auth.transport.requests import Request

        self._errors = exceptions
        self._request = Request
        self._lock = asyncio.Lock()
        try:
            credentials, self.project = google.auth.default(scopes=[SCOPE])
        except exceptions.GoogleAuthError as error:
            raise InputError(f"provider google: {short(str(error))}") from None
        self._credentials: Any = credentials

    async def token(self) -> str:
        async with self._lock:
            if not self._credentials.valid:
                await self._renew()
        return str(self._credentials.token)

    async def _renew(self) -> None:
        """google-auth waits for the network, so it does that in a thread."""
        try:
            await asyncio.to_thread(self._credentials.refresh, self._request())
        except self._errors.TransportError as error:
            raise TransientError(f"google-auth: {short(scrub(str(error)))}") from None
        except self._errors.GoogleAuthError as error:
            raise AuthError(f"google-auth: {short(scrub(str(error)))}") from None


def tokens() -> TokenSource:
    """Raises InputError that names both ways where neither is open."""
    if replaying():
        return GivenToken("")
    if given := os.environ.get(TOKEN, "").strip():
        return GivenToken(given)
    try:
        return DefaultCredentials()
    except ImportError:
        raise InputError(
            f"provider google: set {TOKEN} (gcloud auth print-access-token), or "
            "pip install 'pytest-asrbench[google]' for application default credentials"
        ) from None


def recogniser(project: str | None, location: str, tokens: TokenSource) -> str:
    """The name of the project's default recogniser. Raises InputError where no project is known,
    which a replay does not need."""
    project = project or os.environ.get(PROJECT) or tokens.project
    if not project and not replaying():
        raise InputError(
            f"provider google: give `project:` in its entry under providers:, or set {PROJECT}"
        )
    return f"projects/{project}/locations/{location}/recognizers/_"


def no_key(variable: str | None) -> str:
    """Raises InputError for a variable that nobody would read: a token is not set by an option."""
    if variable:
        raise InputError(f"provider google: takes no api_key_env; put a token into {TOKEN}")
    return ""
