"""
Writing thresholds into their file: what people wrote there, comments and order, stays.

Only values that differ are touched, so that a diff shows what changed.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from pytest_asrbench import files
from pytest_asrbench.errors import InputError
from pytest_asrbench.gates.measures import GateName
from pytest_asrbench.gates.thresholds import ALPHA, SCHEMA, Baseline, Policy, Thresholds
from pytest_asrbench.verifiers.base import Identity

_HEAD = "Thresholds of pytest-asrbench. Review changes like code; --asr-update writes them."


def write(thresholds: Thresholds, path: Path) -> None:
    """Write the file, whole or not at all. Raises InputError."""
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedMap
    from ruamel.yaml.error import YAMLError

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.Representer = _representer()
    try:
        document = yaml.load(files.read_text(path)) if path.exists() else None
    except YAMLError as error:
        raise InputError.at(path, None, f"not YAML: {error}") from None
    if document is None:
        document = CommentedMap()
        document.yaml_set_start_comment(_HEAD)
    _merge(document, to_plain(thresholds), ())
    text = io.StringIO()
    yaml.dump(document, text)
    files.write_atomic(path, text.getvalue())


def _representer() -> Any:
    from ruamel.yaml.representer import RoundTripRepresenter

    class Representer(RoundTripRepresenter):
        """Writes decimals as they are: 0.80 and not 0.8."""

    Representer.add_representer(
        Decimal, lambda self, value: self.represent_scalar("tag:yaml.org,2002:float", str(value))
    )
    return Representer


def to_plain(thresholds: Thresholds) -> dict[str, Any]:
    """The file's content, without what is empty."""
    identity = thresholds.verifier
    content = {
        "schema": SCHEMA,
        "provider": dict(thresholds.provider),
        "dataset": {
            "name": thresholds.dataset,
            "digest": thresholds.digest,
            "clips": _clips(thresholds),
        },
        "verifier": identity
        and {"id": identity.id, "version": _version(identity), "digest": identity.digest},
        "recorded": thresholds.recorded,
        "normaliser": thresholds.normaliser,
        "alpha": None if thresholds.alpha == ALPHA else thresholds.alpha,
        "gates": _gates(thresholds.gates),
        "left_out": list(thresholds.left_out) or None,
        "baseline": thresholds.baseline and _baseline(thresholds.baseline),
        "conditions": {name: _under(each) for name, each in thresholds.conditions.items()},
    }
    return {key: value for key, value in content.items() if value not in (None, {})}


def _under(thresholds: Thresholds) -> dict[str, Any]:
    """What is stored for a condition; its exemptions stay as people wrote them."""
    content = to_plain(thresholds)
    for key in ("schema", "provider", "alpha"):
        content.pop(key, None)
    drop = {"drop": _policy(thresholds.drop)} if thresholds.drop else {}
    return {"condition": thresholds.condition, **content, **drop}


def _clips(thresholds: Thresholds) -> dict[str, Any]:
    """A line a clip, with the counts that are known of it."""
    baseline = thresholds.baseline
    rows: dict[str, Any] = {}
    for clip, digest in thresholds.clips.items():
        counts: dict[str, Any] = {}
        if baseline and (rate := baseline.recovered.get(clip)):
            counts["recovered"] = [rate.hits, rate.total]
        if baseline and (words := baseline.words.get(clip)):
            counts["words"] = [words.edits, words.reference]
        rows[clip] = {"digest": digest, **counts}
    return rows


def _version(identity: Identity) -> str | int:
    """Written without quotes where it is a plain number."""
    text = identity.version
    return int(text) if text.isascii() and text.isdigit() and str(int(text)) == text else text


def _gates(gates: Mapping[str, Policy]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for text, policy in gates.items():
        name = GateName.parse(text)
        place = tree
        if name.slice:
            place = place.setdefault("slices", {}).setdefault(name.slice, {})
        if name.type:
            place = place.setdefault("recovery", {})
        place[name.type or name.measure] = _policy(policy)
    return tree


def _policy(policy: Policy) -> dict[str, Any]:
    extras = {"alpha": policy.alpha, "min_n": policy.min_n}
    return {**policy.conditions, **{k: v for k, v in extras.items() if v is not None}}


def _baseline(baseline: Baseline) -> dict[str, Any]:
    rates = {name: [rate.hits, rate.total] for name, rate in baseline.rates.items()}
    content = {
        "repeats": baseline.repeats if baseline.repeats > 1 else None,
        "ctem": rates.get("ctem"),
        "tsr": rates.get("tsr"),
        "recovery": {name.partition(":")[2]: pair for name, pair in rates.items() if ":" in name},
        **{name: [rate.edits, rate.reference] for name, rate in baseline.errors.items()},
        "misses": sorted(baseline.misses),
        "unstable": {key: list(baseline.unstable[key]) for key in sorted(baseline.unstable)},
    }
    return {k: v for k, v in content.items() if v not in (None, {}) or k == "misses"}


def _merge(target: Any, wanted: Mapping[str, Any], at: tuple[str, ...]) -> None:
    """Make `target`, the file's mapping, hold what is wanted. Sections people own are kept."""
    for key in [key for key in target if str(key) not in wanted and not _owned(str(key), at)]:
        del target[key]
    names = {str(key): key for key in target}
    for key, value in wanted.items():
        place = names.get(key, key)
        old = target.get(place)
        if isinstance(value, dict) and isinstance(old, dict):
            _merge(old, value, (*at, key))
        elif place not in target or not _alike(old, value):
            target[place] = _node(value, (*at, key))


def _owned(key: str, at: tuple[str, ...]) -> bool:
    """Keys that updates never remove, at the top level and of conditions."""
    return not _inner(at) and key in ("quarantine", "expected_misses", "alpha")


def _inner(at: tuple[str, ...]) -> tuple[str, ...]:
    """The place within a condition; else as it is."""
    return at[2:] if len(at) > 1 and at[0] == "conditions" else at


def _alike(old: Any, value: Any) -> bool:
    """True if the file says the same already, in whatever notation."""
    if isinstance(value, list):
        return isinstance(old, list) and list(map(str, old)) == list(map(str, value))
    if isinstance(value, bool):
        return bool(old == value)
    if isinstance(value, Decimal):
        try:
            return Decimal(str(old)) == value
        except ArithmeticError:
            return False
    return str(old) == str(value)


def _node(value: Any, at: tuple[str, ...]) -> Any:
    """The value as ruamel writes it: short things on one line, lists of clips one a line."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if isinstance(value, dict):
        node = CommentedMap((key, _node(each, (*at, key))) for key, each in value.items())
        if _on_one_line(value, at):
            node.fa.set_flow_style()
        return node
    if isinstance(value, list):
        items = CommentedSeq(value)
        if not value or not isinstance(value[0], str):
            items.fa.set_flow_style()
        return items
    return value


def _on_one_line(value: Mapping[str, Any], at: tuple[str, ...]) -> bool:
    """A clip, and other mappings of scalars, but those with an entry for each clip."""
    at = _inner(at)
    if at[:2] == ("dataset", "clips"):
        return len(at) == 3
    return not any(isinstance(each, dict | list) for each in value.values())
