"""
From the records of all processes to a run, its gates, and thresholds that are stored.

Imported when a run ends: gates need more modules than all that comes before.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pytest_asrbench.counts import of_clips, plural
from pytest_asrbench.errors import InputError
from pytest_asrbench.gates import completeness, conditions, left_out
from pytest_asrbench.gates.evaluate import evaluate
from pytest_asrbench.gates.remedies import PYTEST
from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.gates.update import NAME as UPDATE
from pytest_asrbench.gates.update import update
from pytest_asrbench.gates.write import write
from pytest_asrbench.loglines import printable
from pytest_asrbench.metrics import wer
from pytest_asrbench.model import Outcome
from pytest_asrbench.plugin.collected import Collected
from pytest_asrbench.plugin.gating import Gating
from pytest_asrbench.plugin.state import State
from pytest_asrbench.reports.text import cut
from pytest_asrbench.run import ProviderInfo, Run, VerifierInfo, build
from pytest_asrbench.run import change as changes
from pytest_asrbench.run.surroundings import environment, git_commit, links, plugin_version
from pytest_asrbench.verifiers.overrides import FILE_NAME, overridden


@dataclass(frozen=True)
class Conclusion:
    """A run with its outcomes; `notices` are lines for the reader."""

    run: Run
    outcomes: tuple[Outcome, ...] = ()
    notices: tuple[str, ...] = ()


class GateRunner:
    """Holds what a run is judged by; `started` is an ISO time."""

    def __init__(
        self, state: State, thresholds: Thresholds | None, file: Path, started: str
    ) -> None:
        self.state = state
        self.thresholds = thresholds
        self.file = file
        self.started = started

    def get_ready(self) -> None:
        """Load what words are counted with."""
        languages = {clip.language for clip in self.state.clips}
        wer.NORMALISERS[wer.normaliser_for(languages)]("")

    def judge(self, collected: Collected, gating: Gating) -> Conclusion:
        run = self._run(collected)
        notices = self._notices(collected, run)
        if not gating.gated:
            return self._ungated(run, (gating.notice or "not gated", *notices))
        outcomes = self._evaluate(run)
        if self.state.settings.update:
            outcomes, lines = self._update(run, outcomes)
            notices = (*notices, *lines)
        else:
            notices = (*notices, *self._beside(run))
        return Conclusion(replace(run, gates=tuple(outcomes)), tuple(outcomes), notices)

    def _ungated(self, run: Run, notices: tuple[str, ...]) -> Conclusion:
        """No gate is shown; a refused update alone fails such a run."""
        if not self.state.settings.update:
            return Conclusion(run, notices=notices)
        outcomes, lines = self._update(run, self._evaluate(run))
        refused = tuple(each for each in outcomes if each.name == UPDATE)
        return Conclusion(replace(run, gates=refused), refused, (*notices, *lines))

    def _evaluate(self, run: Run) -> list[Outcome]:
        settings = self.state.settings
        return evaluate(
            run,
            self.thresholds,
            max_errors=settings.max_errors,
            strict=settings.strict,
            clips=self._digests(),
            path=_shown(self.file),
            must_gate=settings.gate == "on",
        )

    def _update(self, run: Run, outcomes: list[Outcome]) -> tuple[list[Outcome], list[str]]:
        """Judged by the stored thresholds first, then by what becomes of them."""
        settings = self.state.settings
        updated = update(
            run,
            self.thresholds,
            outcomes,
            lower=settings.update_lower,
            max_errors=settings.max_errors,
            strict=settings.strict,
            clips=self._digests(),
            must_gate=settings.gate == "on",
        )
        if updated.thresholds is None:
            return list(updated.outcomes), []  # the refusal is a failed gate, and tells why
        if updated.thresholds == self.thresholds:
            return list(updated.outcomes), list(updated.lines)
        try:
            write(updated.thresholds, self.file)
        except InputError as error:
            return [*outcomes, Outcome(UPDATE, "failed", str(error))], []
        return list(updated.outcomes), [
            f"thresholds written to {_shown(self.file)}",
            *updated.lines,
        ]

    def _digests(self) -> dict[str, str]:
        return {clip.id: clip.digest for clip in self.state.dataset.clips}

    def not_evaluated(self, collected: Collected, why: str) -> Conclusion:
        """Of a run that could not be judged: nothing is lost, and nothing is decided."""
        run = self._run(collected)
        count = of_clips(run.metrics.all.measured, len(self.state.clips), run.repeats)
        notice = f"gates not evaluated: {why}, {count} measured"
        return Conclusion(run, notices=(notice, *self._notices(collected, run)))

    def _beside(self, run: Run) -> list[str]:
        """Lines on clips, types and conditions that no gate sees."""
        if self.thresholds is None:
            return []
        told = completeness.beside(run, self.thresholds, PYTEST, self._digests())
        types = left_out.beside(run, self.thresholds, self.state.settings.strict)
        unmeasured = conditions.unmeasured(run, self.thresholds)
        return [each for each in (told, types, unmeasured) if each]

    def _notices(self, collected: Collected, run: Run) -> tuple[str, ...]:
        model = run.provider.model
        change = self.thresholds.model_change(model) if self.thresholds else None
        return (
            *collected.notes,
            *([change] if change else []),
            *self._not_called(run),
            *self._touched(run),
        )

    def _not_called(self, run: Run) -> list[str]:
        """Code of the user's own may have changed under the version that its transcripts have."""
        stored = sum(record.source == "cache" for record in run.records)
        own = None if self.state.components.built_in else run.provider.version
        if not (stored and own) or self.state.settings.cache_mode == "replay":
            return []
        return [
            f"{stored} of {plural(len(run.records), 'transcript')} stored under version "
            f"{cut(printable(own), 40)}: code changed since was not called; "
            f"{PYTEST.refresh} calls it"
        ]

    def _touched(self, run: Run) -> list[str]:
        settings = self.state.settings
        configured = self.state.components.configuration
        file = configured.options.get("hypotheses") if configured.use == "recorded" else None
        return changes.notices(
            run,
            changes.base_commit(os.environ),
            settings.rootdir,
            transcripts=configured.folder / str(file) if file else settings.cache,
            others=[self.file, self.state.dataset.folder / FILE_NAME],
        )

    def _run(self, collected: Collected) -> Run:
        state, settings = self.state, self.state.settings
        part, parts = settings.shard
        return build(
            collected.records.values(),
            dataset=state.dataset,
            providers=collected.providers or [self._unseen_provider()],
            verifiers=self._verifiers(collected),
            started=self.started,
            plugin=plugin_version(),
            expected=[clip.id for clip in state.clips],
            selected=collected.selected,
            problems=collected.problems,
            git_commit=git_commit(settings.rootdir),
            shard=f"{part}/{parts}",
            tags=settings.tags,
            repeats=settings.repeat,
            cache_mode=settings.cache_mode,
            environment={**environment(), "pytest": pytest.__version__},
            links=links(os.environ),
            conditions=state.components.conditions,
        )

    def _unseen_provider(self) -> ProviderInfo:
        """The provider as settings describe it, where no record arrived."""
        components = self.state.components
        configured = components.configuration
        return ProviderInfo(configured.name, configured.use, components.model, mode=configured.mode)

    def _verifiers(self, collected: Collected) -> list[VerifierInfo]:
        components = self.state.components
        own, *others = collected.verifiers or [
            components.verifier_info(components.verifier.identity)
        ]
        verdicts = (j.verdict for r in collected.records.values() for j in r.entities if j.verdict)
        return [replace(own, overridden=sum(map(overridden, verdicts))), *others]


def _shown(path: Path) -> Path:
    """As a reader in this folder would write it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
