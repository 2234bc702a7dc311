"""Put the CI templates into docs/ci.md: python tools/fill_ci.py"""

from __future__ import annotations

import re
from pathlib import Path

from pytest_asrbench.commands import ci_files, starting

PAGE = Path(__file__).parent.parent / "docs" / "ci.md"
PLACE = re.compile(r"(<!-- template: (\S+) -->\n```yaml\n).*?(?=```)", re.DOTALL)
FOLDER = Path("speech")
SYSTEM = starting.new("nova3")


def filled(text: str) -> str:
    """The page with every template as `asrbench init` would write it."""
    return PLACE.sub(lambda found: found[1] + _template(found[2]), text)


def _template(name: str) -> str:
    return ci_files.text(name.removesuffix(".yml"), FOLDER, SYSTEM)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
