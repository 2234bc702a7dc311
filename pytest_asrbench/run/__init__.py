"""The run: every record and all provenance; build, read, write, merge."""

from pytest_asrbench.run.build import Run, build
from pytest_asrbench.run.file import from_json, read, write
from pytest_asrbench.run.merge import merge
from pytest_asrbench.run.provenance import (
    ConditionInfo,
    Coverage,
    DatasetInfo,
    ProviderInfo,
    VerifierInfo,
)
from pytest_asrbench.run.records import clip_digest, record_from_json, record_to_json

__all__ = [
    "ConditionInfo",
    "Coverage",
    "DatasetInfo",
    "ProviderInfo",
    "Run",
    "VerifierInfo",
    "build",
    "clip_digest",
    "from_json",
    "merge",
    "read",
    "record_from_json",
    "record_to_json",
    "write",
]
