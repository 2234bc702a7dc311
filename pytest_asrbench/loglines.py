"""
Text that reaches a log: what is foreign in it can neither act nor hide there.

A transcript, an id or a file's value may hold terminal escapes, bidirectional overrides, lone
surrogates, or commands that a CI runner obeys when it sees them in a log. :func:`log_text` is what
everything goes through that is printed; each other output has an escape of its own, from here on.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 300  # characters of a line that tells of a fault: a quoted value may be a whole file
LEAST = 180  # of what it says, however long the path before it

# ZWNJ and ZWJ are Cf too, but Persian, Indic scripts and emoji need them and they reorder nothing.
JOINERS = frozenset("\u200c\u200d")

# Azure and the first GitHub runner syntax are obeyed anywhere in a line.
_RUNNER_COMMAND = re.compile(r"##(?=\[|vso\[|teamcity\[)", re.IGNORECASE)


def log_text(text: object) -> str:
    """The text for a log; each of its lines stays one."""
    return "\n".join(unobeyed(printable(line)) for line in str(text).split("\n"))


def printable(text: str) -> str:
    """One line that shows what is there: white space as spaces, all that is invisible escaped."""
    plain = text.isascii() and text.isprintable()
    shown = text if plain else "".join(map(_shown, text))
    return _RUNNER_COMMAND.sub(r"#\\u0023", shown)


def _shown(char: str) -> str:
    if char in "\t\n\v\f\r\x85\u2028\u2029":
        return " "
    if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co"} and char not in JOINERS:
        code = ord(char)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return char


def unobeyed(line: str) -> str:
    """A log line that no CI runner takes for a command: `::error::…` after indentation is one."""
    bare = line.lstrip()
    if not bare.startswith("::"):
        return line
    return line[: len(line) - len(bare)] + r":\u003a" + bare[2:]


def fault_line(where: str, what: str) -> str:
    """`where: what`, of which the middle is left out where it is too long: what is wrong stands at
    the start, and the remedy at the end."""
    where, said = printable(where), printable(what)
    room = max(LEAST, LONGEST - len(where) - 2)
    if len(said) > room:
        tail = room // 2 - 2
        said = f"{said[: room - tail - 3]} … {said[-tail:]}"
    return f"{where}: {said}"
