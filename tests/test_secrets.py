"""Which settings are hidden as secrets, and that hiding makes no two configurations one."""

from __future__ import annotations

import pytest

from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.secrets import masked, scrub
from pytest_asrbench.store.entries import TranscriptKey

PW = "S3cretPassw0rd"
LONG = "sk0123456789abcdef"  # what a key looks like, whatever it is called


def key(settings) -> str:
    description = Description("ours", "m", settings)
    return TranscriptKey("0" * 64, description, "batch", "en").digest


@pytest.mark.parametrize(
    ("setting", "shown"),
    [
        ({"api_key": PW}, {"api_key": "***"}),
        ({"apiKey": PW, "access_tokens": [PW], "jwt": PW, "bearer": PW},
         {"apiKey": "***", "access_tokens": "***", "jwt": "***", "bearer": "***"}),
        ({"client_secret": PW, "token": PW, "passphrase": f"my {PW}"},
         {"client_secret": "***", "token": "***", "passphrase": "***"}),
        ({"extra": [{"headers": {"Authorization": f"Token {PW}"}}]},
         {"extra": [{"headers": {"Authorization": "***"}}]}),
        ({"headers": f"Accept: text/plain\nX-Api-Key: {PW}"},
         {"headers": "Accept: text/plain\nX-Api-Key: ***"}),
        ({"headers": f"Authorization: Bearer {PW}"}, {"headers": "Authorization: Bearer ***"}),
        ({"headers": f'{{"X-Api-Key": "{PW}", "v": 1}}'},
         {"headers": '{"X-Api-Key": "***", "v": 1}'}),
        ({"auth": {"user": "me", "pass": PW}}, {"auth": "***"}),
        (f"http://me:{PW}@h:80/v1", "http://h:80/v1"),
        (f"http://{PW}@h/v1", "http://h/v1"),
        (f"http://me:{PW}@@h/v1", "http://h/v1"),
        (f"http://h/v1?v=2&api_key={PW}&sig={PW}#a", "http://h/v1?v=2&api_key=***&sig=***#a"),
        ({"callback": f"https://h/?token={PW}"}, {"callback": "https://h/?token=***"}),
        (["asr", "--api-key", PW, "--lang", "en"], ["asr", "--api-key", "***", "--lang", "en"]),
        (["asr", f"--password={PW}", "-v"], ["asr", "--password=***", "-v"]),
        (["sh", "-c", f"export TOKEN={PW}; asr '--api-key={PW}'"],
         ["sh", "-c", "export TOKEN=***; asr '--api-key=***'"]),
        (["env", f"ASR_API_TOKEN={PW}", "asr"], ["env", "ASR_API_TOKEN=***", "asr"]),
        (["curl", "-H", f"X-Api-Key: {PW}"], ["curl", "-H", "X-Api-Key: ***"]),
        (["curl", "-H", f"X-Api-Key:{PW}"], ["curl", "-H", "X-Api-Key:***"]),
        (["sh", "-c", f"asr --api-key {PW} -l en"], ["sh", "-c", "asr --api-key *** -l en"]),
        (["sh", "-c", f"asr --api-key='{PW}' -l en"], ["sh", "-c", "asr --api-key='***' -l en"]),
        (["sh", "-c", f"TOKEN={PW} asr -l en"], ["sh", "-c", "TOKEN=*** asr -l en"]),
        (["sh", "-c", f'TOKEN="{PW} x" asr -l en'], ["sh", "-c", 'TOKEN="***" asr -l en']),
        (["sh", "-c", f"curl -d api_key={PW} -H 'X-Api-Key: {PW}' 'https://h/?token={PW}' -v"],
         ["sh", "-c", "curl -d api_key=*** -H 'X-Api-Key: ***' 'https://h/?token=***' -v"]),
        (["sh", "-c", f"curl --data=api_key={PW} https://me:{PW}@h/v1 -v"],
         ["sh", "-c", "curl --data=api_key=*** https://h/v1 -v"]),
    ],
)  # fmt: skip
def test_what_sounds_secret_among_settings_is_shown_nowhere(setting, shown):
    assert masked(setting) == shown
    assert masked(shown) == shown  # as read back from a store
    assert scrub(f"no such key: {PW}!") == "no such key: ***!"


