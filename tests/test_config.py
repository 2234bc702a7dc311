"""Settings: which layer wins, what a path is relative to, and what a fault says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_asrbench.errors import InputError
from pytest_asrbench.providers.entries import configuration
from pytest_asrbench.settings.config import Settings, find_settings_file, resolve
from pytest_asrbench.settings.file import read_settings_file
from pytest_asrbench.settings.options import BY_NAME, OPTIONS, asked_provider
from pytest_asrbench.settings.parsing import Budget, parse


def settings(tmp_path: Path, yaml: str | None = None, **layers: object) -> Settings:
    if yaml is not None:
        (tmp_path / "asrbench.yaml").write_text(yaml, encoding="utf-8")
    given = {"option": {}, "env": {}, "start": tmp_path, "rootdir": tmp_path, **layers}
    return resolve(**{"invocation": tmp_path, **given})  # type: ignore[arg-type]  # keywords are resolve's


# Layers


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        (("option", "env", "file", "ini"), 1),
        (("env", "file", "ini"), 2),
        (("file", "ini"), 3),
        (("ini",), 4),
        ((), None),
    ],
)
def test_option_beats_environment_beats_file_beats_ini_beats_default(tmp_path, layers, expected):
    resolved = settings(
        tmp_path,
        "concurrency: 3" if "file" in layers else None,
        option={"concurrency": "1"} if "option" in layers else {},
        env={"ASRBENCH_CONCURRENCY": "2"} if "env" in layers else {},
        ini={"concurrency": "4"} if "ini" in layers else {},
    )

    assert resolved.concurrency == expected


def test_the_defaults_are_those_of_the_table(tmp_path):
    resolved = settings(tmp_path)

    assert resolved == Settings(
        folder=tmp_path,
        rootdir=tmp_path,
        thresholds=tmp_path / "thresholds",
        cache=tmp_path / ".asrbench",
        data_base=tmp_path,
    )
    for option in OPTIONS:
        if option.default is not None and option.name != "thresholds":
            value = parse(option, option.default, option.flag, tmp_path)
            name = f"{option.name}_s" if option.kind == "duration" else option.name
            assert getattr(resolved, name) == value, option.name


def test_an_empty_variable_or_ini_key_is_unset(tmp_path):
    resolved = settings(tmp_path, env={"ASRBENCH_GATE": ""}, ini={"mode": ""})

    assert (resolved.gate, resolved.mode) == ("auto", "batch")


def test_a_flag_can_be_switched_off_again_by_a_stronger_layer(tmp_path):
    assert settings(tmp_path, "strict: true").strict
    assert not settings(tmp_path, "strict: true", env={"ASRBENCH_STRICT": "off"}).strict


def test_update_lower_implies_update(tmp_path):
    resolved = settings(tmp_path, option={"update_lower": True})

    assert (resolved.update, resolved.update_lower) == (True, True)


@pytest.mark.parametrize(
    ("option", "env", "ini", "asked"),
    [
        ("a", "b", "c", "a"),
        (None, "b", "c", "b"),
        (None, None, "c", "c"),
        (None, "", None, None),
        ("", None, None, None),
    ],
)
def test_the_provider_makes_the_plugin_active(option, env, ini, asked):
    variables = {} if env is None else {"ASRBENCH_PROVIDER": env}

    assert asked_provider(option, ini, variables) == asked


# Paths


def test_a_path_is_relative_to_whoever_named_it(tmp_path):
    tests, ini, here = tmp_path / "tests", tmp_path / "ini", tmp_path / "here"
    for folder in (tests, ini, here):
        folder.mkdir()
    (tests / "asrbench.yaml").write_text("data: clips.yaml\nhtml: report.html\n")

    resolved = resolve(
        option={"json": "run.json"},
        env={"ASRBENCH_THRESHOLDS": "stored"},
        ini={"md": "report.md"},
        ini_folder=ini,
        start=tests,
        invocation=here,
        rootdir=tmp_path,
    )

    assert resolved.data_base == tests
    assert resolved.files["html"] == tests / "report.html"
    assert resolved.files["json"] == here / "run.json"
    assert resolved.thresholds == here / "stored"
    assert resolved.files["md"] == ini / "report.md"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"provider": "nova3"}, "thresholds/nova3.yaml"),
        ({"provider": "nova3", "mode": "stream"}, "thresholds/nova3.stream.yaml"),
        ({"provider": "nova3", "tags": "smoke"}, "thresholds/nova3.smoke.yaml"),
        ({"provider": "nova3", "tags": "smoke, fast"}, "thresholds/nova3.fast+smoke.yaml"),
        (
            {"provider": "nova3", "mode": "stream", "tags": "smoke"},
            "thresholds/nova3.stream.smoke.yaml",
        ),
        ({"provider": "my.asr:Recogniser"}, "thresholds/my.asr_Recogniser.yaml"),
        ({"provider": "nova3", "thresholds": "mine.yaml"}, "mine.yaml"),
    ],
)
def test_the_thresholds_file_is_named_after_what_it_holds_for(tmp_path, given, name):
    assert settings(tmp_path, option=given).thresholds_file() == tmp_path / name


# asrbench.yaml


def write_settings(*folders: Path) -> None:
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "asrbench.yaml").touch()


def test_the_nearest_settings_file_upwards_is_taken(tmp_path):
    write_settings(tmp_path, tmp_path / "tests")

    assert find_settings_file(tmp_path / "tests", tmp_path) == tmp_path / "tests/asrbench.yaml"
    deeper = tmp_path / "tests" / "deep"
    deeper.mkdir()
    assert find_settings_file(deeper, tmp_path) == tmp_path / "tests/asrbench.yaml"


def test_the_search_upwards_ends_at_rootdir(tmp_path):
    write_settings(tmp_path)
    root = tmp_path / "project"
    root.mkdir()

    assert find_settings_file(root, root) is None


def test_the_only_settings_file_below_is_found(tmp_path):
    write_settings(tmp_path / "example" / "asr")
    # Copies and environments are not the project's own.
    write_settings(tmp_path / ".hidden", tmp_path / "node_modules/x", tmp_path / "env/lib")
    (tmp_path / "env" / "pyvenv.cfg").touch()

    assert find_settings_file(tmp_path, tmp_path) == tmp_path / "example/asr/asrbench.yaml"


def test_two_settings_files_below_are_listed(tmp_path):
    write_settings(tmp_path / "a", tmp_path / "b")

    with pytest.raises(InputError, match=r"a/asrbench.yaml, b/asrbench.yaml; name the folder"):
        find_settings_file(tmp_path, tmp_path)


def test_named_configurations_are_read_with_their_limits(tmp_path):
    resolved = settings(
        tmp_path,
        """
        providers:
          nova3: {use: deepgram, model: nova-3, concurrency: 16,
                  timeout_s: 60, requests_per_minute: 300, attempts: 2,
                  params: {smart_format: true, n: 2, x: 1.5, k: [a, 7, "7", 0132], t: 'true'}}
          digits: {use: deepgram, model: 0132}
        """,
    )

    nova = configuration(resolved, "nova3")
    assert (nova.use, nova.folder, nova.mode) == ("deepgram", tmp_path, "batch")
    assert nova.options == {
        "model": "nova-3",
        "params": {"smart_format": True, "n": 2, "x": 1.5, "k": ["a", 7, "7", "0132"], "t": "true"},
    }
    assert (nova.limits.concurrency, nova.limits.timeout_s) == (16, 60.0)
    assert (nova.limits.requests_per_minute, nova.limits.attempts) == (300.0, 2)
    assert configuration(resolved, "digits").options == {"model": "0132"}


def test_a_name_without_an_entry_is_used_with_its_defaults(tmp_path):
    made = configuration(settings(tmp_path, option={"mode": "stream"}), "pocketsphinx")

    assert (made.name, made.use, made.options) == ("pocketsphinx", "pocketsphinx", {})
    assert made.mode == "stream"


def test_own_types_and_policy_options_are_read(tmp_path):
    resolved = settings(
        tmp_path,
        "types: {code: {like: reference_id}}\npolicy: {date: {order: dmy}}\ntags: [b, a]",
    )

    assert resolved.types == {"code": "reference_id"}
    assert resolved.policy == {"date": {"order": "dmy"}}
    assert resolved.tags == ("a", "b")


@pytest.mark.parametrize(
    ("yaml", "message"),
    [
        ("provider: nova3", "asrbench.yaml:1: provider is chosen by --asr-provider"),
        ("thresold: x", "asrbench.yaml:1: unknown key 'thresold'; did you mean thresholds?"),
        ("zzz: x", "asrbench.yaml:1: unknown key 'zzz'; known: data, verifier"),
        ("- a", "asrbench.yaml:1: expected keys and values"),
        ("data: {a: b}", "asrbench.yaml:1: data must be text, not keys and values"),
        ("\ngate: maybe", "asrbench.yaml:2: gate: expected auto, on or off, not 'maybe'"),
        ("providers:\n  x: {model: y}", "asrbench.yaml:2: providers.x: add `use:`"),
        (
            "providers:\n  x:\n    use: y\n    concurrency: many",
            "asrbench.yaml:4: providers.x.concurrency must be a whole number from 1, not 'many'",
        ),
        (
            "providers: {x: {use: y, timeout_s: 0}}",
            "asrbench.yaml:1: providers.x.timeout_s must be a number above 0, not '0'",
        ),
        (
            "providers: {x: {use: y, concurrency: 1e999}}",
            "asrbench.yaml:1: providers.x.concurrency must be a whole number from 1, not '1e99",
        ),
        (
            "providers: {x: {use: y, timeout_s: 1e999}}",
            "asrbench.yaml:1: providers.x.timeout_s must be a number of fewer digits, not '1e999'",
        ),
        (
            "providers: {x: {use: y, params: {seed: [1e999]}}}",
            "asrbench.yaml:1: providers.x.params.seed.0: '1e999' is too large; correct it, or",
        ),
        (
            "verifiers: {llm: {price: {input: " + "9" * 5000 + "}}}",
            "asrbench.yaml:1: verifiers.llm.price.input: '999999999999...9999999999999' is too",
        ),
        ("types: {code: reference_id}", "asrbench.yaml:1: types.code must be keys and values"),
        ("types: {code: {as: date}}", "asrbench.yaml:1: types.code: write {like: reference_id}"),
        ("policy: {date: dmy}", "asrbench.yaml:1: policy.date must be keys and values"),
        ("gate: on\ngate: off", "asrbench.yaml:2: key 'gate' stands twice"),
    ],
)
def test_a_fault_in_the_settings_file_names_row_and_remedy(tmp_path, yaml, message):
    with pytest.raises(InputError) as caught:
        settings(tmp_path, yaml)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_empty_settings_file_is_fine(tmp_path):
    (tmp_path / "asrbench.yaml").touch()

    assert read_settings_file(tmp_path / "asrbench.yaml").values == {}


# Values


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("provider", "my_module:Class.attr", "my_module:Class.attr"),
        ("strict", "Yes", True),
        ("strict", "0", False),
        ("max_errors", "0", 0),
        ("shard", "2/4", (2, 4)),
        ("tags", "smoke,fast,smoke", ("fast", "smoke")),
        ("budget", "2.50", Budget(money=2.5)),
        ("budget", "90min", Budget(audio_s=5400.0)),
        ("budget", "1.5 h", Budget(audio_s=5400.0)),
        ("cache_max_age", "7d", 7 * 86400.0),
        ("cache_max_age", "0s", 0.0),
    ],
)
def test_a_value_is_read(tmp_path, name, text, value):
    assert parse(BY_NAME[name], text, "here", tmp_path) == value


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("provider", "../x", "a name of letters, digits, . _ and -, or module:attr"),
        ("strict", "maybe", "true or false"),
        ("repeat", "0", "a whole number from 1"),
        ("repeat", "²", "a whole number from 1"),
        ("repeat", "-1", "a whole number from 1"),
        ("repeat", "9" * 5000, "a whole number from 1"),
        ("verifier_votes", "9" * 5000, "an odd number"),
        ("shard", "1/" + "9" * 5000, "K/N with K from 1 to N, such as 2/4"),
        ("budget", "9" * 400, "money such as 2.50, or audio such as 90min"),
        ("cache_max_age", "9" * 400 + "d", "a time such as 90s, 30min, 12h or 7d"),
        ("shard", "3/2", "K/N with K from 1 to N, such as 2/4"),
        ("shard", "0/2", "K/N with K from 1 to N, such as 2/4"),
        ("tags", "a,,b", "tags of letters, digits, _ and -, separated by commas"),
        ("budget", "2 euros", "money such as 2.50, or audio such as 90min"),
        ("cache_max_age", "12", "a time such as 90s, 30min, 12h or 7d"),
        ("data", "", "[LAYOUT:]PATH"),
        ("json", "", "a path"),
        ("verifier", "", "a name, module:attr or path.py:attr"),
        ("cache_mode", "replays", "fill, replay, refresh or off"),
    ],
)
def test_a_bad_value_says_where_it_stands_and_what_was_expected(tmp_path, name, text, expected):
    with pytest.raises(InputError) as caught:
        parse(BY_NAME[name], text, "--asr-x", tmp_path)

    assert str(caught.value) == f"--asr-x: expected {expected}, not {text!r}"


def test_verifiers_are_set_up_in_the_file(tmp_path):
    (tmp_path / "asrbench.yaml").write_text(
        "verifiers:\n"
        "  llm: {model: 4.10, votes: 3, timeout_s: 20, params: {seed: 7}, price: {input: 0.1}}\n"
        "  cascade: {fallback: true}\n"
    )

    found = read_settings_file(tmp_path / "asrbench.yaml").verifiers

    assert found["llm"]["model"] == "4.10"
    assert (found["llm"]["votes"], found["llm"]["timeout_s"]) == (3, 20.0)
    assert (found["llm"]["params"], found["llm"]["price"]) == ({"seed": 7}, {"input": 0.1})
    assert found["cascade"] == {"fallback": True}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("verifiers: {rules: {model: x}}", "verifiers: unknown key 'rules'; known: llm, cascade"),
        ("verifiers: {llm: {modle: x}}", "verifiers.llm: unknown key 'modle'; did you mean model?"),
        ("verifiers: {llm: {votes: two}}", "verifiers.llm.votes must be a whole number from 1"),
        ("verifiers: {cascade: {fallback: 1}}", "fallback must be true or false, not '1'"),
    ],
)
def test_a_fault_in_a_verifiers_setup_is_named(tmp_path, text, message):
    (tmp_path / "asrbench.yaml").write_text(text)

    with pytest.raises(InputError, match=re.escape(message)):
        read_settings_file(tmp_path / "asrbench.yaml")
