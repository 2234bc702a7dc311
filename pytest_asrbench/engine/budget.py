"""What a run may spend, counted over all its processes before each call."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from pytest_asrbench.engine.journal import Journal, Tally
from pytest_asrbench.engine.prices import Price
from pytest_asrbench.errors import BudgetError, InputError
from pytest_asrbench.model import Failure
from pytest_asrbench.parsing import Budget

ROUNDING = 1e-9  # of sums of binary fractions


class Spending:
    """Writes calls to the journal, and refuses one that the budget does not cover."""

    def __init__(
        self,
        folder: Path,
        journal: Journal,
        budget: Budget | None,
        price: Price | None,
        currency: str,
        name: str,
    ) -> None:
        if budget and budget.money is not None and price is None:
            raise InputError(
                f"--asr-budget: no price known for provider {name!r}; give price_per_minute in its "
                "configuration, or a budget of audio such as 90min"
            )
        self._lock = folder / "budget.lock"
        self._journal = journal
        self._budget = budget
        self._price = price
        self._currency = currency

    def begin(self, name: str, audio_s: float) -> None:
        """Raises BudgetError where this call would exceed the budget; then none is made."""
        cost = self.cost(audio_s) or 0.0
        with self._alone():
            if self._budget:
                check(self._budget, self._journal.read(), cost, audio_s, self._currency)
            self._journal.begin(name, cost, audio_s)

    def end(self, name: str, audio_s: float, failure: Failure | None) -> None:
        """A call that failed is not charged, as far as anyone can tell."""
        if failure:
            self._journal.end(name, failure=failure)
        else:
            self._journal.end(name, cost=self.cost(audio_s) or 0.0, audio_s=audio_s)

    def cost(self, audio_s: float) -> float | None:
        """None where no price is known."""
        return self._price.cost(audio_s) if self._price else None

    def _alone(self) -> AbstractContextManager[Any]:
        """Two workers must not both find the last bit of budget free."""
        if not self._budget:
            return nullcontext()
        from filelock import FileLock  # here, as few runs have a budget

        return FileLock(self._lock)


def check(budget: Budget, tally: Tally, cost: float, audio_s: float, currency: str) -> None:
    """Raises BudgetError where one more call exceeds the budget."""
    calls = tally.answered + len(tally.open)
    money, speech = tally.committed_cost, tally.committed_audio_s
    if budget.money is not None and money + cost > budget.money + ROUNDING:
        raise BudgetError(
            f"budget of {budget.money:.2f} {currency} reached ({calls} calls for {money:.4f}, "
            f"the next costs {cost:.4f}); raise --asr-budget to go on"
        )
    if budget.audio_s is not None and speech + audio_s > budget.audio_s + ROUNDING:
        raise BudgetError(
            f"budget of {budget.audio_s / 60:g} min of audio reached ({calls} calls for "
            f"{speech / 60:.2f} min); raise --asr-budget to go on"
        )
