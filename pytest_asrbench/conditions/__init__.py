"""The sound of real callers: seeded transforms of raw clips, under a name."""

from pytest_asrbench.conditions.condition import Condition, Step, versions
from pytest_asrbench.conditions.parse import Conditions
from pytest_asrbench.conditions.sounds import Sounds

__all__ = ["Condition", "Conditions", "Sounds", "Step", "versions"]
