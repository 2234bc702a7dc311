"""Portuguese (pt-BR, pt-PT)."""

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

_CLDR: Final = common.cldr("pt")
_ONES: Final = common.sequence(
    "zero um dois|duas três quatro cinco seis sete oito nove dez onze doze treze quatorze|catorze",
    "quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove",
) | {"uma": 1}
_TENS: Final = {
    "vinte": 20, "trinta": 30, "quarenta": 40, "cinquenta": 50, "sessenta": 60, "setenta": 70,
    "oitenta": 80, "noventa": 90, "cincoenta": 50,
}  # fmt: skip
_HUNDREDS: Final = {
    "cem": 100, "cento": 100, "duzentos": 200, "trezentos": 300, "quatrocentos": 400,
    "quinhentos": 500, "seiscentos": 600, "setecentos": 700, "oitocentos": 800, "novecentos": 900,
}  # fmt: skip


def _table() -> dict[str, int]:
    units = {word: n for word, n in _ONES.items() if 0 < n < 10}
    numbers = _ONES | _TENS
    for ten, value in _TENS.items():
        numbers |= {f"{ten} e {unit}": value + n for unit, n in units.items()}
    return numbers


NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=_table(),
        hundreds=_HUNDREDS
        | {w.removesuffix("os") + "as": n for w, n in _HUNDREDS.items() if w.endswith("os")},
        hundreds_links=("e",),
        hundreds_alone=frozenset({"cem"}),
        places=(
            GrammarPlace(value=10**12, words=("trilhão", "trilhões"), plural="trilhões", most=999, links=("", "e")),
            GrammarPlace(value=10**9, words=("bilhão", "bilhões", "bilião", "biliões"), plural="bilhões", most=999,
                  links=("", "e")),
            GrammarPlace(value=10**6, words=("milhão", "milhões"), plural="milhões", most=999, links=("", "e")),
            GrammarPlace(value=10**3, words=("mil",), least=2, most=999, bare=True, one="",
                  links=("", "e")),
        ),
    ),
    soft={"um": 1, "uma": 1},
    soft_ones=("um", "uma"),
    only_digits={"meia": 6},
    plural_digits={"zeros": 0, "uns": 1, "quatros": 4, "cincos": 5, "setes": 7, "oitos": 8,
                   "noves": 9},
    times=("vezes o", "vezes"),
    repeats={"duplo": 2, "dobro": 2, "triplo": 3},
    points=("virgula", "ponto"),
    scales={"mil": 10**3, "milhao": 10**6, "milhoes": 10**6, "mi": 10**6, "bi": 10**9,
            "bilhao": 10**9, "bilhoes": 10**9, "k": 10**3, "tri": 10**12},
    halves={"e meio": Fraction(1, 2), "e meia": Fraction(1, 2)},
    parts={"meio": Fraction(1, 2), "meia": Fraction(1, 2), "um quarto de": Fraction(1, 4),
           "tres quartos de": Fraction(3, 4)},
    between=("entre",),
    ands=frozenset({"e"}),
    minus=("menos",),
    ranges=("a", "ou", "ate"),
    marks={"": (",", ". ")},
    zeros=frozenset({"zero"}),
)  # fmt: skip

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("arroba",),
        ".": ("ponto",),
        "-": ("hifen", "traco", "tracinho", "menos", "digito"),
        "_": ("sublinhado", "underline", "anderline", "traco baixo", "traco em baixo", "underlaine"),
        "/": ("barra",),
        ":": ("dois pontos",),
        "://": ("dois pontos barra barra",),
        "+": ("mais",),
        "#": ("cerquilha", "hashtag", "jogo da velha"),
        "=": ("igual",),
        "?": ("interrogacao", "ponto de interrogacao"),
        "www": ("tres dablios", "tres dabliu", "tres w", "triplo w"),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    names=common.spelled("""
        a a
        b be
        c ce
        d de
        e e
        f efe fe
        g ge gue
        h aga
        i i
        j jota ji
        k ca
        l ele le
        m eme me
        n ene ne
        o o
        p pe
        q que
        r erre re
        s esse si
        t te
        u u
        v ve
        w dablio dabliu
        x xis
        y ipsilon ipsilone
        z ze
    """),
    doubles={"dois": 2, "duplo": 2, "tres": 3, "dobro": 2},
    as_in=("de", "como em", "como"),
    ordinary=frozenset({"a", "e", "o", "de", "que", "te", "me", "si", "esse", "ele", "ve", "le",
                        "se", "re", "ne", "fe", "ca", "i", "u", "be", "ce"}),
    glosses=("com til", "cedilha", "com acento", "maiusculo", "minusculo"),
)  # fmt: skip

CLOCK: Final = ClockWords(
    said="{h} e {m}",
    said_whole="{h} horas",
    templates=(
        *common.TIMES,
        "as|a|à|às {h}",
        "{h} horas|hora|h|hrs",
        "{h} em_ponto",
        "{h} {m}",
        "{h} e {m} minutos?",
        "{h} horas|hora|h e? {m} minutos?",
        "{h} horas|hora|h e meia = +30",
        "{h} e meia = +30",
        "{h} e um_quarto = +15",
        "{h} menos um_quarto = -15",
        "{h} menos {m} = -m",
        "{m} minutos? para|pra|pras as|a? {h} horas? = -m",
        "um_quarto para|pras as|a? {h} = -15",
        "{hh}:{mm} horas|h",
        "meio_dia = 12:00",
        "meio_dia e meia = 12:30",
        "meia_noite = 0:00",
        "meia_noite e meia = 0:30",
        "meio_dia e {m} = 12:00",
    ),
    parts={
        "da manha": "am", "da madrugada": "am", "de manha": "am", "da tarde": "pm",
        "de tarde": "pm", "da noite": "night", "a noite": "night", "de noite": "night",
        "do dia": "noon",
    } | common.HALVES,
)  # fmt: skip

