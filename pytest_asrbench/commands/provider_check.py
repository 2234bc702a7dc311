"""`asrbench providers check NAME`: one short call to a vendor, and what to tell others of it."""

from __future__ import annotations

import argparse
import platform
import sys
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from pytest_asrbench import audio
from pytest_asrbench.clock import now, utc_now
from pytest_asrbench.commands import console
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.fixtures import fixture
from pytest_asrbench.commands.transcribe import settings_for, transcribed
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import write_atomic
from pytest_asrbench.metrics.wer import whisper_en
from pytest_asrbench.model import Clip, ClipRecord, Transcript
from pytest_asrbench.providers import conftests, facts, registry, witness
from pytest_asrbench.providers.base import AnyProvider, Configuration, Description
from pytest_asrbench.providers.entries import configuration
from pytest_asrbench.providers.prices import own_prices, read_prices
from pytest_asrbench.settings.config import Settings

CLIP = Path(str(files("pytest_asrbench") / "data" / "check.flac"))
SAYS = "Thank you very much for your help with this order, and have a nice day."
"""Voice slt of flite (a BSD-like licence), as example_project/make_clips.py speaks its clips."""
ENOUGH = 0.5  # of the words: a call that works hears them all, another recording's text few


def run(args: argparse.Namespace) -> ExitCode:
    settings = settings_for(args.checked, {"mode": args.mode}, None)
    chosen = configuration(settings, args.checked)
    conftests.load_for(chosen.use, settings.folder)
    provider = registry.create(chosen, settings.providers)
    description = provider.describe()
    seconds = audio.read(CLIP, "en").duration_s
    console.out(f"{_named(chosen, description)}: one call of {seconds:.1f} s to {_host(provider)}")
    console.out(_cost(settings, chosen, description, seconds))
    if not _approved(yes=args.yes):
        return ExitCode.USAGE
    with witness.noted() as notes:
        (record,), news = transcribed(
            [Clip("check", CLIP, SAYS, "en")], _fresh(settings, args.checked), args.checked
        )
    _tell(record, f"{_named(chosen, description)}, at {_host(provider)}")
    for line in news:
        console.err(line)
    if record.error:
        return ExitCode.CALL
    if args.fixture:
        _write(args.fixture, notes, record, chosen, provider)
    return ExitCode.OK if _heard(record) else ExitCode.FAILED


def _fresh(settings: Settings, name: str) -> Settings:
    """One attempt, and nothing that was stored before."""
    entry = {"use": name, **settings.providers.get(name, {}), "attempts": 1}
    return replace(settings, cache_mode="off", providers={**settings.providers, name: entry})


def _named(chosen: Configuration, description: Description) -> str:
    model = f", model {description.model}" if description.model else ""
    return f"{chosen.use} ({chosen.mode}){model}"


def _host(provider: AnyProvider) -> str:
    return str(getattr(provider, "host", "this machine"))


def _cost(
    settings: Settings, chosen: Configuration, description: Description, seconds: float
) -> str:
    if (own := chosen.limits.price_per_minute) is not None:
        return f"costs about {own * seconds / 60:.4f}, by price_per_minute of its entry"
    table = own_prices(settings.prices) if settings.prices else read_prices()
    price = table.price(description, chosen.mode)
    if price is None:
        return "what it costs is not in the price table"
    return f"costs about {price.cost(seconds):.4f} {table.currency} by the price table"


def _approved(*, yes: bool) -> bool:
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError("asrbench providers check: --yes approves this call")
    return input("Make the call? [y/N] ").strip().lower() in ("y", "yes")


def _heard(record: ClipRecord) -> bool:
    wanted = set(whisper_en(SAYS).split())
    return len(wanted & set(whisper_en(record.transcript or "").split())) > ENOUGH * len(wanted)


def _tell(record: ClipRecord, system: str) -> None:
    console.out()
    for name, value in _facts(record):
        console.out(f"{name:11} {value}")
    console.out()
    console.out("to paste into an issue:")
    console.out(_line(record, system))


def _facts(record: ClipRecord) -> list[tuple[str, Any]]:
    if record.error:
        return [("error", record.error.message), ("kind", record.error.kind)]
    first = f", first text after {record.first_text_ms:.0f} ms" if record.first_text_ms else ""
    return [
        ("heard", record.transcript),
        ("spoken", SAYS),
        ("model", record.reported_model or "not reported"),
        ("request id", record.request_id or "none"),
        ("latency", f"{record.latency_ms or 0:.0f} ms{first}"),
    ]


def _line(record: ClipRecord, system: str) -> str:
    today = datetime.fromtimestamp(now(), UTC).date()
    where = f"pytest-asrbench {version('pytest-asrbench')}, Python {platform.python_version()}"
    if record.error:
        outcome = f"failed ({record.error.kind}): {record.error.message}"
    else:
        heard = "works" if _heard(record) else f"answers with another text: {record.transcript!r}"
        reported = record.reported_model or "no model"
        outcome = f"{heard}; reported {reported}, request {record.request_id or 'without id'}"
        outcome += f", {record.latency_ms or 0:.0f} ms"
    return f"{system}: {outcome}; {today}, {where}, {platform.system()}"


def _write(
    path: Path,
    notes: witness.Notes,
    record: ClipRecord,
    chosen: Configuration,
    provider: AnyProvider,
) -> None:
    """Raises InputError for a system that speaks neither HTTP nor websocket, or no JSON there."""
    if not (notes.answered or notes.told):
        raise InputError(f"{path}: {chosen.use} was not asked by HTTP or websocket: not written")
    option = "base_url" if hasattr(provider, "base_url") else "url"
    place = {"url", "base_url", "api_key_env", "region"}
    try:
        content = fixture(
            notes,
            Transcript(
                record.transcript or "", record.reported_model, record.request_id, record.billed_s
            ),
            use=chosen.use,
            mode=chosen.mode,
            base=str(getattr(provider, option)),
            base_option=option,
            env=facts.variables(chosen.use, chosen.mode),
            options={name: value for name, value in chosen.options.items() if name not in place},
        )
    except ValueError:
        what = f"{chosen.use} packs its messages its own way: not written"
        raise InputError(f"{path}: {what}") from None
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
    write_atomic(path, f"# Recorded on {utc_now()[:10]} by `asrbench providers check`\n{text}")
    console.err(f"{path}: written, keys left out; look through it before you share it")
