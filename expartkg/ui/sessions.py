"""What gradio keeps of every window of the page and every call of a program: little, for a while.

By itself it copies the page's description for each of them, 0.3 MB and a tenth of a second of work,
keeps 10,000 copies, and forgets none before. They are there for links to a page as somebody left
it, which this page makes otherwise. Here a window is remembered without the description, and until
it is closed, or has not been used for as long as uploads are kept; nothing is of a program's call.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from gradio.blocks import Blocks
from gradio.state_holder import SessionState, StateHolder

MOST_WINDOWS = 2000
"""That are remembered; of more, those go that have not been used for longest."""
CLOSED = timedelta(minutes=1)
"""How long a window is remembered that was closed, or has lost its connection."""
REOPENED = timedelta(seconds=10)
"""A window that is used so long after it was closed has its connection again."""
SWEEP_SECONDS = 30.0

_PROGRAM = re.compile(r"[0-9a-f]{32}")
"""The name that gradio gives a call which comes without one; windows have shorter names."""


class Session(SessionState):
    """A window's values, and the components that were changed for it."""

    closed: datetime | None = None

    def __init__(self, blocks: Blocks) -> None:
        # Of no component in particular: so none is described.
        nothing: Any = SimpleNamespace(default_config=blocks.default_config, blocks={})
        super().__init__(nothing)

    @property
    def is_closed(self) -> bool:
        return self.closed is not None

    @is_closed.setter
    def is_closed(self, closed: bool) -> None:
        self.closed = datetime.now() if closed else None

    def _update_config(self, key: int) -> None:
        """Nothing is described."""

    def _update_value_in_config(self, key: int, value: Any) -> None:
        """Nothing is described."""


class Sessions(StateHolder):
    """The windows of a page by name, the one that was used last at the end."""

    session_data: OrderedDict[str, Session]  # type: ignore[assignment]

    def __init__(self, blocks: Blocks, kept: timedelta) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._kept = kept
        self.set_blocks(blocks)
        self.capacity = MOST_WINDOWS

    def __getitem__(self, session_id: str) -> SessionState:
        if _PROGRAM.fullmatch(session_id):
            return Session(self.blocks)
        if session_id not in self.session_data:
            self.session_data[session_id] = Session(self.blocks)
        session = self.session_data[session_id]
        if session.closed and datetime.now() - session.closed > REOPENED:
            session.is_closed = False
        return super().__getitem__(session_id)

    def delete_all_expired_state(self) -> None:
        """gradio asks for it every second."""
        now = datetime.now()
        with self.lock:
            for session_id, session in list(self.session_data.items()):
                unused = now - self.time_last_used.get(session_id, now)
                if unused > self._kept or (session.closed and now - session.closed > CLOSED):
                    del self.session_data[session_id]
                    self.time_last_used.pop(session_id, None)


@asynccontextmanager
async def few_sessions(app: Any, kept: timedelta) -> AsyncIterator[None]:
    """While it lasts, the application remembers its windows so, for the time that is given."""
    blocks = app.get_blocks()
    app.state_holder = Sessions(blocks, kept)
    sweeping = asyncio.create_task(_sweep(blocks._queue, app.state_holder))
    try:
        yield
    finally:
        sweeping.cancel()


async def _sweep(queue: Any, sessions: Sessions) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        forget_listeners(queue, sessions.__contains__)


def forget_listeners(queue: Any, is_open: Callable[[str], bool]) -> None:
    """gradio keeps for everybody what is still to be heard, and of which runs, also if that is
    nothing, and for ever. Here it goes with the window; programs may hear theirs much later, so
    that gradio's own limit of 2,000 counts for them.
    """
    unheard, runs = queue.pending_messages_per_session, queue.pending_event_ids_session
    for name in [name for name in unheard if not is_open(name)]:
        if not (_PROGRAM.fullmatch(name) or _goes_on(queue, name)):
            del unheard[name]
    for name in [name for name in runs if name not in unheard]:
        if not _goes_on(queue, name):
            del runs[name]


def _goes_on(queue: Any, name: str) -> bool:
    runs = queue.pending_event_ids_session.get(name, ())
    return any(run in queue.event_ids_to_events for run in runs)
