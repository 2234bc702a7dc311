"""Readings that two careful readers could dispute: they count, and make a verdict unsure."""

from __future__ import annotations

from typing import Final


class Doubt:
    """Bits of `doubts`; several are joined by `|`.

    Plain integers, for a match joins them at every step: IntFlag takes fifty times as long.
    """

    REFUSED: Final = 1 << 30
    """No doubt: it is absent, however the rest fits."""

    NATO: Final = 1 << 0
    SHARED: Final = 1 << 1
    DESCRIBED: Final = 1 << 2
    ZONE: Final = 1 << 3
    ACCENT: Final = 1 << 4
    LONGER: Final = 1 << 5
    SCALED: Final = 1 << 6
    YEAR: Final = 1 << 7
    CASE: Final = 1 << 8
    PLURAL: Final = 1 << 9
    LETTER_NAME: Final = 1 << 10
    GLUED: Final = 1 << 11
    KIND: Final = 1 << 12
    DAYTIME: Final = 1 << 13
    NEIGHBOUR: Final = 1 << 14
    IMPLIED: Final = 1 << 15
    COMMON_WORD: Final = 1 << 16

    NATIONAL: Final = 1 << 22
    CONTRADICTED: Final = 1 << 23
    AGAIN: Final = 1 << 24

    VARIANT: Final = 1 << 17
    QUOTES: Final = 1 << 18
    OTHERWISE: Final = 1 << 19
    SPACED: Final = 1 << 20
    HYPHENED: Final = 1 << 21

    DISPUTED: Final = REFUSED | LONGER
    """Absent, though a longer value carries it."""

    OF_A_REFUSAL: Final = (
        LONGER
        | GLUED
        | CASE
        | SPACED
        | QUOTES
        | OTHERWISE
        | HYPHENED
        | COMMON_WORD
        | PLURAL
        | ACCENT
    )
    """Those that leave an absent value disputable; the others are about how it was said."""


TEXTS: Final = {
    Doubt.NATO: "spelling alphabet that the spoken form does not use (rule 24)",
    Doubt.SHARED: "the unit is shared by a range (rule 30)",
    Doubt.DESCRIBED: "described, not read out (rule 35)",
    Doubt.ZONE: "a variant of the time zone (rule 16)",
    Doubt.ACCENT: "an accent differs (rule 29)",
    Doubt.LONGER: "a longer value carries it (rule 38)",
    Doubt.SCALED: "K or M stands for the zeros (rule 30)",
    Doubt.YEAR: "the year is short or added (rule 15)",
    Doubt.CASE: "the casing is only hinted at (rule 9)",
    Doubt.PLURAL: "a plural s is added (rule 31)",
    Doubt.LETTER_NAME: "a letter's name is written as a word (rule 5)",
    Doubt.GLUED: "words are written together (rule 37)",
    Doubt.KIND: "the figure carries another sign or unit (rule 3)",
    Doubt.DAYTIME: "the time of day is not in its usual place (rule 28)",
    Doubt.NEIGHBOUR: "another letter or figure stands beside it (rule 4)",
    Doubt.IMPLIED: "a unit is implied (rule 14)",
    Doubt.NATIONAL: "the country code is left out (rule 51)",
    Doubt.CONTRADICTED: "the spelling beside it is another word's (rule 48)",
    Doubt.AGAIN: "it is said twice (rule 55)",
    Doubt.VARIANT: "another spelling of the same word (rule 29)",
    Doubt.QUOTES: "only the quotes are missing (rule 7)",
    Doubt.OTHERWISE: "the same words and figures, said in another way",
    Doubt.HYPHENED: "the hyphens between spelled letters are read as none (rule 7)",
    Doubt.SPACED: "spaces part what is written as one (rule 7)",
    Doubt.COMMON_WORD: "in lower case it is an everyday word (rule 9)",
}


def texts(doubts: int) -> list[str]:
    """The texts of doubts, in the order of the table."""
    if not doubts:
        return []
    return [text for bit, text in TEXTS.items() if doubts & bit]
