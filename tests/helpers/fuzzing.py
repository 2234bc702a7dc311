"""
What reads foreign text, each with good examples of it; and how good text is spoilt.

A reader may take a spoilt text or refuse it by an error of ours, each line of which is under 300
characters and fit for a log. Anything else that comes out of it is a fault.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from helpers.small_runs import run_of
from pytest_asrbench import run as runs
from pytest_asrbench.audit import sheet
from pytest_asrbench.audit.sample import Row
from pytest_asrbench.datasets import native
from pytest_asrbench.datasets.hypotheses import read_hypotheses
from pytest_asrbench.errors import AsrBenchError
from pytest_asrbench.gates import parse
from pytest_asrbench.loglines import LONGEST, log_text
from pytest_asrbench.model import Entity, Transcript, Verdict
from pytest_asrbench.providers import prices
from pytest_asrbench.providers.base import Description
from pytest_asrbench.settings.file import read_settings_file
from pytest_asrbench.store import Entry, TranscriptKey
from pytest_asrbench.store.cassette import Cassette, read_cassette, write_cassette
from pytest_asrbench.verifiers.llm import contract
from pytest_asrbench.verifiers.overrides import read_decisions, transcript_hash

ROOT = Path(__file__).parents[2]
ENTITIES = (Entity("e01", "time", "9:30"), Entity("e02", "person_or_team_name", "Ann"))
HEARD = "Ann comes at nine thirty"


@dataclass(frozen=True)
class Target:
    """A reader of one kind of text. `read` is given the text, and a file that holds it."""

    name: str
    file: str
    seeds: Sequence[str]
    read: Callable[[str, Path], object]

    def fault(self, text: str, folder: Path) -> str | None:
        """What is wrong with how it takes the text; None where nothing is."""
        path = folder / self.file
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            self.read(text, path)
        except AsrBenchError as error:
            return _message_fault(str(error))
        except contract.ContractError as error:
            return next(filter(None, map(_message_fault, error.faults)), None)
        except Exception as error:
            return f"{type(error).__name__}: {str(error)[:200]}"
        return None


def _message_fault(message: str) -> str | None:
    for line in message.split("\n"):
        if len(line) >= LONGEST + 1:
            return f"a line of {len(line)} characters: {line[:120]}…{line[-60:]}"
        if log_text(line) != line:
            return f"not fit for a log: {line[:200]!a}"
    return None if message else "an error without a message"


def _example(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _manifest_rows() -> str:
    header = {"schema": 1, "name": "x", "language": "en", "types": {"code": {"like": "time"}}}
    clip = {
        "id": "a", "audio": "a.wav", "reference": "nine", "language": "en-US", "domain": "d",
        "difficulty": "easy", "tags": ["t"],
        "entities": [{"id": "e", "type": "code", "canonical": "9:30", "accept": ["half nine"]}],
    }  # fmt: skip
    return "\n".join(map(json.dumps, (header, clip, {**clip, "id": "b"})))


MANIFEST = """schema: 1
name: x
language: en
types: {code: {like: reference_id}}
clips:
  - id: a
    audio: a.wav  # said slowly
    reference: "nine: thirty"
    tags: [smoke]
    entities:
      - {id: e, type: time, canonical: 9:30, acoustic: nine thirty, accept: [half past nine]}
      - {type: code, canonical: BH-74}
"""
SETTINGS = """data: clips.yaml
thresholds: ../thresholds
cache_max_age: 12h
repeat: 3
providers:
  nova3: {use: deepgram, model: nova-3, params: {smart_format: true, keyterm: [a, "5"]}}
  ours: {use: openai-compatible, base_url: "http://h/v1", model: m, concurrency: 4}
verifiers:
  llm: {model: m, votes: 3, price: {input: 0.1, output: 0.5}}
types: {code: {like: reference_id}}
policy: {email_address: {plus: required}}
"""
VERDICTS = f"""schema: 1
verdicts:
  - type: time
    canonical: '9:30'
    transcript: {transcript_hash(HEARD)}
    present: true
    reason: as people say it
"""
PRICES = """currency: USD
prices:
  - {use: deepgram, model: nova-3, mode: batch, per_minute: 0.0043, source: list, date: 2026-11-29}
