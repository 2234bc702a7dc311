"""English. US conventions where countries differ (rules 15, 18, 25, 26)."""

from __future__ import annotations

from string import ascii_lowercase

from pytest_asrbench.verifiers.packs.en_units import CURRENCIES, METRIC, UNITS
from pytest_asrbench.verifiers.packs.pack import Pack
from pytest_asrbench.verifiers.packs.parts import (
    Addresses,
    Calendar,
    ClockWords,
    Currencies,
    LetterNames,
    NumberWords,
    Signs,
    Units,
)

_DIGITS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9,
}  # fmt: skip
_TEENS = {
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
    "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
    "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50,
    "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100,
}  # fmt: skip

_SEPARATORS = {
    ".": ("dot", "point", "period", "full stop"),
    "-": ("dash", "hyphen", "minus", "dash sign", "minus sign", "hyphen sign"),
    "_": ("underscore", "under score", "underscore sign", "underbar"),
    "/": ("slash", "forward slash", "forwardslash", "fwd slash"),
    "\\": ("backslash", "back slash", "backward slash"),
    ":": ("colon",),
    ";": ("semicolon", "semi colon"),
    ",": ("comma",),
    "@": ("at", "at sign", "at symbol"),
    "+": ("plus", "plus sign"),
    "=": ("equals", "equal", "equals sign", "equal sign"),
    "*": ("star", "asterisk", "wildcard"),
    "?": ("question mark",),
    "!": ("exclamation mark", "exclamation point", "bang"),
    "&": ("ampersand", "and", "and sign"),
    "|": ("pipe", "vertical bar", "pipe symbol"),
    ">": ("greater than", "greater than sign", "right angle bracket"),
    "<": ("less than", "less than sign", "left angle bracket"),
    "#": ("hash", "pound", "pound sign", "hash sign", "number sign", "hashtag"),
    "%": ("percent", "percent sign", "per cent"),
    "~": ("tilde", "tilda"),
    "$": ("dollar sign", "dollar"),
    "^": ("caret",),
    "(": ("open paren", "open parenthesis", "left paren", "left parenthesis", "open bracket"),
    ")": ("close paren", "close parenthesis", "right paren", "right parenthesis", "close bracket"),
    "[": ("open bracket", "left bracket", "open square bracket", "left square bracket"),
    "]": ("close bracket", "right bracket", "close square bracket", "right square bracket"),
    "{": ("open brace", "left brace", "open curly brace", "left curly brace", "open curly"),
    "}": ("close brace", "right brace", "close curly brace", "right curly brace", "close curly"),
    '"': ("quote", "quotes", "double quote", "double quotes", "quotation mark", "open quote",
          "close quote", "unquote", "end quote", "open quotes", "close quotes", "quotation marks"),
    "'": ("quote", "single quote", "apostrophe", "open quote", "close quote", "unquote",
          "end quote", "open single quote", "close single quote"),
    "`": ("backtick", "back tick", "backquote"),
    "->": ("arrow",),
    "=>": ("arrow", "fat arrow"),
}  # fmt: skip

_SPELLING = {
    "a": ("alpha", "alfa"), "b": ("bravo",), "c": ("charlie",), "d": ("delta",), "e": ("echo",),
    "f": ("foxtrot", "fox trot"), "g": ("golf",), "h": ("hotel",), "i": ("india",),
    "j": ("juliet", "juliett"), "k": ("kilo",), "l": ("lima",), "m": ("mike",),
    "n": ("november",), "o": ("oscar",), "p": ("papa",), "q": ("quebec",), "r": ("romeo",),
    "s": ("sierra",), "t": ("tango",), "u": ("uniform",), "v": ("victor",),
    "w": ("whiskey", "whisky"), "x": ("x-ray", "xray", "x ray"), "y": ("yankee",),
    "z": ("zulu",),
}  # fmt: skip