@pytest.mark.parametrize(
    ("setting", "shown"),
    [
        ({"key": LONG, "DEEPGRAM_KEY": LONG, "hf_token": LONG},
         {"key": "***", "DEEPGRAM_KEY": "***", "hf_token": "***"}),
        (f"https://h/v1?key={LONG}&model=m", "https://h/v1?key=***&model=m"),
        (f"https://h/v1?X-Amz-Signature={LONG}", "https://h/v1?X-Amz-Signature=***"),
        (["env", f"ASR_TOKEN={LONG}", "asr"], ["env", "ASR_TOKEN=***", "asr"]),
    ],
)  # fmt: skip
def test_under_a_name_that_may_be_innocent_only_what_looks_like_a_key_is_hidden(setting, shown):
    assert masked(setting) == shown
    assert scrub(f"no such key: {LONG}!") == "no such key: ***!"


@pytest.mark.parametrize(
    "setting",
    [
        {"keyterms": ["key", "token 5"], "keywords": ["token:2"], "keyterms_prompt": ["x"]},
        {"keywords": ["password: 3"], "boosts": {"password": 3, "secret": 2.5}},
        {"max_tokens": 100, "suppress_tokens": [-1], "author": "me", "key": None, "auth": False},
        {"prompt": "say key=5; the password: open sesame"},
        {"prompt": "Password: what a caller types\nToken: a word"},
        {"url": "https://h/v1?model=m&keyterm=a#key=b", "argv": ["asr", "--tokens", "t.txt"]},
        {"argv": ["asr", "--tokens=/models/zipformer-2023/tokens.txt", "--api-key-env", "K"]},
        {"argv": ["asr", "--auth", "--language", "en", "--second-pass", "large-v3-turbo"]},
        {"blank_token": "<|startoftranscript-3|>", "secret_word": "Kubernetes"},
    ],
)  # fmt: skip
def test_what_changes_transcripts_is_shown(setting):
    assert masked(setting) == setting


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"boost": [{"key": "Kubernetes"}]}, {"boost": [{"key": "Terraform"}]}),
        ({"replace": {"Turkey": "Türkiye"}}, {"replace": {"Turkey": "the turkey"}}),
        ({"replace": {"monkey": "mon-key-1"}}, {"replace": {"monkey": "mon-key-2"}}),
        ({"keywords": ["monkey: 3"]}, {"keywords": ["monkey: 5"]}),
        ({"keywords": ["token: 3"]}, {"keywords": ["token: 5"]}),
        ({"token": 1}, {"token": 2}),
        ({"suppress_token": 1}, {"suppress_token": 2}),
        ({"eos_token": "<|endoftext|>"}, {"eos_token": "<|notimestamps|>"}),
        ({"blank_token": 0}, {"blank_token": 1}),
        ({"signature_version": "v1"}, {"signature_version": "v4"}),
        ({"authority": "registry-one"}, {"authority": "registry-two"}),
        ({"authentic": "sounds-one"}, {"authentic": "sounds-two"}),
        ({"argv": ["asr", "--hotkeys", "hot-a.txt"]}, {"argv": ["asr", "--hotkeys", "hot-b.txt"]}),
        (
            {"argv": ["sh", "-c", "TOKEN=$T prog --lang en {wav}"]},
            {"argv": ["sh", "-c", "TOKEN=$T prog --lang de {wav}"]},
        ),
        (
            {"argv": ["sh", "-c", f"TOKEN={PW} prog --lang en {{wav}}"]},
            {"argv": ["sh", "-c", f"TOKEN={PW} prog --lang de {{wav}}"]},
        ),
        ({"url": "https://h/v1?key=en-large"}, {"url": "https://h/v1?key=de-large"}),
        (
            {"prompt": "Callers say https://foo, jane@bar.com"},
            {"prompt": "Callers say https://foo, july@bar.com"},
        ),
    ],
)  # fmt: skip
def test_configurations_that_transcribe_differently_share_no_transcripts(one, other):
    assert key(one) != key(other)


@pytest.mark.parametrize(
    "settings",
    [
        lambda secret: {"api_key": secret},
        lambda secret: {"headers": {"Authorization": f"Bearer {secret}"}},
        lambda secret: {"url": f"https://me:{secret}@h/v1?key={secret}"},
        lambda secret: {"argv": ["sh", "-c", f"asr --api-key {secret} {{wav}}"]},
    ],
)
def test_who_pays_makes_no_other_configuration(settings):
    """Another machine, with a key of its own, replays what a developer recorded."""
    assert key(settings(LONG)) == key(settings(LONG[::-1]))


def test_innocent_values_stay_in_messages():
    masked({"boost": [{"key": "Kubernetes"}], "signature_version": "version-one"})
    masked({"prompt": "Callers say https://first.example, jane@bar.com"})

    said = "Kubernetes version-one https://first.example, jane@bar.com"
    assert scrub(said) == said
