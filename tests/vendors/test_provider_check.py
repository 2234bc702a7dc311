"""`asrbench providers check`: one call, what it costs, what to tell of it, and what stays of it."""

from __future__ import annotations

import asyncio
import copy

import pytest
import yaml
from helpers.vendor_protocols import KEY, Fixture, fixtures, replaying, speech
from helpers.vendor_streams import Part, paced, playing

from pytest_asrbench import cli
from pytest_asrbench.commands.provider_check import SAYS

ALL = {(f.use, mode): f for mode in ("batch", "stream") for f in fixtures(mode)}


def saying(value, old, new):
    """The fixture's words replaced by the recording's."""
    if isinstance(value, dict):
        return {key: saying(part, old, new) for key, part in value.items()}
    if isinstance(value, list):
        return [saying(part, old, new) for part in value]
    return new if value == old else value


def entry(fixture, url, tmp_path, monkeypatch):
    """The provider `mine`, at this address."""
    monkeypatch.chdir(tmp_path)
    for name, value in fixture.data["env"].items():
        monkeypatch.setenv(name, value.replace("KEY", KEY))
    option = fixture.data.get("url_option", "url")
    options = {**fixture.data.get("options", {}), option: url + (fixture.data.get("url") or "")}
    configured = {"providers": {"mine": {"use": fixture.use, **options}}}
    (tmp_path / "asrbench.yaml").write_text(yaml.safe_dump(configured))


def checked(fixture, url, tmp_path, monkeypatch, capsys, *options):
    """The command's exit code, what it printed, and the fixture that it wrote."""
    entry(fixture, url, tmp_path, monkeypatch)
    file = tmp_path / f"{fixture.mode}.yaml"
    code = cli.main(
        ["providers", "check", "mine", "--mode", fixture.mode, "--fixture", str(file), *options]
    )
    printed = "".join(capsys.readouterr())
    text = file.read_text("utf-8") if file.exists() else ""
    assert KEY not in printed + text
    return code, printed, Fixture(file, yaml.safe_load(text) if text else {})


def heard(provider, *, stream=False):
    async def call():
        try:
            clip = speech()
            if stream:
                return await provider.stream(paced(provider, clip))
            return await provider.transcribe(clip)
        finally:
            await provider.aclose()

    return asyncio.run(call())


@pytest.mark.slow
@pytest.mark.parametrize("use", ["assemblyai", "openai", "speechmatics"])
def test_a_file_is_checked_and_its_exchange_can_be_replayed(use, tmp_path, monkeypatch, capsys):
    fixture = ALL[use, "batch"]
    case = fixture.data["answers"]["success"]
    reply = saying(copy.deepcopy(case["reply"]), case["text"], SAYS)
    with replaying(fixture, reply) as server:
        code, printed, written = checked(
            fixture, server.url, tmp_path, monkeypatch, capsys, "--yes"
        )
        asked = len(server.requests)

    assert code == 0
    first, cost, *_ = printed.splitlines()
    assert first.startswith(f"{use} (batch), model ")
    assert f": one call of 4.3 s to {server.url[7:]}" in first
    assert cost.startswith(("costs about 0.0", "what it costs is not in the price table"))
    assert f"heard       {SAYS}" in printed
    assert f"request id  {case.get('request_id', 'none')}" in printed
    line = f"{first.partition(':')[0]}, at {server.url[7:]}: works; reported "
    assert f"{line}{case.get('model', 'no model')}, " in printed
    with replaying(written, written.data["answers"]["success"]["reply"]) as again:
        provider = written.provider(again.url, monkeypatch)
        transcript = heard(provider)
        written.check(transcript, written.data["answers"]["success"])
        assert len(again.requests) == asked
    assert transcript.text == SAYS


@pytest.mark.slow
@pytest.mark.parametrize("use", ["elevenlabs", "gladia", "mistral"])
def test_a_stream_is_checked_and_its_exchange_can_be_replayed(use, tmp_path, monkeypatch, capsys):
    fixture = ALL[use, "stream"]
    case = fixture.data["answers"]["success"]
    case = saying(copy.deepcopy(case), case["text"], SAYS)
    part = {**fixture.data["part"], "during": case["during"], "after": case["after"]}
    with playing(fixture, Part(**part)) as server:
        code, printed, written = checked(
            fixture, server.url, tmp_path, monkeypatch, capsys, "--yes"
        )

    assert code == 0
    assert ", first text after " in printed
    answer = written.data["answers"]["success"]
    again = {"during": answer["during"], "after": answer["after"]}
    with playing(written, Part(**written.data["part"], **again)) as server:
        provider = written.provider(server.url, monkeypatch)
        transcript = heard(provider, stream=True)
    written.check(transcript, answer)
    assert transcript.text == SAYS


@pytest.mark.slow
def test_messages_of_a_vendors_own_kind_are_told_of_and_the_call_is_not_lost(
    tmp_path, monkeypatch, capsys
):
    fixture = ALL["azure", "stream"]
    case = saying(copy.deepcopy(fixture.data["answers"]["success"]), "Yes, it is five.", SAYS)
    with playing(fixture, Part(during=case["during"], after=case["after"])) as server:
        code, printed, _ = checked(fixture, server.url, tmp_path, monkeypatch, capsys, "--yes")

    assert code == 2
    assert "works; reported no model, request t-1" in printed
    assert "azure packs its messages its own way: not written" in printed


def test_nothing_is_called_before_a_yes(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    fixture = ALL["deepgram", "batch"]
    with replaying(fixture, None) as server:
        code, printed, _ = checked(fixture, server.url, tmp_path, monkeypatch, capsys)

    assert code == 2
    assert "asrbench providers check: --yes approves this call" in printed
    assert "costs about 0.0006 USD by the price table" in printed
    assert not server.requests


@pytest.mark.slow
def test_another_text_and_a_failure_are_told_as_such(tmp_path, monkeypatch, capsys):
    fixture = ALL["deepgram", "batch"]
    other = fixture.data["answers"]["success"]["reply"]
    with replaying(fixture, other) as server:
        code, printed, _ = checked(fixture, server.url, tmp_path, monkeypatch, capsys, "--yes")
    assert code == 1
    assert ": answers with another text: 'yes my number is" in printed

    refused = fixture.data["failures"]["auth"]
    denied = {**fixture.data, "steps": [{**fixture.data["steps"][0], "status": 401}]}
    with replaying(Fixture(fixture.path, denied), refused["body"]) as server:
        code, printed, _ = checked(fixture, server.url, tmp_path, monkeypatch, capsys, "--yes")
    assert (code, len(server.requests)) == (3, 1)
    assert ": failed (auth): " in printed
    assert ": works; " not in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check"], "asrbench providers check: name the provider"),
        (["deepgram", "groq"], "'deepgram' with a second name; write check NAME"),
        (["check", "depgram", "--yes"], "unknown provider 'depgram'"),
    ],
)
def test_what_cannot_be_checked_is_one_line(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    assert cli.main(["providers", *arguments]) == 2
    assert message in capsys.readouterr().err
