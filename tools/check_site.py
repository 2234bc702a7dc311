"""Every link and anchor within the built site leads somewhere: python tools/check_site.py FOLDER"""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

GENERATED = {"genindex.html", "search.html", "py-modindex.html", "404.html"}


class Page(HTMLParser):
    """The links of a page, and what they may lead to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.anchors.update(filter(None, (given.get("id"), given.get("name"))))
        link = given.get("href") if tag == "a" else given.get("src") if tag == "img" else None
        if link:
            self.links.append(link)


@cache
def page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def faults(folder: Path) -> list[str]:
    """One line a link that leads nowhere."""
    return [
        f"{path.relative_to(folder)}: {link}"
        for path in sorted(folder.rglob("*.html"))
        if path.name not in GENERATED
        for link in page(path).links
        if not _leads(path, link)
    ]


def _leads(path: Path, link: str) -> bool:
    if urlsplit(link).scheme or link.startswith("//"):
        return True
    file, anchor = urldefrag(link)
    target = (path.parent / unquote(file)).resolve() if file else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return False
    return not anchor or target.suffix != ".html" or unquote(anchor) in page(target).anchors


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    wrong = faults(folder)
    for line in wrong:
        print(f"{line}: leads nowhere")
    pages = len(list(folder.rglob("*.html")))
    print(f"{folder}: {pages} pages, {len(wrong)} links lead nowhere")
    sys.exit(1 if wrong or pages < 10 else 0)
