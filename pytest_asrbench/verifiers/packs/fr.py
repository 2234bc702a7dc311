"""French (fr-FR; fr-BE, fr-CH, fr-CA where they differ)."""

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

_CLDR: Final = common.cldr("fr")
_ONES: Final = common.sequence(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze",
    "seize dix-sept dix-huit dix-neuf",
)
_TENS: Final = {"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60}
_OTHER_TENS: Final = {"septante": 70, "huitante": 80, "octante": 80, "nonante": 90}


def _table() -> dict[str, int]:
    numbers = dict(_ONES)
    for ten, value in _TENS.items():
        numbers |= _with_units(ten, value)
    numbers |= {"soixante et onze": 71}
    numbers |= {f"soixante-{unit}": 60 + n for unit, n in _ONES.items() if 10 <= n < 20}
    numbers |= {"quatre-vingts": 80, "quatre-vingt": 80}
    numbers |= {f"quatre-vingt-{unit}": 80 + n for unit, n in _ONES.items() if 0 < n < 20}
    numbers |= {"quatre-vingt-une": 81}
    for ten, value in _OTHER_TENS.items():
        numbers |= _with_units(ten, value)
    return numbers


def _with_units(ten: str, value: int) -> dict[str, int]:
    with_units = {ten: value, f"{ten} et un": value + 1, f"{ten} et une": value + 1}
    with_units |= {f"{ten} un": value + 1}
    return with_units | {f"{ten}-{unit}": value + n for unit, n in _ONES.items() if 1 < n < 10}


NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=_table(),
        before_places={"cents": "cent", "vingts": "vingt"},
        places=(
            GrammarPlace(value=10**9, words=("milliard", "milliards"), plural="milliards", most=999, one="un"),
            GrammarPlace(value=10**6, words=("million", "millions"), plural="millions", most=999, one="un"),
            GrammarPlace(value=10**3, words=("mille", "mil"), least=2, most=999, bare=True, one=""),
            GrammarPlace(value=100, words=("cent", "cents"), least=2, most=19, bare=True, one=""),
        ),
    ),
    soft={"un": 1, "une": 1},
    soft_ones=("un", "une"),
    plural_digits={"zéros": 0},
    times=("fois le", "fois"),
    repeats={"double": 2, "triple": 3},
    points=("virgule", "point"),
    scales={"mille": 10**3, "million": 10**6, "millions": 10**6, "milliard": 10**9,
            "milliards": 10**9, "k": 10**3, "m": 10**6},
    halves={"et demi": Fraction(1, 2), "et demie": Fraction(1, 2)},
    parts={"demi": Fraction(1, 2), "un demi": Fraction(1, 2), "une demi": Fraction(1, 2),
           "un quart de": Fraction(1, 4), "trois quarts de": Fraction(3, 4)},
    between=("entre",),
    homophones={"cette": 7, "si": 6, "dis": 10},
    ands=frozenset({"et"}),
    minus=("moins",),
    ranges=("a", "ou"),
    marks={"": (",", ". "), "CH": (".", "' "), "CA": (",", ". ")},
    zeros=frozenset({"zero"}),
)  # fmt: skip

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("arobase", "arobas", "arrobas", "arobaze", "a commercial"),
        ".": ("point",),
        "-": ("tiret", "tiret du six", "tiret du 6", "trait d'union", "moins", "trait union"),
        "_": ("tiret bas", "tiret du huit", "tiret du 8", "souligne", "under score"),
        "/": ("slash", "barre oblique", "barre", "slache"),
        ":": ("deux points",),
        "://": ("deux points slash slash", "deux points barre oblique barre oblique",
                "deux points double slash"),
        "+": ("plus",),
        "#": ("diese", "croisillon"),
        "=": ("egal",),
        "?": ("point d'interrogation",),
        "www": ("trois w", "triple w", "trois double ve", "3 w", "double ve double ve double ve"),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    names=common.spelled("""
        a a
        b be
        c ce
        d de
        e e
        f effe
        g ge
        h ache
        i i
        j ji
        k ka
        l elle
        m emme
        n enne
        o o
        p pe
        q cu
        r erre
        s esse
        t te
        u u
        v ve
        w double_ve
        x ixe
        y i_grec
        z zede
    """),
    doubles={"double": 2, "deux": 2, "triple": 3, "trois": 3},
    as_in=("comme", "comme dans", "pour"),
    ordinary=frozenset({"a", "ce", "de", "elle", "te", "i", "e", "y", "pe"}),
    glosses=(
        "accent aigu",
        "accent grave",
        "cedille",
        "accent circonflexe",
        "majuscule",
        "minuscule",
        "trema",
    ),
)

CLOCK: Final = ClockWords(
    said="{h} heures {m}",
    said_whole="{h} heures",
    templates=(
        *common.TIMES,
        "{h} heures|heure|h",
        "{h} heures|heure|h {m} minutes?",
        "{h} heures|heure|h et {m}",
        "{h} heures|heure|h et? quart = +15",
        "{h} heures|heure|h un quart = +15",
        "{h} heures|heure|h et? demie|demi = +30",
        "{h} heures|heure|h moins le? quart = -15",
        "{h} heures|heure|h moins {m} = -m",
        "{h} heures|heure trois quarts = +45",
        "midi = 12:00",
        "midi et? demi|demie = 12:30",
        "midi et? quart = 12:15",
        "midi moins le? quart = 11:45",
        "midi trente = 12:30",
        "minuit = 0:00",
        "minuit et? quart = 0:15",
        "minuit et? demi|demie = 0:30",
        "minuit moins le? quart = 23:45",
    ),
    parts={
        "du matin": "am", "de l'apres midi": "pm", "de l'apres-midi": "pm", "du soir": "pm",
        "de la nuit": "am", "de l'apremidi": "pm", "du mat": "am", "de l'aprem": "pm",
    } | common.HALVES,
)  # fmt: skip

