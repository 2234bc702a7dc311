"""Turkish (tr-TR)."""

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

_CLDR: Final = common.cldr("tr")
_ONES: Final = common.sequence("sıfır bir iki üç dört beş altı yedi sekiz dokuz")
_TENS: Final = {
    "on": 10, "yirmi": 20, "otuz": 30, "kırk": 40, "elli": 50, "altmış": 60, "yetmiş": 70,
    "seksen": 80, "doksan": 90,
}  # fmt: skip


def _table() -> dict[str, int]:
    numbers = _ONES | _TENS | {"dörd": 4}  # dördü, dördünde
    for ten, value in _TENS.items():
        numbers |= {f"{ten} {unit}": value + n for unit, n in (*_ONES.items(), ("dörd", 4)) if n}
    return numbers


_HOURS: Final = {
    1: "bir biri bire", 2: "iki ikiyi ikiye", 3: "üç üçü üçe", 4: "dört dördü dörde",
    5: "beş beşi beşe", 6: "alti altiyi altiya", 7: "yedi yediyi yediye", 8: "sekiz sekizi sekize",
    9: "dokuz dokuzu dokuza", 10: "on onu ona", 11: "on_bir on_biri on_bire",
    12: "on_iki on_ikiyi on_ikiye",
}  # fmt: skip


def _at_hours() -> list[str]:
    """ "sekizde", "on üçten": an hour by its case alone; "onda" and "birden" are also words."""
    stems = {
        n: (form, "de da te ta den dan ten tan".split())
        for form, n in _table().items()
        if 2 <= n < 24 and n != 10 and form[-1] != "d"
    }
    return [
        f"{'|'.join((form + ending).replace(' ', '_') for ending in endings)} = {n}:00"
        + ("h" if n < 13 else "")
        for n, (form, endings) in stems.items()
    ]  # fmt: skip


NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=_table(),
        places=(
            GrammarPlace(value=10**9, words=("milyar",), most=999),
            GrammarPlace(value=10**6, words=("milyon",), most=999),
            GrammarPlace(value=10**3, words=("bin",), least=2, most=999, bare=True),
            GrammarPlace(value=100, words=("yüz",), least=2, most=9, bare=True),
        ),
    ),
    soft={"bir": 1},
    soft_ones=("bir",),
    never=(r"yüzde\b", r"binde\b", r"onda\b", r"ona\b", r"onu\b", r"onun\b", r"ondan\b",
           r"birde\b", r"biri\b", r"birden\b", r"yüzden\b", r"yüzü\b", r"yediler?\b(?!de)"),
    repeats={"çift": 2},
    times=("tane",),
    points=("virgül",),
    scales={"bin": 10**3, "milyon": 10**6, "milyar": 10**9, "mn": 10**6, "mr": 10**9},
    halves={"buçuk": Fraction(1, 2)},
    parts={"yarim": Fraction(1, 2), "çeyrek": Fraction(1, 4), "bir buçuk": Fraction(3, 2)},
    ordinal_tails=frozenset({"inci", "nci", "uncu", "üncü", "ncu", "ncü"}),
    minus=("eksi",),
    ranges=("ila", "ile", "veya"),
    marks={"": (",", ". ")},
    zeros=frozenset({"sifir"}),
)  # fmt: skip

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("et", "at", "et işareti", "at işareti", "kuyruklu a", "kuyruklu a işareti"),
        ".": ("nokta",),
        "-": ("tire", "kisa çizgi", "eksi", "orta çizgi", "kisa tire"),
        "_": ("alt tire", "alt çizgi"),
        "/": ("bölü", "taksim", "eğik çizgi", "slaş"),
        "//": ("çift taksim", "çift slaş", "çift eğik çizgi"),
        ":": ("iki nokta", "iki nokta üst üste"),
        "+": ("arti",),
        "#": ("diyez", "kare"),
        "*": ("yildiz",),
        "=": ("eşittir", "eşit"),
        "?": ("soru işareti",),
        "www": ("üç w", "üç çift ve", "üç tane w"),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    names=common.spelled("""
        a a
        b be
        c ce
        ç çe
        d de
        e e
        f fe ef
        g ge
        ğ yumuşak_ge
        h he ha
        i i
        j je
        k ke ka
        l le el
        m me em
        n ne en
        o o
        ö ö
        p pe
        q kü
        r re er
        s se es
        ş şe
        t te
        u u
        ü ü
        v ve
        w çift_ve dabılyu
        x iks
        y ye
        z ze zet
    """),
    spelling=common.spelled("""
        a adana
        b bolu
        c ceyhan
        ç çanakkale
        d denizli
        e edirne
        f fatsa
        g giresun
        h hatay
        i isparta izmir
        k kars
        l lüleburgaz
        m muş
        n niğde
        o ordu
        ö ödemiş
        p polatli
        r rize
        s sivas sinop
        ş şirnak
        t tokat
        u uşak
        ü ünye
        v van
        y yozgat
        z zonguldak
    """),
    alphabet_alone=True,
    doubles={"çift": 2, "iki": 2},
    as_in=("gibi",),
    behind=("'nin", "'nın", "'in", "'un", "'nun", "'ün", "'dan", "'den"),
    ordinary=frozenset({"a", "e", "o", "de", "ne", "ve", "ye", "he", "i", "be", "en", "er", "ha",
                        "el", "ce", "se", "me", "ke", "le", "re", "te"}),
    glosses=("'si", "'sı", "'su", "'i", "'u", "'yi", "harfi", "büyük", "küçük"),
)  # fmt: skip

