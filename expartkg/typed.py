"""Whether a record that was read from somebody's file has the types that its class declares."""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def check_types(record: Any, where: str) -> None:
    """Compares every field, and the fields of those, with its annotation.

    Understands what records are made of: dataclasses, named tuples, unions, literals, tuples,
    mappings and plain types; a float is finite, and a whole
    number will do for it. Raises `TypeError`, which names
    the field after `where`.
    """
    kind: Any = type(record)
    for name, hint in _hints(kind).items():
        _check(getattr(record, name), hint, f"{where}: {name}")


@cache
def _hints(record: Any) -> dict[str, Any]:
    # What a record names only while types are checked is not in files either.
    hints = get_type_hints(record, localns={"Image": types.NoneType})
    names = [field.name for field in dataclasses.fields(record)] if _is_record(record) else hints
    return {name: hints[name] for name in names}


def _check(value: Any, hint: Any, where: str) -> None:
    if not _fits(value, hint, where):
        raise TypeError(f"{where} is {value!r:.60}")


def _fits(value: Any, hint: Any, where: str) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return isinstance(value, str) and value in arguments
    if origin in (Union, types.UnionType):
        return any(_fits(value, option, where) for option in arguments)
    if origin is tuple:
        return isinstance(value, tuple) and _items_fit(value, arguments, where)
    if origin is not None:
        return isinstance(value, Mapping) and all(isinstance(name, str) for name in value)
    if _is_record(hint) or hasattr(hint, "_fields"):
        if isinstance(value, hint):
            check_types(value, where)
        return isinstance(value, hint)
    if hint is float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        # Nothing can be computed with a whole number beyond all floats.
        return is_number and abs(value) <= sys.float_info.max
    return type(value) is hint


def _items_fit(items: tuple[Any, ...], hints: tuple[Any, ...], where: str) -> bool:
    if hints[-1:] == (Ellipsis,):
        hints = (hints[0],) * len(items)
    if len(items) != len(hints):
        return False
    for number, (item, hint) in enumerate(zip(items, hints, strict=True), start=1):
        _check(item, hint, f"{where} {number}")
    return True


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)
