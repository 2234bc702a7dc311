"""Small runs that the report tests look at: red, green, an outage, and one with hostile text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

from pytest_asrbench.gates.evaluate import evaluate
from pytest_asrbench.gates.thresholds import Baseline, Exemption, Policy, Thresholds
from pytest_asrbench.model import (
    Clip,
    ClipRecord,
    Dataset,
    Difference,
    Entity,
    Failure,
    JudgedEntity,
    Nearest,
    Rate,
    Verdict,
)
from pytest_asrbench.reports.view_model import ViewModel, gather
from pytest_asrbench.run import ProviderInfo, Run, VerifierInfo, build
from pytest_asrbench.run.records import clip_of
from pytest_asrbench.verifiers import reasons
from pytest_asrbench.verifiers.base import Identity
from pytest_asrbench.verifiers.reasons import missing_digits, nearest

TODAY = date(2026, 11, 29)
VERIFIER = VerifierInfo("rules", "1", "sha256:" + "ab" * 32)

# clip, domain, reference, transcript, {entity: (type, canonical, evidence or nearest, differences)}
Value = tuple[str, str, str | None, tuple[Difference, ...] | None]
ROWS: tuple[tuple[str, str, str, str, Mapping[str, Value]], ...] = (
    (
        "refund_03",
        "finance_ops",
        "refund forty two dollars and mail ramirez at example dot com",
        "Refund $42 and mail remirsat example.",
        {
            "amount": ("currency_amount", "$42", "$42", None),
            "email": (
                "email_address",
                "ramirez@example.com",
                "remirsat example",
                (Difference("misheard", "ramirez at", "remirsat"), Difference("no_sign", ".com")),
            ),
        },
    ),
    (
        "refund_07",
        "finance_ops",
        "send it to jo at example dot org by march fifth",
        "Send it to jo@example.org by March 5th.",
        {
            "email": ("email_address", "jo@example.org", "jo@example.org", None),
            "date": ("date", "March 5", "March 5th", None),
        },
    ),
    (
        "ship_01",
        "logistics",
        "deliver to forty two juniper lane suite three hundred springfield illinois six two seven "
        "oh one",
        "Deliver to 42 Juniper Lane, Sweet 300, Springfield, Illinois 6271.",
        {
            "address": (
                "postal_address",
                "42 Juniper Lane, Suite 300, Springfield, IL 62701",
                "42 Juniper Lane, Sweet 300, Springfield, Illinois 6271",
                (Difference("misheard", "Suite", "Sweet"), missing_digits("0")),
            ),
        },
    ),
    (
        "ship_02",
        "logistics",
        "call four one five five five five oh one three two",
        "",
        {"phone": ("phone_number", "415-555-0132", None, None)},
    ),
    ("hold_music", "logistics", "please hold the line", "Please hold the line.", {}),
)


def _verdict(value: Value, transcript: str) -> Verdict:
    _, _, heard, differences = value
    at = transcript.find(heard) if heard else -1
    end = at + len(heard or "")
    if differences is None and heard:
        return Verdict(True, True, "written form", heard, at, end)
    return reasons.absent(nearest(heard, at, end, *differences or ()) if heard else None)


def _dataset(folder: Path) -> Dataset:
    clips = tuple(
        Clip(
            id=name,
            path=folder / f"clips/{name}.wav",
            reference=reference,
            language="en",
            entities=tuple(Entity(id=key, type=v[0], canonical=v[1]) for key, v in values.items()),
            slices={"domain": domain},
            tags=("smoke",) if name.endswith("1") else (),
            row=4 + 6 * at,
        )
        for at, (name, domain, reference, _, values) in enumerate(ROWS)
    )
    return Dataset("sample", folder / "clips.yaml", clips)


def _record(clip: Clip, transcript: str, values: Mapping[str, Value], at: int) -> ClipRecord:
    judged = [JudgedEntity(e, _verdict(values[e.id], transcript)) for e in clip.entities]
    return ClipRecord(
        clip=clip.id,
        reference=clip.reference,
        language=clip.language,
        entities=tuple(judged),
        row=clip.row,
        audio=f"clips/{clip.id}.wav",
        audio_sha256="5f" * 32,
        duration_s=4.0,
        slices=clip.slices,
        tags=clip.tags,
        transcript=transcript,
        source="live",
        recorded_at="2026-11-29T12:00:00Z",
        latency_ms=400.0 + 50 * at,
        attempts=1,
        reported_model="nova-3-general",
        request_id=f"req-{at}",
    )


def run(
    folder: Path = Path("example"),
    *,
    records: Sequence[ClipRecord] | None = None,
    repeats: int = 1,
) -> Run:
    """The sample as measured, or with other records of its clips."""
    dataset = _dataset(folder)
    if records is None:
        rows = zip(dataset.clips, ROWS, strict=True)
        records = [_record(clip, row[3], row[4], at) for at, (clip, row) in enumerate(rows)]
    return build(
        records,
        dataset=dataset,
        providers=[
            ProviderInfo(
                "nova3", "deepgram", "nova-3", settings={"smart_format": True}, protocol="custom"
            )
        ],
        verifiers=[VERIFIER],
        started="2026-11-29T12:00:00Z",
        plugin="0.1.0",
        git_commit="4bdcece0c0ffee",
        repeats=repeats,
        environment={"python": "3.11.2"},
    )


@cache
def many(count: int) -> Run:
    """A run in which one e-mail address was missed in that many clips."""
    base = run().records[0]
    return run(records=[replace(base, clip=f"clip_{n:05}") for n in range(count)])


def thresholds(measured: Run, **gates: str) -> Thresholds:
    """Floors by gate name (`recovery__date`), a ceiling for wer; two misses were known."""
    policies = {
        name.replace("__", ":"): Policy(max=Decimal(bound))
        if name == "wer"
        else Policy(min=Decimal(bound))
        for name, bound in gates.items()
    }
    return Thresholds(
        gates=policies,
        provider={"name": "nova3"},
        dataset="sample",
        digest=measured.dataset.digest,
        verifier=Identity(VERIFIER.id, VERIFIER.version, VERIFIER.digest),
        recorded=date(2026, 11, 1),
        baseline=Baseline(
            misses=frozenset({"ship_01/address", "ship_02/phone"}),
            rates={
                "ctem": Rate(4, 6),
                "recovery:email_address": Rate(2, 2),
                "recovery:postal_address": Rate(0, 1),
                "recovery:phone_number": Rate(0, 1),
            },
        ),
    )


def facts(measured: Run, stored: Thresholds | None, **more: object) -> ViewModel:
    """What reports show of a run judged by these thresholds."""
    outcomes = evaluate(measured, stored, today=TODAY)
    shown = replace(measured, gates=tuple(outcomes))
    return gather(shown, outcomes, thresholds=stored, today=TODAY, **more)  # type: ignore[arg-type] # keywords are gather's


def red() -> ViewModel:
    """A regression: e-mail addresses broke, the rest is as it was."""
    measured = run()
    stored = thresholds(
        measured,
        ctem="0.6",
        tsr="0.25",
        recovery__email_address="0.95",
        recovery__date="1",
        wer="0.7",
    )
    return facts(measured, stored)


def green() -> ViewModel:
    """All gates hold, with one quarantined miss."""
    measured = run()
    stored = replace(
        thresholds(measured, ctem="0.5", recovery__email_address="0.5", wer="0.7"),
        quarantine=(Exemption("ship_02/phone", "clipped audio", date(2027, 1, 31)),),
    )
    return facts(measured, stored)


def outage() -> ViewModel:
    """Three calls failed."""
    records = list(run().records)
    failures = [
        Failure("transient", "no answer within 60 s", "api.example.com"),
        Failure("transient", "no answer within 60 s", "api.example.com"),
        Failure("auth", "key refused", "api.example.com"),
    ]
    for at, failure in enumerate(failures):
        unjudged = tuple(JudgedEntity(judged.entity, None) for judged in records[at].entities)
        records[at] = replace(
            records[at], transcript=None, source=None, latency_ms=None, error=failure,
            entities=unjudged, words=None, characters=None,
        )  # fmt: skip
    measured = run(records=records)
    return facts(measured, thresholds(measured, ctem="0.6", tsr="0.25"))


def repeated() -> ViewModel:
    """Two repeats; the e-mail address is heard in the second."""
    first = run().records
    heard = "Refund $42 and mail ramirez@example.com."
    found = Verdict(True, True, "written form", "ramirez@example.com", 20, 39)
    second = [replace(record, repeat=2) for record in first]
    judged = second[0].entities
    second[0] = replace(
        second[0], transcript=heard, entities=(judged[0], replace(judged[1], verdict=found))
    )
    measured = run(records=[*first, *second], repeats=2)
    return facts(measured, thresholds(measured, ctem="0.4"))


def repeated_outage() -> ViewModel:
    """Two repeats, and of one clip the second call failed."""
    base = repeated()
    records = list(base.run.records)
    at = next(n for n, record in enumerate(records) if record.repeat == 2)
    unjudged = tuple(JudgedEntity(judged.entity, None) for judged in records[at].entities)
    records[at] = replace(
        records[at], transcript=None, source=None, latency_ms=None, entities=unjudged, words=None,
        characters=None, error=Failure("transient", "no answer within 60 s", "api.example.com"),
    )  # fmt: skip
    measured = run(records=records, repeats=2)
    return facts(measured, thresholds(measured, ctem="0.4"))


HOSTILE = (
    "::error file=x::pwned\n##[error]pwned ##vso[task.complete] \x1b[31mred\x1b[0m \u202egnp.exe "
    "</script><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\">"
    " | `code` **bold** @everyone #1 https://evil.example \udcff %0A::warning::x"
)


def hostile() -> ViewModel:
    """A transcript, a value and an error message that would do harm if they were obeyed."""
    records = list(run().records)
    near = Nearest(HOSTILE, 0, len(HOSTILE), HOSTILE)
    bad = Verdict(False, False, HOSTILE, nearest=near)
    entity = replace(records[0].entities[1].entity, canonical=HOSTILE, acoustic=HOSTILE)
    records[0] = replace(
        records[0], transcript=HOSTILE, reference=HOSTILE, entities=(JudgedEntity(entity, bad),)
    )
    failure = Failure("transient", HOSTILE, "api.example.com")
    records[3] = replace(records[3], transcript=None, error=failure, entities=())
    clips = tuple(clip_of(record) for record in records)
    of_these = Dataset("calls", Path("clips.yaml"), clips)
    measured = run(records=records)
    entities = sum(len(clip.entities) for clip in clips)
    about = replace(measured.dataset, digest=of_these.digest, entities=entities)
    measured = replace(measured, dataset=about)
    outcomes = evaluate(
        measured, thresholds(measured, recovery__email_address="0.95"), max_errors=1, today=TODAY
    )
    return gather(measured, outcomes, today=TODAY, notices=[HOSTILE])
