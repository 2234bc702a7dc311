"""Japanese (ja-JP): kanji, kana, Latin letters and figures, full width or not."""

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

_CLDR: Final = common.cldr("ja")
_DIGITS: Final = common.sequence(
    "零|〇|○|ゼロ|レイ|マル 一|壱|イチ|イッ 二|弐|ニイ|ニー 三|参|サン 四|ヨン|ヨ 五|ゴオ|ゴー|ゴ 六|ロク|ロッ",
    "七|ナナ|シチ 八|ハチ|ハッ 九|キュウ|キュー|クー",
)
_KANA: Final = {
    "れい": 0, "まる": 0, "いち": 1, "に": 2, "にい": 2, "さん": 3, "よん": 4, "し": 4, "ご": 5,
    "ごお": 5, "ろく": 6, "なな": 7, "しち": 7, "はち": 8, "きゅう": 9, "く": 9, "ぜろ": 0,
    "ニ": 2, "ク": 9, "シ": 4,
}  # fmt: skip
_DAYS: Final = [
    "ついたち",
    "ふつか",
    "みっか",
    "よっか",
    "いつか",
    "むいか",
    "なのか",
    "ようか",
    "ここのか",
    "とおか",
]

NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=_DIGITS,
        places=(
            GrammarPlace(value=10**12, words=("兆",), most=9999),
            GrammarPlace(value=10**8, words=("億", "オク"), most=9999),
            GrammarPlace(value=10**4, words=("万", "マン"), most=9999),
            GrammarPlace(value=10**3, words=("千", "セン", "ゼン"), least=2, bare=True),
            GrammarPlace(value=100, words=("百", "ヒャク", "ビャク", "ピャク"), least=2, bare=True),
            GrammarPlace(value=10, words=("十", "ジュウ", "ジュー"), least=2, bare=True),
        ),
        spaced=False,
    ),
    never=(r"一番(?!地|[一二三四五六七八九十\d])", r"(?<!時)(?<!時 )十分(?=[なにで]|[^\w]|$)", r"五十嵐", r"三菱", r"[一二]人", r"一緒",
           r"一応", r"一旦", r"一般", r"一度", r"一部", r"三井", r"千葉", r"四国", r"九州", r"八幡", r"万が",
           r"二子", r"六本木", r"七草", r"一方", r"百貨", r"三越", r"ヨーグ", r"サング", r"ゴール", r"マンシ",
           r"センタ", r"センチ", r"ヨット", r"ハッシ", r"ゴルフ", r"センサ", r"サンプ", r"ロック", r"ナナメ",
           r"千代", r"三鷹", r"八王", r"一郎", r"二郎", r"三郎"),
    only_digits=_KANA,
    repeats={"ダブル": 2, "トリプル": 3},
    points=("点", "テン"),
    scales={"十": 10, "百": 100, "千": 10**3, "万": 10**4, "億": 10**8, "兆": 10**12},
    halves={"半": Fraction(1, 2)},
    parts={"半": Fraction(1, 2)},
    minus=("マイナス",),
    ranges=("から", "か"),
    inexact=("数", "約", "ほど", "余り"),
    marks={"": (".", ",")},
    zeros=frozenset({"ゼロ", "零"}),
)  # fmt: skip

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("アットマーク", "アット"),
        ".": ("ドット", "点", "ポツ", "テン"),
        "-": ("ハイフン", "マイナス", "横棒", "ダッシュ"),
        "_": ("アンダーバー", "アンダースコア", "下線", "アンダーライン"),
        "/": ("スラッシュ",),
        "//": ("スラッシュスラッシュ", "ダブルスラッシュ"),
        ":": ("コロン",),
        "+": ("プラス",),
        "#": ("シャープ",),
        "*": ("アスタリスク", "米印"),
        "=": ("イコール",),
        "?": ("クエスチョン", "クエスチョンマーク"),
        ",": ("の",),
        "www": ("トリプルダブリュー", "ダブリューダブリューダブリュー", "ダブリュー3つ"),
        "gmail": ("ジーメール",), "yahoo": ("ヤフー",), "docomo": ("ドコモ",), "net": ("ネット",),
        "icloud": ("アイクラウド",), "outlook": ("アウトルック",), "hotmail": ("ホットメール",),
        "com": ("コム",),
        "jp": ("ジェーピー",),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    names=common.spelled("""
        a エー エイ
        b ビー
        c シー
        d ディー デー
        e イー
        f エフ
        g ジー
        h エイチ エッチ
        i アイ
        j ジェー ジェイ
        k ケー ケイ
        l エル
        m エム
        n エヌ
        o オー
        p ピー
        q キュー
        r アール
        s エス
        t ティー テー
        u ユー
        v ブイ
        w ダブリュー ダブル
        x エックス
        y ワイ
        z ゼット ズィー
    """),
    doubles={"ダブル": 2},
    behind=("の",),
    glosses=("大文字", "小文字", "大文字の", "小文字の"),
)  # fmt: skip

