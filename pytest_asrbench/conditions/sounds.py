"""The sound of a clip, raw or under a condition, as a provider is given it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrbench import audio
from pytest_asrbench.audio import Audio
from pytest_asrbench.conditions.apply import applied, random_of
from pytest_asrbench.conditions.condition import Condition
from pytest_asrbench.conditions.steps import CLIPS
from pytest_asrbench.conditions.waveform import Waveform
from pytest_asrbench.errors import AudioError, InputError
from pytest_asrbench.model import Clip

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Samples

TALKERS = 6  # of babble: from so many on no word stands out (Simpson and Cooke, 2005)
KEPT = 32  # decoded recordings that are kept for the next clip


class Sounds:
    """`clips` are the dataset's: babble is made of those that say nothing of what a clip says."""

    def __init__(self, conditions: Iterable[Condition] = (), clips: Sequence[Clip] = ()) -> None:
        self.conditions: Mapping[str, Condition] = {each.name: each for each in conditions}
        self._clips = sorted(clips, key=lambda clip: clip.id)

    def of(self, clip: Clip) -> Audio:
        """Raises AudioError for a recording that can't be used, InputError for a condition."""
        recording = audio.read(clip.path, clip.language)
        if clip.condition is None:
            return recording
        return self.under(self.conditions[clip.condition], clip, recording)

    def under(self, condition: Condition, clip: Clip, recording: Audio) -> Audio:
        """The recording as the condition leaves it: a WAV file of one channel, 16 bits."""
        digest = recording.pcm_sha256
        sound = Waveform(recording.samples.astype("float64"), recording.rate)
        heard = applied(condition, sound, digest, partial(self._recordings, clip, digest))
        if not len(heard.samples):
            raise AudioError(f"{clip.path}: condition {condition.name} leaves nothing of it")
        return audio.of_samples(heard.samples, heard.rate, clip.language)

    def _recordings(
        self, clip: Clip, digest: str, names: Sequence[str], rate: int
    ) -> Sequence[Waveform]:
        if names != (CLIPS,):
            return [Waveform(_decoded(name, rate), rate) for name in self._unlike(clip, names)]
        others = [each for each in self._clips if not says_value_of(each, clip)]
        if not others:
            raise InputError(
                f"{clip.id}: no other clip to make babble of that says none of its values; name "
                "recordings with from: [FILE]"
            )
        chosen = random_of(0, 0, digest).permutation(len(others))[:TALKERS]
        return [Waveform(_decoded(str(others[at].path), rate), rate) for at in sorted(chosen)]

    def _unlike(self, clip: Clip, names: Sequence[str]) -> Sequence[str]:
        """The recordings less clips of the dataset that say an equal value."""
        equal = {str(each.path.resolve()) for each in self._clips if says_value_of(each, clip)} | {
            str(clip.path.resolve())
        }
        left = [name for name in names if name not in equal]
        if not left:
            raise InputError(f"{clip.id}: each recording of its noise says one of its values")
        return left


def says_value_of(other: Clip, clip: Clip) -> bool:
    """True if a listener could take a value of `clip` from `other`: it has an equal one, or its
    reference holds the written or the spoken form."""
    if other.id == clip.id:
        return True
    wanted = {
        form for entity in clip.entities for form in _forms(entity.canonical, entity.acoustic)
    }
    held = {form for entity in other.entities for form in _forms(entity.canonical, entity.acoustic)}
    words = [_plain(word) for word in other.reference.split()]
    return bool(wanted & held) or any(_says(words, form) for form in wanted)


def _says(words: Sequence[str], form: str) -> bool:
    """Whether some words in a row are the form: `$41` is in `so 41 it is`, and not in `4100`."""
    for start in range(len(words)):
        said = ""
        for word in words[start:]:
            said += word
            if said == form or len(said) > len(form):
                break
        if form and said == form:
            return True
    return False


def _forms(*texts: str | None) -> Iterator[str]:
    return (_plain(text) for text in texts if text)


def _plain(text: str) -> str:
    """Letters and digits alone, as `4 pm` and `4PM` sound alike."""
    return "".join(filter(str.isalnum, text.casefold()))


@lru_cache(maxsize=KEPT)
def _decoded(name: str, rate: int) -> Samples:
    """One channel at that rate."""
    import soxr

    recording = audio.read(Path(name), "")
    return soxr.resample(recording.samples.astype("float64"), recording.rate, rate)  # type: ignore[no-any-return]
