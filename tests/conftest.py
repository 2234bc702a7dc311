"""What tests of the plugin share: a small suite of clips with recorded transcripts, really run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from helpers import (
    forked_workers,
    preloaded,  # noqa: F401
)
from helpers.plugin_suite import Suite
from hypothesis import settings

from pytest_asrbench.providers import registry

# What tests start loads stored bytecode, as an installed package does, and compiles nothing.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

pytest_plugins = ["pytester"]

settings.register_profile("unhurried", deadline=None)  # a loaded machine is no fault
settings.load_profile("unhurried")


@pytest.fixture(params=[[], pytest.param(["-n2"], marks=pytest.mark.slow)], ids=["serial", "xdist"])
def workers(request: pytest.FixtureRequest) -> list[str]:
    """The options of a serial run, and of one with two workers: two more processes to start."""
    options: list[str] = request.param
    return options


# What tells a run in a process of its own that it is a worker, or part of another CI job.
_OF_THE_OUTER_RUN = (
    "GITHUB_ACTIONS",
    "GITHUB_STEP_SUMMARY",
    "PYTEST_ADDOPTS",
    "PYTEST_XDIST_TESTRUNUID",
    "PYTEST_XDIST_WORKER",
    "PYTEST_XDIST_WORKER_COUNT",
)


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """An empty suite; tests add clips, thresholds and code, and run it."""
    for variable in _OF_THE_OUTER_RUN:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    # Runs in this process register providers, each suite its own.
    monkeypatch.setattr(registry, "_registered", {})
    forked_workers.use(monkeypatch)
    return Suite(pytester)


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    """A file to which a provider under test appends a line a call."""
    return tmp_path / "calls.log"
