"""
Soniox, recorded files: uploaded, transcribed, fetched, deleted.

POST   {url}/files                           multipart: file -> id   auth: Bearer
POST   {url}/transcriptions                  {model, file_id, language_hints} -> id
GET    {url}/transcriptions/{id}             until status is completed or error
GET    {url}/transcriptions/{id}/transcript
DELETE {url}/transcriptions/{id}, {url}/files/{id}: nothing expires by itself, and both are rationed
text         `text`
model        `model` of the transcription
errors       {"status_code", "error_type", "message"}; a failed one has error_type, error_message

API: https://soniox.com/docs/stt/async/async-transcription
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import (
    ask,
    checked,
    decode,
    pick,
    pick_text,
    refusal,
    result,
    said_text,
    send,
)
from pytest_asrbench.providers.jobs import Later, finished
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.vendor import Vendor, wav_file


def vocabulary(terms: list[str], model: str) -> dict[str, Any]:
    """Part of what a recording is about."""
    return {"context": {"terms": terms}}


class Soniox(Vendor):
    """Deletes what it uploaded, also after a failure."""

    use: ClassVar[str] = "soniox"
    KEY: ClassVar[str] = "SONIOX_API_KEY"
    URL: ClassVar[str] = "https://api.soniox.com/v1"
    MODEL: ClassVar[str | None] = "stt-async-v6"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)

    async def transcribe(self, audio: Audio) -> Transcript:
        made: list[str] = []
        try:
            return await self._transcribe(audio, made)
        finally:
            self.later.do(self._delete(made))

    async def aclose(self) -> None:
        await self.later.finish()
        await super().aclose()

    async def _transcribe(self, audio: Audio, made: list[str]) -> Transcript:
        file = pick_text(await self._post("/files", files={"file": wav_file(audio)}), "id")
        made.append(f"/files/{file}")
        request = self.merged(
            model=self.model, file_id=file, language_hints=[self.spelled(audio.language)]
        )
        job = pick_text(await self._post("/transcriptions", json=request), "id")
        made.append(f"/transcriptions/{job}")

        async def look() -> Any:
            return await self._get(f"/transcriptions/{job}")

        done = checked(await finished(look, "status", "completed", self._failure), self.host)
        heard = result(
            await send(self.client, "GET", f"{self.url}/transcriptions/{job}/transcript")
        )
        return Transcript(
            text=pick_text(heard, "text"),
            reported_model=said_text(done, "model"),
            request_id=job,
        )

    @cached_property
    def later(self) -> Later:
        return Later()

    async def _post(self, path: str, **request: Any) -> Any:
        return await ask(self.client, self.url + path, **request)

    async def _get(self, path: str) -> Any:
        return decode(await send(self.client, "GET", self.url + path))

    async def _delete(self, made: list[str]) -> None:
        for path in reversed(made):
            # The transcript is there; a file that stays behind is for the console.
            with suppress(ProviderError):
                await send(self.client, "DELETE", self.url + path)

    def _failure(self, reply: Any) -> ProviderError:
        return refusal(pick(reply, "error_message", "failed"), self.host)
