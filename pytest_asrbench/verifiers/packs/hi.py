"""Hindi (hi-IN), with English and Latin letters mixed in."""

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

_CLDR: Final = common.cldr("hi")

_HUNDRED: Final = """
शून्य|ज़ीरो|सिफ़र एक|इक दो तीन चार पाँच|पाच छह|छः|छे|छै|छ सात आठ नौ
दस ग्यारह|ग्यारा बारह|बारा तेरह|तेरा चौदह|चौदा पंद्रह|पंद्रा सोलह|सोला सत्रह|सत्तरह|सतरह अठारह|अट्ठारह|अठारा उन्नीस
बीस इक्कीस|इकीस बाईस|बाइस तेईस|तेइस चौबीस पच्चीस|पचीस छब्बीस|छबीस सत्ताईस|सत्ताइस|सताईस अट्ठाईस|अठाईस|अट्ठाइस|अठाइस उनतीस|उन्तीस
तीस इकतीस|इकत्तीस बत्तीस|बतीस तैंतीस|तेंतीस|तैतीस चौंतीस|चौतीस पैंतीस|पैतीस छत्तीस|छतीस सैंतीस|सैतीस अड़तीस उनतालीस|उन्तालीस|उनचालीस
चालीस इकतालीस बयालीस|बियालीस तैंतालीस|तेतालीस|तिरतालीस|तैतालीस चौवालीस|चवालीस|चौंवालीस पैंतालीस|पैतालीस छियालीस|छयालीस सैंतालीस|सैतालीस अड़तालीस उनचास|उन्चास
पचास इक्यावन|इकावन बावन तिरपन|तिरेपन|त्रेपन चौवन|चव्वन पचपन छप्पन सत्तावन|सतावन अट्ठावन|अठावन उनसठ|उन्सठ
साठ इकसठ बासठ तिरसठ|तिरेसठ|त्रेसठ चौंसठ|चौसठ पैंसठ|पैसठ छियासठ|छयासठ|छाछठ सड़सठ|सरसठ अड़सठ उनहत्तर|उनत्तर|उन्हत्तर
सत्तर इकहत्तर|इकत्तर बहत्तर तिहत्तर|तेहत्तर चौहत्तर|चोहत्तर पचहत्तर|पिचहत्तर|पछत्तर छिहत्तर|छियत्तर|छिहतर सतहत्तर|सतत्तर अठहत्तर|अठत्तर उनासी|उन्यासी
अस्सी इक्यासी|इकासी बयासी|बियासी तिरासी|तेरासी चौरासी|चोरासी पचासी|पिचासी छियासी|छयासी सत्तासी|सतासी अट्ठासी|अठासी नवासी
नब्बे|नव्वे इक्यानवे|इक्यानबे|इकानवे बानवे|बानबे|बयानवे तिरानवे|तिरानबे चौरानवे|चौरानबे पचानवे|पंचानवे|पंचानबे|पचानबे|पिचानवे छियानवे|छियानबे|छयानवे सत्तानवे|सत्तानबे|सतानवे अट्ठानवे|अट्ठानबे|अठानवे निन्यानवे|निन्यानबे
"""
_ENGLISH: Final = """
ज़ीरो वन टू थ्री फोर फाइव|फाईव सिक्स सेवन|सेवेन एट नाइन|नाईन टेन इलेवन|इलेवेन ट्वेल्व|ट्वेल्व थर्टीन फोर्टीन फिफ्टीन
सिक्सटीन सेवनटीन|सेवेंटीन एटीन नाइनटीन|नाइंटीन
"""
_ENGLISH_TENS: Final = {
    "ट्वेंटी": 20, "थर्टी": 30, "फोर्टी": 40, "फॉर्टी": 40, "फिफ्टी": 50, "सिक्सटी": 60,
    "सेवेंटी": 70, "सेवंटी": 70, "एटी": 80, "नाइंटी": 90,
}  # fmt: skip
_LATIN: Final = """
zero|shunya|shoonya one|ek two|do three|teen four|char|chaar five|paanch|panch|paach
six|chhe|chhah|chha|che seven|saat|sat eight|aath|aat nine|nau ten|das eleven|gyarah
twelve|barah thirteen|terah fourteen|chaudah fifteen|pandrah sixteen|solah seventeen|satrah
eighteen|atharah nineteen|unnis
"""
_LATIN_TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,}  # fmt: skip


