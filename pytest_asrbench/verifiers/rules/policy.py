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
    41: "a number is read whole, from its sign to its scale; a part of it is another value",
    42: "cents, minutes, ounces and inches behind a first part belong to it",
    43: "a rate or a power makes another unit; per day leaves an amount, not surely",
    44: "a bare figure is a time beside AM, o'clock or a word like at; minutes go with their hour",
    45: "a figure that a sign, unit or noun makes another kind carries no date",
    46: "a spelled run goes on as long as letters and figures follow, however written",
    47: "white space of any kind is one space",
    48: "a name may come in parts that are announced",
    49: "a part may be followed by its own spelling, which must agree",
    50: "a canonical in spoken form stands for the value that it says",
    51: "a national form carries the number with its country code, not surely",
    52: "both ends of a range share its unit and multiplier, not surely",
    53: "a short year counts beside day and month, not surely; parts may be turned round",
    54: "linking words may stand between the parts of an address",
    55: "a whole value said twice is a repetition; a last digit said twice goes on",
    56: "cents alone carry the amount",
    57: "what begins a reading of its own ends the value before it",
}

ALWAYS: Final = (3, 4, 5, 6, 38)
"""Rules that bind every type."""

MAIN: Final = {
    "email_address": 21, "phone_number": 19, "phone_extension": 8, "person_or_team_name": 17,
    "postal_address": 18, "url": 20, "ip_address": 7, "port_number": 8, "command": 22,
    "cli_flag": 7, "file_path": 7, "environment_variable": 9, "code_symbol": 9, "version": 23,
    "reference_id": 8, "product_code": 8, "account_or_record_number": 8, "currency_amount": 13,
    "percentage": 14, "measurement": 14, "plain_number": 10, "date": 15, "time": 16,
    "acronym_or_initialism": 24, "spelled_sequence": 24, "domain_term": 17,
}  # fmt: skip
"""Type -> the rule that is about it."""
