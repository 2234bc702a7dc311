"""
Speechmatics, recorded files: a job, then its transcript.

POST {url}/jobs                    multipart: data_file, config (JSON) -> id   auth: Bearer
GET  {url}/jobs/{id}               until job.status is done, rejected, deleted or expired
GET  {url}/jobs/{id}/transcript?format=txt
text         the body of that reply
model        not reported
errors       {"code", "error", "detail"}; a failed job has job.errors[].message

The model is always sent: without it the older `standard` is used.
API: https://docs.speechmatics.com/api-ref/batch/create-a-new-job
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.http import ask, checked, decode, pick, pick_text, refusal, send
from pytest_asrbench.providers.jobs import finished
from pytest_asrbench.providers.replies import plain
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.vendor import Vendor, wav_file


def vocabulary(terms: list[str], model: str) -> dict[str, Any]:
    """Each may also say how it sounds."""
    return {"additional_vocab": [{"content": term} for term in terms]}


class Speechmatics(Vendor):
    """`params` go into transcription_config."""

    use: ClassVar[str] = "speechmatics"
    KEY: ClassVar[str] = "SPEECHMATICS_API_KEY"
    URL: ClassVar[str] = "https://asr.api.speechmatics.com/v2"
    MODEL: ClassVar[str | None] = "enhanced"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.speechmatics)

    async def transcribe(self, audio: Audio) -> Transcript:
        asked = self.merged(language=self.spelled(audio.language), model=self.model)
        config = {"type": "transcription", "transcription_config": asked}
        made = await ask(
            self.client,
            f"{self.url}/jobs",
            data={"config": json.dumps(config)},
            files={"data_file": wav_file(audio)},
        )
        number = pick_text(made, "id")
        job = f"{self.url}/jobs/{number}"

        async def look() -> Any:
            return decode(await send(self.client, "GET", job))

        checked(await finished(look, "job.status", "done", self._failure), self.host)
        text = await send(self.client, "GET", f"{job}/transcript", params={"format": "txt"})
        return Transcript(plain(text), request_id=number)

    def _failure(self, reply: Any) -> ProviderError:
        status = pick(reply, "job.status")
        return refusal(pick(reply, "job.errors.0.message", f"the job is {status}"), self.host)
