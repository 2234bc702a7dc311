"""Gates: stored thresholds, arithmetic that judges a run by them, and what an update writes."""

from pytest_asrbench.gates.evaluate import evaluate
from pytest_asrbench.gates.parse import read
from pytest_asrbench.gates.remedies import Remedies
from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.gates.update import Update, update
from pytest_asrbench.gates.write import write

__all__ = ["Remedies", "Thresholds", "Update", "evaluate", "read", "update", "write"]
