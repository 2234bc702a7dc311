"""Exit code 0: every gate was evaluated on complete data and held, or the run says why not."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal

import pytest
from helpers.plugin_suite import Suite
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Fate = Literal["recovered", "missed", "lost", "skipped", "fails", "deselected"]
FATES: tuple[Fate, ...] = ("recovered", "missed", "lost", "skipped", "fails", "deselected")
TESTS = """
import pytest

@pytest.fixture
def chosen(asr_clip):
    if asr_clip.id.startswith("skipped"):
        pytest.skip("not today")

def test_clip(chosen, asr_result):
    assert not asr_result.clip.startswith("fails")
"""


@dataclass(frozen=True)
class Scenario:
    """What becomes of each clip, and how the run is gated. `floor` None: no thresholds."""

    fates: tuple[Fate, ...]
    floor: float | None
    gate: Literal["auto", "on", "off"]
    stale: bool
    collect_only: bool

    def count(self, *fates: Fate) -> int:
        return sum(fate in fates for fate in self.fates)

    @property
    def selected(self) -> int:
        return len(self.fates) - self.count("deselected")

    @property
    def gated(self) -> bool:
        if self.collect_only or self.gate == "off" or not self.selected:
            return False
        return self.gate == "on" or self.selected == len(self.fates)

    @property
    def own_exit(self) -> int:
        """What pytest itself would say."""
        if not self.selected:
            return pytest.ExitCode.NO_TESTS_COLLECTED
        failing = not self.collect_only and self.count("lost", "fails")
        return pytest.ExitCode.TESTS_FAILED if failing else pytest.ExitCode.OK

    @property
    def holds(self) -> bool:
        """Every clip was measured, and the floor is there, of this dataset, and held."""
        if self.floor is None or self.stale or self.count("lost", "skipped", "deselected"):
            return False
        return self.count("recovered", "fails") >= self.floor * len(self.fates)


scenarios = st.builds(
    Scenario,
    fates=st.lists(st.sampled_from(FATES), min_size=1, max_size=4).map(tuple)
    | st.lists(st.sampled_from(FATES[:2]), min_size=1, max_size=4).map(tuple),
    floor=st.sampled_from([None, 0.0, 0.5, 1.0]),
    gate=st.sampled_from(["auto", "auto", "on", "off"]),
    stale=st.sampled_from([False, False, False, True]),
    collect_only=st.sampled_from([False, False, False, True]),
)


def build(suite: Suite, scenario: Scenario) -> list[str]:
    """Write the suite; the options that select what the scenario says."""
    for n, fate in enumerate(scenario.fates):
        value = str(4100 + n)
        heard = {"missed": "so nothing it is", "lost": None}.get(fate, f"so {value} it is")
        suite.clip(f"{fate}{n}", heard, plain_number=value)
    suite.tests = TESTS
    thresholds = suite.folder / "thresholds/recorded.yaml"
    thresholds.unlink(missing_ok=True)
    if scenario.floor is not None:
        suite.thresholds(ctem={"min": scenario.floor})
    if scenario.stale:
        suite.stored["verifier"] = {"id": "rules", "version": "0", "digest": "sha256:0"}
    options = [f"--asr-gate={scenario.gate}", "--asr-json=run.json", "-p", "no:cacheprovider"]
    options += ["-k", "not deselected"] if scenario.count("deselected") else []
    return options + (["--collect-only"] if scenario.collect_only else [])


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scenario=scenarios)
def test_exit_code_0_is_earned_or_explained(pytester, suite, monkeypatch, scenario):
    # Test files of one second and size would be taken for each other.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    fresh = Suite(pytester)
    (fresh.folder / "run.json").unlink(missing_ok=True)

    result = fresh.run(*build(fresh, scenario))

    shown = [line for line in result.outlines if "gate[" in line]
    if scenario.gated:
        earned = scenario.own_exit == pytest.ExitCode.OK and scenario.holds
        assert (result.ret == pytest.ExitCode.OK) == earned
        gates = fresh.run_file()["gates"]
        decided = [gate for gate in gates if gate["outcome"] != "ungated"]
        assert {gate["name"] for gate in decided} >= {"complete", "thresholds"}
        assert all(gate["outcome"] == "passed" for gate in decided) == scenario.holds
    elif scenario.gate == "on" and not scenario.selected and not scenario.collect_only:
        assert result.ret == pytest.ExitCode.USAGE_ERROR
    else:
        assert result.ret == scenario.own_exit
        assert shown == []
        result.stdout.re_match_lines([r".*(not gated|nothing gated).*"])
