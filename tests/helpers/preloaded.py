"""
Imported before any run of the plugin, and loaded once for all: pytester unloads what a run loads.

Not only for speed: numpy can't be loaded twice, and each run would have classes of its own. Of the
package it is all but what needs extras.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil

import httpcore  # noqa: F401
import httpx  # noqa: F401
import jiwer  # noqa: F401
import numpy.fft
import numpy.random  # noqa: F401
import soundfile  # noqa: F401
import soxr  # noqa: F401
import whisper_normalizer.english  # noqa: F401
import xdist.plugin
import xdist.remote  # noqa: F401

import pytest_asrbench

for rooms in (
    "conditions",
    "datasets",
    "engine",
    "gates",
    "metrics",
    "plugin",
    "reports",
    "run",
    "store",
    "verifiers.packs",
    "verifiers.rules",
):
    package = importlib.import_module(f"{pytest_asrbench.__name__}.{rooms}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)

# Nor does a collection go through all this again, which would copy it into each fork.
gc.collect()
gc.freeze()
