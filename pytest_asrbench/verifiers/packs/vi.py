"""Vietnamese (vi-VN). Marks count in words and names; in addresses of machines there are none."""

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

_CLDR: Final = common.cldr("vi")
_UNITS: Final = {
    "một": 1, "hai": 2, "ba": 3, "bốn": 4, "năm": 5, "sáu": 6, "bảy": 7, "bẩy": 7, "tám": 8,
    "chín": 9,
}  # fmt: skip
_AFTER_TEN: Final = {
    "mốt": 1, "hai": 2, "ba": 3, "tư": 4, "bốn": 4, "lăm": 5, "nhăm": 5, "sáu": 6, "bảy": 7,
    "bẩy": 7, "tám": 8, "chín": 9,
}  # fmt: skip


def _table() -> dict[str, int]:
    numbers = {"không": 0, **_UNITS, "mười": 10, "mốt": 1, "tư": 4, "lăm": 5, "nhăm": 5, "chục": 10}
    numbers |= {f"mười {u}": 10 + n for u, n in _UNITS.items() if n != 5} | {"mười lăm": 15}
    numbers |= {"mười nhăm": 15}
    for ten, value in _UNITS.items():
        if value == 1:
            continue
        for tens in ("mươi", "chục"):
            numbers |= {f"{ten} {tens}": value * 10}
            numbers |= {f"{ten} {tens} {u}": value * 10 + n for u, n in _AFTER_TEN.items()}
    for ten, value in _UNITS.items():  # bốn lăm, with mươi left out
        short = {"mốt": 1, "tư": 4, "lăm": 5, "nhăm": 5}
        numbers |= {f"{ten} {u}": value * 10 + n for u, n in short.items() if value > 1}
    numbers |= {"hăm": 20} | {f"hăm {u}": 20 + n for u, n in _AFTER_TEN.items()}
    return numbers


NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=_table(),
        places=(
            GrammarPlace(value=10**9, words=("tỷ", "tỉ"), most=999_999),
            GrammarPlace(value=10**6, words=("triệu",), most=999),
            GrammarPlace(value=10**3, words=("nghìn", "ngàn"), most=999),
            GrammarPlace(value=100, words=("trăm",), least=0),
        ),
        gaps=("lẻ", "linh"),
        tails=True,
    ),
    soft={"mốt": 1, "tư": 4, "lăm": 5, "nhăm": 5, "không": 0, "năm": 5, "chục": 10},
    soft_ones=("năm", "không"),
    tags=("không", "tư", "chục"),
    questions=("có phải", "phải không", "ạ", "?", "đúng không", "hả"),
    repeats={"đúp": 2},
    points=("phẩy", "chấm"),
    scales={"nghìn": 10**3, "ngàn": 10**3, "triệu": 10**6, "tỷ": 10**9, "tỉ": 10**9, "tr": 10**6,
            "k": 10**3, "trăm": 100},
    halves={"rưỡi": Fraction(1, 2), "rưởi": Fraction(1, 2)},
    parts={"nửa": Fraction(1, 2), "rưỡi": Fraction(1, 2)},
    minus=("âm", "trừ"),
    ranges=("đến", "tới", "hoặc"),
    inexact=("hơn", "khoảng", "mấy", "gần", "chừng"),
    marks={"": (",", ". ")},
    zeros=frozenset({"không"}),
)  # fmt: skip

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("a còng", "a móc", "a vòng"),
        ".": ("chấm",),
        "-": ("gạch ngang", "gạch giữa", "gạch nối", "ngang", "trừ"),
        "_": ("gạch dưới", "gạch chân", "shift gạch"),
        "/": ("gạch chéo", "xuyệt", "xẹt", "sẹc", "sẹt", "xuyệc", "trên"),
        "//": ("hai gạch chéo", "hai xuyệt", "hai xẹt"),
        ":": ("hai chấm",),
        "+": ("cộng",),
        "#": ("thăng",),
        "*": ("sao",),
        "=": ("bằng",),
        "?": ("hỏi chấm", "dấu hỏi"),
        "www": ("ba vê kép", "ba w"),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    names=common.spelled("""
        a a
        b bê bờ
        c xê cờ
        d dê dờ
        đ đê đờ
        e e
        f ép phờ ép_phờ
        g giê gờ
        h hát hờ
        i i i_ngắn
        j gi
        k ca cờ ka
        l e-lờ lờ el eo_lờ e_lờ
        m em-mờ mờ em em_mờ
        n en-nờ nờ en en_nờ
        o o
        p pê pờ
        q quy cu quờ
        r e-rờ rờ e_rờ
        s ét sờ ét_sờ
        t tê tờ
        u u
        v vê vờ
        w vê_kép vê_đúp
        x ích ích-xì ích_xì xờ
        y y y_dài
        z dét giét
    """),
    doubles={"hai": 2, "ba": 3, "đúp": 2},
    as_in=("như", "trong", "của"),
    ordinary=frozenset({"a", "e", "o", "u", "y", "i", "ca", "em", "hờ", "gi", "ích", "cu", "en",
                        "bờ", "cờ", "dê", "tờ", "mờ"}),
    glosses=("ngắn", "dài", "viết hoa", "hoa", "thường"),
)  # fmt: skip

