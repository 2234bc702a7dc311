"""
What the makers need of ten languages: number words, units, currencies, months, clock, sentences.

By hand and from num2words, after the addenda of the policy; nothing comes from the verifier's
packs. A word list that is short here only makes fewer forms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from num2words import num2words

Say = Callable[[int], str | None]


@dataclass(frozen=True)
class Tongue:
    """One language as its people write and say values.

    Patterns have one place, `{}`. A `cents` pattern has two, whole and hundredths. `clock` has hour
    and minute in words, `day` day, month and year. `joint` stands between spoken digits.
    """

    code: str
    say: Say
    digits: tuple[str, ...]
    point: str
    thousands: str
    point_word: str
    money: str
    money_written: tuple[str, ...]
    money_spoken: tuple[str, ...]
    money_other: tuple[str, ...]
    percent: str
    percent_written: tuple[str, ...]
    percent_spoken: tuple[str, ...]
    units: Mapping[str, tuple[str, ...]]
    ratios: Mapping[str, tuple[str, ...]]
    months: tuple[str, ...]
    date: str
    day_alone: str
    date_written: tuple[str, ...]
    day_spoken: str
    clock_written: tuple[str, ...]
    clock: str
    sentences: tuple[str, ...]
    counted: str
    cents: str = ""
    joint: str = " "
    year: Say | None = None
    minute_zero: str = ""
    phone: tuple[int, ...] = (3, 3, 3)
    phone_first: str = "6"
    scales: Mapping[int, str] = field(default_factory=dict)
    unclear: str = ""
    """Digits whose words are also other words where they end a run."""
    letters: str = ""
    """Names of PLAIN_LETTERS (runs.py), in order."""
    dozens: bool = True
    """Whether digits may also be given in pairs, with a pause between."""


@lru_cache(maxsize=65536)
def _num2words(language: str, n: int) -> str:
    """The library's words, without its commas, and with the Italian 18 that it cuts short."""
    text = num2words(n, lang=language).replace(",", "")
    return text.replace("dicotto", "diciotto")


def by_library(language: str) -> Say:
    return lambda n: _num2words(language, n)


def german(n: int) -> str:
    text = _num2words("de", n)
    return text.removesuffix("eins") + "ein" if n == 1 else text


def vietnamese(n: int) -> str | None:
    rest = n % 1000
    return _num2words("vi", n) if n < 1000 or not rest or (rest >= 100 and n < 10**6) else None


