"""Runs side by side: over common clips, with significance, and never silently unlike."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.small_runs import NOISY, VERIFIER, build, record_of, run_of

from pytest_asrbench import cli
from pytest_asrbench import run as runs
from pytest_asrbench.comparison.compare import compare
from pytest_asrbench.comparison.trend import point, trend
from pytest_asrbench.errors import InputError
from pytest_asrbench.gates.advice import advise
from pytest_asrbench.metrics import stats
from pytest_asrbench.model import Rate
from pytest_asrbench.reports import comparison


def named(name, lines=None, **options):
    """A run of a provider of that name."""
    return run_of(lines or {}, providers=[replace(NOISY, name=name)], **options)


def compared(*found, **options):
    return compare([(Path(f"{n}.json"), each) for n, each in enumerate(found)], **options)


def test_entities_that_only_one_recovers_are_listed():
    found = compared(
        named("a", {"x": "time+ url-", "y": "date+"}),
        named("b", {"x": "time- url+", "y": "date+"}),
        named("c", {"x": "time- url+", "y": "date+"}),
    )

    assert [each.only for each in found.contenders] == [("x/e1",), (), ()]
    first = found.pairs[0]
    assert (first.a, first.b, first.only_a, first.only_b) == ("a", "b", ("x/e1",), ("x/e2",))
    assert [each.figures.ctem for each in found.contenders] == [Rate(2, 3)] * 3


def test_significance_is_two_sided_by_clip_and_corrected_over_all_pairs():
    good = {f"c{n}": "time+ url+" for n in range(10)}
    bad = {f"c{n}": "time- url-" for n in range(10)}
    found = compared(named("a", good), named("b", bad))

    assert found.pairs[0].p_ctem == pytest.approx(2 * 2 / 2**10)
    three = compared(named("a", good), named("b", good), named("c", bad))
    assert three.pairs[0].p_ctem == 1.0
    assert three.pairs[1].p_ctem == pytest.approx(6 * 2 / 2**10)


def test_transcripts_that_differ_are_counted():
    records = [record_of("x", "time+", transcript="a"), record_of("y", "time+", transcript="b")]
    other = [replace(records[0], transcript="A"), records[1]]
    found = compared(build(records), build(other))

    assert found.pairs[0].differ == Rate(1, 2)


def test_streams_are_compared_by_latency_after_speech_too():
    slow, fast = named("slow", {"x": "time+"}), named("fast", {"x": "time+"})
    streamed = [
        replace(each, records=(replace(each.records[0], latency_ms=9.0, after_speech_ms=after),))
        for each, after in ((slow, 900.0), (fast, 120.0))
    ]

    text = "\n".join(line for _, line in comparison.lines(compared(*streamed)))

    assert "A            9 ms  9 ms            900 ms  900 ms               -    -" in text
    assert "after speech p50" not in "\n".join(t for _, t in comparison.lines(compared(slow, fast)))
    assert "| B | 9 ms | 9 ms | 120 ms |" in comparison.markdown(compared(*streamed))


def test_clips_that_failed_in_one_run_are_left_out_of_all_and_told():
    found = compared(
        named("a", {"x": "time+", "y": "time+"}), named("b", {"x": "time-", "y": "time+"})
    )
    failed = named("c", {"x": "time+", "y": "time+"})
    error = record_of("x", "error").error
    gone = replace(failed, records=(replace(failed.records[0], error=error), *failed.records[1:]))
    part = compared(named("a", {"x": "time+", "y": "time+"}), gone)

    assert found.clips == 2
    assert part.clips == 1
    assert part.contenders[0].figures.ctem == Rate(1, 1)
    assert part.notices == ("1 of 2 clips left out: not measured by all alike",)


UNLIKE = [
    ({"verifier": replace(VERIFIER, version="2")}, "verifier rules 2 sha256:aa is not rules 1"),
    ({"verifier": replace(VERIFIER, overrides_digest="sha256:1")}, "verdicts.yaml sha256:1 is not"),
    ({"normaliser": "plain"}, "normaliser plain is not whisper-en"),
]


@pytest.mark.parametrize(("change", "message"), UNLIKE)
def test_unlike_runs_are_refused_and_compared_with_a_notice_if_asked_for(change, message):
    first, second = named("a", {"x": "time+"}), replace(named("b", {"x": "time+"}), **change)

    with pytest.raises(InputError, match="--anyway compares them still") as error:
        compared(first, second)
    assert message in str(error.value)
    assert message in compared(first, second, anyway=True).notices[0]


def test_runs_of_other_states_of_a_dataset_share_only_unchanged_clips():
    first = named("a", {"x": "time+", "y": "time+"})
    second = named("b", {"x": "time-", "y": "url+", "z": "url+"})

    with pytest.raises(InputError, match=r"1.json: dataset sha256"):
        compared(first, second)
    found = compared(first, second, anyway=True)
    assert found.clips == 1
    assert found.notices[-1] == "2 of 3 clips left out: not measured by all alike"


def test_nothing_in_common_is_an_error():
    with pytest.raises(InputError, match="no clip was measured by all"):
        compared(named("a", {"x": "time+"}), named("b", {"y": "time+"}), anyway=True)
    with pytest.raises(InputError, match="give two run files or more"):
        compared(named("a", {"x": "time+"}))


def test_labels_say_as_little_as_sets_runs_apart():
    run = named("a", {"x": "time+"})
    stream = replace(run, provider=replace(run.provider, mode="stream"))
    newer = replace(run, provider=replace(run.provider, model="m2"))

    assert [c.label for c in compared(run, stream).contenders] == ["a batch", "a stream"]
    assert [c.label for c in compared(run, newer).contenders] == ["a m1", "a m2"]
    assert [c.label for c in compared(run, run).contenders] == ["a #1", "a #2"]


def test_spearman_is_that_of_ranks_with_ties():
    assert stats.spearman([1, 2, 3], [30, 20, 10]) == pytest.approx(-1)
    # scipy.stats.spearmanr([1, 2, 2, 4], [1, 3, 2, 4])
    assert stats.spearman([1, 2, 2, 4], [1, 3, 2, 4]) == pytest.approx(0.9486833)
    assert stats.spearman([1, 2], [2, 1]) is None
    assert stats.spearman([1, 1, 1], [1, 2, 3]) is None


def test_wer_is_correlated_with_recovery_over_three_runs():
    lines = ["time+ url+ date+", "time+ url+ date-", "time+ url- date-"]
    heard = ["some words", "some wards", "same wards"]
    found = compared(
        *(
            build([record_of("x", line, transcript=text)], providers=[replace(NOISY, name=text)])
            for line, text in zip(lines, heard, strict=True)
        )
    )

    assert found.spearman["ctem"] == pytest.approx(-1)
    assert comparison.correlations(found)[0].startswith("Spearman: WER with CTEM -1.00")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs.write(named("a", {"x": "time+ url-", "<b>": "date+"}), tmp_path / "a.json")
    runs.write(named("b", {"x": "time- url+", "<b>": "date-"}), tmp_path / "b.json")
    return tmp_path


def test_the_command_prints_and_writes_every_format(files, capsys):
    names = ["--json", "c.json", "--md", "c.md", "--html", "c.html"]

    assert cli.main(["compare", "a.json", "b.json", *names]) == 0
    out = capsys.readouterr().out
    assert "2 runs over 2 clips, 3 entities; WER whisper-en" in out
    assert "A -> B  -0.33" in out
    data = json.loads((files / "c.json").read_text())
    assert data["pairs"][0]["only_a"] == ["x/e1", "<b>/e1"]
    assert data["runs"][0]["metrics"]["ctem"]["hits"] == 2
    assert "| A -" in (files / "c.md").read_text()


def test_untrusted_names_stay_text_in_html_and_markdown(files):
    assert cli.main(["compare", "a.json", "b.json", "--md", "c.md", "--html", "c.html"]) == 0

    page = (files / "c.html").read_text()
    assert "<b>" not in page
    assert "&lt;b&gt;/e1" in page
    assert "script" not in page.replace("script-src", "")
    assert "http" not in page.split("</style>")[1]


def test_unlike_runs_are_exit_code_two(files, capsys):
    other = runs.read(files / "b.json")
    runs.write(replace(other, verifier=replace(VERIFIER, version="2")), files / "b.json")

    assert cli.main(["compare", "a.json", "b.json"]) == 2
    assert "b.json: verifier rules 2" in capsys.readouterr().err
    assert cli.main(["compare", "a.json", "b.json", "--anyway"]) == 0


# trend


def dated(day, line, **changes):
    return replace(named("a", {"x": line}), started=f"2026-11-{day:02}T00:00:00Z", **changes)


def test_a_trend_is_sorted_by_time_and_tells_changes():
    line = trend(
        map(point, [dated(3, "time- url+"), dated(1, "time- url-"), dated(2, "time+ url+")])
    )["a"]

    assert [each.started[8:10] for each in line] == ["01", "02", "03"]
    assert [each.ctem_change for each in line] == [None, 1.0, -0.5]


def test_a_trend_breaks_where_dataset_or_verifier_change():
    runs_ = [
        dated(1, "time+"),
        dated(2, "url+"),
        dated(3, "url-", verifier=replace(VERIFIER, version="2")),
        dated(
            4,
            "url+",
            verifier=replace(VERIFIER, version="2"),
            provider=replace(NOISY, name="a", model="m2"),
        ),
    ]
    line = trend(map(point, runs_))["a"]

    assert [each.changed for each in line] == [
        (),
        ("dataset",),
        ("verifier",),
        ("model m1 -> m2",),
    ]
    assert [each.ctem_change for each in line] == [None, None, None, 1.0]


def test_the_trend_command_prints_and_writes(files, capsys):
    runs.write(dated(1, "time+", git_commit="0123456789"), files / "one.json")
    runs.write(dated(2, "time-", git_commit="9876543210"), files / "two.json")

    assert cli.main(["trend", "two.json", "one.json", "--md", "t.md", "--json", "t.json"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "a"
    assert out[2].split()[:5] == ["2026-11-01", "01234567", "1/1", "1.00", "-"]
    assert out[3].split()[:5] == ["2026-11-02", "98765432", "1/1", "0.00", "-1.00"]
    data = json.loads((files / "t.json").read_text())
    assert [each["ctem_change"] for each in data["providers"]["a"]] == [None, -1.0]
    assert "| 2026-11-02 |" in (files / "t.md").read_text()


# safeguards

ADVICE = [
    (0, 0, None),
    (200, 200, "accept (200 of 200, 0.98-1.00)"),
    (9, 9, "constrain or validate, perhaps accept (9 of 9, 0.70-1.00)"),
    (1, 1, "human review, perhaps accept (1 of 1, 0.21-1.00)"),
    (90, 100, "confirm back (90 of 100, 0.83-0.94)"),
    (65, 100, "constrain or validate (65 of 100, 0.55-0.74)"),
    (10, 100, "human review (10 of 100, 0.06-0.17)"),
]


@pytest.mark.parametrize(("hits", "total", "advice"), ADVICE)
def test_advice_goes_by_the_interval_and_not_by_the_point(hits, total, advice):
    found = advise({"time": Rate(hits, total)})

    assert {name: str(each) for name, each in found.items()} == ({"time": advice} if advice else {})
