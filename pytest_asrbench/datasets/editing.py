"""
Adding clips to a native manifest and removing them. The rest of the file stays as it is, byte for
byte.

The new text is read back before it is written: what is written can be loaded.
"""

from __future__ import annotations

import json
import re
import tempfile
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from pytest_asrbench.counts import plural
from pytest_asrbench.datasets import native
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_text, write_atomic
from pytest_asrbench.model import Dataset

WIDE = 10**6  # no line is folded
Clips = Sequence[Mapping[str, Any]]


def preview(path: Path, clips: Clips, types: Mapping[str, str]) -> Dataset:
    """The dataset as it would be with the clips after its last one; nothing is written.

    Raises InputError where that would not load; the new clips' faults have no row, as the file has
    none of theirs.
    """
    longer = _longer(path, clips)
    before = native.read(path, types).clips
    with tempfile.NamedTemporaryFile(
        "w",
        encoding="utf-8",
        newline="",
        dir=path.parent,  # audio paths are relative to the manifest's folder
        prefix=f".{path.stem}.",
        suffix=path.suffix,
    ) as file:
        file.write(longer)
        file.flush()
        try:
            after = replace(native.read(Path(file.name), types), path=path)
        except InputError as error:
            unwritten = re.compile(rf"{re.escape(file.name)}(:\d+)?")
            raise InputError(unwritten.sub(lambda _: str(path), str(error))) from None
    if [clip.digest for clip in before] != [clip.digest for clip in after.clips[: len(before)]]:
        raise InputError.at(
            path, None, "a clip can't be added without changing others; do it by hand"
        )
    return after


def append(path: Path, clips: Clips) -> None:
    """Write the clips after the last one. Raises InputError; see :func:`preview`."""
    write_atomic(path, _longer(path, clips))


