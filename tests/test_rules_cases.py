"""The policy by example: beside each value that counts stands its nearest that does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_asrbench.errors import InputError, VerifierError
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.packs import pack
from pytest_asrbench.verifiers.rules import Rules
from pytest_asrbench.verifiers.rules.family import families

RULES = Rules()
TABLE = Path(__file__).parent / "golden" / "rules_cases.txt"


def rows(text: str) -> list[tuple[str, ...]]:
    lines = [line for line in text.strip().splitlines() if line.strip() and line[0] != "#"]
    return [tuple(cell.strip() for cell in line.split(" | ")) for line in lines]


CASES = rows(TABLE.read_text(encoding="utf-8"))


def judge(
    kind: str, canonical: str, transcript: str, *, acoustic: str | None = None, rules: Rules = RULES
) -> Verdict:
    return rules.judge([Entity("x", kind, canonical, acoustic)], transcript, "en")[0]


def test_the_table_of_cases_covers_every_type_both_ways() -> None:
    assert len(CASES) > 250
    seen = {(kind, verdict) for kind, _, _, verdict in CASES}
    assert seen == {(kind, verdict) for kind in families() for verdict in ("present", "absent")}


@pytest.mark.parametrize(("kind", "canonical", "transcript", "wanted"), CASES)
def test_the_verdict_is_the_policy_s(
    kind: str, canonical: str, transcript: str, wanted: str
) -> None:
    verdict = judge(kind, canonical.replace("¦", "|"), transcript)
    assert verdict.present == (wanted == "present"), verdict.reason


CUED = rows("""
    environment_variable | BATCH_SIZE | all caps batch underscore size | set BATCH_SIZE to ten | present
    environment_variable | BATCH_SIZE | all caps batch underscore size | set all caps batch underscore size | present
    environment_variable | BATCH_SIZE | all caps batch underscore size | set batch underscore size to ten | absent
    environment_variable | BATCH_SIZE | all caps batch underscore size | set Batch_Size to ten | absent
    environment_variable | BATCH_SIZE | all caps batch underscore size | batch underscore size, all of it in caps | present
    environment_variable | BATCH_SIZE | all caps batch underscore size | batch size in all caps, with an underscore between | present
    environment_variable | BATCH_SIZE | all caps batch underscore size | BATCH SIZE with an underscore between | present
    environment_variable | BATCH_SIZE | all caps batch underscore size | batch size with an underscore between | absent
    environment_variable | BATCH_SIZE | all caps batch underscore size | all caps batch size joined by an underscore | present
    file_path | lib/RowView.jsx | lib slash pascal case row view dot j s x | in l i b slash pascal case row view dot jsx | present
    file_path | lib/RowView.jsx | lib slash pascal case row view dot j s x | in lib slash row view dot jsx | absent
    command | tar x f | tar x f | run tar xf | absent
    command | cab a b | cab a b | run cab ab | absent
    environment_variable | BATCH_SIZE | batch underscore size | set batch underscore size to ten | present
    code_symbol | parseRow | camel case parse row | the camel case parse row helper | present
    code_symbol | parseRow | camel case parse row | the parseRow helper | present
    code_symbol | parseRow | camel case parse row | the parse row helper | absent
    code_symbol | parseRow | camel case parse row | the pascal case parse row helper | absent
    cli_flag | -Q | dash capital q | with dash capital q | present
    cli_flag | -Q | dash capital q | with -Q | present
    cli_flag | -Q | dash capital q | with dash q | absent
    spelled_sequence | ODEN | o as in oscar d e n | it is o as in orange d e n | present
    spelled_sequence | ODEN | o as in oscar d e n | it is o as in apple d e n | absent
    command | helmctl sync | helm control sync | run helm control sync now | present
    command | helmctl sync | helm control sync | run helm patrol sync now | absent
    command | make lint -j 6 | make lint dash j six | run make lint-j 6 now | absent
    command | make lint -j 6 | make lint dash j six | run make lint -j 6 now | present
    command | git-lfs -v | git dash lfs dash v | run git-lfs -v now | present
    command | git-lfs -v | git dash lfs dash v | run git-lfs-v now | absent
    code_symbol | RowBatchWriter | pascal case row batch writer | the Row Batch Writer class | absent
    code_symbol | RowBatchWriter | row batch writer | the Row Batch Writer class | present
