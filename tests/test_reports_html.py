"""The HTML report: what stands in the file, and what it does in a real browser."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from helpers import report_runs as sample

from pytest_asrbench.cli import main
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import JudgedEntity, Nearest, Verdict
from pytest_asrbench.reports import html, html_audio
from pytest_asrbench.reports.html_audio import Sound
from pytest_asrbench.reports.view_model import ViewModel, gather

chromium = pytest.importorskip("helpers.chromium", reason="needs websockets: extra stream")
PROGRAM = chromium.find()


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


# -- the file ------------------------------------------------------------------------------------


def test_the_file_is_self_contained(tmp_path: Path) -> None:
    html.write(sample.red(), tmp_path / "report.html")

    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert re.findall(r"""(?:src|href)=["'](?!#|data:)[^"']*""", page) == []
    assert "default-src 'none'" in page
    assert "@import" not in page
    assert "url(" not in page


def test_hostile_text_can_not_leave_its_place() -> None:
    page = html.render(sample.hostile(), Sound(None, Path()))

    assert page.count("<script") == page.count("</script>") == 2
    assert "<img" not in page
    assert data_of(page)["clips"][1]["transcript"] == sample.HOSTILE


def test_only_our_own_script_may_run() -> None:
    page = html.render(sample.red(), Sound(None, Path()))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)

    (allowed,) = re.findall(r"script-src ([^;]*)", policy)
    assert re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", allowed)


def test_clips_with_errors_come_first_then_those_with_most_misses() -> None:
    clips = data_of(html.render(sample.outage(), Sound(None, Path())))["clips"]

    assert [clip["verdict"] for clip in clips] == ["error"] * 3 + ["missed", "no values"]


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)

    with pytest.raises(InputError, match=r"^HTML needs jinja2: pip install .*html"):
        html.render(sample.red(), Sound(None, Path()))


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "my data"
    (folder / "clips").mkdir(parents=True)
    tone = np.sin(np.arange(8000) / 8).astype(np.float32)
    soundfile.write(folder / "clips/refund_03.wav", tone, 8000)
    return folder