CALENDAR: Final = Calendar(
    said="{d} de {mon} de {y}",
    months=common.series(_CLDR["months"]),
    weekdays=common.series(_CLDR["weekdays"], {
        1: ("segunda", "segunda feira"), 2: ("terca", "terca feira"), 3: ("quarta", "quarta feira"),
        4: ("quinta", "quinta feira"), 5: ("sexta", "sexta feira"), 6: ("sabado",),
    }),
    days={"primeiro": 1, "1o": 1},
    orders={
        "": (
            *common.DAY_FIRST,
            "dia? {d} de? {mon} ,? de|do? ano? de? {y}",
            "dia? {d} de? {mon}",
            "dia? {d} de {mon} de {yy}",
            "dia? {d} do|de {mn} ,? de|do? {y}",
            "dia? {d} do {mn}",
            "{d}-{mon}-{y}",
            "{d}/{mon}/{y}",
            "{mon} de {y}",
            "{wd}",
            "{wd} ,? dia? {d} de {mon} de? {y}",
            "{wd} ,? dia? {d} de {mon}",
            "{wd} ,? dia? {d}/{mn}/{y}",
            "{wd} ,? dia? {d}",
            "dia? {d} do|de {mn} do|de {yy}",
        ),
    },
)  # fmt: skip

UNITS: Final = Units(
    percent=("por cento", "porcento"),
    permille=("por mil",),
    names=common.units(_CLDR, {
        "kg": ("quilo", "quilos", "kilo", "kilos"), "g": ("grama", "gramas"), "l": ("litro",),
        "m": ("metro",), "°C": ("graus celsius", "graus centigrados", "grau celsius", "graus c"),
        "km/h": ("quilometros por hora", "km por hora"), "km": ("quilometro",),
        "m²": ("metros quadrados", "metro quadrado"), "GB": ("gigas", "gigabytes"),
        "MB": ("megas", "megabytes"), "kWh": ("quilowatts hora", "quilowatt hora"),
    }),
    loose={"°C": ("graus", "°")},
    of=("de",),
    per=("por", "/"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "BRL": ("reais", "real"), "USD": ("dolares", "dolar", "dolares americanos"),
            "EUR": ("euros", "euro"), "GBP": ("libras", "libra", "libras esterlinas"),
        },
        {
            "BRL": ("centavos", "centavo"), "USD": ("centavos", "centavo", "centavos de dolar"),
            "EUR": ("centimos", "centimo", "centavos", "cents"),
        },
        signs={"USD": ("us$", "usd$", "$")},
    ),
    links=("e", "com"),
)  # fmt: skip

ADDRESSES: Final = Addresses(
    words=(
        ("rua", "r.", "r"), ("avenida", "av.", "av"), ("travessa", "tv.", "tv", "trav."),
        ("praça", "pç.", "pça.", "pç", "pça", "praca", "pc.", "pca."),
        ("alameda", "al.", "al"), ("apartamento", "apto.", "apto", "ap.", "ap", "apt."),
        ("bloco", "bl.", "bl"), ("rodovia", "rod.", "rod"), ("estrada", "estr."),
        ("conjunto", "conj.", "cj."), ("edificio", "ed.", "edif."), ("sala", "sl."),
        ("doutor", "dr.", "dr"), ("santo", "sto."), ("santa", "sta."), ("largo", "lgo."),
        ("andar", "and."),
        ("primeiro", "1.º", "1º", "1o"), ("segundo", "2.º", "2º", "2o"),
        ("terceiro", "3.º", "3º", "3o"), ("quarto", "4.º", "4º", "4o"),
        ("quinto", "5.º", "5º", "5o"), ("sexto", "6.º", "6º", "6o"),
        ("esquerdo", "esq.", "esq"), ("direito", "dto.", "dto", "dt."), ("frente", "fte.", "fte"),
        ("res do chao", "r/c", "rc", "r c"), ("numero", "no", "n", "nº", "n.º", "num."),
    ),
    free=("numero", "no", "nº", "n.º", "cep", "em", "de", "do", "da", "o", "e", "é", "na", "no",
          "bairro", "cidade", "número", "codigo postal", "cp", "andar"),
    titles=("senhor", "senhora", "sr.", "sra.", "dona", "seu"),
    phones={"": ("55", ""), "BR": ("55", ""), "PT": ("351", "")},
)  # fmt: skip

PORTUGUESE: Final = Pack(
    language="pt",
    region="BR",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({", é,", "ahn", "ãh", "hum", "ne", "tipo", "eh", "ah", "hã", "deixa eu ver", "ehm",
                       "assim"}),
    script=Script(articles=frozenset("aeo")),
    rules={
        "phone_number": (2, 3, 5), "email_address": (6,), "url": (6,), "reference_id": (2, 7),
        "account_or_record_number": (2, 3), "spelled_sequence": (7, 8), "plain_number": (1, 10),
        "currency_amount": (10, 12), "percentage": (10, 13), "date": (14,), "time": (15, 16),
        "measurement": (17,), "postal_address": (18,), "person_or_team_name": (9, 19),
        "product_code": (7,), "version": (10,), "acronym_or_initialism": (20,), "domain_term": (9,),
    },
)  # fmt: skip
