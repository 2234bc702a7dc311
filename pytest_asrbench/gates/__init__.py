"""Gates: stored thresholds, and arithmetic that judges a run by them."""

from pytest_asrbench.gates.evaluate import evaluate
from pytest_asrbench.gates.parse import read
from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.model import Outcome

__all__ = ["Outcome", "Thresholds", "evaluate", "read"]
