"""
Make the pictures in docs/images: python tools/make_screenshots.py

Gates the example's degraded transcripts, which is a red build, and photographs what a person sees.
Needs chromium on the PATH and the extras of `dev`.
"""

from __future__ import annotations

import html
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "tests"))

from helpers import chromium
from markdown_it import MarkdownIt

COLOURS = {"1": "font-weight:bold", "2": "opacity:.6", "31": "color:#ff7b72"}
COLOURS |= {"32": "color:#7ee787", "33": "color:#e3b341", "36": "color:#79c0ff"}


def main() -> int:
    IMAGES.mkdir(parents=True, exist_ok=True)
    program = chromium.find()
    if program is None:
        print("no chromium on the PATH: apt-get install chromium", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, chromium.page(program) as page:
        report = Path(folder) / "report.html"
        comment = Path(folder) / "comment.md"
        printed = gate("degraded", report, comment)
        terminal = Path(folder) / "terminal.html"
        terminal.write_text(as_page(section(printed)), encoding="utf-8")
        shoot(page, terminal, "terminal", 760, 900)
        rendered = Path(folder) / "comment.html"
        rendered.write_text(as_comment(comment.read_text("utf-8")), encoding="utf-8")
        shoot(page, rendered, "markdown", 1000, 900)
        shoot(page, report, "report", 1100, 900)
        shoot(page, report, "types", 1100, 620, "#types")
        clip = page.run("[...document.querySelectorAll('#rows .open')][0].textContent")
        shoot(page, report, "clip", 1100, 1000, f"#clip={clip}")
        shoot(page, report, "phone-dark", 390, 844, dark=True)
    return 0


def gate(provider: str, report: Path, comment: Path) -> str:
    """Run the example; what pytest printed, in colour."""
    command = [sys.executable, "-m", "pytest", "example_project", f"--asr-provider={provider}"]
    command += [
        f"--asr-html={report}",
        f"--asr-md={comment}",
        "--color=yes",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env={"COLUMNS": "80"}
    )
    if not report.exists():
        raise SystemExit(done.stdout + done.stderr)
    return done.stdout


def section(printed: str) -> str:
    """The plugin's part, without the long middle."""
    lines = printed.splitlines()
    start = next(n for n, line in enumerate(lines) if "= asrbench =" in line)
    return "\n".join(lines[start : start + 48])


def as_page(text: str) -> str:
    """Terminal colours as HTML."""
    first, *rest = re.split(r"\x1b\[([\d;]*)m", text)
    spans, on = [html.escape(first)], list[str]()
    for codes, words in zip(rest[::2], rest[1::2], strict=True):
        on = [] if codes in {"", "0"} else [*on, *codes.split(";")]
        style = ";".join(COLOURS[code] for code in on if code in COLOURS)
        spans.append(f'<span style="{style}">{html.escape(words)}</span>')
    look = "background:#0d1117;color:#e6edf3;font:15px/1.25 'DejaVu Sans Mono',monospace"
    return f'<meta charset="utf-8"><body style="{look};margin:16px"><pre>{"".join(spans)}</pre>'


def as_comment(text: str) -> str:
    """Markdown as a code host shows it, roughly."""
    look = """
      body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; color: #1f2328; }
      h2, h3 { border-bottom: 1px solid #d1d9e0; padding-bottom: .3em; }
      table { border-collapse: collapse; margin: 12px 0; }
      th, td { border: 1px solid #d1d9e0; padding: 4px 12px; }
      code { background: #eff1f3; border-radius: 6px; padding: .15em .4em; font-size: 85%; }
      blockquote { border-left: 4px solid #d1d9e0; margin: 0; padding: 0 1em; color: #59636e; }
    """
    text = text.replace("❌", '<span style="color:#d1242f">✗</span>')  # needs no emoji font
    body = MarkdownIt("commonmark").enable("table").render(text)
    return f'<meta charset="utf-8"><style>{look}</style>{body}'


def shoot(
    page: chromium.Page,
    file: Path,
    name: str,
    width: int,
    height: int,
    fragment: str = "",
    *,
    dark: bool = False,
) -> None:
    page.size(width, height, dark=dark, phone=width < 500)
    page.open(file, fragment)
    page.run("document.querySelector('tr.detail')?.previousElementSibling.scrollIntoView()")
    page.run("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200)))")
    page.screenshot(IMAGES / f"{name}.png")
    print(f"docs/images/{name}.png")


if __name__ == "__main__":
    raise SystemExit(main())