_ROMANISED: Final = """
bis|bees ikkis bais|baees teis|teyis chaubis pachchis|pachis|pachees chhabbis|chabbis sattais|sattaees
atthais|athais untis|unattis tees|tis iktis|ikattis battis taintis|tetis chauntis paintis
chhattis|chattis saintis adtis|artis untalis|unchalis chalis|chaalis iktalis bayalis taintalis|tetalis
chawalis|chauwalis paintalis chhiyalis|chiyalis saintalis adtalis|artalis unchas pachas|pachaas
ikyawan|ikyavan bawan|baawan tirpan chauwan|chavvan pachpan chhappan|chappan sattawan atthawan unsath
saath iksath basath|baasath|basatth tirsath|tiresath chausath painsath chhiyasath|chiyasath sadsath
adsath unhattar sattar ikhattar bahattar tihattar chauhattar pachhattar|pachattar|pichhattar
chhihattar|chihattar satattar|satahattar athattar|athahattar unasi|unyasi assi ikyasi bayasi tirasi
chaurasi pachasi chhiyasi|chiyasi sattasi atthasi navasi nabbe|nabbay ikyanve|ikyanbe banve|banbe
tiranve|tiranbe chauranve|chauranbe pachanve|pachanbe chhiyanve|chhiyanbe sattanve|sattanbe
atthanve|atthanbe ninyanve|ninyanbe
"""


def _table() -> dict[str, int]:
    numbers = common.sequence(*_HUNDRED.split())
    for n, forms in enumerate(_ROMANISED.split(), 20):
        numbers |= {form: n for form in forms.split("|") if form not in numbers}
    english = common.sequence(*_ENGLISH.split())
    latin = common.sequence(*_LATIN.split())
    numbers |= {w: n for w, n in (english | latin).items() if w not in numbers}
    for tens, ones in ((_ENGLISH_TENS, english), (_LATIN_TENS, latin)):
        for ten, value in tens.items():
            numbers[ten] = value
            if value % 10 == 0 and ten[-1] != "s":
                numbers |= {f"{ten} {u}": value + n for u, n in ones.items() if 0 < n < 10}
    return numbers


NUMBERS: Final = NumberWords(
    grammar=Grammar(
        words=_table(),
        places=(
            GrammarPlace(value=10**9, words=("अरब",), most=99),
            GrammarPlace(value=10**7, words=("करोड़", "crore", "crores"), most=99),
            GrammarPlace(value=10**5, words=("लाख", "lakh", "lakhs"), most=99),
            GrammarPlace(value=10**3, words=("हज़ार", "thousand", "hazar", "थाउजेंड", "थाउजंड"), most=99),
            GrammarPlace(value=100, words=("सौ", "hundred", "sau", "हंड्रेड"), most=99),
        ),
    ),
    soft={"एक": 1, "ek": 1, "दो": 2, "do": 2, "टू": 2, "एट": 8, "फोर": 4, "one": 1,
          "two": 2, "to": 2, "sat": 7, "char": 4, "तेरा": 13, "sau": 100, "che": 6, "वन": 1,
          "saath": 60, "छ": 6},
    soft_ones=("एक", "ek", "दो", "do", "टू", "one", "two", "फोर", "एट", "वन", "char"),
    only_digits={"ओ": 0, "o": 0},
    repeats={"डबल": 2, "double": 2, "ट्रिपल": 3, "triple": 3},
    points=("दशमलव", "पॉइंट", "प्वाइंट", "पाइंट", "point", "डॉट"),
    scales={"सौ": 100, "हजार": 10**3, "लाख": 10**5, "करोड़": 10**7, "करोड": 10**7, "अरब": 10**9,
            "k": 10**3, "lakh": 10**5, "lakhs": 10**5, "crore": 10**7, "crores": 10**7,
            "thousand": 10**3, "hazar": 10**3, "million": 10**6, "मिलियन": 10**6, "cr": 10**7},
    parts={"डेढ़": Fraction(3, 2), "डेढ": Fraction(3, 2), "ढाई": Fraction(5, 2),
           "आधा": Fraction(1, 2), "आधे": Fraction(1, 2), "आधी": Fraction(1, 2),
           "पौन": Fraction(3, 4), "पौना": Fraction(3, 4), "सवा": Fraction(5, 4),
           "dhai": Fraction(5, 2), "dedh": Fraction(3, 2)},
    shifts={"सवा": Fraction(1, 4), "साढ़े": Fraction(1, 2), "साढे": Fraction(1, 2),
            "पौने": Fraction(-1, 4), "sadhe": Fraction(1, 2), "saadhe": Fraction(1, 2),
            "sava": Fraction(1, 4), "paune": Fraction(-1, 4)},
    minus=("माइनस", "minus", "ऋण"),
    ranges=("से", "या"),
    marks={"": (".", ", ")},
    zeros=frozenset({"शून्य"}),
)  # fmt: skip

