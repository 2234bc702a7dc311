"""
Values and their neighbours in other languages than English, said in the ways of each language.

Words come from num2words and from the tables here, not from the packs; where num2words has no
language (zh, hi), the pack's own numbers are said.

    >>> example("es", Random(1)).transcript  # doctest: +SKIP
    'pues son cuarenta y dos euros nada más'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from num2words import num2words

from pytest_asrbench.verifiers.packs import pack


@dataclass(frozen=True)
class Example:
    language: str
    type: str
    canonical: str
    transcript: str
    present: bool
    kind: str


@dataclass(frozen=True)
class Tongue:
    """How one language says things."""

    code: str
    around: tuple[tuple[str, str], ...]
    """What stands before and after a value in a neutral sentence."""
    money: str
    """Canonical form of an amount; {n} is a figure."""
    money_said: tuple[str, ...]
    percent: str
    percent_said: tuple[str, ...]
    measure: str
    measure_said: tuple[str, ...]
    half: str
    """A number and a half, {n} being the number."""
    point: str
    """"3 point 5"; {n} and {d} are words."""
    mark: tuple[str, str]
    """Decimal mark, thousands mark."""
    months: tuple[str, ...]
    date: str
    date_said: tuple[str, ...]
    """{d}, {mon}, {y} in words or figures."""
    date_figures: tuple[str, ...]
    time_said: tuple[str, ...]
    """{h} and {m} in words."""
    time_figures: tuple[str, ...]
    letters: dict[str, str]
    """Names of letters, as they are said."""
    spaced: str = " "
    num2words: str | None = None
    first: dict[int, str] = field(default_factory=dict)
    """Days that are said in a way of their own."""
    ordinal_days: bool = False

    def say(self, number: int) -> str:
        if self.num2words is None:
            return pack(self.code).numbers.grammar.say(number)
        return num2words(number, lang=self.num2words).replace(",", "")

    def day(self, number: int) -> str:
        if not self.ordinal_days:
            return self.say(number)
        return num2words(number, lang=self.num2words or "", to="ordinal")

    def figure(self, number: int) -> str:
        return f"{number:,}".replace(",", self.mark[1]) if number >= 1000 else str(number)


MONTHS = {
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre"
          " diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro"
          " dezembro",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre"
          " dicembre",
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
    "vi": "một|hai|ba|tư|năm|sáu|bảy|tám|chín|mười|mười một|mười hai",
    "hi": "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
}  # fmt: skip


def months(code: str) -> tuple[str, ...]:
    return tuple(MONTHS[code].split())


def letters(text: str) -> dict[str, str]:
    pairs = text.split()
    return {pair[0]: pair[2:].replace("_", " ") for pair in pairs}


TONGUES = {
    t.code: t
    for t in (
        Tongue(
            "es", (("bueno son", "nada más"), ("le confirmo que es", "gracias")),
            "{n} €", ("{w} euros",), "{n} %", ("{w} por ciento",), "{n} kg", ("{w} kilos",),
            "{n} y medio", "{n} coma {d}", (",", "."), months("es"),
            "{d} de {mon} de {y}", ("{d} de {mon} de {y}", "{d} de {mon} del {y}"),
            ("{dd}/{mm}/{y}", "{dd}-{mm}-{y}"), ("las {h} y {m}", "{h} {m}"),
            ("{h}:{mm}", "{h}.{mm} horas"),
            letters("b:be c:ce d:de f:efe g:ge h:hache k:ka l:ele m:eme p:pe r:erre s:ese t:te"),
            num2words="es",
        ),
        Tongue(
            "fr", (("alors c'est", "merci"), ("je vous confirme", "voilà")),
            "{n} €", ("{w} euros",), "{n} %", ("{w} pour cent",), "{n} kg", ("{w} kilos",),
            "{n} et demi", "{n} virgule {d}", (",", " "), months("fr"),
            "{d} {mon} {y}", ("le {d} {mon} {y}",), ("{dd}/{mm}/{y}", "{dd}.{mm}.{y}"),
            ("{h} heures {m}",), ("{h} h {mm}", "{h}:{mm}"),
            letters("b:bé c:cé d:dé f:effe h:ache k:ka m:emme p:pé r:erre s:esse t:té"),
            num2words="fr", first={1: "premier"},
        ),
        Tongue(
            "de", (("also das sind", "danke"), ("ich bestätige", "bitte")),
            "{n} €", ("{w} Euro",), "{n} %", ("{w} Prozent",), "{n} kg", ("{w} Kilo",),
            "{n}einhalb", "{n} Komma {d}", (",", "."), months("de"),
            "{d}. {mon} {y}", ("{d} {mon} {y}",), ("{dd}.{mm}.{y}",),
            ("{h} Uhr {m}",), ("{h}:{mm} Uhr", "{h}.{mm} Uhr"),
            letters("b:be d:de f:eff g:ge h:ha k:ka l:ell m:emm p:pe r:err s:ess t:te"),
            num2words="de", ordinal_days=True,
        ),
        Tongue(
            "pt", (("olha são", "obrigado"), ("confirmo que é", "por favor")),
            "R$ {n}", ("{w} reais",), "{n}%", ("{w} por cento",), "{n} kg", ("{w} quilos",),
            "{n} e meio", "{n} vírgula {d}", (",", "."), months("pt"),
            "{d} de {mon} de {y}", ("{d} de {mon} de {y}",), ("{dd}/{mm}/{y}",),
            ("às {h} e {m}", "{h} horas e {m} minutos"), ("{h}h{mm}", "{h}:{mm}"),
            letters("b:bê c:cê d:dê f:efe g:gê h:agá l:ele m:eme p:pê r:erre s:esse t:tê"),
            num2words="pt_BR", first={1: "primeiro"},
        ),
        Tongue(
            "it", (("allora sono", "grazie"), ("le confermo", "prego")),
            "{n} €", ("{w} euro",), "{n}%", ("{w} per cento",), "{n} kg", ("{w} chili",),
            "{n} e mezzo", "{n} virgola {d}", (",", "."), months("it"),
            "{d} {mon} {y}", ("il {d} {mon} {y}",), ("{dd}/{mm}/{y}", "{dd}-{mm}-{y}"),
            ("le {h} e {m}",), ("{h}:{mm}", "{h}.{mm}"),
            letters("b:bi c:ci d:di f:effe g:gi h:acca k:kappa l:elle m:emme p:pi r:erre t:ti"),
            num2words="it", first={1: "primo"},
        ),
        Tongue(
            "tr", (("tamam", "teşekkürler"), ("onaylıyorum", "lütfen")),
            "{n} TL", ("{w} lira",), "%{n}", ("yüzde {w}",), "{n} kg", ("{w} kilo",),
            "{n} buçuk", "{n} virgül {d}", (",", "."), months("tr"),
            "{d} {mon} {y}", ("{d} {mon} {y}",), ("{dd}.{mm}.{y}", "{dd}/{mm}/{y}"),
            ("saat {h} {m}",), ("{h}:{mm}", "{h}.{mm}"),
            letters("b:be c:ce d:de g:ge k:ke p:pe s:se t:te z:ze"),
        ),
        Tongue(
            "vi", (("dạ em xác nhận", "rồi"), ("số", "đây")),
            "{n} đồng", ("{w} đồng",), "{n}%", ("{w} phần trăm",), "{n} kg", ("{w} kí",),
            "{n} rưỡi", "{n} phẩy {d}", (",", "."),
            tuple(f"tháng {month}" for month in MONTHS["vi"].split("|")),
            "{d}/{mm}/{y}", ("ngày {d} {mon} năm {y}",), ("{dd}/{mm}/{y}", "{dd}-{mm}-{y}"),
            ("{h} giờ {m}", "{h} giờ {m} phút"), ("{h}:{mm}", "{h}h{mm}"),
            letters("b:bê d:dê h:hát k:ca p:pê t:tê v:vê"),
        ),
        Tongue(
            "hi", (("जी यह", "है"), ("मैं पक्का करता हूँ", "ठीक है")),
            "₹{n}", ("{w} रुपये",), "{n}%", ("{w} प्रतिशत",), "{n} kg", ("{w} किलो",),
            "साढ़े {n}", "{n} दशमलव {d}", (".", ","), months("hi"),
            "{d} {mon} {y}", ("{d} {mon} {y}",), ("{dd}/{mm}/{y}", "{dd}-{mm}-{y}"),
            ("{h} बजकर {m} मिनट",), ("{h}:{mm}",),
            letters("b:बी d:डी f:एफ h:एच k:के m:एम p:पी r:आर t:टी"),
        ),
        Tongue(
            "zh", (("好的，", "，谢谢"), ("确认一下，", "，对吗")),
            "¥{n}", ("{w}元", "{w}块"), "{n}%", ("百分之{w}",), "{n}公斤", ("{w}公斤",),
            "", "{n}点{d}", (".", ","), tuple(f"{n}月" for n in range(1, 13)),
            "{y}年{m}月{d}日", ("{y}年{m}月{d}号",), ("{y}年{m}月{d}日", "{y}-{mm}-{dd}"),
            ("{h}点{m}分",), ("{h}:{mm}",), letters("b:b d:d k:k p:p t:t"), spaced="",
        ),
        Tongue(
            "ja", (("はい、", "です"), ("確認します、", "、以上です")),
            "{n}円", ("{w}円",), "{n}%", ("{w}パーセント",), "{n}kg", ("{w}キログラム",),
            "", "{n}点{d}", (".", ","), tuple(f"{n}月" for n in range(1, 13)),
            "{y}年{m}月{d}日", ("{y}年{m}月{d}日",), ("{y}年{m}月{d}日", "{y}/{mm}/{dd}"),
            ("{h}時{m}分",), ("{h}:{mm}", "{h}時{mm}分"),
            letters("b:ビー d:ディー f:エフ h:エイチ k:ケー m:エム p:ピー t:ティー"), spaced="",
        ),
    )
}  # fmt: skip


# --- neighbours ----------------------------------------------------------------------------------


def other_number(number: int, random: Random) -> tuple[int, str]:
    """A number near this one, and how."""
    text = str(number)
    swapped = int(text[1] + text[0] + text[2:]) if len(text) > 1 else number
    options = [
        (number + 1, "one more"), (number * 10, "times ten"), (number + 20, "tens in front"),
        (number + 100, "hundreds in front"), (number * 1000, "times a thousand"),
        (number + 1000, "thousands in front"), (swapped, "figures swapped"),
        (number // 10, "a figure less"), (int(text + "7"), "a figure more"),
        (int("3" + text), "a figure more in front"),
    ]  # fmt: skip
    found = [(n, how) for n, how in options if n != number and 0 < n < 10**6]
    return random.choice(found)


def other_digits(digits: str, random: Random) -> tuple[str, str]:
    """Digits near these."""
    k = random.randrange(len(digits))
    changed = digits[:k] + str((int(digits[k]) + random.randint(1, 9)) % 10) + digits[k + 1 :]
    swap = digits[:k] + digits[k + 1 : k + 2] + digits[k] + digits[k + 2 :]
    options = [
        (changed, "another figure"), (digits + str(random.randrange(10)), "a figure more"),
        (str(random.randrange(10)) + digits, "a figure more in front"),
        (digits[:-1], "a figure less"), (digits[1:], "a figure less in front"),
        (swap, "figures swapped"),
    ]  # fmt: skip
    # A last "không" may be a question's tag (vi 4): disputable, so no 0 is added at the end.
    found = [(d, how) for d, how in options if d != digits and d != digits + "0"]
    return random.choice(found)


def quantity(tongue: Tongue, random: Random) -> Example:
    """An amount, percentage or measure, and another one."""
    type, canonical, said = random.choice([
        ("currency_amount", tongue.money, tongue.money_said),
        ("percentage", tongue.percent, tongue.percent_said),
        ("measurement", tongue.measure, tongue.measure_said),
    ])  # fmt: skip
    number = random.choice([random.randint(2, 99), random.randint(100, 999),
                            random.randint(1000, 9999), random.randint(10, 99) * 1000])  # fmt: skip
    wanted = canonical.format(n=tongue.figure(number))
    present = random.random() < 0.35
    heard, kind = (number, "own form") if present else other_number(number, random)
    word = tongue.say(heard)
    if not present and random.random() < 0.3:
        heard, small = number, number < 20
        if tongue.half and small and random.random() < 0.5:
            word, kind = tongue.half.format(n=tongue.say(number)), "and a half"
        else:
            word = tongue.point.format(n=tongue.say(number), d=tongue.say(random.randint(1, 9)))
            kind = "decimals"
        return _example(
            tongue, type, wanted, random.choice(said).format(w=word), False, kind, random
        )
    if random.random() < 0.5:
        shown = canonical.format(n=random.choice([tongue.figure(heard), str(heard)]))
        if not present and random.random() < 0.2:
            shown = canonical.format(n=f"{number}{tongue.mark[0]}{random.randint(1, 9)}")
            kind = "decimals in figures"
    else:
        shown = random.choice(said).format(w=word)
    return _example(tongue, type, wanted, shown, present, kind, random)


def date(tongue: Tongue, random: Random) -> Example:
    """A date and another one."""
    day, month, year = random.randint(1, 28), random.randint(1, 12), random.randint(1985, 2029)
    wanted = _date(tongue, tongue.date, day, month, year, figures=True)
    present = random.random() < 0.4
    kind = "own form"
    if not present:
        kind, (day, month, year) = random.choice([
            ("another day", (day % 28 + 1, month, year)),
            ("ten days later", (day + 10 if day < 19 else day - 10, month, year)),
            ("another month", (day, month % 12 + 1, year)),
            ("another year", (day, month, year + 1)),
            ("ten years later", (day, month, year + 10)),
        ])  # fmt: skip
    if random.random() < 0.5:
        shown = _date(tongue, random.choice(tongue.date_figures), day, month, year, figures=True)
    else:
        shown = _date(tongue, random.choice(tongue.date_said), day, month, year, figures=False)
    return _example(tongue, "date", wanted, shown, present, kind, random)


def _date(tongue: Tongue, template: str, day: int, month: int, year: int, *, figures: bool) -> str:
    def word(n: int) -> str:
        return str(n) if figures else tongue.say(n)

    said_day = word(day) if figures else tongue.first.get(day, tongue.day(day))
    return template.format(
        d=said_day, m=word(month), mon=tongue.months[month - 1], y=word(year), dd=f"{day:02}",
        mm=f"{month:02}",
    )  # fmt: skip


def time(tongue: Tongue, random: Random) -> Example:
    """A clock time of 24 hours and another one."""
    hour, minute = random.randint(1, 23), random.randint(10, 59)
    wanted = f"{hour}:{minute:02}"
    present = random.random() < 0.4
    kind = "own form"
    if not present:
        kind, (hour, minute) = random.choice([
            ("another minute", (hour, minute + 1 if minute < 59 else 58)),
            ("ten minutes later", (hour, minute + 10 if minute < 50 else minute - 10)),
            ("another hour", (hour + 1 if hour < 23 else 22, minute)),
            ("twelve hours apart", ((hour + 12) % 24 or 11, minute)),
        ])  # fmt: skip
    written = random.random() < 0.5
    template = random.choice(tongue.time_figures if written else tongue.time_said)
    h, m = (str(hour), str(minute)) if written else (tongue.say(hour), tongue.say(minute))
    shown = template.format(h=h, m=m, mm=f"{minute:02}")
    return _example(tongue, "time", wanted, shown, present, kind, random)


def number_of_digits(tongue: Tongue, random: Random) -> Example:
    """A phone or record number, read out singly, in pairs or written."""
    type = random.choice(["phone_number", "account_or_record_number"])
    digits = "".join(str(random.randrange(10)) for _ in range(random.randint(6, 9)))
    digits = str(random.randint(1, 9)) + digits
    present = random.random() < 0.4
    heard, kind = (digits, "own form") if present else other_digits(digits, random)
    return _example(
        tongue, type, digits, spoken_digits(tongue, heard, random), present, kind, random
    )


def code(tongue: Tongue, random: Random) -> Example:
    """A code of letters and figures."""
    head = "".join(random.choice(list(tongue.letters)) for _ in range(2))
    digits = str(random.randint(1, 9)) + "".join(str(random.randrange(10)) for _ in range(3))
    wanted = f"{head.upper()}-{digits}"
    present = random.random() < 0.4
    kind = "own form"
    if not present:
        if random.random() < 0.3:
            other = random.choice([c for c in tongue.letters if c != head[1]])
            head, kind = head[0] + other, "another letter"
        else:
            digits, kind = other_digits(digits, random)
            if kind == "a figure more in front":
                kind = "a figure more inside"
    if random.random() < 0.5:
        mark = random.choice(["-", "", " "])
        shown = f"{head.upper()}{mark}{digits}"
    else:
        spelled = tongue.spaced.join(tongue.letters[c] for c in head)
        shown = f"{spelled}{tongue.spaced}{spoken_digits(tongue, digits, random)}"
    return _example(tongue, "reference_id", wanted, shown, present, kind, random)


def spoken_digits(tongue: Tongue, digits: str, random: Random) -> str:
    way = random.choice(["singly", "figures", "grouped"])
    if way == "figures":
        return digits
    if way == "grouped":
        return " ".join(digits[k : k + 3] for k in range(0, len(digits), 3))
    return tongue.spaced.join(tongue.say(int(c)) for c in digits)


def _example(
    tongue: Tongue, type: str, canonical: str, shown: str, present: bool, kind: str, random: Random
) -> Example:
    before, after = random.choice(tongue.around)
    transcript = tongue.spaced.join((before, shown, after))
    return Example(tongue.code, type, canonical, transcript, present, kind)


MAKERS: tuple[Callable[[Tongue, Random], Example], ...] = (
    quantity, date, time, number_of_digits, code,
)  # fmt: skip


def example(language: str, random: Random) -> Example:
    """One example in a language."""
    return random.choice(MAKERS)(TONGUES[language], random)
