"""Decides what a run measures, checks all that is known before it, and registers the plugin."""

from __future__ import annotations

import gc
import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_asrbench.conditions import Condition
from pytest_asrbench.datasets import check_audio, load
from pytest_asrbench.datasets.selection import shard, with_tags
from pytest_asrbench.errors import AsrBenchError, InputError
from pytest_asrbench.files import check_writable
from pytest_asrbench.model import Clip, Dataset
from pytest_asrbench.plugin import fixtures, run_folder, termination, workers
from pytest_asrbench.plugin.cases import Parametrisation
from pytest_asrbench.plugin.components import Components
from pytest_asrbench.plugin.controller import Controller
from pytest_asrbench.plugin.last_word import LastWord
from pytest_asrbench.plugin.output import Output
from pytest_asrbench.plugin.payload import Sending
from pytest_asrbench.plugin.process import Process, ResultSink
from pytest_asrbench.plugin.recorder import Recorder, Strict
from pytest_asrbench.plugin.session import MeasurementSession
from pytest_asrbench.plugin.state import State, is_worker
from pytest_asrbench.providers import registry as providers
from pytest_asrbench.providers.base import RecordedProvider
from pytest_asrbench.settings.config import Settings, own_settings_files, resolve, settings_files
from pytest_asrbench.settings.options import OPTIONS

if TYPE_CHECKING:
    from pytest_asrbench.gates.thresholds import Thresholds


def activate(config: pytest.Config) -> None:
    """Raises UsageError, one line a fault: exit code 4, before any test and on no worker."""
    if is_worker(config):
        _activate_worker(config)
        return
    try:
        _activate_controller(config)
    except AsrBenchError as error:
        raise pytest.UsageError(str(error)) from None


def _activate_worker(config: pytest.Config) -> None:
    given = workers.get_input(config)
    if given is None:
        return
    settings, dataset, run_store = given
    config.add_cleanup(run_folder.alive(run_store).close)
    _spare_the_collector(config)
    state = _state(settings, dataset, run_store, workers.count(config))
    _register_tests(config, state, workers.ToController(config))
    config.pluginmanager.register(Sending(), "asrbench-sending")


def _activate_controller(config: pytest.Config) -> None:
    settings = _settings(config)
    last_word = LastWord()
    config.add_cleanup(last_word.say)  # first, as the last one in is the first undone
    config.add_cleanup(termination.as_interrupt())
    run_store, remove = run_folder.make()
    config.add_cleanup(remove)
    dataset = with_tags(load(settings.data, settings.data_base, settings.types), settings.tags)
    _spare_the_collector(config)
    state = _state(settings, dataset, run_store, None)
    _check(state)
    file = settings.thresholds_file()
    thresholds = _thresholds(file, settings.provider) if file.is_file() else None
    output = Output(config, state, thresholds)
    controller = Controller(config, state, thresholds, file, output)
    state.measurement.meanwhile = controller.get_ready
    config.pluginmanager.register(output, "asrbench-output")
    config.pluginmanager.register(controller, "asrbench-controller")
    last_word.owed = controller.owed
    config.pluginmanager.register(last_word, "asrbench-last-word")
    config.pluginmanager.register(
        workers.Workers(settings, dataset, run_store, controller), "asrbench-xdist"
    )
    if hasattr(config.hook, "pytest_html_results_table_row"):
        from pytest_asrbench.plugin.html_column import HtmlColumn

        config.pluginmanager.register(HtmlColumn(), "asrbench-html-column")
    _register_tests(config, state, controller)


def _spare_the_collector(config: pytest.Config) -> None:
    """What is there now lives as long as the run: ten thousand clips are a fifth of the time of a
    recorded run to a garbage collector that looks through them again and again."""
    gc.freeze()
    config.add_cleanup(gc.unfreeze)


def _thresholds(file: Path, provider: str | None) -> Thresholds:
    from pytest_asrbench.gates.parse import read  # here, as a run without thresholds has no use

    return read(file, provider)


def _state(settings: Settings, dataset: Dataset, run_store: Path, processes: int | None) -> State:
    clips = shard(dataset, *settings.shard)
    components = Components(settings, dataset)
    sounds = _sounds(clips, components.conditions)
    measurement = MeasurementSession(components, settings, dataset, sounds, run_store, processes)
    return State(settings, dataset, clips, sounds, run_store, components, measurement)