CLOCK: Final = ClockWords(
    said="saat {h} {m}",
    said_whole="saat {h}",
    templates=(
        *common.TIMES,
        "saat {h}",
        "saat {h} {m}",
        "saat {hh}.{mm}",
        "{h} {m}",
        "{h} buçuk = +30",
        "saat {h} buçuk = +30",
        "{h} {m} geçe|geçiyor|geçerek = +m",
        "{h} çeyrek geçe|geçiyor = +15",
        "{h} {m} kala|var = -m",
        "{h} çeyrek kala|var = -15",
        "{part} {h}",
        "gece_yarisi = 0:00",
        *_at_hours(),
    ),
    parts={
        "sabah": "am", "sabahleyin": "am", "öğleden önce": "am", "öğlen": "noon", "öğle": "noon",
        "öğleden sonra": "pm", "akşam": "pm", "akşamüstü": "pm", "ikindi": "pm", "gece": "night",
        "bu akşam": "pm", "akşama": "pm", "sabaha karşi": "am",
    } | common.HALVES,
    hours={form.replace("_", " "): n for n, forms in _HOURS.items() for form in forms.split()},
)  # fmt: skip

CALENDAR: Final = Calendar(
    said="{d} {mon} {y}",
    months=common.series(_CLDR["months"], {1: ("ocağ",), 12: ("araliğ",)}),  # ocağın
    weekdays=common.series(_CLDR["weekdays"]),
    days={},
    orders={
        "": (
            *common.DAY_FIRST,
            "{d} {mon} ,? {y}",
            "{d} {mon}",
            "{mon} 'in|'ın|'un|'ün|in|un|ün? {d} ,? {y}?",
            "{y} {mon} 'in|'ın|'un|'ün|in|un|ün? {d}",
            "{y} yili? {mon} 'in|in|un|ün|'un|'ün|ayinin? {d}",
            "{y}'in {mon} 'in|in|un|ün? {d}",
            "{d} {mon} {y} {wd}",
            "{d} {mon} {wd}",
            "{y} yilinin|yili {d} {mon}",
            "{mon} {y}",
            "{wd}",
            "{wd} ,? {d} {mon} ,? {y}",
            "{wd} ,? {d} {mon}",
            "{d}.{mn}.{y} {wd}",
            "{d}/{mn}/{y} {wd}",
        ),
    },
)  # fmt: skip

UNITS: Final = Units(
    percent=("yüzde",),
    percent_before=("yüzde",),
    permille=("binde",),
    names=common.units(_CLDR, {
        "kg": ("kilo", "kilogram", "kg."), "g": ("gram", "gr"), "l": ("litre", "lt"),
        "cm": ("santim", "santimetre"), "m": ("metre",), "ml": ("mililitre",), "km": ("kilometre",),
        "°C": ("santigrat", "derece celsius", "santigrat derece", "derece santigrat", "derece"),
        "km/h": ("kilometre saat", "kilometre/saat", "km/saat"), "m²": ("metrekare",),
        "h": ("saat",), "min": ("dakika", "dk"), "day": ("gün",), "week": ("hafta",),
        "month": ("ay",), "year": ("yil", "sene"), "kWh": ("kilovatsaat", "kilovat saat"),
        "GB": ("gigabayt", "giga"), "MB": ("megabayt", "mega"),
    }),
    loose={"°C": ("°",)},
    per=("saatte", "/"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "TRY": ("lira", "türk lirasi", "tl", "liralik"),
            "USD": ("dolar", "amerikan dolari"),
            "EUR": ("avro", "euro", "yuro"),
            "GBP": ("sterlin", "pound"),
        },
        {"TRY": ("kuruş",), "USD": ("sent", "cent"), "EUR": ("sent", "cent")},
    ),
)

ADDRESSES: Final = Addresses(
    words=(
        ("mahallesi", "mah.", "mh.", "mah", "mh", "mahalle"),
        ("caddesi", "cad.", "cd.", "cad", "cd", "cadde"),
        ("sokak", "sokaği", "sok.", "sk.", "sok", "sk"),
        ("bulvari", "bulv.", "blv.", "bulv", "blv", "bulvar"),
        ("apartmani", "apt.", "apt", "apartman"), ("numara", "no", "no:", "no."),
        ("kat", "k", "k:", "k."), ("daire", "d", "d:", "d."), ("sitesi", "sit."),
        ("bölü", "/"), ("doktor", "dr.", "dr"),
    ),
    free=("bölü", "taksim", "/", "posta kodu", "numara", "no"),
    titles=("bey", "hanim", "sayin", "bay", "bayan"),
    phones={"": ("90", "")},
)  # fmt: skip

_ENDINGS: Final = """
a e i u ü ya ye yi yu yü da de ta te dan den tan ten in un ün nin nun nün
si su sü nda nde ndan nden unda ünde inda inde sinda sinde una üne ina ine na ne dir dur tir tur lik
luk lük yla yle la le ca ce
"""

TURKISH: Final = Pack(
    language="tr",
    region="TR",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"ee", "ii", "ihi", "hmm", "şey", "yani", "hani", "işte", "evet", "eee"}),
    script=Script(
        keep="çğöşü",
        swaps={"ı": "i", "İ": "i"},
        apostrophe_endings=True,
        word_endings=tuple(_ENDINGS.split()),
        articles=frozenset("o"),
    ),
    rules={
        "phone_number": (2, 18), "email_address": (7, 10), "url": (7, 10), "reference_id": (2, 9),
        "account_or_record_number": (2, 6), "spelled_sequence": (9,), "plain_number": (1, 4, 6),
        "currency_amount": (12,), "percentage": (13,), "date": (15,), "time": (16,),
        "measurement": (14,), "postal_address": (17,), "person_or_team_name": (8, 10),
        "product_code": (9,), "version": (19,), "acronym_or_initialism": (11,),
        "domain_term": (10,),
    },
)  # fmt: skip
