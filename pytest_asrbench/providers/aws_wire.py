"""
What AWS's streams need beside a websocket: an address with a signature, and its event frames.

Signature Version 4 in the query of an address, which only the holder of the secret can make and
which is good for minutes: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
Event stream: lengths, headers, payload, two checksums:
https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html
"""

from __future__ import annotations

import hashlib
import hmac
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlsplit

ALGORITHM = "AWS4-HMAC-SHA256"
GOOD_FOR_S = 300  # the longest that Transcribe takes
PRELUDE = struct.Struct(">III")  # length of all, of the headers, checksum of these two
CHECKSUM = struct.Struct(">I")
TEXT = 7  # a header's kind
SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}  # bytes of the other kinds; 6 as TEXT


@dataclass(frozen=True, slots=True)
class Credentials:
    """`token` goes with those that are good for a time only."""

    key_id: str
    secret: str
    token: str = ""


def signed(
    url: str,
    fields: Mapping[str, str],
    credentials: Credentials,
    *,
    region: str,
    service: str,
    at: datetime,
) -> str:
    """The address with these fields and a signature over it and them, made at `at` (UTC)."""
    place, day = urlsplit(url), f"{at:%Y%m%d}"
    scope = f"{day}/{region}/{service}/aws4_request"
    asked = {
        **fields,
        "X-Amz-Algorithm": ALGORITHM,
        "X-Amz-Credential": f"{credentials.key_id}/{scope}",
        "X-Amz-Date": f"{at:%Y%m%dT%H%M%SZ}",
        "X-Amz-Expires": str(GOOD_FOR_S),
        "X-Amz-SignedHeaders": "host",
    }
    if credentials.token:
        asked["X-Amz-Security-Token"] = credentials.token
    query = "&".join(f"{_quoted(name)}={_quoted(asked[name])}" for name in sorted(asked))
    body = hashlib.sha256(b"").hexdigest()
    request = f"GET\n{place.path}\n{query}\nhost:{place.netloc}\n\nhost\n{body}"
    digest = hashlib.sha256(request.encode()).hexdigest()
    to_sign = f"{ALGORITHM}\n{asked['X-Amz-Date']}\n{scope}\n{digest}"
    key = f"AWS4{credentials.secret}".encode()
    for part in (day, region, service, "aws4_request"):
        key = _hmac(key, part)
    signature = _hmac(key, to_sign).hex()
    return f"{place.scheme}://{place.netloc}{place.path}?{query}&X-Amz-Signature={signature}"


def packed(headers: Mapping[str, str], payload: bytes) -> bytes:
    """One frame."""
    about = b"".join(_header(name, value) for name, value in headers.items())
    length = PRELUDE.size + len(about) + len(payload) + CHECKSUM.size
    lengths = struct.pack(">II", length, len(about))
    frame = lengths + CHECKSUM.pack(zlib.crc32(lengths)) + about + payload
    return frame + CHECKSUM.pack(zlib.crc32(frame))


def unpacked(frame: bytes) -> tuple[dict[str, str], bytes]:
    """Headers that are text, and the payload. Raises ValueError for a damaged frame."""
    try:
        length, about, checksum = PRELUDE.unpack_from(frame)
        (whole,) = CHECKSUM.unpack(frame[-CHECKSUM.size :])
        if (length, checksum, whole) != (len(frame), zlib.crc32(frame[:8]), zlib.crc32(frame[:-4])):
            raise ValueError("a frame with a wrong length or checksum")
        start = PRELUDE.size + about
        return dict(_headers(frame[PRELUDE.size : start])), frame[start : -CHECKSUM.size]
    except (struct.error, IndexError, KeyError, TypeError):
        raise ValueError("no frame of an event stream") from None


def _headers(data: bytes) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(data):
        end = at + 1 + data[at]
        name, kind = data[at + 1 : end].decode(), data[end]
        at = end + 1
        if kind in SIZES:
            at += SIZES[kind]
            continue
        (size,) = struct.unpack_from(">H", data, at)
        at += 2 + size
        if kind == TEXT:
            yield name, data[at - size : at].decode()


def _header(name: str, value: str) -> bytes:
    text = value.encode()
    return bytes([len(name)]) + name.encode() + struct.pack(">BH", TEXT, len(text)) + text


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _quoted(text: str) -> str:
    return quote(text, safe="-_.~")
