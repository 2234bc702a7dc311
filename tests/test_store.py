"""What is stored, when it is used again, and what happens when a file or the disk is no good."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from helpers.hostile_json import with_any_value
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity, Nearest, Transcript, Verdict, VerifierUsage
from pytest_asrbench.providers.base import Description
from pytest_asrbench.store import Entry, Store, TranscriptKey, VerdictKey
from pytest_asrbench.store.entries import (
    entry_from_json,
    entry_to_json,
    judgement_from_json,
    judgement_to_json,
)
from pytest_asrbench.store.folder import StoreFolder
from pytest_asrbench.verifiers.base import Identity, Judgement

NOVA = Description("deepgram", "nova-3", {"language": "en"})
KEY = TranscriptKey("a" * 64, NOVA, "batch", "en")
ENTITY = Entity("e1", "phone_number", "415-555-0132", "four one five", ("4155550132",))
VERDICT_KEY = VerdictKey("call me", "en", (ENTITY,), Identity("llm", "1", "sha256:1"))
JUDGEMENT = Judgement(
    (Verdict(False, True, "not said", nearest=Nearest("me", 5, 7, "no digits")),),
    VerifierUsage(calls=1, asked=1, cost=0.01, models=("gpt-6-luna",)),
)


def ago(**time):
    return (datetime.now(UTC) - timedelta(**time)).strftime("%Y-%m-%dT%H:%M:%SZ")


def entry(**changes):
    return replace(Entry(KEY, Transcript("hello", latency_ms=41.5), ago(minutes=1)), **changes)


def file_of(store):
    return StoreFolder(store.path).file("transcripts", KEY.digest)


@pytest.mark.parametrize(
    ("mode", "age", "used"),
    [
        ("fill", {"minutes": 1}, True),
        ("fill", {"hours": 11}, True),
        ("fill", {"hours": 13}, False),
        ("fill", {"minutes": -2}, True),  # another machine's clock
        ("fill", {"days": -1}, False),  # a clock that jumped: its age is unknown
        ("replay", {"hours": 13}, True),
        ("replay", {"days": -1}, True),
        ("refresh", {"minutes": 1}, False),
        ("off", {"minutes": 1}, False),
    ],
)
def test_modes_and_age_decide_what_is_used(tmp_path, mode, age, used):
    Store(tmp_path).keep(entry(recorded_at=ago(**age)))

    assert (Store(tmp_path, mode=mode).transcript(KEY) is not None) is used


@pytest.mark.parametrize(
    "other",
    [
        replace(KEY, audio_sha256="b" * 64),
        replace(KEY, provider=replace(NOVA, model="nova-4")),
        replace(KEY, provider=replace(NOVA, use="openai")),
        replace(KEY, provider=replace(NOVA, settings={"language": "en", "smart_format": True})),
        replace(KEY, provider=replace(NOVA, version="2")),
        replace(KEY, mode="stream"),
        replace(KEY, language="es"),
        replace(KEY, repeat=2),
    ],
)
def test_a_transcript_is_used_for_nothing_else_than_it_was_made_for(tmp_path, other):
    store = Store(tmp_path)
    store.keep(entry())

    assert store.transcript(KEY) == entry()
    assert store.transcript(other) is None


@pytest.mark.parametrize(
    "other",
    [
        replace(VERDICT_KEY, transcript="call me "),
        replace(VERDICT_KEY, language="es"),
        replace(VERDICT_KEY, targets=(replace(ENTITY, canonical="415-555-0133"),)),
        replace(VERDICT_KEY, targets=(replace(ENTITY, accept=()),)),
        replace(VERDICT_KEY, targets=(replace(ENTITY, type="zip"),)),
        replace(VERDICT_KEY, targets=()),
        replace(VERDICT_KEY, verifier=Identity("llm", "1", "sha256:2")),
    ],
)
def test_verdicts_are_used_for_nothing_else_than_they_were_made_for(tmp_path, other):
    store = Store(tmp_path)
    store.keep_judgement(VERDICT_KEY, JUDGEMENT)

    assert store.judgement(VERDICT_KEY) == JUDGEMENT
    assert store.judgement(other) is None


def test_code_without_a_version_is_never_stored(tmp_path):
    unversioned = replace(KEY, provider=Description("mine:asr", reusable=False))
    store = Store(tmp_path / "cache")

    store.keep(entry(key=unversioned))

    assert store.transcript(unversioned) is None
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("mode", ["replay", "off"])
def test_modes_that_do_not_store_write_nothing(tmp_path, mode):
    store = Store(tmp_path / "cache", mode=mode)

    assert not store.keep(entry())
    assert not store.keep_judgement(VERDICT_KEY, JUDGEMENT)
    assert not store.shares(KEY)

    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'{"schema": 1, "clip"',
        b"[]",
        b"\xff\xfe\x00",
        b'{"schema": 2}',
        b'{"schema": 1}',
        json.dumps({**entry_to_json(entry()), "language": "es"}).encode(),
        json.dumps({**entry_to_json(entry()), "transcript": {"text": None}}).encode(),
        json.dumps({**entry_to_json(entry()), "transcript": {"words": "hello"}}).encode(),
    ],
    ids=["empty", "cut", "list", "bytes", "schema", "fields", "moved", "no text", "unknown"],
)
def test_a_damaged_entry_is_set_aside_and_reported(tmp_path, content):
    Store(tmp_path).keep(entry())
    file = file_of(Store(tmp_path))
    file.write_bytes(content)
    store = Store(tmp_path, mode="replay")

    assert store.transcript(KEY) is None

    assert (tmp_path / "damaged" / file.name).read_bytes() == content
    assert not file.exists()
    assert len(store.notes) == 1
    assert f"{file}: damaged" in store.notes[0]
    store.keep(entry())  # replay: nothing is written over what a person may want to look at
    assert store.transcript(KEY) is None
    Store(tmp_path).keep(entry())
    assert Store(tmp_path).transcript(KEY) == entry()


def test_what_is_still_being_written_is_neither_listed_nor_damaged(tmp_path):
    store = Store(tmp_path)
    store.keep(Entry(KEY, Transcript("hello"), ago(), 1, "mine", "c1", 1.0))
    [whole] = (tmp_path / "transcripts").glob("*/*.json")
    half = whole.with_name(f".123-456-{whole.name}")
    half.write_text('{"transcript": ')

    assert [file for file, _ in store.entries()] == [whole]
    assert half.exists()
    assert not (tmp_path / "damaged").exists()


def test_damaged_verdicts_are_set_aside_too(tmp_path):
    store = Store(tmp_path)
    value = judgement_to_json(VERDICT_KEY, JUDGEMENT)
    StoreFolder(tmp_path).put("verdicts", VERDICT_KEY.digest, {**value, "verdicts": []})

    assert store.judgement(VERDICT_KEY) is None
    assert "damaged (0 verdicts for 1 target)" in store.notes[0]


def test_a_folder_that_cannot_be_written_costs_a_note_and_not_the_result(tmp_path):
    """A file where the folder should be: it fails for root too."""
    (tmp_path / "cache").write_text("")
    store = Store(tmp_path / "cache")

    assert store.transcript(KEY) is None
    with pytest.raises(OSError, match="Not a directory"):
        store.try_lock(KEY)
    assert not store.keep(entry())
    assert not store.keep_judgement(VERDICT_KEY, JUDGEMENT)

    assert len([note for note in store.notes if "can't be written" in note]) == 1
    assert "make room or give another --asr-cache" in " ".join(store.notes)


def test_a_read_only_folder_still_serves(tmp_path):
    Store(tmp_path / "cache").keep(entry())
    for path in sorted((tmp_path / "cache").rglob("*"), reverse=True):
        path.chmod(path.stat().st_mode & ~0o222)
    (tmp_path / "cache").chmod(0o555)
    store = Store(tmp_path / "cache")
    try:
        assert store.transcript(KEY) == entry()
        assert store.notes == []
    finally:
        (tmp_path / "cache").chmod(0o755)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_leaves_no_half_entry(tmp_path):
    """`.new` files are where the write fails; a link to /dev/full makes it fail for real."""
    store = Store(tmp_path)
    store.keep(entry())
    file = file_of(store)
    before = file.read_bytes()
    fresh = file.with_name(f".{os.getpid()}-{threading.get_ident()}-{file.name}")
    fresh.symlink_to("/dev/full")

    store.keep(entry(transcript=Transcript("something else")))

    assert file.read_bytes() == before
    assert "No space left on device" in store.notes[0]
    assert not os.path.lexists(fresh)


def test_git_ignores_the_store(tmp_path):
    Store(tmp_path / "cache").keep(entry())

    assert (tmp_path / "cache" / ".gitignore").read_text().endswith("*\n")


def test_a_key_is_locked_for_one_run_at_a_time(tmp_path):
    store, other = Store(tmp_path), Store(tmp_path)

    with store.try_lock(KEY):
        assert other.try_lock(KEY) is None
    with other.try_lock(KEY) as held:
        assert held is not None


anything = st.text(max_size=20)
maybe = st.none() | anything
numbers = st.none() | st.floats(0, 2**53)


@pytest.mark.slow
@given(
    st.builds(
        Entry,
        key=st.builds(
            TranscriptKey,
            st.binary(min_size=32, max_size=32).map(bytes.hex),
            st.builds(
                Description,
                use=anything,
                model=maybe,
                settings=st.dictionaries(anything, anything | st.booleans() | st.integers()),
                version=maybe,
                reusable=st.just(True),
            ),
            st.sampled_from(["batch", "stream"]),
            anything,
            st.integers(1, 9),
        ),
        transcript=st.builds(Transcript, anything, maybe, maybe, numbers, numbers, numbers),
        recorded_at=st.datetimes().map(lambda when: f"{when.isoformat(timespec='seconds')}Z"),
        attempts=st.integers(1, 9),
    )
)
def test_an_entry_comes_back_as_it_was_stored(stored):
    back = entry_from_json(json.loads(json.dumps(entry_to_json(stored))))

    assert back == stored
    assert back.key.digest == stored.key.digest


@pytest.mark.slow
@given(
    st.builds(
        VerdictKey,
        anything,
        anything,
        st.tuples(st.builds(Entity, st.just(""), anything, anything, maybe, st.just(("x",)))),
        st.builds(Identity, anything, anything, anything),
    ),
    st.builds(
        Verdict,
        st.booleans(),
        st.booleans(),
        anything,
        maybe,
        nearest=st.none() | st.builds(Nearest, anything, st.just(0), st.just(1), anything),
    ),
)
def test_verdicts_come_back_as_they_were_stored(key, verdict):
    judgement = Judgement((verdict,), VerifierUsage(asked=1, models=("m",)))

    back = judgement_from_json(json.loads(json.dumps(judgement_to_json(key, judgement))))

    assert back == (key, judgement)
    assert back[0].digest == key.digest


def test_a_lone_surrogate_is_kept(tmp_path):
    broken = entry(transcript=Transcript("caf\udce9"))
    store = Store(tmp_path)

    store.keep(broken)
    store.keep_judgement(replace(VERDICT_KEY, transcript="caf\udce9"), JUDGEMENT)

    assert store.transcript(KEY) == broken


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"attempts": "x"}, "attempts can't be 'x'"),
        ({"attempts": True}, "attempts can't be True"),
        ({"attempts": -1}, "attempts can't be -1"),
        ({"clip": 5}, "clip can't be 5"),
        ({"name": 5}, "name can't be 5"),
        ({"recorded_at": None}, "recorded_at can't be None"),
        ({"recorded_at": "yesterday"}, "recorded_at can't be 'yesterday'"),
        ({"recorded_at": "2026-11-29T12:00:00"}, "recorded_at can't be '2026-11-29T12:00:00'"),
        ({"recorded_at": "2026-11-29T12:00:00+01:00"}, "recorded_at can't be '2026-11-29T"),
        ({"recorded_at": "2026-11-31T12:00:00Z"}, "recorded_at can't be '2026-11-31T12:00:00Z'"),
        ({"recorded_at": ""}, "recorded_at can't be ''"),
        ({"audio_sha256": "aa11"}, "audio_sha256 can't be 'aa11'"),
        ({"mode": "btach"}, "mode can't be 'btach'"),
        ({"provider": "deepgram"}, "provider can't be 'deepgram'"),
        ({"provider": {"use": "deepgram", "settings": "abc"}}, "settings can't be 'abc'"),
        ({"duration_s": 1e300}, "duration_s can't be 1e+300"),
        ({"transcript": {"text": "hello", "latency_ms": "412 ms"}}, "latency_ms can't be '412 ms'"),
        ({"transcript": {"text": "hello", "reported_model": 5}}, "reported_model can't be 5"),
        ({"transcript": {"text": "hello", "billed_s": -0.5}}, "billed_s can't be -0.5"),
        ({"transcript": {"text": "hello", "billed_s": float("nan")}}, "not JSON: NaN is no JSON"),
    ],
)
def test_a_value_of_a_wrong_type_is_named(tmp_path, changes, why):
    StoreFolder(tmp_path).put("transcripts", KEY.digest, {**entry_to_json(entry()), **changes})
    store = Store(tmp_path, mode="replay")

    assert store.transcript(KEY) is None
    assert f"damaged ({why}" in store.notes[0]


def test_brackets_without_end_are_damage(tmp_path):
    file = file_of(Store(tmp_path))
    file.parent.mkdir(parents=True)
    file.write_text("[" * 100_000)
    store = Store(tmp_path, mode="replay")

    assert store.transcript(KEY) is None
    assert "damaged (not JSON: nested too deeply)" in store.notes[0]


def test_a_reason_that_is_no_text_is_damage(tmp_path):
    value = judgement_to_json(VERDICT_KEY, JUDGEMENT)
    value["verdicts"][0]["reason"] = 5
    store = Store(tmp_path)
    StoreFolder(tmp_path).put("verdicts", VERDICT_KEY.digest, value)

    assert store.judgement(VERDICT_KEY) is None
    assert "damaged (reason can't be 5)" in store.notes[0]


def test_what_lies_under_another_key_is_not_listed_either(tmp_path):
    Store(tmp_path).keep(entry())
    file = file_of(Store(tmp_path))
    file.rename(file.with_name("0" * 64 + ".json"))
    store = Store(tmp_path)

    assert [*store.entries()] == []
    assert "damaged (its content belongs to another key)" in store.notes[0]


@pytest.mark.slow
@given(with_any_value(entry_to_json(entry())))
def test_an_entry_with_any_value_is_valid_or_set_aside(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("store")
    Store(folder).keep(entry())
    file = file_of(Store(folder))
    file.write_text(content)
    store = Store(folder, mode="replay")

    found = store.transcript(KEY)

    if found is None:
        assert f"{file}: damaged" in store.notes[0]
        assert (folder / "damaged" / file.name).exists()
        assert [*Store(folder).entries()] == []
    else:
        assert store.notes == []
        assert found.key.digest == KEY.digest
        assert entry_from_json(json.loads(json.dumps(entry_to_json(found)))) == found
        assert [each for _, each in Store(folder).entries()] == [found]


@pytest.mark.slow
@given(with_any_value(judgement_to_json(VERDICT_KEY, JUDGEMENT)))
def test_verdicts_with_any_value_are_valid_or_set_aside(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("store")
    Store(folder).keep_judgement(VERDICT_KEY, JUDGEMENT)
    file = StoreFolder(folder).file("verdicts", VERDICT_KEY.digest)
    file.write_text(content)
    store = Store(folder, mode="replay")

    found = store.judgement(VERDICT_KEY)

    if found is None:
        assert f"{file}: damaged" in store.notes[0]
        assert (folder / "damaged" / file.name).exists()
    else:
        assert store.notes == []
        value = json.loads(json.dumps(judgement_to_json(VERDICT_KEY, found)))
        assert judgement_from_json(value)[1] == found


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize(
    "linked", ["damaged", "transcripts", f"transcripts/{KEY.digest[0]}", "lock"]
)
def test_a_link_in_the_store_leads_nowhere(tmp_path, linked):
    """Who commits `.asrbench/damaged` as a link would have files moved to where it points."""
    elsewhere = tmp_path / "elsewhere"
    store = Store(tmp_path / "store")
    if linked == "damaged":
        store.keep(entry())
        file_of(store).write_text("{")
    place = store.path / linked
    place.parent.mkdir(parents=True, exist_ok=True)
    if linked != "lock":
        elsewhere.mkdir()
        (elsewhere / f"{KEY.digest}.json").write_text("{")
    place.symlink_to(elsewhere)
    before = sorted(tmp_path.rglob("elsewhere/*"))

    store = Store(store.path)
    assert store.transcript(KEY) is None
    if linked == "lock":
        with pytest.raises(OSError, match="link"):
            store.try_lock(KEY)
    elif linked != "damaged":
        assert not store.keep(entry())
        with (
            pytest.raises(InputError, match="it is a link")
            if linked == "transcripts"
            else (pytest.raises(InputError))
        ):
            list(store.entries())

    assert sorted(tmp_path.rglob("elsewhere/*")) == before
    assert not store.notes or "it is a link" in "".join(store.notes)