SIGNS: Final = Signs(
    names=common.signs({
        "@": ("ऐट", "एट", "एट द रेट", "ऐट द रेट", "एट दी रेट", "at the rate", "एट रेट"),
        ".": ("डॉट", "डाट", "पॉइंट", "बिंदु"),
        "-": ("डैश", "हाइफन", "हायफन", "माइनस", "minus"),
        "_": ("अंडरस्कोर", "अंडर स्कोर"),
        "/": ("स्लैश", "स्लेश"),
        "//": ("डबल स्लैश",),
        ":": ("कोलन",),
        "+": ("प्लस",),
        "#": ("हैश",),
        "*": ("स्टार",),
        "gmail": ("जीमेल",), "yahoo": ("याहू",), "hotmail": ("हॉटमेल",), "outlook": ("आउटलुक",),
        "com": ("कॉम",), "in": ("इन",), "co": ("को",), "net": ("नेट",), "org": ("ओआरजी",),
        "www": ("ट्रिपल डब्ल्यू", "डब्ल्यू डब्ल्यू डब्ल्यू", "triple w"),
    })
)  # fmt: skip

LETTERS: Final = LetterNames(
    names=common.spelled("""
        a ए
        b बी
        c सी
        d डी
        e ई
        f एफ
        g जी
        h एच
        i आई आइ
        j जे
        k के
        l एल
        m एम
        n एन
        o ओ
        p पी
        q क्यू
        r आर
        s एस
        t टी
        u यू
        v वी
        w डब्ल्यू डब्लू
        x एक्स
        y वाई वाय
        z जेड जी
    """),
    doubles={"डबल": 2, "double": 2, "ट्रिपल": 3},
    as_in=("फॉर", "for", "फोर", "जैसे", "से", "as in"),
    ordinary=frozenset({"के", "की", "जी", "आई", "ए", "ओ", "ई", "पी", "सी"}),
)

CLOCK: Final = ClockWords(
    said="{h} बजकर {m} मिनट",
    said_whole="{h} बजे",
    templates=(
        *common.TIMES,
        "{h} बजे|बजा|baje",
        "{hh}:{mm} बजे|baje",
        "{h} बजकर {m} मिनट?",
        "{h} बजके {m} मिनट?",
        "साढ़े|साढे|sadhe|saadhe {h} बजे|baje? = +30",
        "सवा|sava {h} बजे|baje? = +15",
        "पौने|paune {h} बजे|baje? = -15",
        "डेढ़|डेढ|dedh बजे|baje? = 1:30h",
        "ढाई|dhai बजे|baje? = 2:30h",
        "{h} बजने में {m} मिनट? = -m",
        "{h} {m}",
        "दोपहर बारह बजे = 12:00",
        "आधी_रात = 0:00",
    ),
    parts={
        "सुबह": "am", "सवेरे": "am", "दोपहर": "noon", "दोपहर में": "noon", "दोपहर को": "noon",
        "दोपहर के": "noon", "शाम": "pm", "शाम को": "pm", "शाम के": "pm", "शाम में": "pm",
        "रात": "night", "रात को": "night", "रात के": "night", "रात में": "night",
        "सुबह के": "am", "सुबह को": "am", "subah": "am", "sham": "pm", "shaam": "pm",
        "raat": "night", "dopahar": "noon", "एएम": "am", "पीएम": "pm", "ए एम": "am", "पी एम": "pm",
        "सुबह में": "am", "रात की": "night", "शाम की": "pm", "सुबह की": "am",
    } | common.HALVES,
)  # fmt: skip

