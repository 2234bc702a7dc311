"""Reading and writing files: text stays as it was written, and a broken file is one line."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import (
    check_writable,
    dump_json,
    load_yaml,
    load_yaml_rows,
    read_json,
    read_jsonl,
    read_text,
    read_yaml,
    write_atomic,
)
from pytest_asrbench.files.csv_lines import csv_line


def write(folder: Path, text: str | bytes, name: str = "file.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("12:30", "12:30"),
        ("0132", "0132"),
        ("1.10", "1.10"),
        ("NO", "NO"),
        ("null", "null"),
        ("~", "~"),
        ("2026-11-29", "2026-11-29"),
        ("0x1F", "0x1F"),
        ("", None),
        ('""', ""),
        ("''", ""),
    ],
)
def test_a_yaml_scalar_stays_the_text_it_was(
    tmp_path: Path, written: str, expected: str | None
) -> None:
    assert load_yaml(write(tmp_path, f"value: {written}\n")) == {"value": expected}


def test_rows_are_those_an_editor_shows(tmp_path: Path) -> None:
    _, rows = load_yaml_rows(write(tmp_path, "a: 1\n\nb:\n  - x\n  - {c: 2}\n"))

    assert (rows[("a",)], rows[("b", 1)], rows[("b", 1, "c")]) == (1, 5, 5)


CUT = [
    ("12 Oak Street #4", True),
    ("12 Oak Street # 4", True),
    ("12 Oak Street  #4", True),
    ("12 Oak Street  # the flat", False),
    ("12 Oak Street   #", False),
    ("12 Oak Street#4", False),
    ("'12 Oak Street' #4", False),
    ('"12 Oak Street #4"', False),
    ("12 Oak\n  Street #4", True),
    ("#4", True),
    ("# nothing yet", False),
    ("[12 Oak Street #4\n  ]", True),
    ("ü 12 Oak Straße #4", True),
    ("|\n  12 Oak Street #4", False),
]


@pytest.mark.parametrize(("written", "cut"), CUT)
@pytest.mark.parametrize("c_loader", [True, False])
def test_a_value_that_a_comment_cuts_is_known(
    tmp_path: Path, written: str, cut: bool, c_loader: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yaml.__with_libyaml__", c_loader and yaml.__with_libyaml__)
    content = read_yaml(write(tmp_path, f"ä: 1\nvalue: {written}\n"))

    assert bool(content.cut) is cut
    assert content.cut <= content.rows.keys()


def bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    return "\n".join(lines)


BROKEN_YAML = [
    ("a: [1", "not YAML"),
    ("a: 1\na: 2\n", ":2: key 'a' stands twice; keep one"),
    ("? [x]\n: 1\n", "a key must be plain text"),
    ("a: &x [*x]\n", "nested too deeply"),
    ("a: " + "[" * 5_000, "not YAML|nested too deeply"),
    (bomb(), "more than 500,000 values; use JSONL, without aliases"),
    (b"a: \xff\n", "not UTF-8"),
    ("a: \x00\n", "not YAML"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "expected"), BROKEN_YAML, ids=[e for _, e in BROKEN_YAML])
def test_a_broken_yaml_file_is_one_line(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, text)

    with pytest.raises(InputError, match=expected) as caught:
        load_yaml(path)

    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_an_alias_of_a_value_is_that_value(tmp_path: Path) -> None:
    assert load_yaml(write(tmp_path, "a: &x 0132\nb: *x\n")) == {"a": "0132", "b": "0132"}


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = write(tmp_path, b'\xef\xbb\xbf{"a": 1}')

    assert read_text(path) == '{"a": 1}'
    assert list(read_jsonl(path)) == [(1, {"a": 1})]


def test_only_a_line_feed_ends_a_row(tmp_path: Path) -> None:
    path = write(tmp_path, '{"a": "x\u2028y\x85z"}\r\n\n  \n{"a": "2"}')

    assert list(read_jsonl(path)) == [(1, {"a": "x\u2028y\x85z"}), (4, {"a": "2"})]


def test_numbers_stay_text_where_asked(tmp_path: Path) -> None:
    path = write(tmp_path, '{"a": 1.10, "b": [7], "c": true}')

    assert list(read_jsonl(path, as_text=True)) == [(1, {"a": "1.10", "b": ["7"], "c": True})]


BROKEN_JSON = [
    ("{", "not JSON"),
    ('{"a": 1, "a": 2}', "key 'a' stands twice"),
    ('{"a": NaN}', "NaN is no JSON value"),
    ('{"a": ' + "9" * 5_000 + "}", "not JSON"),
    ("[" * 100_000, "not JSON"),
]


@pytest.mark.parametrize("read", [read_json, lambda path: list(read_jsonl(path))])
@pytest.mark.parametrize(("text", "expected"), BROKEN_JSON, ids=[e for _, e in BROKEN_JSON])
def test_broken_json_is_one_line(
    tmp_path: Path, read: Callable[[Path], Any], text: str, expected: str
) -> None:
    with pytest.raises(InputError, match=expected):
        read(write(tmp_path, text))


@pytest.mark.parametrize("read", [read_text, load_yaml, read_json, lambda p: list(read_jsonl(p))])
def test_a_file_that_can_not_be_read_is_named(tmp_path: Path, read: Callable[[Path], Any]) -> None:
    with pytest.raises(InputError, match=r"gone: no such file$"):
        read(tmp_path / "gone")
    with pytest.raises(InputError, match="can't be read"):
        read(tmp_path)


@pytest.mark.slow
@given(st.dictionaries(st.text(), st.text(st.characters(codec="utf-8"))))
def test_any_json_text_survives(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, str]
) -> None:
    path = tmp_path_factory.mktemp("json") / "file.jsonl"
    write_atomic(path, json.dumps(data) + "\n")

    assert [value for _, value in read_jsonl(path)] == [data]


def test_a_file_is_replaced_as_a_whole_with_the_usual_rights(tmp_path: Path) -> None:
    path = tmp_path / "new/file"
    mask = os.umask(0o022)
    try:
        write_atomic(path, "first")
        write_atomic(path, b"second")
        write_atomic(path, iter(["thi", "rd"]))
    finally:
        os.umask(mask)

    assert path.read_text() == "third"
    assert path.stat().st_mode & 0o777 == 0o644
    assert os.listdir(path.parent) == ["file"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = write(tmp_path, "old")

    def broken() -> Any:
        yield "half"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_atomic(path, broken())
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [path.name]


def test_a_folder_in_the_way_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "report.md").mkdir()

    with pytest.raises(InputError, match=r"report\.md: can't be written: it is a folder"):
        write_atomic(tmp_path / "report.md", "text")
    assert os.listdir(tmp_path) == ["report.md"]


@pytest.mark.parametrize("path", ["folder", "file/x", "x" * 300, "file"])
def test_what_can_not_be_written_is_known_before(tmp_path: Path, path: str) -> None:
    (tmp_path / "folder").mkdir()
    write(tmp_path, "old", "file")
    told = []
    for ask in (check_writable, lambda path: write_atomic(path, "old")):
        try:
            ask(tmp_path / path)
        except InputError as error:
            told.append(str(error))

    assert len(told) == (0 if path == "file" else 2)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


def test_asking_whether_a_file_can_be_written_makes_no_folder(tmp_path: Path) -> None:
    check_writable(tmp_path / "new" / "deeper" / "report.md")

    assert os.listdir(tmp_path) == []


def test_a_link_stays_a_link_to_the_new_content(tmp_path: Path) -> None:
    shared = write(tmp_path, "old", "shared.yaml")
    link = tmp_path / "link.yaml"
    link.symlink_to("shared.yaml")

    write_atomic(link, "new")

    assert link.is_symlink()
    assert shared.read_text() == "new"


def test_a_pipe_or_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    write_atomic(pipe, "text")

    assert os.read(reader, 99) == b"text"
    assert pipe.is_fifo()
    os.close(reader)


def test_text_that_is_no_utf8_is_told_and_leaves_the_old_file(tmp_path: Path) -> None:
    path = write(tmp_path, "old")

    with pytest.raises(InputError, match=r"'\\ud800' can't be written as UTF-8"):
        write_atomic(path, "broken \ud800")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.slow
@given(st.text() | st.text(st.characters(categories=["Cs", "L"])))
def test_any_text_survives_in_json(text: str) -> None:
    assert json.loads(dump_json({"text": text}).encode()) == {"text": text}


def test_json_is_readable_in_any_language() -> None:
    assert dump_json(["Zoë", "李"], indent=1) == '[\n "Zoë",\n "李"\n]'


@given(
    st.lists(
        st.lists(
            st.text(st.characters(codec="utf-8", exclude_characters="\x00")), min_size=2, max_size=3
        ),
        max_size=3,
    )
)
def test_rows_of_csv_are_read_as_they_were_written(rows: list[list[str]]) -> None:
    text = "".join(map(csv_line, rows))

    assert [*csv.reader(io.StringIO(text, newline=""), strict=True)] == rows