CLOCK: Final = ClockWords(
    said="{h}時{m}分",
    said_whole="{h}時",
    templates=(
        "{hh}:{mm}",
        "{hh}:{mm}:{s}",
        "{h} 時",
        "{h} 時 ちょうど",
        "{h} 時 {m} 分?",
        "{h} 時 半 = +30",
        "{h} 時 {m} 分 前 = -m",
        "{h} コロン {m}",
        "正午 = 12:00",
    ),
    parts={
        "午前": "am", "朝": "am", "午後": "pm", "昼": "noon", "夕方": "pm", "夜": "night",
        "お昼": "noon", "昼の": "noon", "朝の": "am", "夜の": "night", "夕方の": "pm",
        "午後の": "pm", "午前の": "am", "深夜": "night", "今夜": "night", "早朝": "am",
    } | common.HALVES,
)  # fmt: skip

_WEEK: Final = "月火水木金土日"

CALENDAR: Final = Calendar(
    said="{y}年{mn}月{d}日",
    months=common.series(_CLDR["months"]),
    weekdays=tuple((f"{d}曜日", f"{d}曜") for d in _WEEK),
    short=tuple(_WEEK),
    days={word: n for n, word in enumerate(_DAYS, 1)} | {"はつか": 20, "一日": 1},
    orders={
        "": (
            *common.MONTH_FIRST,
            "{y} 年 の? {mn} 月 の? {d} 日?",
            "{mn} 月 の? {d} 日?",
            "{y} 年 の? {mn} 月",
            "{wd}",
            "{y} 年 の? {mn} 月 の? {d} 日? の|,? (? {wd} )?",
            "{y} 年 の? {mn} 月 の? {d} 日? ( {wds} )?",
            "{mn} 月 の? {d} 日? の|,? (? {wd} )?",
            "{mn} 月 の? {d} 日? ( {wds} )?",
            "{mn}/{d} ( {wds} )?",
            "{y}/{mn}/{d} ( {wds} )?",
            "{wd} の? ,? {mn} 月 {d} 日?",
            "{y} 年 {mn}/{d}",
        ),
    },
)  # fmt: skip

UNITS: Final = Units(
    percent=("パーセント", "プロ"),
    permille=("パーミル",),
    names=common.units(_CLDR, {
        "kg": ("キログラム", "キログラム"), "g": ("グラム",), "mg": ("ミリグラム",),
        "m": ("メートル", "メーター"), "cm": ("センチ", "センチメートル"), "mm": ("ミリ", "ミリメートル"),
        "km": ("キロメートル",), "ml": ("ミリリットル",), "l": ("リットル",),
        "m²": ("平米", "平方メートル", "㎡", "へいべい"), "°C": ("度c", "摂氏度", "セルシウス度"),
        "h": ("時間",), "min": ("分", "分間"), "s": ("秒", "秒間"), "day": ("日", "日間"),
        "week": ("週間",), "month": ("か月", "ヶ月", "カ月", "ヵ月", "箇月"), "year": ("年", "年間"),
        "km/h": ("キロメートル毎時", "時速キロ"), "kWh": ("キロワット時", "キロワットアワー"),
        "GB": ("ギガ", "ギガバイト"), "MB": ("メガ", "メガバイト"), "t": ("トン",),
        "W": ("ワット",), "V": ("ボルト",),
    }),
    loose={"°C": ("度", "°"), "kg": ("キロ",), "km": ("キロ",)},
    per=("毎", "/"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "JPY": ("円", "えん", "日本円"),
            "USD": ("ドル", "米ドル"),
            "EUR": ("ユーロ",),
            "CNY": ("元", "人民元"),
            "GBP": ("ポンド",),
            "KRW": ("ウォン",),
        },
        {"JPY": ("銭",), "USD": ("セント",), "EUR": ("セント",)},
        signs={"JPY": ("¥", "￥", "jp¥"), "CNY": ("cn¥",)},
    ),
)

ADDRESSES: Final = Addresses(
    words=(("階", "f"), ("号室", "号室")),
    free=("丁目", "番地", "番", "号", "の", "〒", "郵便番号", "ハイフン"),
    titles=("様", "さん", "さま", "くん", "氏"),
    phones={"": ("81", "0")},
)

JAPANESE: Final = Pack(
    language="ja",
    region="JP",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"えー", "えーと", "えっとー", "ええと", "えっと", "あの", "あのー", "そのー", "まあ", "うーん", "はい",
                       "え", "ええ"}),
    script=Script(
        unspaced=True,
        joined=True,
        endings=("は", "が", "の", "を", "に", "で", "へ", "も", "と", "から", "まで", "です", "になります",
                 "ですので", "だ", "って", "より", "や"),
        follow="様氏君殿先部課係長主社教授博士医師本今明昨宛",
    ),
    rules={
        "phone_number": (1, 5, 17), "email_address": (6,), "url": (6,), "reference_id": (1, 7, 9),
        "account_or_record_number": (1, 5), "spelled_sequence": (7,), "plain_number": (2, 4),
        "currency_amount": (11,), "percentage": (12,), "date": (14,), "time": (15,),
        "measurement": (13,), "postal_address": (5, 16), "person_or_team_name": (8, 9),
        "product_code": (1, 7), "version": (18,), "acronym_or_initialism": (7,),
        "domain_term": (9, 10),
    },
)  # fmt: skip
