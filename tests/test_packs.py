"""Language packs: their parts, and what a part that is left out costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_asrbench.errors import VerifierError
from pytest_asrbench.verifiers.packs import PACKS, Pack, pack, subtags


@pytest.mark.parametrize("language", sorted(PACKS))
def test_a_pack_knows_its_language(language):
    assert pack(language).language == language


def test_a_missing_part_says_what_can_not_be_judged():
    bare = Pack(language="sw")

    with pytest.raises(VerifierError, match="sw: no clock words; times can't be judged"):
        _ = bare.clock.am
    with pytest.raises(VerifierError, match="sw: no currencies; amounts can't be judged"):
        list(bare.currencies.known)
    assert not bare.has("clock")


def test_a_digest_tells_what_a_pack_holds():
    assert Pack(language="sw").digest() != Pack(language="xx").digest()
    assert Pack(language="sw").digest() == Pack(language="sw").digest()


def test_a_pack_that_is_not_used_is_not_imported():
    code = "import sys; from pytest_asrbench.verifiers.packs import pack; pack('en-GB');"
    code += (
        "print(sorted(m for m in sys.modules if m.startswith('pytest_asrbench.verifiers.packs.')))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ".packs.en'" in shown.stdout
    assert not any(f".packs.{code}'" in shown.stdout for code in PACKS if code != "en")


@pytest.mark.parametrize(
    ("tag", "parts"),
    [
        ("es-MX", ("es", "MX")),
        ("zh-Hant-TW", ("zh", "TW")),
        ("pt_BR", ("pt", "BR")),
        ("hi", ("hi", "")),
    ],
)
def test_a_tag_names_language_and_region(tag, parts):
    assert subtags(tag) == parts
