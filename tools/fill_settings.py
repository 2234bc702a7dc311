"""Write the table of settings into docs/settings.md: python tools/fill_settings.py"""

from __future__ import annotations

import re
from pathlib import Path

from pytest_asrbench.settings.options import OPTIONS, Option

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"
PLACE = re.compile(r"(<!-- options: .*? -->\n).*?(<!-- end of options -->)", re.DOTALL)
HEAD = "| option | what it does | default |\n|---|---|---|\n"


def table() -> str:
    """One row an option, in the order of the code's own table."""
    return HEAD + "".join(map(row, OPTIONS))


def row(option: Option) -> str:
    values = ", ".join(option.choices) if option.choices else option.metavar or ""
    default = f"`{option.default}`" if option.default else ""
    name = f"{option.flag} {values}".strip()
    return f"| `{name}` | {option.help} | {default} |\n"


def filled(text: str) -> str:
    return PLACE.sub(lambda found: found[1] + table() + found[2], text)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