CALENDAR: Final = Calendar(
    said="{d} {mon} {y}",
    months=common.series(_CLDR["months"], {9: ("sept",), 1: ("janv",), 2: ("fev",), 7: ("juil",)}),
    weekdays=common.series(_CLDR["weekdays"]),
    days={"premier": 1, "1er": 1, "1 er": 1},
    orders={
        "": (
            *common.DAY_FIRST,
            "{d} {mon} ,? {y}",
            "{d} {mon} de? l'annee? {y}",
            "{d} {mon}",
            "{d}-{mon}-{y}",
            "{d}/{mon}/{y}",
            "{d} du {mn} {y}",
            "{d} {mn} {y}",
            "{mon} {y}",
            "{wd}",
            "{wd} ,? le? {d} {mon} ,? {y}",
            "{wd} ,? le? {d} {mon}",
            "{wd} ,? le? {d}/{mn}/{y}",
            "{wd} ,? le? {d}",
        ),
    },
)

UNITS: Final = Units(
    percent=("pour cent", "pourcent", "pourcents"),
    permille=("pour mille",),
    names=common.units(_CLDR, {
        "kg": ("kilo", "kilos"), "g": ("gramme",), "l": ("litre",), "m": ("metre",),
        "°C": ("degres celsius", "degre celsius", "degres centigrades", "degres c"),
        "km/h": ("kilometres heure", "kilometres a l'heure", "kilometres par heure",
                 "km a l'heure", "km heure", "kilometre heure"),
        "m²": ("metres carres", "metre carre", "m carres"), "Go": ("go", "gigaoctets", "giga"),
        "Mo": ("mo", "megaoctets"), "h": ("heure", "heures"), "GB": ("giga", "gigaoctets", "go"),
        "MB": ("mega", "megaoctets", "mo"), "kWh": ("kilowattheures", "kilowattheure",
                                                    "kilowatt heures", "kilowatts heure"),
    }),
    loose={"°C": ("degres", "degre", "°")},
    of=("de", "d'"),
    per=("par", "a l'", "/", "a la", "pour"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "EUR": ("euros", "euro"), "USD": ("dollars", "dollar", "dollars americains"),
            "CHF": ("francs suisses", "francs", "franc suisse", "franc"),
            "GBP": ("livres", "livre", "livres sterling"),
            "CAD": ("dollars canadiens", "dollar canadien"),
        },
        {"EUR": ("centimes", "centime", "centimes d'euro", "cents", "cent"),
         "CHF": ("centimes", "centime", "rappen"), "USD": ("cents", "cent"),
         "CAD": ("cents", "cent", "sous")},
    ),
    signs={"CA": {"$": "CAD"}},
    links=("et", "virgule"),
)  # fmt: skip

ADDRESSES: Final = Addresses(
    words=(
        ("avenue", "av.", "av", "ave"), ("boulevard", "bd", "bld", "boul.", "blvd", "bd."),
        ("place", "pl.", "pl"), ("rue", "r.", "r"), ("chemin", "ch.", "ch", "che."),
        ("route", "rte", "rte."), ("impasse", "imp.", "imp"), ("allee", "all.", "all"),
        ("square", "sq."), ("appartement", "appt", "appt.", "apt"), ("batiment", "bat.", "bat"),
        ("saint", "st", "st."), ("sainte", "ste", "ste."), ("quai", "q."), ("residence", "res."),
        ("faubourg", "fg", "fbg"), ("etage", "et."), ("docteur", "dr", "dr."),
        ("general", "gal", "gen."), ("premier", "1er", "1"),
        ("numero", "no", "n", "nº", "n°"),
    ),
    free=("numero", "no", "n°", "code postal", "a", "au", "en", "et", "c'est", "cedex", "le",
          "la", "ville", "dans"),
    titles=("monsieur", "madame", "m.", "mme", "mademoiselle", "docteur", "maitre"),
    phones={"": ("33", "0"), "FR": ("33", "0"), "BE": ("32", "0"), "CH": ("41", "0"),
            "CA": ("1", "")},
)  # fmt: skip

FRENCH: Final = Pack(
    language="fr",
    region="FR",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"euh", "heu", "hum", "ben", "bah", "alors", "donc", "voila", "enfin", "hein",
                       "ah", "mmm", "attendez"}),
    script=Script(swaps={"œ": "oe", "æ": "ae", "Œ": "oe"}, articles=frozenset("ay")),
    rules={
        "phone_number": (2, 3), "email_address": (5, 8), "url": (5, 8), "reference_id": (6,),
        "account_or_record_number": (2,), "spelled_sequence": (6, 7), "plain_number": (1, 9, 10),
        "currency_amount": (9, 11), "percentage": (12,), "date": (13,), "time": (14, 15),
        "measurement": (16,), "postal_address": (17,), "person_or_team_name": (8, 18),
        "product_code": (6,), "version": (9,), "acronym_or_initialism": (6,), "domain_term": (8,),
    },
)  # fmt: skip
