"""The two gates about the run itself: was all measured, and do the thresholds fit it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_asrbench.counts import of_clips, plural, results, some
from pytest_asrbench.gates.conditions import parted
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.remedies import Remedies
from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.metrics import recovery
from pytest_asrbench.model import Failure, Outcome, Status
from pytest_asrbench.run import Run
from pytest_asrbench.run.provenance import short
from pytest_asrbench.verifiers.base import Identity

COMPLETE = "complete"
THRESHOLDS = "thresholds"

CALLS = "calls"
UNCALLED = frozenset({"setup", "disk", "audio", "replay", "budget"})
"""Kinds of errors that are not a service's: a fixture that raised, a recording that can't be used,
no call made at all."""


def complete(run: Run, *, max_errors: int, full: bool) -> Outcome:
    """Every expected clip was measured by one provider. With `full` also: tests asked for all.

    A failed outcome's `kind` says why: CALLS (more calls failed than may), `errors` (more errors
    than that, not of calls alone), `missing`, `selection` or `problems`.
    """
    faults = list(_faults(run, max_errors, full))
    if faults:
        kind, _ = faults[0]
        detail = "; ".join(text for _, text in faults)
        return Outcome(COMPLETE, "failed", detail, kind=kind, limit=max_errors)
    detail = f"{_of_expected(run, run.metrics.all.measured)} measured"
    if run.errors:
        detail += f", {plural(len(run.errors), 'error')} <= {max_errors} max"
    return Outcome(COMPLETE, "passed", detail, kind="max", limit=max_errors)


def calls_failed(outcomes: Iterable[Outcome]) -> bool:
    """True if a run is incomplete because calls failed: a failure of the service, not of ours."""
    failed = (each for each in outcomes if each.failed and each.kind == CALLS)
    return any(parted(each.name)[1] == COMPLETE for each in failed)


def _faults(run: Run, max_errors: int, full: bool) -> Iterator[tuple[str, str]]:
    """Reasons why a run is not complete: kind and text, what weighs most first."""
    coverage = run.coverage
    if len(run.errors) > max_errors:
        allowed = f" > {max_errors} max" if max_errors else ""
        failures = [record.error for record in run.errors if record.error]
        called = sum(failure.kind not in UNCALLED for failure in failures)
        kind = CALLS if called > max_errors else "errors"
        yield kind, f"{_of_expected(run, len(failures))} failed{allowed}: {kinds(failures)}"
    if coverage.missing:
        count = results(len(coverage.missing), run.repeats)
        yield "missing", f"{count} without a result: {some(coverage.missing)}"
    if full and coverage.unselected:
        chosen = coverage.expected - coverage.unselected
        yield "selection", f"only {chosen} of {coverage.expected} clips selected"
    for problem in coverage.problems:
        yield "problems", problem


def _of_expected(run: Run, part: int) -> str:
    return of_clips(part, run.coverage.expected, run.repeats)


def kinds(failures: Iterable[Failure]) -> str:
    """`12 timeout (api.example.com), 1 auth`, most frequent first."""
    counted = Counter(f"{each.kind} ({each.host})" if each.host else each.kind for each in failures)
    return ", ".join(f"{count} {what}" for what, count in counted.most_common())


def absent(run: Run, path: Path | None, remedies: Remedies) -> Outcome:
    """There are no thresholds; `path` is where they should be."""
    where = f" at {path}" if path else ""
    if run.condition:
        where = f" of this condition{f' in {path}' if path else ''}"
    remedy = f"write them with {remedies.update}, or explore {remedies.explore}"
    return Outcome(THRESHOLDS, "failed", f"no thresholds{where}; {remedy}")


def fits(run: Run, thresholds: Thresholds, change: DatasetChange, remedies: Remedies) -> Outcome:
    """The thresholds are of this verifier, and of these clips or all of these but new ones."""
    faults = list(_misfits(run, thresholds, change))
    if faults:
        remedy = f"review and renew them with {remedies.update}"
        return Outcome(THRESHOLDS, "failed", f"{'; '.join(faults)}; {remedy}")
    since = f", recorded {thresholds.recorded}" if thresholds.recorded else ""
    detail = f"of this dataset and verifier{since}"
    if change.added:
        detail += f", but {plural(len(change.added), 'new clip')}"
    return Outcome(THRESHOLDS, "passed", detail)


def without_gate(
    fits: Outcome, gates: Sequence[Outcome], remedies: Remedies, *, fails: bool
) -> Outcome:
    """The outcome of `thresholds` where none of these gates can fail."""
    told, remedy = "no gate at all", "write them with"
    if gates:
        told = f"none of its gates can fail ({some(gate.name for gate in gates)})"
        remedy = "correct them, or take them out and write new ones with"
    status: Status = "failed" if fails else fits.status
    if status == "failed":
        told += f"; {remedy} {remedies.update}"
    return replace(fits, status=status, detail=f"{fits.detail}; {told}")


def beside(
    run: Run,
    thresholds: Thresholds,
    remedies: Remedies,
    clips: Mapping[str, str] | None = None,
) -> str | None:
    """`1 new clip: 0 of 1 recovered, in no gate before --asr-update`; None where none is new.
    `clips` maps the dataset's clip ids to their digests (default: those of the records)."""
    change = DatasetChange.between(thresholds, run, clips)
    if not change.added or not change.told:
        return None
    rate = recovery.ctem(record for record in run.records if record.clip in {*change.added})
    told = f"{rate.hits} of {rate.total} recovered" if rate.total else some(change.added)
    count = plural(len(change.added), "new clip")
    return f"{count}: {told}, in no gate before {remedies.update}"


def _misfits(run: Run, thresholds: Thresholds, change: DatasetChange) -> Iterator[str]:
    if thresholds.digest is None:
        yield "they name no dataset digest"
    elif change.stale:
        yield _told(change)
    if not same_condition(run, thresholds):
        yield "the condition is another than the one they were stored for"
    if thresholds.verifier is None:
        yield "they name no verifier"
    elif not same_verifier(run, thresholds):
        yield verifier_change(thresholds.verifier, Identity(*run.verifier.key))
    if thresholds.normaliser not in (None, run.normaliser):
        yield f"normaliser {thresholds.normaliser} -> {run.normaliser}"


def verifier_change(was: Identity, now: Identity) -> str:
    """`verifier rules 1 -> rules 2`; the digests where id and version are the same."""
    if (was.id, was.version) != (now.id, now.version):
        return f"verifier {was.id} {was.version} -> {now.id} {now.version}"
    before, after = short(was.digest), short(now.digest)
    return f"verifier {was.id} {was.version} with other policy, {before} -> {after}"


def same_verifier(run: Run, thresholds: Thresholds) -> bool:
    """True if stored outcomes and this run's were judged alike."""
    was = thresholds.verifier
    return was is None or (was.id, was.version, was.digest) == run.verifier.key


def same_condition(run: Run, thresholds: Thresholds) -> bool:
    """Whether the clips went through the same steps, with the same seed."""
    now = run.condition.digest if run.condition else None
    return thresholds.condition in (None, now)


def _told(change: DatasetChange) -> str:
    """`dataset changed: 1 added (refund_09), 2 removed (a, b)`."""
    if change.fault:
        return f"dataset changed: {change.fault}"
    parts = [f"{len(clips)} {what} ({some(clips)})" for what, clips in change.parts.items()]
    return "dataset changed: " + ", ".join(parts)
