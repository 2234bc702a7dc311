"""The rules of the recoverability policy, one line each, as `asrbench explain` prints them."""

from __future__ import annotations

from typing import Final

RULES: Final = {
    1: "a written or a spoken form of the value counts",
    2: "casing, punctuation, spacing differ freely while the value stays the same",
    3: "a wrong, missing or extra letter, digit, sign, unit or word makes it absent",
    4: "the value stands on token boundaries; nothing is joined to it",
    5: "only the transcript is evidence; misheard words are not repaired",
    6: "one correct occurrence is enough",
    7: "separators are part of the value; each must be there",
    8: "separators are formatting; a decimal point never is",
    9: "casing counts only where the spoken form cues it, and the type has it",
    10: "digits and number words are equal, in any grouping; oh is 0, double five is 55",
    11: "ordinary words that sound like digits (for, to, won, ate) are not digits",
    12: "a leading zero belongs to codes; a trailing decimal zero is formatting in quantities",
    13: "an amount needs its currency",
    14: "a percentage needs percent, a measurement its unit; converted units are absent",
    15: "every part of the date must be there; 3/5 is March 5",
    16: "hour, minute, AM/PM and zone, as far as the value has them; 24-hour forms count",
    17: "every word spelled right; casing, hyphens and possessives are free",
    18: "every part of the address; postal abbreviations and state names are equal",
    19: "all digits in order; +1 may be added",
    20: "scheme, host, port, path and query as in the value",
    21: "at is @, dot is ., underscore is _, dash, hyphen and minus are -",
    22: "tokens in order with flags and separators; a space is a boundary",
    23: "point is dot; a leading v is formatting",
    24: "letters spelled, dotted or written together are one",
    25: "the language is English",
    26: "US marks: 3,14 is not 3.14, and 12.000 is not 12,000",
    27: "day first counts only where it has one reading",
    28: "a bare 09:30 carries no AM; in the morning and noon do",
    29: "and is one &, doctor is Dr.; an accent is disputable",
    30: "a range shares its unit; K and million scale a figure",
    31: "a plural matters in names, not in units",
    32: "the spoken form word for word is always evidence",
    33: "uh and um between the parts are ignored",
    34: "a typographic dash is a -, a curly quote a plain one",
    35: "a described form counts where it leaves no doubt",
    36: "hash is #, star is *, at sign is @, point is . in an address too",
    37: "a word split by a space is still that word",
    38: "a longer value that contains it is another value",
    39: "a clock's separator may differ or be missing; a hyphen in a ZIP is formatting",
    40: "designator words are not interchangeable",
}

ALWAYS: Final = (3, 4, 5, 6, 38)
"""Rules that bind every type."""
