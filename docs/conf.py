"""The documentation as a site: nox -s site. The pages are those that GitHub shows, unchanged."""

from __future__ import annotations

import re
import runpy
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

project = "pytest-asrbench"
author = "pytest-asrbench developers"
project_copyright = "pytest-asrbench developers, Apache-2.0"
version = release = version_of("pytest-asrbench")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.intersphinx", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "html_image", "linkify"]
myst_heading_anchors = 3
myst_linkify_fuzzy_links = False
intersphinx_mapping: dict[str, tuple[str, None]] = {}
autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
exclude_patterns = ["README.md"]
# A block may show output with an ellipsis, or a piece of a file: the lexers' opinion is nobody's.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

html_theme = "furo"
html_title = f"pytest-asrbench {version}"
html_show_sourcelink = False
html_theme_options = {
    "source_repository": "https://github.com/pytest-asrbench/pytest-asrbench",
    "source_branch": "main",
    "source_directory": "docs/",
}
REPOSITORY = "https://github.com/pytest-asrbench/pytest-asrbench/blob/main"
linkcheck_ignore = [
    rf"{re.escape(REPOSITORY)}.*",  # a page of this very change is not there yet
    r"https://github\.com/pytest-asrbench/.*",
    r"http://(localhost|127\.0\.0\.1).*",
]
linkcheck_anchors_ignore_for_url = [r"https://github\.com/.*"]
linkcheck_timeout = 20
linkcheck_retries = 2


def _leave(_app: Any, _name: str, source: list[str]) -> None:
    """A link out of docs/ leads to the repository: the site holds these pages alone."""
    source[0] = re.sub(r"\]\(\.\./([^)\s]+)\)", rf"]({REPOSITORY}/\1)", source[0])


def _made_now(_app: Any) -> None:
    """Pages that change with every option, and stand on the site alone."""
    tools = Path(__file__).parent.parent / "tools"
    runpy.run_path(str(tools / "fill_commands.py"), run_name="__main__")


def setup(app: Any) -> None:
    app.connect("builder-inited", _made_now)
    app.connect("source-read", _leave)
