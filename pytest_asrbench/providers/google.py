"""
Google Cloud Speech-to-Text v2 with Chirp, recorded files of up to a minute.

POST {url}/v2/projects/{project}/locations/{location}/recognizers/_:recognize
             {"config": {model, languageCodes, autoDecodingConfig}, "content": base64}
url          https://{location}-speech.googleapis.com; chirp_3 lives in `us`, `eu` and some regions
auth         Bearer, an OAuth token; there are no plain keys
text         results[].alternatives.0.transcript; no `results` where nothing was heard
model        not reported
billed       metadata.totalBilledDuration, "8s"
request id   metadata.requestId
errors       {"error": {"code", "message", "status"}}
limits       10 MB, 1 minute

API: https://docs.cloud.google.com/speech-to-text/docs/reference/rest/v2/projects.locations.recognizers/recognize
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import ProviderError, seconds
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import google_auth, languages
from pytest_asrbench.providers.http import pick_list, pick_text, post, said_text
from pytest_asrbench.providers.needs import Need, either, extra, variable
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.vendor import Vendor, joined, wav


def vocabulary(terms: list[str], model: str) -> dict[str, Any]:
    """A phrase set of this request."""
    phrases = [{"value": term} for term in terms]
    return {"adaptation": {"phraseSets": [{"inlinePhraseSet": {"phrases": phrases}}]}}


class Google(Vendor):
    """`params` go into the request's config. Also raises InputError where no project is known."""

    use: ClassVar[str] = "google"
    KEY: ClassVar[str] = google_auth.TOKEN
    MODEL: ClassVar[str | None] = "chirp_3"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.google)

    def __init__(
        self,
        *,
        project: str | None = None,
        location: str = "us",
        url: str | None = None,
        **others: Any,
    ) -> None:
        super().__init__(url=url or f"https://{location}-speech.googleapis.com", **others)
        self.tokens = google_auth.tokens()
        recogniser = google_auth.recogniser(project, location, self.tokens)
        self.route = f"/v2/{recogniser}:recognize"

    @classmethod
    def needs(cls) -> list[Need]:
        token = either(variable(google_auth.TOKEN), extra("google"))
        return [token, variable(google_auth.PROJECT)]

    def headers(self) -> dict[str, str]:
        return {}  # a token may end before the run does, so each request gets its own

    async def transcribe(self, audio: Audio) -> Transcript:
        config = self.merged(
            model=self.model,
            languageCodes=[self.spelled(audio.language)],
            autoDecodingConfig={},
        )
        reply = await post(
            self.client,
            self.url + self.route,
            json={"config": config, "content": base64.b64encode(wav(audio)).decode()},
            headers={"Authorization": f"Bearer {await self.tokens.token()}"},
        )
        self._check(reply)
        return Transcript(
            # A result without alternatives is silence between two others.
            text=joined(
                pick_text(each, "alternatives.0.transcript", "")
                for each in pick_list(reply, "results", [])
            ),
            request_id=said_text(reply, "metadata.requestId"),
            billed_s=_seconds(said_text(reply, "metadata.totalBilledDuration")),
        )

    def _check(self, reply: Any) -> None:
        """Silence is a reply without results; one with the name of an operation is none."""
        other = set(reply) - {"results", "metadata"} if isinstance(reply, dict) else True
        if other:
            raise ProviderError(
                f"{self.host} answered with something else than results",
                host=self.host,
                kind="reply",
            )

    def _key(self, variable: str | None) -> str:
        return google_auth.no_key(variable)


def _seconds(duration: str | None) -> float | None:
    """Of `8s`."""
    return seconds(duration.removesuffix("s")) if duration else None
