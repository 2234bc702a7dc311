"""The comparison with the vendors' own SDKs, as far as it goes without them."""

from __future__ import annotations

import re
from pathlib import Path

from helpers.http_server import Request
from helpers.vendor_protocols import fixtures
from sdk import batch_clients, stream_clients, wire

ROOT = Path(__file__).parents[2]
PINNED = "".join(
    file.read_text("utf-8") for file in (ROOT / "tests" / "sdk").glob("requirements*.txt")
)


def test_the_page_has_a_row_for_every_sdk_in_the_pinned_version():
    """Else it would tell of versions that nobody compared."""
    page = (ROOT / "docs" / "providers-sdks.md").read_text("utf-8")
    rows = set(re.findall(r"^\| `(.+?)` \| (\w+) \| (.+?) \| yes \|", page, re.MULTILINE))
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)$", PINNED, re.MULTILINE))

    assert rows == {
        (use, mode, f"{client.package} {pinned[client.package]}")
        for mode, clients in (("batch", batch_clients), ("stream", stream_clients))
        for use, client in clients.CLIENTS.items()
    }
    assert set(batch_clients.CLIENTS) <= {fixture.use for fixture in fixtures("batch")}


def test_two_requests_are_told_apart_field_by_field():
    form = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n'
        b"Content-Type: audio/wav\r\n\r\nRIFF..\r\n"
        b'--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nm-1\r\n--x--\r\n'
    )
    headers = {"content-type": "multipart/form-data; boundary=x", "user-agent": "sdk"}
    one = dict(wire.of_request(Request("POST", "/v1?a=1&a=2", headers, form, 0)))
    other = one | {"POST /v1 model": "m-2"}

    assert one == {
        "POST /v1": "sent",
        "POST /v1 ?a": '["1", "2"]',
        "POST /v1 content-type:": "multipart/form-data",
        "POST /v1 file filename": "a.wav",
        "POST /v1 file type": "audio/wav",
        "POST /v1 file": "a WAV file",
        "POST /v1 model": "m-1",
    }
    assert wire.differing(one, other) == {"POST /v1 model": "SDK m-1, adapter m-2"}
    assert wire.reason("POST /v1 model", {"POST * model": "why"}) == "why"
    assert wire.reason("POST /v1 file", {"POST * model": "why"}) is None
