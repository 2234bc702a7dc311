"""Write docs/policy.md from the rules in the code: python tools/fill_policy.py"""

from __future__ import annotations

from collections import defaultdict
from importlib.resources import files
from pathlib import Path

from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.verifiers.rules import VERSION
from pytest_asrbench.verifiers.rules.policy import ALWAYS, MAIN, RULES

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "policy.md"
CASES = ROOT / "tests" / "golden" / "rules_cases.txt"
HEAD = """\
# The policy, rule by rule

<!-- written by `python tools/fill_policy.py` from the code, checked by a test -->

What counts as recovered, by the numbers that `asrbench explain` prints. Version {version} of the
rules. What it means, and why, stands in [the verifier](verifier.md) and
[What "recovered" means](recoverable.md).

## Rules

{rules}

Rules {always} bind every type.

## Types

Each with the rule that is about it, a transcript that carries the value, and one that does not.

| type | rule | value | recovered in | not in |
|---|---:|---|---|---|
{types}

## Languages

English is what the rules above describe. Each other language has an addendum of its own, numbered
for itself; `asrbench explain --language es` prints its rules.
"""


def page() -> str:
    always = f"{', '.join(map(str, ALWAYS[:-1]))} and {ALWAYS[-1]}"
    rules = "\n".join(f"{number}. {rule}" for number, rule in RULES.items())
    head = HEAD.format(version=VERSION, rules=rules, always=always, types="\n".join(types()))
    return head + "".join(addenda())


def types() -> list[str]:
    """A row a type: of its labelled cases the first value that has one of each verdict."""
    return [
        f"| `{kind}` | {MAIN[kind]} | {' | '.join(map(_code, _example(kind)))} |"
        for kind in ENTITY_TYPES
    ]


def addenda() -> list[str]:
    """Each language's rules; they lie beside its pack."""
    folder = Path(str(files("pytest_asrbench.verifiers.packs") / "addenda"))
    return [f"\n{_as_section(path)}\n" for path in sorted(folder.glob("*.md"))]


def _as_section(path: Path) -> str:
    """Its headings two levels down, under this page's own."""
    lines = path.read_text(encoding="utf-8").strip().splitlines()
    return "\n".join(f"##{line}" if line.startswith("#") else line for line in lines)


def _example(kind: str) -> tuple[str, str, str]:
    cases: dict[str, dict[str, str]] = defaultdict(dict)
    for line in CASES.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{kind} | "):
            _, canonical, transcript, verdict = line.split(" | ")
            cases[canonical].setdefault(verdict, transcript)
    for canonical, judged in cases.items():
        if judged.keys() >= {"present", "absent"}:
            return canonical, judged["present"], judged["absent"]
    raise SystemExit(f"{CASES}: no value of {kind} with a case of each verdict")


def _code(text: str) -> str:
    return f"`{text}`".replace("¦", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
