"""Numbers as people say them and as systems write them, and the numbers that stand near one."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from random import Random

from num2words import num2words

DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
HYPHENS = ("-", "-", " ", " ", " ", "\u2011", "\u2013")
HALF = Decimal("0.5")
FRACTIONS = {
    HALF: ("a half", "1/2", "½"),
    Decimal("0.25"): ("a quarter", "1/4", "¼"),
    Decimal("0.75"): ("three quarters", "3/4", "¾"),
}
MOST = Decimal(10) ** 12


@lru_cache(maxsize=65536)
def _spelled(n: int, to: str) -> str:
    return num2words(n, to=to)


def cardinal(random: Random, n: int, to: str = "cardinal") -> str:
    """`n` in words: with or without "and", its tens and units joined or not."""
    text = _spelled(n, to).replace(",", "")
    text = text.replace("-", random.choice(HYPHENS))
    return text if random.random() < 0.3 else text.replace(" and ", " ")


def ordinal(random: Random, n: int) -> str:
    return cardinal(random, n, "ordinal")


def digit_words(text: str) -> str:
    return " ".join(DIGITS[int(digit)] for digit in text)


def plain(x: Decimal) -> str:
    """Digits without an exponent or needless zeros."""
    text = f"{x:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def figure(random: Random, x: Decimal) -> str:
    """Digits, with or without thousands commas; below one also without the zero."""
    if 0 < x < 1 and random.random() < 0.5:
        return plain(x)[1:]
    if random.random() < 0.6:
        whole, point, rest = plain(x).partition(".")
        return f"{int(whole):,}{point}{rest}"
    return plain(x)


def words(random: Random, x: Decimal) -> str:
    """Number words; decimals digit by digit after "point"."""
    whole, _, rest = plain(x).partition(".")
    if not rest:
        return cardinal(random, int(x))
    if x < 1 and random.random() < 0.6:
        return f"point {digit_words(rest)}"
    return f"{cardinal(random, int(whole))} point {digit_words(rest)}"


def half(random: Random, x: Decimal) -> str | None:
    """ "two and a half", "2 1/2", "2½", "two and three quarters"."""
    if x < 1 or x > 99 or x % 1 not in FRACTIONS:
        return None
    n, (name, figures, sign) = int(x), FRACTIONS[x % 1]
    said = random.choice((str(n), cardinal(random, n)))
    return random.choice((f"{said} and {name}", f"{n} {figures}", f"{n}{sign}"))


def scaled(random: Random, x: Decimal) -> str | None:
    """ "24 thousand", "two point five million"."""
    fits = [(name, x / size) for name, size in SCALES.items() if 1 <= x / size < 1000]
    if not fits:
        return None
    name, rest = fits[0]
    if (rest * (2 if name == "thousand" else 100)) % 1:
        return None
    told = half(random, rest) if random.random() < 0.3 else None
    return f"{told or random.choice((plain(rest), words(random, rest)))} {name}"


def hundreds(random: Random, x: Decimal) -> str | None:
    """ "twelve hundred", "twenty-four hundred and fifty"."""
    if x % 1 or not 1100 <= x < 10_000 or x // 100 % 10 == 0:
        return None
    n, rest = divmod(int(x), 100)
    tail = f"{random.choice((' ', ' and '))}{cardinal(random, rest)}" if rest else ""
    return f"{cardinal(random, n)} hundred{tail}"


def article(random: Random, x: Decimal) -> str | None:
    """ "a hundred", "a thousand"."""
    if x in (100, 1000, 1_000_000):
        return f"a {num2words(int(x)).removeprefix('one ')}"
    return None


NUMBERS = {
    "written: figures": figure,
    "spoken: words": words,
    "spoken: fraction": half,
    "scale word": scaled,
    "spoken: hundreds": hundreds,
    "spoken: article": article,
}


def drawn(random: Random) -> Decimal:
    """A number of the sizes that people name: small, round, long, with decimals."""
    draw = random.randrange(10)
    if draw < 3:
        return Decimal(random.randint(1, 19))
    if draw < 5:
        return Decimal(random.randint(20, 99))
    if draw < 6:
        front = random.choice((1, 1, random.randint(1, 99)))
        return Decimal(front * 10 ** random.randint(1, 6))
    if draw < 8:
        return Decimal(random.randint(100, 99_999))
    if draw < 9:
        part = random.choice((HALF, HALF, *FRACTIONS))
        return part + (random.randint(1, 99) if random.random() < 0.7 else 0)
    return Decimal(random.randint(1, 999)) / 10 ** random.randint(1, 2)


def bounded(x: Decimal | None) -> Decimal | None:
    return x if x is not None and 0 < x < MOST else None


def ten_times(random: Random, x: Decimal) -> Decimal | None:
    return bounded(x * 10)


def a_tenth(random: Random, x: Decimal) -> Decimal | None:
    return bounded(x / 10)


def a_thousand_times(random: Random, x: Decimal) -> Decimal | None:
    return bounded(x * random.choice((100, 1000, 10**6, 10**9)))


def a_thousandth(random: Random, x: Decimal) -> Decimal | None:
    return next((x / s for s in (10**9, 10**6, 1000, 100) if x >= s and x % s == 0), None)


def point_in_front(random: Random, x: Decimal) -> Decimal | None:
    """5 -> 0.5, 125 -> 0.125."""
    return None if x % 1 or x >= 1000 else x.scaleb(-len(plain(x)))


def decimals_behind(random: Random, x: Decimal) -> Decimal | None:
    return x + Decimal(random.randint(1, 9)) / 10 if x % 1 == 0 else x + Decimal("0.01")


def decimals_lost(random: Random, x: Decimal) -> Decimal | None:
    return bounded(Decimal(int(x))) if x % 1 else None


def whole_before_decimals(random: Random, x: Decimal) -> Decimal | None:
    """0.25 -> 10.25."""
    return x + random.randint(1, 40) if x < 1 else None


def half_more(random: Random, x: Decimal) -> Decimal | None:
    return x + random.choice((HALF, *FRACTIONS)) if x < 99 and x % 1 == 0 else None


def tens_before_units(random: Random, x: Decimal) -> Decimal | None:
    """5 -> 25; with decimals too: 2.5 -> 22.5; 4,000 -> 24,000."""
    scale = next((s for s in (10**6, 1000) if x >= s and x % s == 0), 1)
    small = x / scale
    return x + random.randint(2, 9) * 10 * scale if small < 10 else None


def units_behind_tens(random: Random, x: Decimal) -> Decimal | None:
    return x + random.randint(1, 9) if x % 10 == 0 and x % 100 else None


def hundreds_before(random: Random, x: Decimal) -> Decimal | None:
    return x + random.randint(1, 9) * 100 if x < 100 and x % 1 == 0 else None


def behind_a_round_number(random: Random, x: Decimal) -> Decimal | None:
    """400 -> 425, 5,000 -> 5,250."""
    scale = next((s for s in (10**6, 1000, 100) if x >= s and x % s == 0), None)
    return x + random.randint(1, scale // 10 - 1) if scale else None


def thousands_before(random: Random, x: Decimal) -> Decimal | None:
    return x + random.randint(1, 90) * 1000 if x < 1000 and x % 1 == 0 else None


def teen_or_ty(random: Random, x: Decimal) -> Decimal | None:
    scale = next((s for s in (10**6, 1000, 100) if x >= s and x % s == 0), 1)
    n = x / scale
    if 13 <= n <= 19 and n % 1 == 0:
        return (n - 10) * 10 * scale
    if 30 <= n <= 90 and n % 10 == 0:
        return (n / 10 + 10) * scale
    return None


def _redone(x: Decimal, digits: str) -> Decimal | None:
    """`digits` with the point where `x` has it."""
    places = -x.as_tuple().exponent if "." in f"{x:f}" else 0
    return bounded(Decimal(digits).scaleb(-places)) if digits else None


def _digits(x: Decimal) -> str:
    return f"{x:f}".replace(".", "").lstrip("0")


def figure_more(random: Random, x: Decimal) -> Decimal | None:
    digits, new = _digits(x), str(random.randint(1, 9))
    return _redone(x, random.choice((new + digits, digits + new)))


def figure_less(random: Random, x: Decimal) -> Decimal | None:
    digits = _digits(x)
    return _redone(x, random.choice((digits[1:], digits[:-1]))) if len(digits) > 1 else None


def figure_changed(random: Random, x: Decimal) -> Decimal | None:
    digits = _digits(x)
    at = random.randrange(len(digits))
    return _redone(x, f"{digits[:at]}{random.randint(1, 9)}{digits[at + 1 :]}")


def figures_swapped(random: Random, x: Decimal) -> Decimal | None:
    digits = _digits(x)
    if len(digits) < 2:
        return None
    at = random.randrange(len(digits) - 1)
    return _redone(x, digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :])


CHANGES: Mapping[str, object] = {
    "ten times": ten_times,
    "a tenth": a_tenth,
    "a larger scale": a_thousand_times,
    "a smaller scale": a_thousandth,
    "a point in front": point_in_front,
    "decimals behind": decimals_behind,
    "decimals lost": decimals_lost,
    "whole before decimals": whole_before_decimals,
    "a half or quarter more": half_more,
    "tens before units": tens_before_units,
    "units behind tens": units_behind_tens,
    "hundreds before": hundreds_before,
    "behind a round number": behind_a_round_number,
    "thousands before": thousands_before,
    "teen or ty": teen_or_ty,
    "a figure more": figure_more,
    "a figure less": figure_less,
    "a figure changed": figure_changed,
    "figures swapped": figures_swapped,
}