# USPS Publication 28, appendices B and C: street suffixes, unit designators, directions.
_STREETS = """
alley aly | annex anx | arcade arc | avenue ave av | bayou byu | beach bch | bend bnd | bluff blf
bottom btm | boulevard blvd boul | branch br | bridge brg | brook brk | bypass byp | camp cp
canyon cyn | cape cpe | causeway cswy | center ctr centre | circle cir circ | cliff clf
cliffs clfs | club clb | common cmn | corner cor | corners cors | course crse | court ct
courts cts | cove cv | creek crk | crescent cres | crossing xing | crossroad xrd | dale dl
dam dm | drive dr | estate est | estates ests | expressway expy | extension ext | falls fls
ferry fry | field fld | fields flds | flat flt | flats flts | ford frd | forest frst | forge frg
fork frk | forks frks | fort ft | freeway fwy | garden gdn | gardens gdns | gateway gtwy
glen gln | green grn | grove grv | harbor hbr | haven hvn | heights hts | highway hwy | hill hl
hills hls | hollow holw | inlet inlt | island is | islands iss | junction jct | key ky | knoll knl
lake lk | lakes lks | landing lndg | lane ln | light lgt | loaf lf | lock lck | lodge ldg
manor mnr | meadow mdw | meadows mdws | mill ml | mills mls | mission msn | motorway mtwy
mount mt | mountain mtn | neck nck | orchard orch | overpass opas | park prk | parkway pkwy pky
passage psge | pine pne | pines pnes | place pl | plain pln | plains plns | plaza plz | point pt
points pts | port prt | prairie pr | ranch rnch | rapids rpds | ridge rdg | river riv | road rd
route rte rt | shoal shl | shore shr | shores shrs | skyway skwy | spring spg | springs spgs
square sq | station sta | stream strm | street st str | summit smt | terrace ter terr | trace trce
track trak | trail trl | tunnel tunl | turnpike tpke | union un | valley vly | viaduct via
view vw | village vlg | ville vl | vista vis | well wl | wells wls
"""
_UNITS = """
north n | south s | east e | west w |
apartment apt | building bldg | department dept | floor fl flr | hangar hngr | lobby lbby
lower lowr | office ofc | penthouse ph | room rm | space spc | suite ste | trailer trlr | unit
saint st | number no num | po p.o. | county co cnty | county road cr
"""

_STATES = {
    "al": "alabama", "ak": "alaska", "az": "arizona", "ar": "arkansas", "ca": "california",
    "co": "colorado", "ct": "connecticut", "de": "delaware", "dc": "district of columbia",
    "fl": "florida", "ga": "georgia", "hi": "hawaii", "id": "idaho", "il": "illinois",
    "in": "indiana", "ia": "iowa", "ks": "kansas", "ky": "kentucky", "la": "louisiana",
    "me": "maine", "md": "maryland", "ma": "massachusetts", "mi": "michigan", "mn": "minnesota",
    "ms": "mississippi", "mo": "missouri", "mt": "montana", "ne": "nebraska", "nv": "nevada",
    "nh": "new hampshire", "nj": "new jersey", "nm": "new mexico", "ny": "new york",
    "nc": "north carolina", "nd": "north dakota", "oh": "ohio", "ok": "oklahoma", "or": "oregon",
    "pa": "pennsylvania", "ri": "rhode island", "sc": "south carolina", "sd": "south dakota",
    "tn": "tennessee", "tx": "texas", "ut": "utah", "vt": "vermont", "va": "virginia",
    "wa": "washington", "wv": "west virginia", "wi": "wisconsin", "wy": "wyoming",
    "pr": "puerto rico", "gu": "guam", "vi": "virgin islands",
}  # fmt: skip


_NAME_LEADS = ("", "the ", "my ", "his ", "her ", "their ", "and ", "and the ", "and my ")
_NAME_VERBS = ("", " is", " would be", " 's", " was")
_FIRST_PART = tuple(
    f"{lead}{part}{verb}"
    for lead in _NAME_LEADS
    for part in ("first name", "given name", "forename")
    for verb in _NAME_VERBS
)
_LAST_PART = tuple(
    f"{lead}{part}{verb}"
    for lead in _NAME_LEADS
    for part in ("last name", "surname", "family name", "second name", "last")
    for verb in _NAME_VERBS
)
_ANNOUNCING = (
    *_FIRST_PART, *_LAST_PART, "middle name", "middle name is", "and", "and it's", "it's", "is",
    "that's", "then", "and then",
)  # fmt: skip
_SPELLED = (
    "spelled", "spelt", "that's", "thats", "that is", "it's", "its", "it is", "which is",
    "spelled out", "so that's", "spelled as", "that's spelled", "it's spelled", "is spelled",
    "spelling", "so", "and that's", "and it's spelled", "spelling is", "spell", "that spells",
    "and that's spelled", "with the spelling",
    *(f"with {article} {letter}" for article in ("a", "an") for letter in ascii_lowercase),
)  # fmt: skip


