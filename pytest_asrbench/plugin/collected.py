"""Records that reached the controller, from whichever process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_asrbench.model import ClipRecord
from pytest_asrbench.plugin.session import MeasuredClip

if TYPE_CHECKING:
    from pytest_asrbench.run import ProviderInfo, VerifierInfo


@dataclass
class Collected:
    """Records go by clip, condition and repeat. `selected` is None until some process tells its
    selection; `tests` holds for each clip's key the test that measured it first, as an argument to
    pytest."""

    records: dict[tuple[str, str | None, int], ClipRecord] = field(default_factory=dict)
    providers: list[ProviderInfo] = field(default_factory=list)
    verifiers: list[VerifierInfo] = field(default_factory=list)
    selected: set[str] | None = None
    tests: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, measured: MeasuredClip, test: str) -> None:
        """The first measured attempt counts: reruns must not become the best of several."""
        for record in measured.records:
            self.tests.setdefault(record.key, test)
            place = record.clip, record.condition, record.repeat
            known = self.records.get(place)
            if known is None or (record.measured and not known.measured):
                self.records[place] = record
        if measured.provider and measured.provider not in self.providers:
            self.providers.append(measured.provider)
        if measured.verifier and measured.verifier not in self.verifiers:
            self.verifiers.append(measured.verifier)
