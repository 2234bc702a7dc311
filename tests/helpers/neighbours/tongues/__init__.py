"""Neighbours in ten languages: quantities, times, dates, phones, codes and spelling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helpers.neighbours.family import Family

from .moments import date, time
from .quantities import quantities
from .runs import account, phone, reference, spelled
from .words import TONGUES, Tongue


def _families(tongue: Tongue) -> tuple[Family[Any], ...]:
    made_by = (time, date, phone, account, reference, spelled)
    return (*quantities(tongue), *(make(tongue) for make in made_by))


FAMILIES: Mapping[str, tuple[Family[Any], ...]] = {
    tongue.code: _families(tongue) for tongue in TONGUES
}
