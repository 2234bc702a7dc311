"""
Take from libphonenumber (through `phonenumbers`) which trunk prefix each country really uses.

    python tools/phones.py            writes pytest_asrbench/verifiers/packs/phones/trunks.json
    python tools/phones.py --check    fails where the file is not what the library says

A country code stands for its trunk prefix where every national form has it, and else for the forms
in turn: the pattern of the whole number, how it begins, and the prefix of that form ("" for none).
The file is taken in by hand, so that no update of a dependency changes a verdict. libphonenumber's
data is under the Apache License 2.0, as this project is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata

FILE = Path(__file__).parent.parent / "pytest_asrbench/verifiers/packs/phones/trunks.json"
Forms = str | list[list[str]]


def forms(region: str) -> Forms:
    """The trunk prefix of a country, or its national forms in turn."""
    data = PhoneMetadata.metadata_for_region(region)
    prefix = data.national_prefix or ""
    found = [
        [form.pattern, (form.leading_digits_pattern or [""])[-1], prefix if prefix in rule else ""]
        for form in data.number_format
        if len(form.pattern) > len(r"(\d{3})(\d{3})")
        for rule in [form.national_prefix_formatting_rule or ""]
    ]
    used = {form[2] for form in found}
    return used.pop() if len(used) == 1 else found


def trunks() -> dict[str, Forms]:
    """Country code -> its trunk prefix, main countries only ("001" is no country)."""
    return {
        str(code): forms(regions[0])
        for code, regions in sorted(COUNTRY_CODE_TO_REGION_CODE.items())
        if regions[0] != "001"
    }


def main() -> None:
    lines = [f"{json.dumps(code)}: {json.dumps(found)}" for code, found in trunks().items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    if "--check" in sys.argv[1:]:
        sys.exit(0 if FILE.read_text(encoding="utf-8") == text else f"{FILE.name} is not of today")
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
