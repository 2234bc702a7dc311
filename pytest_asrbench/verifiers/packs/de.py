"""German (de-DE, de-AT, de-CH)."""

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

_CLDR: Final = common.cldr("de")
_UNITS: Final = {
    "ein": 1, "zwei": 2, "zwo": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7,
    "acht": 8, "neun": 9,
}  # fmt: skip
_TENS: Final = {
    "zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50, "fuffzig": 50, "sechzig": 60,
    "siebzig": 70, "achtzig": 80, "neunzig": 90,
}  # fmt: skip
_ONES: Final = common.sequence(
    "null eins zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn",
    "fünfzehn|fuffzehn sechzehn siebzehn achtzehn neunzehn",
)


def _table() -> dict[str, int]:
    numbers = _ONES | _TENS | {"ein": 1, "eine": 1}
    for ten, value in _TENS.items():
        numbers |= {f"{unit}und{ten}": value + n for unit, n in _UNITS.items()}
        numbers |= {f"{unit} und {ten}": value + n for unit, n in _UNITS.items()}
    return numbers


def _ordinals() -> dict[str, int]:
    """dritte, dritten, dritter, drittes, drittem."""
    stems = {
        "erst": 1, "zweit": 2, "dritt": 3, "viert": 4, "fünft": 5, "sechst": 6, "siebt": 7,
        "siebent": 7, "acht": 8, "neunt": 9, "zehnt": 10, "elft": 11, "zwölft": 12,
    }  # fmt: skip
    stems |= {f"{word}t": n for word, n in _ONES.items() if 12 < n < 20}
    stems |= {f"{word}st": n for word, n in _table().items() if 20 <= n < 32}
    return {stem + end: n for stem, n in stems.items() for end in ("e", "en", "er", "es", "em")}


NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=_table(),
        places=(
            GrammarPlace(value=10**9, apart=True, words=("milliarde", "milliarden"), plural="milliarden", most=999, one="eine",
                  links=("", "und")),
            GrammarPlace(value=10**6, apart=True, words=("million", "millionen"), plural="millionen", most=999, one="eine",
                  links=("", "und")),
            GrammarPlace(value=10**3, words=("tausend",), most=999, bare=True, one="ein",
                  links=("", "und")),
            GrammarPlace(value=100, words=("hundert",), most=19, bare=True, one="ein",
                  links=("", "und")),
        ),
        spaced=False,
        before_places={"eins": "ein"},
    ),
    soft={"ein": 1, "eine": 1, "einen": 1, "einem": 1},
    soft_ones=("ein", "eine", "einen", "einem", "einer"),
    never=(r"acht geben\b", r"acht auf\b"),
    plural_digits={"nullen": 0, "einsen": 1, "zweien": 2, "dreien": 3, "vieren": 4, "fünfen": 5,
                   "sechsen": 6, "siebenen": 7, "achten": 8, "neunen": 9},
    times=("mal die", "mal der", "mal"),
    repeats={"doppel": 2, "doppelte": 2, "zweimal die": 2, "zweimal": 2, "dreimal die": 3,
             "dreimal": 3, "dreifach": 3},
    points=("komma", "punkt"),
    scales={"tausend": 10**3, "tsd.": 10**3, "tsd": 10**3, "million": 10**6, "millionen": 10**6,
            "mio.": 10**6, "mio": 10**6, "milliarde": 10**9, "milliarden": 10**9, "mrd.": 10**9,
            "mrd": 10**9, "hundert": 100},
    halves={"und ein halbes": Fraction(1, 2), "und eine halbe": Fraction(1, 2),
            "und einen halben": Fraction(1, 2), "einhalb": Fraction(1, 2)},
    parts={"anderthalb": Fraction(3, 2), "eineinhalb": Fraction(3, 2), "halb": Fraction(1, 2),
           "ein halber": Fraction(1, 2), "einen halben": Fraction(1, 2),
           "ein halbes": Fraction(1, 2), "eine halbe": Fraction(1, 2), "halbe": Fraction(1, 2),
           "dreiviertel": Fraction(3, 4), "drei viertel": Fraction(3, 4),
           "einen viertel": Fraction(1, 4), "ein viertel": Fraction(1, 4),
           "viertel": Fraction(1, 4)}
    | {f"{word}einhalb": Fraction(2 * n + 1, 2) for word, n in _ONES.items() if 1 < n < 20}
    | {f"{word}einhalbtausend": Fraction(2000 * n + 1000, 2) for word, n in _ONES.items()
       if 1 < n < 20},
    ands=frozenset({"und"}),
    minus=("minus",),
    ranges=("bis", "oder"),
    between=("zwischen",),
    marks={"": (",", ". "), "CH": (".", "' "), "AT": (",", ". ")},
    zeros=frozenset({"null"}),
)  # fmt: skip

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("at", "ät", "klammeraffe", "at zeichen"),
        ".": ("punkt",),
        "-": ("minus", "bindestrich", "strich", "mittelstrich"),
        "_": ("unterstrich", "tiefstrich"),
        "/": ("schrägstrich", "slash"),
        ":": ("doppelpunkt",),
        "://": ("doppelpunkt slash slash", "doppelpunkt doppelslash",
                "doppelpunkt schrägstrich schrägstrich"),
        "+": ("plus",),
        "#": ("raute", "hashtag"),
        "=": ("gleich", "ist gleich"),
        "?": ("fragezeichen",),
        "www": ("dreimal w", "drei w", "dreimal weh"),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    names=common.spelled("""
        a a
        b be
        c ce
        d de
        e e
        f eff
        g ge
        h ha
        i i
        j jot
        k ka
        l ell el
        m emm em
        n enn en
        o o
        p pe
        q ku
        r err er
        s ess es
        t te
        u u
        v vau
        w we
        x ix iks
        y ypsilon
        z zett zet
        ss eszett scharfes_s
        ä a_umlaut
        ö o_umlaut
        ü u_umlaut
    """),
    spelling=common.spelled("""
        a anton aachen
        b berta berlin
        c cäsar chemnitz
        d dora düsseldorf
        e emil essen
        f friedrich frankfurt
        g gustav goslar
        h heinrich hamburg
        i ida ingelheim
        j julius jena
        k kaufmann köln
        l ludwig leipzig
        m martha münchen
        n nordpol nürnberg
        o otto offenbach
        p paula potsdam
        q quelle quickborn
        r richard rostock
        s samuel siegfried salzwedel
        t theodor tübingen
        u ulrich unna
        v viktor völklingen
        w wilhelm wuppertal
        x xanthippe xanten
        y ypsilon
        z zacharias zwickau
        ä ärger
        ö ökonom
        ü übermut
        ss eszett
    """),
    doubles={"doppel": 2, "doppeltes": 2, "zweimal": 2, "zwei": 2, "dreimal": 3, "drei": 3},
    as_in=("wie", "wie in", "für"),
    ordinary=frozenset(
        {
            "a",
            "de",
            "en",
            "er",
            "es",
            "em",
            "el",
            "be",
            "e",
            "ha",
            "we",
            "te",
            "ka",
            "ge",
            "err",
            "ess",
        }
    ),
    glosses=("umlaut", "großgeschrieben", "klein", "groß"),
)

CLOCK: Final = ClockWords(
    said="{h} Uhr {m}",
    said_whole="{h} Uhr",
    templates=(
        *common.TIMES,
        "{h} uhr",
        "{h} uhr und? {m}",
        "um|gegen|ab|bis|vor|nach {h}",
        "{hh}:{mm} uhr",
        "{hh}.{mm} uhr",
        "{h} {m}",
        "halb {h} uhr? = -30",
        "viertel nach {h} = +15",
        "viertel vor {h} = -15",
        "viertel {h} = -45",
        "dreiviertel|drei_viertel {h} = -15",
        "{m} minuten? nach {h} = +m",
        "{m} minuten? vor {h} = -m",
        "{m} vor halb {h} = -30-m",
        "{m} nach halb {h} = -30+m",
        "mitternacht = 0:00",
    ),
    parts={
        "morgens": "am", "in der früh": "am", "früh": "am", "vormittags": "am", "mittags": "noon",
        "nachmittags": "pm", "abends": "pm", "nachts": "night", "am morgen": "am",
        "am vormittag": "am", "am nachmittag": "pm", "am abend": "pm", "in der nacht": "night",
        "am mittag": "noon", "heute abend": "pm", "heute nachmittag": "pm", "morgen früh": "am",
    } | {word: half for word, half in common.HALVES.items() if word != "am"},
)  # fmt: skip

