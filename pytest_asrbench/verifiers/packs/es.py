"""Spanish (es-ES, es-MX)."""

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

_CLDR: Final = common.cldr("es")
_ONES: Final = common.sequence(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
    "dieciséis|dieciseis|diez_y_seis diecisiete|diez_y_siete dieciocho|diez_y_ocho diecinueve|diez_y_nueve",
)
_TENS: Final = {
    "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80,
    "noventa": 90,
}  # fmt: skip
_UNITS: Final = {
    "uno": 1, "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6,
    "siete": 7, "ocho": 8, "nueve": 9,
}  # fmt: skip


def _table() -> dict[str, int]:
    numbers = {word.replace("_", " "): n for word, n in _ONES.items()} | {"veinte": 20, "un": 1}
    numbers |= {"veintidós": 22, "veintitrés": 23, "veintiséis": 26}
    numbers |= {f"veinti{u}": 20 + n for u, n in _UNITS.items()}
    numbers |= {f"veinte y {u}": 20 + n for u, n in _UNITS.items()}
    for ten, value in _TENS.items():
        numbers |= {ten: value} | {f"{ten} y {u}": value + n for u, n in _UNITS.items()}
        numbers |= {f"{ten[:-1]}ai{u}": value + n for u, n in _UNITS.items()}
    return numbers


_HUNDREDS: Final = {
    "cien": 100, "ciento": 100, "doscientos": 200, "trescientos": 300, "cuatrocientos": 400,
    "quinientos": 500, "seiscientos": 600, "setecientos": 700, "ochocientos": 800,
    "novecientos": 900,
}  # fmt: skip

NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=_table(),
        hundreds=_HUNDREDS
        | {w.removesuffix("os") + "as": n for w, n in _HUNDREDS.items() if w.endswith("os")},
        hundreds_alone=frozenset({"cien"}),
        places=(
            GrammarPlace(
                value=10**12,
                words=("billón", "billones"),
                plural="billones",
                most=999_999,
                one="un",
            ),
            GrammarPlace(
                value=10**6, words=("millón", "millones"), plural="millones", most=999_999, one="un"
            ),
            GrammarPlace(value=10**3, words=("mil",), least=2, most=999, bare=True, one=""),
        ),
        before_places={"veintiuno": "veintiún", " uno": " un"},
    ),
    soft={"un": 1, "una": 1},
    soft_ones=("un", "una"),
    plural_digits={
        "ceros": 0,
        "unos": 1,
        "doses": 2,
        "treses": 3,
        "cuatros": 4,
        "cincos": 5,
        "seises": 6,
        "sietes": 7,
        "ochos": 8,
        "nueves": 9,
    },
    times=("veces el", "veces"),
    repeats={"doble": 2, "triple": 3},
    points=("coma", "punto"),
    scales={"mil": 10**3, "millon": 10**6, "millones": 10**6, "mdp": 10**6, "billones": 10**12},
    halves={"y medio": Fraction(1, 2), "y media": Fraction(1, 2)},
    parts={
        "medio": Fraction(1, 2),
        "media": Fraction(1, 2),
        "un cuarto de": Fraction(1, 4),
        "cuarto de": Fraction(1, 4),
        "tres cuartos de": Fraction(3, 4),
    },
    ands=frozenset({"y"}),
    minus=("menos",),
    ranges=("a", "o", "y"),
    between=("entre",),
    marks={"": (",", ". "), "MX": (".", ", "), "US": (".", ", "), "419": (".", ", ")},
    zeros=frozenset({"cero"}),
)

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("arroba",),
        ".": ("punto",),
        "-": ("guion", "guion medio", "menos", "raya"),
        "_": ("guion bajo", "barra baja", "raya baja"),
        "/": ("barra", "diagonal", "barra inclinada"),
        ":": ("dos puntos",),
        "://": ("dos puntos diagonal diagonal", "dos puntos barra barra", "dos puntos doble barra"),
        "+": ("mas",),
        "#": ("almohadilla", "gato", "numeral"),
        "=": ("igual", "igual a"),
        "?": ("interrogacion", "signo de interrogacion"),
        "www": ("triple w", "triple uve doble", "triple doble u", "tres w", "tres uves dobles"),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    names=common.spelled("""
        a a
        b be be_grande be_larga be_alta
        c ce
        d de
        e e
        f efe
        g ge
        h hache
        i i i_latina
        j jota
        k ka ca
        l ele
        m eme
        n ene
        ñ eñe
        o o
        p pe
        q cu
        r erre ere
        s ese
        t te
        u u
        v uve ve ve_chica ve_corta ve_baja
        w uve_doble doble_uve doble_u doble_ve
        x equis
        y ye i_griega y
        z zeta ceta
        ll elle doble_ele
        rr doble_erre
    """),
    doubles={"doble": 2, "triple": 3, "dos": 2, "tres": 3},
    as_in=("de", "como", "como en"),
    ordinary=frozenset({"a", "e", "o", "u", "y", "de", "te", "ese", "be", "ve", "ca", "i"}),
    glosses=(
        "con acento",
        "mayuscula",
        "minuscula",
        "en mayuscula",
        "latina",
        "alta",
        "larga",
        "grande",
        "chica",
        "corta",
        "baja",
        "griega",
    ),
)

