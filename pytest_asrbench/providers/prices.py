"""
What a minute of audio costs, from a dated table with a source in each row.

    currency: USD
    prices:
      - {use: groq, model: whisper-large-v3, mode: batch, per_minute: 0.00185, least_s: 10,
         date: 2026-08-01, source: …}

A row without `model` or `mode` holds for all; the most specific one counts. List prices change and
accounts have their own: `--asr-prices` names a table that goes before this one, and
`price_per_minute` in a provider's configuration wins over both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import load_yaml_rows
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
    path = path or SHIPPED
    data, rows = load_yaml_rows(path)
    if not isinstance(data, dict) or not isinstance(data.get("prices"), list):
        raise InputError.at(path, None, "expected `currency:` and a list under `prices:`")
    table = [_row(path, rows.get(("prices", i)), entry) for i, entry in enumerate(data["prices"])]
    return PriceTable(data.get("currency") or "USD", table)


def _row(path: Path, row: int | None, entry: Any) -> PriceRow:
    if not isinstance(entry, Mapping):
        raise InputError.at(path, row, "expected {use: …, per_minute: …}")
    try:
        price = Price(_amount(entry["per_minute"]), _amount(entry.get("least_s") or "0"))
        return PriceRow(
            entry["use"],
            price,
            entry.get("model") or "*",
            entry.get("mode") or "*",
            entry.get("date"),
            entry.get("source"),
        )
    except KeyError as error:
        raise InputError.at(path, row, f"add {error.args[0]}:") from None
    except ValueError:
        raise InputError.at(path, row, "per_minute and least_s are numbers from 0") from None


def _amount(text: str) -> float:
    """Raises ValueError."""
    amount = float(text)
    if not 0 <= amount < float("inf"):
        raise ValueError(text)
    return amount
