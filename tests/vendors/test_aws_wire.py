"""Signatures and frames of AWS, against what AWS's own libraries make."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.providers.aws_wire import Credentials, packed, signed, unpacked

URL = "wss://transcribestreaming.us-east-1.amazonaws.com:8443/stream-transcription-websocket"
FIELDS = {
    "language-code": "en-US",
    "media-encoding": "pcm",
    "sample-rate": "16000",
    "vocabulary-name": "a b",
}
SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
AT = datetime(2026, 12, 1, 12, tzinfo=UTC)
AUDIO = {
    ":message-type": "event",
    ":event-type": "AudioEvent",
    ":content-type": "application/octet-stream",
}


@pytest.mark.parametrize(
    ("token", "signature"),
    [
        ("", "a10e5b7f5e78b4c6cc451e28aa96c36a530cd230395eab6ed2e0778d3466fa0d"),
        ("tok/en+x==", "9e551f61a5c303ade36bed16616aa03056970796f80b32c25fed9b29a5e7f5ba"),
    ],
)
def test_an_address_is_signed_as_botocore_1_44_8_signs_it(token, signature):
    credentials = Credentials("AKIDEXAMPLE", SECRET, token)
    address = signed(URL, FIELDS, credentials, region="us-east-1", service="transcribe", at=AT)

    asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert address.startswith(f"{URL}?")
    assert asked["X-Amz-Signature"] == signature
    assert asked.get("X-Amz-Security-Token", "") == token
    assert asked.items() >= FIELDS.items()
    assert SECRET not in address


def test_a_frame_is_as_amazon_transcribe_0_6_4_packs_it():
    frame = (
        "0000006b00000058ee7040f30d3a6d6573736167652d747970650700056576656e740b3a6576656e742d747970"
        "6507000a417564696f4576656e740d3a636f6e74656e742d747970650700186170706c69636174696f6e2f6f63"
        "7465742d73747265616d616263b91905f2"
    )
    assert packed(AUDIO, b"abc").hex() == frame
    assert unpacked(bytes.fromhex(frame)) == (AUDIO, b"abc")


TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


@given(st.dictionaries(st.text("ab:-", min_size=1, max_size=9), TEXTS), st.binary(max_size=50))
def test_a_frame_is_read_as_it_was_packed(headers, payload):
    assert unpacked(packed(headers, payload)) == (headers, payload)


@given(st.binary(max_size=60), st.integers(0, 106), st.integers(1, 255))
def test_what_is_damaged_is_refused(data, place, change):
    frame = bytearray(packed(AUDIO, b"abc"))
    frame[place] ^= change
    for damaged in (bytes(frame), data, bytes(frame[:place])):
        with pytest.raises(ValueError, match="frame"):
            unpacked(damaged)
