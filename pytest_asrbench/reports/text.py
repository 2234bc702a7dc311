"""Untrusted text made safe to show: columns of a terminal, and what Markdown would obey."""

from __future__ import annotations

import html
import re
import unicodedata

from pytest_asrbench.loglines import JOINERS, printable, unobeyed

__all__ = ["code", "columns", "cut", "pad", "printable", "prose", "unobeyed", "wrap"]

ELLIPSIS = "…"

# What Markdown or GitHub would make something of; `www.` alone makes a link.
_MARKUP = re.compile(r"[\\`*_{}\[\]|~@#!:]|(?<=www)\.", re.IGNORECASE)


def columns(text: str) -> int:
    """Terminal columns of a printable text: a wide character takes two, a combining one none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    category = unicodedata.category(char)
    if char in JOINERS or category in {"Mn", "Me"}:
        return 0
    if category == "Cn":  # not assigned, for which Python's table says full-width
        return 1
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


SHOWN_OF_TRANSCRIPT = 80  # columns


def cut(text: str, width: int) -> str:
    """At most `width` columns, with an ellipsis where something is left out."""
    if columns(text) <= width:
        return text
    return _head(text, width - 1).rstrip() + ELLIPSIS


def within(transcript: str) -> str:
    """`in "well I moved to the"…`: where a value was looked for that nothing heard is like."""
    return f'in "{cut(" ".join(transcript.split()), SHOWN_OF_TRANSCRIPT)}"'


def _head(text: str, width: int) -> str:
    """As much of the start as fits, at least one character."""
    left = width
    for at, char in enumerate(text):
        left -= _columns(char)
        if left < 0:
            return text[: max(at, 1)]
    return text


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Filled with spaces to `width` columns; `right` aligns figures."""
    space = " " * (width - columns(text))
    return space + text if right else text + space


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of at most `width` columns, broken at spaces, within a word only where it must be."""
    room = max(width - columns(indent), 1)
    lines = [""]
    for word in re.findall(r"\s*\S+", text):
        if lines[-1] and columns(lines[-1] + word) > room:
            lines.append("")
        rest = word if lines[-1] else word.lstrip()
        while columns(rest) > room:
            lines[-1] = _head(rest, room)
            rest = rest[len(lines[-1]) :]
            lines.append("")
        lines[-1] += rest
    return [indent + line for line in lines if line]


def code(text: str) -> str:
    """A Markdown code span, also inside a table: nothing in it is markup, a mention or a link."""
    shown = printable(text)
    if not shown.strip() or re.search(r"[`|\\]", shown):
        return f"<code>{prose(text)}</code>"
    return f"`{shown}`"


def prose(text: str) -> str:
    """Plain words in Markdown: HTML, markup, mentions and references stay text."""
    escaped = html.escape(printable(text), quote=False)
    return _MARKUP.sub(lambda mark: f"&#{ord(mark[0])};", escaped)


def link(text: str, address: str) -> str:
    """A Markdown link; text alone where the address could not stand in one."""
    if not re.fullmatch(r"https?://[^\s<>\"'`\\]+", address):
        return prose(text)
    closed = address.replace("(", "%28").replace(")", "%29")
    return f"[{prose(text)}]({closed})"
