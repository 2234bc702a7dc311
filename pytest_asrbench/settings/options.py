"""
The table of settings: every name, what it takes, its default, and what it is for.

One row gives the option `--asr-<name>`, the variable `ASRBENCH_<NAME>`, the ini key `asr_<name>`
and the key `<name>` of `asrbench.yaml`. Standard library only: this is read in every pytest run,
also where the plugin is inactive.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "name",
    "verifier",
    "path",
    "data",
    "choice",
    "flag",
    "count",
    "odd",
    "conditions",
    "shard",
    "tags",
    "budget",
    "duration",
    "reports",
]
Place = Literal["option", "env", "file", "ini"]

EVERYWHERE: tuple[Place, ...] = ("option", "env", "file", "ini")


@dataclass(frozen=True, slots=True)
class Option:
    """One setting. `default` is written as a user would; None leaves it unset."""

    name: str
    kind: Kind
    help: str
    default: str | None = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: int = 0
    """The smallest value of a count."""
    places: tuple[Place, ...] = EVERYWHERE

    @property
    def flag(self) -> str:
        return "--asr-" + self.name.replace("_", "-")

    @property
    def dest(self) -> str:
        """The attribute of pytest's parsed options, and the ini key."""
        return f"asr_{self.name}"

    @property
    def env(self) -> str:
        return f"ASRBENCH_{self.name.upper()}"


@dataclass(frozen=True, slots=True)
class Format:
    """A file that a run can be written to: `--asr-<name>` and, of commands, `--<name>`.

    `writer` is the `module:function` that writes it, given a `reports.formats.Report` and a path.
    """

    name: str
    help: str
    writer: str


_REPORTS = "pytest_asrbench.reports"
FORMATS: tuple[Format, ...] = (
    Format("json", "write the run file", f"{_REPORTS}.formats:run_file"),
    Format("html", "write a self-contained HTML report", f"{_REPORTS}.formats:html_report"),
    Format(
        "md",
        "write a Markdown report, for a pull-request comment",
        f"{_REPORTS}.formats:markdown_report",
    ),
    Format("csv", "write a table with one row a value", f"{_REPORTS}.formats:csv_table"),
    Format("junit", "write clips and gates as JUnit", f"{_REPORTS}.formats:junit_file"),
)


OPTIONS: tuple[Option, ...] = (
    Option(
        "provider",
        "name",
        "ASR system to measure: a configured, built-in or registered name, or module:attr; "
        "without it the plugin is inactive",
        metavar="NAME",
        places=("option", "env", "ini"),
    ),
    Option(
        "data",
        "data",
        "dataset: a file or a folder, LAYOUT: before it where the layout can't be told",
        default="clips.yaml",
        metavar="[LAYOUT:]PATH",
    ),
    Option(
        "verifier",
        "verifier",
        "who judges the values: rules, llm, cascade, module:attr or path.py:attr",
        default="rules",
        metavar="NAME",
    ),
    Option(
        "verifier_votes",
        "odd",
        "ask the model of llm or cascade N times for each clip and let the majority decide",
        metavar="N",
    ),
    Option(
        "thresholds",
        "path",
        "stored thresholds: a folder with one file a provider, or one file",
        default="thresholds",
        metavar="PATH",
    ),
    Option(
        "gate",
        "choice",
        "auto: gate a full selection, only report a partial one; on: a partial one fails; "
        "off: report only",
        default="auto",
        choices=("auto", "on", "off"),
    ),
    Option(
        "update",
        "flag",
        "store this run's values as thresholds where they are better",
        places=("option",),
    ),
    Option(
        "update_lower",
        "flag",
        "store worse values too, and say which",
        places=("option",),
    ),
    Option("strict", "flag", "a test whose value was missed fails"),
    Option(
        "cache",
        "path",
        "folder of stored transcripts and verdicts (default: .asrbench in rootdir)",
        metavar="DIR",
    ),
    Option(
        "cache_mode",
        "choice",
        "fill: call for what is not stored; replay: never call; refresh: call for all; "
        "off: neither read nor write",
        default="fill",
        choices=("fill", "replay", "refresh", "off"),
    ),
    Option(
        "cache_max_age",
        "duration",
        "stored transcripts older than this are called for again in fill mode",
        default="12h",
        metavar="TIME",
    ),
    Option(
        "concurrency",
        "count",
        "calls at once in the whole run (default: the configuration's concurrency, else 8)",
        metavar="N",
        least=1,
    ),
    Option(
        "max_errors",
        "count",
        "clips that may end in an error before gate[complete] fails",
        default="0",
        metavar="N",
    ),
    Option(
        "mode",
        "choice",
        "send whole files (batch) or paced frames (stream)",
        default="batch",
        choices=("batch", "stream"),
    ),
    Option("repeat", "count", "transcribe each clip N times", default="1", metavar="N", least=1),
    Option(
        "shard",
        "shard",
        "measure only part K of N of the clips; asrbench merge gates the parts together",
        default="1/1",
        metavar="K/N",
    ),
    Option(
        "tags",
        "tags",
        "measure only clips with one of these tags (comma-separated); they have their own "
        "thresholds",
        metavar="TAGS",
    ),
    Option(
        "condition",
        "conditions",
        "measure each clip under these conditions too, comma-separated: phone, noise:10, own ones "
        "of the settings; all means all of those",
        metavar="NAMES",
    ),
    Option(
        "budget",
        "budget",
        "stop calling once this is spent: money (2.50) or audio (90min)",
        metavar="X",
    ),
    Option(
        "prices",
        "path",
        "your own price table, on top of the one that comes with the plugin",
        metavar="FILE",
    ),
    Option("redact", "flag", "mask values and transcripts in every output but the run file"),
    *(
        Option(each.name, "path", each.help, metavar="FILE")
        for each in FORMATS
        if each.name != "junit"  # pytest has --junitxml
    ),
    Option(
        "report",
        "reports",
        "write a file of another package's format",
        metavar="FORMAT=FILE",
    ),
    Option("html_audio", "flag", "embed the audio in the HTML report"),
    Option(
        "junit_properties",
        "flag",
        "add canonical value, nearest thing heard and latency to the JUnit properties",
    ),
)

BY_NAME: dict[str, Option] = {option.name: option for option in OPTIONS}


def asked_provider(
    option: str | None, ini: str | None, env: Mapping[str, str] = os.environ
) -> str | None:
    """The provider's name: what makes the plugin active. An empty one asks for none."""
    return option or env.get(BY_NAME["provider"].env) or ini or None