def test_audio_is_linked_from_where_the_report_is(dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    sound = Sound(dataset, tmp_path / "out")

    assert sound.source("clips/refund_03.wav") == "../my%20data/clips/refund_03.wav"
    assert sound.source("clips/absent.wav") is None
    assert sound.source(None) is None


def test_audio_outside_the_dataset_is_never_read(dataset: Path, tmp_path: Path) -> None:
    shutil.copy(dataset / "clips/refund_03.wav", tmp_path / "secret.wav")
    (dataset / "link.wav").symlink_to(tmp_path / "secret.wav")
    sound = Sound(dataset, tmp_path, embed=True)

    assert sound.source("../secret.wav") is None
    assert sound.source("link.wav") is None
    assert sound.source(str(tmp_path / "secret.wav")) is None


def test_embedded_audio_has_a_bound_and_says_so(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = (dataset / "clips/refund_03.wav").stat().st_size
    monkeypatch.setattr(html_audio, "MOST_EMBEDDED", size + 1)
    sound = Sound(dataset, tmp_path, embed=True)

    first, second = (sound.source("clips/refund_03.wav") for _ in range(2))

    assert first is not None
    assert first.startswith("data:audio/")
    assert second == "my%20data/clips/refund_03.wav"
    assert sound.notices()[0].startswith("audio of 1 clip is linked")


# -- a real browser ------------------------------------------------------------------------------

needs_browser = pytest.mark.skipif(PROGRAM is None, reason="needs chromium on the PATH")


@pytest.fixture(scope="module")
def tab() -> Iterator[Any]:
    assert PROGRAM
    with chromium.page(PROGRAM) as page:
        yield page


@pytest.fixture
def page(tab: Any) -> Iterator[Any]:
    """The tab; whatever the test does in it, nothing may go wrong or go out."""
    tab.errors.clear()
    tab.requests.clear()
    tab.size(1200, 900)
    yield tab
    assert tab.errors == []
    assert [url for url in tab.requests if not url.startswith(("file:", "data:"))] == []


def write(facts: ViewModel, folder: Path, **options: Any) -> Path:
    path = folder / "report.html"
    html.write(facts, path, **options)
    return path


SHOWN = "[...document.querySelectorAll('#rows .open')].map((button) => button.textContent)"


def choose(page: Any, name: str, value: str) -> None:
    page.run(
        f"{{const box = document.querySelector('[data-filter={name}]'); box.value = '{value}';"
        "box.dispatchEvent(new Event('change'));}"
    )


def search(page: Any, text: str) -> None:
    page.run(
        "{const box = document.getElementById('search');"
        f"box.value = {json.dumps(text)}; box.dispatchEvent(new Event('input'));}}"
    )


@pytest.mark.slow
@needs_browser
def test_clips_are_searched_filtered_and_sorted(page: Any, tmp_path: Path) -> None:
    page.open(write(sample.red(), tmp_path))
    assert page.run(SHOWN) == ["refund_03", "ship_01", "ship_02", "refund_07", "hold_music"]

    search(page, "SPRINGFIELD juniper")
    assert page.run(SHOWN) == ["ship_01"]
    assert page.run("document.getElementById('count').textContent") == "1 of 5 clips"

    search(page, "")
    choose(page, "type", "email_address")
    assert page.run(SHOWN) == ["refund_03", "refund_07"]
    choose(page, "verdict", "recovered")
    assert page.run(SHOWN) == ["refund_07"]

    page.run("[...document.querySelectorAll('#controls button')].at(-1).click()")
    choose(page, "domain", "logistics")
    assert page.run(SHOWN) == ["ship_01", "ship_02", "hold_music"]
    choose(page, "domain", "")
    choose(page, "verdict", "new miss")
    assert page.run(SHOWN) == ["refund_03"]

    page.run("[...document.querySelectorAll('#controls button')].at(-1).click()")
    page.run("document.querySelector('[data-sort=latency_ms] button').click()")
    assert page.run(SHOWN) == ["refund_03", "refund_07", "ship_01", "ship_02", "hold_music"]
    page.run("document.querySelector('[data-sort=latency_ms] button').click()")
    assert page.run(SHOWN)[0] == "hold_music"
    order = page.run("document.querySelector('[data-sort=latency_ms]').getAttribute('aria-sort')")
    assert order == "descending"


@needs_browser
def test_tags_are_a_filter_where_there_are_several(page: Any, tmp_path: Path) -> None:
    run = sample.run()
    records = [replace(each, tags=(f"tag{n % 2}",)) for n, each in enumerate(run.records)]
    page.open(write(gather(replace(run, records=tuple(records)), []), tmp_path))

    choose(page, "tag", "tag1")

    assert sorted(page.run(SHOWN)) == ["refund_07", "ship_02"]


@needs_browser
def test_a_type_leads_to_its_misses(page: Any, tmp_path: Path) -> None:
    page.open(write(sample.red(), tmp_path))

    page.run("document.querySelector('[data-type=email_address]').click()")

    assert page.run(SHOWN) == ["refund_03"]


@pytest.mark.slow
@needs_browser
def test_a_clip_opens_by_keyboard_to_its_evidence_and_commands(page: Any, tmp_path: Path) -> None:
    page.open(write(sample.red(), tmp_path))
    page.run("document.querySelector('#rows .open').focus()")
    page.press("Enter", "\r")
    page.wait("document.querySelector('tr.detail') !== null")

    marks = (
        "[...document.querySelectorAll('tr.detail .text mark')]"
        ".map((mark) => [mark.className, mark.textContent])"
    )
    assert page.run(marks) == [["good", "$42"], ["bad", "remirsat example"]]
    commands = page.run(
        "[...document.querySelectorAll('tr.detail .command code')].map((c) => c.textContent)"
    )
    assert commands == [
        "asrbench explain --type=currency_amount --canonical='$42' -- "
        "'Refund $42 and mail remirsat example.'",
        "asrbench explain --type=email_address --canonical=ramirez@example.com -- "
        "'Refund $42 and mail remirsat example.'",
        "pytest --asr-provider=nova3 --asr-strict -k '[refund_03] or [refund_03/'",
    ]
    heard = (
        "[...document.querySelectorAll('.words .substitute')].map((w) => w.innerText.split(/\\s+/))"
    )
    assert page.run(heard) == [["forty", "$42"], ["ramirez", "remirsat"]]

    page.press("ArrowDown")
    assert page.run("document.activeElement.textContent") == "ship_01"
    page.press("ArrowUp")
    page.press("Enter", "\r")
    page.wait("document.querySelector('tr.detail') === null")
    page.press("/")
    assert page.run("document.activeElement.id") == "search"


@needs_browser
def test_an_address_opens_its_clip(page: Any, tmp_path: Path) -> None:
    page.open(write(sample.red(), tmp_path), "#clip=ship_02")

    page.wait("document.querySelector('tr.detail') !== null")
    assert page.run(SHOWN) == ["ship_02"]
    assert "heard no speech" in page.run("document.querySelector('tr.detail').textContent")
    page.open(write(sample.red(), tmp_path), "#clip=%E0%A4%A")
    page.wait("document.querySelectorAll('.open').length > 0")
    assert page.errors == []


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("embed", [False, True], ids=["linked", "embedded"])
def test_a_recording_plays(page: Any, dataset: Path, embed: bool) -> None:
    measured = sample.run(dataset)
    path = write(gather(measured, []), dataset.parent, embed=embed)
    if embed:
        shutil.rmtree(dataset)
    page.open(path, "#clip=refund_03")
    page.wait("document.querySelector('audio') !== null")

    page.run("document.querySelector('audio').play()")

    page.wait("document.querySelector('audio').currentTime > 0")
    assert page.run("document.querySelectorAll('audio').length") == 1


@needs_browser
def test_injected_markup_stays_text(page: Any, tmp_path: Path) -> None:
    page.open(write(sample.hostile(), tmp_path))
    page.run("document.querySelectorAll('#rows .open').forEach((button) => button.click())")

    assert page.run("document.title").startswith("ASR gate report")
    assert page.run("document.images.length") == 0
    assert page.run("document.scripts.length") == 2
    shown = page.run("document.querySelector('tr.detail .text').textContent")
    assert "</script><script>" in page.run("document.body.textContent")
    assert "\u202e" not in shown
    assert "\x1b" not in page.run("document.getElementById('rows').textContent")


@needs_browser
def test_highlights_count_characters_as_python_does(page: Any, tmp_path: Path) -> None:
    run = sample.run()
    first = run.records[0]
    text = "👩\u200d👧 𝔘nicode: 你好 remirsat example"
    at = text.index("remirsat")
    near = Nearest("remirsat example", at, len(text), "wrong")
    judged = JudgedEntity(first.entities[1].entity, Verdict(False, True, "wrong", nearest=near))
    record = replace(first, transcript=text, entities=(judged,))
    page.open(write(gather(replace(run, records=(record,)), []), tmp_path), "#clip=refund_03")

    page.wait("document.querySelector('tr.detail') !== null")
    assert page.run("document.querySelector('.text mark').textContent") == "remirsat example"


@needs_browser
def test_words_are_split_in_the_page_as_they_were_aligned(page: Any, tmp_path: Path) -> None:
    run = sample.run()
    said, heard = "按\u3000井号 a\u00a0b\x1cc \U00020000d", "安 井号 a b\x1cc \U00020000e"
    record = replace(run.records[0], reference=said, transcript=heard, entities=())
    page.open(write(gather(replace(run, records=(record,)), []), tmp_path), "#clip=refund_03")
    page.wait("document.querySelector('.words') !== null")

    shown = page.run("[...document.querySelectorAll('.words > span')].map((w) => w.innerText)")
    assert shown == ["按\n安", "井", "号", "a", "b\\u001cc", "\U00020000d\n\U00020000e"]


@pytest.mark.slow
@needs_browser
def test_five_thousand_clips_are_drawn_as_they_are_scrolled_to(page: Any, tmp_path: Path) -> None:
    run = sample.run()
    records = [
        replace(run.records[n % 5], clip=f"clip_{n:04}", transcript=f"word{n} " * 60)
        for n in range(5000)
    ]
    page.open(write(gather(replace(run, records=tuple(records)), []), tmp_path))

    assert page.run("document.getElementById('count').textContent") == "5000 of 5000 clips"
    drawn = page.run(f"{SHOWN}.length")
    assert drawn <= 300
    assert page.run("document.querySelectorAll('*').length") < 10_000
    page.run("scrollTo(0, document.body.scrollHeight)")
    page.wait(f"{SHOWN}.length > {drawn}")
    search(page, "word4321")
    assert page.run(SHOWN) == ["clip_4321"]
    search(page, "")
    assert page.run(f"{SHOWN}.length") <= 300


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_fits_a_phone_and_contrasts_in_both_modes(page: Any, tmp_path: Path, dark: bool) -> None:
    page.size(360, 740, dark=dark, phone=True)
    page.open(write(sample.red(), tmp_path), "#clip=refund_03")
    page.wait("document.querySelector('tr.detail') !== null")

    assert page.run("document.documentElement.scrollWidth") <= 360
    wide = "[...document.querySelectorAll('.scroll')].filter((b) => b.scrollWidth > b.clientWidth)"
    assert page.run(f"{wide}.length") == 0
    light = page.run(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every((c) => c > 128)"
    )
    assert light is not dark
    assert page.run(CONTRAST) >= 4.5  # WCAG AA


CONTRAST = """(() => {
  const parse = (c) => c.match(/[\\d.]+/g).map(Number);
  const level = (c) => parse(c).slice(0, 3).map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = parse(getComputedStyle(node).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return getComputedStyle(node).backgroundColor;
    }
    return "rgb(255,255,255)";
  };
  let worst = 21;
  const texts = "p, td, th, code, .chip, a, dt, dd, h2, mark, label";
  for (const node of document.querySelectorAll(texts)) {
    if (!node.offsetParent || !node.textContent.trim()) continue;
    const [a, b] = [level(getComputedStyle(node).color), level(behind(node))].sort((x, y) => y - x);
    worst = Math.min(worst, (a + 0.05) / (b + 0.05));
  }
  return worst;
})()"""


@pytest.mark.slow
@needs_browser
def test_every_control_can_be_reached_by_tab(page: Any, tmp_path: Path) -> None:
    page.open(write(sample.red(), tmp_path))
    seen = []
    for _ in range(60):
        page.press("Tab")
        seen.append(page.run("document.activeElement.id || document.activeElement.textContent"))

    for wanted in ("Copy", "Gates", "email_address", "search", "clip", "Clear", "refund_03"):
        assert any(text.startswith(wanted) for text in seen), wanted


@needs_browser
def test_copying_selects_the_command(page: Any, tmp_path: Path) -> None:
    page.open(write(sample.red(), tmp_path))

    page.run("document.querySelector('.banner [data-copy]').click()")

    page.wait(
        "getSelection().toString() === "
        "`pytest --asr-provider=nova3 --asr-strict -k '[refund_03] or [refund_03/'`"
    )


@pytest.mark.slow
def test_the_page_s_script_is_valid(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    path = Path(html.__file__).parent / "templates" / "report.js"

    assert subprocess.run([node, "--check", path], check=False).returncode == 0


@needs_browser
def test_the_dispute_command_survives_a_shell(
    page: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = sample.run()
    said = '--note it\'s $HOME; `rm` "x" \\ done'
    entity = replace(
        run.records[0].entities[1].entity,
        type="cli_flag",
        canonical="--dry-run",
        acoustic="dash dash dry dash run",
        accept=("-n",),
    )
    record = replace(
        run.records[0],
        transcript=said,
        entities=(JudgedEntity(entity, Verdict(False, True, "no")),),
    )
    page.open(write(gather(replace(run, records=(record,)), []), tmp_path), "#clip=refund_03")
    page.wait("document.querySelector('tr.detail') !== null")

    command = shlex.split(page.run("document.querySelector('.entity .command code').textContent"))

    assert command[-2:] == ["--", said]
    assert command[:2] == ["asrbench", "explain"]
    assert main(command[1:]) == 0
    assert "cli_flag  --dry-run" in capsys.readouterr().out


@pytest.mark.slow
@needs_browser
def test_on_paper_everything_is_there_and_nothing_is_cut(page: Any, tmp_path: Path) -> None:
    page.open(write(sample.red(), tmp_path))
    page.size(700, 1000)  # A4 less its margins
    page.call("Emulation.setEmulatedMedia", media="print")
    page.run("dispatchEvent(new Event('beforeprint'))")

    assert page.run("document.querySelectorAll('#rows > tr').length") == 5
    assert page.run("[...document.querySelectorAll('details')].every((box) => box.open)")
    assert page.run(
        "[...document.querySelectorAll('table')].every("
        "(table) => table.getBoundingClientRect().right <= innerWidth + 1)"
    )
    assert page.run("document.documentElement.scrollWidth") <= 700
    assert "remirsat example" in page.run("document.getElementById('lost').innerText")
    page.call("Emulation.setEmulatedMedia", media="")
