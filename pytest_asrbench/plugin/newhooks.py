"""The plugin's own hooks, for a conftest or another plugin to implement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_asrbench.model import Outcome
    from pytest_asrbench.run import Run


@pytest.hookspec()
def pytest_asrbench_finish(run: Run, outcomes: Sequence[Outcome], config: pytest.Config) -> None:
    """Called once a run with a provider has been judged, in the process that has the report, once
    the report files are written; not where the run stopped early.

    `run` has every record and all provenance, as the run file has them; `outcomes` is one a gate,
    empty where nothing was gated.
    """
