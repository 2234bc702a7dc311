"""The data that flows down the road. Frozen; counts are stored, ratios are derived."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

Json = Mapping[str, Any]
Source = Literal["live", "cache", "recorded"]


@dataclass(frozen=True, slots=True)
class Rate:
    """Hits out of a total, pooled over clips. Rates add; they are never averaged."""

    hits: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.total:
            raise ValueError(f"{self.hits} of {self.total} is not a rate")

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.hits + other.hits, self.total + other.total)

    @property
    def value(self) -> float | None:
        """None where nothing was counted: neither 0 nor 1."""
        return self.hits / self.total if self.total else None

    def to_json(self) -> dict[str, Any]:
        return {"hits": self.hits, "total": self.total, "value": self.value}


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Edits against reference units (words or characters), pooled over clips. May exceed 1.

    What the edits were is None where only their sum was kept, as in thresholds.
    """

    edits: int
    reference: int
    substitutions: int | None = field(default=None, compare=False)
    deletions: int | None = field(default=None, compare=False)
    insertions: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        kinds = (self.substitutions, self.deletions, self.insertions)
        known = [count for count in kinds if count is not None]
        negative = min(self.edits, self.reference, *known) < 0
        if negative or (known and (len(known) < len(kinds) or sum(known) != self.edits)):
            raise ValueError(f"{self.edits} edits {kinds} in {self.reference} is no error rate")
        if (self.substitutions or 0) + (self.deletions or 0) > self.reference:
            raise ValueError(f"edits {kinds} exceed the {self.reference} of the reference")

    @classmethod
    def of(
        cls, *, substitutions: int, deletions: int, insertions: int, reference: int
    ) -> ErrorRate:
        """Counted by kind."""
        edits = substitutions + deletions + insertions
        return cls(edits, reference, substitutions, deletions, insertions)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ErrorRate:
        """The rate that `to_json` made this of. Raises ValueError for counts that contradict
        themselves."""
        kinds = (data.get(name) for name in ("substitutions", "deletions", "insertions"))
        return cls(data["edits"], data["reference"], *kinds)

    def __add__(self, other: ErrorRate) -> ErrorRate:
        return ErrorRate(
            self.edits + other.edits,
            self.reference + other.reference,
            _both(self.substitutions, other.substitutions, self, other),
            _both(self.deletions, other.deletions, self, other),
            _both(self.insertions, other.insertions, self, other),
        )

    @property
    def value(self) -> float | None:
        """None where there was nothing to err on."""
        return self.edits / self.reference if self.reference else None

    def to_json(self) -> dict[str, Any]:
        kinds = {
            "substitutions": self.substitutions,
            "deletions": self.deletions,
            "insertions": self.insertions,
        }
        known = {} if self.substitutions is None else kinds
        return {"edits": self.edits, **known, "reference": self.reference, "value": self.value}


def _both(one: int | None, other: int | None, *rates: ErrorRate) -> int | None:
    """Their sum; a rate without edits has none of any kind."""
    counts = [
        0 if rate.edits == 0 else count for rate, count in zip(rates, (one, other), strict=True)
    ]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


@dataclass(frozen=True, slots=True)
class Entity:
    """One target value of a clip."""

    id: str
    type: str
    canonical: str
    acoustic: str | None = None
    accept: tuple[str, ...] = ()
    """Other written forms that count."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Role, tier, and whatever else a benchmark says of it."""


