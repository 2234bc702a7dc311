"""Installed but inactive, the plugin costs nothing: only pytest and the standard library load."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROBE = """
import json, sys

def pytest_sessionfinish():
    with open("modules.json", "w") as file:
        json.dump(sorted(sys.modules), file)
"""
# What pytest itself is made of, and loads on some platforms or versions.
OF_PYTEST = {
    "_pytest",
    "pytest",
    "pluggy",
    "iniconfig",
    "packaging",
    "pygments",
    "colorama",
    "exceptiongroup",
    "tomli",
    "py",
}
OURS = {
    "pytest_asrbench",
    "pytest_asrbench.settings",
    "pytest_asrbench.settings.options",
    "pytest_asrbench.plugin",
    "pytest_asrbench.plugin.fixtures",
    "pytest_asrbench.plugin.newhooks",
}


def loaded(folder: Path, *options: str, **variables: str) -> set[str]:
    """Names of the modules that a run of pytest in `folder` has loaded at its end."""
    (folder / "test_it.py").write_text("def test_it(): pass\n")
    (folder / "probe.py").write_text(PROBE)
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("ASRBENCH_")},
        "PYTHONPATH": str(folder),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        **variables,
    }
    command = [sys.executable, "-m", "pytest", "-p", "probe", "-p", "pytest_asrbench.plugin"]
    done = subprocess.run(
        [*command, *options], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == pytest.ExitCode.OK, done.stdout + done.stderr
    return set(json.loads((folder / "modules.json").read_text()))


@pytest.mark.slow
def test_nothing_beyond_pytest_and_the_standard_library_is_imported(tmp_path):
    modules = loaded(tmp_path)

    assert modules >= OURS
    assert {name for name in modules if name.startswith("pytest_asrbench")} == OURS
    before = subprocess.run(
        [sys.executable, "-c", "import sys, json; print(json.dumps(sorted(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    )
    at_start = {name.partition(".")[0] for name in json.loads(before.stdout)}  # .pth files
    known = sys.stdlib_module_names | OF_PYTEST | at_start
    known |= {"pytest_asrbench", "probe", "test_it", "__main__"}
    strangers = {name for name in modules if name.partition(".")[0] not in known}
    assert strangers == set()


@pytest.mark.slow
def test_an_empty_variable_leaves_it_inactive(tmp_path):
    modules = loaded(tmp_path, ASRBENCH_PROVIDER="", ASRBENCH_GATE="auto")

    assert {name for name in modules if name.startswith("pytest_asrbench")} == OURS


@pytest.mark.slow
def test_the_installed_plugin_is_found_by_its_entry_point(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_it(asr_result): pass\n")
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:hypothesispytest"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert done.returncode == pytest.ExitCode.OK
    assert "needs --asr-provider" in done.stdout


ASKED = {
    "--asr-gate=on": "--asr-gate on measures nothing without a provider; name one*",
    "--asr-update": "--asr-update measures nothing without a provider; name one*",
    "--asr-update-lower": "--asr-update-lower measures nothing without a provider; name one*",
    "--asr-json=run.json": "--asr-json measures nothing without a provider; name one*",
    "--asr-html=run.html": "--asr-html measures nothing without a provider; name one*",
    "--asr-md=run.md": "--asr-md measures nothing without a provider; name one*",
    "ASRBENCH_GATE=on": "ASRBENCH_GATE=on measures nothing without a provider; name one*",
    "ASRBENCH_GATE=On": "ASRBENCH_GATE=On measures nothing without a provider; name one*",
    "ASRBENCH_JSON=r.json": "ASRBENCH_JSON=r.json measures nothing without a provider; name one*",
    "--asr-provider=": "--asr-provider is empty; name a provider, or leave the option out",
}


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "said"), ASKED.items(), ids=ASKED)
def test_what_means_to_gate_does_not_pass_without_a_provider(pytester, monkeypatch, asked, said):
    pytester.makepyfile("def test_it(asr_clip): pass")
    name, _, value = asked.partition("=")
    if not name.startswith("--"):
        monkeypatch.setenv(name, value)

    result = pytester.runpytest_inprocess(*([asked] if name.startswith("--") else []))

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {said}"])


@pytest.mark.slow
def test_that_is_one_usage_error_under_xdist_too(pytester):
    pytester.makepyfile("def test_it(asr_clip): pass")

    result = pytester.runpytest_subprocess("--asr-gate=on", "-n2")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --asr-gate on measures nothing without a provider*"])


@pytest.mark.slow
def test_a_gate_of_the_ini_file_is_one_line_while_inactive(pytester):
    pytester.makeini("[pytest]\nasr_gate = on\nasr_json = run.json")
    pytester.makefile(".yaml", asrbench="not: [valid")
    pytester.makepyfile("def test_it(): pass")

    result = pytester.runpytest_inprocess()

    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        ["asrbench: nothing is measured or gated (asr_gate = on): no --asr-provider"]
    )
