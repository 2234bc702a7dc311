"""Each transform does what it says: band edges, levels, losses, delays, and the same PCM twice."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import soundfile

from pytest_asrbench import cli
from pytest_asrbench.audio import of_samples
from pytest_asrbench.conditions import Condition, Conditions, Sounds
from pytest_asrbench.conditions.apply import applied
from pytest_asrbench.conditions.fit import unfit
from pytest_asrbench.conditions.packets import lost
from pytest_asrbench.conditions.parse import Conditions as Parsed
from pytest_asrbench.conditions.room import response
from pytest_asrbench.conditions.sounds import says_value_of
from pytest_asrbench.conditions.waveform import Waveform, power
from pytest_asrbench.errors import InputError
from pytest_asrbench.gates.conditions import gate_name, parted
from pytest_asrbench.metrics.drop import drop
from pytest_asrbench.model import Clip, ClipRecord, Entity, JudgedEntity, Verdict
from pytest_asrbench.settings.file import read_settings_file

RATE = 16_000
RANDOM = np.random.RandomState
READY = (
    "phone", "phone-alaw", "gsm", "opus-lowrate", "mp3", "noise:10", "reverb", "packet-loss:0.2",
    "clipping", "gain:-12", "speed:1.25", "pad:0.5", "cut-start:300", "dtmf:159", "noise:5+phone",
)  # fmt: skip


def tone(hz: float, seconds: float = 1.0, rate: int = RATE) -> Waveform:
    return Waveform(0.5 * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate)) / rate), rate)


def speech(seconds: float = 2.0) -> Waveform:
    """Noise that comes and goes, with a sharp start, so that a delay shows."""
    at = np.arange(round(seconds * RATE)) / RATE
    samples = RANDOM(7).standard_normal(len(at)) * (at % 0.5 < 0.3) * 0.1
    return Waveform(np.convolve(samples, np.ones(8) / 8)[: len(at)], RATE)


def under(name: str, sound: Waveform, of: str = "clip") -> Waveform:
    return applied(Conditions().named(name), sound, of, lambda names, rate: [])


def decibels(one: Waveform, other: Waveform) -> float:
    return 10 * float(np.log10(power(one.samples) / power(other.samples)))


@pytest.mark.parametrize("name", READY)
def test_the_same_seed_gives_the_same_pcm(name):
    first, second = under(name, speech()), under(name, speech())

    pcm = of_samples(first.samples, first.rate, "en")
    assert pcm.data == of_samples(second.samples, second.rate, "en").data
    assert pcm.decoded != of_samples(speech().samples, RATE, "en").decoded
    seeded = not {"noise", "reverb", "packet-loss", "dtmf"}.isdisjoint(
        name.split(":")[0].split("+")
    )
    other = under(name, speech(), of="another clip")
    assert np.array_equal(first.samples, other.samples) is not seeded


def test_the_telephone_lets_300_to_3400_hz_through():
    def loss(hz: float) -> float:
        clip = Waveform(tone(hz).samples * np.hanning(RATE), RATE)  # without a click at its ends
        return decibels(under("band", clip), clip)

    assert min(loss(hz) for hz in (360, 1000, 2000, 3340)) > -0.5
    assert max(loss(hz) for hz in (60, 200, 3500, 5000, 7000)) < -40
    assert loss(300) == pytest.approx(-6, abs=1)  # the middle of the edge
    heard = under("phone", speech())
    assert heard.rate == 8_000
    assert heard.duration_s == speech().duration_s


@pytest.mark.parametrize("snr", [-5, 0, 10, 20])
@pytest.mark.parametrize("colour", ["pink", "white"])
def test_noise_lies_so_many_decibels_below(snr, colour):
    clip = speech()
    condition = _settings_condition({"noise": {"snr": snr, "colour": colour}})
    heard = applied(condition, clip, "clip", lambda names, rate: [])

    scale = float(np.dot(heard.samples, clip.samples) / np.dot(clip.samples, clip.samples))
    # The clip's part is that which looks like it; the rest is noise.
    noise = Waveform(heard.samples - scale * clip.samples, RATE)
    assert decibels(Waveform(scale * clip.samples, RATE), noise) == pytest.approx(snr, abs=0.5)
    assert np.max(np.abs(heard.samples)) <= 1


def test_pink_noise_falls_by_three_decibels_an_octave():
    from pytest_asrbench.conditions.noise import pink

    spectrum = np.square(np.abs(np.fft.rfft(pink(RANDOM(1), 20 * RATE, RATE))))
    hertz = np.fft.rfftfreq(20 * RATE, 1 / RATE)
    octaves = [spectrum[(hertz >= hz) & (hertz < 2 * hz)].mean() for hz in (250, 500, 1000, 2000)]
    falls = 10 * np.diff(np.log10(octaves))
    assert falls == pytest.approx([-3.01] * 3, abs=0.4)


def test_the_share_of_packets_is_lost_in_bursts():
    gone = lost(RANDOM(3), 50_000, 0.1, 3)

    assert gone.mean() == pytest.approx(0.1, abs=0.01)
    starts = np.count_nonzero(np.diff(gone.astype(int), prepend=0) == 1)
    assert gone.sum() / starts == pytest.approx(3, abs=0.3)


def test_lost_frames_are_silent_or_repeat_the_one_before():
    clip = Waveform(np.linspace(0.1, 0.9, 320 * 50), RATE)
    frames = {
        how: applied(
            _settings_condition({"packet-loss": {"rate": 0.3, "conceal": how}}),
            clip, "clip", lambda names, rate: [],
        ).samples.reshape(-1, 320)
        for how in ("zero", "repeat")
    }  # fmt: skip
    whole = clip.samples.reshape(-1, 320)
    gone = (frames["zero"] == 0).all(axis=1)

    assert 0 < gone.sum() < 50
    assert np.array_equal(frames["zero"][~gone], whole[~gone])
    for at in np.flatnonzero(gone)[np.flatnonzero(gone) > 0]:
        assert np.array_equal(frames["repeat"][at], frames["repeat"][at - 1])


@pytest.mark.parametrize(
    "name", ["band", "phone", "phone-alaw", "gsm", "opus-lowrate", "mp3", "mp3:64", "noise:20"]
)
def test_nothing_is_delayed(name):
    """Within 5 ms, a sixth of the shortest sound of speech."""
    clip = speech()
    heard = under(name, clip)
    again = under(f"resample:{RATE}", heard).samples
    size = 2 * len(clip.samples)
    turned = np.fft.rfft(again, size) * np.conj(np.fft.rfft(clip.samples, size))
    at = int(np.argmax(np.abs(np.fft.irfft(turned, size))))
    shift = at if at < len(clip.samples) else at - size

    assert abs(shift) <= 0.005 * RATE
    assert len(again) == pytest.approx(len(clip.samples), abs=2)


def test_time_changes_by_what_is_asked():
    clip = tone(1000)

    assert under("speed:1.25", clip).duration_s == pytest.approx(0.8, abs=1e-3)
    spectrum = np.abs(np.fft.rfft(under("speed:1.25", clip).samples))
    assert np.argmax(spectrum) / 0.8 == pytest.approx(1250, abs=5)
    padded = under("pad:0.5", clip).samples
    assert not padded[: RATE // 2].any()
    assert np.array_equal(padded[RATE // 2 :], clip.samples)
    assert np.array_equal(under("cut-start:250", clip).samples, clip.samples[RATE // 4 :])


def test_levels_change_by_what_is_asked():
    clip = tone(440)

    assert decibels(under("gain:-12", clip), clip) == pytest.approx(-12, abs=0.01)
    heard = under("clipping:12", clip).samples
    assert np.mean(np.abs(heard) == 1) == pytest.approx(1 - 2 / np.pi * np.arcsin(0.2512), abs=0.01)


def test_a_room_dies_away_in_its_time():
    tail = np.square(response(RANDOM(5), RATE, 0.6, 0)[1:])
    left = 10 * np.log10(np.cumsum(tail[::-1])[::-1])  # Schroeder's backward integration
    at = np.arange(len(left)) / RATE
    fitted = np.polyfit(at[:5000], left[:5000], 1)[0]

    assert -60 / fitted == pytest.approx(0.6, rel=0.1)
    assert tail.sum() == pytest.approx(1, abs=0.01)  # as strong as the direct sound, at 0 dB


def test_a_key_has_its_two_tones():
    quiet = Waveform(np.zeros(RATE), RATE)
    spectrum = np.abs(np.fft.rfft(under("dtmf:5", quiet).samples))

    assert min(np.argsort(spectrum)[-6:]) == pytest.approx(770, abs=5)
    assert max(np.argsort(spectrum)[-6:]) == pytest.approx(1336, abs=5)


def _settings_condition(step):
    from pathlib import Path

    from pytest_asrbench.settings.file import ConditionEntry

    entry = ConditionEntry({"steps": [step]}, "asrbench.yaml:1: conditions.own", Path())
    return Parsed({"own": entry}).named("own")


def test_settings_make_conditions_of_steps_recordings_and_functions(tmp_path):
    soundfile.write(tmp_path / "kitchen.wav", tone(300, 0.4).samples, RATE)
    (tmp_path / "own.py").write_text(
        "def louder(samples, rate, random, by):\n    return samples * by\n"
    )
    (tmp_path / "asrbench.yaml").write_text(
        """\
