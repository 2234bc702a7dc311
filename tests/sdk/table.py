"""
The table of docs/providers-sdks.md: each vendor's own SDK beside our adapter.

    nox -s sdk -- --write
    python tests/sdk/table.py           # the table alone, of the SDKs that are installed
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from helpers.vendor_protocols import KEY

from sdk import batch_clients, stream_clients, wire
from sdk.official_sdks import DIFFERENCES, FIXTURES, Compared, batch, stream

PAGE = Path(__file__).parents[2] / "docs" / "providers-sdks.md"
RE_TABLE = re.compile(r"(<!-- sdks -->\n).*?(?=<!-- /sdks -->)", re.DOTALL)
HEAD = ("| provider | mode | SDK | reads our server | differs in |", "|---|---|---|---|---|")


def rows() -> Iterator[str]:
    yield from HEAD
    with TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        wav = Path(scratch) / "audio.wav"
        for use, client in batch_clients.CLIENTS.items():
            compared = batch(FIXTURES[use, "batch"], client, wav, patch)
            yield row(use, "batch", client.package, compared)
        for use, streamed in stream_clients.CLIENTS.items():
            compared = stream(FIXTURES[use, "stream"], streamed, patch)
            yield row(use, "stream", streamed.package, compared)


def row(use: str, mode: str, package: str, compared: Compared) -> str:
    wanted = FIXTURES[use, mode].data["answers"]["success"]["text"]
    known = DIFFERENCES[mode].get(use, {})
    found = wire.differing(compared.sdk, compared.adapter)
    told = dict.fromkeys(
        wire.reason(name, known) or f"`{name}`: {found[name]}".replace(KEY, "KEY") for name in found
    )
    reads = "yes" if compared.text == wanted else "no"
    return f"| `{use}` | {mode} | {package} {version(package)} | {reads} | {'; '.join(told)} |"


def main() -> None:
    table = "\n".join(rows())
    today = datetime.now(UTC).date()
    if "--write" not in sys.argv:
        print(table)
        return
    text = f"Compared on {today}:\n\n{table}\n"
    PAGE.write_text(RE_TABLE.sub(lambda found: found[1] + text, PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
