"""Datasets on disk: one module a layout; `load` finds the right one."""

from pytest_asrbench.datasets.load import check_audio, load, missing_audio

__all__ = ["check_audio", "load", "missing_audio"]