_DAY_PARTS: Final = {
    "de la mañana": "am", "de la madrugada": "am", "por la mañana": "am", "de la tarde": "pm",
    "por la tarde": "pm", "de la noche": "night", "por la noche": "night", "del mediodia": "noon",
    "del dia": "noon", "de mediodia": "noon",
}  # fmt: skip

CLOCK: Final = ClockWords(
    said="las {h} y {m}",
    said_whole="las {h} en punto",
    templates=(
        *common.TIMES,
        "las|la {h}",
        "las|la {h} en_punto",
        "{h} en_punto",
        "{h} horas|hrs|hrs.|h|hora",
        "{h} {m}",
        "{h} y {m} minutos?",
        "{h} horas|h|hora y? con? {m} minutos?",
        "{h} con {m} minutos?",
        "{h} y media = +30",
        "{h} y cuarto = +15",
        "{h} menos cuarto = -15",
        "{h} menos {m} = -m",
        "cuarto para las|la {h} = -15",
        "un? cuarto para las|la {h} = -15",
        "{m} minutos? para las|la {h} = -m",
        "faltan? {m} minutos? para las|la {h} = -m",
        "{hh}:{mm} horas|hrs|hrs.|h",
        "{hh}.{mm} horas|hrs|hrs.|h",
        "mediodia = 12:00",
        "medianoche = 0:00",
    ),
    parts=_DAY_PARTS | common.HALVES,
)

CALENDAR: Final = Calendar(
    said="{d} de {mon} de {y}",
    months=common.series(_CLDR["months"], {9: ("setiembre", "set")}),
    weekdays=common.series(_CLDR["weekdays"]),
    days={"primero": 1, "1o": 1, "1ro": 1, "1.o": 1, "primer": 1},
    orders={
        "": (
            *common.DAY_FIRST,
            "{wd} ,? {d} de? {mon}",
            "{wd} ,? {d} de? {mon} ,? de|del? año? {y}",
            "{d} de? {mon} ,? de|del? año? {y}",
            "{d} de? {mon}",
            "{d} del|de {mn} ,? de|del? {y}",
            "{d} del {mn}",
            "{d} del|de {mn} de|del {yy}",
            "{d}-{mon}-{y}",
            "{d}/{mon}/{y}",
            "{mon} {d} ,? de|del? {y}",
            "{mon} de|del? {y}",
            "{wd}",
            "{wd} ,? {d}/{mn}/{y}",
            "{wd} ,? el? {d} de {mon} de|del? {y}",
            "{wd} {d}",
        ),
    },
)

