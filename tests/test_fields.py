"""The one reader of what people write: all faults of a file at once, each with its row."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from pytest_asrbench.files.fields import FaultsError, Fields

GOOD = """
name: nova
share: 0.80
count: 12
sure: true
day: 2027-01-31
params: {depth: 5, code: "0132", quoted: "5", plain: 0132, on: true}
limits:
  ctem: {min: 0.8}
  tsr: {min: 0.5}
clips:
  - {id: a}
"""
BAD = """
name: {}
share: lots
count: -1
sure: yes
day: tomorrow
nmae: x
limits:
  ctem: 0.8
clips:
  - a
"""


def read(path):
    fields = Fields.of_yaml(path)
    fields.only("name", "share", "count", "sure", "day", "params", "limits", "clips")
    return {
        "name": fields.text("name"),
        "share": fields.number("share"),
        "count": fields.whole("count"),
        "sure": fields.flag("sure"),
        "day": fields.day("day"),
        "params": fields.typed("params"),
        "limits": {name: limit.number("min") for name, limit in fields.named("limits")},
        "clips": [clip.text("id") for clip in fields.objects("clips", "clip")],
        "missing": [fields.number("none"), fields.whole("none"), fields.flag("none")],
    }, fields


def test_values_are_what_their_method_says_and_text_stays_as_it_was_written(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(GOOD)

    values, fields = read(path)
    fields.faults.check()

    assert values == {
        "name": "nova",
        "share": Decimal("0.80"),
        "count": 12,
        "sure": True,
        "day": date(2027, 1, 31),
        "params": {"depth": 5, "code": "0132", "quoted": "5", "plain": "0132", "on": True},
        "limits": {"ctem": Decimal("0.8"), "tsr": Decimal("0.5")},
        "clips": ["a"],
        "missing": [None, None, None],
    }


def test_all_faults_are_told_at_once_by_row(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(BAD)

    with pytest.raises(FaultsError) as caught:
        read(path)[1].faults.check()

    lines = [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]
    assert lines == [
        "2: name must be text, not keys and values",
        "3: share must be a number, like 0.80, not 'lots'",
        "4: count must be a whole number from 0, not '-1'",
        "5: sure must be true or false, not 'yes'",
        "6: day must be a day, like 2027-01-31, not 'tomorrow'",
        "7: unknown key 'nmae'; did you mean name?",
        "9: limits.ctem must be keys and values, not '0.8'",
        "11: clip 1 must have keys and values",
    ]
