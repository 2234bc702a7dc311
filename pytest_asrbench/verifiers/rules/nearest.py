from __future__ import annotations

from pytest_asrbench.model import Nearest
from pytest_asrbench.verifiers.rules.family import Case
from pytest_asrbench.verifiers.rules.search import Match
from pytest_asrbench.verifiers.rules.tape import Tape


def nearest(tape: Tape, case: Case, refused: Match | None) -> Nearest | None:
    return None
