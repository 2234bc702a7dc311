"""Put the CI templates into docs/ci.md: python docs/fill_ci.py"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from string import Template

PAGE = Path(__file__).with_name("ci.md")
PLACE = re.compile(r"(<!-- template: (\S+) -->\n```yaml\n).*?(?=```)", re.DOTALL)
VALUES = {"folder": "speech", "provider": "nova3", "path": ".gitlab/speech.yml"}


def filled(text: str) -> str:
    """The page with every template as `asrbench init` would write it."""
    return PLACE.sub(lambda found: found[1] + _template(found[2]), text)


def _template(name: str) -> str:
    file = resources.files("pytest_asrbench") / "templates" / name
    return Template(file.read_text(encoding="utf-8")).substitute(VALUES)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
