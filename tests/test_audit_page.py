"""The audit page in a real browser: filled in by keys, saved, read back."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import chromium
from test_audit import row

from pytest_asrbench.audit import page, sheet

CHROMIUM = chromium.find()
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
CLIP = Path(__file__).parent.parent / "example_project" / "clips" / "refund_amount.flac"
HOSTILE = "</script><img src=x onerror=\"document.title='broken'\"> =1+1 \u202e"


@pytest.fixture
def opened(tmp_path):
    clip = tmp_path / "one.flac"
    shutil.copy(CLIP, clip)
    rows = [
        replace(row(1), audio=clip),
        replace(row(2, present=False), transcript=HOSTILE),
        replace(
            row(3), transcript="emoji 🎉 at nine", verdict=replace(row(3).verdict, start=8, end=15)
        ),
    ]
    file = tmp_path / "audit.html"
    page.write(rows, file, "sheet.csv")
    with chromium.page(CHROMIUM) as tab:
        tab.open(file)
        yield tab, rows, tmp_path


def text(tab, name):
    return tab.run(f"document.getElementById('{name}').textContent")


@pytest.mark.slow
def test_a_sheet_filled_in_by_keys_reads_back(opened):
    tab, rows, folder = opened

    tab.press("p", "p")
    tab.press("a", "a")
    tab.run("document.getElementById('note').value = '=misheard, or \"not\"'")
    tab.press("u", "u")

    (folder / "saved.csv").write_text(tab.run("asrbenchSheet()"), newline="")
    found = sheet.read(folder / "saved.csv")
    assert [each.human for each in found] == ["present", "absent", "unsure"]
    assert [each.note for each in found] == ["", "", '=misheard, or "not"']
    assert [each.row.transcript for each in found] == [each.transcript for each in rows]
    assert text(tab, "progress") == "row 3 of 3, 3 checked"
    assert tab.errors == []


@pytest.mark.slow
def test_answers_outlive_a_reload(opened):
    tab, _, folder = opened
    tab.press("a", "a")
    tab.wait("document.getElementById('progress').textContent.endsWith('1 checked')")

    tab.open(folder / "audit.html")

    assert text(tab, "progress") == "row 1 of 3, 1 checked"
    assert tab.run("document.querySelector('[data-answer=absent]').ariaPressed") == "true"


@pytest.mark.slow
def test_the_verdict_is_hidden_until_asked_for_and_marks_the_evidence(opened):
    tab, _, _ = opened
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    assert tab.run("document.getElementById('verdict').hidden")
    assert not tab.run("!!document.querySelector('mark')")

    tab.press("v", "v")

    assert text(tab, "verdict") == "present: why"
    assert tab.run("document.querySelector('mark').textContent") == "at nine"


@pytest.mark.slow
def test_a_transcript_stays_text(opened):
    tab, _, _ = opened
    tab.press("ArrowRight")

    assert "<img src=x" in text(tab, "transcript")
    assert "\\u202e" in text(tab, "transcript")
    assert tab.run("document.title") == "Audit of 3 verdicts"
    assert tab.run("document.images.length") == 0


@pytest.mark.slow
def test_the_clip_plays_without_a_network(opened):
    tab, _, _ = opened

    tab.press(" ", " ")

    tab.wait("document.querySelector('audio').currentTime > 0")
    assert [url for url in tab.requests if url.startswith("http")] == []
