"""
The table of steps: what a condition can be made of, and what each step takes.

Names and bounds only; the functions, and numpy with them, are imported when a sound is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = float | int | str | tuple[str, ...] | None

_HERE = "pytest_asrbench.conditions"
TELEPHONE_HZ = 8_000
OPUS_HZ = (8_000, 12_000, 16_000, 24_000, 48_000)
MP3_HZ = (8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
DTMF_KEYS = "0123456789*#ABCD"


@dataclass(frozen=True, slots=True)
class Knob:
    """A number from `least` to `most`; a whole one where `choices` are numbers or `whole` is set; a
    text out of `choices`, or of the letters `alphabet`; or `paths`. No `default`: it must be
    given."""

    default: Value = None
    least: float = 0.0
    most: float = 0.0
    choices: tuple[str | int, ...] = ()
    alphabet: str = ""
    paths: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class StepKind:
    """`function` is module:attribute; `first` the knob that `name:VALUE` sets; `seeded` ones draw
    random numbers."""

    function: str
    about: str
    first: str | None = None
    knobs: Mapping[str, Knob] = field(default_factory=dict)
    seeded: bool = False


STEPS: dict[str, StepKind] = {
    "band": StepKind(
        f"{_HERE}.line:band",
        "let through LOW to HIGH Hz alone",
        knobs={"low": Knob(300, 0, 20_000), "high": Knob(3400, 100, 24_000)},
    ),
    "resample": StepKind(
        f"{_HERE}.line:resample",
        "to HZ samples a second",
        "rate",
        {"rate": Knob(TELEPHONE_HZ, 4_000, 96_000, whole=True)},
    ),
    "mulaw": StepKind(
        f"{_HERE}.codecs:mulaw",
        "G.711 mu-law",
        knobs={"rate": Knob(TELEPHONE_HZ, 4_000, 48_000, whole=True)},
    ),
    "alaw": StepKind(
        f"{_HERE}.codecs:alaw",
        "G.711 A-law",
        knobs={"rate": Knob(TELEPHONE_HZ, 4_000, 48_000, whole=True)},
    ),
    "gsm": StepKind(f"{_HERE}.codecs:gsm", "GSM 06.10 full rate, 8 kHz"),
    "opus": StepKind(
        f"{_HERE}.codecs:opus",
        "Opus at KBPS",
        "kbps",
        {"kbps": Knob(24, 6, 256), "rate": Knob(16_000, choices=OPUS_HZ)},
    ),
    "mp3": StepKind(
        f"{_HERE}.codecs:mp3",
        "MP3 at KBPS",
        "kbps",
        {"kbps": Knob(16, 8, 320), "rate": Knob(16_000, choices=MP3_HZ)},
    ),
    "noise": StepKind(
        f"{_HERE}.noise:noise",
        "noise SNR dB below the clip: pink, white, recordings (from: FILES) or other clips "
        "(from: clips)",
        "snr",
        {
            "snr": Knob(least=-30, most=90),
            "colour": Knob("pink", choices=("pink", "white")),
            "from": Knob((), paths=True),
        },
        seeded=True,
    ),
    "reverb": StepKind(
        f"{_HERE}.room:reverb",
        "a room that falls silent by 60 dB in RT60 seconds",
        "rt60",
        {"rt60": Knob(0.5, 0.05, 10), "drr": Knob(0, -30, 60)},
        seeded=True,
    ),
    "packet-loss": StepKind(
        f"{_HERE}.packets:packet_loss",
        "the share RATE of 20 ms frames is lost, in bursts",
        "rate",
        {
            "rate": Knob(0.05, 0, 0.95),
            "burst": Knob(2, 1, 100),
            "conceal": Knob("zero", choices=("zero", "repeat")),
        },
        seeded=True,
    ),
    "clipping": StepKind(
        f"{_HERE}.levels:clipping",
        "the peak DB above full scale, and limited there",
        "db",
        {"db": Knob(12, 0, 60)},
    ),
    "gain": StepKind(
        f"{_HERE}.levels:gain", "DB louder or quieter", "db", {"db": Knob(None, -90, 60)}
    ),
    "speed": StepKind(
        f"{_HERE}.timing:speed", "FACTOR times as fast", "factor", {"factor": Knob(None, 0.25, 4)}
    ),
    "pad": StepKind(
        f"{_HERE}.timing:pad",
        "SECONDS of silence before the clip, or behind it",
        "before",
        {"before": Knob(0, 0, 600), "behind": Knob(0, 0, 600)},
    ),
    "cut-start": StepKind(
        f"{_HERE}.timing:cut_start",
        "without the first MS",
        "ms",
        {"ms": Knob(None, 0, 60_000)},
    ),
    "dtmf": StepKind(
        f"{_HERE}.dtmf:dtmf",
        "KEYS pressed during the clip",
        "keys",
        {"keys": Knob("1", alphabet=DTMF_KEYS), "ms": Knob(100, 10, 5_000), "db": Knob(10, 0, 90)},
        seeded=True,
    ),
}

CHAINS: dict[str, tuple[str, ...]] = {
    "phone": ("band", "mulaw"),
    "phone-alaw": ("band", "alaw"),
    "opus-lowrate": ("opus:8",),
}
"""Ready conditions of several steps, or with knobs of their own; every step is one by itself."""

FUNCTION = "function"
"""A step of the user's own: `{function: path.py:attr}`, whatever else it takes beside it."""

CLIPS = "clips"
"""As `from:` of noise: babble of other clips of the dataset."""
