"""What is remembered of windows and of calls, and for how long."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest

from expartkg.ui import sessions
from expartkg.ui.sessions import Sessions, few_sessions, forget_listeners

WINDOW = "9f3kq0zt7ab"
CALL = "0123456789abcdef0123456789abcdef"


STATE = 1


@pytest.fixture
def page() -> Any:
    """What gradio knows of a page with a text, and with a part that remembers something."""
    blocks = {STATE: gr.State(value=["nothing"]), 2: gr.Textbox("A text")}
    described = SimpleNamespace(
        blocks=blocks, config_for_block=lambda key, *_: {"id": key, "props": {}}
    )
    return SimpleNamespace(blocks=blocks, default_config=described, state_session_capacity=10_000)


@pytest.fixture
def kept(page: Any) -> Sessions:
    return Sessions(page, timedelta(hours=1))


def test_a_window_finds_again_what_it_left(kept: Sessions) -> None:
    kept[WINDOW][STATE] = ["a pick"]
    assert kept[WINDOW][STATE] == ["a pick"]
    assert kept["another0000"][STATE] == ["nothing"]
    assert WINDOW in kept


def test_the_page_is_not_described_for_every_window(kept: Sessions, page: Any) -> None:
    session = kept[WINDOW]
    for id, block in page.blocks.items():
        session._update_value_in_config(id, "much " * 1000)
        session._update_config(id)
        assert id not in session.config_values, block


def test_nothing_is_kept_of_a_call(kept: Sessions) -> None:
    kept[CALL][STATE] = ["a pick"]
    assert CALL not in kept
    assert kept[CALL][STATE] == ["nothing"]
    assert not kept.session_data


def test_a_window_is_forgotten_when_it_was_not_used_for_long(page: Any) -> None:
    kept = Sessions(page, timedelta(hours=1))
    for name in ("used again", "old", "new"):
        assert kept[name]
    for name in ("used again", "old"):
        kept.time_last_used[name] -= timedelta(hours=2)
    assert kept["used again"]
    kept.delete_all_expired_state()
    assert list(kept.session_data) == ["new", "used again"]
    assert set(kept.time_last_used) == set(kept.session_data)


def test_of_too_many_windows_the_one_goes_that_was_used_first(
    page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST_WINDOWS", 2)
    kept = Sessions(page, timedelta(hours=1))
    for name in ("a", "b", "a", "c"):
        assert kept[name]
    assert list(kept.session_data) == ["a", "c"]
    assert set(kept.time_last_used) == set(kept.session_data)


def test_the_application_takes_them(page: Any) -> None:
    app = SimpleNamespace(get_blocks=lambda: page, state_holder=None)
    page._queue = SimpleNamespace()

    async def begin() -> None:
        async with few_sessions(app, timedelta(hours=1)):
            assert isinstance(app.state_holder, Sessions)
            assert page.state_holder is app.state_holder

    asyncio.run(begin())


def test_a_window_that_was_closed_is_forgotten_soon(kept: Sessions) -> None:
    for name in ("closed", "closed just now", "open"):
        assert kept[name]
    for name in ("closed", "closed just now"):
        kept.session_data[name].is_closed = True
    kept.session_data["closed"].closed = datetime.now() - timedelta(minutes=2)
    kept.delete_all_expired_state()
    assert list(kept.session_data) == ["closed just now", "open"]


def test_a_window_that_has_its_connection_again_is_remembered(kept: Sessions) -> None:
    """Closing it is the last use of it, and does not open it again."""
    for name in ("leaves", "comes again"):
        assert kept[name]
        kept.session_data[name].is_closed = True
    kept.session_data["comes again"].closed = datetime.now() - timedelta(seconds=30)
    assert kept["leaves"].is_closed
    assert not kept["comes again"].is_closed


def test_listeners_that_have_gone_are_forgotten() -> None:
    """But not programs, which may hear later how their runs went."""
    names = ("open", "closed", "runs", CALL)
    queue = SimpleNamespace(
        pending_event_ids_session={
            "open": set(), "closed": {"1"}, "runs": {"2"}, CALL: {"3"}, "gone": {"4"},
        },
        pending_messages_per_session={name: asyncio.Queue() for name in names},
        event_ids_to_events={"2": "a run that is going on"},
    )  # fmt: skip
    forget_listeners(queue, {"open"}.__contains__)
    assert set(queue.pending_event_ids_session) == {"open", "runs", CALL}
    assert set(queue.pending_messages_per_session) == {"open", "runs", CALL}