""")  # noqa: E501


@pytest.mark.parametrize(("kind", "canonical", "acoustic", "transcript", "wanted"), CUED)
def test_the_spoken_form_is_evidence_and_cues_casing(
    kind: str, canonical: str, acoustic: str, transcript: str, wanted: str
) -> None:
    verdict = judge(kind, canonical, transcript, acoustic=acoustic)
    assert verdict.present == (wanted == "present"), verdict.reason


MISSES = rows("""
    phone_number | 646-555-0171 | ring 646-55-0171 today | 646-55-0171 | one 5 missing
    measurement | 75 mg | take seventy five micrograms daily | seventy five micrograms | mg -> mcg
    time | 8:40 AM | at 8:40 sharp | 8:40 | no AM/PM
    currency_amount | $8,250 | wire 8,250 today | 8,250 | no currency
    percentage | 41% | up 41 this year | 41 | no percent
    person_or_team_name | Dana Caps | ask dana cats now | dana cats | heard 'cats' for 'caps'
    port_number | 7070 | port 70701 please | 70701 | goes on with '1'
    file_path | out/a-b.txt | see out/a_b.txt now | out/a_b.txt | - -> _
    environment_variable | LOG_DIR | set log dir now | log dir | no '_'
    date | June 9, 2027 | on June 9th only | June 9th | no year
    account_or_record_number | 918204 | record 918240 closed | 918240 | 04 -> 40 (swapped)
    domain_term | tort claim | nobody mentioned weather | - | nothing like it was heard
    currency_amount | $29 | it costs $20, later $32 maybe | $20 | 9 -> 0
    currency_amount | $29 | it costs 29 euros | 29 euros | $ -> €
    measurement | 90 seconds | the H9X2 waits 19 seconds | 19 seconds | 90 -> 19
    percentage | 4.5% | up 45% here | 45% | decimal point missing
    date | August 7 | on August 17th maybe | August 17th | one 1 too many
    time | 6:30 PM | at 6:45 PM today | 6:45 PM | 30 -> 45
    port_number | 1884 | port 1.884 please | 1.884 | a decimal point too many
    spelled_sequence | RTG4 | romeo tango papa four | romeo tango papa four | g -> p
    domain_term | tachycardia | a tacky cardia case | tacky cardia | heard 'tacky cardia' for 'tachycardia'
    email_address | sales@example.net | write salesatexample.net now | salesatexample.net | heard 'salesatexample' for 'sales@example'
    code_symbol | parseRow | the parse row helper | parse row | casing not shown
    code_symbol | RowBatchWriter | the Row Batch Writer class | Row Batch Writer | written as several words
    product_code | KV2.5-B | part KV 25-B now | KV 25-B | decimal point missing
    currency_amount | $40 | pay $40 and 15 cents | $40 and 15 cents | goes on with 'and 15 cents'
""")  # noqa: E501


@pytest.mark.parametrize(("kind", "canonical", "transcript", "near", "difference"), MISSES)
def test_a_miss_shows_the_nearest_thing_heard_and_what_differs(
    kind: str, canonical: str, transcript: str, near: str, difference: str
) -> None:
    verdict = judge(kind, canonical, transcript)
    assert not verdict.present
    assert (verdict.nearest.text if verdict.nearest else "-") == near
    assert verdict.nearest is None or verdict.nearest.difference == difference
    assert verdict.reason.startswith(difference)


UNSURE = rows("""
    percentage | 30% | thirty to forty percent | present
    time | 3:00 PM ET | at 3 PM EST | present
    spelled_sequence | DGL | delta golf lima | present
    acronym_or_initialism | API | three APIs | present
    person_or_team_name | Zoë Brandt | zoe brandt | present
    ip_address | 10.2.0.7 | 10.2.0.7:9100 | present
    reference_id | MD-6633 | logged as MD-6633-C | absent
    cli_flag | --dry-run | dry-run with two dashes in front | present
    command | head -c 40 | head -c40 | present
    command | tar -x a.tgz | tar-x a.tgz | absent
    code_symbol | RowBatchWriter | the Row Batch Writer class | absent
    email_address | tara@example.com | T-A-R-A at example.com | present
    time | 9:30 PM | at 9:30 tonight | present
    measurement | 64 kg | 64 kilos | present
    environment_variable | LOG_DIR | log_dir | present
    environment_variable | log_dir | LOG_DIR | present
    file_path | notes/TODO.md | see notes/todo.md | absent
