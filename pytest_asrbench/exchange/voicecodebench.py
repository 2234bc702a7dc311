"""
VoiceCodeBench: released predictions and leaderboard manifests.

    predictions   {"run_metadata": {"model_id": …,
                                    "entity_verifier": {"id": …, "config_digest": …}},
                   "items": [{"audio_id": "001", "model_transcript": "…", "entity_matches": [
                     {"target_index": 0, "type": …, "canonical": …, "present": true,
                      "evidence": "…", "reason": "…"}]}]}
    manifest      one {"audio_id": "001", "pred_text": "…"} a line

Decisions (`entity_matches`) count only with the verifier that made them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_asrbench.clock import utc_now
from pytest_asrbench.datasets.hypotheses import check_coverage, clip_of, read_hypotheses
from pytest_asrbench.errors import InputError
from pytest_asrbench.exchange import coverage
from pytest_asrbench.files import read_json
from pytest_asrbench.files.fields import Faults
from pytest_asrbench.model import Clip, ClipRecord, Dataset, JudgedEntity, Transcript, Verdict
from pytest_asrbench.run import ProviderInfo, Run, VerifierInfo, build, surroundings

LAYOUT = "voicecodebench"


def predictions(run: Run, *, partial: bool, custom: bool) -> dict[str, Any]:
    """A run as released predictions with its verdicts. Raises InputError."""
    records = coverage.measured(run, LAYOUT, partial=partial)
    coverage.check_protocol(run, custom=custom)
    return {
        "run_metadata": {
            "model_id": run.provider.reported_model or run.provider.model or run.provider.name,
            "provider": run.provider.use,
            "mode": run.provider.mode,
            "date": run.started,
            "settings": dict(run.provider.settings),
            "protocol": run.provider.protocol,
            "dataset_revision": run.dataset.revision,
            "tool": f"pytest-asrbench {run.plugin}",
            "entity_verifier": {"id": run.verifier.id, "config_digest": run.verifier.digest},
        },
        "items": [
            {
                "audio_id": record.clip,
                "model_transcript": record.transcript,
                "entity_matches": _matches(record),
            }
            for record in records
        ],
    }


def manifest(run: Run, *, partial: bool, custom: bool) -> list[dict[str, str]]:
    """The rows of a leaderboard manifest. Raises InputError."""
    coverage.check_protocol(run, custom=custom)
    records = coverage.measured(run, LAYOUT, partial=partial)
    return [{"audio_id": record.clip, "pred_text": record.transcript or ""} for record in records]


def released(path: Path, dataset: Dataset, *, partial: bool) -> Run:
    """Released predictions with their decisions as a run: nothing is judged again.

    Raises InputError, with one line a fault, where ids, coverage, decisions or the provenance of
    the decisions are not in order.
    """
    heard = read_hypotheses(path, clips=dataset.by_id.keys())
    if not partial:
        check_coverage(path, heard, dataset.by_id)
    data = read_json(path)
    metadata = data.get("run_metadata") if isinstance(data.get("run_metadata"), dict) else {}
    verifier = _verifier(path, metadata)
    faults = Faults(path)
    items = {clip_of(item): item for item in data["items"]}
    records = [
        _record(dataset.by_id[clip], text, items[clip], faults, dataset)
        for clip, text in heard.items()
    ]
    faults.check()
    model = str(metadata.get("model_id") or path.stem)
    return build(
        records,
        dataset=dataset,
        providers=[ProviderInfo(path.stem, "recorded", model, settings={"file": path.name})],
        verifiers=[verifier],
        started=utc_now(),
        plugin=surroundings.plugin_version(),
        selected=list(heard),
    )


def _matches(record: ClipRecord) -> list[dict[str, Any]]:
    return [
        {
            "target_index": index,
            "type": judged.entity.type,
            "canonical": judged.entity.canonical,
            "present": judged.verdict.present,
            "evidence": judged.verdict.evidence,
            "reason": judged.verdict.reason,
        }
        for index, judged in enumerate(record.entities)
        if judged.verdict is not None
    ]


def _verifier(path: Path, metadata: Mapping[str, Any]) -> VerifierInfo:
    stated = metadata.get("entity_verifier")
    keys = ("id", "config_digest")
    if not isinstance(stated, dict) or not all(isinstance(stated.get(key), str) for key in keys):
        what = "run_metadata.entity_verifier with id and config_digest is missing"
        raise InputError.at(
            path, None, f"{what}: its decisions count for nothing; score the transcripts instead"
        )
    return VerifierInfo(stated["id"], "released", stated["config_digest"])


def _record(
    clip: Clip, heard: Transcript, item: Mapping[str, Any], faults: Faults, dataset: Dataset
) -> ClipRecord:
    matches = item.get("entity_matches")
    decided = matches if isinstance(matches, list) else []
    verdicts, wrong = _verdicts(clip, decided, heard.text)
    for fault in wrong if isinstance(matches, list) else ["entity_matches is missing"]:
        faults.add(None, f"{clip.id}: {fault}")
    return ClipRecord(
        clip=clip.id,
        reference=clip.reference,
        language=clip.language,
        entities=tuple(JudgedEntity(e, verdicts.get(i)) for i, e in enumerate(clip.entities)),
        row=clip.row,
        audio=clip.path.relative_to(dataset.folder).as_posix(),
        slices=clip.slices,
        tags=clip.tags,
        transcript=heard.text,
        source="recorded",
    )


def _verdicts(
    clip: Clip, matches: Sequence[Any], text: str
) -> tuple[dict[int, Verdict], list[str]]:
    """Verdicts by target_index, and what is wrong with the decisions."""
    verdicts: dict[int, Verdict] = {}
    faults = []
    for match in matches:
        index = match.get("target_index") if isinstance(match, dict) else None
        if type(index) is not int or not 0 <= index < len(clip.entities) or index in verdicts:
            faults.append(f"target_index {index!r} is no target, or stands twice")
            continue
        entity = clip.entities[index]
        if (match.get("type"), match.get("canonical")) != (entity.type, entity.canonical):
            faults.append(f"target {index}: type and canonical are not those of {entity.id}")
        if not isinstance(match.get("present"), bool):
            faults.append(f"target {index}: present must be true or false")
        verdicts[index] = _verdict(match, text)
    faults += [f"target {i}: no decision" for i in range(len(clip.entities)) if i not in verdicts]
    return verdicts, faults


def _verdict(match: Mapping[str, Any], text: str) -> Verdict:
    evidence = match.get("evidence")
    start = text.find(evidence) if isinstance(evidence, str) and evidence else -1
    return Verdict(
        present=match.get("present") is True,
        sure=True,
        reason=str(match.get("reason") or ""),
        evidence=evidence if start >= 0 else None,
        start=start if start >= 0 else None,
        end=start + len(str(evidence)) if start >= 0 else None,
    )