CALENDAR: Final = Calendar(
    ordinal_days=True,
    said="{d} {mon} {y}",
    months=common.series(
        _CLDR["months"],
        {1: ("jänner", "jan"), 2: ("feber", "feb"), 6: ("juno", "jun"), 7: ("julei", "jul"),
         3: ("mrz",), 9: ("sept",)},
    ),
    weekdays=common.series(_CLDR["weekdays"], {6: ("sonnabend",)}),
    days=_ordinals(),
    orders={
        "": (
            *common.DAY_FIRST,
            "{d} {mon} ,? {y}",
            "{d} {mon}",
            "{d} {d2} ,? {y}",
            "{d}. {mn}. {y}",
            "{d}. {mn}.",
            "{mon} {y}",
            "{wd}",
            "{wd} ,? der|den|dem? {d} {mon} ,? {y}",
            "{wd} ,? der|den|dem? {d} {mon}",
            "{wd} ,? der|den|dem? {d}.{mn}.{y}",
            "{wd} ,? der|den|dem? {d}.{mn}.",
            "{wd} ,? der|den|dem? {d} {d2} ,? {y}",
            "{wd} ,? der|den|dem? {d}",
        ),
    },
)  # fmt: skip

UNITS: Final = Units(
    percent=("prozent", "v. h.", "v.h.", "vom hundert"),
    permille=("promille",),
    names=common.units(_CLDR, {
        "kg": ("kilo", "kilos", "kilogramm"), "g": ("gramm",), "l": ("liter",),
        "m": ("meter", "metern"), "km": ("kilometer", "kilometern"),
        "°C": ("grad celsius", "grad c"), "m²": ("qm", "quadratmeter", "quadratmetern"),
        "km/h": ("stundenkilometer", "kilometer pro stunde", "kmh", "km h", "kilometer die stunde"),
        "h": ("stunden", "stunde", "std.", "std"), "min": ("minuten", "minute", "min."),
        "day": ("tage", "tag", "tagen"), "week": ("wochen", "woche"),
        "month": ("monate", "monat", "monaten"), "year": ("jahre", "jahr", "jahren"),
        "kWh": ("kilowattstunden", "kilowattstunde"), "GB": ("gigabyte", "giga"),
        "MB": ("megabyte", "mega"),
    }),
    loose={"°C": ("grad", "°")},
    per=("pro", "je", "/"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "EUR": ("euro", "euros"), "CHF": ("franken", "schweizer franken", "fr", "stutz"),
            "USD": ("dollar", "us dollar", "dollars"), "GBP": ("pfund", "britische pfund"),
        },
        {"EUR": ("cent", "cents", "eurocent"), "CHF": ("rappen",), "USD": ("us cent",)},
    ),
    links=("und",),
)  # fmt: skip

ADDRESSES: Final = Addresses(
    suffixes=(("strasse", "str.", "str"), ("platz", "pl.", "pl")),
    words=(
        ("strasse", "str.", "str"), ("platz", "pl.", "pl"), ("allee",), ("weg",),
        ("sankt", "st.", "st"), ("hausnummer", "nr.", "nr", "nummer"), ("stiege", "stg."),
        ("obergeschoss", "og", "o.g."), ("doktor", "dr.", "dr"), ("gasse", "g."),
        ("erdgeschoss", "eg"), ("hinterhaus", "hh"),
    ),
    free=("nummer", "nr.", "nr", "hausnummer", "in", "plz", "postleitzahl", "und", "d", "a", "ch",
          "d-", "a-", "ch-"),
    postal_prefixes=("d-", "a-", "ch-", "d ", "a ", "ch "),
    titles=("herr", "frau", "herrn"),
    phones={"": ("49", "0"), "DE": ("49", "0"), "AT": ("43", "0"), "CH": ("41", "0")},
)  # fmt: skip

GERMAN: Final = Pack(
    language="de",
    region="DE",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"äh", "ähm", "also", "na ja", "moment", "öh", "hm", "mhm", "tja", "halt"}),
    script=Script(
        keep="äöü", swaps={"ß": "ss", "ẞ": "ss"}, machine={"ä": "ae", "ö": "oe", "ü": "ue"}
    ),
    rules={
        "phone_number": (2, 4), "email_address": (5, 7), "url": (5, 7), "reference_id": (2, 6),
        "account_or_record_number": (2,), "spelled_sequence": (6,), "plain_number": (1, 11, 12),
        "currency_amount": (11, 13), "percentage": (14,), "date": (15,), "time": (16, 17),
        "measurement": (18,), "postal_address": (7, 19), "person_or_team_name": (8, 20),
        "product_code": (6,), "version": (11,), "acronym_or_initialism": (6,),
        "domain_term": (7, 10),
    },
)  # fmt: skip