""")


@pytest.mark.parametrize(("kind", "canonical", "transcript", "wanted"), UNSURE)
def test_what_two_careful_readers_could_dispute_is_unsure(
    kind: str, canonical: str, transcript: str, wanted: str
) -> None:
    spoken = "d g l" if canonical == "DGL" else None
    verdict = judge(kind, canonical, transcript, acoustic=spoken)
    assert verdict.present == (wanted == "present")
    assert not verdict.sure


OPTIONS = rows("""
    code_symbol | fooBar | case | ignore | the foobar helper
    phone_extension | 4821 | homophones | accept | extension for eight to one
    date | May 3, 2027 | date_order | day-first | on 3/5/2027
    time | 9:40 AM | clock | 24-hour | at 09:40
    plain_number | 3.14 | decimal_mark | comma | it is 3,14 here
    email_address | a.b@example.com | separators | free | a b at example com
""")


@pytest.mark.parametrize(("kind", "canonical", "option", "choice", "transcript"), OPTIONS)
def test_an_option_changes_the_verdict_and_the_digest(
    kind: str, canonical: str, option: str, choice: str, transcript: str
) -> None:
    loose = Rules(policy={kind: {option: choice}})
    assert not judge(kind, canonical, transcript).present
    assert judge(kind, canonical, transcript, rules=loose).present
    assert loose.identity.digest != RULES.identity.digest
    assert loose.identity.version == RULES.identity.version


def test_separators_exact_counts_them_where_they_are_formatting() -> None:
    strict = Rules(policy={"reference_id": {"separators": "exact"}})
    assert judge("reference_id", "BK-7719", "ticket BK7719").present
    assert not judge("reference_id", "BK-7719", "ticket BK7719", rules=strict).present
    assert judge("reference_id", "BK-7719", "ticket b k dash 7719", rules=strict).present


def test_accepted_forms_count_as_the_canonical() -> None:
    entity = Entity("x", "domain_term", "Kubernetes", None, ("k8s",))
    verdict = RULES.judge([entity], "the k8s cluster", "en")[0]
    assert verdict.present
    assert verdict.evidence == "k8s"


def test_an_own_type_is_like_a_known_one() -> None:
    own = Rules(types={"confirmation_code": "reference_id"})
    assert judge("confirmation_code", "QR-55", "code q r fifty five", rules=own).present
    assert own.identity.digest != RULES.identity.digest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"types": {"code": "nothing"}}, r"'code' is like 'nothing', which is no type; .* time"),
        ({"policy": {"nothing": {}}}, r"policy: unknown type 'nothing'; known: .*time"),
        ({"policy": {"time": {"zone": "x"}}}, r"policy.time: unknown option 'zone'; known: case"),
        ({"policy": {"time": {"clock": "x"}}}, r"policy.time.clock: 'x' is no choice; choose 12-"),
    ],
)
def test_wrong_settings_name_what_is_known(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Rules(**arguments)  # type: ignore[arg-type]  # wrong on purpose


def test_a_language_without_a_pack_is_an_error_never_english() -> None:
    with pytest.raises(VerifierError, match=r"no language pack for 'sw-KE'; .* knows: .*en"):
        RULES.judge([Entity("x", "date", "May 2")], "may second", "sw-KE")


def test_a_region_of_english_has_the_english_pack() -> None:
    assert pack("en-GB") is pack("en_US") is pack("EN")


def test_an_unknown_type_is_an_error() -> None:
    with pytest.raises(VerifierError, match=r"unknown entity type 'nothing'; known: .*time"):
        judge("nothing", "x", "x")
