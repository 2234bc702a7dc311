"""
Telephone audio as agents get and send it: 8,000 samples a second, 8-bit mu-law (ITU-T G.711).
"""

from __future__ import annotations

import io
from functools import cache

from pytest_asrbench.audio import Audio

HZ = 8_000
MULAW = "mulaw"


def is_telephone(audio: Audio) -> bool:
    """Whether a telephone line loses nothing more of it."""
    return audio.rate == HZ


def mulaw(pcm: bytes) -> bytes:
    """16-bit little-endian PCM as mu-law, a byte a sample."""
    import numpy as np

    return _table()[np.frombuffer(pcm, "<u2")].tobytes()  # type: ignore[no-any-return]


@cache
def _table():  # type: ignore[no-untyped-def]  # numpy is imported where it is used
    """The code of each 16-bit sample, in the order of their bits without a sign, as libsndfile
    has it. Shape (65536,)."""
    import numpy as np
    import soundfile

    coded = io.BytesIO()
    samples = np.arange(1 << 16, dtype="<u2").view("<i2")
    soundfile.write(coded, samples, HZ, format="RAW", subtype="ULAW")
    return np.frombuffer(coded.getvalue(), np.uint8)
