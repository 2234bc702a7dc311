"""
Rev AI, recorded files: a job, then its transcript.

POST {url}/jobs                  multipart: media, options (JSON) -> id   auth: Bearer
GET  {url}/jobs/{id}             until status is transcribed or failed
GET  {url}/jobs/{id}/transcript  Accept: application/vnd.rev.transcript.v1.0+json
text         monologues[].elements[].value, which carry their spaces; the plain text that the route
             can also give has names of speakers and times in it
model        `transcriber` of the job
billed       duration_seconds of the job
errors       {"title", "detail", "status"}; a failed job has failure, failure_detail

API: https://docs.rev.ai/api/asynchronous; SDK: rev-ai 2.21, apiclient.py
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import (
    ask,
    checked,
    decode,
    pick,
    pick_list,
    pick_text,
    refusal,
    result,
    said_seconds,
    said_text,
    send,
)
from pytest_asrbench.providers.jobs import finished
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.vendor import Vendor, joined, wav_file

TRANSCRIPT = "application/vnd.rev.transcript.v1.0+json"


def vocabulary(terms: list[str], model: str) -> dict[str, Any]:
    """A vocabulary of this job alone."""
    return {"custom_vocabularies": [{"phrases": terms}]}


class RevAI(Vendor):
    """`params` go into the job's options."""

    use: ClassVar[str] = "revai"
    KEY: ClassVar[str] = "REVAI_ACCESS_TOKEN"
    URL: ClassVar[str] = "https://api.rev.ai/speechtotext/v1"
    MODEL: ClassVar[str | None] = "machine"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)

    async def transcribe(self, audio: Audio) -> Transcript:
        options = self.merged(transcriber=self.model, language=self.spelled(audio.language))
        made = await ask(
            self.client,
            f"{self.url}/jobs",
            files={"media": wav_file(audio), "options": (None, json.dumps(options).encode())},
        )
        job = f"{self.url}/jobs/{pick_text(made, 'id')}"

        async def look() -> Any:
            return decode(await send(self.client, "GET", job))

        done = checked(await finished(look, "status", "transcribed", self._failure), self.host)
        accept = {"Accept": TRANSCRIPT}
        heard = result(await send(self.client, "GET", f"{job}/transcript", headers=accept))
        return Transcript(
            text=joined(map(_said, pick_list(heard, "monologues"))),
            reported_model=said_text(done, "transcriber"),
            request_id=pick_text(made, "id"),
            billed_s=said_seconds(done, "duration_seconds"),
        )

    def _failure(self, reply: Any) -> ProviderError:
        why = pick(reply, "failure_detail", pick(reply, "failure", "failed"))
        return refusal(why, self.host)


def _said(monologue: Any) -> str:
    """One speaker's words and signs, and the spaces between them."""
    return "".join(pick_text(each, "value") for each in pick_list(monologue, "elements"))