class _Indented(yaml.SafeDumper):
    """List items stand further in than their key, as people write them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def rendered(clips: Clips) -> str:
    """The clips as block items of a YAML list, each entity on one line."""
    plain = [json.loads(json.dumps(clip)) for clip in clips]
    text: str = yaml.dump(
        plain,
        Dumper=_Indented,
        default_flow_style=None,
        sort_keys=False,
        allow_unicode=True,
        width=WIDE,
    )
    return textwrap.dedent(text)


def _longer(path: Path, clips: Clips) -> str:
    read_text(path)  # raises where the file is missing or not UTF-8
    text = path.read_bytes().decode()  # with its own line ends and byte-order mark
    crlf = "\r\n" in text
    longer = (_jsonl if path.suffix == ".jsonl" else _yaml)(path, text.replace("\r\n", "\n"), clips)
    return longer.replace("\n", "\r\n") if crlf else longer


def _jsonl(path: Path, text: str, clips: Clips) -> str:
    lines = "".join(json.dumps(clip, ensure_ascii=False) + "\n" for clip in clips)
    return text + ("" if text.endswith("\n") else "\n") + lines


def _yaml(path: Path, text: str, clips: Clips) -> str:
    listed = _clips_node(path, text)
    lines = text.splitlines(keepends=True)
    if listed is None:
        return text + ("" if text.endswith("\n") else "\n") + f"clips:\n{_indented(clips, 2)}"
    if listed.flow_style and not listed.value:  # `clips: []`
        line, column = listed.start_mark.line, listed.start_mark.column
        end = lines[listed.end_mark.line][listed.end_mark.column :]
        head = lines[line][:column].rstrip() + end
        return "".join(
            [*lines[:line], head, _indented(clips, 2), *lines[listed.end_mark.line + 1 :]]
        )
    if listed.flow_style:
        raise InputError.at(path, listed.start_mark.line + 1, "write clips as a list, - id: …")
    at = listed.end_mark.line + (1 if listed.end_mark.column else 0)
    while at and _apart(lines[at - 1], listed.start_mark.column):
        at -= 1  # what stands after the last clip belongs to what follows
    before = "".join(lines[:at])
    before += "" if before.endswith("\n") else "\n"
    return before + _indented(clips, listed.start_mark.column) + "".join(lines[at:])


def _apart(line: str, column: int) -> bool:
    """Blank, or a comment that is not inside of a clip (there it may be text)."""
    text = line.lstrip()
    return not text or (text.startswith("#") and len(line) - len(text) <= column)


def _clips_node(path: Path, text: str) -> yaml.SequenceNode | None:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise InputError.at(path, None, f"not YAML: {error}") from None
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if key.value == "clips" and isinstance(value, yaml.SequenceNode):
            return value
        if key.value == "clips":
            raise InputError.at(path, key.start_mark.line + 1, "write clips: [] to begin with")
    return None


def _indented(clips: Clips, column: int) -> str:
    return "".join(" " * column + line for line in rendered(clips).splitlines(keepends=True))


def without(path: Path, clips: Collection[str], types: Mapping[str, str]) -> str:
    """The manifest's text less these clips, the rest byte for byte as it is; nothing is written.

    Raises InputError where one of them is not there, or where another clip would change.
    """
    before = native.read(path, types)
    known = {clip.id for clip in before.clips}
    if unknown := [clip for clip in clips if clip not in known]:
        near = get_close_matches(unknown[0], known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it has {plural(len(known), 'clip')}"
        raise InputError.at(path, None, f"no clip {unknown[0]!r}; {hint}")
    text = path.read_bytes().decode()
    rows = {clip.row or 0 for clip in before.clips if clip.id in clips}
    shorter = (_jsonl_without if path.suffix == ".jsonl" else _yaml_without)(path, text, rows)
    _check_rest(path, shorter, [c.digest for c in before.clips if c.id not in clips], types)
    return shorter


def _jsonl_without(path: Path, text: str, rows: Collection[int]) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for number, line in enumerate(lines, start=1) if number not in rows)


def _yaml_without(path: Path, text: str, rows: Collection[int]) -> str:
    """Each clip's lines, from its dash to the next one's; comments before a clip stay its own."""
    listed = _clips_node(path, text.replace("\r\n", "\n"))
    if listed is None or listed.flow_style:
        raise InputError.at(path, None, "write clips as a list, - id: …")
    lines = text.splitlines(keepends=True)
    cut: set[int] = set()
    ends = [item.start_mark.line for item in listed.value[1:]]
    ends.append(listed.end_mark.line + (1 if listed.end_mark.column else 0))
    for item, end in zip(listed.value, ends, strict=True):
        if item.start_mark.line + 1 in rows:
            cut.update(_lines_of(item, end, lines, listed.start_mark.column))
    kept = [line for number, line in enumerate(lines) if number not in cut]
    if len(rows) == len(listed.value):  # an empty list has to be written as one
        key = listed.value[0].start_mark.line - 1
        while not lines[key].lstrip().startswith("clips:"):
            key -= 1
        place = sum(number not in cut for number in range(key))
        kept[place] = kept[place].replace("clips:", "clips: []", 1)
    return "".join(kept)


def _lines_of(item: yaml.Node, end: int, lines: Sequence[str], column: int) -> range:
    while end > item.start_mark.line + 1 and _apart(lines[end - 1], column):
        end -= 1
    return range(item.start_mark.line, end)


def _check_rest(path: Path, text: str, digests: Sequence[str], types: Mapping[str, str]) -> None:
    """Raises InputError where the other clips would not be what they were."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", newline="", dir=path.parent, prefix=".", suffix=path.suffix
    ) as file:
        file.write(text)
        file.flush()
        try:
            after = [clip.digest for clip in native.read(Path(file.name), types).clips]
        except InputError as error:
            raise InputError(str(error).replace(file.name, str(path))) from None
    if after != list(digests):
        raise InputError.at(
            path, None, "a clip can't be removed without changing others; do it by hand"
        )
