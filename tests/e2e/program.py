"""A program that talks to the page, without a browser."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import httpx

from tests.e2e.starting import Served


def connected(page: Served, timeout: float = 60) -> httpx.Client:
    """No proxy stands between; `timeout` is in seconds."""
    return httpx.Client(base_url=page.url, timeout=timeout, trust_env=False)


def upload(client: httpx.Client, name: str, content: bytes) -> str:
    """The path under which the page has the file."""
    response = client.post("gradio_api/upload", files={"files": (name, content)})
    assert response.status_code == 200
    return str(response.json()[0])


class Form:
    """What the page sends when somebody uses it, made from its own description."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        config = client.get("config?page=").json()
        self._ids = {c["props"].get("elem_id"): c["id"] for c in config["components"]}
        self._values = {c["id"]: c["props"].get("value") for c in config["components"]}
        functions = {
            (element, event): function
            for function in config["dependencies"]
            for element, event in function["targets"]
        }
        self._run = functions[self._ids["explain"], "click"]
        self._stop = functions[self._ids["stop"], "click"]
        self._show = functions[self._ids["picture"], "upload"]

    def join(self, visitor: str, **fields: Any) -> httpx.Response:
        """Asks for a run; the fields are named as the elements of the page."""
        values = {**self._values, **{self._ids[name]: value for name, value in fields.items()}}
        data = [values[id] for id in self._run["inputs"]]
        return self.send("queue/join", visitor, self._run["id"], data)

    def stop(self, visitor: str) -> httpx.Response:
        return self.send("run/predict", visitor, self._stop["id"], [])

    def show(self, visitor: str, path: str) -> httpx.Response:
        """Tells that a picture was uploaded, which the page looks at first."""
        picture = {"path": path, "meta": {"_type": "gradio.FileData"}}
        return self.send("queue/join", visitor, self._show["id"], [picture])

    def send(self, path: str, visitor: str, function: int, data: list[Any]) -> httpx.Response:
        body = {"data": data, "fn_index": function, "session_hash": visitor, "trigger_id": None}
        return self._client.post(f"gradio_api/{path}", json=body)

    def result(self, visitor: str, *ends: str) -> str:
        """The messages to a visitor up to the end of a run, or to one of `ends`."""
        return "\n".join(self.messages(visitor, *ends))

    def messages(self, visitor: str, *ends: str) -> Generator[str, None, None]:
        """The same, each as it arrives."""
        ends = ends or ('"process_completed"', '"unexpected_error"')
        address = f"gradio_api/queue/data?session_hash={visitor}"
        with self._client.stream("GET", address) as stream:
            for line in stream.iter_lines():
                yield line
                if any(end in line for end in ends):
                    return
