"""
A language tag as each vendor writes it.

A dataset says `en`, `en-US` or `zh-CN` (BCP-47); one vendor wants `en`, another `en-US`, a third
`cmn-Hans-CN`. Words that are no tag, such as `auto` and `multi`, pass through unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping

# Vendors that insist on a region get the most spoken one where the dataset names none.
REGIONS: Mapping[str, str] = {
    "ar": "EG",
    "cs": "CZ",
    "da": "DK",
    "de": "DE",
    "el": "GR",
    "en": "US",
    "es": "ES",
    "fi": "FI",
    "fr": "FR",
    "he": "IL",
    "hi": "IN",
    "hu": "HU",
    "id": "ID",
    "it": "IT",
    "ja": "JP",
    "ko": "KR",
    "nb": "NO",
    "nl": "NL",
    "pl": "PL",
    "pt": "BR",
    "ro": "RO",
    "ru": "RU",
    "sv": "SE",
    "th": "TH",
    "tr": "TR",
    "uk": "UA",
    "vi": "VN",
    "zh": "CN",
}
# Deepgram refuses a region that it does not list, so others shrink to their language.
# https://developers.deepgram.com/docs/models-languages-overview
DEEPGRAM: Mapping[str, str] = {
    "da": "DK",
    "de": "CH",
    "en": "AU GB IN NZ US",
    "es": "419",
    "fr": "CA",
    "ko": "KR",
    "nl": "BE",
    "pt": "BR PT",
    "sv": "SE",
    "th": "TH",
    "zh": "CN HK Hans Hant TW",
}
GOOGLE: Mapping[str, str] = {
    "zh-CN": "cmn-Hans-CN",
    "zh-TW": "cmn-Hant-TW",
    "zh-HK": "yue-Hant-HK",
    "zh-Hans": "cmn-Hans-CN",
    "zh-Hant": "cmn-Hant-TW",
}
SPEECHMATICS: Mapping[str, str] = {"zh": "cmn", "nb": "no"}


def tag(language: str) -> str:
    """`EN_us` as `en-US`, `zh-hans` as `zh-Hans`."""
    first, *rest = language.strip().replace("_", "-").split("-")
    return "-".join([first.lower(), *map(_part, rest)])


def primary(language: str) -> str:
    """`en` of `en-US`: ISO 639-1 where the dataset uses it."""
    return tag(language).split("-")[0]


def regional(language: str) -> str:
    """`en-US`, also for a bare `en`; a language without a known region stays as it is."""
    full = tag(language)
    return f"{full}-{REGIONS[full]}" if full in REGIONS else full


def deepgram(language: str) -> str:
    """`en-US` and `zh-CN`, but `es` for `es-MX`, a region that Deepgram does not know."""
    first, _, region = tag(language).partition("-")
    return f"{first}-{region}" if region and region in DEEPGRAM.get(first, "").split() else first


def google(language: str) -> str:
    """`en-US`; Chinese by its script: `cmn-Hans-CN`."""
    full = regional(language)
    return GOOGLE.get(full, full)


def speechmatics(language: str) -> str:
    """`en`; Mandarin is `cmn`."""
    return SPEECHMATICS.get(primary(language), primary(language))


def _part(part: str) -> str:
    """Scripts (`Hans`) have four letters, regions (`US`, `419`) two, or three digits."""
    return part.title() if len(part) == 4 else part.upper()