UNITS: Final = Units(
    percent=("por ciento", "porciento", "por cien"),
    permille=("por mil",),
    names=common.units(_CLDR, {
        "kg": ("kilo", "kilos"), "g": ("gramo",), "l": ("litro",), "m": ("metro", "mts"),
        "°C": ("grados centigrados", "grados celsius", "grado centigrado", "centigrados",
               "grados c"),
        "km/h": ("kilometros por hora", "kilometro por hora", "km por hora", "kms por hora"),
        "km": ("kms",), "min": ("minutos", "minuto"), "h": ("hrs", "hora"),
        "GB": ("gigas", "gigabytes"), "MB": ("megas", "megabytes"), "m²": ("metros cuadrados",),
        "kWh": ("kilovatios hora", "kilovatio hora", "kilowatts hora", "kilowatt hora"),
    }),
    loose={"°C": ("grados", "°")},
    of=("de",),
    per=("por", "/"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "MXN": ("pesos", "peso", "pesos mexicanos", "m.n.", "mn"),
            "USD": ("dolares", "dolar", "dolares americanos", "us$"),
            "EUR": ("euros", "euro"),
            "GBP": ("libras", "libra", "libras esterlinas"),
            "JPY": ("yenes", "yen"),
        },
        {
            "MXN": ("centavos", "centavo"), "USD": ("centavos", "centavo", "centavos de dolar"),
            "EUR": ("centimos", "centimo", "centavos", "cts"), "GBP": ("peniques",),
        },
    ),
    signs={"MX": {"$": "MXN"}},
    links=("con", "y"),
)  # fmt: skip

ADDRESSES: Final = Addresses(
    words=(
        ("calle", "c.", "c/", "c"), ("avenida", "av.", "avda.", "av", "avda", "ave"),
        ("paseo", "p.º", "pº", "p.o", "po"), ("plaza", "pza.", "pza", "plza", "pl."),
        ("colonia", "col.", "col"), ("bulevar", "boulevard", "blvd.", "blvd", "blv."), ("interior", "int.", "int"), ("exterior", "ext.", "ext"),
        ("numero", "num.", "num", "n.º", "nº", "n.o", "no.", "no", "n"),
        ("codigo postal", "c.p.", "cp", "c p"), ("departamento", "depto.", "depto", "dpto"),
        ("carretera", "ctra.", "ctra"), ("privada", "priv.", "priv"), ("piso", "p."),
        ("primero", "1.º", "1º", "1o", "1ª", "1"), ("segundo", "2.º", "2º", "2o", "2ª", "2"),
        ("tercero", "3.º", "3º", "3o", "3ª", "3"), ("cuarto", "4.º", "4º", "4o", "4ª", "4"),
        ("quinto", "5.º", "5º", "5o", "5ª", "5"), ("sexto", "6.º", "6º", "6o", "6ª", "6"),
        ("septimo", "7.º", "7º", "7ª", "7"), ("octavo", "8.º", "8º", "8ª", "8"),
        ("izquierda", "izq.", "izq", "izda.", "izda"),
        ("derecha", "dcha.", "dcha", "der.", "der"), ("doctor", "dr.", "dr"), ("santa", "sta."),
    ),
    free=("numero", "num", "num.", "nº", "n.º", "n.o", "no.", "codigo postal", "c.p.", "cp", "c p",
          "en", "de", "del", "la", "el", "es", "piso"),
    titles=("don", "doña", "señor", "señora", "sr.", "sra."),
    phones={"": ("34", ""), "ES": ("34", ""), "MX": ("52", "")},
)  # fmt: skip

SPANISH: Final = Pack(
    language="es",
    region="ES",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"eh", "em", "este", "mmm", "a ver", "o sea", "pues", "ehm", "mm", "eeh"}),
    script=Script(keep="ñ", articles=frozenset("aeouy"), machine={"ñ": "n"}),
    rules={
        "phone_number": (2, 4), "email_address": (5,), "url": (5,), "reference_id": (2, 6),
        "account_or_record_number": (2,), "spelled_sequence": (6, 7, 8), "plain_number": (1, 9),
        "currency_amount": (9, 11), "percentage": (9, 12), "date": (13,), "time": (14, 15),
        "measurement": (16,), "postal_address": (17, 18), "person_or_team_name": (8, 19),
        "product_code": (6, 10), "version": (10,), "acronym_or_initialism": (22,),
        "domain_term": (8,),
    },
)  # fmt: skip
