"""
The contract with the model: what it is asked, and what its answer must be.

The contract is the one of VoiceCodeBench's verifier: targets {target_index, type, acoustic,
canonical} and the transcript go in; exactly one result per target_index comes out, type and
canonical copied exactly, with evidence that is a span of the transcript. Nothing is guessed: an
answer with a fault is refused whole, with all its faults.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from reprlib import repr as shortened
from typing import Any

from pytest_asrbench.files import json_value
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.llm.evidence import locate

VERSION = "2"  # raised with every change of prompt.md, of the schema, the checks or the guard
PROMPT = files(__package__).joinpath("prompt.md").read_text(encoding="utf-8")

RESULT = {
    "target_index": {"type": "integer"},
    "type": {"type": "string"},
    "canonical": {"type": "string"},
    "present": {"type": "boolean"},
    "evidence": {"type": ["string", "null"]},
    "reason": {"type": "string"},
}


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Strict mode wants every object closed and every property required."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": dict(properties),
    }


SCHEMA = _closed({"results": {"type": "array", "items": _closed(RESULT)}})


class ContractError(ValueError):
    """The answer is not what was asked for; `faults` has one line for each reason."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


def digest(settings: Mapping[str, Any]) -> str:
    """`sha256:…` over prompt, schema, version, model and parameters."""
    content = {"version": VERSION, "prompt": PROMPT, "schema": SCHEMA, "settings": settings}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def messages(entities: Sequence[Entity], transcript: str) -> list[dict[str, str]]:
    """The chat: what never changes first, for prefix caching; then this clip as one JSON object.

    JSON is the delimiter: no text in a transcript can end the string that it stands in.
    """
    targets = [
        {"target_index": i, "type": e.type, "acoustic": e.acoustic, "canonical": e.canonical}
        | ({"accept": list(e.accept)} if e.accept else {})
        for i, e in enumerate(entities)
    ]
    # ASCII escapes: a lone surrogate can't be sent as UTF-8.
    clip = json.dumps({"targets": targets, "transcript": transcript})
    return [{"role": "system", "content": PROMPT}, {"role": "user", "content": clip}]


def repair(answer: str, faults: Sequence[str]) -> list[dict[str, str]]:
    """The message added to the chat for a second and last try."""
    listed = "\n".join(f"- {fault}" for fault in faults)
    ask = f"That answer breaks the contract:\n{listed}\nReturn the whole answer again, corrected."
    return [{"role": "assistant", "content": answer}, {"role": "user", "content": ask}]


def parse(answer: str, entities: Sequence[Entity], transcript: str) -> list[Verdict]:
    """The verdicts, in the order of the entities. Raises ContractError with every fault."""
    results = _results(answer)
    faults: list[str] = []
    verdicts: dict[int, Verdict] = {}
    for place, result in enumerate(results):
        index = result.get("target_index") if isinstance(result, dict) else None
        if type(index) is not int or not 0 <= index < len(entities):
            faults.append(f"result {place}: no target has target_index {shortened(index)}")
        elif index in verdicts:
            faults.append(f"target {index}: answered twice")
        else:
            verdicts[index], wrong = _verdict(result, entities[index], transcript)
            faults += [f"target {index}: {fault}" for fault in wrong]
    faults += [f"target {i}: not answered" for i in range(len(entities)) if i not in verdicts]
    if faults:
        raise ContractError(faults)
    return [verdicts[i] for i in range(len(entities))]


def _results(answer: str) -> list[Any]:
    try:
        value = json_value(answer)
    except ValueError:
        raise ContractError(["not JSON"]) from None
    results = value.get("results") if isinstance(value, dict) else None
    if not isinstance(results, list):
        raise ContractError(["no list `results`"])
    return results


def _verdict(
    result: Mapping[str, Any], entity: Entity, transcript: str
) -> tuple[Verdict, list[str]]:
    faults = [
        f"{name} must be copied exactly: {wanted!r}"
        for name, wanted in (("type", entity.type), ("canonical", entity.canonical))
        if result.get(name) != wanted
    ]
    present, evidence, reason = (result.get(n) for n in ("present", "evidence", "reason"))
    if not isinstance(present, bool):
        faults.append("present must be true or false")
    if not isinstance(reason, str):
        faults.append("reason must be a sentence")
    if evidence is not None and not isinstance(evidence, str):
        faults.append("evidence must be text or null")
        evidence = None
    reason = " ".join(str(reason).split())
    if present is not True:
        return Verdict(False, True, reason), faults
    span = locate(evidence or "", transcript)
    if span is None:
        faults.append("evidence must be copied from the transcript, character by character")
        return Verdict(True, True, reason), faults
    start, end = span
    return Verdict(True, True, reason, transcript[start:end], start, end), faults