def _sounds(clips: Sequence[Clip], conditions: Sequence[Condition]) -> tuple[Clip, ...]:
    """The clips raw, then under one condition after the other. Raises InputError for an id that
    names a clip under a condition."""
    under = [replace(clip, condition=each.name) for each in conditions for clip in clips]
    if taken := {clip.id for clip in clips} & {clip.key for clip in under}:
        raise InputError(
            f"clip {min(taken)!r} is named like one under a condition; give the condition another "
            "name"
        )
    return (*clips, *under)


def _register_tests(config: pytest.Config, state: State, listener: ResultSink) -> None:
    register = config.pluginmanager.register
    register(Parametrisation(state.sounds), "asrbench-cases")
    register(fixtures.active(state.measurement), "asrbench-fixtures")
    register(Process(state.measurement, listener), "asrbench-tests")
    recorder = Recorder(state.settings, state.measurement, listener)
    register(recorder, "asrbench-recorder")
    register(Strict(recorder, getattr(config, "cache", None)), "asrbench-strict")


def _check(state: State) -> None:
    """Names, keys and files that are known now; a provider of a conftest is not."""
    _check_files(state.settings)
    if state.settings.update and state.settings.gate == "off":
        raise InputError("--asr-update stores what gates judge; leave out --asr-gate off")
    components = state.components
    components.store, components.prices, components.verifier  # noqa: B018 (made now, so that faults show now)
    if not components.built_in:
        providers.check(components.configuration)
    if not (components.built_in and isinstance(components.provider, RecordedProvider)):
        check_audio(state.dataset)
        if components.store:
            components.store.check(components.configuration.name)


def _check_files(settings: Settings) -> None:
    """Each file that the run will write, lest it be found out after calls that were paid for."""
    if reports := settings.files.keys() - {"json"}:
        from pytest_asrbench.reports import formats

        for name in reports:
            formats.check(name)
    files = [*settings.files.values()]
    files += [settings.thresholds_file()] if settings.update else []
    faults = []
    for path in files:
        try:
            check_writable(path)
        except InputError as error:
            faults.append(str(error))
    if faults:
        raise InputError("\n".join(faults))


def _settings(config: pytest.Config) -> Settings:
    return resolve(
        option={option.name: config.getoption(option.dest) for option in OPTIONS},
        ini={o.name: config.getini(o.dest) for o in OPTIONS if "ini" in o.places},
        ini_folder=config.inipath.parent if config.inipath else config.rootpath,
        start=_start(config),
        invocation=config.invocation_params.dir,
        rootdir=config.rootpath,
    )


def _start(config: pytest.Config) -> Path:
    """The folder that the search for settings begins in: that of the one set of clips which the
    arguments lead to, else that of the first argument. pytest puts testpaths or its own folder
    where none is. Raises InputError where they lead to several sets."""
    here = config.invocation_params.dir
    if config.getoption("pyargs") or not config.args:
        return here
    asked = {argument: _folder(here, argument) for argument in config.args}
    led_to: dict[Path, list[str]] = {}
    for argument, folder in asked.items():
        own = own_settings_files(folder, config.rootpath)
        for file in own:
            named = argument if len(own) == 1 else os.path.relpath(file.parent, here)
            led_to.setdefault(file, []).append(named)
    first = next(iter(asked.values()))
    sets = led_to or {
        file: [os.path.relpath(file.parent, here)]
        for file in settings_files(first, config.rootpath)
    }
    if len(sets) > 1:
        raise InputError(_one_by_one(config, [*sets.values()]))
    return next(iter(sets)).parent if sets else first


def _folder(here: Path, argument: str) -> Path:
    path = (here / argument.partition("::")[0]).resolve()
    return path if path.is_dir() else path.parent


def _one_by_one(config: pytest.Config, sets: Sequence[Sequence[str]]) -> str:
    """The calls that measure each set of clips by itself."""
    left = list(config.getoption("file_or_dir"))
    options = []
    for argument in map(str, config.invocation_params.args):
        if argument in left:
            left.remove(argument)
        else:
            options.append(argument)
    commands = (shlex.join(["pytest", *arguments, *options]) for arguments in sets)
    head = f"{len(sets)} sets of clips in one call; measure each by itself:"
    return "\n".join([head, *(f"  {command}" for command in commands)])
