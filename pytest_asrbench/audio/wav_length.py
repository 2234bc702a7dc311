"""
Checks the length that a WAV file's header says against what lies in the file.

`RIFF` size `WAVE`, then chunks: 4 bytes of name, size as uint32, content, padded to even. Samples
stand in `data`; a program that was stopped, or wrote into a pipe, leaves a size there that is not
that of what follows. Readers believe it, and hear half of a call.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

CHUNK = struct.Struct("<4sI")
STREAMED = 0x7FFF_0000  # sizes from here on mean "unknown"
LEAST_S = 0.05  # tags of other formats may follow, and nobody hears so little


def false_length(data: bytes) -> tuple[float, float] | None:
    """(seconds by the header, seconds in the file) where more is there than the header tells."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return None
    bytes_a_second = 0
    for name, start, size in _chunks(data, 12):
        if name == b"fmt " and size >= 16:
            bytes_a_second = struct.unpack_from("<I", data, start + 8)[0]
        if name == b"data":
            if not bytes_a_second or size >= STREAMED:
                return None
            return _compared(data, start, size, bytes_a_second)
    return None


def _compared(
    data: bytes, start: int, size: int, bytes_a_second: int
) -> tuple[float, float] | None:
    rest = data[start + size :]
    if (
        len(rest) < LEAST_S * bytes_a_second
        or not rest.strip(b"\0")
        or _is_chunks(data, start + size)
    ):
        return None
    return size / bytes_a_second, (size + len(rest)) / bytes_a_second


def _is_chunks(data: bytes, position: int) -> bool:
    """True if all that follows is chunks: notes about the recording, and no samples."""
    position += position % 2
    end = position
    for name, start, size in _chunks(data, position):
        if not (name.isascii() and name.decode("ascii").isprintable()):
            return False
        end = start + size + size % 2
    return end > position and abs(end - len(data)) <= 1


def _chunks(data: bytes, position: int) -> Iterator[tuple[bytes, int, int]]:
    """Name, first byte and size of each chunk from a position on."""
    while position + CHUNK.size <= len(data):
        name, size = CHUNK.unpack_from(data, position)
        yield name, position + CHUNK.size, size
        position += CHUNK.size + size + size % 2