"""
ANSWER = json.dumps(
    {
        "results": [
            {
                "target_index": n, "type": entity.type, "canonical": entity.canonical,
                "present": not n, "evidence": "nine thirty" if not n else None, "reason": "said",
            }
            for n, entity in enumerate(ENTITIES)
        ]
    }
)  # fmt: skip
ROW = Row(
    "s|a/e1#1", "s", ENTITIES[0], "en", HEARD, transcript_hash(HEARD),
    Verdict(True, True, "said", "nine thirty", 13, 24), "rules 1 sha256:x",
)  # fmt: skip


def _written(write: Callable[[Path], object], scratch: Path) -> str:
    write(scratch)
    text = scratch.read_text(encoding="utf-8")
    scratch.unlink()
    return text


def _cassette(path: Path) -> None:
    key = TranscriptKey("a" * 64, Description("deepgram", "nova-3", {"x": 1}), "batch", "en")
    heard = Transcript(HEARD, latency_ms=41.5)
    write_cassette(Cassette("c", [Entry(key, heard, "2026-11-29T21:04:05Z", clip="a")]), path)


def targets(scratch: Path) -> list[Target]:
    """`scratch` is an empty folder in which the examples are made."""
    run = run_of(a="time+ date-", b="", c="error")
    run_file = _written(lambda path: runs.write(run, path), scratch / "run.json")
    cassette = _written(_cassette, scratch / "c.jsonl")
    clip_rows = _manifest_rows()
    csv = 'audio_id,pred_text,latency_ms\n002,"a, b",12\n003,"",\n'
    rows = '{"audio_id": "002", "pred_text": "a", "latency_ms": 12}\n{"clip": "3", "text": ""}\n'
    items = json.dumps({"run_metadata": {}, "items": [{"audio_id": "1", "pred_text": "a"}]})
    thresholds = [_example(f"thresholds/{name}.yaml") for name in ("recorded", "pocketsphinx")]
    return [
        Target("manifest", "clips.yaml", [MANIFEST], lambda _, path: native.read(path, {})),
        Target("manifest-jsonl", "c.jsonl", [clip_rows], lambda _, path: native.read(path, {})),
        Target("settings", "asrbench.yaml", [SETTINGS], lambda _, path: read_settings_file(path)),
        Target("thresholds", "t.yaml", thresholds, lambda _, path: parse.read(path)),
        Target("run-file", "run.json", [run_file], lambda _, path: runs.read(path)),
        Target("hypotheses-csv", "h.csv", [csv], lambda _, path: read_hypotheses(path)),
        Target("hypotheses-jsonl", "h.jsonl", [rows], lambda _, path: read_hypotheses(path)),
        Target("hypotheses-json", "h.json", [items], lambda _, path: read_hypotheses(path)),
        Target("cassette", "c.jsonl", [cassette], lambda _, path: read_cassette(path)),
        Target("verdicts", "verdicts.yaml", [VERDICTS], lambda _, path: read_decisions(path)),
        Target("prices", "prices.yaml", [PRICES], lambda _, path: prices.read_prices(path)),
        Target("sheet", "s.csv", ["".join(sheet.text([ROW]))], lambda _, path: sheet.read(path)),
        Target("answer", "a.json", [ANSWER], lambda text, _: contract.parse(text, ENTITIES, HEARD)),
    ]


NAMES = [
    "manifest", "manifest-jsonl", "settings", "thresholds", "run-file", "hypotheses-csv",
    "hypotheses-jsonl", "hypotheses-json", "cassette", "verdicts", "prices", "sheet", "answer",
]  # fmt: skip

# What tends to break readers, or those who read what they say.
SNIPPETS = (
    "", "\0", "\x1b[2J", "\n", "\r", "\t", "\u2028", "\u202e", "\ufeff", "\udc80", "\ud83d", "\x85",
    "::error::x", "##vso[task.complete]", "null", "true", "NaN", "Infinity", "-1", "0", "1e400",
    "9" * 5_000, "1" * 30, "0132", "12:30", "2026-13-45", "\"", "'", "`", "\\", "\\u0000",
    "\\ud800",
    "[", "]", "{", "}", "[" * 2_000, "{\"a\":" * 300, ",", ":", ": ", "- ", "#", " #", "&a ", "*a",
    "!!python/object:os.system ", "!!binary ", "%YAML 9.9\n", "---\n", "...\n", "<<: ", "|\n",
    ">\n",
    "? ", "=1+1", "x" * 3_000, "é" * 900, "😀", "e\u0301", "sha256:", "../", "/", "C:\\", "a/b",
    "schema: 2\n", "<<<<<<< HEAD\n", "=======\n", ">>>>>>> x\n", "[]", "{}", "\"\"",
)  # fmt: skip

Edit = tuple[float, float, int]
"""Where it begins (a share of the text), how much it takes away, and the snippet it puts there."""


def spoilt(seed: str, edits: Sequence[Edit]) -> str:
    """The text after these edits."""
    text = seed
    for place, width, snippet in edits:
        start = int(place * len(text))
        taken = int(width * width * width * (len(text) - start))  # mostly little
        put = SNIPPETS[snippet % len(SNIPPETS)]
        if snippet >= len(SNIPPETS):  # a piece of the text itself, a second time
            put = text[start : start + taken] * 2
        text = f"{text[:start]}{put}{text[start + taken :]}"
    return text


def at_random(target: Target, random: Random) -> str:
    """A spoilt example: at characters, or at a value of its JSON."""
    seed = random.choice(target.seeds)
    edits = [
        (random.random(), random.random(), random.randrange(int(1.2 * len(SNIPPETS))))
        for _ in range(random.choice((1, 1, 1, 2, 3, 8)))
    ]
    if random.random() < 0.4:
        with suppress(ValueError):
            return _other_value(seed, random)
    return spoilt(seed, edits)


def _other_value(seed: str, random: Random) -> str:
    """JSON, or one line of several, in which one value is another one. Raises ValueError."""
    lines = seed.split("\n")
    at = random.randrange(len(lines))
    whole = seed.lstrip().startswith("{\n")
    value = json.loads(seed if whole else lines[at])
    places = list(_places(value))
    holder, key = random.choice(places) if places else ([value], 0)
    holder[key] = random.choice(OTHERS)
    if whole:
        return json.dumps(value)
    lines[at] = json.dumps(value)
    return "\n".join(lines)


OTHERS: Sequence[Any] = (
    None, True, False, 0, -1, 1.5, 10**30, 1e308, "", "x", "\x1b[31m", "\ud800", "9:30", [], {},
    [[]],
    [None], {"": None}, {"a": {"a": {}}}, ["x"], "x" * 3_000, [1] * 300, "2026-11-29T00:00:00Z",
)  # fmt: skip


def _places(value: Any) -> Any:
    keys = range(len(value)) if isinstance(value, list) else list(value) if _is(value) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _is(value: Any) -> bool:
    return isinstance(value, dict)