_MONTHS: Final = {
    1: ("january", "jan", "जनवरी"), 2: ("february", "feb", "फरवरी"), 3: ("march", "mar", "मार्च"),
    4: ("april", "apr", "अप्रैल"), 5: ("may", "मई"), 6: ("june", "jun", "जून"),
    7: ("july", "jul", "जुलाई"), 8: ("august", "aug", "अगस्त"), 9: ("september", "sep", "सितंबर"),
    10: ("october", "oct", "अक्टूबर", "अक्तूबर"), 11: ("november", "nov", "नवंबर"),
    12: ("december", "dec", "दिसंबर"),
}  # fmt: skip

CALENDAR: Final = Calendar(
    said="{d} {mon} {y}",
    months=common.series(_CLDR["months"], _MONTHS),
    weekdays=common.series(_CLDR["weekdays"], {
        1: ("monday", "mon", "मंडे", "सोमवार"), 2: ("tuesday", "tue", "ट्यूजडे", "मंगल"),
        3: ("wednesday", "wed", "वेडनेसडे", "बुध"),
        4: ("thursday", "thu", "थर्सडे", "गुरुवार", "बृहस्पतिवार", "वीरवार"),
        5: ("friday", "fri", "फ्राइडे", "शुक्र"), 6: ("saturday", "sat", "सैटरडे", "शनि"),
        7: ("sunday", "sun", "संडे", "इतवार"),
    }),
    days={"पहली": 1, "पहला": 1, "1st": 1, "2nd": 2, "3rd": 3, "फर्स्ट": 1, "सेकंड": 2, "थर्ड": 3}
    | {f"{n}th": n for n in range(4, 32)} | {"21st": 21, "22nd": 22, "23rd": 23, "31st": 31},
    orders={
        "": (
            *common.DAY_FIRST,
            "{d} {mon} ,? {y}",
            "{d} {mon}",
            "{d} तारीख {mon} ,? {y}?",
            "{mon} की? {d} तारीख? ,? {y}?",
            "{mon} {d} ,? {y}",
            "{d}-{mon}-{y}",
            "{mon} {y}",
            "{y} {mon} की? {d}",
            "{wd}",
            "{wd} ,? {d} {mon} ,? {y}",
            "{wd} ,? {d} {mon}",
            "{wd} ,? {d}/{mn}/{y}",
            "{d} {mon} ,? {y} ,? {wd}",
            "{d} {mon} ,? {wd}",
            "{wd} {d} तारीख",
            "{d} तारीख",
        ),
    },
)  # fmt: skip

UNITS: Final = Units(
    percent=("प्रतिशत", "फीसदी", "परसेंट", "percent", "फीसद", "पर्सेंट"),
    permille=("प्रति हजार",),
    names=common.units(_CLDR, {
        "kg": ("किलो", "किलोग्राम", "केजी", "kilo", "kilos", "kgs"),
        "g": ("ग्राम", "gram", "grams"), "m": ("मीटर", "meter", "metre"),
        "cm": ("सेंटीमीटर", "सेमी", "सेंटी मीटर"), "mm": ("मिलीमीटर", "एमएम"),
        "ft": ("फुट", "फीट", "feet", "foot"), "in": ("इंच", "inch", "inches"),
        "l": ("लीटर", "liter", "litre"), "ml": ("एमएल", "मिलीलीटर", "एम एल"),
        "mg": ("एमजी", "मिलीग्राम", "एम जी"), "km": ("किलोमीटर", "किमी", "केएम", "kilometer", "kilometre", "kilometers"),
        "°C": ("डिग्री सेल्सियस", "डिग्री सेंटीग्रेड", "degree celsius"),
        "°F": ("डिग्री फारेनहाइट", "degree fahrenheit", "डिग्री फैरेनहाइट"),
        "h": ("घंटे", "घंटा", "घंटों"), "min": ("मिनट",), "s": ("सेकंड",),
        "day": ("दिन",), "week": ("हफ्ते", "हफ्ता", "सप्ताह"), "month": ("महीने", "महीना", "माह"),
        "year": ("साल", "वर्ष"), "km/h": ("किलोमीटर प्रति घंटा", "किलोमीटर प्रति घंटे"),
        "m²": ("वर्ग मीटर",), "sqft": ("वर्ग फुट", "स्क्वायर फीट", "square feet", "sq ft"),
        "GB": ("जीबी", "जी बी"), "MB": ("एमबी", "एम बी"), "kWh": ("यूनिट",),
    }),
    loose={"°C": ("डिग्री", "°")},
    per=("प्रति", "/", "पर"),
)  # fmt: skip

