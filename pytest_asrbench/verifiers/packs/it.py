"""Italian (it-IT)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from pytest_asrbench.verifiers.packs import common
from pytest_asrbench.verifiers.packs.grammar import Grammar, GrammarPlace
from pytest_asrbench.verifiers.packs.pack import Pack
from pytest_asrbench.verifiers.packs.parts import (
    Addresses,
    Calendar,
    ClockWords,
    Currencies,
    LetterNames,
    NumberWords,
    Script,
    Signs,
    Units,
)

_CLDR: Final = common.cldr("it")
_ONES: Final = common.sequence(
    "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici",
    "quattordici quindici sedici diciassette diciotto diciannove",
)
_UNITS: Final = {word: n for word, n in _ONES.items() if 0 < n < 10} | {"un": 1, "una": 1}
_TENS: Final = {
    "venti": 20, "trenta": 30, "quaranta": 40, "cinquanta": 50, "sessanta": 60, "settanta": 70,
    "ottanta": 80, "novanta": 90,
}  # fmt: skip


def _table() -> dict[str, int]:
    numbers = _ONES | _TENS | {"un": 1} | {ten + "tré": value + 3 for ten, value in _TENS.items()}
    for ten, value in _TENS.items():
        for unit, n in _UNITS.items():
            elided = ten[:-1] if n in (1, 8) else ten
            numbers |= {elided + unit: value + n, f"{ten} {unit}": value + n}
    return numbers


NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=_table(),
        places=(
            GrammarPlace(value=10**9, apart=True, words=("miliardo", "miliardi"), plural="miliardi", most=999, links=("", "e"), one="un"),
            GrammarPlace(value=10**6, apart=True, words=("milione", "milioni"), plural="milioni", most=999, links=("", "e"), one="un"),
            GrammarPlace(value=10**3, words=("mila",), least=2, most=999, links=("", "e")),
            GrammarPlace(value=10**3, words=("mille",), most=0, bare=True, links=("", "e")),
            GrammarPlace(value=100, words=("cento", "cent"), least=2, bare=True, links=("", "e")),
        ),
        spaced=False,
    ),
    soft={"un": 1, "una": 1},
    soft_ones=("un", "una"),
    plural_digits={"zeri": 0},
    times=("volte il", "volte"),
    repeats={"doppio": 2, "doppia": 2, "triplo": 3, "tripla": 3},
    points=("virgola", "punto"),
    scales={"mila": 10**3, "mille": 10**3, "milione": 10**6, "milioni": 10**6, "mln": 10**6,
            "miliardo": 10**9, "miliardi": 10**9, "mld": 10**9, "k": 10**3},
    halves={"e mezzo": Fraction(1, 2), "e mezza": Fraction(1, 2)},
    parts={"mezzo": Fraction(1, 2), "mezza": Fraction(1, 2), "un quarto di": Fraction(1, 4),
           "tre quarti di": Fraction(3, 4), "mezz'": Fraction(1, 2)},
    between=("tra", "fra"),
    ands=frozenset({"e"}),
    minus=("meno",),
    ranges=("a", "o"),
    marks={"": (",", ". "), "CH": (".", "' ")},
    zeros=frozenset({"zero"}),
)  # fmt: skip

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("chiocciola", "chiocciolina"),
        ".": ("punto",),
        "-": ("trattino", "lineetta", "meno", "trattino medio", "trattino alto"),
        "_": ("trattino basso", "sottolineato", "underscore", "lineetta bassa"),
        "/": ("barra", "slash", "barra obliqua"),
        ":": ("due punti",),
        "://": ("due punti barra barra", "due punti doppia barra", "due punti slash slash",
                "due punti doppio slash"),
        "+": ("piu",),
        "#": ("cancelletto",),
        "=": ("uguale",),
        "?": ("punto interrogativo",),
        "www": ("vu vu vu", "tre vu", "tre doppie vu", "tre w", "vuvuvu", "triplo w", "tripla w"),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    names=common.spelled("""
        a a
        b bi
        c ci
        d di
        e e
        f effe
        g gi
        h acca
        i i
        j i_lunga gei
        k kappa cappa
        l elle
        m emme
        n enne
        o o
        p pi
        q cu
        r erre
        s esse
        t ti
        u u
        v vu vi
        w doppia_vu vu_doppia doppio_vu doppia_v
        x ics
        y ipsilon i_greca
        z zeta
    """),
    doubles={"doppia": 2, "doppio": 2, "due": 2, "tripla": 3, "tre": 3},
    as_in=("di", "come"),
    ordinary=frozenset({"a", "e", "o", "i", "di", "ci", "ti", "vi", "u", "bi"}),
    glosses=("maiuscola", "minuscola", "accentata", "maiuscolo", "minuscolo"),
)

CLOCK: Final = ClockWords(
    said="le {h} e {m}",
    said_whole="le {h}",
    templates=(
        *common.TIMES,
        "le|l' {h}",
        "alle|all'|dalle|dall' {h}",
        "{h} in_punto",
        "ore {h}",
        "ore {h} e? {m}",
        "ore {hh}.{mm}",
        "ore {hh}:{mm}",
        "{h} ore|h e? {m}? minuti?",
        "{h} {m}",
        "{h} e {m} minuti?",
        "{h} e mezza|mezzo = +30",
        "{h} e un_quarto = +15",
        "{h} e tre_quarti = +45",
        "{h} meno un_quarto = -15",
        "{h} meno {m} = -m",
        "{m} minuti? alle|all' {h} = -m",
        "un_quarto alle|all' {h} = -15",
        "mezzogiorno = 12:00",
        "mezzogiorno e mezzo|mezza = 12:30",
        "mezzogiorno e un_quarto = 12:15",
        "mezzanotte = 0:00",
        "mezzanotte e mezza|mezzo = 0:30",
        "mezzanotte e un_quarto = 0:15",
    ),
    parts={
        "di mattina": "am", "del mattino": "am", "della mattina": "am", "di notte": "night",
        "della notte": "night", "del pomeriggio": "pm", "di pomeriggio": "pm", "di sera": "pm",
        "della sera": "pm", "mattina": "am",
    } | common.HALVES,
)  # fmt: skip

CALENDAR: Final = Calendar(
    said="{d} {mon} {y}",
    months=common.series(_CLDR["months"]),
    weekdays=common.series(_CLDR["weekdays"]),
    days={"primo": 1, "1°": 1, "1º": 1},
    orders={
        "": (
            *common.DAY_FIRST,
            "{d} di? {mon} ,? del|dell'|di? {y}",
            "{d} di? {mon}",
            "{d} del {mn} ,? del|di? {y}",
            "{d} {mn} {y}",
            "{d}-{mon}-{y}",
            "{d}/{mon}/{y}",
            "{mon} del|di? {y}",
            "{wd}",
            "{wd} ,? {d} di? {mon} ,? del? {y}",
            "{wd} ,? {d} di? {mon}",
            "{wd} ,? {d}/{mn}/{y}",
            "{wd} {d}",
        ),
    },
)

UNITS: Final = Units(
    percent=("per cento", "percento"),
    permille=("per mille",),
    names=common.units(_CLDR, {
        "kg": ("chilo", "chili", "kili"), "g": ("grammo", "grammi"), "l": ("litro", "litri"),
        "etto": ("etto", "etti", "hg"), "m": ("metro", "metri"), "m²": ("mq", "metri quadri"),
        "°C": ("gradi celsius", "gradi centigradi", "grado celsius", "gradi c"),
        "km/h": ("chilometri all'ora", "km all'ora", "chilometri orari", "km orari",
                 "chilometri l'ora"),
        "km": ("chilometro", "chilometri"), "h": ("ora", "ore"), "GB": ("giga", "gigabyte"),
        "MB": ("mega", "megabyte"), "kWh": ("kilowattora", "chilowattora"),
    }),
    loose={"°C": ("gradi", "°")},
    of=("di",),
    per=("per", "all'", "/", "al", "orari"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "EUR": ("euro", "euri"), "USD": ("dollari", "dollaro", "dollari americani"),
            "CHF": ("franchi svizzeri", "franchi", "franco svizzero", "franco"),
            "GBP": ("sterline", "sterlina"),
        },
        {"EUR": ("centesimi", "centesimo", "cent", "centesimi di euro"),
         "CHF": ("centesimi", "rappen"), "USD": ("centesimi di dollaro", "cents")},
    ),
    links=("e", "virgola"),
)  # fmt: skip

ADDRESSES: Final = Addresses(
    words=(
        ("via", "v.", "v"), ("viale", "v.le", "vle"), ("piazza", "p.zza", "pza", "p.za", "pzza"),
        ("corso", "c.so", "cso"), ("interno", "int.", "int"), ("scala", "sc.", "sc"),
        ("piazzale", "p.le", "ple"), ("largo", "l.go", "lgo"), ("strada", "str."),
        ("vicolo", "vic."), ("lungomare", "l.mare"), ("piano", "p."), ("san", "s."),
        ("santa", "s."), ("localita", "loc."), ("frazione", "fraz."), ("palazzina", "pal."),
        ("barra", "/"),
    ),
    free=("civico", "numero", "n.", "n", "nr.", "cap", "a", "in", "di", "al", "barra", "slash",
          "é", "e"),
    titles=("signor", "signora", "sig.", "dottor", "dottoressa", "dott.", "ingegner", "avvocato"),
    phones={"": ("39", "")},
)  # fmt: skip

ITALIAN: Final = Pack(
    language="it",
    region="IT",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"ehm", "eh", "allora", "cioe", "diciamo", "ecco", "mi scusi", "mmm", "ah",
                       "uhm"}),
    script=Script(articles=frozenset("aeoi")),
    rules={
        "phone_number": (2, 4), "email_address": (5, 8), "url": (5,), "reference_id": (6, 20),
        "account_or_record_number": (2, 20), "spelled_sequence": (6, 7), "plain_number": (1, 9),
        "currency_amount": (9, 11), "percentage": (12,), "date": (13,), "time": (14, 15),
        "measurement": (16,), "postal_address": (17,), "person_or_team_name": (8, 18),
        "product_code": (6, 20), "version": (20,), "acronym_or_initialism": (19,),
        "domain_term": (8,),
    },
)  # fmt: skip
