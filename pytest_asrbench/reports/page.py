"""
HTML pages that need no network (extra `html`): one file each, made from `templates/`.

jinja2 lays them out with autoescape. Data travels as JSON in the page and is drawn by the page's
script, always as text; a content security policy lets no other script run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from importlib import resources
from typing import Any

from pytest_asrbench.errors import InputError


def page(name: str, *, script: str | None = None, data: object = None, **fields: Any) -> str:
    """The text of a page: `templates/NAME.html`, with `fields` in it, `script` and its `data`.

    Raises InputError without jinja2.
    """
    fields["css"] = _trusted(_template("report.css"))
    if script is not None:
        source = _template("shown.js") + _template(script)
        fields["script"] = _trusted(source)
        fields["script_hash"] = _trusted(_source_hash(source))
        fields["data"] = _trusted(_embedded(data))
    text: str = environment().get_template(f"{name}.html").render(fields)
    return text


def environment() -> Any:
    """jinja2 with autoescape over `templates/`. Raises InputError where it is not installed."""
    try:
        import jinja2
    except ImportError:
        raise InputError("HTML needs jinja2: pip install 'pytest-asrbench[html]'") from None
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_template),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _template(name: str) -> str:
    file = resources.files("pytest_asrbench") / "reports" / "templates" / name
    return file.read_text(encoding="utf-8")


def _embedded(data: object) -> str:
    """JSON that stays inside its script element whatever a transcript holds."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _trusted(text: str) -> Any:
    """Our own script, style and JSON, which no autoescape may touch."""
    from markupsafe import Markup

    return Markup(text)


def _source_hash(script: str) -> str:
    """The script as a content security policy names it."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"sha256-{digest}"
