"""Mandarin (zh-CN, zh-TW), simplified and traditional."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
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

_CLDR: Final = common.cldr("zh")


def _simplified() -> dict[str, str]:
    """Traditional character -> simplified one; see tools/hanzi.py."""
    path = files("pytest_asrbench.verifiers.packs") / "hanzi.txt"
    old, new = path.read_text(encoding="utf-8").split()
    return dict(zip(old, new, strict=True)) | {"裡": "里", "妳": "你", "臺": "台"}


NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=common.sequence(
            "零|〇|○ 一|壹 二|两|贰 三|叁 四|肆 五|伍 六|陆 七|柒 八|捌 九|玖",
        ),
        places=(
            GrammarPlace(value=10**8, words=("亿",), most=9999),
            GrammarPlace(value=10**4, words=("万",), most=9999),
            GrammarPlace(value=10**3, words=("千", "仟")),
            GrammarPlace(value=100, words=("百", "佰"), bare=True, one="一"),
            GrammarPlace(value=10, words=("十", "拾"), bare=True),
        ),
        gaps=("零", "〇"),
        tails=True,
        spaced=False,
    ),
    never=(r"百分", r"千分", r"千万(?=不|别|要|记)", r"(?<![点时差过])十分(?!钟|之)", r"一(?:下|共|起|些|样|直|定|般|边|会|点儿|旦)",
           r"万一", r"三星", r"百度", r"千克", r"七夕", r"九寨", r"五金", r"两边"),
    only_digits={"幺": 1},
    homophones={"是": 4, "事": 4, "妖": 1, "要": 1, "腰": 1, "吧": 8, "把": 8, "就": 9, "溜": 6, "而": 2,
                "儿": 2},
    times=("个",),
    repeats={},
    points=("点",),
    scales={"千": 10**3, "万": 10**4, "亿": 10**8, "百万": 10**6, "千万": 10**7, "k": 10**3,
            "百": 100, "w": 10**4},
    halves={"半": Fraction(1, 2)},
    parts={"半": Fraction(1, 2)},
    minus=("负", "零下"),
    ranges=("到", "至", "或"),
    inexact=("多", "几", "来", "余", "左右", "大约", "将近"),
    marks={"": (".", ",")},
    zeros=frozenset({"零"}),
)  # fmt: skip

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("艾特", "圈a", "a圈", "小老鼠"),
        ".": ("点",),
        "-": ("横杠", "横线", "短横", "短横线", "中划线", "连字符", "减号", "杠", "中横线", "减"),
        "_": ("下划线", "底线", "下横线"),
        "/": ("斜杠", "斜线"),
        "//": ("双斜杠",),
        ":": ("冒号",),
        "+": ("加号", "加"),
        "#": ("井号",),
        "*": ("星号",),
        "=": ("等号", "等于"),
        "?": ("问号",),
        "www": ("三w", "三个w"),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    doubles={"两个": 2, "双": 2},
    behind=("的",),
    glosses=("大写", "小写", "大写的", "小写的"),
    described=(r"(?:\w{1,4}的)?", r"(?:[, ]*\w{2}{c})?(?:[, ]|名字?|叫|是|和|然后)*"),
)

CLOCK: Final = ClockWords(
    said="{h}点{m}分",
    said_whole="{h}点",
    templates=(
        "{hh}:{mm}",
        "{hh}:{mm}:{s}",
        "{h} 点|点钟|时",
        "{h} 点整",
        "{h} 点|时 {m} 分?",
        "{h} 点 过 {m} 分?",
        "{h} 点 半 = +30",
        "{h} 点 一刻 = +15",
        "{h} 点 三刻 = +45",
        "差 {m} 分? {h} 点|点钟 = -m",
        "差 一刻 {h} 点|点钟 = -15",
        "{h} 点 差 {m} 分 = -m",
        "{h} 点 差 一刻 = -15",
        "正午 = 12:00",
        "午夜 = 0:00",
    ),
    parts={
        "凌晨": "am", "早上": "am", "上午": "am", "早晨": "am", "清晨": "am", "中午": "noon",
        "下午": "pm", "傍晚": "pm", "晚上": "night", "夜里": "night", "晚间": "night",
        "半夜": "night", "深夜": "night", "早": "am", "晚": "night", "今晚": "night",
        "明早": "am", "今早": "am", "明晚": "night",
    } | common.HALVES,
)  # fmt: skip

_DAYS: Final = "一二三四五六日"

CALENDAR: Final = Calendar(
    said="{y}年{mn}月{d}日",
    months=common.series(_CLDR["months"], {1: ("元月",)}),
    weekdays=tuple(
        (f"星期{d}", f"周{d}", f"礼拜{d}", *(("星期天", "周天", "礼拜天") if d == "日" else ()),
         f"星期{n}", f"周{n}")
        for n, d in enumerate(_DAYS, 1)
    ),
    orders={
        "": (
            *common.MONTH_FIRST,
            "{mn}.{d} 号|日",
            "{y} 年 {mn} 月 {d} 日|号?",
            "{mn} 月 {d} 日|号?",
            "{y} 年 {mon} {d} 日|号?",
            "{mon} {d} 日|号?",
            "{y} 年 {mn} 月|月份",
            "{wd}",
            "{y} 年 {mn} 月 {d} 日|号? ,? (? {wd} )?",
            "{mn} 月 {d} 日|号? ,? (? {wd} )?",
            "{wd} ,? {mn} 月 {d} 日|号?",
            "{wd} ,? {y} 年 {mn} 月 {d} 日|号?",
            "{y}-{mn}-{d} ,? (? {wd}",
            "{yy} 年 {mn} 月 {d} 日|号?",
        ),
    },
)  # fmt: skip

UNITS: Final = Units(
    percent=("percent",),
    percent_before=("百分之",),
    permille=(),
    names=common.units(_CLDR, {
        "kg": ("公斤", "千克"), "斤": ("斤", "市斤"), "g": ("克",), "mg": ("毫克",),
        "cm": ("厘米", "公分"), "mm": ("毫米",), "m": ("米",), "km": ("公里", "千米"),
        "ml": ("毫升",), "l": ("升", "公升"), "m²": ("平米", "平方米", "平", "平方", "㎡"),
        "°C": ("摄氏度", "度c"), "°F": ("华氏度",), "h": ("小时", "个小时", "钟头", "个钟头"),
        "min": ("分钟",), "s": ("秒", "秒钟"), "day": ("天",), "week": ("周", "个星期", "星期"),
        "month": ("个月",), "year": ("年",), "km/h": ("公里每小时", "公里/小时", "千米每小时"),
        "kWh": ("千瓦时", "度电"), "t": ("吨",), "两": ("两",), "寸": ("寸", "英寸"),
    }),
    loose={"°C": ("度", "°")},
    per=("每", "/"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "CNY": ("元", "块", "块钱", "圆", "人民币", "元人民币", "rmb", "块人民币", "元钱"),
            "USD": ("美元", "美金"), "HKD": ("港币", "港元"), "EUR": ("欧元",),
            "JPY": ("日元",), "GBP": ("英镑",), "TWD": ("台币", "新台币"),
        },
        {"CNY": ("分", "分钱"), "USD": ("美分",)},
        signs={"CNY": ("¥", "￥", "cn¥", "rmb"), "JPY": ("jp¥",)},
        tenth={"CNY": ("毛", "角", "毛钱")},
    ),
    links=("零",),
)  # fmt: skip

ADDRESSES: Final = Addresses(
    words=(("幢", "栋"), ("号楼", "号楼")),
    free=("省", "市", "的", "在"),
    titles=("先生", "女士", "老师", "经理"),
    phones={"": ("86", "")},
)

MANDARIN: Final = Pack(
    language="zh",
    region="CN",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"嗯", "呃", "额", "啊", "那个", "然后", "就是", "对", "哈"}),
    script=Script(
        unspaced=True,
        swaps=_simplified(),
        follow="的是在说先女老经小您我你他她它们这那有已也都就和跟与及或把被给让向到从去来要会能可应将正刚还又"
        "再不没吗呢吧啊哦呀了过着签负主总教授医师同志部组队做写打联电收接发请帮今明昨上下因所以等",
    ),
    rules={
        "phone_number": (1, 3, 18), "email_address": (6,), "url": (6,), "reference_id": (3, 7),
        "account_or_record_number": (3, 5), "spelled_sequence": (7,), "plain_number": (2, 5),
        "currency_amount": (12,), "percentage": (13,), "date": (15,), "time": (16,),
        "measurement": (14,), "postal_address": (11, 17), "person_or_team_name": (8, 9, 10),
        "product_code": (3, 7), "version": (19,), "acronym_or_initialism": (7,),
        "domain_term": (8,),
    },
)  # fmt: skip
