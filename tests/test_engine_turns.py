"""Calls wait in line, and none is forgotten there."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.engine.turns import ClosingError, Turns


@given(st.integers(1, 4), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=20))
def test_every_call_has_its_turn_whenever_it_comes(most, moments):
    """`moments`: after how many rounds of the loop a call joins the line, and how many it takes."""
    at_once, seen = 0, 0

    async def rounds(count):
        for _ in range(count):
            await asyncio.sleep(0)

    async def one(number, before, lasts):
        async def once():
            nonlocal at_once, seen
            at_once += 1
            seen = max(seen, at_once)
            await rounds(lasts)
            at_once -= 1
            return number

        await rounds(before)
        return await turns.call(once)

    async def everyone():
        calls = (one(n, *moment) for n, moment in enumerate(moments))
        return await asyncio.wait_for(asyncio.gather(*calls), 5)

    turns = Turns(lambda: most)

    assert asyncio.run(everyone()) == list(range(len(moments)))
    assert seen <= most


def test_one_that_joins_while_the_last_is_leaving_is_not_left_standing():
    async def both():
        turns = Turns(lambda: 1)
        first = asyncio.ensure_future(turns.call(lambda: asyncio.sleep(0, "first")))
        return [await first, await asyncio.wait_for(turns.call(lambda: asyncio.sleep(0, 2)), 5)]

    assert asyncio.run(both()) == ["first", 2]


def test_what_a_call_raises_is_raised_and_the_next_goes_on():
    async def failing():
        raise ValueError("no")

    async def both():
        turns = Turns(lambda: 1)
        calls = turns.call(failing), turns.call(lambda: asyncio.sleep(0, "well"))
        return await asyncio.gather(*calls, return_exceptions=True)

    error, value = asyncio.run(both())

    assert isinstance(error, ValueError)
    assert value == "well"


def test_the_end_of_the_run_lets_calls_end_and_begins_none():
    async def closing():
        turns, begun, gate = Turns(lambda: 1), asyncio.Event(), asyncio.Event()

        async def long():
            begun.set()
            await gate.wait()
            return "paid for"

        lasting = asyncio.ensure_future(turns.call(long))
        waiting = asyncio.ensure_future(turns.call(long))
        await begun.wait()
        turns.close()
        gate.set()
        return await asyncio.gather(lasting, waiting, return_exceptions=True)

    value, error = asyncio.run(closing())

    assert value == "paid for"
    assert isinstance(error, ClosingError)


def test_a_call_that_is_cancelled_ends():
    async def cancelling():
        turns = Turns(lambda: 1)
        ended = asyncio.Event()

        async def long():
            try:
                await asyncio.sleep(60)
            finally:
                ended.set()

        lasting = asyncio.ensure_future(turns.call(long))
        await asyncio.sleep(0.01)
        lasting.cancel()
        await turns.cancel()
        return lasting, ended.is_set()

    lasting, ended = asyncio.run(cancelling())

    assert ended
    with pytest.raises(asyncio.CancelledError):
        lasting.result()
