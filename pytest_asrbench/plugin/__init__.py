"""
The pytest plugin: options, fixtures, and the decision whether to act.

Without a provider nothing else of the package is imported. With one, `activation` registers the
objects that hold the run's state.
"""

from __future__ import annotations

import os

import pytest

from pytest_asrbench.plugin import newhooks
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
from pytest_asrbench.settings.options import BY_NAME, FORMATS, OPTIONS, Option, asked_provider

__all__ = [
    "_asr_case",
    "asr_clip",
    "asr_entity",
    "asr_provider",
    "asr_result",
    "asr_transcript",
    "asr_verdict",
    "asr_verifier",
    "pytest_addhooks",
    "pytest_addoption",
    "pytest_configure",
    "pytest_report_header",
]

_FILES = (*(each.name for each in FORMATS if each.name in BY_NAME), "report")
MEANT = ("gate", "update", "update_lower", *_FILES)
"""Options that make no sense without a provider: to gate, to store, to report."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(newhooks)


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
    if _active(config):
        from pytest_asrbench.plugin.activation import activate

        activate(config)
    elif config.getoption("asr_provider") is not None:
        raise pytest.UsageError("--asr-provider is empty; name a provider, or leave the option out")
    elif idle := _asked_for_nothing(config):
        from pytest_asrbench.loglines import log_text

        what = f"{idle} measures nothing without a provider; name one with --asr-provider"
        raise pytest.UsageError(log_text(what))


def pytest_report_header(config: pytest.Config) -> str | None:
    """For the suite of a team whose ini file gates: its plain `pytest` measures nothing."""
    if _active(config) or config.getini("asr_gate") != "on":
        return None
    return "asrbench: nothing is measured or gated (asr_gate = on): no --asr-provider"


def _active(config: pytest.Config) -> bool:
    """True where there is a provider."""
    return bool(asked_provider(config.getoption("asr_provider"), config.getini("asr_provider")))


def _asked_for_nothing(config: pytest.Config) -> str | None:
    """An option of a build that means to measure, whose provider a variable left empty, say.

    The settings' file stays unread, and an ini file is for all of a team's runs.
    """
    for option in (BY_NAME[name] for name in MEANT):
        given = config.getoption(option.dest)
        if given and (not option.choices or given == "on"):
            return f"{option.flag} on" if option.choices else option.flag
        text = os.environ.get(option.env, "") if "env" in option.places else ""
        if text and (not option.choices or text.strip().lower() == "on"):
            return f"{option.env}={text}"
    return None