CLOCK: Final = ClockWords(
    said="{h} giờ {m}",
    said_whole="{h} giờ",
    templates=(
        *common.TIMES,
        "{hh}g{mm}",
        "{h} giờ đúng?",
        "{h} giờ {m} phút?",
        "{h} giờ rưỡi = +30",
        "{h} rưỡi = +30",
        "{h} giờ kém {m} phút? = -m",
        "{h} kém {m} phút? = -m",
        "lúc {h}",
        "nửa_đêm = 0:00",
        "giữa_trưa = 12:00",
    ),
    parts={
        "sáng": "am", "buổi sáng": "am", "trưa": "noon", "buổi trưa": "noon", "chiều": "pm",
        "buổi chiều": "pm", "tối": "pm", "buổi tối": "pm", "đêm": "night", "khuya": "night",
        "rạng sáng": "am", "sáng mai": "am", "sáng nay": "am", "chiều nay": "pm", "tối nay": "pm",
        "chiều mai": "pm", "tối mai": "pm",
    } | common.HALVES,
)  # fmt: skip

CALENDAR: Final = Calendar(
    said="ngày {d} {mon} năm {y}",
    months=common.series(_CLDR["months"], {
        n: (f"tháng {word}",)
        for n, word in enumerate(
            ("một", "hai", "ba", "tư", "năm", "sáu", "bảy", "tám", "chín", "mười", "mười một",
             "mười hai"), 1)
    }),
    weekdays=common.series(_CLDR["weekdays"], {
        1: ("thứ 2",), 2: ("thứ 3",), 3: ("thứ 4",), 4: ("thứ 5",), 5: ("thứ 6",), 6: ("thứ 7",),
        7: ("cn", "chủ nhật", "chúa nhật"),
    }),
    orders={
        "": (
            *common.DAY_FIRST,
            "ngày|mùng|mồng|hôm? mùng|mồng? {d} {mon} ,? năm? {y}",
            "ngày|mùng|mồng|hôm? mùng|mồng? {d} {mon}",
            "ngày? {d} {mn} năm? {y}",
            "ngày? {d} tháng {mn} ,? năm? {y}",
            "ngày? {d} tháng {mn}",
            "ngày {d}/{mn} năm {y}",
            "ngày|mùng {d}.{mn}",
            "ngày|mùng {d}-{mn}",
            "{d}/{mn} năm {y}",
            "{mon} ,? năm? {y}",
            "{mn}/{y}",
            "{wd}",
            "{wd} ,? ngày|hôm? mùng|mồng? {d} {mon} ,? năm? {y}",
            "{wd} ,? ngày|hôm? mùng|mồng? {d} {mon}",
            "{wd} ,? ngày? {d}/{mn}/{y}",
            "{wd} ,? ngày? {d}/{mn}",
            "{wd} ,? ngày? {d}/{mn} năm {y}",
        ),
    },
)  # fmt: skip

