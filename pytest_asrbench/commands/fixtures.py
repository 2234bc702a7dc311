"""
A real exchange as a conformance fixture: the file that our tests play a vendor from.

    steps      each request, with the reply (the first and the last one, where it is asked again)
    part       of a stream: what the server says before, during and after the speech
    answers    what must come of it: text, model, request id, billed seconds

No key is in it: values of environment variables that hold one become KEY, and what sounds like a
secret in a reply is masked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from pytest_asrbench.files import json_value
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.secrets import HIDDEN, masked, scrub
from pytest_asrbench.providers.witness import Exchange, Notes, Told

ANSWER = "$answer"


def fixture(
    notes: Notes,
    heard: Transcript,
    *,
    use: str,
    mode: str,
    base: str,
    base_option: str,
    env: Mapping[str, str],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """The content of the file. `base` is the address that `base_option` sets."""
    place = urlsplit(base)
    about = {
        "use": use,
        "env": dict(env),
        "url": place.path + (f"?{place.query}" if place.query else ""),
        "url_option": base_option,
        "options": masked(dict(options)),
    }
    asked = _asked(notes)
    rest = _stream(notes, heard) if mode == "stream" else _batch(notes.answered, heard)
    content = {**about, "sends": asked, **rest}
    clean: dict[str, Any] = json_value(_clean(json.dumps(masked(content)), notes))
    return clean


def _clean(text: str, notes: Notes) -> str:
    return scrub(text, notes.secrets).replace(HIDDEN, "KEY")


def _asked(notes: Notes) -> list[str]:
    """Lines of requests, and headers that hold a key."""
    lines = [f"{each.method} {_target(each.url)} " for each in notes.answered]
    headers = [pair for each in notes.answered for pair in each.headers]
    if notes.stream:
        lines.append(_target(notes.stream[0]))
        headers += notes.stream[1]
    written = [f"{name.lower()}: {value}" for name, value in headers]
    return list(dict.fromkeys([*lines, *(line for line in written if scrub(line) != line)]))


def _batch(answered: Sequence[Exchange], heard: Transcript) -> dict[str, Any]:
    routes = dict.fromkeys(_route(each) for each in answered)
    last = next(each for each in reversed(answered) if each.method != "DELETE")
    steps = [_step(route, [e for e in answered if _route(e) == route], last) for route in routes]
    return {"steps": steps, "answers": {"success": _expected(heard) | {"reply": _reply(last)}}}


def _step(route: str, answered: Sequence[Exchange], last: Exchange) -> dict[str, Any]:
    first, final = answered[0], answered[-1]
    step: dict[str, Any] = {"ask": route, "status": final.status}
    if final.media_type != "application/json":
        step["headers"] = {"content-type": final.media_type}
    if len(answered) > 1:
        step["first"] = _reply(first)
    return step | {"reply": ANSWER if final is last else _reply(final)}


def _stream(notes: Notes, heard: Transcript) -> dict[str, Any]:
    told = notes.told
    audio = next((n for n, each in enumerate(told) if each.moment == "audio"), len(told))
    end = next((n for n, each in enumerate(told) if each.moment == "closing"), len(told))
    ours = [each for each in told if each.moment == "closing"]
    frame = told[audio].message if audio < len(told) else b""
    field = None if isinstance(frame, bytes) else _longest(json_value(frame))
    part = {
        "opens": any(each.moment == "opening" for each in told),
        "ready": list(_said(told[:audio])),
        "end": [_mark(each.message, frame) for each in ours],
        "audio": field,
    }
    session = [_session(each, notes) for each in notes.answered[:1]]
    answer = {"during": list(_said(told[audio:end])), "after": list(_said(told[end:]))}
    return {
        "part": part,
        **({"session": session[0]} if session else {}),
        "answers": {"success": _expected(heard) | answer},
    }


def _session(each: Exchange, notes: Notes) -> dict[str, Any]:
    """What was asked first: where to connect to."""
    place = urlsplit(notes.stream[0]) if notes.stream else urlsplit("")
    reply = json.dumps(_reply(each)).replace(f"{place.scheme}://{place.netloc}", "URL")
    return {"path": _target(each.url), "status": each.status, "reply": json_value(reply)}


def _said(told: Sequence[Told]) -> Iterator[Any]:
    for each in told:
        if each.moment is None:
            said = each.message
            yield said if isinstance(said, dict) else json_value(said)


def _mark(closing: str | bytes, frame: str | bytes) -> str:
    """What tells this message from one with audio, whatever the recording."""
    fields = _object(closing)
    if not fields:
        return str(closing)
    sound = _object(frame)
    telling = (n for n in fields if sound.get(n) != fields[n] and n != _longest(sound))
    name = next(telling, next(iter(fields)))
    return json.dumps({name: fields[name]})[1:-1]


def _object(message: str | bytes) -> dict[str, Any]:
    try:
        value = json_value(message)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _longest(fields: Mapping[str, Any]) -> str | None:
    """The field of a message that holds audio, as base64."""
    texts = {name: value for name, value in fields.items() if isinstance(value, str)}
    return max(texts, key=lambda name: len(texts[name]), default=None)


def _expected(heard: Transcript) -> dict[str, Any]:
    about = {"model": heard.reported_model, "request_id": heard.request_id}
    return {"text": heard.text, **about, "billed_s": heard.billed_s}


def _reply(each: Exchange) -> Any:
    if each.media_type == "application/json":
        return json_value(each.body)
    return each.body.decode("utf-8", "replace")


def _route(each: Exchange) -> str:
    return f"{each.method} {_target(each.url).partition('?')[0]}"


def _target(url: str) -> str:
    place = urlsplit(url)
    return place.path + (f"?{place.query}" if place.query else "")
