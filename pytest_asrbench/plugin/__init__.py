"""
The pytest plugin: options, fixtures, and the decision whether to act.

Without a provider nothing else of the package is imported. With one, `activation` registers the
objects that hold the run's state.
"""

from __future__ import annotations

import pytest

from pytest_asrbench.options import OPTIONS, Option, asked_provider
from pytest_asrbench.plugin.fixtures import (
    _asr_case,
    asr_clip,
    asr_entity,
    asr_provider,
    asr_result,
    asr_transcript,
    asr_verdict,
    asr_verifier,
)

__all__ = [
    "_asr_case",
    "asr_clip",
    "asr_entity",
    "asr_provider",
    "asr_result",
    "asr_transcript",
    "asr_verdict",
    "asr_verifier",
    "pytest_addoption",
    "pytest_configure",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("asrbench", "speech recognition (pytest-asrbench)")
    for option in OPTIONS:
        if option.kind == "flag":
            group.addoption(option.flag, dest=option.dest, action="store_true", help=option.help)
        else:
            group.addoption(
                option.flag, dest=option.dest, metavar=_metavar(option), help=_help(option)
            )
        if "ini" in option.places:
            parser.addini(option.dest, f"as {option.flag}", type="string", default=None)


def _metavar(option: Option) -> str | None:
    return "{" + ",".join(option.choices) + "}" if option.choices else option.metavar


def _help(option: Option) -> str:
    return f"{option.help} (default: {option.default})" if option.default else option.help


@pytest.hookimpl(trylast=True)  # after pytest's own, so that terminal and cache are there
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("help") or config.getoption("version"):
        return
    if asked_provider(config.getoption("asr_provider"), config.getini("asr_provider")):
        from pytest_asrbench.plugin.activation import activate

        activate(config)
    elif idle := _asked_for_nothing(config):
        raise pytest.UsageError(
            f"{idle} measures nothing without a provider; name one with --asr-provider"
        )


def _asked_for_nothing(config: pytest.Config) -> str | None:
    """The option of a build that means to gate, whose provider a variable left empty, say."""
    if config.getoption("asr_gate") == "on":
        return "--asr-gate on"
    flags = {"--asr-update": "asr_update", "--asr-update-lower": "asr_update_lower"}
    return next((flag for flag, dest in flags.items() if config.getoption(dest)), None)
