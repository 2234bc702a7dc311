"""Swedish: a whole pack, to be copied and changed."""

from fractions import Fraction
from pathlib import Path

from pytest_asrbench.verifiers.packs import (
    Addresses,
    Calendar,
    ClockWords,
    Currencies,
    Grammar,
    GrammarPlace,
    LetterNames,
    NumberWords,
    Pack,
    Script,
    Signs,
    Units,
    common,
)

DATA = common.cldr(Path(__file__).parent / "swedish.json")  # python tools/cldr.py sv swedish.json

# Numbers. Below a hundred a table; above it places, so many of each.

ONES = common.sequence(
    "noll ett|en två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton",
    "sjutton arton|aderton nitton",
)
TENS = {
    "tjugo": 20, "trettio": 30, "fyrtio": 40, "femtio": 50, "sextio": 60, "sjuttio": 70,
    "åttio": 80, "nittio": 90,
}  # fmt: skip
UNITS = {word: n for word, n in ONES.items() if 0 < n < 10}


def table() -> dict[str, int]:
    """0 to 99; "tjugo ett" is also written "tjugoett": the space may be missing."""
    return (
        ONES
        | TENS
        | {f"{ten}{unit}": v + n for ten, v in TENS.items() for unit, n in UNITS.items()}
        | {f"{ten} {unit}": v + n for ten, v in TENS.items() for unit, n in UNITS.items()}
    )


NUMBERS = NumberWords(
    grammar=Grammar(
        words=table(),
        places=(
            GrammarPlace(value=10**9, words=("miljard", "miljarder"), plural="miljarder", most=999,
                         one="en", apart=True),
            GrammarPlace(value=10**6, words=("miljon", "miljoner"), plural="miljoner", most=999,
                         one="en", apart=True),
            GrammarPlace(value=1000, words=("tusen",), most=999, bare=True, one="ett"),
            GrammarPlace(value=100, words=("hundra",), most=20, bare=True, one="ett"),
        ),
        spaced=False,  # tvåhundratrettio; spaces between the words are read too
    ),
    soft={"en": 1, "ett": 1},  # an article elsewhere …
    soft_ones=("en", "ett"),  # … and one before a unit, a currency, percent
    repeats={"dubbel": 2, "dubbla": 2},
    points=("komma", "punkt"),
    scales={"tusen": 1000, "miljon": 10**6, "miljoner": 10**6, "miljarder": 10**9, "mkr": 10**6},
    halves={"och en halv": Fraction(1, 2), "och ett halvt": Fraction(1, 2)},
    parts={"en halv": Fraction(1, 2), "ett halvt": Fraction(1, 2), "halv": Fraction(1, 2),
           "halvannan": Fraction(3, 2)},
    ands=frozenset({"och"}),
    minus=("minus",),
    ranges=("till", "eller"),
    between=("mellan",),
    marks={"": (",", " .")},  # decimal mark, thousands marks
)  # fmt: skip

SIGNS = Signs(
    names=common.signs({
        "@": ("snabel a", "snabela"), ".": ("punkt",), "-": ("bindestreck", "streck", "minus"),
        "_": ("understreck",), "/": ("snedstreck",), ":": ("kolon",), "+": ("plus",),
        "www": ("tre w",),
    })
)  # fmt: skip

LETTERS = LetterNames(
    names=common.spelled("""
        b be
        c ce
        d de
        f eff
        g ge
        h hå
        j ji
        k kå
        l ell
        m emm
        n enn
        p pe
        q ku
        r err
        s ess
        t te
        v ve
        w dubbel_ve
        x eks
        z säta
    """),
    spelling=common.spelled("""
        a adam
        b bertil
        c cesar
        d david
        e erik
        s sigurd
        k kalle
    """),
    as_in=("som i", "som"),
    doubles={"dubbel": 2, "två": 2},
    ordinary=frozenset({"a", "e", "i", "o", "de", "te", "ge", "be", "se"}),  # also words
)

CALENDAR = Calendar(
    months=common.series(DATA["months"]),
    weekdays=common.series(DATA["weekdays"]),
    days={"första": 1, "andra": 2, "tredje": 3, "fjärde": 4, "femte": 5, "sjätte": 6, "sjunde": 7,
          "åttonde": 8, "nionde": 9, "tionde": 10, "elfte": 11, "tolfte": 12, "trettonde": 13,
          "fjortonde": 14, "femtonde": 15, "tjugonde": 20, "tjugoförsta": 21, "tjugofjärde": 24,
          "trettionde": 30, "trettioförsta": 31},
    ordinal_days=True,
    said="den {d} {mon} {y}",
    orders={
        "": (
            *common.DAY_FIRST,
            "den? {d} {mon} {y}",
            "den? {d} {mon}",
            "{d}/{mn} {y}",
            "{wd} ,? den? {d} {mon} {y}",
            "{wd} ,? den? {d} {mon}",
            "{wd}",
        )
    },
)  # fmt: skip

CLOCK = ClockWords(
    templates=(
        *common.TIMES,
        "klockan|kl|kl. {h}",
        "klockan|kl|kl. {hh}.{mm}",
        "{h} {m}",
        "halv {h} = -30",
        "kvart över {h} = +15",
        "kvart i {h} = -15",
        "{m} minuter? över {h} = +m",
        "{m} minuter? i {h} = -m",
        "midnatt = 0:00",
    ),
    parts={
        "på morgonen": "am", "på förmiddagen": "am", "på eftermiddagen": "pm", "på kvällen": "pm",
        "på natten": "night", "i kväll": "pm",
    } | common.HALVES,
    said="klockan {h} {m}",
    said_whole="klockan {h}",
)  # fmt: skip

PERCENT_AND_UNITS = Units(
    percent=("procent",),
    permille=("promille",),
    names=common.units(DATA, {"kg": ("kilo",), "l": ("liter",), "m": ("meter",)}),
    loose={"°C": ("grader", "°")},
    per=("per", "i", "/"),
)

CURRENCIES = Currencies(
    known=common.currencies(
        DATA,
        {"SEK": ("kronor", "krona", "kr", "spänn"), "EUR": ("euro",), "USD": ("dollar",)},
        {"SEK": ("öre",), "EUR": ("cent",), "USD": ("cent",)},
    ),
    signs={"": {"kr": "SEK"}},
    links=("och",),
)

ADDRESSES = Addresses(
    words=(("gatan", "g."), ("vägen", "v."), ("våning", "vån."), ("sankt", "s:t")),
    suffixes=(("gatan", "g."), ("vägen", "v.")),
    free=("nummer", "postnummer", "i", "på"),
    titles=("herr", "fru"),
    phones={"": ("46", "0")},  # country code, and the 0 that it replaces
)

SWEDISH = Pack(
    language="sv",
    region="SE",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=PERCENT_AND_UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"öh", "eh", "hm", "alltså"}),
    script=Script(keep="åäö", machine={"å": "a", "ä": "a", "ö": "o"}, articles=frozenset("i")),
)
