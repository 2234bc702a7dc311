"""
Transcribes and judges clips: each once a run, many at a time, none lost.

The only place that retries, waits, measures time and spends money. Providers and verifiers know
nothing of it.
"""

from pytest_asrbench.engine.engine import Engine, run_all
from pytest_asrbench.engine.progress import Progress, Watch, tell_selected

__all__ = ["Engine", "Progress", "Watch", "run_all", "tell_selected"]
