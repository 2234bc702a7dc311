"""
Prices of a minute of audio, from a dated table with a source in each row.

    currency: USD
    prices:
      - {use: groq, model: whisper-large-v3, mode: batch, per_minute: 0.00185, least_s: 10,
         date: 2026-08-01, source: …}

A row without `model` or `mode` holds for all; the most specific one counts. List prices change and
accounts have their own: `--asr-prices` names a table that goes before this one, and
`price_per_minute` in a provider's configuration wins over both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from pytest_asrbench.files.fields import Fields
from pytest_asrbench.providers.base import Description

SHIPPED = Path(__file__).parent.parent / "data" / "prices.yaml"


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a minute of audio; a call is charged `least_s` seconds at least."""

    per_minute: float
    least_s: float = 0.0

    def cost(self, seconds: float) -> float:
        return max(seconds, self.least_s) * self.per_minute / 60


@dataclass(frozen=True, slots=True)
class PriceRow:
    """`model` and `mode` may be patterns such as `nova-3*`."""

    use: str
    price: Price
    model: str = "*"
    mode: str = "*"
    date: str | None = None
    source: str | None = None

    def holds_for(self, description: Description, mode: str) -> bool:
        return (
            self.use == description.use
            and fnmatchcase(mode, self.mode)
            and fnmatchcase(description.model or "", self.model)
        )

    @property
    def precision(self) -> tuple[bool, int, bool]:
        """An exact model before a pattern, a long pattern before a short one."""
        return "*" not in self.model, len(self.model), self.mode != "*"


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices in one currency. `others` are asked where this table knows none."""

    currency: str
    rows: Sequence[PriceRow]
    others: PriceTable | None = None

    def price(self, description: Description, mode: str) -> Price | None:
        """None where the table knows none."""
        rows = [row for row in self.rows if row.holds_for(description, mode)]
        if rows:
            return max(rows, key=lambda row: row.precision).price
        return self.others.price(description, mode) if self.others else None


def own_prices(path: Path) -> PriceTable:
    """A user's table on top of the shipped one: any row of theirs, however general, wins.

    In another currency it stands alone, as a run's costs are sums in one. Raises InputError.
    """
    own, shipped = read_prices(path), read_prices()
    return replace(own, others=shipped) if own.currency == shipped.currency else own


def read_prices(path: Path | None = None) -> PriceTable:
    """The table in a file, or the one that comes with the package. Raises InputError."""
    table = Fields.of_yaml(path or SHIPPED)
    if not isinstance(table.data.get("prices"), list):
        table.fault(None, "expected `currency:` and a list under `prices:`")
    rows = [_row(entry) for entry in table.objects("prices", "price")]
    table.faults.check()
    return PriceTable(table.optional("currency") or "USD", rows)


def _row(entry: Fields) -> PriceRow:
    entry.only("use", "model", "mode", "per_minute", "least_s", "date", "source")
    entry.need("use", "per_minute")
    per_minute, least_s = entry.number("per_minute") or 0, entry.number("least_s") or 0
    return PriceRow(
        entry.optional("use") or "",
        Price(float(per_minute), float(least_s)),
        entry.optional("model") or "*",
        entry.optional("mode") or "*",
        entry.optional("date"),
        entry.optional("source"),
    )
