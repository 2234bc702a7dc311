"""There and back through a codec of libsndfile; the file lives in memory, and only PCM leaves."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from pytest_asrbench.conditions.line import resample
from pytest_asrbench.conditions.waveform import Waveform
from pytest_asrbench.errors import InputError

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Random

OPUS_RATES = (8_000, 12_000, 16_000, 24_000, 48_000)  # RFC 6716
GSM_FRAME = 320  # samples of a block in a WAV file, which holds whole blocks alone
MP3_DELAY = 1105  # samples: 576 of LAME's encoder, 529 of every decoder (LAME's technical FAQ)


def mulaw(sound: Waveform, random: Random, *, rate: int) -> Waveform:
    """ITU-T G.711 mu-law, the telephone's codec in North America and Japan."""
    return _there_and_back(resample(sound, random, rate=rate), "WAV", "ULAW")


def alaw(sound: Waveform, random: Random, *, rate: int) -> Waveform:
    """ITU-T G.711 A-law, the telephone's codec elsewhere."""
    return _there_and_back(resample(sound, random, rate=rate), "WAV", "ALAW")


def gsm(sound: Waveform, random: Random) -> Waveform:
    """GSM 06.10 full rate (ETSI EN 300 961): 13 kbit/s at 8 kHz."""
    import numpy as np

    line = resample(sound, random, rate=8_000)
    rest = -len(line.samples) % GSM_FRAME
    whole = _there_and_back(Waveform(np.pad(line.samples, (0, rest)), 8_000), "WAV", "GSM610")
    return Waveform(whole.samples[: len(line.samples)], 8_000)


def opus(sound: Waveform, random: Random, *, kbps: float, rate: int) -> Waveform:
    """Opus (RFC 6716) at about that bit rate. libsndfile takes 6 to 256 kbit/s as a level."""
    level = 1 - (kbps - 6) / 250
    line = resample(sound, random, rate=rate)
    return _there_and_back(line, "OGG", "OPUS", compression_level=level)


def mp3(sound: Waveform, random: Random, *, kbps: float, rate: int) -> Waveform:
    """MPEG layer III at a constant bit rate, as voicemail and recorders keep calls.

    libsndfile takes the bit rates that go with the samples' rate as a level."""
    lowest, highest = (32, 320) if rate >= 32_000 else (8, 160) if rate >= 16_000 else (8, 64)
    level = 1 - (kbps - lowest) / (highest - lowest)
    line = resample(sound, random, rate=rate)
    constant = {"bitrate_mode": "CONSTANT", "compression_level": min(max(level, 0.0), 0.999)}
    return _there_and_back(line, "MP3", "MPEG_LAYER_III", late=MP3_DELAY, **constant)


def _there_and_back(
    sound: Waveform, container: str, codec: str, *, late: int = 0, **asked: Any
) -> Waveform:
    """As many samples as went in, at their places: where the file does not tell what the codec put
    before them, `late` of them are. Raises InputError where this libsndfile lacks the codec."""
    import numpy as np
    import soundfile

    file = io.BytesIO()
    try:
        soundfile.write(
            file,
            np.clip(sound.samples, -1, 1),
            sound.rate,
            format=container,
            subtype=codec,
            **asked,
        )
        file.seek(0)
        heard, _ = soundfile.read(file, dtype="float64")
    except (soundfile.SoundFileError, ValueError) as error:
        version = soundfile.__libsndfile_version__
        raise InputError(
            f"libsndfile {version} can't write {codec} at {sound.rate} Hz ({error}); install a "
            "newer soundfile"
        ) from None
    if len(heard) > len(sound.samples):
        heard = heard[late:]
    missing = max(0, len(sound.samples) - len(heard))
    return Waveform(np.pad(heard, (0, missing))[: len(sound.samples)], sound.rate)
