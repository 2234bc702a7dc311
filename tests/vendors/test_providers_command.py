"""`asrbench providers`, and the table of facts behind it."""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

import pytest
from helpers.vendor_protocols import KEY, fixtures

from pytest_asrbench import cli
from pytest_asrbench.errors import InputError
from pytest_asrbench.providers import facts, registry
from pytest_asrbench.providers.base import Configuration
from pytest_asrbench.providers.prices import read_prices

DOCS = Path(__file__).parents[2] / "docs" / "providers-vendors.md"
RE_DATE = re.compile(r"never|\d{4}-\d\d-\d\d")
TODAY = date(2026, 12, 1)


def shown(capsys, *arguments: str) -> str:
    assert cli.main(["providers", *arguments]) == 0
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch, tmp_path):
    for fixture in [*fixtures("batch"), *fixtures("stream")]:
        for name in fixture.data.get("env", {}):
            monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_every_provider_and_mode_has_its_facts():
    table = {(each.use, each.mode): each for each in facts.known()}

    assert {use for use, _ in table} == set(registry.BUILTIN)
    assert {use for use, mode in table if mode == "stream"} == {
        *registry.STREAMING,
        "pocketsphinx",
        "vosk",
        "wyoming",
    }
    for each in table.values():
        assert each.confidence in ("high", "medium", "local")
        assert RE_DATE.fullmatch(each.checked_live)
        assert hasattr(each.target, "stream" if each.mode == "stream" else "transcribe") or (
            each.use == "recorded"
        )


@pytest.mark.slow
def test_the_list_says_what_is_missing_and_fits_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("DEEPGRAM_API_KEY", KEY)
    monkeypatch.setitem(sys.modules, "websockets", None)
    rows = shown(capsys).splitlines()

    assert max(map(len, rows)) <= 80
    by_name = {tuple(row.split()[:2]): row.split()[2:] for row in rows if not row.startswith(" ")}
    assert by_name["deepgram", "batch"] == ["yes", "high", "never"]
    assert by_name["deepgram", "stream"] == ["no", "high", "never", "[stream]"]
    assert by_name["groq", "batch"] == ["no", "high", "never", "GROQ_API_KEY"]
    assert by_name["vllm", "batch"] == ["no", "medium", "never", "model:"]
    assert KEY not in "".join(rows)


@pytest.mark.slow
def test_one_provider_is_shown_with_its_protocol(capsys):
    text = shown(capsys, "elevenlabs")

    assert "elevenlabs, batch\n  needs    ELEVENLABS_API_KEY (missing)\n" in text
    assert "model    scribe_v2\n" in text
    assert "model    scribe_v2_realtime\n" in text
    assert "checked live: never" in text
    assert "POST {url}   multipart: file, model_id, language_code" in text


@pytest.mark.slow
def test_configurations_are_listed_and_can_be_asked_for(capsys, tmp_path):
    (tmp_path / "asrbench.yaml").write_text(
        "providers: {nova3: {use: deepgram, model: nova-3-medical}}\n"
    )
    assert "  nova3: deepgram, model nova-3-medical\n" in shown(capsys)
    assert shown(capsys, "nova3").startswith("deepgram, batch\n")


@pytest.mark.slow
def test_an_unknown_name_lists_the_known_ones(capsys):
    assert cli.main(["providers", "depgram"]) == 2
    unknown, _, known = capsys.readouterr().err.partition("; known: ")
    assert unknown == "unknown provider 'depgram'"
    assert set(registry.BUILTIN) <= set(re.findall(r"[\w.-]+", known))


@pytest.mark.slow
def test_the_documentation_has_the_same_table(capsys):
    assert shown(capsys, "--markdown") in DOCS.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("use", "mode", "other"), [("groq", "stream", "batch"), ("deepgram-flux", "batch", "stream")]
)
def test_a_mode_that_a_system_lacks_is_one_line_before_any_call(use, mode, other):
    with pytest.raises(InputError) as caught:
        registry.create(Configuration("mine", use, mode=mode))

    assert str(caught.value) == (
        f"provider 'mine': {use} has no {mode} mode; use --asr-mode={other}"
    )


@pytest.mark.slow
def test_every_price_is_one_of_a_built_in_provider():
    """Else a price would be there that no run finds."""
    known = {(each.use, each.mode) for each in facts.known()}
    without = {("azure", "stream"), ("google", "stream")}

    rows = read_prices().rows

    assert rows
    for row in rows:
        modes = facts.MODES if row.mode == "*" else (row.mode,)
        assert any((row.use, mode) in known | without for mode in modes), row


@pytest.mark.slow
def test_a_success_with_a_real_key_says_how_to_record_it(monkeypatch):
    monkeypatch.setenv("DEEPGRAM_API_KEY", KEY)
    provider = registry.create(Configuration("d", "deepgram"))

    line = facts.how_to_record("deepgram", "batch", provider, TODAY)

    assert line.startswith("deepgram (batch) works at api.deepgram.com with a real key; to record")
    assert "`checked_live: 2026-12-01`" in line
    assert line.endswith("providers.yaml")
    assert KEY not in line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("use", "options"),
    [
        ("deepgram", {"url": "http://127.0.0.1:9/v1/listen"}),
        ("vllm", {"model": "m"}),
        ("pocketsphinx", {}),
    ],
)
def test_a_success_without_a_real_key_says_nothing(use, options, monkeypatch):
    monkeypatch.setenv("DEEPGRAM_API_KEY", KEY)
    if use == "pocketsphinx":
        pytest.importorskip("pocketsphinx")
    provider = registry.create(Configuration("d", use, options))

    assert facts.how_to_record(use, "batch", provider, TODAY) is None