conditions:
  phone: {}
  noise:5: {}
  office: noise:15+phone
  kitchen: {seed: 3, steps: [{noise: {snr: 10, from: [kitchen.wav]}}, office]}
  wall: {function: "own.py:louder", by: 0.5}
"""
    )
    conditions = Conditions(read_settings_file(tmp_path / "asrbench.yaml").conditions)
    found = {each.name: each for each in conditions.asked(["all"])}

    assert [*found] == ["phone", "noise:5", "office", "kitchen", "wall"]
    assert [step.name for step in found["kitchen"].steps] == ["noise", "noise", "band", "mulaw"]
    assert found["kitchen"].seed == 3
    assert found["phone"].digest == Conditions().named("phone").digest
    clip = tone(440)
    heard = applied(found["wall"], clip, "clip", lambda names, rate: [])
    assert np.array_equal(heard.samples, clip.samples * 0.5)
    elsewhere = Condition("wall", tuple(
        replace(step, knobs={**step.knobs, "function": "/else/own.py:louder"})
        for step in found["wall"].steps
    ))  # fmt: skip
    assert elsewhere.digest == found["wall"].digest
    # What is in a recording or a function makes the condition, and not where it lies.
    before = found["kitchen"].digest, found["wall"].digest
    soundfile.write(tmp_path / "kitchen.wav", tone(301, 0.4).samples, RATE)
    (tmp_path / "own.py").write_text("def louder(samples, rate, random, by):\n    return samples\n")
    after = [conditions.named(name).digest for name in ("kitchen", "wall")]
    assert not {*before} & {*after}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("phnoe", "no condition 'phnoe'; did you mean phone?"),
        ("noise", "noise needs snr; write noise:VALUE"),
        ("noise:loud", "noise: snr must be a number from -30 to 90, not 'loud'"),
        ("gsm:3", "gsm takes no value; leave out :3"),
        ("dtmf:hello", "dtmf: keys must be of 0123456789*#ABCD, not 'hello'"),
        ("packet-loss:1.5", "rate must be a number from 0 to 0.95"),
    ],
)
def test_a_wrong_name_is_told_with_the_right_one(name, told):
    with pytest.raises(InputError) as caught:
        Conditions().named(name)

    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("phone: {steps: [gsm]}", "phone is a ready condition; give yours another name"),
        ("a: {steps: [b]}\n  b: {steps: [a]}", "conditions name each other in a circle"),
        ("a: {steps: [{noise: {snr: 3, loud: 1}}]}", "noise takes snr, colour, from, not 'loud'"),
        ("a: {steps: [{opus: {rate: 44100}}]}", "rate must be one of 8000, 12000, 16000, 24000"),
        ("a: {steps: [{noise: {snr: 3, from: [no.wav]}}]}", "no.wav: can't be read"),
        ("a: {function: 'no.py:f'}", "importing"),
        ("a: {step: [gsm]}", "write {steps: [phone, ...]} or {function: ...}"),
    ],
)
def test_a_faulty_entry_names_file_and_row(tmp_path, entry, told):
    file = tmp_path / "asrbench.yaml"
    file.write_text(f"conditions:\n  {entry}\n")

    with pytest.raises(InputError) as caught:
        Conditions(read_settings_file(file).conditions).check()

    assert f"{file}:2: conditions." in str(caught.value)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def _clip(tmp_path, name: str, reference: str, *values: str) -> Clip:
    path = tmp_path / f"{name}.wav"
    soundfile.write(path, speech(0.5).samples * (1 + len(name)) / 5, RATE)
    entities = tuple(Entity(f"e{n}", "amount", value) for n, value in enumerate(values))
    return Clip(name, path, reference, "en", entities)


def test_babble_says_no_equal_value(tmp_path):
    clip = _clip(tmp_path, "a", "that is $45", "$45")
    equal = _clip(tmp_path, "bb", "you owe 45 dollars", "$45")
    spoken = _clip(tmp_path, "ccc", "it costs $45 more", "$12")
    other = _clip(tmp_path, "dddd", "nothing like 4500 at all", "$12")
    condition = _settings_condition({"noise": {"snr": 0, "from": "clips"}})

    assert [says_value_of(each, clip) for each in (clip, equal, spoken, other)] == [1, 1, 1, 0]
    sounds = Sounds([condition], [clip, equal, spoken, other])
    alone = Sounds([condition], [clip, other])
    named = Clip(**{**_fields(clip), "condition": "own"})
    assert sounds.of(named).data == alone.of(named).data
    with pytest.raises(InputError, match="no other clip to make babble of"):
        Sounds([condition], [clip, equal]).of(named)


def _fields(clip: Clip) -> dict:
    return {name: getattr(clip, name) for name in clip.__dataclass_fields__}


def test_the_command_writes_what_a_run_sends(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    clip = _clip(tmp_path, "a", "hello")
    command = ["condition", "a.wav", "--condition", "noise:10,phone", "--out", "f.wav"]

    assert cli.main(command) == 0

    out = capsys.readouterr().out
    assert "f.wav: noise:10+phone, 0.50 s at 8000 Hz" in out
    assert "libsndfile" in out
    sent = Sounds([Conditions().named("noise:10+phone")]).of(
        Clip(**{**_fields(clip), "condition": "noise:10+phone"})
    )
    assert (tmp_path / "f.wav").read_bytes() == sent.data
    assert cli.main(["condition", "--list"]) == 0
    assert "opus-lowrate" in capsys.readouterr().out
    assert cli.main([*command[:2], "--condition", "loud", "--out", "f.wav"]) == 2
    assert "no condition 'loud'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "rate", "seconds", "told"),
    [
        ("phone", 8_000, 3.0, "8000 Hz already, as a telephone leaves it"),
        ("noise:10", 8_000, 3.0, None),
        ("reverb:0.8", 16_000, 0.5, "shorter than the room's 0.8 s"),
        ("cut-start:500", 16_000, 0.5, "all cut off"),
        ("packet-loss:0.01", 16_000, 1.0, "so short that hardly a packet is lost"),
        ("phone", 16_000, 3.0, None),
    ],
)
def test_a_clip_that_is_no_fit_is_told(name, rate, seconds, told):
    reasons = [*unfit(Conditions().named(name), rate, seconds)]

    assert len(reasons) == (told is not None)
    assert told is None or told in reasons[0]


def test_lint_holds_clips_against_the_settings_conditions(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    soundfile.write(tmp_path / "a.wav", speech(3).samples[::2], 8_000)
    row = {"id": "a", "audio": "a.wav", "reference": "hello there"}
    data = {"schema": 1, "name": "d", "language": "en", "clips": [row]}
    (tmp_path / "clips.yaml").write_text(json.dumps(data))
    (tmp_path / "asrbench.yaml").write_text(
        "condition: phone\nconditions: {hall: {steps: [reverb:9]}}\n"
    )

    assert cli.main(["lint"]) == 0

    out = capsys.readouterr().out
    assert "no fit for phone: 8000 Hz already" in out
    assert "no fit for hall: 3.00 s is shorter than the room's 9 s" in out


def _record(clip: str, recovered: int, repeat: int, condition: str | None) -> ClipRecord:
    verdicts = [Verdict(n < recovered, True, "") for n in range(4)]
    entities = [JudgedEntity(Entity(f"e{n}", "amount", "1"), v) for n, v in enumerate(verdicts)]
    return ClipRecord(clip, "", "en", tuple(entities), repeat, condition, transcript="")


@pytest.mark.parametrize("repeats", [1, 3])
def test_the_drop_is_paired_by_clip_and_repeats_are_no_more_evidence(repeats):
    def side(*recovered: int, condition: str | None = None) -> list[ClipRecord]:
        return [
            _record(f"c{n}", hits, repeat, condition)
            for n, hits in enumerate(recovered)
            for repeat in range(1, repeats + 1)
        ]

    found = drop(side(4, 4, 4, 2, 1), side(1, 2, 3, 2, 2, condition="phone"))

    assert found.raw.value == 0.75
    assert found.under.value == 0.5
    # 3, 2 and 1 lost, 1 gained: of the 16 ways to sign these, 3 lose so much or more.
    assert found.p == pytest.approx(3 / 16)


def test_a_gates_name_gives_condition_and_gate_again():
    for gate in ("ctem", "recovery:time:domain=a/b", "complete"):
        assert parted(gate_name("noise:10+phone", gate)) == ("noise:10+phone", gate)
        assert parted(gate) == (None, gate)
