"""A chat-completions server on loopback whose model is a function of the request."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from helpers.http_server import Reply, Request, Server, serving

Model = Callable[[dict[str, Any]], Reply]


def asked(body: Mapping[str, Any]) -> dict[str, Any]:
    """The clip that the request is about: targets and transcript."""
    clip: dict[str, Any] = json.loads(body["messages"][1]["content"])
    return clip


def completion(content: str | None, **changes: Any) -> Reply:
    """A reply as the API gives it; `changes` go into its choice."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": content, "refusal": None},
    } | changes
    return Reply(
        json.dumps(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": "judge-2026-11-01",
                "choices": [choice],
                "usage": {
                    "prompt_tokens": 1500,
                    "completion_tokens": 100,
                    "total_tokens": 1600,
                    "prompt_tokens_details": {"cached_tokens": 1000},
                },
            }
        )
    )


def results(clip: Mapping[str, Any], *answers: Mapping[str, Any]) -> str:
    """The model's JSON: one answer a target, its copies filled in."""
    return json.dumps(
        {
            "results": [
                {
                    "target_index": target["target_index"],
                    "type": target["type"],
                    "canonical": target["canonical"],
                    "evidence": None,
                    "reason": "because",
                    **answer,
                }
                for target, answer in zip(clip["targets"], answers, strict=True)
            ]
        }
    )


def answering(*answers: Mapping[str, Any]) -> Model:
    """A model that always gives these answers."""
    return lambda body: completion(results(asked(body), *answers))


@contextmanager
def chat(model: Model) -> Iterator[Server]:
    def answer(request: Request) -> Reply:
        return model(json.loads(request.body))

    with serving(answer) as server:
        yield server


def bodies(server: Server) -> Sequence[dict[str, Any]]:
    return [json.loads(request.body) for request in server.requests]
