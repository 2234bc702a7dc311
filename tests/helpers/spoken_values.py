"""Values of every type with the ways to write and say them, made at random for property tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

# No number, unit, symbol name, month or lone letter among them.
ORDINARY = (
    (
        "please check whether the customer called about their invoice before lunch because nobody"
        " answered yesterday when it went missing somewhere between our office and the warehouse"
    )
    .replace(" and ", " near ")
    .split()
)

_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NAMES = [
    "marisol",
    "tobin",
    "quellen",
    "fendrick",
    "oswin",
    "paltrey",
    "zorin",
    "bexley",
    "harlan",
    "dovrek",
]
_WORDS = [
    "build",
    "deploy",
    "report",
    "header",
    "vector",
    "cache",
    "signal",
    "render",
    "packet",
    "filter",
    "ledger",
]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
]


@dataclass(frozen=True)
class Value:
    """A canonical form, and other forms that carry the same value."""

    type: str
    canonical: str
    spoken: tuple[str, ...]

    @property
    def forms(self) -> tuple[str, ...]:
        return (self.canonical, *self.spoken)


def cardinal(n: int) -> str:
    """n in words, up to a million."""
    if n >= 1000:
        head, rest = divmod(n, 1000)
        return f"{cardinal(head)} thousand" + (f" {cardinal(rest)}" if rest else "")
    if n >= 100:
        head, rest = divmod(n, 100)
        return f"{_UNITS[head]} hundred" + (f" {cardinal(rest)}" if rest else "")
    if n >= 20:
        return _TENS[n // 10] + (f" {_UNITS[n % 10]}" if n % 10 else "")
    return _TEENS[n - 10] if n >= 10 else _UNITS[n]


def digitwise(digits: str) -> str:
    return " ".join(_UNITS[int(c)] for c in digits)


def pairs(digits: str) -> str:
    """forty eight twenty one; only where each pair is 10 or more."""
    return " ".join(cardinal(int(digits[k : k + 2])) for k in range(0, len(digits), 2))


def _digits(random: Random, count: int, *, first: str = "123456789") -> str:
    return random.choice(first) + "".join(random.choice("0123456789") for _ in range(count - 1))


def _apart(random: Random, count: int) -> str:
    """Digits of which no neighbours are equal, none 0: a swap or double always differs."""
    found = random.choice("23456789")
    while len(found) < count:
        found += random.choice([c for c in "123456789" if c != found[-1]])
    return found


def _letters(random: Random, count: int) -> str:
    found = random.choice("bcdfghjklmpqrtvwxz")
    while len(found) < count:
        found += random.choice([c for c in "bcdfghjklmpqrtvwxz" if c != found[-1]])
    return found


def phone(random: Random) -> Value:
    area, last = _apart(random, 3), _apart(random, 4)
    spoken = f"{digitwise(area)} five five five {digitwise(last)}"
    return Value(
        "phone_number",
        f"{area}-555-{last}",
        (spoken, f"({area}) 555-{last}", f"{area}.555.{last}", f"{area} 555 {last}",
         f"{digitwise(area)} triple five {digitwise(last)}", f"+1 {area} 555 {last}"),
    )  # fmt: skip


def digits(kind: str) -> Callable[[Random], Value]:
    def make(random: Random) -> Value:
        value = _apart(random, 4)
        spoken = (
            digitwise(value),
            cardinal(int(value)),
            " ".join(value),
            f"{value[:2]} {value[2:]}",
        )
        return Value(kind, value, spoken)

    return make


def code(kind: str) -> Callable[[Random], Value]:
    def make(random: Random) -> Value:
        letters, figures = _letters(random, 2), _apart(random, 4)
        written = letters.upper()
        spoken = " ".join(letters)
        return Value(
            kind,
            f"{written}-{figures}",
            (f"{spoken} {digitwise(figures)}", f"{written}{figures}", f"{written} {figures}",
             f"{spoken} dash {digitwise(figures)}", f"{'.'.join(written)}. {figures}"),
        )  # fmt: skip

    return make


def spelled(random: Random) -> Value:
    letters = _letters(random, 5)
    return Value(
        "spelled_sequence",
        letters.upper(),
        (" ".join(letters), "-".join(letters.upper()), ", ".join(letters.upper()), letters.title()),
    )


def acronym(random: Random) -> Value:
    letters = _letters(random, 3)
    return Value(
        "acronym_or_initialism",
        letters.upper(),
        (" ".join(letters), ".".join(letters.upper()) + ".", letters, "-".join(letters.upper())),
    )


def email(random: Random) -> Value:
    one, two = random.sample(_NAMES, 2)
    sign, said = random.choice([(".", "dot"), ("-", "dash"), ("_", "underscore"), ("+", "plus")])
    return Value(
        "email_address",
        f"{one}{sign}{two}@example.com",
        (f"{one} {said} {two} at example dot com", f"{one}{sign}{two} at example.com",
         f"{one.title()} {said} {two}@Example.com"),
    )  # fmt: skip


def url(random: Random) -> Value:
    host, path = random.choice(_NAMES), random.choice(_WORDS)
    figures = _apart(random, 3)
    return Value(
        "url",
        f"https://{host}.example.org/{path}/{figures}",
        (f"h t t p s colon slash slash {host} dot example dot org slash {path} slash"
         f" {digitwise(figures)}",
         f"https colon slash slash {host}.example.org/{path} slash {figures}"),
    )  # fmt: skip


def ip(random: Random) -> Value:
    parts = [_apart(random, 2) for _ in range(4)]
    return Value(
        "ip_address",
        ".".join(parts),
        (" dot ".join(digitwise(p) for p in parts), " point ".join(cardinal(int(p)) for p in parts),
         " dot ".join(parts), ". ".join(parts)),
    )  # fmt: skip


def version(random: Random) -> Value:
    parts = [str(random.randint(2, 40)) for _ in range(3)]
    joined = ".".join(parts)
    return Value(
        "version",
        joined,
        (" dot ".join(cardinal(int(p)) for p in parts), f"v{joined}", f"version {joined}",
         " point ".join(parts)),
    )  # fmt: skip


def command(random: Random) -> Value:
    one, two = random.sample(_WORDS, 2)
    flag = _letters(random, 1)
    return Value(
        "command",
        f"{one} --{two} -{flag} out.txt",
        (f"{one} dash dash {two} dash {flag} out dot txt",
         f"{one} double dash {two} -{flag} out.txt",
         f"{one.title()} --{two} minus {flag.upper()} out dot T X T"),
    )  # fmt: skip


def flag(random: Random) -> Value:
    one, two = random.sample(_WORDS, 2)
    return Value(
        "cli_flag",
        f"--{one}-{two}",
        (f"dash dash {one} dash {two}", f"double hyphen {one} hyphen {two}", f"- -{one}-{two}"),
    )


def path(random: Random) -> Value:
    one, two = random.sample(_WORDS, 2)
    return Value(
        "file_path",
        f"/srv/{one}/{two}.log",
        (f"slash s r v slash {one} slash {two} dot log", f"/ srv / {one} / {two} . log",
         f"forward slash srv forward slash {one} slash {two}.log"),
    )  # fmt: skip


def variable(random: Random) -> Value:
    one, two = random.sample(_WORDS, 2)
    written = f"{one}_{two}".upper()
    return Value(
        "environment_variable",
        written,
        (f"all caps {one} underscore {two}", f"{one.upper()} underscore {two.upper()}"),
    )


def symbol(random: Random) -> Value:
    one, two = random.sample(_WORDS, 2)
    return Value(
        "code_symbol",
        f"{one}{two.title()}",
        (f"camel case {one} {two}", f"camelcase {one} {two}"),
    )


def money(random: Random) -> Value:
    dollars, cents = random.randint(11, 9999), random.randint(10, 99)
    return Value(
        "currency_amount",
        f"${dollars:,}.{cents}",
        (f"{cardinal(dollars)} dollars and {cardinal(cents)} cents", f"${dollars}.{cents}",
         f"{dollars}.{cents} USD", f"{dollars:,}.{cents} dollars",
         f"{cardinal(dollars)} dollars {cardinal(cents)}"),
    )  # fmt: skip


def percentage(random: Random) -> Value:
    whole, part = random.randint(2, 98), random.choice("123456789")
    return Value(
        "percentage",
        f"{whole}.{part}%",
        (f"{cardinal(whole)} point {digitwise(part)} percent", f"{whole}.{part} per cent",
         f"{whole} point {part}%", f"{whole}.{part}0%"),
    )  # fmt: skip


_MEASURES = (
    ("mg", "milligrams"), ("km", "kilometers"), ("°C", "degrees Celsius"), ("GB", "gigabytes"),
    ("kg", "kilograms"), ("mph", "miles per hour"), ("sq ft", "square feet"), ("mL", "millilitres"),
    ("kHz", "kilohertz"), ("mi", "miles"), ("hours", "hours"), ("L/min", "liters per minute"),
)  # fmt: skip


def measurement(random: Random) -> Value:
    number, (short, long) = random.randint(11, 999), random.choice(_MEASURES)
    return Value(
        "measurement",
        f"{number} {short}",
        (f"{cardinal(number)} {long}", f"{number}{short}", f"{number} {long}", f"{number}-{long}"),
    )


def plain(random: Random) -> Value:
    value = int(_apart(random, 4))
    return Value("plain_number", f"{value:,}", (cardinal(value), str(value), pairs(str(value))))


def date(random: Random) -> Value:
    month, day, year = random.randint(1, 12), random.randint(1, 28), random.randint(1980, 2039)
    name, ordinal = _MONTHS[month - 1], _ORDINALS[day - 1]
    return Value(
        "date",
        f"{name} {day}, {year}",
        (f"{name} {ordinal} {pairs(str(year)) if year % 100 > 9 else cardinal(year)}",
         f"{year}-{month:02}-{day:02}", f"{month}/{day}/{year}", f"the {ordinal} of {name} {year}",
         f"{day} {name} {year}", f"{name[:3]}. {day}, {year}"),
    )  # fmt: skip


def time(random: Random) -> Value:
    hour, minute = random.randint(1, 12), random.randint(10, 59)
    half = random.choice(["AM", "PM"])
    spelled = " ".join(half.lower())
    forms = [f"{cardinal(hour)} {cardinal(minute)} {spelled}", f"{hour}.{minute}{half.lower()}",
             f"{hour:02}:{minute} {half[0].lower()}.m.", f"{hour}{minute} {half}"]  # fmt: skip
    if half == "PM" and hour < 12:
        forms.append(f"{hour + 12}:{minute}")
    return Value("time", f"{hour}:{minute} {half}", tuple(forms))


def person(random: Random) -> Value:
    one, two = random.sample(_NAMES, 2)
    name = f"{one.title()} {two.title()}"
    return Value("person_or_team_name", name, (f"{one} {two}", f"{one}-{two}", f"{name}'s"))


def term(random: Random) -> Value:
    one, two = random.sample(_WORDS, 2)
    return Value("domain_term", f"{one} {two}", (f"{one}-{two}", f"{one.title()} {two.title()}"))


def address(random: Random) -> Value:
    number, name = random.randint(100, 999), random.choice(_NAMES).title()
    zip_code = _apart(random, 5)
    return Value(
        "postal_address",
        f"{number} {name} Street, Suite 12, Ashby, OH {zip_code}",
        (f"{cardinal(number)} {name} street suite twelve Ashby Ohio {digitwise(zip_code)}",
         f"{number} {name} St., Ste. 12, Ashby, Ohio {zip_code}",
         f"{number} {name} St Suite 12 Ashby OH {zip_code[:3]}-{zip_code[3:]}"),
    )  # fmt: skip


MAKERS: dict[str, Callable[[Random], Value]] = {
    "phone_number": phone,
    "phone_extension": digits("phone_extension"),
    "port_number": digits("port_number"),
    "account_or_record_number": digits("account_or_record_number"),
    "reference_id": code("reference_id"),
    "product_code": code("product_code"),
    "spelled_sequence": spelled,
    "acronym_or_initialism": acronym,
    "email_address": email,
    "url": url,
    "ip_address": ip,
    "version": version,
    "command": command,
    "cli_flag": flag,
    "file_path": path,
    "environment_variable": variable,
    "code_symbol": symbol,
    "currency_amount": money,
    "percentage": percentage,
    "measurement": measurement,
    "plain_number": plain,
    "date": date,
    "time": time,
    "person_or_team_name": person,
    "domain_term": term,
    "postal_address": address,
}
"""A maker for each of the 26 types."""


def sentence(random: Random, form: str) -> str:
    """The form among ordinary words."""
    before = random.sample(ORDINARY, random.randint(0, 6))
    after = random.sample(ORDINARY, random.randint(0, 6))
    return " ".join([*before, form, *after])