CURRENCIES: Final = Currencies(
    known=common.currencies(
        _CLDR,
        {
            "INR": ("रुपये", "रुपए", "रुपया", "रुपयों", "रु.", "रु", "rupees", "rupee", "रूपये",
                    "रूपए", "rupaye", "rs", "रुपीज"),
            "USD": ("डॉलर", "dollars", "dollar", "डालर"), "EUR": ("यूरो", "euro", "euros"),
            "GBP": ("पाउंड", "pound", "pounds"),
        },
        {"INR": ("पैसे", "पैसा", "paise"), "USD": ("सेंट", "cents")},
    ),
    links=("और", "and"),
)  # fmt: skip

ADDRESSES: Final = Addresses(
    words=(
        ("मकान", "हाउस", "house", "h."), ("नंबर", "नं.", "नं", "no.", "no", "number", "न."),
        ("रोड", "road", "rd"), ("सेक्टर", "sector"), ("फेज", "फेज़", "phase"),
        ("फ्लैट", "flat"), ("प्लॉट", "plot"), ("गली", "gali"), ("टावर", "tower"),
        ("दिल्ली", "delhi"), ("मुंबई", "mumbai"), ("बेंगलुरु", "bengaluru", "bangalore"),
        ("डॉक्टर", "डॉ.", "डॉ", "dr.", "dr"),
        ("हाउस नंबर", "मकान नंबर", "मकान नं.", "मकान नं", "हाउस नं.", "h.no.", "h. no.", "h no",
         "house no.", "house no", "house number"),
    ),
    free=("नंबर", "नं.", "नं", "no.", "no", "number", "पिन", "पिन कोड", "पिनकोड", "pin", "pincode", "में", "के", "है"),
    titles=("श्री", "श्रीमती", "जी", "मिस्टर", "mr.", "mrs.", "ms."),
    phones={"": ("91", "")},
)  # fmt: skip

HINDI: Final = Pack(
    language="hi",
    region="IN",
    numbers=NUMBERS,
    signs=SIGNS,
    letters=LETTERS,
    calendar=CALENDAR,
    clock=CLOCK,
    units=UNITS,
    currencies=CURRENCIES,
    addresses=ADDRESSES,
    fillers=frozenset({"अं", "उम्म", "हां", "हम्म", "मतलब", "वो", "तो", "यानी", "अच्छा", "matlab",
                       "woh", "na", "yaar", "उम"}),
    script=Script(
        rules=(
            ("\u093c", ""),
            ("\u0901", "\u0902"),
            (r"[ङञणनम]\u094d(?=[क-ह])", "\u0902"),
        ),
        joined=True,
        endings=("का", "के", "की", "को", "में", "से", "पर", "तक", "ने", "वाला", "वाले", "वाली"),
        articles=frozenset("a"),
    ),
    rules={
        "phone_number": (1, 17), "email_address": (7,), "url": (7,), "reference_id": (1, 8, 10),
        "account_or_record_number": (1, 10), "spelled_sequence": (8,), "plain_number": (3, 4, 5),
        "currency_amount": (3, 11), "percentage": (12,), "date": (14,), "time": (15,),
        "measurement": (13,), "postal_address": (16,), "person_or_team_name": (2, 9),
        "product_code": (8, 10), "version": (18,), "acronym_or_initialism": (8,),
        "domain_term": (2, 9),
    },
)  # fmt: skip