@dataclass(frozen=True)
class Clip:
    """One recording with its reference and target entities.

    `path` is where the audio is expected; nothing says that it was read. `row` is the line in the
    dataset's file, for messages. `slices` are descriptive (domain, difficulty, locale, subset).
    """

    id: str
    path: Path
    reference: str
    language: str
    entities: tuple[Entity, ...] = ()
    slices: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    row: int | None = None
    condition: str | None = None
    """What its recording goes through before it is sent; None for the raw clip."""

    @property
    def key(self) -> str:
        """`refund_03`, and under a condition `refund_03@phone`."""
        return sound_key(self.id, self.condition)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical JSON of all that is scored; audio is hashed separately."""
        content = {
            "id": self.id,
            "reference": self.reference,
            "language": self.language,
            "entities": [
                {
                    "type": e.type,
                    "canonical": e.canonical,
                    "acoustic": e.acoustic,
                    "accept": list(e.accept),
                }
                for e in self.entities
            ],
        }
        canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


def sound_key(clip: str, condition: str | None) -> str:
    """The name of a clip under a condition, for messages, test ids and recorded transcripts."""
    return clip if condition is None else f"{clip}@{condition}"


def dataset_digest(clips: Mapping[str, str]) -> str:
    """`sha256:` of the sorted `id digest` lines, so that file order does not matter."""
    lines = "\n".join(sorted(f"{clip} {digest}" for clip, digest in clips.items()))
    return "sha256:" + hashlib.sha256(lines.encode()).hexdigest()


@dataclass(frozen=True)
class Dataset:
    """Clips in file order, under a name.

    `path` is the file that lists them; `types` maps custom entity types to the known type that each
    behaves like; `notes` are lines that a report must show (what this data can't tell).
    """

    name: str
    path: Path
    clips: tuple[Clip, ...]
    layout: str = "native"
    revision: str | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """That of all clips."""
        return dataset_digest({clip.id: clip.digest for clip in self.clips})

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The language tags of all clips, sorted."""
        return tuple(sorted({clip.language for clip in self.clips}))

    @property
    def folder(self) -> Path:
        """The folder that audio paths are relative to."""
        return self.path if self.path.is_dir() else self.path.parent

    @cached_property
    def by_id(self) -> Mapping[str, Clip]:
        return {clip.id: clip for clip in self.clips}


@dataclass(frozen=True, slots=True)
class Transcript:
    """The answer of a provider. The text is untouched; "" means that it heard no speech.

    Times are in milliseconds of wall clock and stamped by the engine or the streaming loop, never
    by an adapter: `latency_ms` from the request, or from a stream's last frame, to the transcript;
    of a stream, `first_text_ms` from the first frame to the first text, and `after_speech_ms` from
    the last frame with speech to the last change of the final text. `billed_s` is seconds of audio
    charged, where the reply says so.
    """

    text: str
    reported_model: str | None = None
    request_id: str | None = None
    billed_s: float | None = None
    latency_ms: float | None = None
    first_text_ms: float | None = None
    after_speech_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which what was heard is not the value: `wanted` was lost, `heard` there instead.

    `kind` is one of `verifiers.reasons.WORDINGS`; `behind` stands on the other side of a value that
    is part of a longer one.
    """

    kind: str
    wanted: str = ""
    heard: str = ""
    behind: str = ""


@dataclass(frozen=True, slots=True)
class Nearest:
    """For a miss: the closest span of the transcript and what is wrong with it, at a glance.

    `differences` are all that `difference` puts into words; none where others wrote the words.
    """

    text: str
    start: int
    end: int
    difference: str
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision whether one entity is recoverable from the transcript alone.

    `start` and `end` are character offsets into the untouched transcript; `evidence` is that slice.
    `doubts` are those rules of the policy by which it may be disputed.
    """

    present: bool
    sure: bool
    reason: str
    evidence: str | None = None
    start: int | None = None
    end: int | None = None
    nearest: Nearest | None = None
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VerifierUsage:
    """The effort of judging entities where a language model was asked. Judgings add.

    `asked` entities went to the model, the rest were decided without; `split` are those whose votes
    differed, `rejected` those whose evidence did not bear out a "present". `cost` is None where no
    price is configured; `dropped` names parameters that the model did not accept.
    """

    calls: int = 0
    asked: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    split: int = 0
    rejected: int = 0
    models: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    def __add__(self, other: VerifierUsage) -> VerifierUsage:
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return VerifierUsage(
            calls=self.calls + other.calls,
            asked=self.asked + other.asked,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=sum(costs) if costs else None,
            split=self.split + other.split,
            rejected=self.rejected + other.rejected,
            models=tuple(dict.fromkeys(self.models + other.models)),
            dropped=tuple(dict.fromkeys(self.dropped + other.dropped)),
        )


@dataclass(frozen=True, slots=True)
class JudgedEntity:
    """An entity with its verdict; None where an error left it unjudged."""

    entity: Entity
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason that a clip has no result: an error after retries.

    `trace` is the end of the traceback where the user's own code raised.
    """

    kind: str
    message: str
    host: str | None = None
    trace: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClipRecord:
    """All that a run knows of a clip, condition and repeat: transcript and verdicts, or an error.

    `audio` is the path relative to the dataset's folder; `words` and `characters` are filled where
    a normaliser measured them.
    """

    clip: str
    reference: str
    language: str
    entities: tuple[JudgedEntity, ...] = ()
    repeat: int = 1
    condition: str | None = None
    """What the recording went through before it was sent; None for the raw clip."""
    row: int | None = None
    audio: str | None = None
    audio_sha256: str | None = None
    duration_s: float | None = None
    slices: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    transcript: str | None = None
    source: Source | None = None
    recorded_at: str | None = None
    imported: bool = False
    """True where a cassette brought the transcript into the store."""
    latency_ms: float | None = None
    first_text_ms: float | None = None
    after_speech_ms: float | None = None
    attempts: int = 0
    reported_model: str | None = None
    request_id: str | None = None
    billed_s: float | None = None
    cost: float | None = None
    judging: VerifierUsage | None = None
    error: Failure | None = None
    words: ErrorRate | None = None
    characters: ErrorRate | None = None

    @property
    def key(self) -> str:
        """`refund_03`, and under a condition `refund_03@phone`."""
        return sound_key(self.clip, self.condition)

    @property
    def measured(self) -> bool:
        return self.error is None

    @property
    def is_speech(self) -> bool:
        """True where the system heard any; an empty transcript is a valid one."""
        return bool(self.transcript and self.transcript.strip())

    @property
    def recovered(self) -> tuple[JudgedEntity, ...]:
        """Entities judged present; what has no verdict is neither recovered nor missed."""
        return tuple(j for j in self.entities if j.verdict is not None and j.verdict.present)

    @property
    def whole(self) -> bool:
        """True where every entity was recovered."""
        return len(self.recovered) == len(self.entities)

    @property
    def misses(self) -> tuple[JudgedEntity, ...]:
        return tuple(j for j in self.entities if j.verdict is not None and not j.verdict.present)


Status = Literal["passed", "failed", "inconclusive", "ungated", "not_evaluated"]
Measured = Rate | ErrorRate | float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one gate on a run.

    `name` is `ctem`, `recovery:email_address`, `ctem:domain=finance_ops`, `complete`, …; `kind` the
    policy that decided (`min`, `max`, `max_drop`, `paired`, `max_new_misses`), of a failed
    `complete` why; `limit` its bound.
    `measured` and `baseline` carry their counts. `detail` is one line without the name.
    """

    name: str
    status: Status
    detail: str
    kind: str | None = None
    limit: float | None = None
    measured: Measured = None
    baseline: Measured = None

    @property
    def failed(self) -> bool:
        return self.status == "failed"
