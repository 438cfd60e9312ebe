"""Settings: the paper's defaults, then the environment, then the caller's."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.errors import UsageError
from expartkg.retrieval.ranking import RANKINGS as IMPLEMENTED_RANKINGS
from expartkg.settings import RANKINGS, VARIABLES, Settings


def test_defaults_are_the_papers() -> None:
    settings = Settings()
    assert (settings.method, settings.ranking, settings.source) == ("validate", "qid", "answer")
    assert (settings.top_k, settings.max_iterations) == (10, 5)
    assert settings.lvlm == "Qwen/Qwen3-VL-8B-Instruct"
    assert settings.validator == "Qwen/Qwen3-4B-Instruct-2507"


def test_the_environment_changes_the_defaults_and_the_caller_changes_both() -> None:
    environ = {
        "EXPARTKG_ENGINE": "preview",
        "EXPARTKG_KG": "other.nt",
        "EXPARTKG_CACHE": "/somewhere",
        "EXPARTKG_REMOTE_URL": "",
        "UNRELATED": "x",
    }
    settings = Settings.from_environment(environ)
    assert (settings.engine, settings.kg) == ("preview", "other.nt")
    assert (settings.cache, settings.remote_url) == (Path("/somewhere"), None)
    assert settings.replace(engine="auto").engine == "auto"


VALUES = {
    "engine": "preview",
    "device": "cpu",
    "decoding": "eager",
    "max_new_tokens": "7",
    "image_tokens": "7",
    "sparql_seconds": "7",
    "mcp": "off",
    "language": "ja",
    "recognition": "off",
    "login": "anna:secret",
}


@pytest.mark.parametrize("variable", sorted(VARIABLES))
def test_every_variable_has_its_setting_and_stands_in_the_readme(variable: str, root: Path) -> None:
    name, meaning = VARIABLES[variable]
    value = VALUES.get(name, "x")
    assert str(getattr(Settings.from_environment({variable: value}), name)) == value
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert f"`{variable}`" in readme
    assert meaning


@pytest.mark.parametrize(
    "change",
    [
        {"top_k": 0},
        {"max_iterations": 0},
        {"facts_budget": 0},
        {"time_limit": 0},
        {"time_limit": float("nan")},
        {"time_limit": float("inf")},
        {"kg": ""},
        {"ranking": "bm25"},
        {"method": "guess"},
        {"engine": "gpt"},
        {"source": "web"},
        {"language": "fr"},
        {"recognition": "always"},
        {"login": "anna"},
        {"sparql_seconds": 0},
        {"mcp": "maybe"},
    ],
)
def test_values_out_of_range(change: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Settings().replace(**change)


def test_a_wrong_variable_is_told() -> None:
    with pytest.raises(UsageError, match="engine must be one of"):
        Settings.from_environment({"EXPARTKG_ENGINE": "gpt"})


def test_a_run_records_no_key_and_no_folder() -> None:
    settings = Settings(remote_key="secret", remote_url="http://x")
    assert "secret" not in repr(settings)
    assert not {"remote_key", "remote_url", "cache"} & set(settings.for_run())


def test_a_login_is_several_accounts() -> None:
    login = "anna:a secret : with colons, ben : 秘密 "
    accounts = Settings.from_environment({"EXPARTKG_LOGIN": login}).accounts
    assert accounts == {"anna": "a secret : with colons", "ben": "秘密"}
    assert not Settings().accounts


@pytest.mark.parametrize(
    ("login", "said"),
    [
        ("hunter2", r"not name:password \(account 1\)"),
        (":hunter2", r"account 1"),
        ("anna:hunter2,", r"account 2"),
        ("anna:hunter2,hunter2", r"no password can have one"),
        ("anna: ,ben:hunter2", r"account 1"),
        (" ", r"account 1"),
        ("anna:hunter2,anna:hunter2", r"two accounts of one name \(account 2\)"),
    ],
)
def test_a_malformed_login_is_told_without_the_password(login: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        Settings.from_environment({"EXPARTKG_LOGIN": login})
    assert "hunter2" not in str(raised.value)


def test_a_login_is_never_shown() -> None:
    settings = Settings(login="anna:hunter2")
    assert "hunter2" not in repr(settings)
    assert "hunter2" not in str(settings.for_run())


def test_the_rankings_that_can_be_set_are_those_that_exist() -> None:
    assert sorted(RANKINGS) == sorted(IMPLEMENTED_RANKINGS)
