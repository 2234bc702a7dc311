"""Google's application default credentials: google-auth for real, its token server on loopback."""

from __future__ import annotations

import asyncio
import json

import pytest
from helpers.http_server import Reply, serving
from helpers.vendor_protocols import fixtures, speech

from pytest_asrbench.errors import AuthError, InputError, TransientError
from pytest_asrbench.providers import registry
from pytest_asrbench.providers.base import Configuration

pytest.importorskip("google.auth", reason="needs pytest-asrbench[google]")
rsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.rsa")

HEARD = fixtures("batch")  # for the reply only
REPLY = next(f for f in HEARD if f.use == "google").data["answers"]["success"]["reply"]


@pytest.fixture(scope="module")
def private_key() -> str:
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@pytest.fixture
def account(tmp_path, monkeypatch, private_key):
    """Writes a service account whose tokens come from `url`."""

    def write(url: str) -> None:
        content = {
            "type": "service_account",
            "project_id": "p-of-account",
            "private_key_id": "1",
            "private_key": private_key,
            "client_email": "asr@p-of-account.example",
            "token_uri": f"{url}/token",
        }
        path = tmp_path / "account.json"
        path.write_text(json.dumps(content))
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))

    monkeypatch.delenv("GOOGLE_ACCESS_TOKEN", raising=False)
    monkeypatch.delenv("GOOGLE_CLOUD_PROJECT", raising=False)
    return write


def make(url: str):
    return registry.create(Configuration("g", "google", {"url": url}))


def hear(provider, times: int = 1):
    async def calls():
        try:
            return [await provider.transcribe(speech()) for _ in range(times)]
        finally:
            await provider.aclose()

    return asyncio.run(calls())


def answering(token: Reply):
    return lambda request: token if request.path == "/token" else Reply(json.dumps(REPLY))


@pytest.mark.slow
def test_a_token_is_fetched_once_and_the_project_is_the_accounts(account):
    token = Reply(json.dumps({"access_token": "t-1", "expires_in": 3600}))
    with serving(answering(token)) as server:
        account(server.url)
        heard = hear(make(server.url), times=2)

    assert [transcript.text for transcript in heard] == ["The total is 41 dollars."] * 2
    assert [request.path for request in server.requests].count("/token") == 1
    asked = server.requests[-1]
    assert asked.path == "/v2/projects/p-of-account/locations/us/recognizers/_:recognize"
    assert asked.headers["authorization"] == "Bearer t-1"


def test_a_refused_account_is_an_auth_error(account):
    refused = Reply(json.dumps({"error": "invalid_grant", "error_description": "no"}), 400)
    with serving(answering(refused)) as server:
        account(server.url)
        with pytest.raises(AuthError, match=r"google-auth: .*invalid_grant"):
            hear(make(server.url))


def test_a_token_server_that_is_not_there_may_be_tried_again(account):
    with serving(answering(Reply())) as server:
        url = server.url
    account(url)

    with pytest.raises(TransientError, match="google-auth: "):
        hear(make(url))


def test_a_missing_account_file_is_one_line(monkeypatch):
    monkeypatch.delenv("GOOGLE_ACCESS_TOKEN", raising=False)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/account.json")

    with pytest.raises(InputError) as caught:
        make("http://127.0.0.1:9")

    assert "/nowhere/account.json" in str(caught.value)
    assert "\n" not in str(caught.value)
