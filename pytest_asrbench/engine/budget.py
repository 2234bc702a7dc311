"""The budget of a run, counted over all its processes before each call."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrbench.counts import plural
from pytest_asrbench.engine.journal import Calls, Journal, Tally
from pytest_asrbench.engine.result import failure
from pytest_asrbench.engine.shared_folder import SharedFolder
from pytest_asrbench.errors import AuthError, BudgetError, CallError, InputError, QuotaError
from pytest_asrbench.model import Failure
from pytest_asrbench.providers.prices import Price
from pytest_asrbench.settings.parsing import Budget
from pytest_asrbench.store.locks import lock

ROUNDING = 1e-9  # of sums of binary fractions
SAME_FAILURES = 20


@dataclass(frozen=True, slots=True)
class Bounds:
    """A run's budget, if it has one, and the provider's price, if known."""

    currency: str = ""
    budget: Budget | None = None
    price: Price | None = None

    def check(self, name: str, *, calls: bool, judge: str | None) -> None:
        """Raises InputError where a budget of money would count calls of unknown price: those of
        provider `name`, if it makes any, and of the verifier `judge`, if it does."""
        if self.budget is None or self.budget.money is None:
            return
        if calls and self.price is None:
            raise InputError(
                f"--asr-budget: no price known for provider {name!r}; give price_per_minute in its "
                "configuration, or a budget of audio such as 90min"
            )
        if judge is not None:
            raise InputError(
                f"--asr-budget: no price known for verifier {judge!r}; give it a price: "
                "{input: …, output: …} (money for a million tokens), or a budget of audio such as "
                "90min"
            )


@dataclass(frozen=True, slots=True)
class Charge:
    """The entry that a call is booked as: one of the provider, or of a verifier that `judges`. Cost
    and audio (seconds) are what it takes as far as is known before."""

    name: str
    cost: float
    audio_s: float = 0.0
    judges: bool = False


class Spending:
    """Lets a call begin where run and budget allow it, and books how it ended.

    What ends all calling is told to the run's other processes: a budget that is spent, a key that
    is refused, a service that is down.
    """

    def __init__(self, folder: Path, journal: Journal, bounds: Bounds, share: SharedFolder) -> None:
        self._lock = folder / "budget.lock"
        self._journal = journal
        self._bounds = bounds
        self._share = share
        self._begun: set[str] = set()  # by this process

    def cost(self, audio_s: float) -> float | None:
        """Of the provider's call; None where no price is known."""
        price = self._bounds.price
        return price.cost(audio_s) if price else None

    def begin(self, charge: Charge) -> None:
        """Raises BudgetError where this call would exceed the budget, NotCalledError once the run
        has stopped calling; then none is made. Raises OSError too."""
        self.check()
        budget = self._bounds.budget
        with self._alone():
            if budget:
                try:
                    check_budget(budget, self._journal.read(), charge, self._bounds.currency)
                except BudgetError as error:
                    self._share.stop(failure(error))
                    raise
            self._journal.begin(charge.name, charge.cost, charge.audio_s)
        self._begun.add(charge.name)

    def check(self) -> None:
        """Raises NotCalledError once the run has stopped calling."""
        self._share.check()

    def answered(self, charge: Charge, *, cost: float, audio_s: float = 0.0) -> None:
        """At what it really took."""
        self._journal.end(charge.name, cost=cost, audio_s=audio_s, judges=charge.judges)

    def failed(self, charge: Charge, error: CallError) -> float:
        """The cost of a failed call: a reply that is of no use was paid for, other failures are not
        charged as far as anyone can tell."""
        paid = error.kind == "reply"
        cost, audio_s = (charge.cost, charge.audio_s) if paid else (0.0, 0.0)
        why = failure(error)
        self._journal.end(
            charge.name, cost=cost, audio_s=audio_s, failure=why, judges=charge.judges
        )
        if isinstance(error, AuthError | QuotaError):
            self._share.stop(why)
        else:
            self._stop_in_outage(judges=charge.judges)
        return cost

    def judged(self, name: str, error: CallError | None) -> None:
        """Book that the verifier's answers gave the verdicts on a clip, or did not."""
        self._journal.judged(name, failure(error) if error else None)
        if error:
            self._stop_in_outage(judges=True)

    def begun(self, name: str) -> bool:
        """True once a process of this run has called for it."""
        return name in self._begun or (not self._share.alone and name in self._journal.read().begun)

    def dropped(self, charge: Charge) -> None:
        """Given up between two attempts, as the run ends here."""
        self._journal.drop(charge.name)

    def stop(self, why: Failure) -> None:
        """No further call, in any process of the run. Raises OSError."""
        self._share.stop(why)

    def _stop_in_outage(self, *, judges: bool) -> None:
        tally = self._journal.read()
        outage = (
            breaker(tally.verdicts, " of the verifier") if judges else breaker(tally.transcripts)
        )
        if outage is not None:
            self._share.stop(outage)

    def _alone(self) -> AbstractContextManager[Any]:
        """Two workers must not both find the last bit of budget free."""
        return lock(self._lock) if self._bounds.budget else nullcontext()


def check_budget(budget: Budget, tally: Tally, charge: Charge, currency: str) -> None:
    """Raises BudgetError where one more call exceeds the budget."""
    money, speech = tally.committed_cost, tally.committed_audio_s
    calls = plural(tally.calls, "call")
    if budget.money is not None and money + charge.cost > budget.money + ROUNDING:
        raise BudgetError(
            f"budget of {budget.money:.2f} {currency} reached ({calls} for "
            f"{money:.4f}, the next costs {charge.cost:.4f}); raise --asr-budget to go on"
        )
    if (
        charge.judges
    ):  # takes no audio, though what was billed so far may be more than was asked for
        return
    if budget.audio_s is not None and speech + charge.audio_s > budget.audio_s + ROUNDING:
        raise BudgetError(
            f"budget of {budget.audio_s / 60:g} min of audio reached ({calls} for "
            f"{speech / 60:.2f} min); raise --asr-budget to go on"
        )


def breaker(calls: Calls, of: str = "") -> Failure | None:
    """The reason to stop calling: no answer was ever of use, and all of the first calls failed
    alike.

    `of` says whose calls they are, where they are not the provider's.
    """
    if calls.useful or calls.failed.total() < SAME_FAILURES or len(calls.failed) > 1:
        return None
    (kind, host), count = calls.failed.most_common(1)[0]
    at = f" at {host}" if host else ""
    why = f"the first {count} calls{of} all failed ({kind}{at}); calling stopped"
    return Failure(kind, why, host)
