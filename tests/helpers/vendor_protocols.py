"""The fixture files: what each vendor's protocol says, as requests and replies."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
import yaml

from helpers.http_server import Reply, Request, Server, serving
from pytest_asrbench.audio import Audio
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import registry
from pytest_asrbench.providers.base import Configuration

VENDORS = Path(__file__).parents[1] / "vendors"
KEY = "sk-0123456789-secret"


@dataclass(frozen=True)
class Fixture:
    """One vendor in one mode."""

    path: Path
    data: dict[str, Any]

    @property
    def use(self) -> str:
        return str(self.data["use"])

    @property
    def mode(self) -> str:
        return self.path.stem.removeprefix("recorded-")

    def cases(self, section: str) -> Iterator[tuple[str, dict[str, Any]]]:
        yield from self.data.get(section, {}).items()

    def provider(self, url: str, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Any:
        """The provider as a user's configuration makes it, but for its address."""
        for name, value in self.data.get("env", {}).items():
            monkeypatch.setenv(name, value.replace("KEY", KEY))
        where = {self.data.get("url_option", "url"): url + (self.data.get("url") or "")}
        options = self.data.get("options", {}) | where | options
        return registry.create(Configuration(self.use, self.use, options, mode=self.mode))

    def terms(self) -> dict[str, list[str]]:
        """An option for words to listen for, where the vendor can be told such."""
        return {"terms": ["Zyrtec", "DL 42"]} if self.data["terms"] else {}

    def check(self, transcript: Transcript, case: dict[str, Any]) -> None:
        """It is the case's, in full where the case is the page's whole example."""
        assert transcript.text == case["text"]
        if self.data["answers"]["success"] is case:
            assert transcript.reported_model == case.get("model")
            assert transcript.request_id == case.get("request_id")
            assert transcript.billed_s == case.get("billed_s")


def fixtures(mode: str) -> list[Fixture]:
    """Asserts that there are some: an empty folder must not pass."""
    found = [
        Fixture(path, yaml.safe_load(path.read_text("utf-8")))
        for path in sorted(VENDORS.glob(f"*/{mode}.yaml"))
    ]
    assert found
    return found


def recorded(mode: str) -> list[Fixture]:
    """Real exchanges that `asrbench providers check --fixture` wrote: `NAME/recorded-MODE.yaml`."""
    found = sorted(VENDORS.glob(f"*/recorded-{mode}.yaml"))
    return [Fixture(path, yaml.safe_load(path.read_text("utf-8"))) for path in found]


def each(found: list[Fixture], section: str) -> list[Any]:
    """One parameter for each fixture and case of a section."""
    return [
        pytest.param(fixture, case, id=f"{fixture.use}-{name}")
        for fixture in found
        for name, case in fixture.cases(section)
    ]


def speech(seconds: float = 0.3, *, language: str = "en") -> Audio:
    """Noise: the servers do not listen."""
    rate = 8_000
    samples = np.random.default_rng(1).integers(-900, 900, int(rate * seconds), np.int16)
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="WAV")
    return Audio(buffer.getvalue(), "audio/wav", ".wav", rate, 1, samples.tobytes(), language)


def replaying(fixture: Fixture, answer: Any, *, broken: dict[int, Any] | None = None) -> Any:
    """A server that goes through the fixture's steps; `broken` replaces the reply of a step."""
    asked: dict[str, int] = {}

    def reply(request: Request) -> Reply:
        on = f"{request.method} {request.path.partition('?')[0]}"
        steps = [*fixture.data["steps"], *fixture.data.get("also", ())]
        for number, step in enumerate(steps):
            if step["ask"] == on:
                return _reply(step, number)
        return Reply(json.dumps({"error": f"no route {on}"}), 404)

    def _reply(step: dict[str, Any], number: int) -> Reply:
        if number in (broken or {}):
            return broken[number]
        asked[step["ask"]] = asked.get(step["ask"], 0) + 1
        body = step["first"] if "first" in step and asked[step["ask"]] == 1 else step["reply"]
        return Reply(
            encoded(answer if body == "$answer" else body),
            step.get("status", 200),
            step.get("headers", {}),
        )

    return serving(reply)


def encoded(body: Any) -> str:
    return body if isinstance(body, str) else json.dumps(body)


def sent(server: Server) -> str:
    """All requests as text: line, headers, body."""
    return "\n".join(
        f"{r.method} {r.path} \n"
        + "".join(f"{name}: {value}\n" for name, value in r.headers.items())
        + r.body.decode("latin-1")
        for r in server.requests
    )
