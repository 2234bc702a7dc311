"""Registers this project's own recogniser: `pytest --asr-provider=myasr`."""

import pytest_asrbench
from pytest_asrbench.providers.pocketsphinx import PocketSphinx


@pytest_asrbench.provider("myasr")
def myasr(audio):
    return PocketSphinx().transcribe(audio)
