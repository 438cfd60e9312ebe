"""Models on servers that speak the OpenAI protocol: vLLM, SGLang, llama.cpp, Ollama, a router.

`server` says how one is reached, `chat` asks it, `work` lets go of it at any moment, `failures`
says what went wrong; `explainer` and `validator` are the two roles, `engine` puts them together.
"""

from expartkg.engines.remote.engine import remote_engine

__all__ = ["remote_engine"]