UNITS: Final = Units(
    percent=("phần trăm",),
    permille=("phần nghìn", "phần ngàn"),
    names=common.units(_CLDR, {
        "kg": ("kí", "ký", "kí lô", "ki lô", "cân", "ki lô gam", "kilo", "ký lô", "kí lô gam"),
        "g": ("gam", "gram"), "m": ("mét",), "cm": ("xăng ti mét", "xen ti mét", "centimet"),
        "mm": ("mi li mét", "milimet"), "ml": ("mi li lít", "mililít", "mililit"), "l": ("lít",),
        "km": ("ki lô mét", "cây số", "kilômét"), "m²": ("mét vuông", "m vuông"),
        "°C": ("độ c", "độ xê", "độ celsius"), "h": ("tiếng", "giờ", "giờ đồng hồ"),
        "min": ("phút",), "s": ("giây",), "day": ("ngày",), "week": ("tuần",), "month": ("tháng",),
        "year": ("năm",), "km/h": ("km một giờ", "ki lô mét giờ", "ki lô mét một giờ", "km giờ"),
        "kWh": ("ki lô oát giờ", "số điện"), "GB": ("gigabyte", "gi ga"), "MB": ("megabyte",),
    }),
    loose={"°C": ("độ", "°"), "cm": ("phân",), "lạng": ("lạng",)},
    per=("một", "trên", "/", "mỗi"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "VND": ("đồng", "đ", "vnđ", "việt nam đồng", "đồng việt nam"),
            "USD": ("đô la", "đô", "đô la mỹ", "đô mỹ", "usd"),
            "EUR": ("euro", "ơ rô"),
            "JPY": ("yên",),
        },
        {"USD": ("xu", "xen")},
    ),
)

ADDRESSES: Final = Addresses(
    equal=(  # i and y behind a lone consonant
        ("kỹ", "kĩ"), ("kỳ", "kì"), ("kỷ", "kỉ"), ("lý", "lí"), ("mỹ", "mĩ"), ("sỹ", "sĩ"), ("tỷ", "tỉ"),
        ("quý", "quí"), ("hy", "hi"), ("vỹ", "vĩ"), ("ty", "ti"),
    ),
    words=(
        ("phường", "p.", "f.", "p", "f"), ("quận", "q.", "q"), ("huyện", "h.", "h"),
        ("thành phố", "tp.", "tp", "t.p."), ("hồ chí minh", "hcm"),
        ("khu công nghiệp", "kcn"), ("đường", "đ."), ("tầng", "lầu"), ("thị xã", "tx."),
        ("tỉnh", "t."), ("căn hộ", "ch"), ("chung cư", "cc"), ("xuyệt", "/"),
    ),
    free=("số", "số nhà", "đường", "phố", "xuyệt", "xẹt", "trên", "sẹc", "sẹt", "ở", "tại", "/"),
    titles=("ông", "bà", "anh", "chị", "em"),
    phones={"": ("84", "")},
)  # fmt: skip

_TONES: Final = tuple(
    (old, new)
    for old, new in zip(
        ["oà", "oá", "oả", "oã", "oạ", "oè", "oé", "oẻ", "oẽ", "oẹ", "uỳ", "uý", "uỷ", "uỹ", "uỵ"],
        ["òa", "óa", "ỏa", "õa", "ọa", "òe", "óe", "ỏe", "õe", "ọe", "ùy", "úy", "ủy", "ũy", "ụy"],
        strict=True,
    )
)

VIETNAMESE: Final = Pack(
    language="vi",
    region="VN",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"à", "ờ", "ừm", "ơ", "dạ", "ạ", "nha", "nhé", "thì", "là", "cái", "à quên",
                       "ừ", "ờm"}),
    script=Script(
        keep="*",
        rules=tuple((rf"(?<!q){old}(?!\w)", new) for old, new in _TONES),
        machine={"đ": "d"},
        articles=frozenset("àạ"),
    ),
    rules={
        "phone_number": (3, 4, 6, 18), "email_address": (8, 10), "url": (8, 10),
        "reference_id": (3, 9), "account_or_record_number": (3, 6, 7), "spelled_sequence": (9,),
        "plain_number": (1, 2, 7), "currency_amount": (12,), "percentage": (13,), "date": (15,),
        "time": (16,), "measurement": (14,), "postal_address": (17,),
        "person_or_team_name": (10, 11), "product_code": (3, 9), "version": (19,),
        "acronym_or_initialism": (9,), "domain_term": (10,),
    },
)  # fmt: skip
