"""The whole path: HTTP client, real server, real recogniser, verifier, gate."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from helpers.engine_clips import Words
from helpers.http_server import Reply, serving

from pytest_asrbench.engine import Engine, run_all
from pytest_asrbench.model import Clip
from pytest_asrbench.providers.base import Configuration, Limits
from pytest_asrbench.providers.pocketsphinx import PocketSphinx
from pytest_asrbench.providers.registry import create

CLIPS = Path(__file__).parent.parent / "example_project" / "clips"
pytest.importorskip("pocketsphinx")
pytestmark = pytest.mark.skipif(not CLIPS.is_dir(), reason="the example's clips are not here")

KEY = "sk-0123456789abcdef"
HEARD = {
    "refund_amount": ("currency_amount", "$42.50", "forty two dollars and fifty cents"),
    "late_fee": ("currency_amount", "$15", "fifteen dollars"),
}


@pytest.fixture(scope="module")
def url():
    """A server in a process of its own, as at home."""
    script = Path(__file__).parent / "helpers" / "recogniser_server.py"
    environment = {**os.environ, "ASR_SERVER_KEY": KEY}
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        finally:
            server.kill()


@pytest.fixture(params=["httpx", "openai"])
def client(request, monkeypatch):
    monkeypatch.setenv("OURS_KEY", KEY)
    return request.param


def ours(url, client, **options):
    options = {"base_url": url, "model": "en-us", "api_key_env": "OURS_KEY", **options}
    return Configuration(
        "ours", "openai-compatible", {**options, "client": client}, limits=Limits(attempts=2)
    )


def transcribe(configuration, *files, provider=None):
    clips = [Clip(file.stem, file, "", "en-US") for file in files]
    engine = Engine(
        clips=clips,
        dataset_folder=CLIPS,
        provider=provider or create(configuration),
        configuration=configuration,
        verifier=Words(),
        store=None,
        run_store=Path(os.environ["PYTEST_RUN_STORE"]),
    )
    return run_all(engine)


@pytest.fixture(autouse=True)
def run_store(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_RUN_STORE", str(tmp_path / "run"))


@pytest.mark.slow
def test_text_is_what_the_recogniser_heard(url, client):
    file = CLIPS / "refund_amount.flac"

    [over_http] = transcribe(ours(url, client), file)
    [at_home] = transcribe(Configuration("p", "pocketsphinx"), file, provider=PocketSphinx())

    assert over_http.error is None
    assert over_http.transcript == at_home.transcript
    assert "forty two dollars" in over_http.transcript
    assert over_http.request_id == "req-1"
    assert over_http.billed_s == round(over_http.duration_s)
    assert over_http.latency_ms > 0


@pytest.mark.slow
def test_plain_text_is_a_reply_too(url, client):
    [record] = transcribe(ours(url, client, response_format="text"), CLIPS / "refund_amount.flac")

    assert "forty two dollars" in record.transcript


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "kind", "says"),
    [
        ({"api_key_env": "WRONG_KEY"}, "auth", "401: Incorrect API key provided"),
        ({"model": "whisper-1"}, "provider", "404: no such model"),
    ],
)
def test_what_the_server_refuses_is_told_without_the_key(
    url, client, monkeypatch, options, kind, says
):
    monkeypatch.setenv("WRONG_KEY", "sk-wrong-wrong-wrong")

    [record] = transcribe(ours(url, client, **options), CLIPS / "refund_amount.flac")

    assert record.error.kind == kind
    assert says in record.error.message
    assert record.error.host in url
    assert "sk-wrong" not in record.error.message
    assert record.attempts == 1


@pytest.mark.slow
def test_nobody_listening_is_tried_again(client):
    [record] = transcribe(ours("http://127.0.0.1:9/v1", client), CLIPS / "refund_amount.flac")

    assert (record.error.kind, record.error.host) == ("network", "127.0.0.1:9"), record.error
    assert record.attempts == 2


GZIP = {"content-encoding": "gzip"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "attempts", "kind", "says"),
    [
        (Reply("abcde", headers=GZIP), 1, "reply", " sent what can't be decoded: "),
        (Reply(cut=0), 2, "network", " failed: Server disconnected"),
    ],
    ids=["gzip", "closed"],
)
def test_what_becomes_of_a_broken_reply(client, reply, attempts, kind, says):
    with serving(lambda request: reply) as server:
        [record] = transcribe(ours(server.url, client), CLIPS / "refund_amount.flac")

    assert record.error.kind == kind
    assert says in record.error.message
    assert len(server.requests) == record.attempts == attempts


@pytest.mark.slow
def test_a_gate_holds_and_fails_over_the_whole_path(url, client, pytester):
    clips = [
        {
            "id": name,
            "audio": f"{name}.flac",
            "reference": f"it was {spoken}",
            "entities": [
                {"type": kind, "canonical": canonical},
                {"type": "date", "canonical": "1999-12-31"},
            ],
        }
        for name, (kind, canonical, spoken) in HEARD.items()
    ]
    for name in HEARD:
        (pytester.path / f"{name}.flac").write_bytes((CLIPS / f"{name}.flac").read_bytes())
    manifest = {"schema": 1, "name": "path", "language": "en", "clips": clips}
    (pytester.path / "clips.yaml").write_text(json.dumps(manifest))
    options = {"base_url": url, "model": "en-us", "api_key_env": "OURS_KEY", "client": client}
    settings = {"providers": {"ours": {"use": "openai-compatible", **options}}}
    (pytester.path / "asrbench.yaml").write_text(json.dumps(settings))
    pytester.makepyfile("def test_clip(asr_result):\n    assert asr_result.transcript is not None")
    run = ("--asr-provider=ours", "--asr-gate=on", "-p", "no:cacheprovider")

    green = pytester.runpytest_subprocess(*run, "--asr-update")
    file = pytester.path / "thresholds" / "ours.yaml"
    stored = yaml.safe_load(file.read_text())
    assert stored["gates"]["ctem"] == {"min": 0.26}  # what the loss of half breaks
    stored["gates"]["ctem"] = {"min": 0.9}
    file.write_text(json.dumps(stored, default=str))
    red = pytester.runpytest_subprocess(*run, "--asr-cache-mode=replay")

    assert green.ret == pytest.ExitCode.OK
    assert red.ret == pytest.ExitCode.TESTS_FAILED
    red.stdout.fnmatch_lines(["*gate?ctem?*0.50 < 0.90*(2 of 4)*"])