TURKISH = ("", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz")
TURKISH_TENS = (
    "", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan",
)  # fmt: skip


def turkish(n: int) -> str | None:
    """With its words apart."""
    if n == 0:
        return "sıfır"
    if n >= 10**6:
        return None
    thousands, rest = divmod(n, 1000)
    parts = [turkish(thousands), "bin"] if thousands > 1 else ["bin"] if thousands else []
    hundreds, rest = divmod(rest, 100)
    parts += [TURKISH[hundreds] if hundreds > 1 else "", "yüz"] if hundreds else []
    parts += [TURKISH_TENS[rest // 10], TURKISH[rest % 10]]
    return " ".join(part for part in parts if part)


HAN = "零一二三四五六七八九"


def mandarin(n: int) -> str | None:
    """十百千 by place, 万 as its own scale, 零 in a gap."""
    if n >= 10**8:
        return None
    if n >= 10_000:
        high, low = divmod(n, 10_000)
        tail = "" if not low else ("零" if low < 1000 else "") + str(mandarin(low))
        return f"{mandarin(high)}万{tail}"
    if n < 10:
        return HAN[n]
    text, gap = "", False
    for size, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = n // size % 10
        if digit:
            text += ("零" if gap and text else "") + HAN[digit] + name
            gap = False
        else:
            gap = bool(text)
    return text.removeprefix("一") if 10 <= n < 20 else text


def han_digits(n: int) -> str:
    return "".join("〇一二三四五六七八九"[int(digit)] for digit in str(n))


HINDI = (
    "शून्य", "एक", "दो", "तीन", "चार", "पाँच", "छह", "सात", "आठ", "नौ", "दस", "ग्यारह", "बारह", "तेरह",
    "चौदह", "पंद्रह", "सोलह", "सत्रह", "अठारह", "उन्नीस", "बीस",
)  # fmt: skip
HINDI_TENS = {30: "तीस", 40: "चालीस", 50: "पचास", 60: "साठ", 70: "सत्तर", 80: "अस्सी", 90: "नब्बे"}


def hindi(n: int) -> str | None:
    """What can be said without the ninety-nine words of Hindi: small and round numbers."""
    if n < len(HINDI):
        return HINDI[n]
    if n < 100:
        return HINDI_TENS.get(n)
    for size, name in ((100_000, "लाख"), (1000, "हज़ार"), (100, "सौ")):
        if n >= size:
            high, rest = divmod(n, size)
            first, last = hindi(high), hindi(rest) if rest else ""
            return f"{first} {name} {last}".strip() if first and last is not None else None
    return None


SPANISH = Tongue(
    code="es-ES",
    letters="be de efe ge ka eme ene pe erre te",
    say=by_library("es"),
    digits=("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"),
    point=",", thousands=".", point_word="coma",
    money="{} €", money_written=("{} €", "{} euros", "{} EUR"), money_spoken=("{} euros",),
    money_other=("dólares", "libras", "pesos"), cents="{} euros con {}",
    percent="{} %", percent_written=("{} %", "{}%"), percent_spoken=("{} por ciento",),
    units={"kg": ("kg", "kilos"), "km": ("km", "kilómetros"), "mg": ("mg", "miligramos")},
    ratios={"km": ("km/h", "kilómetros por hora"), "mg": ("mg/kg",)},
    months=("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto",
            "septiembre", "octubre", "noviembre", "diciembre"),
    day_alone="{} de {}",
    date="{} de {} de {}", date_written=("{} de {} de {}",), day_spoken="{} de {} de {}",
    clock_written=("{}:{}", "{}.{}"), clock="{} y {}",
    sentences=("{}", "pues son {} por favor", "me dijo {}, gracias", "Es {}."),
    counted="{} personas", scales={1000: "mil"},
    phone=(3, 3, 3), phone_first="6",
)  # fmt: skip
FRENCH = Tongue(
    code="fr-FR",
    letters="bé dé effe gé ka emme enne pé erre té",
    say=by_library("fr"),
    digits=("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"),
    point=",", thousands=" ", point_word="virgule",
    money="{} €", money_written=("{} €", "{} euros", "{} EUR"), money_spoken=("{} euros",),
    money_other=("dollars", "livres", "francs suisses"), cents="{} euros {}",
    percent="{} %", percent_written=("{} %", "{}%"), percent_spoken=("{} pour cent",),
    units={"kg": ("kg", "kilos"), "km": ("km", "kilomètres"), "mg": ("mg", "milligrammes")},
    ratios={"km": ("km/h", "kilomètres à l'heure"), "mg": ("mg/kg",)},
    months=("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août",
            "septembre", "octobre", "novembre", "décembre"),
    day_alone="{} {}",
    date="{} {} {}", date_written=("{} {} {}", "le {} {} {}"), day_spoken="{} {} {}",
    clock_written=("{}:{}", "{} h {}", "{}h{}"), clock="{} heures {}",
    sentences=("{}", "alors c'est {} merci", "il a dit {} voilà", "C'est {}."),
    counted="{} personnes", scales={1000: "mille"},
    phone=(2, 2, 2, 2, 2), phone_first="0",
)  # fmt: skip
GERMAN = Tongue(
    code="de-DE",
    letters="be de eff ge ka emm enn pe err te",
    say=german,
    digits=("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"),
    point=",", thousands=".", point_word="Komma",
    money="{} €", money_written=("{} €", "{} Euro", "{} EUR"), money_spoken=("{} Euro",),
    money_other=("Dollar", "Franken", "Pfund"), cents="{} Euro {}",
    percent="{} %", percent_written=("{} %", "{}%", "{} Prozent"), percent_spoken=("{} Prozent",),
    units={"kg": ("kg", "Kilo"), "km": ("km", "Kilometer"), "mg": ("mg", "Milligramm")},
    ratios={"km": ("km/h", "Kilometer pro Stunde"), "mg": ("mg/kg",)},
    months=("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August",
            "September", "Oktober", "November", "Dezember"),
    day_alone="{}. {}",
    date="{}. {} {}", date_written=("{}. {} {}", "am {}. {} {}"), day_spoken="",
    clock_written=("{}:{}", "{}.{} Uhr", "{}:{} Uhr", "{} Uhr {}"), clock="{} Uhr {}",
    sentences=("{}", "also das sind {} bitte", "er sagte {}, danke", "Das ist {}."),
    counted="{} Leute", scales={1000: "Tausend"},
    phone=(4, 3, 4), phone_first="0",
)  # fmt: skip
PORTUGUESE = Tongue(
    code="pt-BR",
    letters="bê dê efe gê cá eme ene pê erre tê",
    say=by_library("pt_BR"),
    digits=("zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove"),
    point=",", thousands=".", point_word="vírgula",
    money="R$ {}", money_written=("R$ {}", "R${}", "{} reais"), money_spoken=("{} reais",),
    money_other=("dólares", "euros", "pesos"), cents="{} reais e {} centavos",
    percent="{}%", percent_written=("{}%", "{} %"), percent_spoken=("{} por cento",),
    units={"kg": ("kg", "quilos"), "km": ("km", "quilômetros"), "mg": ("mg", "miligramas")},
    ratios={"km": ("km/h", "quilômetros por hora"), "mg": ("mg/kg",)},
    months=("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto",
            "setembro", "outubro", "novembro", "dezembro"),
    day_alone="{} de {}",
    date="{} de {} de {}", date_written=("{} de {} de {}",), day_spoken="{} de {} de {}",
    clock_written=("{}h{}", "{}:{}"), clock="{} e {}",
    sentences=("{}", "então são {} por favor", "ele disse {}, obrigado", "Isso é {}."),
    counted="{} pessoas", scales={1000: "mil"},
    phone=(2, 5, 4), phone_first="1",
)  # fmt: skip
ITALIAN = Tongue(
    code="it-IT",
    letters="bi di effe gi kappa emme enne pi erre ti",
    say=by_library("it"),
    digits=("zero", "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"),
    point=",", thousands=".", point_word="virgola",
    money="{} €", money_written=("{} €", "€ {}", "{} euro"), money_spoken=("{} euro",),
    money_other=("dollari", "sterline", "franchi"), cents="{} euro e {}",
    percent="{} %", percent_written=("{} %", "{}%"), percent_spoken=("{} per cento",),
    units={"kg": ("kg", "chili"), "km": ("km", "chilometri"), "mg": ("mg", "milligrammi")},
    ratios={"km": ("km/h", "chilometri all'ora"), "mg": ("mg/kg",)},
    months=("gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto",
            "settembre", "ottobre", "novembre", "dicembre"),
    day_alone="{} {}",
    date="{} {} {}", date_written=("{} {} {}", "il {} {} {}"), day_spoken="{} {} {}",
    clock_written=("{}:{}", "{}.{}"), clock="{} e {}",
    sentences=("{}", "allora sono {} per favore", "ha detto {}, grazie", "È {}."),
    counted="{} persone", scales={1000: "mila"},
    phone=(3, 7), phone_first="3",
)  # fmt: skip
TURKISH_TONGUE = Tongue(
    code="tr",
    letters="be de fe ge ke me ne pe re te",
    say=turkish,
    digits=("sıfır", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz"),
    point=",", thousands=".", point_word="virgül",
    money="{} TL", money_written=("{} TL", "{} lira", "₺{}"), money_spoken=("{} lira",),
    money_other=("dolar", "avro", "sterlin"), cents="{} lira {} kuruş",
    percent="%{}", percent_written=("%{}", "yüzde {}"), percent_spoken=("yüzde {}",),
    units={"kg": ("kg", "kilo"), "km": ("km", "kilometre"), "mg": ("mg", "miligram")},
    ratios={"km": ("km/h",), "mg": ("mg/kg",)},
    months=("Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran", "Temmuz", "Ağustos", "Eylül",
            "Ekim", "Kasım", "Aralık"),
    day_alone="{} {}",
    date="{} {} {}", date_written=("{} {} {}",), day_spoken="{} {} {}",
    clock_written=("{}.{}", "{}:{}"), clock="{} {}",
    sentences=("{}", "yani {} lütfen", "bana {} dedi", "Tamam, {}."),
    counted="{} kişi", scales={1000: "bin"},
    phone=(4, 3, 2, 2), phone_first="0",
)  # fmt: skip
VIETNAMESE = Tongue(
    code="vi",
    letters="bê dê ép giê ka em-mờ en-nờ pê e-rờ tê",
    say=vietnamese,
    digits=("không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín"),
    point=",", thousands=".", point_word="phẩy",
    money="{} đ", money_written=("{} đ", "{}đ", "{} đồng", "{} VND"), money_spoken=("{} đồng",),
    money_other=("đô", "euro"),
    percent="{}%", percent_written=("{}%", "{} %"), percent_spoken=("{} phần trăm",),
    units={"kg": ("kg", "kí"), "km": ("km",), "ml": ("ml",)},
    ratios={"km": ("km/h", "km một giờ"), "ml": ("ml/kg",)},
    months=("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"),
    day_alone="ngày {} tháng {}",
    date="{:02}/{:02}/{}", date_written=("ngày {} tháng {} năm {}",), day_spoken="",
    clock_written=("{}:{}", "{}h{}", "{} giờ {}"), clock="{} giờ {}",
    sentences=("{}", "dạ là {} ạ", "em ghi {} nhé", "Đúng rồi, {}."),
    counted="{} người", phone=(4, 3, 3), phone_first="0", dozens=False,
)  # fmt: skip
MANDARIN = Tongue(
    code="zh",
    say=mandarin,
    digits=tuple(HAN),
    point=".", thousands=",", point_word="点",
    money="¥{}", money_written=("¥{}", "{}元", "{}块"), money_spoken=("{}元", "{}块钱"),
    money_other=("美元", "欧元", "港币"),
    percent="{}%", percent_written=("{}%",), percent_spoken=("百分之{}",),
    units={"公斤": ("公斤", "kg"), "公里": ("公里", "km"), "毫升": ("毫升", "ml")},
    ratios={"公里": ("公里每小时", "km/h")},
    months=tuple(str(n) for n in range(1, 13)),
    day_alone="{1}月{0}日",
    date="{2}年{1}月{0}日", date_written=("{2}年{1}月{0}日", "{2}年{1}月{0}号"),
    day_spoken="{2}年{1}月{0}号",
    clock_written=("{}:{}", "{}点{}分"), clock="{}点{}分",
    sentences=("{}", "您好，{}，谢谢。", "好的{}，对。", "应该是{}。"),
    counted="{}个人", joint="", year=han_digits, phone=(3, 4, 4), phone_first="1", dozens=False,
)  # fmt: skip
JAPANESE = Tongue(
    code="ja",
    letters="ビー ディー エフ ジー ケー エム エヌ ピー アール ティー",
    say=by_library("ja"),
    digits=("〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"),
    point=".", thousands=",", point_word="点",
    money="{}円", money_written=("{}円", "¥{}"), money_spoken=("{}円",),
    money_other=("ドル", "ユーロ", "元"),
    percent="{}%", percent_written=("{}%", "{}パーセント"), percent_spoken=("{}パーセント",),
    units={"kg": ("kg", "キロ"), "cm": ("cm", "センチ"), "ml": ("ml", "ミリリットル")},
    ratios={"kg": (), "ml": ()},
    months=tuple(str(n) for n in range(1, 13)),
    day_alone="{1}月{0}日",
    date="{2}年{1}月{0}日", date_written=("{2}年{1}月{0}日",), day_spoken="{2}年{1}月{0}日",
    clock_written=("{}:{}", "{}時{}分"), clock="{}時{}分",
    sentences=("{}", "はい、{}です。", "えーと、{}でお願いします。", "たしか{}でした。"),
    counted="{}人", joint="", phone=(3, 4, 4), phone_first="0", dozens=False,
)  # fmt: skip
HINDI_TONGUE = Tongue(
    code="hi",
    letters="बी डी एफ जी के एम एन पी आर टी",
    say=hindi,
    digits=HINDI[:10],
    point=".", thousands=",", point_word="दशमलव",
    money="₹{}", money_written=("₹{}", "{} रुपये", "Rs {}"), money_spoken=("{} रुपये",),
    money_other=("डॉलर", "यूरो"),
    percent="{}%", percent_written=("{}%", "{} प्रतिशत"), percent_spoken=("{} प्रतिशत", "{} परसेंट"),
    units={"kg": ("kg", "किलो"), "km": ("km", "किलोमीटर"), "ml": ("ml", "एमएल")},
    ratios={"km": ("km/h",), "ml": ("ml/kg",)},
    months=("जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर",
            "नवंबर", "दिसंबर"),
    day_alone="{} {}",
    date="{} {} {}", date_written=("{} {} {}",), day_spoken="",
    clock_written=("{}:{}",), clock="",
    sentences=("{}", "हाँ {} है", "मेरा {} लिख लीजिए", "हाँ, {}।"),
    counted="{} लोग", phone=(5, 5), phone_first="9", dozens=False, unclear="12",
)  # fmt: skip
TONGUES: tuple[Tongue, ...] = (
    SPANISH, FRENCH, GERMAN, PORTUGUESE, ITALIAN, TURKISH_TONGUE, VIETNAMESE, MANDARIN, JAPANESE,
    HINDI_TONGUE,
)  # fmt: skip
