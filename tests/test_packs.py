"""Language packs: their parts, and what a part that is left out costs."""

from __future__ import annotations

import pytest

from pytest_asrbench.errors import VerifierError
from pytest_asrbench.verifiers.packs import PACKS, Pack, pack


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