_LINKING = (
    *(
        f"{lead}{part}{verb}"
        for lead in ("", "and ", "and the ", "the ", "my ", "and my ", "in ")
        for part in ("zip", "zip code", "postal code", "postcode", "post code", "city", "town",
                     "state", "the city of", "the state of")
        for verb in ("", " is", "'s", " of")
    ),
    "and", "it's", "and it's", "in", "that's", "and that's", "then", "at", "and then",
)  # fmt: skip


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    lines = text.replace("\n", " | ").split("|")
    return tuple(tuple(line.split()) for line in lines if line.strip())


_EVERYDAY = """
it us is as at or and so he who am an if in on to be me
my no do go up we all are but can for not one our out she the was
you aids said act arc cat aim set try real won
"""

ENGLISH = Pack(
    language="en",
    families=True,
    numbers=NumberWords(
        digits=_DIGITS,
        teens=_TEENS,
        tens=_TENS,
        hundreds=frozenset({"hundred"}),
        scales={
            "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
            "dozen": 12, "lakh": 10**5, "lakhs": 10**5, "crore": 10**7, "crores": 10**7,
        },
        zeros=frozenset({"zero", "nought", "naught"}),
        zero_letters=frozenset({"o", "oh"}),
        repeats={"double": 2, "triple": 3, "treble": 3, "quadruple": 4},
        homophones={
            "for": 4, "fore": 4, "to": 2, "too": 2, "won": 1, "ate": 8, "tree": 3,
        },
        one=frozenset({"a", "an"}),
        ands=frozenset({"and"}),
        points=("point", "dot", "decimal"),
        ordinals=_ORDINALS,
        ordinal_tails=frozenset({"st", "nd", "rd", "th"}),
        fractions={
            "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4,
            "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6,
            "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10, "sixteenth": 16, "sixteenths": 16,
            "hundredth": 100, "hundredths": 100,
        },
        minus=("minus", "negative"),
        ranges=("to", "through", "thru", "or", "until", "till"),
        shorts={"k": 10**3, "m": 10**6, "mn": 10**6, "mm": 10**6, "mil": 10**6, "b": 10**9,
                "bn": 10**9, "bil": 10**9},
        pointing=frozenset({"this", "that", "the", "which", "what", "some", "any", "my", "his",
                            "one", "a", "no", "every", "each", "last", "first"}),
        shares=frozenset({"of"}),
        of_whole=frozenset({"the", "a", "an", "of", "my", "our", "their", "his", "her", "your"}),
        counted=frozenset({"people", "men", "women", "children", "feet", "teeth", "mice",
                           "staff", "percent", "guests", "kids"}),
        plurals=("s",),
        uncounted=frozenset({"this", "was", "his", "hers", "ours", "yours", "theirs", "does",
                             "has", "always", "perhaps", "yes", "plus", "minus", "less", "thus",
                             "towards", "besides", "sometimes", "thanks", "unless", "across",
                             "versus", "goes", "says", "means", "comes", "makes", "starts", "ends",
                             "closes", "opens", "works", "gets", "looks",
                             "needs", "seems", "runs", "sounds", "takes", "costs", "expires",
                             "leaves", "arrives", "departs", "dollars", "alias", "status",
                             "access", "address", "james", "thomas", "texas", "kansas",
                             "illinois", "arkansas", "massachusetts", "various", "previous"}),
    ),
    signs=Signs(
        names=_SEPARATORS,
        plurals={
            "-": ("dashes", "hyphens", "minuses"), "/": ("slashes", "forward slashes"),
            "\\": ("backslashes", "back slashes"), ":": ("colons",), "_": ("underscores",),
            ".": ("dots", "periods"), "&": ("ampersands",), "|": ("pipes",), "=": ("equals",),
            "+": ("pluses",), "*": ("stars", "asterisks"), ">": ("greater thans",),
        },
        counted={2: ("two", "double", "2"), 3: ("three", "triple", "3")},
        quotes=("quote", "unquote", "open quote", "close quote", "end quote"),
    ),
    letters=LetterNames(
        names={"z": ("zed", "zee"), "h": ("aitch", "haitch"),
               "w": ("double u", "double-u", "double you")},
        spelling=_SPELLING,
        spelled=_SPELLED,
        announcing=_ANNOUNCING,
        first_part=_FIRST_PART,
        last_part=_LAST_PART,
        as_in=("as in", "for", "like", "like in", "as", "is in", "is for"),
        capital=("capital", "cap", "caps", "uppercase", "upper case", "big", "capital letter",
                 "upper-case"),
        lower=("lowercase", "lower case", "small", "little", "lower-case", "small letter"),
        all_caps=("all caps", "all capitals", "all capital letters", "all uppercase",
                  "all upper case", "uppercase", "upper case", "caps", "capitals", "in all caps",
                  "in caps", "in capitals", "in uppercase", "all in caps", "all in capitals",
                  "all in uppercase", "all of it in caps", "all of it in capitals", "all-caps",
                  "capital letters", "all caps snake case", "screaming snake case", "capital",
                  "constant case"),
        case_styles={
            "camel": ("camel case", "camelcase", "camel-case", "lower camel case", "camel cased"),
            "pascal": ("pascal case", "pascalcase", "pascal-case", "upper camel case",
                       "title case"),
            "snake": ("snake case", "snakecase", "snake-case", "lower snake case"),
            "kebab": ("kebab case", "kebabcase", "kebab-case", "dash case"),
        },
        everyday=frozenset(_EVERYDAY.split()),
    ),
    calendar=Calendar(
        day_first=frozenset({"GB", "IE", "IN", "AU", "NZ", "ZA", "SG", "HK", "MT"}),
        of=("of", "in", "of the year", "in the year"),
        joints=frozenset({"of"}),
        quarter=("quarter",),
        dating=frozenset({"on", "by", "from", "until", "till", "due", "dated", "before", "after"}),
        not_dating=frozenset({"version", "v", "release", "build", "section", "chapter", "room",
                              "score", "scored", "number", "route", "ratio", "ip", "port", "table",
                              "figure", "part", "step", "item", "code", "grade", "rated"}),
        numbered=frozenset({"century", "centuries", "floor", "street", "avenue", "place", "row",
                            "grade", "birthday", "anniversary", "chapter", "edition", "district",
                            "amendment", "inning", "percentile", "time", "attempt", "version",
                            "line", "item", "page", "caller", "customer", "person", "year",
                            "week", "month", "hour", "minute"}),
        months=(
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"),
            ("may",), ("june", "jun"), ("july", "jul"), ("august", "aug"),
            ("september", "sept", "sep"), ("october", "oct"), ("november", "nov"),
            ("december", "dec"),
        ),
        weekdays=(
            ("monday", "mon"), ("tuesday", "tue", "tues"), ("wednesday", "wed", "weds"),
            ("thursday", "thu", "thur", "thurs"), ("friday", "fri"), ("saturday", "sat"),
            ("sunday", "sun"),
        ),
    ),
    clock=ClockWords(
        exact=("o'clock", "oclock", "o clock", "sharp"),
        military=("hours", "hrs", "hour"),
        past=("past", "after"),
        to=("to", "till", "til", "before", "of", "until"),
        later=frozenset({"later", "after", "before", "earlier", "of", "past", "to", "ago"}),
        minutes=("minutes", "minute", "mins", "min"),
        quarter=("quarter", "a quarter"),
        half=("half", "a half"),
        noon=("noon", "12 noon", "twelve noon", "midday"),
        midnight=("midnight", "12 midnight", "twelve midnight"),
        telling=frozenset({"at", "by", "until", "till", "til", "before", "after", "from", "around",
                           "since", "for", "to", "is", "about", "past", "between"}),
        between=frozenset({"from", "between"}),
        until=("-", "to", "until", "till", "through", "and"),
        not_telling=frozenset({"in"}),
        yesterday=("yesterday", "tomorrow", "today"),
        day_parts={"am": ("morning",), "pm": ("afternoon", "evening", "night")},
        morning=("in the morning", "this morning", "tomorrow morning", "of the morning"),
        evening=("in the afternoon", "in the evening", "at night", "this afternoon", "this evening",
                 "tomorrow afternoon", "tomorrow evening", "of the afternoon", "of the evening"),
        nights=("tonight", "tomorrow night"),
        am=("am", "a.m.", "a.m"),
        pm=("pm", "p.m.", "p.m"),
        zones={
            "et": ("eastern",), "ct": ("central",), "mt": ("mountain",), "pt": ("pacific",),
            "est": ("eastern standard",), "edt": ("eastern daylight",),
            "cst": ("central standard",), "cdt": ("central daylight",),
            "mst": ("mountain standard",), "mdt": ("mountain daylight",),
            "pst": ("pacific standard",), "pdt": ("pacific daylight",),
            "akt": ("alaska",), "hst": ("hawaii", "hawaii standard", "hawaiian"),
            "utc": ("coordinated universal", "universal", "zulu", "z"),
            "gmt": ("greenwich mean", "greenwich"), "bst": ("british summer",),
            "cet": ("central european",), "cest": ("central european summer",),
            "eet": ("eastern european",), "wet": ("western european",),
            "ist": ("india standard", "indian standard", "india", "irish standard"),
            "jst": ("japan standard", "japan"), "aest": ("australian eastern standard",),
            "aedt": ("australian eastern daylight",), "msk": ("moscow",), "sgt": ("singapore",),
        },
        near_zones={
            "et": ("est", "edt"), "ct": ("cst", "cdt"), "mt": ("mst", "mdt"), "pt": ("pst", "pdt"),
            "est": ("et", "eastern"), "edt": ("et", "eastern"), "cst": ("ct", "central"),
            "cdt": ("ct", "central"), "mst": ("mt", "mountain"), "mdt": ("mt", "mountain"),
            "pst": ("pt", "pacific"), "pdt": ("pt", "pacific"), "utc": ("gmt",), "gmt": ("utc",),
        },
    ),
    units=Units(
        percent=("%", "percent", "percents", "per cent", "pct", "pct.", "percent sign"),
        prefixes={
            "": ("",), "k": ("kilo",), "M": ("mega",), "G": ("giga",), "T": ("tera",),
            "P": ("peta",), "m": ("milli",), "µ": ("micro",), "n": ("nano",), "p": ("pico",),
            "c": ("centi",),
            "d": ("deci",), "h": ("hecto",),
        },
        loose={"kg": ("kilo", "kilos"), "mL": ("mil", "mils")},
        metric=METRIC,
        per=("per", "a", "an", "/"),
        below=frozenset({"below"}),
        powers={2: ("square", "squared", "sq", "sq."), 3: ("cubic", "cubed", "cu", "cu.")},
        names=UNITS,
    ),
    currencies=Currencies(
        others=("canadian", "australian", "singapore", "hong", "cad", "aud", "nzd",
                "sgd", "hkd", "mxn"),
        known=CURRENCIES,
        slang={"grand": 1000},
        slang_codes=("USD", "GBP", "EUR"),
    ),
    addresses=Addresses(
        linking=_LINKING,
        short_titles={"dr": "doctor", "st": "saint"},
        equal=(
            ("dr", "doctor"), ("mr", "mister"), ("mrs", "missus", "misses"), ("ms", "miz"),
            ("prof", "professor"), ("jr", "junior"), ("sr", "senior"), ("st", "saint"),
            ("mt", "mount"), ("ft", "fort"), ("lt", "lieutenant"), ("sgt", "sergeant"),
            ("capt", "captain"), ("gen", "general"), ("rev", "reverend"), ("dept", "department"),
            ("inc", "incorporated"), ("corp", "corporation"), ("co", "company"), ("ltd", "limited"),
            ("bros", "brothers"), ("vs", "versus", "v"), ("no", "number"), ("esq", "esquire"),
            ("ii", "the second", "the 2nd", "2nd", "second"),
            ("iii", "the third", "the 3rd", "3rd", "third"), ("iv", "the fourth", "the 4th"),
            ("intl", "international"), ("assn", "association"), ("univ", "university"),
        ),
        words=(
            *_groups(_STREETS),
            *_groups(_UNITS),
            *(
                (f"{ns} {ew}", f"{ns[0]}{ew[0]}", f"{ns}{ew}")
                for ns in ("north", "south")
                for ew in ("east", "west")
            ),
        ),
        streets=frozenset(name for group in _groups(_STREETS) for name in group),
        directions=(
            "north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest",
            "n", "s", "e", "w", "ne", "nw", "se", "sw",
        ),
        regions=_STATES,
    ),
    fillers=frozenset({"uh", "um", "er", "erm", "ah", "hmm", "hm", "uhm", "umm", "mm", "uhh",
                       "eh"}),
)  # fmt: skip
