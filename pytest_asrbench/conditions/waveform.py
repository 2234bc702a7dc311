"""The waveform that transforms take and give: one channel of samples, with their rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy takes longer to load than most runs have to say
    from numpy import float64
    from numpy.random import RandomState
    from numpy.typing import NDArray

    Samples = NDArray[float64]
    Random = RandomState
    """The one generator of numpy whose numbers are promised to stay."""


@dataclass(frozen=True, eq=False, slots=True)
class Waveform:
    """`samples` are float64, full scale is -1..1, shape (samples,); `rate` is samples a second."""

    samples: Samples
    rate: int

    @property
    def duration_s(self) -> float:
        return len(self.samples) / self.rate


def power(samples: Samples) -> float:
    """Mean of the squares; 0.0 of nothing."""
    import numpy as np

    return float(np.mean(np.square(samples))) if len(samples) else 0.0


def ratio(decibels: float) -> float:
    """The factor on amplitudes: 20 dB is 10."""
    return float(10.0 ** (decibels / 20))
