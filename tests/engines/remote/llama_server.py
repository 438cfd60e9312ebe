"""llama.cpp's own server on loopback, in a process of its own: `llama_server.py MODEL.gguf PORT`.

It calls the model SmolLM2, whatever it is asked for. One thread: more only wait for each other.
"""

from __future__ import annotations

import sys
import threading
from importlib import import_module
from typing import Any


def main(model: str, port: str) -> None:
    xllamacpp: Any = import_module("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = model
    parameters.model_alias = {"SmolLM2"}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = int(port)
    parameters.n_ctx = 4096
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.endpoint_slots = True
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
