"""faster-whisper: for real where ASRBENCH_TEST_WHISPER_MODEL names a folder with a model."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from helpers.vendor_protocols import speech

from pytest_asrbench import audio
from pytest_asrbench.errors import InputError
from pytest_asrbench.providers import needs, registry
from pytest_asrbench.providers.base import Configuration

CLIPS = Path(__file__).parents[2] / "example_project" / "clips"
MODEL = os.environ.get("ASRBENCH_TEST_WHISPER_MODEL")
USE = "faster-whisper"
with_model = pytest.mark.skipif(
    not MODEL or not CLIPS.is_dir(),
    reason="set ASRBENCH_TEST_WHISPER_MODEL to the folder of a faster-whisper model",
)


def make(folder: Path = Path(), *, replay: bool = True, **options):
    return registry.create(Configuration("w", USE, options, folder), replay=replay)


@pytest.fixture
def real():
    return make(replay=False, model=MODEL, device="cpu", compute_type="int8")


@with_model
def test_it_hears_the_example(real):
    text = real.transcribe(audio.read(CLIPS / "appointment.flac", "en")).text

    assert text.startswith(" ")  # as Whisper writes it: nothing is trimmed
    assert "appointment" in text


@with_model
def test_a_parameter_reaches_the_model_and_is_described():
    provider = make(
        replay=False,
        model=MODEL,
        device="cpu",
        compute_type="int8",
        params={"beam_size": 1, "no_such_parameter": True},
    )

    assert provider.describe().custom
    assert provider.describe().settings["beam_size"] == 1
    with pytest.raises(TypeError, match="no_such_parameter"):
        provider.transcribe(speech())


@with_model
def test_the_description_names_package_and_weights(real):
    package, _, weights = real.describe().version.partition(" ")

    assert package[0].isdigit()
    assert int(weights.partition("-")[0]) == (Path(MODEL) / "model.bin").stat().st_size
    assert real.describe().reusable
    assert not real.describe().custom


def test_weights_that_change_in_their_place_make_another_model(tmp_path):
    weights = tmp_path / "tiny" / "model.bin"
    weights.parent.mkdir()
    weights.write_bytes(b"1" * 99)
    before = make(tmp_path, model="tiny").describe()
    weights.write_bytes(b"2" * 99)
    after = make(tmp_path, model="tiny").describe()

    assert before.model.startswith("tiny@")
    assert before.model != after.model


def test_a_name_is_left_to_the_library(tmp_path):
    assert make(tmp_path, model="small.en").place == "small.en"
    assert make(tmp_path, model="Systran/faster-whisper-small").place.startswith("Systran/")


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("./nowhere", "no folder"),
        ("a/b/c", "no folder"),
        ("empty", "holds no model.bin; convert the model with ct2-transformers-converter"),
    ],
)
def test_a_folder_that_holds_no_model_is_one_line(model, message, tmp_path):
    (tmp_path / "empty").mkdir()

    with pytest.raises(InputError, match=message):
        make(tmp_path, model=model)


def test_a_missing_package_is_one_line_that_names_the_extra(monkeypatch):
    monkeypatch.setattr(needs, "EXTRAS", {USE: "no_such_module"})

    with pytest.raises(InputError, match=r"pip install 'pytest-asrbench\[faster-whisper\]'"):
        make(replay=False)
