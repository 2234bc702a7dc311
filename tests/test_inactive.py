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
    "pytest_asrbench.options",
    "pytest_asrbench.plugin",
    "pytest_asrbench.plugin.fixtures",
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


def test_an_empty_provider_leaves_it_inactive(tmp_path):
    modules = loaded(tmp_path, "--asr-provider=", ASRBENCH_PROVIDER="")

    assert {name for name in modules if name.startswith("pytest_asrbench")} == OURS


def test_the_installed_plugin_is_found_by_its_entry_point(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_it(asr_result): pass\n")
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:hypothesispytest"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert done.returncode == pytest.ExitCode.OK
    assert "needs --asr-provider" in done.stdout


@pytest.mark.parametrize("asked", ["--asr-gate=on", "--asr-update", "--asr-update-lower"])
@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_a_build_that_means_to_gate_does_not_pass_without_a_provider(pytester, asked, workers):
    pytester.makepyfile("def test_it(asr_clip): pass")

    result = pytester.runpytest_subprocess(asked, "--asr-provider=", workers)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    flag = asked.replace("=", " ")
    result.stderr.fnmatch_lines([f"ERROR: {flag} measures nothing without a provider; name one*"])
