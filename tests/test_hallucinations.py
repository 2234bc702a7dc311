"""Values heard where nobody said any: found by their form, and excused where they were said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_asrbench import cli
from pytest_asrbench.metrics.precision import Invented, precision
from pytest_asrbench.model import ClipRecord, Failure, Rate
from pytest_asrbench.verifiers.heard import Finder
from pytest_asrbench.verifiers.rules import Rules

FINDER = Finder(Rules())

TEXTS = [
    ("Your discount is 12%, so it is $96.", [("percentage", "12%"), ("currency_amount", "$96")]),
    ("twelve percent off", [("percentage", "twelve percent")]),
    (
        "ninety six dollars and fifty cents",
        [("currency_amount", "ninety six dollars and fifty cents")],
    ),
    (
        "mail j dot ramirez at example dot com",
        [("email_address", "j dot ramirez at example dot com")],
    ),
    ("mail j.ramirez@example.com.", [("email_address", "j.ramirez@example.com")]),
    ("go to status dot example dot org", [("url", "status dot example dot org")]),
    ("see https://example.com/a.", [("url", "https://example.com/a")]),
    ("ping 10.0.0.7 now", [("ip_address", "10.0.0.7")]),
    ("call 415-555-0132", [("phone_number", "415-555-0132")]),
    (
        "call four one five five five five zero one three two",
        [("phone_number", "four one five five five five zero one three two")],
    ),
    ("on 2026-03-05 or March 5th", [("date", "2026-03-05"), ("date", "March 5th")]),
    ("on march twenty first", [("date", "march twenty first")]),
    ("at 9:30 AM or nine thirty a m", [("time", "9:30 AM"), ("time", "nine thirty a m")]),
    ("room 404 and 7 o'clock", [("plain_number", "404"), ("time", "7 o'clock")]),
    ("two boxes", [("plain_number", "two")]),
    ("no one knows, oh well, half of it, the second of May may do", []),
    ("thanks for watching", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS, ids=[text for text, _ in TEXTS])
def test_values_are_found_by_their_form(text: str, expected: list[tuple[str, str]]) -> None:
    found = [(heard.type, text[heard.start : heard.end]) for heard in FINDER.find(text, "en")]

    assert found == expected


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("nine thirty", "9:30"),
        ("twelve percent", "12%"),
        ("four one five five five five zero one three two", "415-555-0132"),
        ("forty two dollars", "$42"),
    ],
)
def test_another_form_of_what_was_said_is_carried(said: str, heard: str) -> None:
    (value,) = FINDER.find(heard, "en")

    assert FINDER.carried(value, said, "en")
    assert not FINDER.carried(value, "nothing of the kind", "en")


def test_a_type_counts_only_over_clips_that_say_none_of_it() -> None:
    records = [
        ClipRecord("a", "", "en", transcript="$5 $6"),
        ClipRecord("b", "", "en", transcript=""),
        ClipRecord("said", "$7", "en", transcript="$5"),
        ClipRecord("failed", "", "en", error=Failure("timeout", "x")),
    ]

    found = precision(
        records,
        ["currency_amount"],
        find=lambda record, text: (
            [("currency_amount", 0, 2), ("currency_amount", 3, 5)] if text else []
        ),
        holds=lambda record: frozenset({"currency_amount"} if record.reference else ()),
    )

    assert found.rates == {"currency_amount": Rate(1, 2)}
    assert found.invented == (
        Invented("a", "currency_amount", "$5", 0, 2),
        Invented("a", "currency_amount", "$6", 3, 5),
    )


def test_the_report_counts_inventions_and_neither_hits_nor_misses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = {"silence": "", "garbled": "port eight zero eight zero", "right": "at nine thirty a m"}
    heard = {"silence": "Call 415-555-0132", "garbled": "port 8081", "right": "at 9:30 AM"}
    port = {"type": "port_number", "canonical": "8080"}
    rows = [{"schema": 1, "name": "n", "language": "en"}]
    rows += [
        {"id": name, "audio": "a.wav", "reference": text, "entities": [port] * (name == "garbled")}
        for name, text in said.items()
    ]
    Path("clips.jsonl").write_text("\n".join(map(json.dumps, rows)))
    hypotheses = [{"audio_id": name, "pred_text": text} for name, text in heard.items()]
    Path("h.jsonl").write_text("\n".join(map(json.dumps, hypotheses)))

    arguments = ["score", "--data", ".", "--hypotheses", "h.jsonl", "--hallucinations"]
    assert cli.main(arguments) == 0

    shown = capsys.readouterr().out
    section = shown[shown.index("heard though nobody said any") :]
    assert "phone_number     1 of 3" in section
    assert "time             0 of 2" in section
    assert "percentage       0 of 3" in section
    assert "silence  phone_number  '415-555-0132'" in section
    assert "garbled" not in section
    assert max(map(len, section.splitlines())) <= 80
