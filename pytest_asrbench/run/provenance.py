"""The provenance of a run's figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pytest_asrbench.conditions import Condition, versions
from pytest_asrbench.model import Dataset
from pytest_asrbench.providers.base import Description
from pytest_asrbench.verifiers.base import Identity


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """The ASR system under one named configuration. `protocol` is `custom` with vendor parameters.

    `deterministic`: the system says that equal audio gives equal text.
    """

    name: str
    use: str
    model: str | None = None
    reported_model: str | None = None
    mode: str = "batch"
    settings: Mapping[str, Any] = field(default_factory=dict)
    protocol: Literal["default", "custom"] = "default"
    version: str | None = None
    deterministic: bool = False

    @classmethod
    def of(cls, name: str, description: Description, mode: str = "batch") -> ProviderInfo:
        """From what the provider says of itself."""
        return cls(
            name=name,
            use=description.use,
            model=description.model,
            mode=mode,
            settings=dict(description.settings),
            protocol="custom" if description.custom else "default",
            version=description.version,
            deterministic=description.deterministic,
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """The dataset, and the state of its clips. `digest` is that of all clips, of other shards too.

    `types` are the custom types, each with the known one it is like: judging again needs them.
    """

    name: str
    path: str
    digest: str
    clips: int
    entities: int
    revision: str | None = None
    layout: str = "native"
    notes: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, dataset: Dataset) -> DatasetInfo:
        return cls(
            name=dataset.name,
            path=str(dataset.path),
            digest=dataset.digest,
            clips=len(dataset.clips),
            entities=sum(len(clip.entities) for clip in dataset.clips),
            revision=dataset.revision,
            layout=dataset.layout,
            notes=dataset.notes,
            types=dict(dataset.types),
        )

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "notes": list(self.notes)}


@dataclass(frozen=True, slots=True)
class VerifierInfo:
    """The verifier that judged. `overrides_digest` is that of verdicts.yaml, which decided
    `overridden` times."""

    id: str
    version: str
    digest: str
    overrides_digest: str | None = None
    overridden: int = 0

    @classmethod
    def of(
        cls, identity: Identity, *, overrides_digest: str | None = None, overridden: int = 0
    ) -> VerifierInfo:
        return cls(identity.id, identity.version, identity.digest, overrides_digest, overridden)

    @property
    def key(self) -> tuple[str, str, str]:
        """The parts that must be equal before two sets of verdicts are compared."""
        return self.id, self.version, self.digest

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ConditionInfo:
    """What clips went through before they were sent. `digest` is that of steps and seed; `versions`
    are of the libraries that the samples depend on."""

    name: str
    digest: str
    seed: int
    steps: tuple[Mapping[str, Any], ...]
    versions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, condition: Condition) -> ConditionInfo:
        steps = tuple(step.to_json() for step in condition.steps)
        return cls(condition.name, condition.digest, condition.seed, steps, versions())

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "steps": [dict(step) for step in self.steps]}


@dataclass(frozen=True, slots=True)
class Coverage:
    """The clips that should have been measured. `missing` are expected clips without a record.

    A key is `clip`, or `clip#2` for a repeat. `unselected` counts the expected clips that no test
    asked for; `problems` are further one-line reasons why the run is not complete.
    """

    expected: int
    unselected: int = 0
    missing: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "expected": self.expected,
            "unselected": self.unselected,
            "missing": list(self.missing),
            "problems": list(self.problems),
        }


def short(digest: str) -> str:
    """`sha256:` and twelve digits: enough to tell two apart by eye."""
    return digest[: len("sha256:") + 12]
