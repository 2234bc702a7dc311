"""
Untrusted text made safe to show: transcripts, values and messages of other systems.

A transcript may hold terminal escapes, bidirectional overrides, lone surrogates, or commands that
a CI runner obeys when it sees them in a log. Each output has its own escape; all start here.
"""

from __future__ import annotations

import html
import re
import unicodedata

ELLIPSIS = "…"

# ZWNJ and ZWJ are Cf too, but Persian, Indic scripts and emoji need them and they reorder nothing.
_JOINERS = frozenset("\u200c\u200d")

# Azure and the first GitHub runner syntax are obeyed anywhere in a line.
_RUNNER_COMMAND = re.compile(r"##(?=\[|vso\[|teamcity\[)", re.IGNORECASE)


# What Markdown or GitHub would make something of; `www.` alone makes a link.
_MARKUP = re.compile(r"[\\`*_{}\[\]|~@#!:]|(?<=www)\.", re.IGNORECASE)


def printable(text: str) -> str:
    """One line that shows what is there: white space as spaces, all that is invisible escaped."""
    plain = text.isascii() and text.isprintable()
    shown = text if plain else "".join(map(_shown, text))
    return _RUNNER_COMMAND.sub(r"#\\u0023", shown)


def _shown(char: str) -> str:
    if char in "\t\n\v\f\r\x85\u2028\u2029":
        return " "
    if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co"} and char not in _JOINERS:
        code = ord(char)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return char


def unobeyed(line: str) -> str:
    """A log line that no CI runner takes for a command: `::error::…` after indentation is one."""
    bare = line.lstrip()
    if not bare.startswith("::"):
        return line
    return line[: len(line) - len(bare)] + r":\u003a" + bare[2:]


def columns(text: str) -> int:
    """Terminal columns of a printable text: a wide character takes two, a combining one none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    category = unicodedata.category(char)
    if char in _JOINERS or category in {"Mn", "Me"}:
        return 0
    if category == "Cn":  # not assigned, for which Python's table says full-width
        return 1
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, width: int) -> str:
    """At most `width` columns, with an ellipsis where something is left out."""
    if columns(text) <= width:
        return text
    return _head(text, width - 1).rstrip() + ELLIPSIS


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
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", escaped)


def link(text: str, address: str) -> str:
    """A Markdown link; text alone where the address could not stand in one."""
    if not re.fullmatch(r"https?://[^\s<>\"'`\\]+", address):
        return prose(text)
    closed = address.replace("(", "%28").replace(")", "%29")
    return f"[{prose(text)}]({closed})"
