"""
Take from OpenCC which traditional characters are which simplified ones, into a committed file.

    python tools/hanzi.py           writes pytest_asrbench/verifiers/packs/hanzi.txt

Two lines of equal length: the traditional characters, and below each its simplified form. Only
characters with one form each are taken. The data is OpenCC's (Apache License 2.0), as
opencc-python-reimplemented ships it.
"""

from __future__ import annotations

from pathlib import Path

import opencc

SOURCE = Path(opencc.__file__).parent / "dictionary" / "TSCharacters.txt"
TARGET = Path(__file__).parent.parent / "pytest_asrbench" / "verifiers" / "packs" / "hanzi.txt"


def main() -> None:
    pairs = [line.split("\t") for line in SOURCE.read_text("utf-8").splitlines()]
    kept = [(old, new.split()[0]) for old, new in pairs if len(old) == 1 and old < "\U00010000"]
    kept = [(old, new) for old, new in kept if len(new) == 1 and new < "\U00010000"]
    TARGET.write_text(
        "".join(o for o, _ in kept) + "\n" + "".join(n for _, n in kept) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
