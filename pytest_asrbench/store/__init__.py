"""
Transcripts and verdicts that outlive a run, so that no call is paid for twice.

A transcript is stored by what it depends on: the audio's bytes and the provider's description; a
verdict by transcript, targets and the verifier's digest. Nothing here knows how a call is made.
"""

from pytest_asrbench.store.entries import Entry, TranscriptKey, VerdictKey
from pytest_asrbench.store.store import Mode, Store

__all__ = ["Entry", "Mode", "Store", "TranscriptKey", "VerdictKey"]
