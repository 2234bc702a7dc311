"""Spoken forms of values in a clip's language, for proposals."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pytest_asrbench.commands.drafts import Say
from pytest_asrbench.datasets.spoken import spoken
from pytest_asrbench.errors import VerifierError
from pytest_asrbench.verifiers.packs import Pack, pack
from pytest_asrbench.verifiers.phones import national


def say_in(language: str, own: Mapping[str, Pack]) -> Say:
    """Proposes a spoken form in this language: the value itself where nothing is known of it.

    An international number is said as people of its country say it.
    """
    say = _say_in(language, own)

    def at_home(kind: str, canonical: str) -> str:
        abroad = kind == "phone_number" and canonical.lstrip().startswith("+")
        inland = national(re.sub(r"\D", "", canonical)) if abroad else None
        return say(kind, inland or canonical)

    return at_home


def _say_in(language: str, own: Mapping[str, Pack]) -> Say:
    def say(kind: str, canonical: str) -> str:
        from pytest_asrbench.verifiers.languages.saying import proposed  # not for English

        try:
            return proposed(kind, canonical, language, own)
        except VerifierError:
            return canonical

    try:
        return spoken if pack(language, own).families else say
    except VerifierError:
        return say
